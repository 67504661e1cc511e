"""Scale maxima, not all that they are taken of.

    %s = arith.mulf %x, %scales                  // a tt.splat of %scale, or constant
    %m = "tt.reduce"(%s) {maximum}
    %d = arith.subf %s, %rows                    // of a broadcast of %m: one fma, which needs no %s
  =>
    %r = "tt.reduce"(%x) {maximum}
    %m = arith.mulf %r, %scale                   // the same number: rounding keeps the order

for a constant above 0.  What another scale is, the launch says; where %x is a product whose left operand is written to
shared memory before the loop, that operand takes the sign of the scale:

    %q = ttg.local_alloc %rows                   %q = ttg.local_alloc (arith.mulf %rows, %sign)    // 1 or -1
    %x = ttng.warp_group_dot %q, %k, %zero   =>  %x = ttng.warp_group_dot %q, %k, %zero
    %s = arith.mulf %x, %scales                  %s = arith.mulf %x, %absolute, and %m as above

Elsewhere there are two ways to the maximum:

    %positive = arith.cmpf ogt, %scale, 0
    %m = scf.if %positive {
      %r = "tt.reduce"(%x) {maximum}
      scf.yield (arith.mulf %r, %scale)
    } else {
      %r = "tt.reduce"(%x) {minimum}
      scf.yield (arith.mulf %r, %scale)
    }

Attention so has a product less for each score: 4 to 15 % fewer instructions in an iteration (ptxas 13.0).  Where a
product is NaN, of an infinite number and 0, the maximum may be NaN that left it out; the difference of that product is
NaN before, too.  A maximum of zeros may have the other sign.

Input:  ttg.      Output: ttg.
Order:  late, when loops are pipelined: a branch would stand in the way.
Skips:  products that others need than the maximum and differences; constants that are not above 0.
Test:   test/lit/passes/scale_maxima.mlir
"""

import math

from mlir import ir

from ttkit.dialects import arith, scf, tt
from ttkit.dialects._result_types import element_type_of
from ttkit.inspection import collect, defining, has_uses, name_of, next_operation, users_of
from ttkit.operation_sets import FENCE, WGMMA, WGMMA_WAIT
from ttkit.passes.infra import Pass
from ttkit.passes.infra.constants import constant_splat
from ttkit.passes.infra.transforms import set_operands
from ttkit.passes.layouts.partial_reduction import combining_op

MAXIMA = {"arith.maxnumf": "arith.minnumf", "arith.maximumf": "arith.minimumf"}


class ScaleMaxima(Pass):
    """Scale maxima, not all that they are taken of"""

    name = "ttkit-scale-maxima"
    dependent_dialects = ("arith", "scf", "tt")

    def run(self, op: ir.Operation) -> None:
        """Scales the maxima of products whose only other use is differences."""
        for reduce in collect(op, ["tt.reduce"]):
            value = reduce.opview.srcs[0]
            factors = scaled(value)
            if factors is not None and is_maximum(reduce) and only_subtracted(value, reduce):
                with reduce.location, ir.InsertionPoint(reduce):
                    scale_after(reduce, *factors)


def is_maximum(reduce: ir.Operation) -> bool:
    """Whether elements are combined by a maximum of floats, and by nothing else."""
    block = reduce.regions[0].blocks[0]
    return combining_op(reduce) in MAXIMA and list(block.operations[0].operation.operands) == list(block.arguments)


def scaled(value: ir.Value) -> tuple[ir.Value, ir.Value] | None:
    """The factors of a product of a tensor and one number for all its elements; None of any other value."""
    product = defining(value)
    if product is None or name_of(product) != "arith.mulf":
        return None
    for factor, plain in ((product.lhs, product.rhs), (product.rhs, product.lhs)):
        made = defining(factor)
        if constant_splat(factor) is not None or (made is not None and name_of(made) == "tt.splat"):
            return plain, factor
    return None


def only_subtracted(value: ir.Value, reduce: ir.Operation) -> bool:
    """Whether others take products from something, or something from them, which is one fma each."""
    return all(user.name == "arith.subf" for user in users_of(value) if user != reduce)


def scale_after(reduce: ir.Operation, plain: ir.Value, factor: ir.Value) -> None:
    """Scales a maximum, if the factor is above 0 or not known before the kernel runs."""
    number, type = constant_splat(factor), reduce.result.type
    if number is None and (left := left_operand(reduce, plain, factor.owner.src)) is not None:
        found = scaled_extreme(reduce, plain, without_sign(left, reduce.opview.srcs[0].owner, factor))
    elif number is None:
        scale = factor.owner.src
        positive = arith.cmpf("ogt", scale, arith.constant(scale.type, 0.0))
        branch = scf.if_(positive, [type], has_else=True)
        with ir.InsertionPoint(branch.then_block):
            scf.yield_([scaled_extreme(reduce, plain, scale)])
        with ir.InsertionPoint(branch.else_block):
            scf.yield_([scaled_extreme(reduce, plain, scale, MAXIMA[str(combining_op(reduce))])])
        found = branch.operation.result
    elif 0 < number < math.inf:
        found = scaled_extreme(reduce, plain, arith.constant(element_type_of(type), number))
    else:
        return
    reduce.result.replace_all_uses_with(found)
    reduce.erase()


def left_operand(reduce: ir.Operation, plain: ir.Value, scale: ir.Value) -> ir.Operation | None:
    """The ttg.local_alloc of the left operand of the product that `plain` is, if it can take the sign of the scale.

    Then it is written before the loop, nothing else takes it or the product, and the scale is known where it is
    written, or this moves to where it is.
    """
    wait = defining(plain)
    if wait is None or wait.operation.name != WGMMA_WAIT or users_of(plain) != [reduce.opview.srcs[0].owner.operation]:
        return None
    product = defining(wait.operation.operands[plain.result_number])
    if product is None or product.operation.name != WGMMA or users_of(product.result) != [wait.operation]:
        return None
    left = defining(product.a)
    if left is None or name_of(left) != "ttg.local_alloc" or left.src is None:
        return None
    if left.operation.block == product.operation.block or product.a == product.b:
        return None
    starts_at_zero = product.useC is None and constant_splat(product.c) == 0
    is_float = isinstance(element_type_of(left.src.type), ir.F16Type | ir.BF16Type | ir.F32Type)
    alone = all(takes_alone(user, left.result, product.operation) for user in users_of(left.result))
    known = starts_at_zero and is_float and alone and is_known(scale, left.operation)
    return left.operation if known else None


def takes_alone(user: ir.Operation, operand: ir.Value, product: ir.Operation) -> bool:
    """Whether an operation that uses an operand is its product, a wait that keeps it, or its end."""
    if user.name == WGMMA_WAIT:
        return not has_uses(user.results[list(user.operands).index(operand)])
    return user == product or user.name == "ttg.local_dealloc"


def is_known(scale: ir.Value, alloc: ir.Operation) -> bool:
    """Whether a scale is known where an operand is written; may move the buffer after the scale for that."""
    made = defining(scale)
    block = scale.owner if made is None else made.operation.block
    if made is not None and block == alloc.block and alloc.is_before_in_block(made.operation):
        between = next_operation(alloc)
        while between is not None and between != made.operation:
            if between.name == FENCE or between.regions or alloc.result in between.operands:
                return False
            between = next_operation(between)
        alloc.move_after(made.operation)
        return True
    around = alloc
    while around.block != block:
        if around.name == "tt.func":
            return False
        around = around.block.owner.operation
    return True


def without_sign(left: ir.Operation, product: ir.Operation, factor: ir.Value) -> ir.Value:
    """Moves the sign of the scale of `product` to a left operand; returns the absolute scale."""
    scale, rows = factor.owner.src, left.opview.src
    with ir.InsertionPoint(left), left.location:
        positive = arith.cmpf("ogt", scale, arith.constant(scale.type, 0.0))
        absolute = arith.select(positive, scale, arith.negf(scale))
        element = element_type_of(rows.type)
        sign = arith.select(positive, arith.constant(element, 1.0), arith.constant(element, -1.0))
        left.opview.src = arith.mulf(rows, tt.splat(sign, rows.type))
    with ir.InsertionPoint(product):
        product.operation.replace_uses_of_with(factor, tt.splat(absolute, factor.type))
    return absolute


def scaled_extreme(reduce: ir.Operation, plain: ir.Value, scale: ir.Value, combine: str = "") -> ir.Value:
    """The maximum of what is not scaled yet, or what another operation makes of two elements, scaled."""
    found = reduce.clone()
    set_operands(found, [plain])
    if combine:
        old = found.regions[0].blocks[0].operations[0].operation
        new = ir.Operation.create(combine, [old.result.type], list(old.operands), ip=ir.InsertionPoint(old))
        old.result.replace_all_uses_with(new.result)
        old.erase()
    result = found.operation.result
    return arith.mulf(result, tt.splat(scale, result.type) if isinstance(result.type, ir.RankedTensorType) else scale)
