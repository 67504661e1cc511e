"""Operations that run only if a condition holds: the iteration that a stage of a pipelined loop runs exists."""

from collections.abc import Callable

from mlir import ir

from ttkit._native import library, operation_handle
from ttkit.dialects import arith, scf, ub
from ttkit.operation_sets import (
    ARRIVE_BARRIER,
    ASYNC_COMMIT,
    ASYNC_WAIT,
    FENCE,
    MASKS,
    PARTITIONS,
    TCGEN5_MMAS,
    TMA_LOADS,
    TMEM_ALLOC,
    TMEM_LOAD,
    TMEM_STORE,
    WAIT_BARRIER,
    WARP_SPECIALIZE,
    WGMMA,
    WGMMA_WAIT,
)
from ttkit.passes.infra import replace_each
from ttkit.passes.infra.masks import add_mask, pointer_of
from ttkit.passes.infra.transforms import set_operands
from ttkit.passes.infra.value_flow import viewed

LOCAL_STORE = "ttg.local_store"

# Operations that may run once too often: waits, and accesses of memory that belongs to the loop.
HARMLESS = frozenset(
    {
        *(ASYNC_COMMIT, ASYNC_WAIT, "ttg.local_load", LOCAL_STORE, "ttg.local_alloc"),
        *(WGMMA, WGMMA_WAIT, "ttng.async_tma_store_wait", FENCE),
        *("ttng.tensormap_create", "ttng.tensormap_fenceproxy_acquire", TMEM_ALLOC, TMEM_LOAD),
    }
)


def needs_predicate(op: ir.Operation) -> bool:
    """Whether an operation must not run if its iteration does not exist.

    As in Triton, unregistered operations need no predicate: only tests of passes have them.

    Differs from Triton, which always runs stores to shared memory.  The wait for room in a buffer of several partitions
    does not run then, so that the store overwrites what another partition still reads.
    """
    if op.name == LOCAL_STORE and is_shared(op.opview.dst):
        return True
    if op.name in HARMLESS or not op.context.is_registered_operation(op.name):
        return False
    return not library().ttkitIsMemoryEffectFree(operation_handle(op))


def is_shared(memory: ir.Value) -> bool:
    """Whether a buffer is one of several partitions, which wait for each other before they read or fill it."""
    buffer = viewed(memory)
    if isinstance(buffer.owner, ir.Block):
        return bool(buffer.owner.owner.operation.name == PARTITIONS)
    return any(use.owner.operation.name == WARP_SPECIALIZE for use in buffer.uses)


def predicate(op: ir.Operation, condition: ir.Value) -> ir.Operation:
    """Makes an operation run only if a condition (i1) holds.

    Returns:
        The operation that has the results afterwards: `op` itself, or the scf.if around it.
    """
    rule = RULES.get(op.name)
    with op.location, ir.InsertionPoint(op):
        if rule is None or is_through_block_pointer(op) or has_effects_otherwise(op):
            return guard(op, condition)
        rule(op, condition)
    return op


def is_through_block_pointer(op: ir.Operation) -> bool:
    """Whether an operation accesses memory through a pointer to a tensor, which takes no mask."""
    return op.name in MASKS and isinstance(getattr(pointer_of(op).type, "pointee_type", None), ir.RankedTensorType)


def has_effects_otherwise(op: ir.Operation) -> bool:
    """Whether an scf.if does something where its condition is false, as it would with a stricter one."""
    if op.name != "scf.if" or op.opview.else_block is None:
        return False
    return any(needs_predicate(inner) for inner in list(op.opview.else_block.operations)[:-1])


def guard(op: ir.Operation, condition: ir.Value) -> ir.Operation:
    """Wraps an operation in an scf.if, built at the current insertion point; otherwise its results are poison.

    Triton refuses such loops.
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
    """The rule for accesses with an optional mask, group number `mask` of their operands:

    access(p, mask) -> access(p, condition and mask); the mask may be missing.
    """
    return lambda op, condition: add_mask(op, condition, mask, pointer)


def _conditional(name: str = "pred") -> Callable[[ir.Operation, ir.Value], None]:
    """The rule for operations with a condition of their own as operand `name`."""

    def rule(op: ir.Operation, condition: ir.Value) -> None:
        """op(..., c) -> op(..., condition and c)"""
        setattr(op.opview, name, arith.andi(condition, getattr(op.opview, name)))

    return rule


def _commit(op: ir.Operation, condition: ir.Value) -> None:
    """commit(b, c, operands...) -> commit(b, condition and c, operands...); c may be missing"""
    view = op.opview
    chosen = condition if view.pred is None else arith.andi(condition, view.pred)
    set_operands(op, [view.barrier, chosen, *view.descs])


RULES: dict[str, Callable[[ir.Operation, ir.Value], None]] = {
    "scf.if": _conditional("condition"),
    **{name: _masked(0, group) for name, group in MASKS.items()},
    ARRIVE_BARRIER: _masked(0, 1),
    **dict.fromkeys(TMA_LOADS, _conditional()),
    "ttng.barrier_expect": _conditional(),
    WAIT_BARRIER: _masked(1, 2),
    TMEM_STORE: _conditional(),
    "ttng.tc_gen5_commit": _commit,
    **dict.fromkeys(TCGEN5_MMAS, _conditional()),
}
