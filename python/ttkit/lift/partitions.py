"""Groups of warps with roles: each region becomes a function, and the values that it uses become its arguments."""

from __future__ import annotations

from typing import Any

from mlir import ir

from ttkit.inspection import has_uses
from ttkit.lift.outside import free_values
from ttkit.lift.registry import writes
from ttkit.lift.values import TOKEN, refuse


@writes("ttg.warp_specialize")
def specialize(writer: Any, op: Any) -> str | None:
    """The function of the default region, then the workers'."""
    default = _only_block(op, op.regions[0])
    partitions = [_only_block(op, region) for region in op.regions[1].blocks[0].operations[0].regions]
    captures = list(op.operands)
    calls = [_call(writer, default, "default", [(value, value) for value in free_values(writer, default)])]
    for number, block in enumerate(partitions):
        used = [(argument, value) for argument, value in zip(block.arguments, captures) if has_uses(argument)]
        calls.append(_call(writer, block, f"worker_{number}", used))
    warps = list(ir.DenseI32ArrayAttr(op.attributes["partitionNumWarps"]))
    registers = "None"
    if "requestedRegisters" in op.attributes:
        registers = str(list(ir.DenseI32ArrayAttr(op.attributes["requestedRegisters"])))
    text = f"gl.warp_specialize([{', '.join(calls)}], {warps}, {registers})"
    if all(str(result.type) == TOKEN for result in op.results):
        writer.line(text)
        return None
    return text


def _only_block(op: Any, region: Any) -> Any:
    if len(region.blocks) != 1:
        refuse(op, "a region has branches")
    return region.blocks[0]


def _call(writer: Any, block: Any, hint: str, used: list[tuple[Any, Any]]) -> str:
    """Writes the function of a region; gives it with its arguments.

    Args:
        used: the values that the region uses, as it has them, and as they are outside.
    """
    arguments = [writer.ref(value) for _, value in used]
    name = writer.source.function_of_partition(block, hint, [inner for inner, _ in used], arguments)
    return f"({name}, ({', '.join(arguments)}{',' if len(arguments) == 1 else ''}))"
