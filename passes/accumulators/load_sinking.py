"""Loads of accumulators in loops, moved to right before their first user."""

from typing import Any

from mlir import ir

from ttkit._native import handle, library, operation_handle
from ttkit.inspection import enclosing, next_operation, terminator, users_of
from ttkit.operation_sets import TMEM_LOAD
from ttkit.passes.infra.loops import carry_more, give_also, yield_also
from ttkit.passes.infra.nesting import ancestor_in, block_of
from ttkit.passes.infra.transforms import replace_uses


def sink(load: Any) -> bool:
    """A load in a loop -> right before its first user, inside an scf.if if that contains all users"""
    op = load.operation
    if load.dep is None or enclosing(op, "scf.for") is None:
        return False
    place = common_dominator(users_of(load.result))
    if place is None or not library().ttkitProperlyDominates(handle(load.result, "Value"), operation_handle(place)):
        return False
    if not all(comes_after(use.owner.operation, place) for use in load.token.uses):
        return False
    following = next_operation(op)
    while following is not None and following.name == TMEM_LOAD:  # loads keep their order
        following = next_operation(following)
    if place == following:
        return False
    op.move_before(place)
    token = pass_out_of(load.dep, load.token, place.block)
    if token != load.token:
        # Passing it out has made loops, branches and what they yield anew.
        replace_uses(load.token, token, lambda user: user != terminator(op.block).operation)
    return True


def common_dominator(ops: list[ir.Operation]) -> ir.Operation | None:
    """In the innermost block around all `ops`, the first operation that is or contains one of them."""
    if not ops:
        return None
    block: ir.Block | None = ops[0].block
    while block is not None:
        found = [ancestor_in(block, op) for op in ops]
        if all(op is not None for op in found):
            ancestors = [op for op in found if op is not None]
            first = ancestors[0]
            for other in ancestors[1:]:
                if other.is_before_in_block(first):
                    first = other
            return first
        parent = block.owner
        block = parent.operation.block if parent.operation.parent is not None else None
    return None


def comes_after(op: ir.Operation, place: ir.Operation) -> bool:
    """Whether an operation always runs after `place`, and does not contain it."""
    ancestor = ancestor_in(op.block, place)
    return ancestor is not None and ancestor != op and ancestor.is_before_in_block(op)


def pass_out_of(before: ir.Value, after: ir.Value, block: ir.Block) -> ir.Value:
    """Passes a value that a block redefines out of the scf.if and scf.for operations around the block.

    Args:
        before: the value outside of them.
        after: the value that `block` defines instead.
        block: nested, by scf.if and scf.for operations, in the block of `before`.

    Returns:
        A value in the block of `before`: `after` if `block` was run, else `before`.
    """
    outside = block_of(before)
    while block != outside:
        holder = block.owner.operation
        block_above = holder.block
        if holder.name == "scf.for":
            loop, _ = carry_more(holder, [before])
            yield_also(loop, [after])
            *_, after = loop.results
        else:
            branch = give_also(holder, block, after, before)
            *_, after = branch.results
        block = block_above
    return after
