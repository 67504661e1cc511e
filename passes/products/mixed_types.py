"""Promotion of operands with types that neither the instruction nor fused multiply-add supports."""

from typing import Any

from mlir import ir

from ttkit.dialects import arith, tt
from ttkit.dialects._layouts import layout_of
from ttkit.inspection import collect
from ttkit.layout.encodings import NvidiaMma
from ttkit.passes.products.instruction import FP8
from ttkit.target import Target


def promote_operands(module: ir.Operation, target: Target) -> None:
    """Promotes fp8 to f16 for an mma.sync without fp8, and narrower operands of other dots to the type of the result.

    Other operands stay: the lowering refuses them (passes/lower/dot_fma.py).
    """
    for dot in collect(module, ["tt.dot"]):
        op: Any = dot.opview
        element, result = op.a.type.element_type, op.result.type.element_type
        layout = layout_of(op.result)
        if isinstance(layout, NvidiaMma):
            if not isinstance(element, FP8) or target.has_fp8_mma_sync or layout.version_major == 3:
                continue
            wider: ir.Type = ir.F16Type.get(module.context)
        elif not is_wider(result, element):
            continue
        else:
            wider = result
        for name in ("a", "b"):
            _promote(op, name, wider)


def is_wider(type: ir.Type, other: ir.Type) -> bool:
    """Whether a type has more bits than another one of its kind, integers or floats."""
    same_kind = isinstance(type, ir.IntegerType) == isinstance(other, ir.IntegerType)
    return same_kind and type.width > other.width


def _promote(dot: Any, name: str, element: ir.Type) -> None:
    operand = getattr(dot, name)
    given = operand.type.element_type
    with ir.InsertionPoint(dot), dot.location:
        type = tt.with_element_type(operand.type, element)
        if isinstance(given, ir.IntegerType):
            wider = arith.extsi(type, operand)  # Triton creates an arith.extf, which is invalid
        else:
            wider = tt.fp_to_fp(operand, element) if given.width == 8 else arith.extf(type, operand)
    setattr(dot, name, wider)
