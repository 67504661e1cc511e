"""Operations that happen only if a condition holds: in iterations of a pipelined loop that a stage does not have."""

from collections.abc import Callable

from mlir import ir

from ttkit._native import library, operation_handle
from ttkit.dialects import arith, scf, ub
from ttkit.operation_sets import (
    ARRIVE_BARRIER,
    ASYNC_COMMIT,
    ASYNC_WAIT,
    TCGEN5_MMAS,
    TMA_LOADS,
    TMEM_ALLOC,
    TMEM_LOAD,
    TMEM_STORE,
    WAIT_BARRIER,
    WGMMA,
    WGMMA_WAIT,
)
from ttkit.passes.infra import replace_each
from ttkit.passes.infra.masks import MASKS, add_mask, pointer_of

# What may happen once too often: it waits for what has happened, or touches memory that is the loop's own.
HARMLESS = frozenset(
    {
        *(ASYNC_COMMIT, ASYNC_WAIT, "ttg.local_load", "ttg.local_store", "ttg.local_alloc"),
        *(WGMMA, WGMMA_WAIT, "ttng.async_tma_store_wait", "ttng.fence_async_shared"),
        *("ttng.tensormap_create", "ttng.tensormap_fenceproxy_acquire", TMEM_ALLOC, TMEM_LOAD),
    }
)


def needs_predicate(op: ir.Operation) -> bool:
    """Whether an operation must not happen when its iteration does not: none that nobody knows, as in Triton, since
    only tests of passes have them."""
    if op.name in HARMLESS or not op.context.is_registered_operation(op.name):
        return False
    return not library().ttkitIsMemoryEffectFree(operation_handle(op))


def predicate(op: ir.Operation, condition: ir.Value) -> ir.Operation:
    """Has an operation happen only if a condition (i1) holds too.

    Returns:
        The operation that has its results from here on: itself, or the scf.if that it got into.
    """
    rule = RULES.get(op.name)
    with op.location, ir.InsertionPoint(op):
        if rule is None or is_through_block_pointer(op):
            return guard(op, condition)
        rule(op, condition)
    return op


def is_through_block_pointer(op: ir.Operation) -> bool:
    """Whether an operation accesses memory through a pointer to a tensor, which takes no mask."""
    return op.name in MASKS and isinstance(getattr(pointer_of(op).type, "pointee_type", None), ir.RankedTensorType)


def guard(op: ir.Operation, condition: ir.Value) -> ir.Operation:
    """Puts an operation into an scf.if; where the condition does not hold, its results are poison.

    Built at the current insertion point.  Triton refuses such loops.
    """
    types = [result.type for result in op.results]
    branch = scf.if_(condition, types)
    replace_each(op.results, branch.results)
    op.move_before(scf.yield_(op.results, ip=ir.InsertionPoint(branch.then_block)).operation)
    if branch.else_block is not None:
        with ir.InsertionPoint(branch.else_block):
            scf.yield_([ub.poison(type) for type in types])
    return branch.operation


def _masked(pointer: int, mask: int) -> Callable[[ir.Operation, ir.Value], None]:
    """The rule for accesses with an optional mask, which is group number `mask` of their operands:

    access(p, mask) -> access(p, condition and mask); the mask may be missing.
    """
    return lambda op, condition: add_mask(op, condition, mask, pointer)


def _conditional(name: str = "pred") -> Callable[[ir.Operation, ir.Value], None]:
    """The rule for operations with a condition of their own as operand `name`."""

    def rule(op: ir.Operation, condition: ir.Value) -> None:
        """op(..., c) -> op(..., condition and c)"""
        setattr(op.opview, name, arith.andi(condition, getattr(op.opview, name)))

    return rule


RULES: dict[str, Callable[[ir.Operation, ir.Value], None]] = {
    "scf.if": _conditional("condition"),
    **{name: _masked(0, group) for name, group in MASKS.items()},
    ARRIVE_BARRIER: _masked(0, 1),
    **dict.fromkeys(TMA_LOADS, _conditional()),
    "ttng.barrier_expect": _conditional(),
    WAIT_BARRIER: _masked(1, 2),
    TMEM_STORE: _conditional(),
    "ttng.tc_gen5_commit": _masked(0, 1),
    **dict.fromkeys(TCGEN5_MMAS, _conditional()),
}
