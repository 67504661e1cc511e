"""Locations of IR that are the lines of its own text: USE_IR_LOC."""

from __future__ import annotations

import json
import re

from mlir import ir

from ttkit.context import parse_text

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|(?P<loc>\bloc\()|[()]')


def located_in(text: str, path: str, context: ir.Context) -> ir.Module:
    """A module whose locations are the lines and columns of its text, as those of a file.

    Args:
        text: of the module.  Locations in it don't count.
        path: the file that locations name, which need not be there.

    Raises:
        ir.MLIRError: the text is no module.
    """
    with context:
        parsed = parse_text(without_locations(text), context)  # whose locations are `"-":line:column`
        located = parsed.operation.get_asm(enable_debug_info=True)
        return parse_text(located.replace('loc("-":', f"loc({json.dumps(path)}:"), context)


def without_locations(text: str) -> str:
    """IR with blanks in the place of locations, so that all else keeps its line and column.

    Aliases of locations, `#loc = loc(...)`, stay: nothing uses them then.
    """
    lines = text.split("\n")
    blanked = [line if line.startswith("#") else _blanked(line) for line in lines]
    return "\n".join(blanked)


def _blanked(line: str) -> str:
    """A line without its locations, which never go on in the next one as MLIR prints them."""
    kept, depth, start = line, 0, -1
    for token in _TOKEN.finditer(line):
        opens = token["loc"] is not None or token[0] == "("
        if start < 0 and token["loc"] is not None:
            start, depth = token.start(), 1
        elif start >= 0 and opens:
            depth += 1
        elif start >= 0 and token[0] == ")":
            depth -= 1
            if not depth:
                kept = kept[:start] + " " * (token.end() - start) + kept[token.end() :]
                start = -1
    return kept
