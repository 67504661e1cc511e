"""Place clock reads, and the buffers for them, at the regions that a kernel marks for timing.

    proton.record start "load"
    %x = tt.load %p
    proton.record end "load"
  =>
    %scratch = proton_gpu.global_scratch_alloc {alignment = 128 : i32, nbytes = 1152 : i32} : !tt.ptr<i32>
    proton_gpu.initialize %scratch
    %buffer = ttg.local_alloc : () -> !ttg.memdesc<256xi32, #shared, #smem, mutable>
    %segment = proton_gpu.segment_alloc %buffer : ... -> <1024, #smem, warp>
    %0 = proton_gpu.read_counter : i32
    proton_gpu.circular_store start %segment, %0 {scopeId = 0 : i32}
    %x = tt.load %p
    %1 = proton_gpu.read_counter : i32
    proton_gpu.circular_store end %segment, %1 {scopeId = 0 : i32}
    gpu.barrier
    proton_gpu.finalize %segment, %scratch

Each pair of records has a number, its scopeId.  The module's `ttg.proton_scopes` and `ttg.proton_parents` have the
name of each number and the region around it.  Without the option for its size, the buffer is a 32nd of the remaining
shared memory, rounded up to a power of two: as many programs run at once as without the pass.  In global memory it is
16 KiB a part.

Differs from Triton: functions without records may be called.

Input:  ttg with control flow of scf or cf; shared memory is allocated.      Output: proton_gpu for proton.
Order:  after allocate-shared-memory: the remaining memory determines the size of the buffer.
Skips:  nothing; records in functions that are not inlined are refused.
Test:   test/lit/passes/proton_to_protongpu.mlir
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from mlir import ir

from ttkit.dialects import arith, gpu, proton_gpu, tt, ttg
from ttkit.inspection import enclosing
from ttkit.module_attributes import module_number
from ttkit.operation_sets import PARTITIONS, WARP_SPECIALIZE
from ttkit.passes.infra import Pass, PassError, collect, option, set_operands
from ttkit.passes.layouts.thread_counts import total_warps
from ttkit.records import dataclass

HEADER_WORDS = 10
WORD, ENTRY = 4, 8
MOST_SCOPES = 256
GLOBAL_PART = 16 << 10
SCOPES, PARENTS = "ttg.proton_scopes", "ttg.proton_parents"
_WARPS = {"warp": 1, "warp_2": 2, "warp_4": 4, "warp_8": 8}
_GROUPS = {"warp_group": 4, "warp_group_2": 8, "warp_group_4": 16, "warp_group_8": 32}


@dataclass(frozen=True)
class ProtonToProtonGPU(Pass):
    """Place clock reads and their buffers at the regions that are timed"""

    name = "convert-proton-to-protongpu"
    dependent_dialects = ("proton_gpu", "tt", "ttg", "arith", "gpu")

    metric_type: str = option("cycle", "what is counted: cycle")
    sampling_strategy: str = option(
        "none", "which warps are timed: none for all of them, selective for those of sampling-options"
    )
    sampling_options: str = option("", "numbers of warps, with commas")
    granularity: str = option("warp", "which warps share a part: cta, warp, warp_2, ..., warp_group, ...")
    buffer_strategy: str = option("circular", "what happens when a part is full: circular, the oldest entries go")
    buffer_type: str = option("shared", "where the buffer is: shared or global")
    buffer_size: int = option(0, "bytes of a program's buffer; 0 for what suits the memory that is left")
    max_shared_mem_size: int = option(32768, "bytes of shared memory that a program may have")
    scratch_mem_size: int = option(32768, "not looked at")
    scratch_mem_alignment: int = option(128, "of the scratch memory, in bytes")
    clock_extension: bool = option(False, "read 64 bits of the clock")

    def run(self, op: ir.Operation) -> None:
        """Pairs the records, replaces them, and notes names and parents of the regions on the module.

        Raises:
            PassError: an option is wrong, records make no pairs, or a record is in another function than the kernel.
        """
        records = collect(op, ["proton.record"])
        if not records:
            return
        self._check(op)
        kernel = _function_of(records[0])
        if stray := next((record for record in records if _function_of(record) != kernel), None):
            raise PassError(stray, "a region in another function than the kernel can't be timed: let it be inlined")
        scopes = pair(records)
        _Placement(self, op, kernel, total_warps(op)).place(scopes)
        context = op.context
        op.attributes[SCOPES] = ir.ArrayAttr.get([ir.StringAttr.get(name, context) for name in scopes.names], context)
        op.attributes[PARENTS] = ir.DenseI32ArrayAttr.get(scopes.parents, context)

    def _check(self, op: ir.Operation) -> None:
        for name, value, known in (
            ("metric-type", self.metric_type, ("cycle",)),
            ("sampling-strategy", self.sampling_strategy, ("none", "selective")),
            ("granularity", self.granularity, ("cta", *_WARPS, *_GROUPS)),
            ("buffer-strategy", self.buffer_strategy, ("circular",)),
            ("buffer-type", self.buffer_type, ("shared", "global")),
        ):
            if value not in known:
                raise PassError(op, f"{name} '{value}' is not supported; use {' or '.join(known)}")

    def selected(self, op: ir.Operation) -> list[int]:
        """The numbers of the warps that are timed; empty for all.

        Raises:
            PassError: the option does not consist of numbers.
        """
        if self.sampling_strategy == "none":
            return []
        try:
            return sorted({int(text) for text in self.sampling_options.split(",")})
        except ValueError:
            found = f"sampling-options '{self.sampling_options}'"
            raise PassError(op, f"{found} are not numbers of warps; write 0,4") from None


def units(granularity: str, warps: int) -> int:
    """The number of warp groups that write together."""
    size = {**_WARPS, **_GROUPS}.get(granularity, warps)
    return max(1, warps // size)


@dataclass
class Scopes:
    """Pairs of records: record -> number of its pair, and the names and parents by number; -1 without a parent."""

    numbers: dict[ir.Operation, int] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)


def pair(records: list[ir.Operation]) -> Scopes:
    """Finds the end of each region, in the order in which the records stand.

    Raises:
        PassError: a region has no beginning or no end; or there are too many.
    """
    scopes = Scopes()
    opened: list[tuple[int, ir.Operation]] = []
    for record in records:
        name = record.attributes["name"].value
        if "isStart" in record.attributes:
            number = len(scopes.names)
            scopes.names.append(name)
            scopes.parents.append(opened[-1][0] if opened else -1)
            opened.append((number, record))
        else:
            place = next((at for at in reversed(range(len(opened))) if scopes.names[opened[at][0]] == name), None)
            if place is None:
                raise PassError(record, f"The scope name '{name}' is not properly closed (missing start record)")
            number, _ = opened.pop(place)
        scopes.numbers[record] = number
    if opened:
        number, record = opened[0]
        raise PassError(record, f"The scope name '{scopes.names[number]}' is not properly closed (missing end record)")
    if len(scopes.names) > MOST_SCOPES:
        raise PassError(records[0], f"the kernel has {len(scopes.names)} regions; up to {MOST_SCOPES} can be timed")
    return scopes


class _Placement:
    """The buffers of one kernel, and the operations that write to them."""

    def __init__(self, options: ProtonToProtonGPU, module: ir.Operation, kernel: ir.Operation, warps: int) -> None:
        self.options, self.module, self.kernel, self.warps = options, module, kernel, warps
        self.context = kernel.context
        self.clock = ir.IntegerType.get_signless(64 if options.clock_extension else 32, self.context)
        self.is_shared = options.buffer_type == "shared"
        self.pointer = ir.Type.parse("!tt.ptr<i32>", self.context)

    def place(self, scopes: Scopes) -> None:
        """Replaces the records."""
        size = self.size()
        header = (HEADER_WORDS + self.warps) * WORD
        alignment = self.options.scratch_mem_alignment
        needed = -(-(header + size) // alignment) * alignment
        specialized = collect(self.kernel, [WARP_SPECIALIZE])
        with self.kernel.location, ir.InsertionPoint.at_block_begin(self.kernel.regions[0].blocks[0]):
            scratch = proton_gpu.global_scratch_alloc(self.pointer, needed, alignment)
            proton_gpu.initialize(scratch)
            if self.is_shared:
                layout = "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>"
                memory = f"!ttg.memdesc<{size // WORD}xi32, {layout}, #ttg.shared_memory, mutable>"
                buffer = ttg.local_alloc(ir.Type.parse(memory))
            else:
                buffer = tt.addptr(scratch, arith.i32(header // WORD))
            segment = proton_gpu.segment_alloc(self._segment_type(size), buffer)
            if specialized:
                proton_gpu.init_ctx(scratch)
        by_region: dict[ir.Block | None, ir.Value] = {}
        for op in specialized:
            by_region.update(self.capture(op, buffer, scratch, size))
        for record, scope in scopes.numbers.items():
            self.read(record, by_region.get(_partition_of(record), segment), scope)
        for leaving in collect(self.kernel, ["tt.return"]):
            with self.kernel.location, ir.InsertionPoint(leaving):
                gpu.barrier()
                proton_gpu.finalize(segment, scratch)

    def size(self) -> int:
        """Bytes of the buffer: as the option says, else what suits the memory that is left.

        Raises:
            PassError: a selected warp that is not there, a size that is no power of two, or too little shared memory.
        """
        selected = self.options.selected(self.module)
        parts = len(selected) or units(self.options.granularity, self.warps)
        if selected and selected[-1] >= units(self.options.granularity, self.warps):
            raise PassError(self.kernel, f"there is no warp {selected[-1]}: the kernel has {self.warps}")
        used = module_number(self.module, "ttg.shared", 0)
        left = self.options.max_shared_mem_size - used
        size = self.options.buffer_size
        if not size:
            size = _power_of_two(left // 32) if self.is_shared else GLOBAL_PART * parts
            size = max(size // parts, ENTRY) * parts
            size = parts * (1 << (size // parts).bit_length() - 1)
        part = size // parts
        if part & (part - 1) or part * parts != size or part < ENTRY:
            raise PassError(self.kernel, f"buffer-size per segment({part}) must be power of 2, 8 at least")
        if self.is_shared and size > left:
            what = f"a buffer of {size} bytes for times and has {max(left, 0)} of shared memory left"
            raise PassError(self.kernel, f"the kernel needs {what}: use buffer-type=global, or a smaller one")
        return size

    def _segment_type(self, size: int) -> ir.Type:
        space = "#ttg.shared_memory" if self.is_shared else "#proton_gpu.global_memory"
        selected = self.options.selected(self.module)
        some = f", {selected}" if selected else ""
        return ir.Type.parse(f"!proton_gpu.segment<{size}, {space}, {self.options.granularity}{some}>", self.context)

    def capture(
        self, op: ir.Operation, buffer: ir.Value, scratch: ir.Value, size: int
    ) -> Iterator[tuple[ir.Block, ir.Value]]:
        """Gives the partitions of specialized warps the buffer: {first block of a partition: its segment}."""
        set_operands(op, [*op.operands, buffer, scratch])
        for partitions in op.regions[1].blocks[0].operations:
            for region in partitions.operation.regions:
                block = region.blocks[0]
                own_buffer = block.add_argument(buffer.type, self.kernel.location)
                own_scratch = block.add_argument(scratch.type, self.kernel.location)
                if not _has_records(region):
                    continue
                with self.kernel.location, ir.InsertionPoint.at_block_begin(block):
                    segment = proton_gpu.segment_alloc(self._segment_type(size), own_buffer)
                    proton_gpu.restore_ctx(segment, own_scratch)
                for each in region.blocks:
                    last = each.operations[len(each.operations) - 1]
                    if last.operation.name == "ttg.warp_return":
                        proton_gpu.finalize(segment, own_scratch, loc=self.kernel.location, ip=ir.InsertionPoint(last))
                yield block, segment

    def read(self, record: ir.Operation, segment: ir.Value, scope: int) -> None:
        """Writes the clock in place of a record."""
        with record.location, ir.InsertionPoint(record):
            counter = proton_gpu.read_counter(self.clock)
            proton_gpu.circular_store(segment, counter, scope, is_start="isStart" in record.attributes)
        record.erase()


def _power_of_two(value: int) -> int:
    """The least power of two that is not smaller."""
    return 1 << max(value - 1, 0).bit_length()


def _function_of(record: ir.Operation) -> ir.Operation:
    function = enclosing(record, "tt.func")
    if function is None:
        raise PassError(record, "a region outside of any function can't be timed")
    return function


def _partition_of(record: ir.Operation) -> ir.Block | None:
    """The first block of the partition of specialized warps that a record is in; None outside of them."""
    op = record
    while op.name != "tt.func":
        parent = op.parent.operation
        if parent.name == PARTITIONS:
            return op.block.region.blocks[0]
        op = parent
    return None


def _has_records(region: ir.Region) -> bool:
    return any(collect(op.operation, ["proton.record"]) for block in region.blocks for op in block.operations) or any(
        op.operation.name == "proton.record" for block in region.blocks for op in block.operations
    )
