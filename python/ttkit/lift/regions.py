"""Reductions, scans and functions of elements: their regions become functions."""

from __future__ import annotations

from typing import Any

from ttkit.lift.registry import writes


def _function(writer: Any, op: Any, hint: str) -> str:
    return str(writer.source.function_of_region(list(op.regions[0].blocks), hint))


def _source(writer: Any, op: Any) -> str:
    values = [writer.ref(each) for each in op.operands]
    return values[0] if len(values) == 1 else f"({', '.join(values)})"


@writes("tt.reduce")
def reduce(writer: Any, op: Any) -> str:
    """A reduction along one dimension."""
    return f"gl.reduce({_source(writer, op)}, {writer.integer(op, 'axis')}, {_function(writer, op, 'combine')})"


@writes("tt.scan")
def scan(writer: Any, op: Any) -> str:
    """A scan along one dimension."""
    backward = ", reverse=True" if str(op.attributes["reverse"]) == "true" else ""
    function = _function(writer, op, "combine")
    return f"gl.associative_scan({_source(writer, op)}, {writer.integer(op, 'axis')}, {function}{backward})"


@writes("tt.map_elementwise")
def map_elementwise(writer: Any, op: Any) -> str:
    """A function of each element."""
    pack = writer.integer(op, "pack", 1)
    option = f", pack={pack}" if pack != 1 else ""
    values = ", ".join(map(writer.ref, op.operands))
    given = [each.operation for block in op.regions[0].blocks for each in block.operations][-1]
    first = (
        "[0]" if len(op.results) == 1 < len(given.operands) else ""
    )  # a tuple of one, of a function that gives pairs
    return f"gl.map_elementwise({_function(writer, op, 'element')}, {values}{option}){first}"
