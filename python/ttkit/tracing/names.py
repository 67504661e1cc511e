"""Names that stay the same from pass to pass.

MLIR numbers values and layouts anew each time that it prints a module, so one operation more renames all below it.
Here the text after a pass is given the names of the text before: lines of both are matched, and what a matched line
defines keeps its name.  What is new gets a name that nothing had before.

Lines are matched as in patience diff (Bram Cohen): those that occur once on both sides and in the same order are
anchors, and the gaps between anchors are matched in the same way; what remains, by `difflib`.  Three times: first lines
that agree but for names, then among what is left such lines that were moved, then in the gaps lines of the same
operation.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from difflib import SequenceMatcher

_STRING = r'"(?:[^"\\]|\\.)*"'
_VALUE = re.compile(rf"{_STRING}|(%[\w$.-]+)")
_LAYOUT = re.compile(rf"{_STRING}|([#!][A-Za-z_]\w*)(?![\w.<])")
_ALIAS = re.compile(r"^([#!]\w+) = (.*)$")
_OPERATION = re.compile(r'^\s*(?:%[^=]*?\s=\s)?"?([A-Za-z_]\w*(?:\.[\w.]+)?)')
_FUNCTION = re.compile(r"^\s*\w+\.func\b[^@]*@([\w$.-]+)")
_SMALL = 300  # lines of a gap that difflib matches


def defined(line: str) -> list[re.Match[str]]:
    """The names of values that a line of MLIR defines: results, arguments of blocks and functions, those of loops."""
    if "%" not in line:
        return []
    start = line.lstrip().startswith("%")
    end = line.find(" = ") if start else -1
    found = []
    for match in _VALUE.finditer(line):
        if match[1] is None:
            continue
        rest = line[match.end() : match.end() + 3]
        if match.start() < end or rest.startswith(": ") or rest == " = ":
            found.append(match)
    return found


class _Names:
    """Names that were given in one function, or to layouts."""

    def __init__(self) -> None:
        self.used: set[str] = set()
        self._next: dict[str, int] = {}

    def fresh(self, name: str) -> str:
        """The name, or one like it that is not used yet."""
        if name not in self.used:
            return name
        if name[0] == "#":  # layouts are numbered from 1, without a bar
            stem, first = name.rstrip("0123456789"), 1
        else:
            stem, first = "%" if name[1:].isdecimal() else re.sub(r"_\d+$", "", name) + "_", 0
        number = self._next.get(stem, first)
        while f"{stem}{number}" in self.used:
            number += 1
        self._next[stem] = number + 1
        return f"{stem}{number}"


class SteadyNames:
    """The names of one module through its passes: `rename` is given its texts, one after the other.

    Attributes:
        lines: of the newest text, renamed.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._definitions: list[list[str]] = []  # by line
        self._of_functions: dict[str, _Names] = {}
        self._of_layouts = _Names()
        self._layouts: dict[str, str] = {}  # by what they are

    def rename(self, raw: Sequence[str]) -> list[str]:
        """The lines of the next text with the names of the one before."""
        after = self._rename_layouts(raw)
        pairs = matched_lines(self.lines, after)
        found = [defined(line) for line in after]
        self._definitions = self._named(after, found, pairs)
        self.lines = _with_names(after, found, self._definitions)
        return self.lines

    def _rename_layouts(self, raw: Sequence[str]) -> list[str]:
        names: dict[str, str] = {}
        taken: set[str] = set()

        def replace(match: re.Match[str]) -> str:
            """The steady name of a layout's alias; anything else as it is."""
            return names.get(match[1], match[0]) if match[1] else match[0]

        lines = []
        for line in raw:
            if found := _ALIAS.match(line):
                body = _LAYOUT.sub(replace, found[2])
                name = self._layouts.get(body)
                if name is None or name in taken:
                    name = self._layouts[body] = self._of_layouts.fresh(found[1])
                self._of_layouts.used.add(name)
                taken.add(name)
                names[found[1]] = name
                lines.append(f"{name} = {body}")
            else:
                lines.append(_LAYOUT.sub(replace, line) if names and ("#" in line or "!" in line) else line)
        return lines

    def _named(self, after: list[str], found: list[list[re.Match[str]]], pairs: dict[int, int]) -> list[list[str]]:
        """The names of what each line defines: those of the line before that it is matched with, or new ones."""
        names = self._of_functions.setdefault("", _Names())
        assigned: set[str] = set()
        definitions: list[list[str]] = []
        for number, (line, matches) in enumerate(zip(after, found, strict=True)):
            if function := _FUNCTION.match(line):
                names, assigned = self._of_functions.setdefault(function[1], _Names()), set()
            before = self._definitions[pairs[number]] if number in pairs else []
            given = []
            for place, match in enumerate(matches):
                name = before[place] if place < len(before) else names.fresh(match[1])
                if name in assigned:
                    name = names.fresh(match[1])
                assigned.add(name)
                names.used.add(name)
                given.append(name)
            definitions.append(given)
        return definitions


def _with_names(lines: list[str], found: list[list[re.Match[str]]], definitions: list[list[str]]) -> list[str]:
    """The lines with the names of what they define and, in uses, of the definitions above them."""
    ahead: dict[str, str] = {}  # of values that are used above their definition, which blocks allow
    current: dict[str, str] = {}
    starts = [number for number, line in enumerate(lines) if _FUNCTION.match(line)]
    ends = dict(zip(starts, [*starts[1:], len(lines)], strict=True)) if starts else {}
    made = []
    for number, line in enumerate(lines):
        if number in ends:
            current, ahead = {}, {}
            for other in range(number, ends[number]):
                for match, name in zip(found[other], definitions[other], strict=True):
                    ahead.setdefault(match[1], name)
        new = {match.start(): name for match, name in zip(found[number], definitions[number], strict=True)}
        made.append(_substituted(line, new, current, ahead))
        current.update((match[1], name) for match, name in zip(found[number], definitions[number], strict=True))
    return made


def _substituted(line: str, new: dict[int, str], current: dict[str, str], ahead: dict[str, str]) -> str:
    def replace(match: re.Match[str]) -> str:
        """The name of a value: a new one, that of a definition above, or of one below."""
        if match[1] is None:
            return match[0]
        return new.get(match.start()) or current.get(match[1]) or ahead.get(match[1]) or match[1]

    return _VALUE.sub(replace, line) if "%" in line else line


# --- matching lines ---------------------------------------------------------------------------------------------------


def matched_lines(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """Pairs of lines that define the same: the line before, by the line after."""
    if not before:
        return {}
    pairs = _matched(before, after, range(len(before)), range(len(after)), _without_names)
    moved = _moved(before, after, pairs)
    taken = {here for here, _ in moved}
    for ours, theirs in _gaps(pairs, len(before), len(after)):
        found = _matched(before, after, ours, theirs, operation)
        pairs += [(here, there) for here, there in found if here not in taken]
    return {there: here for here, there in [*pairs, *moved]}


def _moved(before: Sequence[str], after: Sequence[str], pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Pairs of lines that stand elsewhere now: those that agree but for names, and with as many lines on both sides."""
    sides = []
    for lines, done in ((before, {here for here, _ in pairs}), (after, {there for _, there in pairs})):
        places: dict[str, list[int]] = {}
        for number, line in enumerate(lines):
            if number not in done and line.lstrip().startswith("%"):
                places.setdefault(_without_names(line), []).append(number)
        sides.append(places)
    left, right = sides
    alike = [key for key in left if len(left[key]) == len(right.get(key, ()))]
    return [pair for key in alike for pair in zip(left[key], right[key], strict=True)]


def operation(line: str) -> str:
    """The operation that a line begins with, `tt.load`; empty if it begins with none."""
    found = _OPERATION.match(line)
    return found[1] if found else ""


def _without_names(line: str) -> str:
    return _VALUE.sub(lambda match: "%" if match[1] else match[0], line.strip())


def _gaps(pairs: list[tuple[int, int]], before: int, after: int) -> list[tuple[range, range]]:
    gaps, here, there = [], 0, 0
    for ours, theirs in [*sorted(pairs), (before, after)]:
        if ours > here and theirs > there:
            gaps.append((range(here, ours), range(there, theirs)))
        here, there = ours + 1, theirs + 1
    return gaps


def _matched(
    before: Sequence[str], after: Sequence[str], ours: range, theirs: range, key: Callable[[str], Hashable]
) -> list[tuple[int, int]]:
    left = {number: key(before[number]) for number in ours}
    right = {number: key(after[number]) for number in theirs}
    pairs: list[tuple[int, int]] = []
    waiting = [(ours, theirs)]
    while waiting:
        a, b = waiting.pop()
        while a and b and left[a[0]] == right[b[0]]:
            pairs.append((a[0], b[0]))
            a, b = a[1:], b[1:]
        while a and b and left[a[-1]] == right[b[-1]]:
            pairs.append((a[-1], b[-1]))
            a, b = a[:-1], b[:-1]
        if not a or not b:
            continue
        if anchors := _anchors(left, right, a, b):
            pairs += anchors
            for first, second in _between(anchors, a, b):
                waiting.append((first, second))
        elif len(a) <= _SMALL and len(b) <= _SMALL:
            matcher = SequenceMatcher(None, [left[n] for n in a], [right[n] for n in b], autojunk=False)
            for block in matcher.get_matching_blocks():
                pairs += [(a[block.a + n], b[block.b + n]) for n in range(block.size)]
    return pairs


def _between(anchors: list[tuple[int, int]], a: range, b: range) -> list[tuple[range, range]]:
    gaps, here, there = [], a.start, b.start
    for ours, theirs in [*anchors, (a.stop, b.stop)]:
        gaps.append((range(here, ours), range(there, theirs)))
        here, there = ours + 1, theirs + 1
    return gaps


def _anchors(left: dict[int, Hashable], right: dict[int, Hashable], a: range, b: range) -> list[tuple[int, int]]:
    """Pairs of keys that occur once on both sides: the longest list of them that is in order on both."""
    once = Counter(left[number] for number in a)
    places = {right[number]: number for number in b}
    counts = Counter(right[number] for number in b)
    common = [(n, places[left[n]]) for n in a if once[left[n]] == 1 and counts.get(left[n]) == 1]
    tails: list[int] = []
    ends: list[int] = []
    previous: list[int] = []
    for index, (_, there) in enumerate(common):
        position = bisect_left(tails, there)
        previous.append(ends[position - 1] if position else -1)
        tails[position : position + 1] = [there]
        ends[position : position + 1] = [index]
    chain, index = [], ends[-1] if ends else -1
    while index >= 0:
        chain.append(common[index])
        index = previous[index]
    return chain[::-1]
