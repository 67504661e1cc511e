"""Tokens of rings of buffers as mbarriers: one that says that a buffer is full, one that it is empty.

nvws.producer_acquire %token, %part, %phase   =>   ttng.wait_barrier %empty[%part], not %phase
nvws.consumer_release %token, %part           =>   ttng.arrive_barrier %empty[%part], 128
nvws.consumer_wait %token, %part, %phase      =>   ttng.wait_barrier %full[%part], %phase
nvws.producer_commit %token, %part            =>   ttng.arrive_barrier %full[%part], ...
"""

from mlir import ir

from ttkit.analysis.control_flow import partitions
from ttkit.dialects import arith, gpu, ttg, ttng
from ttkit.inspection import collect
from ttkit.operation_sets import WARP_SPECIALIZE
from ttkit.passes.infra import PassError, set_operands
from ttkit.passes.partitioning.communication import TMA_LOAD
from ttkit.passes.partitioning.tasks import TaskBuilder, tasks_of
from ttkit.passes.pipelining.buffers import make_barriers

# Threads of a task: all of them arrive.
THREADS = 128
WAITS = {"nvws.producer_acquire": True, "nvws.consumer_wait": False}
SIGNALS = {"nvws.producer_commit": False, "nvws.consumer_release": True}
"""Operations on tokens -> whether they are about the buffer being empty."""


def lower_tokens(root: ir.Operation) -> None:
    """Replaces all tokens, and the operations on them.

    Raises:
        PassError: a token is used by something else.
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
    """Whether anybody signals that a buffer is full, or waits for it, by this token.

    Copies by TMA have a barrier for that.  One that nobody uses would share its place with a buffer that is copied to.
    """
    values = [token.result]
    for use in token.result.uses:
        if use.owner.operation.name == WARP_SPECIALIZE:
            regions = partitions(use.owner.operation)
            values += [region.blocks[0].arguments[use.operand_number] for region in regions]
    about_full = {name for name, is_empty in [*WAITS.items(), *SIGNALS.items()] if not is_empty}
    return any(use.owner.operation.name in about_full for value in values for use in value.uses)


def _capture(holder: ir.Operation, number: int, full: ir.Value, empty: ir.Value, arrivals: int) -> None:
    """Has partitions take the barriers as arguments, instead of a token."""
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
