"""The tcgen05.mmas that can overlap the next iteration of their loop."""

from collections.abc import Callable
from typing import Any, NamedTuple

from mlir import ir

from ttkit.inspection import address_of, collect, defining, users_of
from ttkit.operation_sets import ALLOCATIONS, LOADS, TCGEN5_MMAS, TMEM_ALLOC, TMEM_LOAD, TMEM_STORE
from ttkit.passes.infra.constants import constant_splat
from ttkit.passes.infra.loop_attributes import disallows_acc_multi_buffer, is_warp_specialized
from ttkit.passes.infra.loops import body_of, carried_argument, carried_number, carried_source, result_of_yield, yielded
from ttkit.passes.infra.nesting import ancestor_in, is_above, runs_after
from ttkit.passes.infra.rewriting import defining_name, defining_op
from ttkit.passes.infra.slices import each_once
from ttkit.passes.infra.value_flow import viewed
from ttkit.passes.layouts.load_buffers import fills

# What fills a buffer that was allocated before the loop, as the pipeliner does for the MMAs before.
STORES = ("ttg.local_store", TMEM_STORE)
VIEWS = ("ttg.memdesc_trans", "ttg.memdesc_reshape", "ttg.memdesc_reinterpret")


def mma_latencies(
    loop: ir.Operation, body: list[ir.Operation], loads: dict[int, int]
) -> tuple[dict[int, int], dict[int, int]]:
    """The latencies and the self-latencies of the tcgen05.mmas of a loop, by their addresses.

    With a self-latency of 1, the loop waits for an MMA in the next iteration.  With a latency of 1, the users of its
    result run in the next stage.

    Args:
        loop: an scf.for.
        body: the operations of its body.
        loads: address of each load that starts early -> its latency.
    """
    latencies: dict[int, int] = {}
    self_latencies: dict[int, int] = {}
    if any(op.name == "tt.dot" for op in body):
        return latencies, self_latencies
    for mma in body:
        if mma.name not in TCGEN5_MMAS or not can_overlap(mma, loop, loads):
            continue
        address = address_of(mma)
        self_latencies[address] = 1
        more_buffers = not disallows_acc_multi_buffer(loop) and can_have_more_buffers(mma, loop)
        more_buffers = more_buffers and (is_warp_specialized(loop) or leaves_what_is_read(mma, loop))
        if more_buffers or not is_accumulator_read(mma, loop):
            latencies[address] = 1
        if is_warp_specialized(loop):
            # Other warps run the users, which therefore need not wait for the end of the loop's body.
            if is_accumulator_modified(mma, loop):
                latencies.pop(address, None)
            else:
                latencies[address] = latencies.get(address, 0) + 1
    return latencies, self_latencies


def can_overlap(mma: ir.Operation, loop: ir.Operation, loads: dict[int, int]) -> bool:
    """Whether the next iteration can wait for an MMA before its operands change."""
    accumulator = accumulator_of(mma)
    if accumulator is None:
        return False
    if accumulator.block == mma.block:
        return is_read_beside(mma, accumulator)  # there the loop waits, whatever the operands are
    operands = operands_of(mma, loop, lambda load: loads.get(address_of(load), 0) > 0)
    if all(operand.is_stable for operand in operands):
        return True
    return all(operand.is_known for operand in operands) and not is_read_after(mma, accumulator, loop)


class Operand(NamedTuple):
    """An operand of an MMA in a loop.

    is_stable: whether its buffer is a slot of several that loads fill early, or does not change in the loop.
    changed_by: the operation of the loop that changes it, if it is not stable and that is known.
    """

    is_stable: bool
    changed_by: ir.Operation | None = None

    @property
    def is_known(self) -> bool:
        """Whether it is known when it changes."""
        return self.is_stable or self.changed_by is not None


def operands_of(mma: ir.Operation, loop: ir.Operation, is_early: Callable[[ir.Operation], bool]) -> list[Operand]:
    """A and B of an MMA, and the two scales of a scaled MMA.

    Args:
        is_early: whether a load of the loop starts before the iteration of the MMA.
    """
    found = [operand_in(loop, value, is_early, ALLOCATIONS) for value in (mma.opview.a, mma.opview.b)]
    return found + [operand_in(loop, scale, is_early, ALLOCATIONS[:1]) for scale in scales_of(mma)]


def operand_in(
    loop: ir.Operation, value: ir.Value, is_early: Callable[[ir.Operation], bool], buffers: tuple[str, ...]
) -> Operand:
    """An operand of the MMA; if it is not stable, with the operation that changes it.

    Args:
        is_early: as in `operands_of`.
        buffers: the names of the operations that may allocate its memory.
    """
    value = viewed(value, VIEWS)
    if is_above(value, loop):
        stores = [op for op in collect(loop, STORES) if op.opview.dst == value]
        return Operand(not stores, stores[0] if len(stores) == 1 else None)
    if defining_name(value) not in buffers:
        return Operand(False)
    buffer = value.owner.operation
    if len(buffer.operands) == 0:
        return Operand(False, buffer)
    source = buffer.opview.src
    if is_above(source, loop):
        return Operand(True)
    # The iteration of the MMA fills tensor memory, even if the load starts earlier.
    if buffer.name != ALLOCATIONS[0] or defining_name(source) not in LOADS:
        return Operand(False, buffer)
    load = source.owner.operation
    if not is_early(load):
        return Operand(False, load)
    return Operand(True) if fills(load, buffer) else Operand(False, buffer)


def is_read_after(mma: ir.Operation, accumulator: ir.Operation, loop: ir.Operation) -> bool:
    """Whether the iteration reads the accumulator after an MMA, so that it has to wait there."""
    return any(runs_after(op, mma) for op in accesses(accumulator, loop, TMEM_LOAD))


def is_read_beside(mma: ir.Operation, accumulator: ir.Operation) -> bool:
    """Whether an operation after an MMA in its block reads the accumulator."""
    readers = [user for user in users_of(accumulator.opview.result) if user.name == TMEM_LOAD]
    return any(reader.block == mma.block and mma.is_before_in_block(reader) for reader in readers)


def accumulator_of(mma: ir.Operation) -> ir.Operation | None:
    """The ttng.tmem_alloc of an MMA's accumulator; None if it is unknown."""
    made = defining_op(mma.opview.d, TMEM_ALLOC)
    return made and made.operation


def scales_of(mma: ir.Operation) -> list[ir.Value]:
    """The two scales of a scaled MMA; an empty list for others."""
    view: Any = mma.opview
    return [view.a_scale, view.b_scale] if mma.name == "ttng.tc_gen5_mma_scaled" else []


def is_accumulator_read(mma: ir.Operation, loop: ir.Operation) -> bool:
    """Whether the loop reads the accumulator, so that the next MMA needs a second buffer."""
    accumulator = accumulator_of(mma)
    if accumulator is None or not is_above(accumulator.opview.result, loop):
        return True
    return bool(accesses(accumulator, loop, TMEM_LOAD))


def can_have_more_buffers(mma: ir.Operation, loop: ir.Operation) -> bool:
    """Whether the loop resets the accumulator, and can use another buffer from there on."""
    view: Any = mma.opview
    if constant_splat(view.useD) == 0:
        return True
    flag = carried_source(view.useD, body_of(loop))
    if not isinstance(flag.owner, ir.Block) and not is_above(flag, loop):
        return True
    accumulator = accumulator_of(mma)
    if accumulator is None or not is_above(accumulator.opview.result, loop):
        return False
    return bool(accesses(accumulator, loop, TMEM_STORE))


def leaves_what_is_read(mma: ir.Operation, loop: ir.Operation) -> bool:
    """Whether the next MMA uses another buffer after each iteration that reads the accumulator.

    Only then, it may run before the accumulator has been read.  Differs from Triton, which does not check it.
    """
    accumulator = accumulator_of(mma)
    if accumulator is None or not is_above(accumulator.opview.result, loop):
        return True
    stores = accesses(accumulator, loop, TMEM_STORE)
    if any(op.block == mma.block and constant_splat(op.opview.pred) == 1 and runs_after(mma, op) for op in stores):
        return True
    reads = [read for read in accesses(accumulator, loop, TMEM_LOAD) if runs_after(read, mma)]
    return all(starts_anew(mma, read, loop) for read in reads)


def starts_anew(mma: ir.Operation, read: ir.Operation, loop: ir.Operation) -> bool:
    """Whether an MMA does not add to its accumulator in an iteration after one that has read it.

    Only then, another buffer may follow.  Triton 3.6 does not check it.
    """
    flag = mma.opview.useD
    if constant_splat(flag) == 0:
        return True
    branch = ancestor_in(body_of(loop), read)
    number = carried_number(flag, body_of(loop))
    if branch is None or branch.name != "scf.if" or number is None:
        return False
    condition = branch.opview.condition
    following = defining(yielded(body_of(loop), number))
    if following is None or ancestor_in(branch.regions[0].blocks[0], read) is None:
        return False
    if following.operation.name == "arith.select":
        return bool(following.condition == condition and constant_splat(following.true_value) == 0)
    is_negated = following.operation.name == "arith.xori" and constant_splat(following.rhs) in (1, -1, True)
    return bool(is_negated and following.lhs == condition)


def is_accumulator_modified(mma: ir.Operation, loop: ir.Operation) -> bool:
    """Whether the loop stores a value in the accumulator that it computes from the accumulator."""
    accumulator = accumulator_of(mma)
    if accumulator is None or not is_above(accumulator.opview.result, loop):
        return True
    stores = {address_of(op) for op in accesses(accumulator, loop, TMEM_STORE)}
    read = [op.opview.result for op in accesses(accumulator, loop, TMEM_LOAD)] if stores else []
    modified: list[ir.Value] = []
    seen: set[ir.Value] = set()
    for is_modified, waiting in ((False, read), (True, modified)):
        for value in each_once(waiting, seen):
            for use in value.uses:
                user = use.owner.operation
                if address_of(user) in stores:
                    if is_modified:
                        return True
                elif user.name == "scf.yield":
                    waiting.append(destination(use, loop))
                else:
                    modified += user.results
    return False


def destination(use: ir.OpOperand, loop: ir.Operation) -> ir.Value:
    """The value that a yielded value becomes: an argument of the loop's body, or a result of another operation."""
    is_of_loop = use.owner.operation.parent.operation == loop
    return carried_argument(loop, use.operand_number) if is_of_loop else result_of_yield(use)


def accesses(accumulator: ir.Operation, loop: ir.Operation, name: str) -> list[ir.Operation]:
    """The operations named `name` in a loop that use an accumulator."""
    inside = {address_of(op) for op in collect(loop, [name])}
    return [user for user in users_of(accumulator.opview.result) if address_of(user) in inside]
