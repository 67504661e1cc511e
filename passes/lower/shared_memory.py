"""Lower buffers in shared memory, their views, loads and stores.

A view is a pointer to its buffer, and where in the buffer's coordinates it begins (types.SharedView).  An access maps
registers to offsets by the linear layouts of both sides; because that map is linear, the place of an element is the
place of the view's first element xor that of the element in the buffer.

Ops: dialects/ttg/shared_memory_ops.td, memdesc_ops.td    Test: test/lit/lower/shared_memory.mlir
"""

from collections.abc import Iterator
from math import prod

from mlir import ir

from ttkit.dialects._layouts import layout_of
from ttkit.dialects.ttg import MemDescType
from ttkit.layout import LinearLayout, gf2, to_linear_layout
from ttkit.layout.division import with_registers
from ttkit.layout.encodings import PaddedShared
from ttkit.layout.shared_access import largest_vector, offsets
from ttkit.passes.lower.layout import distinct_registers, expanded_registers
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.memory import bits_of
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.thread_index import all_bits, linear_sum
from ttkit.passes.lower.types import SharedView


@lowers("ttg.local_alloc")
def local_alloc(low: Lowering, op: ir.OpView, *source: ir.Value) -> SharedView:
    """A buffer of its own, with the elements of src if there is one."""
    view = SharedView(low.scratch_pointer(op), zeros(low, len(op.result.type.shape)))
    if source:
        store(low, view, op.result.type, source[0], low.layout(op.src))
    return view


@lowers("ttg.local_dealloc")
def local_dealloc(low: Lowering, op: ir.OpView, view: SharedView) -> None:
    """The allocation has decided already where memory is used again."""


@lowers("ttg.local_load")
def local_load(low: Lowering, op: ir.OpView, view: SharedView, *token: ir.Value) -> ir.Value:
    """result = the elements of the view."""
    return load(low, view, op.src.type, op.operation.results[0])


@lowers("ttg.local_store")
def local_store(low: Lowering, op: ir.OpView, value: ir.Value, view: SharedView) -> None:
    """The view's elements = src."""
    store(low, view, op.dst.type, value, low.layout(op.src))


def load(low: Lowering, view: SharedView, type: MemDescType, result: ir.Value) -> ir.Value:
    """All elements of a view, in the registers of `result`."""
    emit, layout = low.emit, low.layout(result)
    element = stored_element(low, type)
    found: dict[int, ir.Value] = {}
    for registers, pointer in accesses(low, view, type, layout):
        vector = low.load_shared(pointer, emit.vector(len(registers), element))
        found |= zip(registers, emit.unpack(vector))
    loaded = emit.pack([found[register] for register in distinct_registers(layout)])
    if element != low.types.element(result.type):
        loaded = emit.cast("trunc", loaded, low.types.element(result.type))
    return emit.pick(loaded, expanded_registers(layout))


def store(low: Lowering, view: SharedView, type: MemDescType, value: ir.Value, layout: LinearLayout) -> None:
    """Stores a tensor with the given layout of registers to a view."""
    element = stored_element(low, type)
    if value.type.element_type != element:
        value = low.emit.cast("zext", value, element)
    for registers, pointer in accesses(low, view, type, layout):
        low.store_shared(pointer, low.emit.pick(value, registers))


def stored_element(low: Lowering, type: MemDescType) -> ir.Type:
    """What an element is in memory: a predicate takes a byte."""
    element = low.types.element(type.element_type)
    return low.emit.i8 if element == low.emit.i1 else element


def accesses(
    low: Lowering, view: SharedView, type: MemDescType, layout: LinearLayout, limit: int | None = None
) -> Iterator[tuple[list[int], ir.Value]]:
    """For each instruction that moves elements between registers and a view: the registers, and this thread's address.

    Args:
        layout: of the registers; those that hold copies are left out.
        limit: at most so many elements in an instruction.
    """
    emit = low.emit
    element = stored_element(low, type)
    distinct = layout.remove_zero_bases("register")
    places = offsets(distinct, memory_layout(low, type))
    if any(column >> places.bits_out("offset") for column in places.columns):
        raise ValueError("the buffer is spread over CTAs, which accesses can't reach yet")
    places = places.sublayout(places.in_dims, ["offset"])
    vector, order = largest_vector(places, bits_of(element), limit)
    weights = [bit for bit, column in enumerate(layout.columns_of("register")) if column]
    numbers = gf2.all_values([1 << weights[bit] for bit in order])
    places = with_registers(places, order)
    start = low.index.of_thread(places)
    begin = view_offset(low, view, type)
    if begin is not None:
        start = emit.xor(start, begin)
    thread_bits = all_bits([column for dim in ("lane", "warp", "block") for column in places.columns_of(dim)])
    known = -1 if begin is not None else thread_bits  # a view's begin may have any bit
    steps = places.values("register")
    for first in range(0, len(steps), vector):
        mixed, added = steps[first] & known, steps[first] & ~known
        where = emit.xor(start, emit.i32_constant(mixed)) if mixed else start
        yield numbers[first : first + vector], emit.gep(emit.gep(view.base, where, element), added, element)


def memory_layout(low: Lowering, type: MemDescType) -> LinearLayout:
    """offset (and block) of the elements of the buffer that a view is of, in elements."""
    key = ("memory", type)
    found = low.layouts.get(key)
    if found is None:
        encoding = layout_of(type)
        if isinstance(encoding, PaddedShared):
            raise ValueError("padded layouts have no lowering on this target")
        assert encoding is not None
        found = low.layouts[key] = to_linear_layout(type.alloc_shape[-len(type.shape) :], encoding)
    return found


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
    return view.base if begin is None else low.emit.gep(view.base, begin, stored_element(low, type))


def zeros(low: Lowering, rank: int) -> tuple[ir.Value, ...]:
    return (low.emit.i32_constant(0),) * rank


@lowers("ttg.memdesc_index")
def memdesc_index(low: Lowering, op: ir.OpView, view: SharedView, index: ir.Value) -> SharedView:
    """result = src[index]: one of several buffers that lie one after the other."""
    emit, type = low.emit, op.operation.results[0].type
    size = prod(op.src.type.alloc_shape[-len(type.shape) :]) if type.shape else 1
    element = stored_element(low, type)
    pointer = emit.gep(view.base, emit.mul(index, emit.i32_constant(size)), element)
    return SharedView(pointer, view.offsets[1:])


@lowers("ttg.memdesc_subslice")
def memdesc_subslice(low: Lowering, op: ir.OpView, view: SharedView) -> SharedView:
    """result = src[offsets[0] : ..., offsets[1] : ...]"""
    emit = low.emit
    zero = emit.i32_constant(0)
    moved = []
    for offset, step in zip(view.offsets, op.operation.attributes["offsets"]):
        amount = emit.i32_constant(step)
        moved.append(amount if offset == zero else emit.add(offset, amount) if step else offset)
    return SharedView(view.base, tuple(moved))


@lowers("ttg.memdesc_trans")
def memdesc_trans(low: Lowering, op: ir.OpView, view: SharedView) -> SharedView:
    """The same memory with its dimensions permuted."""
    return SharedView(view.base, tuple(view.offsets[d] for d in op.operation.attributes["order"]))


@lowers("ttg.memdesc_reshape", "ttg.memdesc_reinterpret")
def memdesc_reshape(low: Lowering, op: ir.OpView, view: SharedView) -> SharedView:
    """The same memory as another tensor; of a whole buffer."""
    if any(offset != low.emit.i32_constant(0) for offset in view.offsets):
        raise ValueError("found a part of a buffer; only whole ones can be seen in another shape")
    return SharedView(view.base, zeros(low, len(op.operation.results[0].type.shape)))


@lowers("gpu.barrier", "ttg.barrier", "ttg.local_barrier")
def barrier(low: Lowering, op: ir.OpView) -> None:
    """All threads of the CTA wait for each other."""
    low.barrier()
