"""Lowering tokens of multi-buffered channels to mbarriers: one for full slots, one for empty slots.

Each operation on a token becomes one on a barrier:

    nvws.producer_acquire %token, %slot, %phase   =>   ttng.wait_barrier %empty[%slot], not %phase
    nvws.consumer_release %token, %slot           =>   ttng.arrive_barrier %empty[%slot], 128
    nvws.consumer_wait %token, %slot, %phase      =>   ttng.wait_barrier %full[%slot], %phase
    nvws.producer_commit %token, %slot            =>   ttng.arrive_barrier %full[%slot], ...
"""

from mlir import ir

from ttkit.analysis.control_flow import partitions
from ttkit.dialects import arith, gpu, ttg, ttng
from ttkit.inspection import collect
from ttkit.operation_sets import WARP_SPECIALIZE
from ttkit.passes.infra import PassError, set_operands
from ttkit.passes.infra.mbarriers import make_barriers
from ttkit.passes.partitioning.communication import TMA_LOAD
from ttkit.passes.partitioning.tasks import THREADS, TaskBuilder, tasks_of

WAITS = {"nvws.producer_acquire": True, "nvws.consumer_wait": False}
SIGNALS = {"nvws.producer_commit": False, "nvws.consumer_release": True}
"""Operations on tokens -> whether they use the barrier of empty slots."""


def lower_tokens(root: ir.Operation) -> None:
    """Replaces all tokens and the operations on them by mbarriers.

    Raises:
        PassError: another operation uses a token.
    """
    for token in collect(root, ["nvws.create_token"]):
        count = token.attributes["numBuffers"].value
        arrivals = 1 if token.attributes["loadType"].value == TMA_LOAD else THREADS
        full = make_barriers(token, count, arrivals) if _has_full(token) else None
        empty = make_barriers(token, count, THREADS)
        full = empty if full is None else full
        with token.location, ir.InsertionPoint(token):
            gpu.barrier()
        for use in list(token.result.uses):
            user = use.owner.operation
            if user.name == WARP_SPECIALIZE:
                _capture(user, use.operand_number, full, empty, arrivals)
            else:
                _lower(user, full, empty, arrivals)
        token.erase()


def _has_full(token: ir.Operation) -> bool:
    """Whether operations signal full slots, or wait for them, by this token.

    TMA copies have a barrier of their own.  An unused barrier could share its memory with a buffer that is copied to.
    """
    values = [token.result]
    for use in token.result.uses:
        if use.owner.operation.name == WARP_SPECIALIZE:
            regions = partitions(use.owner.operation)
            values += [region.blocks[0].arguments[use.operand_number] for region in regions]
    about_full = {name for name, is_empty in [*WAITS.items(), *SIGNALS.items()] if not is_empty}
    return any(use.owner.operation.name in about_full for value in values for use in value.uses)


def _capture(holder: ir.Operation, number: int, full: ir.Value, empty: ir.Value, arrivals: int) -> None:
    """Has partitions capture the barriers instead of a token."""
    operands = list(holder.operands)
    set_operands(holder, [*operands[:number], *operands[number + 1 :], full, empty])
    for region in partitions(holder):
        block = region.blocks[0]
        token = block.arguments[number]
        inner_full, inner_empty = (block.add_argument(value.type, holder.location) for value in (full, empty))
        for use in list(token.uses):
            _lower(use.owner.operation, inner_full, inner_empty, arrivals)
        block.erase_argument(number)


def _lower(op: ir.Operation, full: ir.Value, empty: ir.Value, arrivals: int) -> None:
    build = TaskBuilder(ir.InsertionPoint(op), op.location, tasks_of(op))
    about_empty = WAITS.get(op.name, SIGNALS.get(op.name))
    if about_empty is None:
        raise PassError(op, f"{op.name} can't use a token; operations on tokens and ttg.warp_specialize can")
    barrier = build(ttg.memdesc_index, empty if about_empty else full, op.opview.idx)
    if op.name in SIGNALS:
        build(ttng.arrive_barrier, barrier, THREADS if about_empty else arrivals)
    else:
        phase = op.opview.phase
        if about_empty:
            phase = build(arith.xori, phase, build(arith.constant, phase.type, 1))
        word = ir.IntegerType.get_signless(32, op.context)
        build(ttng.wait_barrier, barrier, build(arith.extui, word, phase), [])
    op.erase()
