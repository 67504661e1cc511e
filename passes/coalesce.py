"""Give loads and stores the layout in which the threads of a warp access neighbouring addresses.

    %x = tt.load %p : tensor<1024x!tt.ptr<f16>, #blocked>     // one element a thread; %p is contiguous, divisible by 16
  =>
    %q = ttg.convert_layout %p : tensor<1024x!tt.ptr<f16>, #blocked> -> tensor<1024x!tt.ptr<f16>, #blocked1>
    %y = tt.load %q : tensor<1024x!tt.ptr<f16>, #blocked1>    // sizePerThread = [8]: 16 bytes a thread
    %x = ttg.convert_layout %y : tensor<1024xf16, #blocked1> -> tensor<1024xf16, #blocked>

The dimension along which addresses grow fastest comes first; a thread gets as many neighbours as one instruction can
move, 16 bytes at most.  Accesses of one shape and order that values connect get the same layout, the widest of theirs;
but a store or atomic takes no more than it can move, or each warp would leave gaps in memory.

With `count-masks`, an instruction moves no more elements than the mask keeps or drops together.  Where the mask decides
about each element, neighbouring threads then access neighbouring elements: a warp touches fewer sectors, and writes
whole ones.  A scan is cheaper if a thread holds neighbours, so loads that are connected with one stay wide.

With `by-stride`, dimensions of the same contiguity are in the order of their strides, if the kernel says all of them:
threads of a warp then access what is closest in memory, and a sum over the first of three dimensions of a tensor in
memory stays within threads.

With `scans`, a thread has rows next to each other where rows are scanned: it then sums its own, and exchanges one sum
instead of one of each row.

    tensor<64x64xf32>, scanned along 0: sizePerThread = [1, 4]  =>  [8, 4], warps of 8 rows each times 64 columns

Input:  ttg.      Output: ttg; conversions around all memory accesses, for remove-layout-conversions to remove.
Order:  right after convert-triton-to-tritongpu.
Skips:  accesses of scalars and through block pointers.
Test:   test/lit/passes/coalesce.mlir
"""

from dataclasses import replace
from math import gcd, prod
from typing import NamedTuple

from mlir import ir

from ttkit.analysis.axis_analysis import HINTS, AxisInfoAnalysis
from ttkit.analysis.axis_info import AxisInfo
from ttkit.analysis.strides import StrideAnalysis, Strides
from ttkit.analysis.vector_width import aligned_elements, mask_alignment
from ttkit.dialects._tt_types import PointerType
from ttkit.inspection import element_bits
from ttkit.layout.blocked import blocked_in_ctas
from ttkit.layout.clusters import cga_layout, shape_per_cta
from ttkit.layout.encodings import Blocked, Layout
from ttkit.layout.hardware import SECTOR_BYTES, VECTOR_BITS
from ttkit.operation_sets import ALL_POINTER_ACCESSES, DESCRIPTOR_LOADS, DESCRIPTOR_STORES
from ttkit.passes.infra import Pass, PassError, collect, option
from ttkit.passes.infra.masks import access_mask, pointer_of
from ttkit.passes.infra.slices import connected_slices
from ttkit.passes.layouts.assignment import convert_layout, convert_operand, tensor_layout, with_layout
from ttkit.passes.layouts.open_layouts import is_open, layout_or_one_cta
from ttkit.passes.layouts.thread_counts import num_warps, threads_per_warp
from ttkit.records import dataclass

DESCRIPTOR_ACCESSES = (*DESCRIPTOR_LOADS, *DESCRIPTOR_STORES)


@dataclass(frozen=True)
class Coalesce(Pass):
    """Give loads and stores layouts in which a warp accesses neighbouring addresses"""

    name = "tritongpu-coalesce"
    count_masks: bool = option(False, "move no more elements at once than a mask keeps or drops together")
    by_stride: bool = option(False, "put dimensions of the same contiguity in the order of known strides")
    scans: bool = option(False, "give threads the rows that are neighbours along the axis of a scan")

    def run(self, op: ir.Operation) -> None:
        """Chooses all layouts first, while the facts about pointers hold, then converts at each access.

        Raises:
            PassError: the layout of pointers is open.
        """
        found = collect(op, [*ALL_POINTER_ACCESSES, *DESCRIPTOR_ACCESSES])
        through_pointers = [access for access in found if points_to_elements(access)]
        for access in through_pointers:
            if is_open(pointer_of(access).type):
                raise PassError(access, "the layout of pointers is open: gluon-resolve-auto-encodings finds it, before")
        layouts = [(access, descriptor_layout(access)) for access in found if access.name in DESCRIPTOR_ACCESSES]
        analysis = AxisInfoAnalysis()
        note_argument_facts(op, analysis)
        if through_pointers:
            layouts += coalesced_layouts(op, through_pointers, analysis, self)
        for access, layout in layouts:
            set_layout(access, layout)


def points_to_elements(access: ir.Operation) -> bool:
    """Whether the operation accesses memory through a tensor of pointers."""
    if access.name not in ALL_POINTER_ACCESSES:
        return False
    type = pointer_of(access).type
    return isinstance(type, ir.RankedTensorType) and isinstance(type.element_type, PointerType)


class Access(NamedTuple):
    """Layout, shape, bits of an element, dimension order (fastest first) and vector width of a memory access."""

    layout: Layout
    shape: tuple[int, ...]
    bits: int
    order: tuple[int, ...]
    per_thread: int  # neighbours that one instruction can move


def coalesced_layouts(
    root: ir.Operation, ops: list[ir.Operation], analysis: AxisInfoAnalysis, options: Coalesce
) -> list[tuple[ir.Operation, Blocked]]:
    """The layout of each access through pointers."""
    strides = StrideAnalysis() if options.by_stride else None
    scans = collect(root, ["tt.scan"]) if options.count_masks or options.scans else []
    slices, inside = connected_slices(root, [*ops, *scans])
    of_scans = slices[len(ops) :]
    scanned = set(of_scans) if options.count_masks else set[int]()
    accesses = [
        describe_access(op, analysis, options.count_masks and not (op.name == "tt.load" and number in scanned), strides)
        for op, number in zip(ops, slices)
    ]
    widest: dict[tuple[int, tuple[int, ...], tuple[int, ...]], int] = {}
    for access, number in zip(accesses, slices):
        key = (number, access.shape, access.order)
        widest[key] = max(widest.get(key, 1), access.per_thread)
    axes: dict[tuple[int, tuple[int, ...]], set[int]] = {}
    for scan, number in zip(scans if options.scans else [], of_scans):
        axes.setdefault((number, tuple(scan.operands[0].type.shape)), set()).add(scan.opview.axis)
    found = []
    for op, access, number in zip(ops, accesses, slices):
        widths = [widest.get((n, access.shape, access.order), 1) for n in inside[number]]
        layout = coalesced_layout(op, access, widths)
        found.append((op, with_scanned_rows(layout, access, axes.get((number, access.shape), set()))))
    return found


def with_scanned_rows(layout: Blocked, access: Access, axes: set[int]) -> Blocked:
    """The layout, with neighbours along the axis of scans in one thread where warps then touch as many sectors."""
    fastest = access.order[0]
    if len(axes) != 1 or fastest in axes:
        return layout
    (axis,) = axes
    shape, sizes = shape_per_cta(access.shape, layout), list(layout.size_per_thread)
    row = min(sizes[fastest] * layout.threads_per_warp[fastest], shape[fastest])
    if row * access.bits < 8 * SECTOR_BYTES:
        return layout  # rows share sectors: those of neighbouring lanes are to be neighbours
    sizes[axis] = max(sizes[axis], shape[axis] // (layout.threads_per_warp[axis] * layout.warps_per_cta[axis]))
    return replace(layout, size_per_thread=tuple(sizes))


def describe_access(
    op: ir.Operation, analysis: AxisInfoAnalysis, count_mask: bool, strides: StrideAnalysis | None = None
) -> Access:
    """Describes a load or store through pointers; its dimensions are in the order of their contiguity.

    Args:
        count_mask: whether the mask limits the elements that one instruction moves.
        strides: orders dimensions of the same contiguity, if given.
    """
    pointer = pointer_of(op)
    layout, shape = layout_or_one_cta(pointer.type), tuple(pointer.type.shape)
    info = analysis.info(pointer)
    order = contiguous_first(pointer, info, strides)
    fastest = order[0]
    part = shape_per_cta(shape, layout)[fastest]
    bits = element_bits(pointer.type.element_type.pointee_type)
    neighbours = min(aligned_elements(info, fastest, max(bits // 8, 1)), part)
    mask = access_mask(op) if count_mask else None
    if mask is not None:
        neighbours = min(neighbours, mask_alignment(analysis, mask, fastest))
    return Access(layout, shape, bits, order, min(neighbours, VECTOR_BITS // bits))


def contiguous_first(pointer: ir.Value, info: AxisInfo, strides: StrideAnalysis | None) -> tuple[int, ...]:
    """The dimensions of a pointer, the most contiguous one first, then by their strides if these are analysed."""
    contiguity, dims = info.contiguity, range(len(info.contiguity))
    found: Strides = (None,) * len(dims)
    if strides is not None and len({*contiguity}) < len(dims):
        found = strides.strides(pointer)

    def place(dim: int) -> tuple[int, int, int]:
        """The key by which dimensions are sorted."""
        alike = [found[other] for other in dims if contiguity[other] == contiguity[dim]]
        known = all(alike)  # None is not known, and 0 says nothing about the order
        return -contiguity[dim], abs(found[dim] or 0) if known else 0, dim

    return tuple(sorted(dims, key=place))


def coalesced_layout(op: ir.Operation, access: Access, connected: list[int]) -> Blocked:
    """The layout for an access, given how many elements connected ones of its shape and order take a thread."""
    layout, per_thread = access.layout, access.per_thread
    warps, threads = num_warps(op), threads_per_warp(op)
    if not isinstance(pointer_of(op).owner, ir.Block):
        per_thread = max(per_thread, *connected)
    per_thread = min(per_thread, max(prod(shape_per_cta(access.shape, layout)) // (warps * threads), 1))
    if op.name != "tt.load":  # stores and atomics; gaps between loaded elements don't matter
        per_thread = min(per_thread, access.per_thread)
    sizes = [per_thread if d == access.order[0] else 1 for d in range(len(access.shape))]
    return blocked_in_ctas(access.shape, sizes, access.order, warps, threads, cga_layout(layout))


def descriptor_layout(op: ir.Operation) -> Blocked:
    """A layout of rows; a thread holds as many elements as one instruction can move."""
    type = (op.result if op.name in DESCRIPTOR_LOADS else op.opview.src).type
    layout, shape = tensor_layout(type), type.shape
    warps, threads = num_warps(op), threads_per_warp(op)
    per_thread = max(prod(shape_per_cta(shape, layout)) // (warps * threads), 1)
    width = min(per_thread, VECTOR_BITS // type.element_type.width)
    rank = len(shape)
    sizes = [1] * (rank - 1) + [width]
    return blocked_in_ctas(shape, sizes, range(rank)[::-1], warps, threads, cga_layout(layout))


def set_layout(op: ir.Operation, layout: Blocked) -> None:
    """Converts the tensors that an access takes, and back those that it gives."""
    by_descriptor = op.name in DESCRIPTOR_ACCESSES
    blocks = [op.opview.src] if op.name in DESCRIPTOR_STORES else []
    taken = blocks if by_descriptor else list(op.operands)
    for i, operand in enumerate(list(op.operands)):
        if operand in taken and isinstance(operand.type, ir.RankedTensorType):
            convert_operand(op, i, with_layout(operand.type, layout), op.location)
    for result in op.results:
        assigned = result.type
        if not isinstance(assigned, ir.RankedTensorType):
            continue
        wanted = with_layout(assigned, layout)
        if wanted != assigned:
            result.set_type(wanted)
            converted = convert_layout(result, assigned, ir.InsertionPoint.after(op), op.location)
            result.replace_all_uses_except(converted, converted.owner.operation)


def hints_of(info: AxisInfo) -> dict[str, int]:
    """The attributes that describe an argument that is not a tensor."""
    return dict(zip(HINTS, (info.contiguity[0], info.divisibility[0], info.constancy[0])))


def note_argument_facts(root: ir.Operation, analysis: AxisInfoAnalysis) -> None:
    """Writes on function arguments the facts known about the values that callers pass, as hints for later passes."""
    calls = collect(root, ["tt.call"])
    if not calls:
        return
    functions = {ir.StringAttr(f.attributes["sym_name"]).value: f for f in collect(root, ["tt.func"])}
    i64 = ir.IntegerType.get_signless(64)
    for call in calls:
        function = functions.get(ir.FlatSymbolRefAttr(call.attributes["callee"]).value)
        if function is None:
            continue
        number = len(call.operands)
        stated = function.attributes.get("arg_attrs", ())
        hints = [{hint.name: hint.attr for hint in of_argument} for of_argument in stated]
        hints = hints or [{} for _ in range(number)]
        for operand, known in zip(call.operands, hints):
            info = analysis.info(operand)
            if info.rank != 1:
                continue
            for name, value in hints_of(info).items():
                hint = known.get(name)
                if isinstance(hint, ir.DenseIntElementsAttr):
                    value = gcd(value, hint[0])
                elif isinstance(hint, ir.IntegerAttr):
                    value = gcd(value, hint.value)
                known[name] = ir.IntegerAttr.get(i64, value)
        function.attributes["arg_attrs"] = ir.ArrayAttr.get([ir.DictAttr.get(known) for known in hints])
