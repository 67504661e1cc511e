"""Multiply in 16 bits what was extended from 16 bits, if the product is rounded to them.

    %x = arith.extf %a : tensor<32x64xbf16> to tensor<32x64xf32>
    %y = arith.extf %b : tensor<32x1xbf16> to tensor<32x1xf32>
    %z = tt.broadcast %y : tensor<32x1xf32> -> tensor<32x64xf32>
    %p = arith.mulf %x, %z : tensor<32x64xf32>
    %r = arith.truncf %p : tensor<32x64xf32> to tensor<32x64xbf16>
  =>
    %z = tt.broadcast %b : tensor<32x1xbf16> -> tensor<32x64xbf16>
    %r = arith.mulf %a, %z : tensor<32x64xbf16>

f32 has all digits of such a product, so both are rounded once.  A GPU multiplies two at a time in 16 bits, and needs no
conversions.  LLVM does this for scalars alone: a loop with a product of 32x64 has 245 instructions, and then 85.
Products that are denormal in f32 were rounded twice, and are rounded once.

Input:  ttg.      Output: ttg.
Order:  after conversions are gone, which the views that it makes again would hide; before the pipeliner splits left
        operands of wgmmas, and once more in llir.
Skips:  products with other uses; bf16 before sm_90, which multiplies it in f32; other roundings than to the nearest.
Test:   test/lit/passes/narrow_products.mlir
"""

from __future__ import annotations

from mlir import ir

from ttkit.dialects import arith
from ttkit.dialects._result_types import element_type_of
from ttkit.inspection import collect, defining, name_of
from ttkit.operation_sets import CONVERT_LAYOUT
from ttkit.passes.infra import Pass, replace_by
from ttkit.passes.infra.target import target_of

VIEWS = ("tt.broadcast", "tt.expand_dims", "tt.splat", "tt.reshape", "tt.trans")
"""Operations with one operand and the same elements, which have the same attributes for all of these."""
FIRST_WITH_BF16 = 90


class NarrowProducts(Pass):
    """Multiply in 16 bits what was extended from them"""

    name = "ttkit-narrow-products"
    dependent_dialects = ("arith", "tt")

    def run(self, op: ir.Operation) -> None:
        """Replaces products in f32 that are truncated."""
        has_bf16 = target_of(op, default=FIRST_WITH_BF16).capability >= FIRST_WITH_BF16
        for truncation in collect(op, ["arith.truncf"]):
            element = element_type_of(truncation.results[0].type)
            if isinstance(element, ir.F16Type) or (has_bf16 and isinstance(element, ir.BF16Type)):
                narrow(truncation, element)


def narrow(truncation: ir.Operation, element: ir.Type) -> None:
    """Replaces a truncation by a product of narrow factors, if it truncates a product of those."""
    product = defining(truncation.operands[0])
    if product is None or name_of(product) != "arith.mulf" or "roundingmode" in truncation.attributes:
        return
    factors = (product.lhs, product.rhs)
    if len(list(product.result.uses)) > 1 or not all(is_narrow(factor, element) for factor in factors):
        return
    sources = [narrowed(factor, element) for factor in factors]
    with truncation.location, ir.InsertionPoint(truncation):
        replace_by(truncation, [arith.mulf(*sources)])
    product.operation.erase()


def is_narrow(value: ir.Value, element: ir.Type) -> bool:
    """Whether numbers of an element type were extended to make a value, as far as its operations say."""
    made = defining(value)
    if made is None:
        return False
    if name_of(made) == "arith.extf":
        return bool(element_type_of(made.in_.type) == element)
    return name_of(made) in (*VIEWS, CONVERT_LAYOUT) and is_narrow(made.operation.operands[0], element)


def narrowed(value: ir.Value, element: ir.Type) -> ir.Value:
    """The numbers that were extended to make a value, for which `is_narrow` holds; views are made again next to it."""
    opview = defining(value)
    assert opview is not None  # is_narrow holds
    made = opview.operation
    if made.name == "arith.extf":
        return made.operands[0]
    with made.location, ir.InsertionPoint(made):
        target = ir.RankedTensorType.get(value.type.shape, element, value.type.encoding)
        if made.name != CONVERT_LAYOUT:
            source = narrowed(made.operands[0], element)
            return ir.Operation.create(made.name, [target], [source], dict(made.attributes)).results[0]
    # Made again, it would move the elements between threads again.
    with made.location, ir.InsertionPoint.after(made):
        return arith.truncf(target, value)
