"""Let an mma ignore its accumulator instead of filling the accumulator with zeros.

    %r = scf.for ... iter_args(%acc = %zeros) {
      %d = ttng.warp_group_dot %a, %b, %acc
      %next = arith.select %restart, %zeros, %d
      scf.yield %next
    }
  =>
    %r:2 = scf.for ... iter_args(%acc = %zeros, %use = %false) {
      %d = ttng.warp_group_dot %a, %b, %acc, %use
      %flag = arith.select %restart, %false, %true
      scf.yield %d, %flag
    }

wgmma and tcgen05 take a flag on whether to add to the accumulator.  It becomes false where the accumulator is a
constant zero: initially, or by an arith.select or scf.if in the loop.

Input:  ttg.      Output: ttg.
Order:  after accelerate-matmul and licm, before pipelining.
Skips:  mmas outside of scf.for; fp8 wgmmas with separate partial sums.
Test:   test/lit/passes/optimize_accumulator_init.mlir
"""

from typing import Any

from mlir import ir
from mlir.rewrite import PatternRewriter

from ttkit.dialects import arith
from ttkit.inspection import collect, defining, has_uses, only_user
from ttkit.operation_sets import ASYNC_MMAS, TCGEN5_MMAS, TMEM_ALLOC, TMEM_LOAD, WGMMA
from ttkit.passes.infra import MATCHED, NO_MATCH, Match, Pass, apply_greedily, replace_by, set_operands
from ttkit.passes.infra.constants import constant_attribute, constant_splat, constant_splat_attribute
from ttkit.passes.infra.loops import (
    carry_more,
    final_value,
    initial_value,
    set_yielded,
    yield_also,
    yielded,
    yielded_by,
)
from ttkit.passes.infra.nesting import is_above, runs_after
from ttkit.passes.infra.transforms import replace_uses
from ttkit.passes.products.instruction import FP8
from ttkit.records import dataclass


class OptimizeAccumulatorInit(Pass):
    """Let an mma ignore its accumulator instead of filling the accumulator with zeros"""

    name = "tritongpu-optimize-accumulator-init"
    may_change = "the sign of sums that are zero"  # 0 + -0 is 0

    def run(self, op: ir.Operation) -> None:
        """Removes zeros of mmas in loops, then initial values of buffers that the first mma overwrites."""
        for product in collect(op, ASYNC_MMAS):
            if takes_flag(product) and product.parent.operation.name == "scf.for":
                leave_out_zeros(product)
        apply_greedily(op, {TMEM_ALLOC: leave_unfilled})


def takes_flag(product: ir.Operation) -> bool:
    """Whether the flag is unused, and cheap: fp8 wgmmas with partial sums would have to select between registers."""
    op: Any = product.opview
    flag = op.useC if product.name == WGMMA else op.useD
    if flag is not None and constant_splat(flag) != 1:
        return False
    if product.name != WGMMA:
        return True
    has_partial_sums = op.maxNumImpreciseAcc <= op.a.type.shape[1]
    return not (
        isinstance(op.a.type.element_type, FP8) and isinstance(op.c.type.element_type, ir.F32Type) and has_partial_sums
    )


def accumulator_of(product: ir.Operation) -> ir.Value | None:
    """The accumulator of an mma; None if it is not filled and read in the region of the mma."""
    op: Any = product.opview
    if product.name == WGMMA:
        return op.c
    alloc = defining(op.d)
    if alloc is None or alloc.operation.name != TMEM_ALLOC:
        return None
    region = product.block.region
    loads = [use.owner.operation for use in alloc.result.uses if use.owner.operation.name == TMEM_LOAD]
    if alloc.operation.block.region != region or not loads or loads[0].block.region != region:
        return None
    return alloc.src


def set_flag(product: ir.Operation, flag: ir.Value) -> None:
    """Has an mma ignore its accumulator where `flag`, an i1, is false."""
    if product.name == WGMMA:
        set_operands(product, [*list(product.operands)[:3], flag])
    else:
        product.opview.useD = flag


def is_zero(value: ir.Value) -> bool:
    """Whether a value is a constant that is zero everywhere."""
    attribute = constant_splat_attribute(value)
    return isinstance(attribute, (ir.IntegerAttr, ir.FloatAttr)) and attribute.value == 0


@dataclass(frozen=True)
class Reset:
    """Operation that sets the accumulator to zero: an arith.select, or an scf.if and one of its results.

    condition: an i1.  if_true: whether it is zero if the condition is true.  value: its value in the other case.
    """

    op: ir.Operation
    number: int
    condition: ir.Value
    if_true: bool
    value: ir.Value

    def remove(self) -> None:
        """The other value in both cases."""
        if self.op.name == "arith.select":
            replace_by(self.op, [self.value])
        else:
            region = self.op.regions[0 if self.if_true else 1]
            set_yielded(region.blocks[0], self.number, self.value)


def find_reset(value: ir.Value) -> Reset | None:
    """The select or if that sets a value to zero in one of its cases, if any."""
    source = defining(value)
    if source is None:
        return None
    op = source.operation
    if op.name == "arith.select":
        number, condition, cases = 0, source.condition, [source.true_value, source.false_value]
        if isinstance(condition.type, ir.RankedTensorType):
            return None
    elif op.name == "scf.if":
        number, condition = ir.OpResult(value).result_number, source.condition
        cases = yielded_by(op, number)
    else:
        return None
    if not any(map(is_zero, cases)):
        return None
    if op.name == "scf.if" and any(not is_above(case, op) for case in cases):
        return None
    if_true = is_zero(cases[0])
    return Reset(op, number, condition, if_true, cases[1] if if_true else cases[0])


def leave_out_zeros(product: ir.Operation) -> None:
    """Gives an mma in an scf.for the flag, if its accumulator is sometimes zero."""
    loop = product.parent.operation
    accumulator = accumulator_of(product)
    if accumulator is None:
        return
    i1 = ir.IntegerType.get_signless(1, loop.context)
    with ir.InsertionPoint(loop), product.location:
        true, false = arith.constant(i1, 1), arith.constant(i1, 0)
    if is_zero(accumulator):
        set_flag(product, false)
        return
    starts_with_zero = False
    is_seen = only_user(accumulator) is None  # by others than the mma, for which zeros must stay
    is_carried = isinstance(accumulator.owner, ir.Block)
    if is_carried:
        if accumulator.owner != loop.regions[0].blocks[0]:
            return
        number = ir.BlockArgument(accumulator).arg_number - 1
        starts_with_zero = is_zero(initial_value(loop, number))
        accumulator = yielded(accumulator.owner, number)
        is_seen = is_seen or only_user(accumulator) is None
    reset = find_reset(accumulator)
    if reset is None and not starts_with_zero:
        return
    loop, (carried,) = carry_more(loop, [false if starts_with_zero else true])
    if reset is None:
        set_flag(product, carried)
        yield_also(loop, [true])
        return
    kept = true if is_carried else carried
    with ir.InsertionPoint(reset.op), product.location:
        cases = (false, kept) if reset.if_true else (kept, false)
        flag = arith.select(reset.condition, *cases)
    set_flag(product, carried if is_carried else flag)
    yield_also(loop, [flag if is_carried else true])
    if is_seen:
        return
    reset.remove()
    if is_carried and has_uses(result := final_value(loop, number)):
        reset_after(loop, result)


def reset_after(loop: ir.Operation, accumulator: ir.Value) -> None:
    """Sets a result of a loop to zero if the flag, the last result, is false: no mma has written it since the reset."""
    with loop.location, ir.InsertionPoint.after(loop):
        zeros = arith.constant(accumulator.type, 0)
        flag = list(loop.results)[-1]
        final = arith.select(flag, accumulator, zeros)
    replace_uses(accumulator, final, lambda user: user != final.owner.operation)


def leave_unfilled(op: Any, rewriter: PatternRewriter) -> Match:
    """tmem_alloc(x) -> tmem_alloc, if the first mma does not add to it"""
    uses = [use.owner.operation for use in op.result.uses]
    if op.src is None or len(uses) > 2:
        return NO_MATCH
    products = [use for use in uses if use.name in TCGEN5_MMAS and use.opview.d == op.result]  # no scales
    loads = [use for use in uses if use.name == TMEM_LOAD]
    # An mma in a loop or a branch may not run at all before a load after that loop or branch.
    if not products or not all(runs_after(load, products[-1]) for load in loads):
        return NO_MATCH
    flag = constant_attribute(products[-1].opview.useD)
    if not isinstance(flag, (ir.IntegerAttr, ir.BoolAttr)) or flag.value:
        return NO_MATCH
    set_operands(op, [])
    return MATCHED
