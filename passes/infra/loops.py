"""Loops of scf: their body, and the values that they carry from one iteration to the next."""

from collections.abc import Sequence
from functools import partial

from mlir import ir

from ttkit.dialects import arith, scf
from ttkit.inspection import terminator
from ttkit.passes.infra.nesting import ancestor_in, yields_of
from ttkit.passes.infra.transforms import recreate, replace_by, replace_uses, set_operands


def body_of(loop: ir.Operation) -> ir.Block:
    """The only block of an scf.for."""
    return loop.regions[0].blocks[0]


def body_operations(loop: ir.Operation) -> list[ir.Operation]:
    """The operations of a loop's body in order, without the scf.yield at its end."""
    return [op.operation for op in body_of(loop).operations][:-1]


def has_iteration(loop: ir.Operation) -> ir.Value:
    """Builds the condition that an scf.for runs its body at all, an i1, at the current insertion point."""
    view = loop.opview
    return arith.cmpi("ult" if view.unsignedCmp else "slt", view.lowerBound, view.upperBound)


def carried_number(value: ir.Value, block: ir.Block) -> int | None:
    """The number of the loop-carried value whose argument in the loop's body `block` is `value`; None for others."""
    owner = value.owner
    if not isinstance(owner, ir.Block) or owner != block:
        return None
    number: int = ir.BlockArgument(value).arg_number
    return number - 1 if number > 0 else None


def yielded(block: ir.Block, number: int) -> ir.Value:
    """The value that a block yields as number `number`; a loop's body passes it to the next iteration."""
    return terminator(block).operation.operands[number]


def set_yielded(block: ir.Block, number: int, value: ir.Value) -> None:
    """Has a block yield another value as number `number`."""
    terminator(block).operation.operands[number] = value


def yielded_by(op: ir.Operation, number: int) -> list[ir.Value]:
    """The values that the regions of an operation yield as number `number`."""
    return [yielded(last.block, number) for last in yields_of(op)]


def result_of_yield(use: ir.OpOperand) -> ir.Value:
    """The result of the operation around an scf.yield that an operand of the scf.yield becomes."""
    return use.owner.operation.parent.operation.results[use.operand_number]


def initial_value(loop: ir.Operation, number: int) -> ir.Value:
    """The value with which an scf.for starts as number `number` of those that it carries."""
    return loop.opview.initArgs[number]


def set_initial_value(loop: ir.Operation, number: int, value: ir.Value) -> None:
    """Has an scf.for start with another value as number `number` of those that it carries."""
    loop.operands[len(loop.operands) - len(loop.results) + number] = value


def carried_argument(loop: ir.Operation, number: int) -> ir.Value:
    """The argument of an scf.for's body for number `number` of the values that it carries."""
    return body_of(loop).arguments[1 + number]


def final_value(loop: ir.Operation, number: int) -> ir.Value:
    """The value with which an scf.for ends as number `number` of those that it carries: a result."""
    return loop.results[number]


def carried_source(value: ir.Value, block: ir.Block) -> ir.Value:
    """The value that an iteration, perhaps an earlier one, yields for a loop-carried `value`; else `value`."""
    seen: set[ir.Value] = set()
    while value not in seen and (number := carried_number(value, block)) is not None:
        seen.add(value)
        value = yielded(block, number)
    return value


def carry_more(loop: ir.Operation, initial: Sequence[ir.Value]) -> tuple[ir.Operation, list[ir.Value]]:
    """Replaces an scf.for by one with the same body that carries more values, which the body does not yield yet.

    Args:
        loop: erased; its body moves to the new loop.
        initial: the values with which the first iteration starts.

    Returns:
        The new loop and the arguments of its body for the new values.  The body is invalid until `yield_also`.
    """
    if not initial:
        return loop, []
    body = body_of(loop)
    types = [*(result.type for result in loop.results), *(value.type for value in initial)]
    new = recreate(loop, types, [*loop.operands, *initial])
    arguments = [body.add_argument(value.type, loop.location) for value in initial]
    body.append_to(new.regions[0])
    replace_by(loop, new.results)
    return new, arguments


def yield_also(loop: ir.Operation, values: Sequence[ir.Value]) -> None:
    """Has each iteration yield values for the arguments that `carry_more` added, in their order."""
    yield_more(body_of(loop), values)


def yield_more(block: ir.Block, values: Sequence[ir.Value]) -> None:
    """Has a block yield more values, after the others."""
    last = terminator(block).operation
    set_operands(last, [*last.operands, *values])


def branch_with_more(branch: ir.Operation, types: Sequence[ir.Type]) -> ir.Operation:
    """Replaces an scf.if by one with both blocks and more results, which the blocks do not yield yet."""
    new = recreate(branch, [*(result.type for result in branch.results), *types])
    for source, target in zip(branch.regions, new.regions):
        if len(source.blocks):
            source.blocks[0].append_to(target)
        else:
            scf.yield_([], loc=branch.location, ip=ir.InsertionPoint(target.blocks.append()))
    replace_by(branch, new.results)
    return new


def give_also(branch: ir.Operation, taken: ir.Block, value: ir.Value, otherwise: ir.Value) -> ir.Operation:
    """Replaces an scf.if by one with one more result, the last.

    Args:
        taken: the block of `branch` that yields `value`; the other one yields `otherwise`.
    """
    new = branch_with_more(branch, [value.type])
    for block in (region.blocks[0] for region in new.regions):
        yield_more(block, [value if block == taken else otherwise])
    return new


def while_carrying(loop: ir.Operation, block: ir.Block, value: ir.Value, initial: ir.Value) -> ir.Operation:
    """Replaces an scf.while by one that also carries a value, of which the last one is its last result.

    Args:
        loop: erased; its blocks move to the new loop.
        block: the one of its two blocks that defines `value`.
        value: each round's value.
        initial: the first round's, in whose place the blocks use the carried one.
    """
    type = initial.type
    new = recreate(loop, [*(result.type for result in loop.results), type], [*loop.operands, initial])
    for source, target in zip(loop.regions, new.regions):
        inner = source.blocks[0]
        argument = inner.add_argument(type, loop.location)
        replace_uses(initial, argument, partial(ancestor_in, inner))
        yield_more(inner, [value if inner == block else argument])
        inner.append_to(target)
    replace_by(loop, new.results)
    return new
