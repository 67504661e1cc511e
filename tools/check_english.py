#!/usr/bin/env python3
"""Check the English of docstrings, comments, messages and pages: words with a standard equivalent, long sentences.

    tools/check_english.py [PATH ...] [--all]

Without paths, it checks those that `[tool.english]` in pyproject.toml lists. `not-yet` there lists files that are
checked only when they are named, or with `--all`. An entry whose file has no findings any more is an error: the list
only shrinks. Each finding is a line `file:line:column: what was found; what to write`. Standard library only.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
GENERATED = ("_gen.py", "_fields.py", "libraries.js")
GENERATED_PAGES = "docs/reference/"
LONGEST = 30  # words of a sentence; code in backticks does not count


@dataclass(frozen=True)
class Rule:
    """A pattern that prose must not match, and the words to write instead."""

    pattern: re.Pattern[str]
    instead: str


def _rule(pattern: str, instead: str, flags: re.RegexFlag = re.IGNORECASE) -> Rule:
    return Rule(re.compile(pattern, flags), instead)


RULES = (
    _rule(r"(?<!left )(?<!leave )\bbehind\b(?!:)", "'after' or 'past'"),
    _rule(
        r"\b(?:has|have|had) (?:it |them |none |no one )?not\b(?! (?:been|yet))",
        "'does not have', 'do not have', or 'has no ...'",
    ),
    _rule(
        r"(?<!there )\b(?:is|are|was|were)\s+no\s+(?!longer|more|less|fewer|other|such|one\b|\w+er\b)"
        r"(?!different|difference|matter|use\b|need\b|module and)[`\w]\w*",
        "'is not a ...', or 'are not ...'",
    ),
    _rule(r"\bthat (?:is|are) none\b", "'that is not a ...', or 'an invalid ...'"),
    _rule(r"\bthat there (?:is|are) not\b", "'that do not exist', or 'missing'"),
    _rule(
        r"\b(?:warps?|threads?|groups?|blocks?|CTAs?|they|all) (?:(?:all|both|first|then|never|must|do not) )?meets?\b",
        "'synchronize'",
    ),
    _rule(r"\b(?:warps?|threads?|groups?|blocks?|CTAs?|they|all) (?:have |all )*met\b", "'synchronize'"),
    _rule(r"\b(?:parts?|slots?) of (?:a|the|its) ring\b|\bring parts?\b", "'buffer slot', 'slot' or 'stage'"),
    _rule(r"(?:\A|(?<=[.:;] )|(?<=\n))\s*(Of (?!course\b)\w+)", "put the subject first", re.NOFLAG),
    _rule(r"(?<!by )\bmistakes?\b", "'bug' in code, 'error' in input"),
    _rule(r"\bsums of (?:the |a |its )?products?\b", "'accumulator'"),
    _rule(r"\b(?:groups?|warps?|partitions?) (?:take|takes|taking) turns\b", "'alternate', or 'ping-pong'"),
    _rule(r"\b(?:0|1)\.\d+ of the time\b", "'n times as fast'"),
    _rule(r"\berrors? of the kernel's author\b", "'an error in the kernel'"),
    _rule(r"\bwhat lives in registers\b", "'live registers'"),
)
# Words by which a string is taken for a sentence, where code, IR and lists of names have none.
PROSE = re.compile(r"\b(?:the|a|an|is|are|of|to|in|that|not|and|with|for|it|has|have|no|must)\b")
CODE = re.compile(r"```.*?```|``[^`]*``|`[^`]*`|^ *\|.*$", re.DOTALL | re.MULTILINE)
END_OF_SENTENCE = re.compile(r"[.;:!?][\")'*]*\s|\n\s*\n|\n\s*[-*#]|\n +\w+(?:, \w+)*: ")


@dataclass(frozen=True)
class Prose:
    """Text of a file that people read. Each character stands where it stands in the file; others are blanks.

    literal: it is a string in code, perhaps a list of names.
    """

    start: int
    text: str
    literal: bool = False


def blank(text: str) -> str:
    """The text with every character but ends of lines replaced by a blank."""
    return re.sub(r"[^\n]", " ", text)


def is_sentence(text: str) -> bool:
    """Whether a string is for people to read, by the share of words that only sentences have."""
    found = PROSE.findall(text)
    return len(set(found)) >= 2 and 10 * len(found) >= len(text.split())


def without_code(text: str) -> str:
    """The text without code in backticks, tables and examples (indented by four)."""
    return CODE.sub(lambda found: blank(found[0]), re.sub("^ {4}.*$", lambda found: blank(found[0]), text, flags=re.M))


def markdown(text: str) -> Iterator[Prose]:
    """A page: its paragraphs, lists and headings; links without their targets."""
    yield Prose(0, without_code(re.sub(r"\]\([^)\n]*\)|<[^>\n]*>", lambda found: blank(found[0]), text)))


def _docstring_tokens(tree: ast.AST) -> set[tuple[int, int]]:
    """Where docstrings begin, as (line, column)."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                found.add((first.lineno, first.col_offset))
    return found


def _strings(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Each string literal as (line, column, start, end), in offsets; f-strings whole, whatever the tokenizer makes."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    begins = getattr(tokenize, "FSTRING_START", -1)
    ends = getattr(tokenize, "FSTRING_END", -1)
    opened: list[tuple[int, int]] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == begins:
            opened.append(token.start)
        elif token.type == ends:
            line, column = opened.pop()
            if not opened:
                yield line, column, starts[line - 1] + column, starts[token.end[0] - 1] + token.end[1]
        elif token.type == tokenize.STRING and not opened:
            line, column = token.start
            yield line, column, starts[line - 1] + column, starts[token.end[0] - 1] + token.end[1]


def _literal(source: str) -> str:
    """The text of a string literal: no quotes, no escapes; values that an f-string inserts count as one word."""
    found = re.match(r"([a-zA-Z]*)(\"\"\"|'''|\"|')", source)
    assert found is not None
    inner = source[found.end() : -len(found[2])]
    if "f" in found[1].lower():
        inner = re.sub(r"\{[^{}]*\}", lambda hole: re.sub(r"[^\n]", "x", hole[0]), inner)
    inner = re.sub(r"\\n", "\n\n", inner)
    inner = re.sub(r"\\.", "  ", inner)
    return " " * found.end() + inner + " " * len(found[2])


def _without_examples(docstring: str, column: int) -> str:
    """The docstring without its examples, which are indented by four; parameters, `name: text`, stay."""
    lines = docstring.split("\n")
    entry = re.compile(r" *\*{0,2}\w+(?:, \*{0,2}\w+)*: ")
    kept, in_entry = [lines[0]], False
    for line in lines[1:]:
        deeper = line.startswith(" " * (column + 4))
        in_entry = deeper and (bool(entry.match(line)) if len(line) - len(line.lstrip()) == column + 4 else in_entry)
        kept.append(blank(line) if deeper and not in_entry else line)
    return "\n".join(kept)


def python(text: str) -> Iterator[Prose]:
    """Docstrings, comments and strings that are sentences."""
    docstrings = _docstring_tokens(ast.parse(text))
    run: list[Prose] = []
    for line, column, start, end in _strings(text):
        if "r" in re.match(r"\w*", text[start:end])[0].lower():  # type: ignore[index]
            continue  # a pattern
        words = _literal(text[start:end])
        if (line, column) in docstrings:
            yield Prose(start, CODE.sub(lambda found: blank(found[0]), _without_examples(words, column)))
            continue
        if run and re.sub(r"[\s()]|#[^\n]*", "", text[run[-1].start + len(run[-1].text) : start]):
            yield from _message(run, text)
            run = []
        run.append(Prose(start, words))
    yield from _message(run, text)
    yield from comments(text, "#")


def _message(run: list[Prose], source: str) -> Iterator[Prose]:
    """Literals that stand side by side, as one text where they are a sentence."""
    if not run:
        return
    text, at = "", run[0].start
    for piece in run:
        text += blank(source[at + len(text) : piece.start]) + piece.text
    if PROSE.search(text) and not re.search(r"</|\{\s*$|;\s*$|%\w+ = ", text, re.MULTILINE):
        text = re.sub(r"`[^`]*`", lambda found: blank(found[0]), text)
        for part in re.finditer(r"(?:(?!(?<=\S) {3,}\S).)+", text, re.DOTALL):  # columns of a table one by one
            yield Prose(at + part.start(), part[0], literal=True)


def comments(text: str, leader: str) -> Iterator[Prose]:
    """Comments on lines of their own, consecutive ones as one text; and those after code."""
    escaped = re.escape(leader)
    alone = rf"(?:^[ \t]*{escaped}+!?(?= |$)[^\n]*\n?)+"
    gap = "  +" if leader == "#" else " +"
    for found in re.finditer(rf"{alone}|(?<=\S){gap}{escaped} [^\n]*", text, re.MULTILINE):
        body = re.sub(rf"^([ \t]*)({escaped}+!?)", lambda one: blank(one[0]), found[0], flags=re.MULTILINE)
        if leader in body[: len(body) - len(body.lstrip()) + len(leader)]:
            body = body.replace(leader, " " * len(leader), 1)
        if re.match(r"\s*(?:noqa|type:|RUN:|CHECK)", body):
            continue
        yield Prose(found.start(), _example_lines(body))


def _example_lines(comment: str) -> str:
    """The comment without lines indented by four more than its first."""
    lines = comment.split("\n")
    first = len(lines[0]) - len(lines[0].lstrip())
    deeper = " " * (first + 3)
    kept = (blank(line) if line.startswith(deeper) else line for line in lines)
    return re.sub(r"`[^`]*`", lambda found: blank(found[0]), "\n".join(kept))


def tablegen(text: str) -> Iterator[Prose]:
    """Descriptions, summaries and comments of a td file."""
    for found in re.finditer(r"description = \[\{(.*?)\}\]", text, re.DOTALL):
        body = "\n".join(line if not line.startswith(" " * 8) else blank(line) for line in found[1].split("\n"))
        yield Prose(found.start(1), CODE.sub(lambda one: blank(one[0]), body))
    for found in re.finditer(r"(?:summary|constraint) = \"((?:[^\"\\]|\\.)*)\"", text):
        yield Prose(found.start(1), found[1])
    yield from comments(text, "//")


def c_family(text: str) -> Iterator[Prose]:
    """Comments and messages of C++ and JavaScript."""
    for found in re.finditer(r"\"(?:[^\"\\\n]|\\.)*\"(?:\s*\"(?:[^\"\\\n]|\\.)*\")*", text):
        words = re.sub(r"\\.|\"", lambda one: " " * len(one[0]), found[0])
        if PROSE.search(words):
            yield Prose(found.start(), words, literal=True)
    yield from comments(text, "//")


READERS = {
    ".md": markdown,
    ".py": python,
    ".td": tablegen,
    ".lua": lambda text: comments(text, "--"),
    ".el": lambda text: comments(text, ";"),
    ".mlir": lambda text: comments(text, "//"),
    **dict.fromkeys((".cpp", ".h", ".js", ".c"), c_family),
}


@dataclass(frozen=True)
class Finding:
    """A place in a file, the words that stand there, and what to write."""

    path: str
    line: int
    column: int
    found: str
    instead: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.found}; {self.instead}"


def check(path: str, text: str) -> list[Finding]:
    """What to change in a file of this name, in the order of its lines."""
    findings = []

    def add(offset: int, found: str, instead: str) -> None:
        line = text.count("\n", 0, offset) + 1
        column = offset - text.rfind("\n", 0, offset)
        findings.append(Finding(path, line, column, " ".join(found.split()), instead))

    for prose in READERS[Path(path).suffix](text):
        for rule in RULES:
            for match in rule.pattern.finditer(prose.text):
                group = 1 if rule.pattern.groups else 0
                add(prose.start + match.start(group), f"'{' '.join(match[group].split())}'", f"write {rule.instead}")
        at = 0
        for end in [*END_OF_SENTENCE.finditer(prose.text), None]:
            sentence = prose.text[at : end.start() if end else len(prose.text)]
            if len(sentence.split()) > LONGEST and (not prose.literal or is_sentence(sentence)):
                start = prose.start + at + len(sentence) - len(sentence.lstrip())
                begin = " ".join(sentence.split()[:5])
                add(start, f"a sentence of {len(sentence.split())} words, '{begin} ...'", f"write at most {LONGEST}")
            at = end.end() if end else at
    return sorted(findings, key=lambda one: (one.line, one.column))


def files_under(paths: list[str], root: Path) -> list[str]:
    """The files that can be checked, by their names from the root; what is generated is left out."""
    found = []
    for path in paths:
        whole = root / path
        inside = sorted(whole.rglob("*")) if whole.is_dir() else [whole]
        for one in inside:
            name = one.relative_to(root).as_posix()
            hidden = any(part.startswith(".") or part in ("__pycache__", "node_modules") for part in Path(name).parts)
            generated = name.endswith(GENERATED) or name.startswith(GENERATED_PAGES)
            if one.is_file() and one.suffix in READERS and not hidden and not generated:
                found.append(name)
    return found


def settings(root: Path) -> tuple[list[str], list[str]]:
    """The paths that are checked, and the files that are not clean yet."""
    tomllib = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "pip._vendor.tomli")
    table = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["english"]
    return table["paths"], table["not-yet"]


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Print the findings. The result is 1 where there are any, else 0."""
    parser = argparse.ArgumentParser(description="Check the English of docstrings, comments, messages and pages.")
    parser.add_argument("paths", nargs="*", help="files and folders; without any, those of pyproject.toml")
    parser.add_argument(
        "--all", action="store_true", help="also check files that pyproject.toml lists as not clean yet"
    )
    options = parser.parse_args(arguments)
    paths, not_yet = settings(root)
    named = [Path(one).resolve().relative_to(root).as_posix() for one in options.paths]
    failed = False
    for name in files_under(named or paths, root):
        findings = check(name, (root / name).read_text(encoding="utf-8"))
        excused = name in not_yet and not named and not options.all
        if excused and not findings:
            print(f"{name}: has no findings; remove it from not-yet in pyproject.toml, [tool.english]")
        elif not excused and findings:
            print(*findings, sep="\n")
        failed |= excused != bool(findings)
    for name in not_yet:
        if not (root / name).is_file():
            print(f"{name}: does not exist; remove it from not-yet in pyproject.toml, [tool.english]")
            failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
