"""Source lines of the lines of a level: MLIR, LLVM IR, PTX, SASS.

A place is a tuple of frames, `(file, line)`, the innermost first: where an operation was written, and the calls that
led there.  Each function takes a level's text and gives its lines, without what was said of locations, with
their places.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator

from ttkit.analysis.value_names import closing

Place = tuple[tuple[str, int], ...]
Located = list[tuple[str, Place]]

_STRING = r'"(?:[^"\\]|\\.)*"'
_ALIAS = re.compile(r"^(#loc\w*) = loc\((.*)\)$")
_PART = re.compile(rf"(#loc\w*)|({_STRING}):(\d+)(?::\d+)?(?: to (?::?\d+)?(?::\d+)?)?|({_STRING})")
_DEBUG_ALIAS = re.compile(r"^(#[\w$.-]+) = #llvm\.di_")
_DEBUG_OPERATION = re.compile(r'^\s*"?llvm\.intr\.dbg\.')
_STRING_OR_ALIAS = re.compile(r'"((?:[^"\\]|\\.)*)"|#\w+')
_LOCATION = re.compile(rf"{_STRING}|//|\s*(?<![\w$.@%#-])loc\(")


def mlir_lines(text: str) -> Located:
    """Lines of MLIR that was printed with locations.

    A location stands at the end of an operation.  An operation with regions has it after its last line, and its first
    line gets it too.
    """
    plain: list[str] = []
    aliases: dict[str, str] = {}
    for line in text.rstrip("\n").split("\n"):
        if line.startswith("#loc") and (found := _ALIAS.match(line)):
            aliases[found[1]] = found[2]
        else:
            plain.append(line)
    known: dict[str, Place] = {}
    lines: Located = []
    opened: list[int] = []
    for line in plain:
        shown, location = _without_locations(line)
        place = _place(location, aliases, known) if location else ()
        stripped = shown.strip()
        if stripped.startswith("}") and opened:
            first = opened.pop()
            if location:
                lines[first] = lines[first][0], place
        if stripped.endswith("{"):
            opened.append(len(lines))
        lines.append((shown, place))
    return lines


def without_debug_information(lines: Iterable[str], files: Container[str]) -> list[str]:
    """Lines of MLIR as `mlir_lines` gives them, without what they say of the source for debuggers.

    Args:
        files: names of source files, which code that reports an assertion has as strings.
    """
    lines = list(lines)
    names = {found[1] for line in lines if (found := _DEBUG_ALIAS.match(line))}

    def replace(found: re.Match[str]) -> str:
        """One word for any file or any debug information; anything else as it is."""
        if found[1]:
            return '"file"' if found[1].removesuffix("\\00") in files else found[0]
        return "#debug" if found[0] in names else found[0]

    code = (line for line in lines if not (_DEBUG_ALIAS.match(line) or _DEBUG_OPERATION.match(line)))
    return [_STRING_OR_ALIAS.sub(replace, line) if '"' in line or "#" in line else line for line in code]


def _without_locations(line: str) -> tuple[str, str]:
    """A line without what it says of locations, and the last of these if it ends the line."""
    if "loc(" not in line:
        return line, ""
    pieces, end, last = [], 0, ""
    for found in _LOCATION.finditer(line):
        if found.start() < end or not found[0].endswith("loc("):
            continue
        stop = closing(line, found.end())
        pieces.append(line[end : found.start()])
        last = line[found.end() : stop - 1] if not line[stop:].strip() else ""
        end = stop
    return "".join(pieces) + line[end:], last


def _place(location: str, aliases: dict[str, str], known: dict[str, Place]) -> Place:
    if location not in known:
        known[location] = ()  # of one that refers to itself, which MLIR does not write
        known[location] = tuple(dict.fromkeys(_frames(location, aliases, known)))
    return known[location]


def _frames(location: str, aliases: dict[str, str], known: dict[str, Place]) -> Iterator[tuple[str, int]]:
    for alias, file, line, _ in _PART.findall(location):
        if alias:
            yield from _place(aliases.get(alias, ""), aliases, known)
        elif file:
            yield file[1:-1], int(line)


_METADATA = re.compile(r"^(!\d+) = (?:distinct )?!(DI\w+)\((.*)\)$")
_FIELD = re.compile(rf"\b(\w+): ({_STRING}|[^,]+)")
_DEBUG = re.compile(r",? !dbg (!\d+)")


def llvm_lines(text: str) -> Located:
    """Lines of LLVM IR; metadata about locations is left out of them."""
    nodes: dict[str, tuple[str, dict[str, str]]] = {}
    plain = []
    for line in text.rstrip("\n").split("\n"):
        if line.startswith("!") and (found := _METADATA.match(line)):
            nodes[found[1]] = found[2], dict(_FIELD.findall(found[3]))
        else:
            plain.append(line)
    known: dict[str, Place] = {}
    lines: Located = []
    for line in plain:
        found = _DEBUG.search(line)
        lines.append((_DEBUG.sub("", line), _debug_place(found[1], nodes, known) if found else ()))
    return lines


def _debug_place(node: str, nodes: dict[str, tuple[str, dict[str, str]]], known: dict[str, Place]) -> Place:
    if node not in known:
        known[node] = ()
        kind, about = nodes.get(node, ("", {}))
        if kind == "DILocation":
            frame = _file_of(about.get("scope", ""), nodes), int(about.get("line", 0))
            known[node] = (frame, *_debug_place(about.get("inlinedAt", ""), nodes, known))
        elif kind == "DISubprogram" and "line" in about:
            known[node] = ((_file_of(node, nodes), int(about["line"])),)
    return known[node]


def _file_of(node: str, nodes: dict[str, tuple[str, dict[str, str]]]) -> str:
    passed = set[str]()
    while node in nodes and node not in passed:
        passed.add(node)
        kind, about = nodes[node]
        if kind == "DIFile":
            return _joined(about.get("directory", '""')[1:-1], about.get("filename", '""')[1:-1])
        node = about.get("file", about.get("scope", ""))
    return ""


def _joined(folder: str, name: str) -> str:
    return name if name.startswith("/") or not folder else f"{folder.rstrip('/')}/{name}"


_FILE = re.compile(rf"^\s*\.file\s+(\d+)\s+({_STRING})(?:\s+({_STRING}))?", re.MULTILINE)
_LOC = re.compile(r"^\s*\.loc\s+(\d+)\s+(\d+)\s+\d+(?:\s*,\s*function_name[^,]*,\s*inlined_at\s+(\d+)\s+(\d+)\s+\d+)?")
_SECTION = re.compile(r"^\s*\.section\s+\.debug", re.MULTILINE)


def ptx_lines(text: str) -> Located:
    """Lines of PTX: those between a `.loc` and the next have its place.  Debug sections are left out."""
    files: dict[str, str] = {}
    for number, first, second in _FILE.findall(text):
        files[number] = _joined(first[1:-1], second[1:-1]) if second else first[1:-1]
    end = _SECTION.search(text)
    place: Place = ()
    lines: Located = []
    for line in (text[: end.start()] if end else text).rstrip("\n").split("\n"):
        if found := _LOC.match(line):
            frames = [(files.get(found[1], ""), int(found[2]))]
            frames += [(files.get(found[3], ""), int(found[4]))] if found[3] else []
            place = tuple(frame for frame in frames if frame[1])
        elif not _FILE.match(line):
            is_code = line.startswith("\t") and not line.lstrip().startswith((".", "//"))
            lines.append((line, place if is_code else ()))
    return lines


_SASS_LINE = re.compile(rf"^\s*//## File ({_STRING}), line (\d+)((?: inlined at {_STRING}, line \d+)*)")
_SASS_INSTRUCTION = re.compile(r"\s*(/\*[0-9a-f]{4,}\*/)\s*")
_SASS_CALL = re.compile(rf"inlined at ({_STRING}), line (\d+)")


def sass_lines(text: str) -> Located:
    """Lines of SASS as nvdisasm prints it under --print-line-info-inline: each comment's place holds up to the next.

    Instructions stand further to the left than nvdisasm puts them.
    """
    place: list[tuple[str, int]] = []
    within = False
    lines: Located = []
    for line in text.rstrip("\n").split("\n"):
        if found := _SASS_LINE.match(line):
            place = place if within else []  # calls stand in comments of their own, one below the other
            place.append((found[1][1:-1], int(found[2])))
            place += [(file[1:-1], int(number)) for file, number in _SASS_CALL.findall(found[3])]
            within = True
        else:
            within = False
            found = _SASS_INSTRUCTION.match(line)
            shown = f"  {found[1]}  {line[found.end() :]}" if found else line
            lines.append((shown, tuple(dict.fromkeys(place)) if found else ()))
    return lines
