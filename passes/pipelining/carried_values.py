"""Values that a loop is made to carry from one iteration to the next, such as which buffer comes next."""

from collections.abc import Sequence

from mlir import ir

from ttkit.inspection import terminator
from ttkit.passes.infra.transforms import recreate, set_operands
from ttkit.passes.pipelining.loops import body_of


def carry_more(loop: ir.Operation, initial: Sequence[ir.Value]) -> tuple[ir.Operation, list[ir.Value]]:
    """Replaces an scf.for by one with the same body that carries more values, which nothing yields yet.

    Args:
        loop: goes; the operations of its body stay the same ones.
        initial: what the first iteration gets.

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
    for old, result in zip(loop.results, new.results):
        old.replace_all_uses_with(result)
    loop.erase()
    return new, arguments


def yield_also(loop: ir.Operation, values: Sequence[ir.Value]) -> None:
    """Has each iteration pass on values for the arguments that `carry_more` made, in their order."""
    last = terminator(body_of(loop)).operation
    set_operands(last, [*last.operands, *values])
