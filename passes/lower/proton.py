"""Lower the timing of regions: reads of the clock, entries in a circular buffer for each warp, and writing them out.

The first lane of the first warp of each part writes.  Its position in the buffer is a variable on the stack, which LLVM
keeps in a register.  At the end each warp copies its own part, so that no warp waits for another.

Ops: dialects/proton_gpu/buffer_ops.td    Test: test/lit/lower/proton.mlir
"""

from typing import NamedTuple

from mlir import ir

from ttkit.passes.lower.lowering import Lowering, Unsupported
from ttkit.passes.lower.mbarrier import leader
from ttkit.passes.lower.memory import predicated_store
from ttkit.passes.lower.operations import STAYS_A_LOOP
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.types import SharedView
from ttkit.passes.proton_to_protongpu import HEADER_WORDS, units

MAGIC = 0xDEADBEEF
PROGRAM, MULTIPROCESSOR, SEGMENT_BYTES, BEGUN, BEFORE_END, ENDED = 1, 2, 3, 4, 6, 8
SCOPE_BIT, END_BIT, CLOCK_MASK = 23, 31, 0x7FF


class Segment(NamedTuple):
    """The segment of one thread.

    part: pointer to the part of this thread's warp.
    words: of a part, a power of two.
    at: pointer to the number of words that the warp has written.
    owns: i1, whether this thread's warp writes.
    writes: i1, whether this thread does it.
    warp: i32, the warp in its CTA.
    is_shared: whether it is in shared memory.
    start: words from the beginning of the segment to the part, i32.
    """

    part: ir.Value
    words: int
    at: ir.Value
    owns: ir.Value
    writes: ir.Value
    warp: ir.Value
    is_shared: bool
    start: ir.Value


@lowers("proton.record")
def record(low: Lowering, op: ir.OpView) -> None:
    """Always raises Unsupported: an earlier pass has to replace the operation, since it has no destination."""
    raise Unsupported(op, "it does not say where its times go", "run convert-proton-to-protongpu first")


@lowers("proton_gpu.global_scratch_alloc")
def global_scratch_alloc(low: Lowering, op: ir.OpView) -> ir.Value:
    """The program's part of the profile scratch memory.  Raises Unsupported if it has no offset."""
    emit, attributes = low.emit, op.operation.attributes
    if "offset" not in attributes:
        raise Unsupported(
            op, "it has no offset in scratch memory yet", "run allocate-proton-global-scratch-buffer first"
        )
    return emit.gep(low.parameters.profile_scratch(), attributes["offset"].value, emit.i8)


@lowers("proton_gpu.initialize")
def initialize(low: Lowering, op: ir.OpView, scratch: ir.Value) -> None:
    """The header of the scratch memory, without the amounts that warps have written, which come last."""
    emit = low.emit
    processor = emit.op("nvvm.read.ptx.sreg.smid", emit.i32)
    magic = emit.i32_constant(MAGIC - (1 << 32))
    for word, value in ((0, magic), (PROGRAM, low.parameters.cta()), (MULTIPROCESSOR, processor)):
        put(low, scratch, word, value)
    put_time(low, scratch, BEGUN)


@lowers("proton_gpu.segment_alloc")
def segment_alloc(low: Lowering, op: ir.OpView, buffer: SharedView | ir.Value) -> Segment:
    """An empty segment."""
    emit, index, type = low.emit, low.index, SegmentText(op.segment.type)
    size = low.total_warps // units(type.granularity, low.total_warps)
    warp = low.index.warp()
    if index.first_warp:
        warp = emit.add(warp, emit.i32_constant(index.first_warp))
    unit = warp if size == 1 else emit.lshr(warp, size.bit_length() - 1)
    parts = len(type.selected) or units(type.granularity, low.total_warps)
    words = type.bytes // 4 // parts
    owns = emit.compare("eq", emit.and_(warp, emit.i32_constant(size - 1)), emit.i32_constant(0))
    if type.selected:
        number, is_selected = emit.i32_constant(0), emit.compare("ne", unit, unit)
        for place, selected in enumerate(type.selected):
            this = emit.compare("eq", unit, emit.i32_constant(selected))
            number = emit.select(this, emit.i32_constant(place), number)
            is_selected = emit.or_(is_selected, this)
        unit, owns = number, emit.and_(owns, is_selected)
    writes = emit.and_(owns, emit.compare("eq", index.lane(), emit.i32_constant(0)))
    start = emit.mul(unit, emit.i32_constant(words))
    is_shared = isinstance(buffer, SharedView)
    part = emit.gep(buffer.base if isinstance(buffer, SharedView) else buffer, start, emit.i32)
    at = index.once(
        ("proton", op.operation),
        lambda: emit.op("llvm.alloca", emit.pointers[0], emit.i32_constant(1), elem_type=ir.TypeAttr.get(emit.i32)),
    )
    emit.store(emit.i32_constant(0), at, 4)
    return Segment(part, words, at, owns, writes, warp, is_shared, start)


class SegmentText:
    """Parameters of a segment's type, which has no Python class."""

    def __init__(self, type: ir.Type) -> None:
        text = str(type)
        inside = text[text.index("<") + 1 : text.rindex(">")]
        inside, _, selected = inside.partition("[")
        fields = [field.strip() for field in inside.rstrip(", ").split(",")]
        self.bytes, self.granularity = int(fields[0]), fields[-1]
        self.selected = [int(number) for number in selected.rstrip("]").split(",") if number.strip()]


@lowers("proton_gpu.read_counter")
def read_counter(low: Lowering, op: ir.OpView) -> ir.Value:
    """The clock of the multiprocessor, 32 or 64 bits."""
    emit, type = low.emit, op.counter.type
    return emit.op(f"nvvm.read.ptx.sreg.clock{'64' if type == emit.i64 else ''}", type)


def allocated(op: ir.OpView, segment: object) -> Segment:
    """The lowered segment of an operation.

    Raises:
        Unsupported: it is not allocated in the function; it may be an argument, for example.
    """
    if not isinstance(segment, Segment):
        raise Unsupported(
            op, "its segment is not a result of proton_gpu.segment_alloc", "allocate it in the same function"
        )
    return segment


@lowers("proton_gpu.circular_store")
def circular_store(low: Lowering, op: ir.OpView, segment: Segment, counter: ir.Value) -> None:
    """An entry: a scope that began or ended, and the time."""
    segment = allocated(op, segment)
    emit = low.emit
    tag = (0 if op.isStart else 1 << END_BIT) | op.scopeId << SCOPE_BIT
    tag_value = emit.i32_constant(tag - (1 << 32) if tag >> 31 else tag)
    if counter.type == emit.i64:
        high = emit.cast("trunc", emit.lshr(counter, 32), emit.i32)
        tag_value = emit.or_(tag_value, emit.and_(high, emit.i32_constant(CLOCK_MASK)))
        counter = emit.cast("trunc", counter, emit.i32)
    at = emit.load(segment.at, emit.i32, 4)
    place = emit.gep(segment.part, emit.and_(at, emit.i32_constant(segment.words - 1)), emit.i32)
    space = ".shared" if segment.is_shared else ".global"
    predicated_store(low.emit, place, emit.pack([tag_value, counter]), segment.writes, space, emit.i32, 2)
    emit.store(emit.add(at, emit.i32_constant(2)), segment.at, 4)


@lowers("proton_gpu.finalize")
def finalize(low: Lowering, op: ir.OpView, segment: Segment, scratch: ir.Value) -> None:
    """Copies this warp's part, and the amount that it wrote, to the scratch memory."""
    segment = allocated(op, segment)
    put_time(low, scratch, BEFORE_END)
    put(low, scratch, SEGMENT_BYTES, low.emit.i32_constant(SegmentText(op.segment.type).bytes))
    save(low, segment, scratch)
    if segment.is_shared:
        copy(low, segment, scratch)
    put_time(low, scratch, ENDED)


def copy(low: Lowering, segment: Segment, scratch: ir.Value) -> None:
    """Copies the part of this thread's warp, by all its lanes, if the warp writes one."""
    emit = low.emit
    low.warps.synchronize_warp()
    start = emit.add(segment.start, emit.i32_constant(HEADER_WORDS + low.total_warps))
    target = emit.gep(scratch, start, emit.i32)
    assert emit.place is not None
    body = emit.place.block.create_after(emit.i32, arg_locs=[emit.location])
    after = body.create_after()
    fits = emit.compare("ult", low.index.lane(), emit.i32_constant(segment.words))
    branch(low, emit.and_(segment.owns, fits), low.index.lane(), body, after)
    emit.place = ir.InsertionPoint(body)
    (word,) = body.arguments
    value = emit.load(emit.gep(segment.part, word, emit.i32), emit.i32, 4)
    emit.store(value, emit.gep(target, word, emit.i32), 4)
    following = emit.add(word, emit.i32_constant(low.threads_per_warp))
    branch(low, emit.compare("ult", following, emit.i32_constant(segment.words)), following, body, after)
    emit.place = ir.InsertionPoint(after)


def branch(low: Lowering, condition: ir.Value, word: ir.Value, body: ir.Block, after: ir.Block) -> None:
    """Branches to the body with the next word, or past the loop."""
    annotation = low.emit.attribute(STAYS_A_LOOP)
    low.emit.branch_if(condition, (body, [word]), (after, ()), loop_annotation=annotation)


@lowers("proton_gpu.init_ctx")
def init_ctx(low: Lowering, op: ir.OpView, scratch: ir.Value) -> None:
    """Initializes the buffer: no warp has written."""
    for warp in range(low.total_warps):
        put(low, scratch, HEADER_WORDS + warp, low.emit.i32_constant(0))
    low.warps.synchronize()


@lowers("proton_gpu.save_ctx")
def save_ctx(low: Lowering, op: ir.OpView, segment: Segment, scratch: ir.Value) -> None:
    """Amount that this warp has written."""
    segment = allocated(op, segment)
    save(low, segment, scratch)


def save(low: Lowering, segment: Segment, scratch: ir.Value) -> None:
    """Stores the amount that this warp has written in the scratch memory."""
    emit = low.emit
    place = emit.gep(scratch, emit.add(segment.warp, emit.i32_constant(HEADER_WORDS)), emit.i32)
    written = emit.pack([emit.load(segment.at, emit.i32, 4)])
    predicated_store(low.emit, place, written, segment.writes, ".global", emit.i32, 1)


@lowers("proton_gpu.restore_ctx")
def restore_ctx(low: Lowering, op: ir.OpView, segment: Segment, scratch: ir.Value) -> None:
    """Continues at the position of this warp's last `save_ctx` or `finalize`."""
    segment = allocated(op, segment)
    emit = low.emit
    place = emit.gep(scratch, emit.add(segment.warp, emit.i32_constant(HEADER_WORDS)), emit.i32)
    emit.store(emit.load(place, emit.i32, 4), segment.at, 4)


def put(low: Lowering, scratch: ir.Value, word: int, value: ir.Value) -> None:
    """Stores a word in the scratch memory, by the first thread."""
    emit = low.emit
    predicated_store(emit, emit.gep(scratch, word, emit.i32), emit.pack([value]), leader(low), ".global", emit.i32, 1)


def put_time(low: Lowering, scratch: ir.Value, word: int) -> None:
    """The global time, in ns: two words."""
    emit = low.emit
    time = emit.op("nvvm.read.ptx.sreg.globaltimer", emit.i64)
    put(low, scratch, word, emit.cast("trunc", time, emit.i32))
    put(low, scratch, word + 1, emit.cast("trunc", emit.lshr(time, 32), emit.i32))
