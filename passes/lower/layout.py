"""Lower conversions between layouts.

What moves decides the means (ttkit.layout.conversion): nothing, registers of a thread, lanes of a warp by shuffles
(ttkit.layout.shuffle), or warps through shared memory (ttkit.layout.exchange).

Ops: dialects/ttg/layout_ops.td    Test: test/lit/lower/layout.mlir
"""

from collections.abc import Sequence

from mlir import ir

from ttkit.layout import LinearLayout, gf2
from ttkit.layout.conversion import Movement, plan_conversion
from ttkit.layout.exchange import Transfer, plan_exchange
from ttkit.layout.shuffle import Round, plan_shuffles
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.memory import bits_of
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.shuffle import shuffle_index, shuffle_xor
from ttkit.passes.lower.thread_index import all_bits, linear_sum


@lowers("ttg.convert_layout")
def convert_layout(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """result = src, element by element."""
    return convert(low, op, value, low.layout(op.operation.operands[0]), low.layout(op.operation.results[0]))


def convert(low: Lowering, op: ir.OpView, value: ir.Value, source: LinearLayout, target: LinearLayout) -> ir.Value:
    """A tensor's registers in another layout; shared memory, if it takes any, is the scratch memory of `op`."""
    plan = plan_conversion(source, target)
    if plan.movement <= Movement.REGISTERS:
        return low.emit.pick(value, plan.source_registers())
    if plan.movement == Movement.BLOCKS:
        raise ValueError("elements move between the CTAs of a cluster, which no conversion can do yet")
    emit, element = low.emit, value.type.element_type
    distinct = emit.pick(value, distinct_registers(source))
    rounds = plan_shuffles(source.remove_zero_bases("register"), target.remove_zero_bases("register"))
    if plan.uses_shuffles and rounds is not None:
        moved = by_shuffles(low, distinct, rounds)
    else:
        stored = emit.i8 if element == emit.i1 else element
        if stored != element:
            value = emit.cast("zext", value, stored)
        moved = through_shared_memory(low, op, value, source, target)
        if stored != element:
            moved = emit.cast("trunc", moved, element)
    return emit.pick(moved, expanded_registers(target))


def distinct_registers(layout: LinearLayout) -> list[int]:
    """The registers without those that the layout itself makes copies: they have a bit set that moves nothing."""
    return gf2.all_values([1 << bit for bit, column in enumerate(layout.columns_of("register")) if column])


def expanded_registers(layout: LinearLayout) -> list[int]:
    """For each register of a layout its number among `distinct_registers`."""
    columns, position = [], 0
    for column in layout.columns_of("register"):
        columns.append(1 << position if column else 0)
        position += column != 0
    return gf2.all_values(columns)


def by_shuffles(low: Lowering, value: ir.Value, rounds: Sequence[Round]) -> ir.Value:
    """Each round is a shuffle of one register.

    Which register a lane publishes, and fills, depends on the lane in the same way in all rounds: so the registers are
    permuted once before and once after.
    """
    emit = low.emit
    published = permuted_by_lane(low, value, rounds[0].published.basis)
    received = []
    for number in rounds:
        register = emit.extract(published, number.published.constant)
        lane = number.source_lane
        if lane.is_identity:
            received.append(register)
        elif lane.is_unit:
            received.append(shuffle_xor(low, register, lane.constant))
        else:
            index = linear_sum(emit, [(low.index.lane(), lane.basis)])
            received.append(shuffle_index(low, register, emit.xor(index, emit.i32_constant(lane.constant))))
    order = [number.filled.constant for number in rounds]
    filled = emit.pack([received[order.index(register)] for register in range(len(order))])
    return permuted_by_lane(low, filled, rounds[0].filled.basis)


def permuted_by_lane(low: Lowering, value: ir.Value, basis: Sequence[int]) -> ir.Value:
    """Register i becomes register i xor (the XOR of basis[b] over the set bits b of the lane)."""
    emit = low.emit
    count = value.type.shape[0]
    for bit, step in enumerate(basis):
        if step:
            other = emit.pick(value, [i ^ step for i in range(count)])
            is_set = emit.compare("ne", emit.and_(low.index.lane(), emit.i32_constant(1 << bit)), emit.i32_constant(0))
            value = emit.select(is_set, other, value)
    return value


def through_shared_memory(
    low: Lowering, op: ir.OpView, value: ir.Value, source: LinearLayout, target: LinearLayout
) -> ir.Value:
    """The distinct registers of the target, by way of the scratch memory of `op`."""
    emit = low.emit
    element = value.type.element_type
    plan = plan_exchange(source, target, bits_of(element))
    base = low.scratch_pointer(op)
    loaded: dict[int, ir.Value] = {}
    for repetition in range(plan.repetitions):
        if repetition:
            low.barrier()
        for first, address in addresses(low, base, plan.store, element):
            registers = plan.store.registers[repetition][first : first + plan.store.vector]
            low.store_shared(address, emit.pick(value, registers))
        low.barrier()
        type = emit.vector(plan.load.vector, element)
        for first, address in addresses(low, base, plan.load, element):
            vector = low.load_shared(address, type)
            registers = plan.load.registers[repetition][first : first + plan.load.vector]
            loaded |= zip(registers, emit.unpack(vector))
    return emit.pack([loaded[register] for register in distinct_registers(target)])


def addresses(low: Lowering, base: ir.Value, side: Transfer, element: ir.Type) -> list[tuple[int, ir.Value]]:
    """For each instruction the first of its registers, and the address that this thread accesses."""
    emit = low.emit
    start = low.index.of_thread(side.offsets)
    offsets = side.offsets.values("register")
    thread_bits = all_bits([column for dim in ("lane", "warp", "block") for column in side.offsets.columns_of(dim)])
    found = []
    for first in range(0, len(offsets), side.vector):
        # Bits that the thread has too are mixed by xor; the others are a sum, which folds into the instruction.
        mixed, added = offsets[first] & thread_bits, offsets[first] & ~thread_bits
        where = emit.xor(start, emit.i32_constant(mixed)) if mixed else start
        found.append((first, emit.gep(emit.gep(base, where, element), added, element)))
    return found
