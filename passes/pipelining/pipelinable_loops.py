"""Conditions that a loop must meet to be pipelined."""

from mlir import ir

from ttkit.inspection import contains_any, terminator
from ttkit.operation_sets import LOOPS
from ttkit.passes.infra.loops import body_of, body_operations

# Operations must not move across these.  (A ttg.local_barrier orders shared memory, which loads of tt do not access.)
BARRIERS = ("gpu.barrier",)


def is_outer_loop(loop: ir.Operation) -> bool:
    """Whether the body of a loop contains a loop."""
    return any(op.name in LOOPS for op in body_operations(loop))


def reaches_past_one_iteration(loop: ir.Operation) -> bool:
    """Whether a loop yields an argument of a block, such as one of its own body's.

    As another argument of the body, that is a value computed two iterations ago.
    """
    return any(isinstance(value.owner, ir.Block) for value in terminator(body_of(loop)).operation.operands)


def can_be_scheduled(loop: ir.Operation) -> bool:
    """Whether schedule-loops may give the operations of a loop different stages."""
    return not (reaches_past_one_iteration(loop) or is_outer_loop(loop) or contains_any(loop, BARRIERS))
