"""Lower warp specialization: warps beyond those of the kernel wait until a ttg.warp_specialize has work for them.

`worker_warps.py` has the protocol: tasks, barriers, and how registers are handed over.  The kernel's first thread
writes tasks and captures.  A partition computes a capture again if it follows from parameters, constants and addresses;
other values go through memory.

Ops: dialects/ttg/warp_specialize_ops.td    Test: test/lit/lower/warp_specialize.mlir
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mlir import ir

from ttkit.analysis.control_flow import partitions
from ttkit.inspection import element_bits
from ttkit.operation_sets import WARP_SPECIALIZE
from ttkit.passes.infra.transforms import set_operands
from ttkit.passes.lower.equal_partitions import CODE_OF
from ttkit.passes.lower.lowering import DONE, Lowering, Unsupported
from ttkit.passes.lower.mbarrier import leader
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.shuffle import shuffle_index
from ttkit.passes.lower.thread_index import ThreadIndex
from ttkit.passes.lower.unsupported import CannotLower
from ttkit.passes.lower.warps import Warps
from ttkit.passes.lower.worker_warps import BARRIERS, FIRST_PARTITION_BARRIER, MAX_REMADE, WaitingBlocks, WorkerProtocol
from ttkit.records import dataclass
from ttkit.target import FEWEST_REGISTERS

EXIT, IDLE, JOIN_CLUSTER = 255, 254, 253
TASKS_OF_GROUP = 4
"""Tasks are written a word at a time: there are whole groups of four warps."""

# What can be computed again anywhere: the same operands give the same value, and nobody notices.
REMAKABLE = frozenset(
    f"llvm.{name}"
    for name in (
        "getelementptr", "addrspacecast", "add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "zext",
        "sext", "trunc", "icmp", "select", "bitcast", "ptrtoint", "inttoptr", "mlir.zero", "mlir.addressof",
        "mlir.constant", "intr.smax", "intr.smin", "intr.umax", "intr.umin",
    )
)  # fmt: skip


class Workers:
    """The warps of one kernel that run partitions only.

    Args:
        function: the tt.func; entry: the first block of what it becomes.

    Attributes:
        are_busy: whether the code that is being lowered runs while they run partitions.
    """

    def __init__(self, low: Lowering, function: ir.OpView, entry: ir.Block) -> None:
        offset = function.operation.attributes.get("allocation.offset")
        if offset is None:
            found = "its warps are specialized, and no shared memory is allocated to tell them their tasks"
            raise Unsupported(function, found, "run allocate-shared-memory-nv")
        self.low, self.entry, self.offset = low, entry, offset.value
        self.count = low.total_warps - low.kernel_warps
        self.registers = low.register_limit
        self.barriers = FIRST_PARTITION_BARRIER  # Barriers of the hardware with lower numbers are taken.
        self.tasks: list[ir.Block] = []
        self.joining: ir.Block | None = None
        self.are_busy = False
        wait, idle, again, exit = (self.new_block() for _ in range(4))
        self.again, self.waiting = again, WaitingBlocks(wait, idle, exit, again)
        self.protocol = WorkerProtocol(low.emit, low.emit.i32_constant, self.hands_over)

    def new_block(self) -> ir.Block:
        """A block after all others."""
        return self.entry.region.blocks.append()

    def finish(self) -> None:
        """Splits the warps in the entry block, and lets the workers wait, when all partitions are lowered."""
        low, emit, entry = self.low, self.low.emit, self.entry
        branch = entry.operations[len(entry.operations) - 1].operation
        emit.location = branch.location
        body = branch.successors[0]
        emit.place = ir.InsertionPoint(branch)
        warp = warp_of_cta(low)
        is_own = emit.compare("ult", warp, emit.i32_constant(low.num_warps))
        emit.branch_if(is_own, (body, ()), (self.waiting.wait, ()))
        branch.erase()
        emit.place = ir.InsertionPoint(self.waiting.wait)

        def load_task() -> ir.Value:
            """The task of this warp."""
            place = emit.gep(self.memory(), emit.sub(warp, emit.i32_constant(low.num_warps)), emit.i8)
            return emit.load(place, emit.i8, 1)

        tasks = dict(enumerate(self.tasks)) | ({} if self.joining is None else {JOIN_CLUSTER - 256: self.joining})
        self.protocol.dispatch(self.waiting, load_task, tasks, EXIT - 256)

    def hands_over(self, before: int, after: int) -> bool:
        """Whether registers change; 0 leaves them as they are.

        Raises:
            CannotLower: those are too few.
        """
        if not before or not after or before == after or not self.low.target.has_register_hand_over:
            return False
        if after < FEWEST_REGISTERS:
            raise CannotLower(f"found {after} registers for the threads of a partition; at least {FEWEST_REGISTERS}")
        return True

    def memory(self) -> ir.Value:
        """Pointer to the tasks."""
        return self.low.emit.gep(self.low.shared.pointer(), self.offset, self.low.emit.i8)

    def assign(self, tasks: Sequence[int]) -> None:
        """The kernel's first thread writes a task for each worker."""
        low, emit = self.low, self.low.emit
        base, chosen = self.memory(), leader(low)
        for first in range(0, len(tasks), TASKS_OF_GROUP):
            word = int.from_bytes(bytes(tasks[first : first + TASKS_OF_GROUP]), "little")
            value = emit.constant(emit.vector(1, emit.i32), word)
            low.shared.store(emit.gep(base, first, emit.i8), value, chosen)

    def join_cluster(self) -> None:
        """Lets all workers arrive at the cluster's barrier and wait there, as the kernel's own warps do next."""
        emit = self.low.emit
        if self.joining is None:
            place, self.joining = emit.place, self.new_block()
            emit.place = ir.InsertionPoint(self.joining)
            self.protocol.synchronize()
            aligned = ir.UnitAttr.get(emit.context)
            emit.effect("nvvm.cluster.arrive", aligned=aligned)
            emit.effect("nvvm.cluster.wait", aligned=aligned)
            emit.branch(self.again)
            emit.place = place
        self.assign([JOIN_CLUSTER] * self.count)
        self.protocol.start(0, 0)

    def dismiss(self) -> None:
        """Lets all workers return."""
        self.assign([EXIT] * self.count)
        self.protocol.synchronize()


@dataclass(frozen=True)
class Partition:
    """The warps of a partition: how many, the first, their barrier of the hardware, registers a thread (0: as many as
    at the start)."""

    warps: int
    first: int
    barrier: int
    registers: int


@lowers(WARP_SPECIALIZE)
def warp_specialize(low: Lowering, op: ir.OpView, *captures: Any) -> object:
    """The default region, while the partitions run in other warps.

    Raises:
        CannotLower: a captured tensor, or too many partitions.
    """
    operation = op.operation
    regions = partitions(op)
    if any(isinstance(value.type, ir.RankedTensorType) for value in operation.operands):
        raise CannotLower("found a tensor among what partitions capture; capture what it is computed from")
    if not regions:
        return run_default(low, op, 0)
    groups = groups_of(low, op)
    workers, emit = low.workers, low.emit
    passed = low.values.parts(operation.operands)
    remade = {index for index, value in enumerate(passed) if can_be_remade(value, workers.entry)}
    stored = [index for index in range(len(passed)) if index not in remade]
    if len(workers.tasks) + len(regions) > JOIN_CLUSTER:
        raise CannotLower(f"the kernel has more than {JOIN_CLUSTER} partitions; join some")
    tasks = [IDLE] * workers.count
    code_of = list(operation.attributes[CODE_OF]) if CODE_OF in operation.attributes else list(range(len(groups)))
    copies = sorted(set(code_of))
    for group, number in zip(groups, code_of, strict=True):
        for warp in range(group.first, group.first + group.warps):
            tasks[warp - low.num_warps] = len(workers.tasks) + copies.index(number)
    places = stored_places(low, op, passed, stored)
    if stored:
        low.warps.synchronize()  # Another warp may still read what was in this memory.
    workers.assign(tasks)
    for index in stored:
        value = emit.cast("zext", passed[index], emit.i8) if passed[index].type == emit.i1 else passed[index]
        low.shared.store(places[index], emit.splat(value, 1), leader(low))
    registers = operation.attributes["actualRegisters"][0] if "actualRegisters" in operation.attributes else 0
    workers.protocol.start(workers.registers, registers)
    place, workers.are_busy = emit.place, True
    for number in copies:
        running = [group for group, other in zip(groups, code_of) if other == number]
        lower_partition(low, running, regions[number], passed, remade, places)
    emit.place, emit.location = place, operation.location
    found = run_default(low, op, registers)
    workers.are_busy = False
    return found


def run_default(low: Lowering, op: ir.OpView, registers: int) -> object:
    """The default region; its results are those of the operation."""
    parts = [part for result in op.operation.results for part in low.types.parts(result.type)]
    with low.warps.lowered_for(replace(low.warps.present, registers=registers or low.warps.present.registers)):
        found = low.inline_blocks(op.operation.regions[0], [], parts)
    if partitions(op):
        low.workers.protocol.end(registers, low.workers.registers)
    low.values.set(op.operation.results, found)
    return DONE


@lowers("ttg.warp_yield")
def warp_yield(low: Lowering, op: ir.OpView, *operands: object) -> object:
    """The results of the default partition."""
    low.leave_region(low.values.parts(op.operation.operands))
    return DONE


@lowers("ttg.warp_return")
def warp_return(low: Lowering, op: ir.OpView) -> object:
    """The end of a partition."""
    low.leave_region([])
    return DONE


def groups_of(low: Lowering, op: ir.OpView) -> list[Partition]:
    """The warps of each partition.

    Raises CannotLower if they are not chosen, or there are not enough barriers.
    """
    attributes = op.operation.attributes
    if low.workers is None and low.total_warps > low.num_warps:
        raise CannotLower("found it in a function that is called; let it be inlined: noinline = false")
    if low.workers is None or "warpGroupStartIds" not in attributes:
        raise CannotLower("no pass has chosen the warps of its partitions; run tritongpu-allocate-warp-groups first")
    counts, starts = attributes["partitionNumWarps"], attributes["warpGroupStartIds"]
    registers = list(attributes["actualRegisters"])[1:] if "actualRegisters" in attributes else [0] * len(counts)
    if not len(counts) == len(starts) == len(registers):
        others = f"{len(starts)} of warpGroupStartIds and {len(registers)} of actualRegisters after the first"
        raise CannotLower(f"found {len(counts)} partitions, {others}; run tritongpu-allocate-warp-groups again")
    found, barrier = [], FIRST_PARTITION_BARRIER
    for warps, first, share in zip(counts, starts, registers, strict=True):
        if barrier == BARRIERS and warps > 1:
            most = BARRIERS - FIRST_PARTITION_BARRIER
            raise CannotLower(f"found more than {most} partitions of several warps; each needs a hardware barrier")
        if first < low.num_warps or first + warps > low.total_warps:
            theirs, workers = f"{first} to {first + warps - 1}", f"{low.num_warps} to {low.total_warps - 1}"
            raise CannotLower(f"found warps {theirs} for a partition, for which there are {workers}")
        found.append(Partition(warps, first, barrier, share))
        barrier += warps > 1
    low.workers.barriers = barrier
    return found


def lower_partition(
    low: Lowering,
    groups: Sequence[Partition],
    region: ir.Region,
    captures: Sequence[ir.Value],
    remade: set[int],
    places: dict[int, ir.Value],
) -> None:
    """The code of a partition, as a task of its own, or of several that share the code."""
    emit, workers, group = low.emit, low.workers, groups[0]
    begin = workers.new_block()
    workers.tasks.append(begin)
    after = workers.new_block()
    created = low.blocks_for(region, begin)
    emit.place = ir.InsertionPoint(begin)
    workers.protocol.set_registers(workers.registers, group.registers)
    values = []
    for index, value in enumerate(captures):
        values.append(
            remake(value, workers.entry, begin) if index in remade else load_capture(low, places[index], value)
        )
    workers.protocol.synchronize()
    emit.branch(next(iter(created.values())))
    warps = warps_of(low, groups, ir.InsertionPoint(begin.operations[len(begin.operations) - 1]))
    with low.warps.lowered_for(warps):
        low.lower_region(created, [*values, *warps.is_other], after)
    emit.place = ir.InsertionPoint(after)
    workers.protocol.end(group.registers, workers.registers)
    emit.branch(workers.again)


def warps_of(low: Lowering, groups: Sequence[Partition], place: ir.InsertionPoint) -> Warps:
    """The warps of partitions that run the same code; their indices are computed at `place`."""
    emit, group = low.emit, groups[0]
    index = ThreadIndex(emit, place, low.machine, group.warps, group.first)
    warps = Warps(group.warps, tuple(each.barrier for each in groups), index, group.registers)
    if len(groups) == 1:
        return warps
    emit.place = place
    places = [emit.i32_constant(other.first // group.warps) for other in groups[1:]]

    def is_other(unit: ir.Value, size: int) -> tuple[ir.Value, ...]:
        """Whether a thread or warp of the CTA is one of each of the others."""
        number = emit.same("llvm.udiv", unit, emit.i32_constant(size))
        return tuple(emit.compare("eq", number, other) for other in places)

    thread = emit.op("nvvm.read.ptx.sreg.tid.x", emit.i32)
    by_thread = is_other(thread, group.warps * low.threads_per_warp)
    return replace(warps, is_other=is_other(warp_of_cta(low), group.warps), by_thread=by_thread)


# --- Captures ---------------------------------------------------------------------------------------------------------
def can_be_remade(value: ir.Value, entry: ir.Block, budget: list[int] | None = None) -> bool:
    """Whether a value is known to all warps, or follows by a few operations from such values."""
    budget = [MAX_REMADE] if budget is None else budget
    owner = value.owner
    if isinstance(owner, ir.Block):
        return owner == entry
    operation = owner.operation
    if operation.block == entry:
        return True
    budget[0] -= 1
    if budget[0] < 0 or operation.name not in REMAKABLE:
        return False
    return all(can_be_remade(operand, entry, budget) for operand in operation.operands)


def remake(value: ir.Value, entry: ir.Block, block: ir.Block) -> ir.Value:
    """A value that all warps know, computed again at the end of `block`."""
    owner = value.owner
    if isinstance(owner, ir.Block) or owner.operation.block == entry:
        return value
    operands = [remake(operand, entry, block) for operand in owner.operation.operands]
    copy = owner.operation.clone(ir.InsertionPoint(block))
    set_operands(copy, operands)
    return copy.operation.result


def stored_places(
    low: Lowering, op: ir.OpView, captures: Sequence[ir.Value], stored: Sequence[int]
) -> dict[int, ir.Value]:
    """Shared-memory address of each stored capture, available to all warps; largest first, so that all are aligned."""
    places: dict[int, ir.Value] = {}
    if not stored:
        return places
    sizes = {index: max(8, bits_of_part(captures[index])) // 8 for index in stored}
    low.shared.scratch(op, sum(sizes.values()))
    offset = op.operation.attributes["allocation.offset"].value
    for index in sorted(stored, key=lambda index: -sizes[index]):
        where = offset
        base = low.shared.pointer()
        places[index] = low.index.once(("capture", where), lambda: low.emit.gep(base, where, low.emit.i8))  # noqa: B023
        offset += sizes[index]
    return places


def bits_of_part(value: ir.Value) -> int:
    """Bits of a captured value: 32 for a pointer to shared memory."""
    return 32 if str(value.type) == "!llvm.ptr<3>" else element_bits(value.type)


def load_capture(low: Lowering, place: ir.Value, value: ir.Value) -> ir.Value:
    """A captured value, read from where the kernel's first warps stored it."""
    emit = low.emit
    is_predicate = value.type == emit.i1
    found = emit.load(place, emit.i8 if is_predicate else value.type, max(8, bits_of_part(value)) // 8)
    return emit.cast("trunc", found, emit.i1) if is_predicate else found


def warp_of_cta(low: Lowering) -> ir.Value:
    """i32, the warp among all of the CTA, which LLVM knows to be the same in all of the warp's threads."""
    emit = low.emit
    thread = emit.op("nvvm.read.ptx.sreg.tid.x", emit.i32)
    warp = emit.same("llvm.udiv", thread, emit.i32_constant(low.threads_per_warp))
    return shuffle_index(low, warp, emit.i32_constant(0))
