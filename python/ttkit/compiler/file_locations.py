"""Locations of IR that are the lines of its own text: USE_IR_LOC."""

from __future__ import annotations

import json

from mlir import ir

from ttkit.analysis.value_names import without_locations
from ttkit.context import parse_text


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
