"""Lower stores to the shared memory of CTAs of a cluster in the background, and assembly that a thread runs once.

Ops: dialects/ttng/mbarrier_ops.td, dialects/ttg/assembly_ops.td
Test: test/lit/lower/async_store.mlir, thread_assembly.mlir
"""

from collections.abc import Iterator, Sequence

from mlir import ir

from ttkit.inspection import element_bits
from ttkit.layout.holders import holders
from ttkit.passes.lower import spread_memory
from ttkit.passes.lower.assembly import Assembly, assembled, braced
from ttkit.passes.lower.buffer_places import accesses, first_element, memory_layout
from ttkit.passes.lower.extern import element_count
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.stored import to_stored
from ttkit.passes.lower.types import SharedView
from ttkit.passes.lower.unsupported import CannotLower

WORD_BITS, MOST_BITS = 32, 128


@lowers("ttng.async_shared_store")
def async_shared_store(low: Lowering, op: ir.OpView, value: ir.Value, view: SharedView, barrier: SharedView) -> None:
    """dst = src in the CTAs that have the elements, whose barriers count the bytes.

    Raises:
        CannotLower: one CTA; elements of fewer than 32 bits that are not neighbours in a thread.
    """
    low.require("has_clusters", "stores to other CTAs")
    if low.num_ctas == 1:
        raise CannotLower("found one CTA; stores that a barrier counts go between the CTAs of a cluster")
    value, type, layout = to_stored(low, value), op.dst.type, low.layout(op.src)
    memory, signal = memory_layout(low, type), first_element(low, barrier, op.barrier.type)
    owner, most = low.owners.owns_in_cta(op.src), MOST_BITS // element_bits(value.type.element_type)

    def places(base: ir.Value, limit: int | None) -> Iterator[tuple[list[int], ir.Value]]:
        """The accesses of the view of a CTA, of at most 16 bytes."""
        view_there = SharedView(base, view.offsets)
        return accesses(low, view_there, type, layout, min(limit or most, most), in_any_cta=True)

    for registers, pointer in spread_memory.in_ctas(low, holders(memory, layout), view.base, places):
        store_words(low, low.emit.pick(value, registers), pointer, signal, owner)


def store_words(low: Lowering, values: ir.Value, pointer: ir.Value, signal: ir.Value, owner: ir.Value | None) -> None:
    """Stores neighbouring elements, 4, 8 or 16 bytes.  Raises CannotLower: fewer."""
    bits = element_bits(values.type.element_type) * values.type.shape[0]
    if bits % WORD_BITS:
        raise CannotLower(f"found {bits} neighbouring bits in a thread; a store in the background takes 32 at least")
    words = low.emit.unpack(low.emit.bitcast(values, low.emit.vector(bits // WORD_BITS, low.emit.i32)))
    operands = Assembly()
    address, barrier = operands.operand(pointer, "l"), operands.operand(signal, "r")
    given = braced([operands.operand(word, "r") for word in words])
    guard = "" if owner is None else f"@{operands.operand(owner, 'b')} "
    suffix = f"v{len(words)}.b32" if len(words) > 1 else "b32"
    lines = [
        ".reg .u32 there, cta, counter;",
        f"cvt.u32.u64 there, {address};",
        "getctarank.shared::cluster.u32 cta, there;",
        f"mapa.shared::cluster.u32 counter, {barrier}, cta;",
        f"{guard}st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.{suffix} [there], {given}, [counter];",
    ]
    low.emit.inline_asm("{\n\t" + "\n\t".join(lines) + "\n}", ",".join(operands.kinds), None, *operands.operands)


@lowers("ttg.inline_asm")
def inline_asm(low: Lowering, op: ir.OpView, *values: ir.Value | SharedView) -> list[ir.Value] | ir.Value | None:
    """The assembly once in each thread: the registers of the results, then those of the operands."""
    operation = op.operation
    inputs: list[ir.Value] = []
    for value, operand in zip(values, operation.operands, strict=True):
        if isinstance(value, SharedView):
            inputs.append(low.emit.cast("ptrtoint", first_element(low, value, operand.type), low.emit.i32))
        else:
            inputs += [low.elements.at(value, register) for register in range(low.elements.count(value))]
    counts = [element_count(low, result) or 1 for result in operation.results]
    types = [low.element_type(result) for result, count in zip(operation.results, counts) for _ in range(count)]
    constraints = "".join(op.constraints.split())  # LLVM takes a blank for a constraint
    if not types:
        low.emit.inline_asm(op.asm_string, constraints, None, *inputs)
        return None
    words = assembled(low.emit, op.asm_string, constraints, types, inputs, effects=not op.pure)
    groups = [low.emit.pack(part) for part in parts(words, counts)]
    found = [low.elements.result(result, group) for result, group in zip(operation.results, groups)]
    return found if len(found) > 1 else found[0]


def parts(values: Sequence[ir.Value], counts: Sequence[int]) -> list[list[ir.Value]]:
    """`values` in groups of `counts`."""
    found, first = [], 0
    for count in counts:
        found.append(list(values[first : first + count]))
        first += count
    return found
