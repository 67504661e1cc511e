"""Results that a product by wgmma still computes: in Gluon they have a type of their own.

`warpgroup_mma_wait` makes them tensors, `warpgroup_mma_init` the reverse, where a loop or branch needs it.
"""

from __future__ import annotations

from typing import Any

from mlir import ir

from ttkit.lift.values import is_tensor

_NOT_YET = False


def is_pending(value: ir.Value, known: dict[ir.Value, bool]) -> bool:
    """Whether a value is such a result, also if it is one only in some iterations of a loop.

    Args:
        known: what has been found of values before; it gets what is found now.
    """
    if value not in known:
        known[value] = _NOT_YET  # what a loop carries depends on itself
        known[value] = is_tensor(value) and any(is_pending(each, known) for each in _origins(value, known))
    return known[value]


def _origins(value: ir.Value, known: dict[ir.Value, bool]) -> Any:
    """The values that this one may be; one that is pending is its own origin."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        loop = owner.owner
        number = list(owner.arguments).index(value)
        if loop.operation.name != "scf.for" or number == 0:
            return []
        return [loop.operation.operands[number + 2], _end(owner).operands[number - 1]]
    if owner.name == "ttng.warp_group_dot":
        is_async = "isAsync" in owner.attributes and ir.BoolAttr(owner.attributes["isAsync"]).value
        known[value] = is_async
        return [value]
    number = list(owner.results).index(value)
    if owner.name == "scf.for":
        return [owner.operands[number + 3], _end(owner.regions[0].blocks[0]).operands[number]]
    if owner.name == "scf.if":
        return [_end(region.blocks[0]).operands[number] for region in owner.regions]
    return []


def _end(block: ir.Block) -> Any:
    return list(block.operations)[-1]


def as_target(writer: Any, value: ir.Value, target: ir.Value) -> str:
    """A value as an expression of the Python type of what it is assigned to."""
    text: str = writer.ref(value)
    if is_pending(target, writer.pending) and not is_pending(value, writer.pending):
        return f"gl.nvidia.hopper.warpgroup_mma_init({text})"
    return text
