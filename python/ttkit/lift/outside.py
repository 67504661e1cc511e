"""Values that a region uses from outside."""

from __future__ import annotations

from typing import Any

from ttkit.lift.values import TOKEN


def free_values(writer: Any, block: Any) -> list[Any]:
    """The values that a region uses from outside, in the order of their first use; constants are written anew."""
    inside = {*block.arguments}
    ops = [each for op in block.operations for each in [op.operation, *_within(op.operation)]]
    for op in ops:
        inside.update(op.results)
        inside.update(argument for region in op.regions for inner in region.blocks for argument in inner.arguments)
    found: dict[Any, None] = {}
    for op in ops:
        for value in op.operands:
            if value not in inside and value in writer.names and str(value.type) != TOKEN:
                found[value] = None
    return [*found]


def _within(op: Any) -> list[Any]:
    return [
        each
        for region in op.regions
        for block in region.blocks
        for inner in block.operations
        for each in [inner.operation, *_within(inner.operation)]
    ]
