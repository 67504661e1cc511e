"""Which loops can be pipelined."""

from mlir import ir

from ttkit.inspection import contains_any, terminator
from ttkit.operation_sets import LOOPS
from ttkit.passes.infra.loops import body_of, body_operations

# What operations must not move over.  (A ttg.local_barrier is only about shared memory, which loads of tt don't touch.)
BARRIERS = ("gpu.barrier",)


def is_outer_loop(loop: ir.Operation) -> bool:
    """Whether a loop is an operation of the body."""
    return any(op.name in LOOPS for op in body_operations(loop))


def reaches_past_one_iteration(loop: ir.Operation) -> bool:
    """Whether the next iteration takes a value that no operation of the loop's body or before it makes.

    Such as an argument of the body that it yields for another one: what was computed two iterations ago.
    """
    return any(isinstance(value.owner, ir.Block) for value in terminator(body_of(loop)).operation.operands)


def can_be_scheduled(loop: ir.Operation) -> bool:
    """Whether schedule-loops may give the operations of a loop different stages."""
    return not (reaches_past_one_iteration(loop) or is_outer_loop(loop) or contains_any(loop, BARRIERS))
