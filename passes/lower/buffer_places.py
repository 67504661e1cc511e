"""Places of elements of buffers in shared memory: which register goes where, and this thread's addresses.

An access maps registers to offsets by the linear layouts of both sides; because that map is linear, the place of an
element is the place of the view's first element xor that of the element in the buffer.

Test: test/lit/lower/shared_memory.mlir
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from mlir import ir

from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import element_bits
from ttkit.layout import LinearLayout, gf2, to_linear_layout
from ttkit.layout.division import with_registers
from ttkit.layout.encodings import PaddedShared
from ttkit.layout.holders import stays_in_cta
from ttkit.layout.matrix_access import MatrixAccess, matrix_access
from ttkit.layout.shared_access import largest_vector, offsets
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.stored import stored_type
from ttkit.passes.lower.thread_index import address_at, bits_of_thread, linear_sum
from ttkit.passes.lower.types import SharedView
from ttkit.passes.lower.unsupported import CannotLower


def stored_element(low: Lowering, type: MemDescType) -> ir.Type:
    """Type of a buffer's elements as stored in shared memory."""
    return stored_type(low, low.types.element(type.element_type))


def accesses(
    low: Lowering,
    view: SharedView,
    type: MemDescType,
    layout: LinearLayout,
    limit: int | None = None,
    in_any_cta: bool = False,
    part_first: bool = False,
) -> Iterator[tuple[list[int], ir.Value]]:
    """For each instruction that moves elements between registers and a view: the registers, and this thread's address.

    Args:
        layout: of the registers; those that hold copies are left out.
        limit: at most so many elements in an instruction.
        in_any_cta: whether the view may be one of another CTA's memory.
        part_first: as for `addresses_from`.

    Raises CannotLower if another CTA has some of the elements.
    """
    memory, gaps = memory_layout(low, type), gaps_of(type)
    if not in_any_cta and not stays_in_cta(memory, layout.remove_zero_bases("register")):
        raise CannotLower("found elements that another CTA has, which this operation can't reach; convert the layout")
    # Gaps keep the order and alignment of elements only up to their own size and distance.
    limits = [limit] if limit is not None else []
    limits += [size for pair in gaps for size in pair]
    bits = element_bits(stored_element(low, type))
    numbers, places, vector = places_of_vectors(layout, memory, bits, min(limits, default=None))
    for number, pointer in enumerate(addresses(low, view, type, places, vector, part_first)):
        yield numbers[number * vector : (number + 1) * vector], pointer


@lru_cache(maxsize=1024)
def places_of_vectors(
    layout: LinearLayout, memory: LinearLayout, bits: int, limit: int | None
) -> tuple[list[int], LinearLayout, int]:
    """The registers without copies in an order in which as many as possible are neighbours in memory.

    Args:
        bits: of an element.
        limit: at most so many neighbours.

    Returns:
        The registers; register in this order, lane, warp, block -> offset; neighbours.
    """
    places = offsets(layout.remove_zero_bases("register"), memory)
    places = places.sublayout(places.in_dims, ["offset"])
    vector, order = largest_vector(places, bits, limit)
    return register_numbers(layout, order), with_registers(places, order), vector


def register_numbers(layout: LinearLayout, order: Sequence[int]) -> list[int]:
    """The registers without copies, with their bits in this order: the first one counts fastest."""
    weights = [1 << bit for bit, column in enumerate(layout.columns_of("register")) if column]
    return gf2.all_values([weights[bit] for bit in order])


def matrix_access_of(low: Lowering, type: MemDescType, layout: LinearLayout, has_matrices: bool) -> MatrixAccess | None:
    """Plan for ldmatrix or stmatrix between a view and registers of this layout; None if the target has neither, the
    layout does not fit, or no instruction is saved.
    """
    memory = memory_layout(low, type)
    if not has_matrices or gaps_of(type) or not stays_in_cta(memory, layout):
        return None
    places = offsets(layout.remove_zero_bases("register"), memory)
    bits = element_bits(stored_element(low, type))
    found = matrix_access(places, bits) or matrix_access(places, bits, transposed=True)
    others = places.in_size("register") // largest_vector(places, bits)[0]
    return found if found is not None and found.instructions < others else None


def matrix_accesses(
    low: Lowering, view: SharedView, type: MemDescType, layout: LinearLayout, access: MatrixAccess
) -> Iterator[tuple[list[int], ir.Value]]:
    """For each ldmatrix or stmatrix its registers, and the address of the row that this thread gives."""
    numbers = register_numbers(layout, access.register_order)
    rows = access.rows.sublayout(access.rows.in_dims, ["offset"])
    size = len(numbers) // access.instructions
    for number, pointer in enumerate(addresses(low, view, type, rows, 1)):
        yield numbers[number * size : (number + 1) * size], pointer


def addresses(
    low: Lowering, view: SharedView, type: MemDescType, places: LinearLayout, step: int, part_first: bool = False
) -> Iterator[ir.Value]:
    """This thread's address in a view for every `step`th register.

    places: register, lane, warp, block -> offset.
    part_first: as for `addresses_from`.
    """
    emit, element, gaps = low.emit, stored_element(low, type), gaps_of(type)
    begin = view_offset(low, view, type)
    if not gaps:
        return addresses_from(low, view.base, places, step, element, begin, part_first=part_first)
    start = low.index.of_thread(places)
    start = start if begin is None else emit.xor(start, begin)
    offsets = places.values("register")[::step]
    return (emit.gep(view.base, with_gaps(low, emit.flip(start, offset), gaps), element) for offset in offsets)


def addresses_from(
    low: Lowering,
    base: ir.Value,
    places: LinearLayout,
    step: int,
    element: ir.Type,
    begin: ir.Value | None = None,
    in_bytes: bool = False,
    part_first: bool = False,
) -> Iterator[ir.Value]:
    """This thread's address for every `step`th register, counted from a pointer.

    From a pointer that moves from slot to slot, they are computed in bytes: ptxas takes this thread's part and the
    buffer's, if all threads have the same, into the access, `[R1 + UR2 + 128]`; each part in elements takes a shift and
    a sum, in each iteration of a loop.  From one that stays, elements were quicker on an H200 (2026-11): in bytes
    attention without pipelining fell from 0.99 to 0.67 of Triton's speed (sm_80, D = 64, 128x64).

    places: register, lane, warp, block -> offset, in elements.
    begin: i32, what all places are mixed with, in elements.
    in_bytes: whether they are in bytes, wherever the pointer is to.  After loops with wgmma that takes fewer
        instructions and more registers (`ttkit.tuning.lowering.BYTE_ADDRESSES`).
    part_first: whether a pointer that moves is added to each sum of the thread's part and the register's: LLVM takes
        the thread's part out of the loop alone then, not added to the buffer's begin, and the rest, which is the same
        for all threads, is in uniform registers.
    """
    emit, bits, moves = low.emit, 0, not stays(base)
    if in_bytes or moves:
        bits, element = (element_bits(element) // 8).bit_length() - 1, emit.i8
    places = LinearLayout.strided(1, 1 << bits, "register", places.out_dims[0]) * places
    start = low.index.of_thread(places)
    mixed = bits_of_thread(places)
    if begin is not None:  # which may have any bit
        start, mixed = emit.xor(start, emit.shl(begin, bits)), -1
    for offset in places.values("register")[::step]:
        yield address_at(emit, base, start, offset, mixed, element, part_first and moves)


def stays(pointer: ir.Value) -> bool:
    """Whether a pointer is to a symbol, or constantly far from one."""
    owner = pointer.owner
    if isinstance(owner, ir.Block):
        return False
    operands = owner.operands
    return not len(operands) or (owner.name == "llvm.getelementptr" and len(operands) == 1 and stays(operands[0]))


def memory_layout(low: Lowering, type: MemDescType) -> LinearLayout:
    """offset (and block) of the elements of the buffer that a view is of, in elements."""
    key = ("memory", type)
    found = low.layouts.get(key)
    if found is None:
        encoding = layout_of(type)
        assert encoding is not None
        found = low.layouts[key] = to_linear_layout(type.alloc_shape[-len(type.shape) :], encoding)
    return found


def gaps_of(type: MemDescType) -> tuple[tuple[int, ...], ...]:
    """Pairs (interval, padding) of a padded layout, in elements."""
    encoding = layout_of(type)
    return tuple(encoding.pads) if isinstance(encoding, PaddedShared) else ()


def with_gaps(low: Lowering, offset: ir.Value, gaps: Iterable[Sequence[int]]) -> ir.Value:
    """i32, the place of the element that would be at `offset` without gaps: after all gaps that come before it."""
    emit, total = low.emit, offset
    for interval, padding in gaps:
        before = emit.lshr(offset, interval.bit_length() - 1)
        total = emit.add(total, emit.shl(before, padding.bit_length() - 1))
    return total


def view_offset(low: Lowering, view: SharedView, type: MemDescType) -> ir.Value | None:
    """i32, where in memory the first element of a view is, in elements from its buffer; None if it is the first."""
    emit = low.emit
    zero = emit.i32_constant(0)
    moved = [(dim, offset) for dim, offset in enumerate(view.offsets) if offset != zero]
    if not moved:
        return None
    inverse = memory_layout(low, type).pseudo_inverse()
    terms = []
    for dim, offset in moved:
        columns = [column & inverse.out_size("offset") - 1 for column in inverse.columns_of(f"dim{dim}")]
        terms.append((offset, columns))
    return linear_sum(emit, terms)


def first_element(low: Lowering, view: SharedView, type: MemDescType) -> ir.Value:
    """Pointer to the first element of a view."""
    begin = view_offset(low, view, type)
    if begin is None:
        return view.base
    return low.emit.gep(view.base, with_gaps(low, begin, gaps_of(type)), stored_element(low, type))
