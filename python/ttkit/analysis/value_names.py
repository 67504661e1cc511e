"""The names of values in the text of a file, which MLIR drops when it parses the text.

The location of an operation or block argument without location information is its place in the text, which has its
name.  So the location information is replaced by spaces before parsing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mlir import ir

from ttkit.patterns import pattern
from ttkit.records import dataclass

# A string without an end reaches to the end of its line, so that its quotes are not scanned again.
_STRING = r'"(?:[^"\\\n]|\\.)*"?'
_TOKENS = pattern(_STRING + r"|//[^\n]*|(?<![\w$.@%#-])loc\(|^#loc\w* = [^\n]*", re.MULTILINE)
_CLOSING = pattern(_STRING + "|[()]")
# From right to left: `=` and the names before it.
_RESULTS = pattern(r"\s*=\s*((?:(?:\d+:)?[\w$.-]+%\s*,\s*)*(?:\d+:)?[\w$.-]+%)")
_WINDOW = 1 << 16
"""The number of characters before an operation that may have the names of its results."""
_ARGUMENT = pattern(r"%[\w$.-]+")


@dataclass(frozen=True)
class NamedValue:
    """A value with its name.

    name: as in the text, `%12` or `%12#1`.  function: the symbol of its function, without `@`, if any.
    """

    name: str
    value: ir.Value
    function: str


def without_locations(text: str) -> str:
    """`text` with its location information replaced by spaces; lines and columns do not change."""
    pieces, end = [], 0
    for match in _TOKENS.finditer(text):
        if match.start() < end or match[0][0] in '"/':
            continue
        stop = match.end() if match[0][0] == "#" else closing(text, match.end())
        pieces.append(text[end : match.start()] + re.sub(r"[^\n]", " ", text[match.start() : stop]))
        end = stop
    return "".join(pieces) + text[end:]


def closing(text: str, start: int) -> int:
    """The position after the parenthesis that closes one opened before `start`."""
    depth = 1
    for match in _CLOSING.finditer(text, start):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    return len(text)


def named_values(module: ir.Module, text: str) -> Iterator[NamedValue]:
    """Every value of `module`, parsed from `text` (which is without_locations), in the order of the text."""
    lines = text.split("\n")
    yield from _of_operation(module.operation, lines, "")


def _of_operation(op: ir.Operation, lines: list[str], function: str) -> Iterator[NamedValue]:
    results = list(op.results)
    if results and op.location.is_a_file():
        names = result_names(lines, op.location.start_line, op.location.start_col)
        yield from (NamedValue(name, value, function) for name, value in zip(names, results))
    if "sym_name" in op.attributes and op.name.endswith(".func"):
        function = ir.StringAttr(op.attributes["sym_name"]).value
    for region in op.regions:
        for block in region:
            for argument in block.arguments:
                yield from _of_argument(argument, lines, function)
            for inner in block.operations:
                yield from _of_operation(inner.operation, lines, function)


def result_names(lines: list[str], line: int, column: int) -> list[str]:
    """The names of the results of the operation at a line and column from 1: for `%a:2, %b =` %a#0, %a#1 and %b."""
    match = _RESULTS.match(lines[line - 1][max(column - 1 - _WINDOW, 0) : column - 1][::-1])
    found: list[str] = []
    for name in re.split(r"\s*,\s*", match[1][::-1]) if match else ():
        base, _, count = name.partition(":")
        found += [f"{base}#{number}" for number in range(int(count))] if count else [base]
    return found


def _of_argument(argument: ir.Value, lines: list[str], function: str) -> Iterator[NamedValue]:
    if argument.location.is_a_file():
        match = _ARGUMENT.match(lines[argument.location.start_line - 1], argument.location.start_col - 1)
        if match:
            yield NamedValue(match[0], argument, function)
