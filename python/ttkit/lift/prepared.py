"""Rewrites what Gluon has no words for: in IR before it is written, and on both sides before they are compared."""

from __future__ import annotations

from typing import Any

from mlir import ir
from mlir.dialects import arith

from ttkit.dialects import tt, ttg
from ttkit.dialects._tt_types import TensorDescType
from ttkit.inspection import collect, contains_any
from ttkit.lift.descriptors import is_descriptor
from ttkit.lift.inferred_layouts import convert_views
from ttkit.lift.without_value import give_values
from ttkit.passes.manager import run_passes

_ACCESSES = ("load", "store", "gather", "scatter", "reduce")
_LOWERED = ("tt.make_tensor_descriptor", *(f"tt.descriptor_{access}" for access in _ACCESSES))
LAYOUTS, LOWERING = "triton-nvidia-optimize-descriptor-encoding", "triton-nvidia-tma-lowering"

NOTES = (
    "async_task_id",
    "ttg.partition",
    "ttg.partition.outputs",
    "ttg.partition.stages",
    "ttg.warp_specialize.tag",
    "efficient_layout",
    "tt.latency",
    "tt.self_latency",
)
"""What a pass noted for one after it, both of which have run."""


def prepare(module: ir.Module) -> None:
    """Writes out what Gluon has no words for: accesses through descriptors, and some arithmetic of passes.

    Notes of passes go: otherwise operations that are equal would differ by them.
    """
    lower_descriptors(module)
    drop_notes(module.operation)
    convert_views(module)
    if not any(
        "!ttg.memdesc<" in str(value.type) for op in collect(module.operation, ["tt.call"]) for value in op.operands
    ):
        make_mutable(module.operation)
    give_values(module)
    for op in collect(module.operation, list(_EXPANSIONS)):
        with op.location, ir.InsertionPoint(op):
            made = _EXPANSIONS[op.name](op)
        if made is not None:
            op.results[0].replace_all_uses_with(made)
            op.erase()


def drop_notes(op: ir.Operation) -> None:
    """Removes the notes of an operation and of all in it."""
    for name in NOTES:
        if name in op.attributes:
            del op.attributes[name]
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                drop_notes(inner.operation)


def make_mutable(op: ir.Operation) -> None:
    """Makes the buffers mutable that an operation, and all in it, makes: in Gluon all are."""
    values = [
        *op.results,
        *(argument for region in op.regions for block in region.blocks for argument in block.arguments),
    ]
    for value in values:
        if str(value.type).startswith("!ttg.memdesc<"):
            value.set_type(_mutable(ttg.MemDescType(value.type)))
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                make_mutable(inner.operation)


def _mutable(type: Any) -> ir.Type:
    allocated = type.alloc_shape
    return ttg.MemDescType.get(type.shape, type.element_type, type.encoding, type.memory_space, True, allocated)


# --- Descriptors -----------------------------------------------------------------------------------------------------
def lower_descriptors(module: ir.Module) -> None:
    """Makes accesses through descriptors copies, as Gluon has them, with layouts that `LAYOUTS` chooses."""
    if any(_layout(value.type) is None for value in _described(module)):
        run_passes(module, LAYOUTS)
    if contains_any(module.operation, _LOWERED):
        run_passes(module, LOWERING)


def _described(module: ir.Module) -> list[ir.Value]:
    made = [op.results[0] for op in collect(module.operation, ["tt.make_tensor_descriptor"])]
    given = [
        argument
        for function in collect(module.operation, ["tt.func"])
        for block in list(function.regions[0].blocks)[:1]
        for argument in block.arguments
        if is_descriptor(argument)
    ]
    return made + given


def _layout(type: ir.Type) -> Any:
    return TensorDescType(type).block_type.encoding


# --- Arithmetic ------------------------------------------------------------------------------------------------------
def _truncated_to_bool(op: Any) -> ir.Value | None:
    """Whether the last bit is set, as an operator says it."""
    operand = op.operands[0]
    if str(getattr(op.results[0].type, "element_type", op.results[0].type)) != "i1":
        return None
    return arith.cmpi(arith.CmpIPredicate.ne, arith.andi(operand, _number(operand.type, 1)), _number(operand.type, 0))


def _rounded_up(op: Any) -> ir.Value:
    """A quotient rounded up: that rounded to zero, and one more where both have one sign and there is a remainder."""
    left, right = op.operands
    zero = _number(left.type, 0)
    quotient = arith.divsi(left, right)
    has_rest = arith.cmpi(arith.CmpIPredicate.ne, arith.muli(quotient, right), left)
    signs = (arith.cmpi(arith.CmpIPredicate.slt, each, zero) for each in (left, right))
    is_positive = arith.cmpi(arith.CmpIPredicate.eq, *signs)
    more = arith.addi(quotient, _number(left.type, 1))
    return arith.select(arith.andi(has_rest, is_positive), more, quotient)


def _chosen_by_scalar(op: Any) -> ir.Value | None:
    """One of two tensors, by a condition in every element."""
    condition, first, second = op.operands
    if not isinstance(first.type, ir.RankedTensorType) or isinstance(condition.type, ir.RankedTensorType):
        return None
    wide = ir.RankedTensorType.get(first.type.shape, condition.type, first.type.encoding)
    return arith.select(tt.splat(condition, wide), first, second)


def _of_another_type(op: Any) -> ir.Value | None:
    """The same value, if a bitcast is of one type: the IR does not say which integers have a sign."""
    return op.operands[0] if op.operands[0].type == op.results[0].type else None


_EXPANSIONS = {
    "tt.bitcast": _of_another_type,
    "arith.trunci": _truncated_to_bool,
    "arith.ceildivsi": _rounded_up,
    "arith.select": _chosen_by_scalar,
}


def _number(type: ir.Type, number: int) -> ir.Value:
    """A constant, in every element."""
    element = getattr(type, "element_type", type)
    attribute = ir.IntegerAttr.get(element, number)
    if element != type:
        attribute = ir.DenseElementsAttr.get_splat(type, attribute)
    return arith.ConstantOp(type, attribute).result
