"""Promotion of operands whose type neither the instruction nor fused multiply-add takes."""

from typing import Any

from mlir import ir

from ttkit.dialects import arith, tt
from ttkit.dialects._layouts import layout_of
from ttkit.inspection import collect
from ttkit.layout.encodings import NvidiaMma
from ttkit.passes.products.instruction import FP8
from ttkit.target import Target


def promote_operands(module: ir.Operation, target: Target) -> None:
    """fp8 becomes f16 in front of an mma.sync without fp8; narrower operands of another tt.dot the type of its result.

    Others stay: the lowering refuses them (passes/lower/dot_fma.py).
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
        for index in (0, 1):
            _promote(dot, index, wider)


def is_wider(type: ir.Type, other: ir.Type) -> bool:
    """Whether a type has more bits than another one of its kind, integers or floats."""
    same_kind = isinstance(type, ir.IntegerType) == isinstance(other, ir.IntegerType)
    return same_kind and type.width > other.width


def _promote(dot: ir.Operation, index: int, element: ir.Type) -> None:
    operand = (dot.opview.a, dot.opview.b)[index]
    given = operand.type.element_type
    with ir.InsertionPoint(dot), dot.location:
        type = tt.with_element_type(operand.type, element)
        if isinstance(given, ir.IntegerType):
            dot.operands[index] = arith.extsi(type, operand)  # Triton makes an extf of it, which is refused
        else:
            dot.operands[index] = tt.fp_to_fp(operand, element) if given.width == 8 else arith.extf(type, operand)
