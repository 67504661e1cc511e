"""Lower buffers in shared memory, their views, loads and stores.

A view is a pointer to its buffer, and where in the buffer's coordinates it begins (types.SharedView).  An access maps
registers to offsets by the linear layouts of both sides; because that map is linear, the place of an element is the
place of the view's first element xor that of the element in the buffer.

Ops: dialects/ttg/shared_memory_ops.td, memdesc_ops.td    Test: test/lit/lower/shared_memory.mlir
"""

from collections.abc import Sequence

from mlir import ir

from ttkit.analysis.allocation import elements_in_cta, elements_to_next
from ttkit.analysis.dot_attributes import is_read_by_products
from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import element_bits, stored_bits
from ttkit.layout import LinearLayout, gf2
from ttkit.layout.holders import along_axis, copies_among, holders, is_own, stays_in_cta
from ttkit.layout.shared_to_linear import padded_offset
from ttkit.passes.lower import spread_memory
from ttkit.passes.lower.buffer_places import (
    accesses,
    first_element,
    gaps_of,
    matrix_access_of,
    matrix_accesses,
    memory_layout,
    stored_element,
    view_offset,
    with_gaps,
)
from ttkit.passes.lower.cluster import in_cta, synchronize_ctas
from ttkit.passes.lower.gather import as_i32
from ttkit.passes.lower.layout import distinct_registers, expanded_registers, load_matrices, store_matrices
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.spread_memory import register_ctas
from ttkit.passes.lower.stored import from_stored, to_stored
from ttkit.passes.lower.thread_index import linear_sum
from ttkit.passes.lower.types import SharedView, StoredOperand, TensorView
from ttkit.passes.lower.unsupported import CannotLower
from ttkit.passes.lower.words import from_words, to_words

FP8_BITS = 8


@lowers("ttg.local_alloc")
def local_alloc(low: Lowering, op: ir.OpView, *source: ir.Value) -> SharedView:
    """A buffer of its own, with the elements of src if there is one."""
    view = SharedView(low.shared.scratch(op), zeros(low, len(op.result.type.shape)))
    if source:
        store(low, view, op.result.type, source[0], low.layout(op.src))
    return view


@lowers("ttg.local_dealloc")
def local_dealloc(low: Lowering, op: ir.OpView, view: SharedView) -> None:
    """The allocation has decided already where memory is used again."""


@lowers("ttg.local_load")
def local_load(low: Lowering, op: ir.OpView, view: SharedView, *token: ir.Value) -> ir.Value | StoredOperand:
    """result = the elements of the view."""
    if is_read_by_products(op):
        return StoredOperand(view, op.src.type)
    return load(low, view, op.src.type, op.result)


@lowers("ttg.local_store")
def local_store(low: Lowering, op: ir.OpView, value: ir.Value, view: SharedView) -> None:
    """The view's elements = src."""
    store(low, view, op.dst.type, value, low.layout(op.src))


@lowers("ttg.local_gather")
def local_gather(low: Lowering, op: ir.OpView, view: SharedView, indices: ir.Value, *token: ir.Value) -> ir.Value:
    """result[..., i, ...] = src[..., indices[..., i, ...], ...] along the axis"""
    element, target = stored_element(low, op.src.type), low.element_type(op.result)
    one, type = low.emit.vector(1, element), op.src.type
    memory, bits = memory_layout(low, type), as_i32(low, indices)
    owners = holders(memory, along_axis(low.layout(op.indices), op.axis, memory.outs))
    crosses_ctas, bases = not is_own(owners), [view.base]
    if crosses_ctas:
        synchronize_ctas(low)
        bases = [in_cta(low, view.base, cta) for cta in register_ctas(low, owners, low.emit.unpack(bits))]
    pointers = computed_places(low, op, bases, view, type, bits)
    found = low.emit.concat([low.shared.load(pointer, one) for pointer in pointers])
    if crosses_ctas:
        synchronize_ctas(low)
    return from_stored(low, found, target)


@lowers("ttg.local_scatter")
def local_scatter(
    low: Lowering, op: ir.OpView, view: SharedView, values: ir.Value, indices: ir.Value, *token: ir.Value
) -> None:
    """dst[..., indices[..., i, ...], ...] = values[..., i, ...] along the axis"""
    stored, type, bits = to_stored(low, values), op.dst.type, as_i32(low, indices)
    memory = memory_layout(low, type)
    owners = holders(memory, along_axis(low.layout(op.indices), op.axis, memory.outs))
    copies = copies_among(memory)
    if low.num_ctas == 1:
        for register, pointer in enumerate(computed_places(low, op, [view.base], view, type, bits)):
            low.shared.store(pointer, low.emit.slice(stored, register, 1))
        return
    # Where a value goes is known to the CTA that has the index only.
    synchronize_ctas(low)
    ctas = register_ctas(low, owners, low.emit.unpack(bits))
    for copy in gf2.all_values(copies):
        moved = [low.emit.flip(cta, copy) for cta in ctas]
        bases = [in_cta(low, view.base, cta) for cta in moved]
        for register, pointer in enumerate(computed_places(low, op, bases, view, type, bits)):
            low.shared.store(pointer, low.emit.slice(stored, register, 1))
    synchronize_ctas(low)


def computed_places(
    low: Lowering, op: ir.OpView, bases: Sequence[ir.Value], view: SharedView, type: MemDescType, indices: ir.Value
) -> list[ir.Value]:
    """For each register its address in a view: at its own coordinates, but at its index, an i32, along the axis.

    bases: where the buffer begins, the same for all registers or one for each.
    """
    emit, axis = low.emit, op.axis
    layout = low.layout(op.indices)
    coordinates = [emit.unpack(one) for one in low.index.coordinates(layout)]
    coordinates[axis] = emit.unpack(indices)
    begin = view_offset(low, view, type)
    inverse = memory_layout(low, type).pseudo_inverse()
    size = inverse.out_size("offset")
    columns = [[column & size - 1 for column in inverse.columns_of(dim)] for dim in inverse.in_dims]
    found = []
    for register, place in enumerate(zip(*coordinates, strict=True)):
        where = linear_sum(emit, list(zip(place, columns, strict=True)))
        if begin is not None:
            where = emit.xor(where, begin)
        base = bases[register % len(bases)]
        found.append(emit.gep(base, with_gaps(low, where, gaps_of(type)), stored_element(low, type)))
    return found


def load(low: Lowering, view: SharedView, type: MemDescType, result: ir.Value) -> ir.Value:
    """All elements of a view, in the registers of `result`."""
    emit, layout = low.emit, low.layout(result)
    element = stored_element(low, type)
    memory = memory_layout(low, type)
    matrices = matrix_access_of(low, type, layout, low.target.has_ldmatrix)
    pieces: list[tuple[list[int], ir.Value]] = []
    if matrices is not None:
        for registers, pointer in matrix_accesses(low, view, type, layout, matrices):
            vector = load_matrices(low, pointer, emit.vector(len(registers), element), matrices.transposed)
            pieces.append((registers, vector))
    elif stays_in_cta(memory, layout):
        is_fp8 = isinstance(type.element_type, ir.FloatType) and type.element_type.width == FP8_BITS
        for registers, pointer in accesses(low, view, type, layout):
            pieces.append((registers, low.shared.load(pointer, emit.vector(len(registers), element), pairs=is_fp8)))
    else:
        synchronize_ctas(low)
        places = spread_memory.loads(low, memory, layout, view.base, accesses_of(low, view, type, layout))
        for registers, pointer in places:
            pieces.append((registers, low.shared.load(pointer, emit.vector(len(registers), element))))
        synchronize_ctas(low)
    loaded = in_order(low, pieces, distinct_registers(layout))
    return emit.pick(from_stored(low, loaded, low.types.element(result.type)), expanded_registers(layout))


def in_order(low: Lowering, pieces: Sequence[tuple[Sequence[int], ir.Value]], order: Sequence[int]) -> ir.Value:
    """The vector of the registers `order`, from vectors of some registers each.

    Words of 32 bits stay whole where their registers stay together.
    """
    emit, element = low.emit, pieces[0][1].type.element_type
    in_word = max(1, 32 // element_bits(element))
    words: dict[tuple[int, ...], ir.Value] = {}
    if in_word > 1 and all(len(registers) % in_word == 0 for registers, _ in pieces):
        for registers, vector in pieces:
            groups = [tuple(registers[i : i + in_word]) for i in range(0, len(registers), in_word)]
            words |= zip(groups, to_words(low, vector))
        wanted = [tuple(order[i : i + in_word]) for i in range(0, len(order), in_word)]
        if all(group in words for group in wanted):
            return from_words(low, [words[group] for group in wanted], emit.vector(len(order), element))
    found: dict[int, ir.Value] = {}
    for registers, vector in pieces:
        found |= zip(registers, emit.unpack(vector))
    return emit.pack([found[register] for register in order])


def store(low: Lowering, view: SharedView, type: MemDescType, value: ir.Value, layout: LinearLayout) -> None:
    """Stores a tensor with the given layout of registers to a view."""
    value, memory = to_stored(low, value), memory_layout(low, type)
    if spread_memory.own_part(low, memory, layout):
        matrices = matrix_access_of(low, type, layout, low.target.has_stmatrix)
        if matrices is not None:
            for registers, pointer in matrix_accesses(low, view, type, layout, matrices):
                store_matrices(low, pointer, low.emit.pick(value, registers), matrices.transposed)
            return
        for registers, pointer in accesses(low, view, type, layout):
            low.shared.store(pointer, low.emit.pick(value, registers))
        return

    def write(registers: list[int], pointer: ir.Value, mask: ir.Value | None) -> None:
        """Stores registers of the value from one address on."""
        low.shared.store(pointer, low.emit.pick(value, registers), mask)

    spread_memory.store(low, memory, layout, view.base, accesses_of(low, view, type, layout), write)


def accesses_of(low: Lowering, view: SharedView, type: MemDescType, layout: LinearLayout) -> spread_memory.Accesses:
    """The accesses of a view whose buffer is wherever the caller says."""
    return lambda base, limit: accesses(low, SharedView(base, view.offsets), type, layout, limit, in_any_cta=True)


def zeros(low: Lowering, rank: int) -> tuple[ir.Value, ...]:
    """Offset 0 along each dimension."""
    return (low.emit.i32_constant(0),) * rank


@lowers("ttg.memdesc_index")
def memdesc_index(
    low: Lowering, op: ir.OpView, view: SharedView | TensorView, index: ir.Value
) -> SharedView | TensorView:
    """result = src[index]: one of several buffers that lie one after the other.

    Raises:
        CannotLower: padding does not fit the size of the buffers.
    """
    if isinstance(view, TensorView):
        from ttkit.passes.lower.tensor_memory import index_buffers  # few kernels have any

        return index_buffers(low, op, view, index)
    emit = low.emit
    size, element = buffer_of(low, op.src.type, op.result.type)
    pointer = emit.gep(view.base, emit.mul(index, emit.i32_constant(size)), element)
    return SharedView(pointer, view.offsets[1:])


def buffer_of(low: Lowering, source: MemDescType, type: MemDescType) -> tuple[int, ir.Type]:
    """Elements from one of several buffers to the next, and how they are stored; found once for each pair of types.

    Raises:
        CannotLower: padding does not fit the size of the buffers.
    """
    found = low.types.buffers.get((source, type))
    if found is not None:
        return found
    # A CTA holds its part of each buffer, one after the other.
    shape = source.alloc_shape[-len(type.shape) :]
    layout = layout_of(source)
    if layout is not None and layout.rank <= len(type.shape):
        size = elements_to_next(layout, shape, stored_bits(type.element_type))
    else:  # the layout is that of all of them
        size = elements_in_cta(layout_of(type), shape) if type.shape else 1
    gaps = gaps_of(source)
    for interval, _ in gaps:
        if size % interval:
            text = f"a gap every {interval} elements does not fit buffers of {size} elements"
            raise CannotLower(f"{text}; choose an interval that divides them")
    found = low.types.buffers[source, type] = padded_offset(gaps, size), stored_element(low, type)
    return found


@lowers("ttg.memdesc_subslice")
def memdesc_subslice(low: Lowering, op: ir.OpView, view: SharedView) -> SharedView:
    """result = src[offsets[0] : ..., offsets[1] : ...]"""
    emit = low.emit
    zero = emit.i32_constant(0)
    moved = []
    for offset, step in zip(view.offsets, op.offsets):
        amount = emit.i32_constant(step)
        moved.append(amount if offset == zero else emit.add(offset, amount) if step else offset)
    return SharedView(view.base, tuple(moved))


@lowers("ttg.memdesc_trans")
def memdesc_trans(low: Lowering, op: ir.OpView, view: SharedView) -> SharedView:
    """The same memory with its dimensions permuted."""
    return SharedView(view.base, tuple(view.offsets[d] for d in op.order))


@lowers("ttg.memdesc_reinterpret")
def memdesc_reinterpret(low: Lowering, op: ir.OpView, view: SharedView | TensorView) -> SharedView | TensorView:
    """The memory from the view's first element on, as another tensor."""
    if isinstance(view, TensorView):
        return view
    return SharedView(first_element(low, view, op.src.type), zeros(low, len(op.result.type.shape)))


@lowers("ttg.memdesc_reshape")
def memdesc_reshape(low: Lowering, op: ir.OpView, view: SharedView | TensorView) -> SharedView | TensorView:
    """The same memory as another tensor; of a whole buffer.  Raises CannotLower for a part of one."""
    if isinstance(view, TensorView):
        return view
    if any(offset != low.emit.i32_constant(0) for offset in view.offsets):
        raise CannotLower("found a part of a buffer; only whole ones can be seen in another shape")
    return SharedView(view.base, zeros(low, len(op.result.type.shape)))


@lowers("gpu.barrier", "ttg.barrier", "ttg.local_barrier")
def barrier(low: Lowering, op: ir.OpView) -> None:
    """All threads of the CTA wait for each other."""
    low.warps.synchronize()
