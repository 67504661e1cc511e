"""Lower buffers in tensor memory, their views, loads, stores and copies from shared memory.

A view is an address (types.TensorView): its first row in the upper 16 bits, its first column in the lower.  Messages
between registers and tensor memory are planned by `ttkit.layout.tensor_memory_access`.  A load and the wait after it
stand in one piece of assembly, so that nothing can read its results too early.  The columns of a kernel are reserved by
`tensor_memory_columns.py`.

Ops: dialects/ttng/tensor_memory_ops.td    Test: test/lit/lower/sm_100/tensor_memory.mlir
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from mlir import ir

from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import element_bits
from ttkit.layout import LinearLayout, gf2, to_linear_layout
from ttkit.layout.encodings import TensorMemoryLayout
from ttkit.layout.hardware import GROUP_WARPS, REGISTER_BITS
from ttkit.layout.packing import log2
from ttkit.layout.tensor_memory_access import MOST_WORDS, WARP_ROWS, Messages, plan_messages
from ttkit.layout.tensor_memory_to_linear import extent
from ttkit.operation_sets import TMEM_ALLOC, TMEM_LOAD, TMEM_STORE
from ttkit.passes.infra.constants import constant_splat
from ttkit.passes.lower.assembly import Assembly, in_assembly
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.shuffle import uniform_warp
from ttkit.passes.lower.stored import from_stored, stored_type, to_stored
from ttkit.passes.lower.tensor_memory_order import may_be_read_by_others
from ttkit.passes.lower.tensor_memory_parts import Chain, chain_of
from ttkit.passes.lower.tensor_memory_reduction import (
    as_tensor,
    load_and_reduce,
    reduce_registers,
    reduced_by_load,
)
from ttkit.passes.lower.thread_index import linear_sum
from ttkit.passes.lower.types import TensorView
from ttkit.passes.lower.unsupported import CannotLower
from ttkit.passes.lower.words import to_words
from ttkit.target import MOST_REGISTERS

NOT_ALLOCATED = "found a buffer without a place in tensor memory; run triton-tensor-memory-allocation first"


# --- Buffers and views ------------------------------------------------------------------------------------------------
@lowers(TMEM_ALLOC)
def tmem_alloc(low: Lowering, op: ir.OpView, *source: ir.Value) -> object:
    """A buffer of its own, with the elements of src if there is one.

    Raises:
        CannotLower: in a function that is called, or before triton-tensor-memory-allocation.
    """
    attributes, emit = op.operation.attributes, low.emit
    if low.tensor_memory is None:
        raise CannotLower("found tensor memory in a function that is called; let it be inlined: noinline = false")
    if "tensor_memory_col_offset" not in attributes or not low.tensor_memory.columns:
        raise CannotLower(NOT_ALLOCATED)
    column = attributes["tensor_memory_col_offset"].value
    row = attributes["tensor_memory_row_offset"].value if "tensor_memory_row_offset" in attributes else 0
    view = moved(low, TensorView(low.tensor_memory.base), row << 16 | column)
    if source:
        store_for_all(low, op, op.result, view, source[0])
    return with_token(op, view, emit.i32_constant(0))


def moved(low: Lowering, view: TensorView, address: int) -> TensorView:
    """A view that begins `address` further."""
    return TensorView(low.emit.add(view.address, low.emit.i32_constant(address))) if address else view


def with_token(op: ir.OpView, value: object, token: ir.Value) -> object:
    """`value`, and a token if the operation has one."""
    return [value, token] if len(op.operation.results) > 1 else value


@lowers("ttng.tmem_subslice")
def tmem_subslice(low: Lowering, op: ir.OpView, view: TensorView) -> TensorView:
    """result[i, j] = src[i, j + N], or src[i + N, j].  Raises CannotLower if N is beyond the columns or rows."""
    type, dim = op.src.type, op.dim
    places = buffer_layout(type).pseudo_inverse()
    if type.shape[dim] <= op.N:
        kind = ("row", "column")[dim]
        raise CannotLower(f"found a view from {kind} {op.N} on of a buffer with {type.shape[dim]}; begin inside")
    return moved(low, view, address_in(places, type, *((op.N, 0), (0, op.N))[dim]))


def buffer_layout(type: MemDescType) -> LinearLayout:
    """row, col -> the two dimensions of the buffer that a view is of; a column is one element's place."""
    layout = layout_of(type)
    assert layout is not None
    return to_linear_layout(tuple(type.alloc_shape[-2:]), layout)


def address_in(places: LinearLayout, type: MemDescType, row: int, column: int) -> int:
    """Address of an element relative to its buffer.

    places: the two dimensions -> row, col.

    Raises CannotLower if it is not the first one of a column, or not in tensor memory.
    """
    if "col" not in places.out_dims:
        raise CannotLower(f"found {type}; the operand must be in tensor memory")
    found = places.apply({"dim0": row, "dim1": column})
    bits = found["col"] * type.element_type.width
    if bits % REGISTER_BITS:
        raise CannotLower(
            f"found a part of a buffer that begins {bits % REGISTER_BITS} bits after the start of a column of 32 bits"
        )
    return found["row"] << 16 | bits // REGISTER_BITS


def index_buffers(low: Lowering, op: ir.OpView, view: TensorView, index: ir.Value) -> TensorView:
    """result = src[index]: one of several buffers that lie beside each other."""
    emit, type = low.emit, op.result.type
    layout = layout_of(type)
    assert isinstance(layout, TensorMemoryLayout)
    _, columns = extent(layout, tuple(type.alloc_shape[-2:]), type.element_type.width)
    return TensorView(emit.add(view.address, emit.mul(index, emit.i32_constant(columns))))


# --- Loads and stores -------------------------------------------------------------------------------------------------
@lowers(TMEM_LOAD)
def tmem_load(low: Lowering, op: ir.OpView, view: TensorView, *token: ir.Value) -> object:
    """result = the elements of the view."""
    low.require("has_tensor_memory", "buffers in tensor memory")
    emit, result = low.emit, op.result
    layout = low.layout(result)
    if op.redOp is not None:
        return with_reduction(low, op, view, layout)
    if (chain := chain_of(op, registers_of(low))) is not None and in_parts(low, chain, view, layout):
        return None
    plan = messages_of(low, op.src.type, layout)
    element = low.types.element(result.type)
    loaded = in_registers(low, load_words(low, view, plan), plan, layout, stored_type(low, element))
    return with_token(op, from_stored(low, loaded, element), emit.i32_constant(0))


def with_reduction(low: Lowering, op: ir.OpView, view: TensorView, layout: LinearLayout) -> list[ir.Value]:
    """The elements of the view, and what the load computes of each row."""
    plan, element = messages_of(low, op.src.type, layout), low.types.element(op.result.type)
    if by_load := reduced_by_load(low, plan, layout):
        words, found = load_and_reduce(low, op, plan, warp_address(low, view, plan), layout)
    else:
        words = load_words(low, view, plan)
    loaded = in_registers(low, words, plan, layout, element)
    if not by_load:
        found = reduce_registers(low, op, loaded, layout)
    red = as_tensor(low, found, low.layout(op.red))
    return [loaded, red] if op.token is None else [loaded, low.emit.i32_constant(0), red]


def load_words(low: Lowering, view: TensorView, plan: Messages) -> list[ir.Value]:
    """The words of all messages, i32."""
    words = [f"${number}" for number in range(sum(map(len, plan.words)))]
    base, lines = f"${len(words)}", []
    for written, address in zip(in_messages(words, plan), plan.addresses, strict=True):
        packing = ".pack::16b" if plan.spread else ""
        second = "" if plan.second is None else f", {plan.second}"
        lines.append(f"{name_of('ld', plan)}{packing}.b32 {{{', '.join(written)}}}, [{base} + {address}]{second};")
    lines.append("tcgen05.wait::ld.sync.aligned;")
    text, operands = "\n\t".join(lines), [warp_address(low, view, plan)]
    return in_assembly(low.emit, text, [], operands, ["r"], [low.emit.i32] * len(words))


def in_parts(low: Lowering, chain: Chain, view: TensorView, layout: LinearLayout) -> bool:
    """Whether a load has parts; then it, and what is computed of it, is lowered part by part with the chain's last."""
    type, registers = chain.load.src.type, layout.in_size("register")
    if not all(map(any, layout.bases("register"))) or any(op in low.own_handlers for op in chain.combining):
        return False  # registers with copies; what is combined with another load's parts
    plan = messages_of(low, type, layout, registers // 2)
    if chain.store is not None and may_be_read_by_others(low, chain.store, chain.store.opview.dst, layout):
        return False

    def noted(low: Lowering, op: ir.OpView, *operands: ir.Value) -> ir.Value | None:
        """Notes the operands of one operation; the last one's handler computes all parts."""
        chain.lowered[op.operation] = operands
        return compute_parts(low, chain, view, plan) if op.operation == chain.last else None

    low.own_handlers |= dict.fromkeys([*chain.combining, chain.last], noted)
    return True


def compute_parts(low: Lowering, chain: Chain, view: TensorView, plan: Messages) -> ir.Value | None:
    """The result of a chain, message by message, or None if each part is stored."""
    emit, element = low.emit, low.types.element(chain.load.result.type)
    found: dict[int, ir.Value] = {}
    for words, address in zip(plan.words, plan.addresses, strict=True):
        message = replace(plan, words=(words,), addresses=(address,))
        emit.location = chain.load.operation.location
        loaded = emit.pack(load_words(low, view, message))
        registers = [register for (register,) in words]
        part = chain.part(low, emit.bitcast(loaded, emit.vector(len(words), element)), registers)
        if chain.store is None:
            elements = [emit.extract(part, number) for number in range(len(words))]
            found |= zip(registers, stay(low, elements) if address != plan.addresses[-1] else elements)
            continue
        emit.location = chain.store.location
        predicate = None if constant_splat(chain.store.opview.pred) == 1 else chain.lowered[chain.store][2]
        store_words(low, view, message, to_words(low, part), predicate)
    if chain.store is not None:
        low.warps.synchronize()
        return None
    return emit.pack([found[register] for register in sorted(found)])


def stay(low: Lowering, values: Sequence[ir.Value]) -> list[ir.Value]:
    """The same values, computed before what comes next: assembly stays in its order."""
    count = len(values)
    text = "\n\t".join(f"mov.b32 ${number}, ${count + number};" for number in range(count))
    kinds = ["f" if value.type == low.emit.f32 else "r" for value in values]
    return in_assembly(low.emit, text, [], values, kinds, [value.type for value in values])


@lowers(TMEM_STORE)
def tmem_store(low: Lowering, op: ir.OpView, view: TensorView, *operands: ir.Value) -> ir.Value:
    """The view's elements = src, where pred holds."""
    *_, value, predicate = operands
    chosen = None if constant_splat(op.pred) == 1 else predicate
    store_for_all(low, op, op.dst, view, value, chosen)
    return low.emit.i32_constant(0)


def store_for_all(
    low: Lowering, op: ir.OpView, target: ir.Value, view: TensorView, value: ir.Value, predicate: ir.Value | None = None
) -> None:
    """Stores op.src to `target`, which is a view; what comes next may read it, a product above all, in any warp."""
    layout = low.layout(op.src)
    if may_be_read_by_others(low, op.operation, target, layout):
        low.warps.synchronize()
    store(low, view, target.type, value, layout, predicate)
    low.warps.synchronize()


@lowers("ttng.tmem_wait")
def tmem_wait(low: Lowering, op: ir.OpView) -> None:
    """Waits for this thread's loads, or its stores."""
    low.require("has_tensor_memory", "buffers in tensor memory")
    low.emit.inline_asm(f"tcgen05.wait::{'ld' if op.kind == 'load' else 'st'}.sync.aligned;", "", None)


def store(
    low: Lowering,
    view: TensorView,
    type: MemDescType,
    value: ir.Value,
    layout: LinearLayout,
    predicate: ir.Value | None = None,
) -> None:
    """Stores a tensor with the given layout of registers to a view, where an i1 holds that all threads share."""
    low.require("has_tensor_memory", "buffers in tensor memory")
    plan = messages_of(low, type, layout)
    store_words(low, view, plan, words_of(low, to_stored(low, value), plan), predicate)


def store_words(
    low: Lowering, view: TensorView, plan: Messages, words: Sequence[ir.Value], predicate: ir.Value | None
) -> None:
    """Stores the words of all messages, where an i1 holds that all threads share."""
    given = Assembly(repeats=True)
    names = [given.operand(word, "r") for word in words]
    base = given.operand(warp_address(low, view, plan), "r")
    guard = "" if predicate is None else f"@{given.operand(predicate, 'b')} "
    lines = []
    for read, address in zip(in_messages(names, plan), plan.addresses, strict=True):
        packing = ".unpack::16b" if plan.spread else ""
        second = "" if plan.second is None else f" {plan.second},"
        place = f"[{base} + {address}],{second}"
        lines.append(f"{guard}{name_of('st', plan)}{packing}.b32 {place} {{{', '.join(read)}}};")
    lines.append("tcgen05.wait::st.sync.aligned;")
    low.emit.inline_asm("\n\t".join(lines), ",".join(given.kinds), None, *given.operands)


def registers_of(low: Lowering) -> int:
    """Registers that a thread has."""
    return min(low.warps.present.registers or MOST_REGISTERS, MOST_REGISTERS)


def messages_of(low: Lowering, type: MemDescType, layout: LinearLayout, most_words: int = MOST_WORDS) -> Messages:
    """Messages of at most so many words between a view and registers of this layout.

    Raises UnsuitableLayout if there are none.
    """
    bits = element_bits(stored_type(low, low.types.element(type.element_type)))
    words = layout.remove_zero_bases("register").in_size("register") * bits // REGISTER_BITS
    registers = registers_of(low)
    # As Triton 3.6: at most half of the registers, a quarter if that takes several messages anyway.
    most = registers // 2 if registers < MOST_REGISTERS or words <= MOST_WORDS else registers // 4
    return plan_messages(layout, buffer_layout(type), bits, min(most, most_words))


def name_of(direction: str, plan: Messages) -> str:
    """The instruction that moves what a plan says: `direction` is "ld" or "st"."""
    return f"tcgen05.{direction}.sync.aligned.{plan.shape}.x{plan.repeat}"


def in_messages(words: Sequence[str], plan: Messages) -> Iterator[Sequence[str]]:
    """The words of each message, from those of all."""
    size = len(plan.words[0])
    return (words[first : first + size] for first in range(0, len(words), size))


def warp_address(low: Lowering, view: TensorView, plan: Messages) -> ir.Value:
    """i32, where this warp's part of a view begins."""
    emit = low.emit
    of_group = [WARP_ROWS << bit + 16 for bit in range(log2(GROUP_WARPS))]
    columns = (*of_group, *plan.warps)[: log2(low.num_warps)]
    if not any(columns):
        return view.address
    warp = uniform_warp(low)
    return emit.add(view.address, low.index.once(("rows", columns), lambda: linear_sum(emit, [(warp, columns)])))


def in_registers(
    low: Lowering, words: Sequence[ir.Value], plan: Messages, layout: LinearLayout, element: ir.Type
) -> ir.Value:
    """The vector of all registers of a tensor, from the words of all messages."""
    emit = low.emit
    per_word = REGISTER_BITS // element_bits(element)
    vector = emit.bitcast(emit.pack(words), emit.vector(len(words) * per_word, element))
    places: dict[int, int] = {}
    for number, registers in enumerate(word for message in plan.words for word in message):
        places |= {register: number * per_word + i for i, register in enumerate(registers)}
    copies = gf2.all_values([1 << bit if column else 0 for bit, column in enumerate(layout.columns_of("register"))])
    return emit.pick(vector, [places[register] for register in copies])


def words_of(low: Lowering, value: ir.Value, plan: Messages) -> list[ir.Value]:
    """The words of all messages, from the vector of all registers of a tensor."""
    per_word = REGISTER_BITS // element_bits(value.type.element_type)
    order: list[int] = []
    for registers in (word for message in plan.words for word in message):
        order += [*registers, *[registers[0]] * (per_word - len(registers))]
    return to_words(low, low.emit.pick(value, order))
