"""Loads of accumulators in loops, right in front of what needs them."""

from typing import Any

from mlir import ir

from ttkit._native import handle, library, operation_handle
from ttkit.inspection import enclosing, next_operation, users_of
from ttkit.operation_sets import TMEM_LOAD
from ttkit.passes.infra.loops import carry_more, give_also, yield_also
from ttkit.passes.infra.nesting import ancestor_in, block_of


def sink(load: Any) -> bool:
    """A load in a loop -> right in front of its first user, also into an scf.if that has all of them"""
    op = load.operation
    if load.dep is None or enclosing(op, "scf.for") is None:
        return False
    place = common_dominator(users_of(load.result))
    if place is None or not library().ttkitProperlyDominates(handle(load.result, "Value"), operation_handle(place)):
        return False
    uses = list(load.token.uses)
    if not all(comes_after(use.owner.operation, place) for use in uses):
        return False
    following = next_operation(op)
    while following is not None and following.name == TMEM_LOAD:  # loads keep their order
        following = next_operation(following)
    if place == following:
        return False
    op.move_before(place)
    token = defined_behind(load.dep, load.token, place.block)
    if token != load.token:
        for use in uses:
            use.owner.operation.operands[use.operand_number] = token
    return True


def common_dominator(ops: list[ir.Operation]) -> ir.Operation | None:
    """The first operation of a block, the innermost that has all of some operations, that is or holds one of them."""
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
    """Whether an operation runs after another one in any case, and does not hold it."""
    ancestor = ancestor_in(op.block, place)
    return ancestor is not None and ancestor != op and ancestor.is_before_in_block(op)


def defined_behind(before: ir.Value, after: ir.Value, block: ir.Block) -> ir.Value:
    """The stand-in for a value that was redefined in a block, behind all that holds the block.

    Args:
        before: its definition outside.
        after: its definition in `block`.
        block: in a branch of scf.if operations, or in scf.for loops, below the block of `before`.

    Returns:
        `after` if the block was run, else `before`.
    """
    outside = block_of(before)
    while block != outside:
        holder = block.owner.operation
        block_above = holder.block
        if holder.name == "scf.for":
            loop, _ = carry_more(holder, [before])
            yield_also(loop, [after])
            after = loop.results[len(loop.results) - 1]
        else:
            branch = give_also(holder, block, after, before)
            after = branch.results[len(branch.results) - 1]
        block = block_above
    return after
