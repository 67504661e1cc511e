"""Lower warp specialization in functions of llvm: additional warps wait until a partition needs them.

    llvm.func @f() {                       tid / 32 < 4 ? ^body : ^wait
      ttg.warp_specialize(%x) ...      =>  ^wait:  barrier 1, switch task of this warp: ^idle, ^partition0, ^exit
      default { A }                        ^idle:  barrier 1 twice, ^wait      ^exit: return
      partition0(%y) num_warps(4) { B }    ^partition0:  take %x, barrier 1, B, barrier 1, ^wait
      C                                    ^body:  write tasks and %x, barrier 1 twice, A, barrier 1, C,
    }                                              write EXIT, barrier 1, return

The pass is for functions from Triton's lowering, or written in llvm; convert-triton-gpu-to-llvm lowers kernels together
with their warp specialization.  Both use the protocol of passes/lower/worker_warps.py.  Partition k synchronizes at
hardware barrier k + 2, and each `nvvm.barrier0` becomes the barrier of its warps.  Registers move between warps, from
`ttg.maxnreg` to `actualRegisters`.

Input:  llvm, nvvm, ttg.warp_specialize with warpGroupStartIds; `allocation.offset` of functions (a byte a warp) and of
        each ttg.warp_specialize with captures that pass through memory.      Output: llvm, nvvm.
Order:  after convert-triton-gpu-to-llvm.
Skips:  functions without ttg.warp_specialize.
Test:   test/lit/passes/convert_warp_specialize_to_llvm.mlir
"""

from collections.abc import Iterable, Iterator

from mlir import ir

from ttkit.analysis.control_flow import partitions
from ttkit.module_attributes import MAXNREG, TOTAL_NUM_WARPS
from ttkit.operation_sets import WARP_SPECIALIZE
from ttkit.passes.infra import Pass, PassError, collect
from ttkit.passes.infra.preconditions import operations
from ttkit.passes.layouts.thread_counts import num_warps, threads_per_warp
from ttkit.passes.lower.emitter import DYNAMIC
from ttkit.passes.lower.function_memory import SHARED_MEMORY
from ttkit.passes.lower.operations import Operations
from ttkit.passes.lower.worker_warps import BARRIERS, FIRST_PARTITION_BARRIER, WaitingBlocks, WorkerProtocol
from ttkit.passes.partitioning.lowered_captures import before_cast, drop_casts, hand_over, remake_captures
from ttkit.target import FEWEST_REGISTERS, MOST_REGISTERS

IDLE = -1
"""The task of an idle warp."""
REGISTER_STEP = 8
"""The granularity at which warps release and acquire registers."""
MOST_PARTITIONS = BARRIERS - FIRST_PARTITION_BARRIER


class ConvertWarpSpecializeToLLVM(Pass):
    """Lower warp specialization in functions of llvm"""

    name = "convert-warp-specialize-to-llvm"
    dependent_dialects = ("llvm", "nvvm")

    def run(self, op: ir.Operation) -> None:
        """Lowers each function.

        Raises:
            PassError: one in no llvm.func, without its warps or its shared memory, or with too many partitions.
        """
        found: dict[ir.Operation, list[ir.Operation]] = {}
        for specialization in collect(op, [WARP_SPECIALIZE]):
            function = specialization.parent
            if function.name != "llvm.func":
                raise PassError(
                    specialization,
                    "convert-triton-gpu-to-llvm lowers ttg.warp_specialize, together with its kernel; "
                    "run it on the kernel as a tt.func",
                )
            found.setdefault(function, []).append(specialization)
        for function, specializations in found.items():
            SpecializedFunction(op, function, specializations).lower()


class SpecializedFunction:
    """The lowering of one function.

    Args:
        module: around it; specializations: its ttg.warp_specialize, in order.

    Raises:
        PassError: see ConvertWarpSpecializeToLLVM.run.
    """

    def __init__(self, module: ir.Operation, function: ir.Operation, specializations: list[ir.Operation]) -> None:
        self.function, self.specializations = function, specializations
        self.emit = Operations(module.context)
        self.emit.location = function.location
        self.protocol = WorkerProtocol(self.emit, self.constant, self.hands_over)
        self.own, self.lanes = num_warps(function), threads_per_warp(module)
        self.workers = number_of(module, TOTAL_NUM_WARPS, "run tritongpu-allocate-warp-groups", function)
        self.workers -= self.own
        self.tasks = number_of(function, "allocation.offset", "allocate-shared-memory gives it its bytes for tasks")
        self.exit_task = sum(len(partitions(each)) for each in specializations)
        for each in specializations:
            self.check_warps(each)
        if any(len(partitions(each)) > MOST_PARTITIONS for each in specializations):
            raise PassError(function, f"cannot support more than {MOST_PARTITIONS} warp group partitions")
        if not any(map(is_shared_memory, collect(module, ["llvm.mlir.global"]))):
            raise PassError(function, f"needs an llvm.mlir.global @{SHARED_MEMORY} with addr_space 3")
        self.start_registers, self.own_registers, self.worker_registers = 0, 0, 0
        if MAXNREG in module.attributes or any(map(registers_of, specializations)):
            self.start_registers = number_of(module, MAXNREG, "it is what actualRegisters start from", function)
            self.own_registers, self.worker_registers = self.registers_while_waiting()

    def check_warps(self, specialization: ir.Operation) -> None:
        """Raises PassError unless each partition has its warps, and the module has these warps."""
        counts = specialization.attributes["partitionNumWarps"]
        starts = specialization.attributes.get("warpGroupStartIds", ())
        if len(starts) != len(counts):
            found = "no pass has chosen the warps of its partitions; run tritongpu-allocate-warp-groups first"
            raise PassError(specialization, found)
        for first, warps in zip(starts, counts):
            if first < self.own or first + warps > self.own + self.workers:
                there = f"{self.own} to {self.own + self.workers - 1}"
                raise PassError(
                    specialization, f"found warps {first} to {first + warps - 1} for a partition; {there} are there"
                )

    def hands_over(self, before: int, after: int) -> bool:
        """Whether registers move between warps; both numbers are 0 if no operation asks for it."""
        return bool(self.start_registers and (before or after))

    def registers_while_waiting(self) -> tuple[int, int]:
        """Registers a thread of the kernel's warps, and of the others, while no partition runs.

        The others release as many as the kernel's warps can use.
        """
        start = self.start_registers
        if not self.workers:
            return start, start
        more = min(MOST_REGISTERS - start, (start - FEWEST_REGISTERS) * self.workers // self.own)
        fewer = start - more * self.own / self.workers
        return (start + more) // REGISTER_STEP * REGISTER_STEP, int(fewer) // REGISTER_STEP * REGISTER_STEP

    def lower(self) -> None:
        """The blocks in order: entry, waiting, partitions, then those of the function with default regions."""
        region = self.function.regions[0]
        entry, *rest = region.blocks
        body, wait, idle, exit_block = (region.blocks.append() for _ in range(4))
        self.waiting = WaitingBlocks(wait, idle, exit_block)
        for op in list(entry.operations):
            body.append(op)
        self.enter(entry, body)
        own_blocks, tasks = [body, *rest], list[ir.Block]()
        others = list[ir.Block]()
        for specialization in self.specializations:
            captures = [before_cast(value) for value in specialization.operands]
            stored = remake_captures(entry, specialization, captures, own_blocks)
            first_task = len(tasks)
            for number, part in enumerate(partitions(specialization)):
                blocks = list(part.blocks)
                self.lower_partition(specialization, number, blocks, captures, stored)
                tasks.append(blocks[0])
                others.extend(blocks)
            place = own_blocks.index(specialization.block) + 1
            own_blocks[place:place] = self.lower_default(specialization, first_task, captures, stored)
        self.leave(own_blocks)
        self.dispatch(tasks)
        for block in (wait, idle, exit_block, *others, *own_blocks):
            block.append_to(region)
        for specialization in self.specializations:
            specialization.erase()
        drop_casts(self.function)
        for barrier in collect(self.function, ["nvvm.barrier0"]):
            self.replace_barrier(barrier, 0, self.own)

    # --- Where warps wait ---------------------------------------------------------------------------------------------
    def enter(self, entry: ir.Block, body: ir.Block) -> None:
        """Branches to the body for the kernel's warps, to the wait for the others."""
        emit, emit.place = self.emit, ir.InsertionPoint(entry)
        thread = emit.op("nvvm.read.ptx.sreg.tid.x", emit.i32)
        warp = emit.same("llvm.udiv", thread, self.constant(self.lanes))
        first, last, members = self.constant(0), self.constant(self.lanes - 1), self.constant(-1)
        kind = emit.attribute("#nvvm<shfl_kind idx>")
        self.warp = emit.op("nvvm.shfl.sync", emit.i32, members, warp, first, last, kind=kind)
        is_own = emit.op("llvm.icmp", emit.i1, self.warp, self.constant(self.own), predicate=emit.integer(6))
        emit.branch_if(is_own, (body, ()), (self.waiting.wait, ()))
        emit.place = ir.InsertionPoint.at_block_begin(body)
        self.protocol.set_registers(self.start_registers, self.own_registers)

    def dispatch(self, tasks: list[ir.Block]) -> None:
        """Builds the blocks in which other warps wait, are idle, and return."""
        emit, emit.place = self.emit, ir.InsertionPoint(self.waiting.wait)
        self.protocol.set_registers(self.start_registers, self.worker_registers)

        def load_task() -> ir.Value:
            """The task of this warp."""
            memory = self.address(self.tasks)
            place = self.gep(memory, emit.same("llvm.sub", self.warp, self.constant(self.own)))
            return emit.op("llvm.load", emit.i8, place)

        self.protocol.dispatch(self.waiting, load_task, dict(enumerate(tasks)), self.exit_task)

    def leave(self, blocks: Iterable[ir.Block]) -> None:
        """Makes the other warps return where the kernel's do."""
        for end in ends(blocks, "llvm.return"):
            self.emit.place = ir.InsertionPoint(end)
            self.assign([self.exit_task] * self.workers)
            self.protocol.synchronize()

    # --- Regions ------------------------------------------------------------------------------------------------------
    def lower_partition(
        self,
        specialization: ir.Operation,
        number: int,
        blocks: list[ir.Block],
        captures: list[ir.Value],
        stored: list[int],
    ) -> None:
        """Makes the blocks of a partition a task: it loads its captures, runs, and waits again."""
        emit, first = self.emit, blocks[0]
        warps = specialization.attributes["partitionNumWarps"][number]
        for barrier in found_in(blocks, "nvvm.barrier0"):
            self.replace_barrier(barrier, number + FIRST_PARTITION_BARRIER, warps)
        registers = registers_of(specialization)
        waiting, running = (self.worker_registers, registers[number + 1]) if registers else (0, 0)
        emit.place = ir.InsertionPoint.at_block_begin(first)
        self.protocol.set_registers(waiting, running)
        loaded = [
            emit.op("llvm.load", captures[index].type, place, alignment=emit.integer(1))
            for index, place in zip(stored, self.places(specialization, captures, stored))
        ]
        self.protocol.synchronize()
        for index, value in zip(stored, loaded):
            hand_over(first.arguments[index], value)
        for index in reversed(range(len(first.arguments))):
            first.erase_argument(index)
        for end in ends(blocks, "ttg.warp_return"):
            emit.place = ir.InsertionPoint(end)
            self.protocol.end(running, waiting)
            emit.branch(self.waiting.wait)
            end.erase()

    def lower_default(
        self, specialization: ir.Operation, first_task: int, captures: list[ir.Value], stored: list[int]
    ) -> list[ir.Block]:
        """Starts the partitions before the default region, and waits for them after it.

        Returns:
            The blocks that follow that of the operation: the region's, and one with what comes after the operation.
        """
        emit, registers = self.emit, registers_of(specialization)
        own, default = (self.own_registers, registers[0]) if registers else (0, 0)
        tasks = [IDLE] * self.workers
        starts, counts = specialization.attributes["warpGroupStartIds"], specialization.attributes["partitionNumWarps"]
        for number, (start, warps) in enumerate(zip(starts, counts, strict=True)):
            tasks[start - self.own : start - self.own + warps] = [first_task + number] * warps
        blocks = list(specialization.regions[0].blocks)
        yields = ends(blocks, "ttg.warp_yield")
        types = [before_cast(value).type for value in (yields[0].operands if yields else specialization.results)]
        after = self.function.regions[0].blocks.append(*types, arg_locs=[specialization.location] * len(types))
        emit.place = ir.InsertionPoint(specialization)
        self.assign(tasks, are_equal=False)
        for index, place in zip(stored, self.places(specialization, captures, stored)):
            emit.effect("llvm.store", captures[index], place, alignment=emit.integer(1))
        self.protocol.start(own, default)
        emit.branch(blocks[0])
        here = [op.operation for op in specialization.block.operations]
        for op in here[here.index(specialization) + 1 :]:
            after.append(op)
        for end in yields:
            emit.place = ir.InsertionPoint(end)
            self.protocol.end(default, own)
            emit.branch(after, *map(before_cast, end.operands))
            end.erase()
        for result, argument in zip(specialization.results, after.arguments):
            hand_over(result, argument)
        return [*blocks, after]

    def places(self, specialization: ir.Operation, captures: list[ir.Value], stored: list[int]) -> Iterator[ir.Value]:
        """The addresses of captures in shared memory, one after the other."""
        if not stored:
            return
        offset = number_of(specialization, "allocation.offset", "allocate-shared-memory gives its captures memory")
        base = self.address(offset)
        types = ", ".join(str(captures[index].type) for index in stored)
        struct = ir.TypeAttr.get(ir.Type.parse(f"!llvm.struct<packed ({types})>", self.emit.context))
        for index in range(len(stored)):
            yield self.gep(base, 0, index, element=struct)

    def assign(self, tasks: list[int], are_equal: bool = True) -> None:
        """Stores the task of each other warp."""
        emit, memory = self.emit, self.address(self.tasks)
        value = self.constant(tasks[0], 8) if are_equal and tasks else None
        for index, task in enumerate(tasks):
            written = value or self.constant(task, 8)
            emit.effect("llvm.store", written, self.gep(memory, index))

    # --- Single instructions ------------------------------------------------------------------------------------------
    def constant(self, value: int, bits: int = 32) -> ir.Value:
        """An integer constant at the insertion point."""
        type = self.emit.i8 if bits == 8 else self.emit.i32
        return self.emit.op("llvm.mlir.constant", type, value=ir.IntegerAttr.get(type, value))

    def address(self, offset: int) -> ir.Value:
        """The address of a byte of shared memory."""
        emit, distance = self.emit, self.constant(offset)
        symbol = ir.FlatSymbolRefAttr.get(SHARED_MEMORY, emit.context)
        return self.gep(emit.op("llvm.mlir.addressof", emit.pointers[3], global_name=symbol), distance)

    def gep(self, base: ir.Value, *indices: ir.Value | int, element: ir.Attribute | None = None) -> ir.Value:
        """An llvm.getelementptr with indices that are values or constants; of bytes without `element`."""
        emit = self.emit
        constants = [index if isinstance(index, int) else DYNAMIC for index in indices]
        return emit.op(
            "llvm.getelementptr",
            base.type,
            base,
            *(index for index in indices if not isinstance(index, int)),
            rawConstantIndices=ir.DenseI32ArrayAttr.get(constants, emit.context),
            elem_type=element or ir.TypeAttr.get(emit.i8, emit.context),
        )

    def replace_barrier(self, barrier: ir.Operation, number: int, warps: int) -> None:
        """Replaces a barrier of the whole CTA by one of some warps."""
        emit, emit.place = self.emit, ir.InsertionPoint(barrier)
        if warps == 1:
            emit.effect("nvvm.bar.warp.sync", self.constant(-1))
        else:
            emit.named_barrier(self.constant(number), self.constant(warps * self.lanes))
        barrier.erase()


# --- Queries ----------------------------------------------------------------------------------------------------------
def is_shared_memory(variable: ir.Operation) -> bool:
    """Whether a global variable is that of shared memory."""
    attributes = variable.attributes
    in_shared = "addr_space" in attributes and attributes["addr_space"].value == 3
    return in_shared and attributes["sym_name"].value == SHARED_MEMORY


def number_of(op: ir.Operation, name: str, remedy: str, blamed: ir.Operation | None = None) -> int:
    """The value of an integer attribute; raises PassError at `blamed` or the operation if it is missing."""
    if name not in op.attributes:
        raise PassError(blamed or op, f"warps are specialized, and {op.name} has no '{name}': {remedy}")
    found = op.attributes[name]
    if not isinstance(found, ir.IntegerAttr):
        raise PassError(blamed or op, f"{op.name} has '{name}' = {found}; it must be an integer: {remedy}")
    return found.value


def registers_of(specialization: ir.Operation) -> list[int]:
    """Registers a thread of the default region and of each partition; empty without the attribute."""
    return list(specialization.attributes.get("actualRegisters", ()))


def ends(blocks: Iterable[ir.Block], name: str) -> list[ir.Operation]:
    """The terminators of blocks that are named `name`."""
    last = [block.operations[len(block.operations) - 1].operation for block in blocks]
    return [op for op in last if op.name == name]


def found_in(blocks: Iterable[ir.Block], name: str) -> list[ir.Operation]:
    """All operations named `name` in blocks."""
    nested = (inner for block in blocks for op in block.operations for inner in operations(op.operation))
    return [op for op in nested if op.name == name]
