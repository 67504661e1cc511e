"""Peeling the last iteration off a loop."""

from collections.abc import Callable

from mlir import ir

from ttkit.dialects import arith, scf
from ttkit.inspection import terminator
from ttkit.passes.infra.loops import has_iteration
from ttkit.passes.infra.nesting import ancestor_in
from ttkit.passes.infra.transforms import clone_operations, fold, replace_each, replace_uses

Rewrite = Callable[[ir.Operation, bool], ir.Operation | None]


def peel_last_iteration(loop: ir.OpView, rewrite: Rewrite | None = None) -> ir.OpView:
    """Moves the last iteration of a loop after it, into an scf.if on whether there is an iteration.

    Args:
        loop: its upper bound becomes smaller by one step.
        rewrite: called for each operation of the loop's body, then, with True, for those of the peeled iteration.  If
            it returns another operation, the results of that one replace those of the first.

    Returns:
        The scf.if, whose results are the loop's.
    """
    lower, upper, step = loop.lowerBound, loop.upperBound, loop.step
    with ir.InsertionPoint(loop.operation), loop.location:
        shorter = arith.subi(upper, step)
    with ir.InsertionPoint.after(loop.operation), loop.location:
        last = last_induction_value(lower, upper, step)
        types = [result.type for result in loop.results]
        branch = scf.if_(has_iteration(loop.operation), types, has_else=True)
        peeled, then = branch.operation, branch.then_block
        body = list(loop.body.operations)
        mapping = [(loop.induction_variable, last), *zip(loop.inner_iter_args, loop.results)]
        clone_operations([op.operation for op in body], mapping, ir.InsertionPoint(then))
        scf.yield_(loop.results, ip=ir.InsertionPoint(branch.else_block))
    for old, new in zip(loop.results, peeled.results):
        replace_uses(old, new, lambda user: ancestor_in(peeled.block, user) != peeled)
    loop.upperBound = shorter
    if rewrite is not None:
        rewrite_block(loop.body, rewrite, False)
        rewrite_block(then, rewrite, True)
    return branch


def last_induction_value(lower: ir.Value, upper: ir.Value, step: ir.Value) -> ir.Value:
    """(ub - lb - 1) / step * step + lb, at the current insertion point, folded where possible."""
    distance = or_folded(arith.subi(upper, lower))
    distance = or_folded(arith.subi(distance, arith.constant(distance.type, 1)))
    whole = or_folded(arith.muli(or_folded(arith.divsi(distance, step)), step))
    return or_folded(arith.addi(whole, lower))


def or_folded(value: ir.Value) -> ir.Value:
    """The value to which the result of a new operation folds, or else the result; a folded operation is erased."""
    op = value.owner
    folded = fold(op)
    if folded is None:
        return value
    op.operation.erase()
    return folded[0]


def rewrite_block(block: ir.Block, rewrite: Rewrite, is_peeled: bool) -> None:
    """Calls `rewrite` for the operations of a block; `is_peeled` says whether it is the peeled iteration."""
    last = terminator(block).operation
    for op in [op.operation for op in block.operations]:
        if op == last:
            return
        old = list(op.results)
        new = rewrite(op, is_peeled)
        if new is not None and new != op:
            replace_each(old, new.results)
