"""Descriptors of tensors that TMA copies: as parameters, and made in the kernel."""

from __future__ import annotations

from typing import Any

from mlir import ir

from ttkit.dialects._tt_types import TensorDescType
from ttkit.inspection import users_of
from ttkit.lift.registry import writes
from ttkit.lift.values import constant_of, name_of, refuse, signature_text_of

_SCRATCH, _MAP, _FENCE, _DESCRIPTOR = (
    "ttg.global_scratch_alloc",
    "ttng.tensormap_create",
    "ttng.tensormap_fenceproxy_acquire",
    "ttng.reinterpret_tensor_descriptor",
)


def is_descriptor(value: ir.Value) -> bool:
    """Whether it is a descriptor."""
    return str(value.type).startswith("!tt.tensordesc<")


# --- Parameters ------------------------------------------------------------------------------------------------------
def descriptor_signature(type: ir.Type, layouts: Any) -> str | None:
    """The type of a parameter as signatures spell it; None if they can't."""
    block = TensorDescType(type).block_type
    element = signature_text_of(str(block.element_type).replace("si", "i").replace("ui", "u"))
    if element is None or block.encoding is None:
        return None
    return f"tensordesc<{element}{list(block.shape)},{layouts.plain(block.encoding)}>"


def grouped_parameters(writer: Any, arguments: Any) -> list[tuple[str, ir.Value]]:
    """The parameters of a function, each with its first value; a descriptor's sizes and strides are its fields.

    Args:
        writer: gets the names of all values.
    """
    found: list[tuple[str, ir.Value]] = []
    waiting: list[str] = []
    for number, argument in enumerate(arguments):
        if waiting:
            writer.names[argument] = waiting.pop(0)
            continue
        name = writer.namer.new(name_of(argument.location) or f"argument_{number}")
        writer.names[argument] = name
        found.append((name, argument))
        if is_descriptor(argument):
            rank = TensorDescType(argument.type).block_type.rank
            waiting = [f"{name}.{field}[{dim}]" for field in ("shape", "strides") for dim in range(rank)]
    return found


# --- Made in the kernel ----------------------------------------------------------------------------------------------
@writes(_SCRATCH, _MAP, _FENCE)
def part_of_descriptor(writer: Any, op: Any) -> None:
    """A part of a descriptor that is being built; `made` writes it."""
    users = [user.name for user in users_of(op.result)] if op.name == _SCRATCH else []
    if op.name == _SCRATCH and sorted(users) != [_DESCRIPTOR, _MAP, _FENCE]:
        refuse(op, "it is scratch memory of something else than a descriptor")


def is_stride_of_map(op: Any) -> bool:
    """Whether an operation multiplies a stride for the map of the descriptor that is being built, and for others."""
    if op.name != "arith.muli" or any(user.name != _MAP for user in users_of(op.result)):
        return False
    block = list(op.operation.block.operations)
    before = [each.operation for each in block[: [each.operation for each in block].index(op.operation)]]
    while before and before[-1].name in ("arith.muli", "arith.constant"):
        before.pop()
    return bool(before) and before[-1].name == _SCRATCH


@writes(_DESCRIPTOR)
def made(writer: Any, op: Any) -> str:
    """A descriptor."""
    map = next(user for user in users_of(op.operands[0]) if user.name == _MAP)
    block = TensorDescType(op.results[0].type).block_type
    segments, operands = writer.segments(map), list(map.operands)
    groups = []
    for size in segments:
        groups.append(operands[:size])
        operands = operands[size:]
    _, (base,), _, sizes, strides, _ = groups
    width = block.element_type.width // 8
    shape = ", ".join(writer.literal_or_ref(size) for size in reversed(sizes))
    steps = [*(_elements(writer, op, stride, width) for stride in reversed(strides)), "1"]
    pointer = writer.ref(base)
    if str(block.element_type).startswith("ui"):
        pointer += f".to(gl.pointer_type(gl.u{str(block.element_type)[1:].replace('i', 'int')}), bitcast=True)"
    nan = ', padding_option="nan"' if writer.integer(map, "fill_mode") else ""
    layout = writer.source.layouts.text(block.encoding)
    arguments = f"{pointer}, [{shape}], [{', '.join(steps)}], {list(block.shape)}, {layout}{nan}"
    return f"gl.nvidia.hopper.tma.make_tensor_descriptor({arguments})"


def _elements(writer: Any, op: Any, stride: ir.Value, width: int) -> str:
    """A stride in elements, of one in bytes."""
    if width == 1:
        return writer.literal_or_ref(stride)
    number = constant_of(stride)
    if number is not None and number % width == 0:
        return str(number // width)
    product = stride.owner
    if isinstance(product, ir.Block) or product.name != "arith.muli" or constant_of(product.operands[1]) != width:
        refuse(op, "a stride is not a multiple of an element")
    return writer.literal_or_ref(product.operands[0])
