"""Lower conversions between layouts.

What moves decides the means (ttkit.layout.conversion_plan): nothing, registers of a thread, lanes of a warp by shuffles
(ttkit.layout.shuffle), warps through shared memory (ttkit.layout.exchange), or CTAs through that of each other
(ttkit.layout.holders).

Ops: dialects/ttg/layout_ops.td    Test: test/lit/lower/layout.mlir
"""

import functools
from collections.abc import Callable, Sequence
from typing import NamedTuple

from mlir import ir

from ttkit.analysis.membar import within_warps
from ttkit.inspection import element_bits
from ttkit.layout import LinearLayout, gf2
from ttkit.layout.conversion_plan import Movement, plan_conversion
from ttkit.layout.exchange import Exchange, Transfer, plan_exchange, plan_exchange_at_once
from ttkit.layout.hardware import REGISTER_BITS
from ttkit.layout.holders import holders, is_own
from ttkit.layout.shuffle import Round, plan_packing, plan_shuffles
from ttkit.operation_sets import CONVERT_LAYOUT
from ttkit.passes.lower.buffer_places import addresses_from
from ttkit.passes.lower.cluster import in_cta, synchronize_ctas
from ttkit.passes.lower.equal_elements import first_of_equal
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.shuffle import choose, shuffle_index, shuffle_xor
from ttkit.passes.lower.stored import from_stored, to_stored
from ttkit.passes.lower.thread_index import linear_sum
from ttkit.passes.lower.view import registers_at
from ttkit.passes.lower.words import from_words, to_words

FP4_MANTISSA, FP4_BIAS = 1, 1


@lowers(CONVERT_LAYOUT)
def convert_layout(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """result = src, element by element.

    Equal elements are read once: LLVM drops the reads of the others, and computes with one.
    """
    found, first = convert(low, op, value, low.layout(op.src), low.layout(op.result)), first_of_equal(low, op.result)
    return found if first == list(range(len(first))) else low.emit.pick(found, first)


@lowers("ttg.fp4_to_fp")
def fp4_to_fp(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """result[..., 2 i + h, ...] = the number in half h of byte src[..., i, ...]"""
    emit, result = low.emit, op.result
    source, target = low.layout(op.src), low.layout(result)
    axis, element = op.axis, low.element_type(result)
    # One byte as a word with a number in the lower half of each 16 bits.
    byte = emit.cast("zext", value, emit.i32)
    type = byte.type
    pair = emit.or_(emit.and_(byte, emit.constant(type, 0xF)), emit.shl(emit.and_(byte, emit.constant(type, 0xF0)), 12))
    # Exponent and mantissa (2 and 1 bits) in their places; the product counts the exponent from the other bias.
    mantissa, bias = (10, 15) if element == emit.f16 else (7, 127)
    magnitude = emit.shl(emit.and_(pair, emit.constant(type, 0x70007)), mantissa - FP4_MANTISSA)
    sign = emit.shl(emit.and_(pair, emit.constant(type, 0x80008)), 12)
    numbers = emit.bitcast(emit.or_(magnitude, sign), emit.vector(2 * type.shape[0], element))
    scale = emit.constant(numbers.type, 2.0 ** (bias - FP4_BIAS))
    numbers = emit.same("llvm.fmul", numbers, scale, fastmathFlags=low.float_flags)
    shift = sum(bits for _, bits in target.outs[:axis])
    below = (1 << shift) - 1
    columns = [column & below | column >> shift + 1 << shift for column in target.columns]
    places = registers_at(source, LinearLayout(target.ins, source.outs, tuple(columns)))
    return emit.pick(numbers, [2 * r + (v >> shift & 1) for r, v in zip(places, target.values("register"))])


def convert(low: Lowering, op: ir.OpView, value: ir.Value, source: LinearLayout, target: LinearLayout) -> ir.Value:
    """A tensor's registers in another layout; shared memory, if it takes any, is the scratch memory of `op`."""
    plan = plan_conversion(source, target)
    if plan.movement <= Movement.REGISTERS:
        return low.emit.pick(value, plan.source_registers())
    emit, element = low.emit, value.type.element_type
    if plan.uses_shuffles:
        distinct = to_stored(low, emit.pick(value, distinct_registers(source)))
        moved = in_warps(low, distinct, source.remove_zero_bases("register"), target.remove_zero_bases("register"))
        moved = from_stored(low, moved, element)
    else:
        moved = from_stored(low, through_shared_memory(low, op, to_stored(low, value), source, target), element)
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


def in_warps(low: Lowering, value: ir.Value, source: LinearLayout, target: LinearLayout) -> ir.Value:
    """A tensor's registers in another layout of each warp; neither has registers that hold copies."""
    emit, element = low.emit, value.type.element_type
    packing = plan_packing(source, target, element_bits(element))
    rounds = None if packing is None else plan_shuffles(packing.source, packing.target)
    if packing is not None and rounds is not None:
        word = ir.IntegerType.get_signless(packing.elements * element_bits(element), emit.context)
        count = value.type.shape[0] // packing.elements
        words = emit.bitcast(emit.pick(value, packing.source_order), emit.vector(count, word))
        words = by_shuffles(low, words, rounds)
        found = emit.bitcast(words, emit.vector(words.type.shape[0] * packing.elements, element))
        return emit.pick(found, [packing.target_order.index(register) for register in range(found.type.shape[0])])
    rounds = plan_shuffles(source, target)
    return by_candidates(low, value, source, target) if rounds is None else by_shuffles(low, value, rounds)


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


def by_candidates(low: Lowering, value: ir.Value, source: LinearLayout, target: LinearLayout) -> ir.Value:
    """Shuffle every source register that some lane needs, and let each lane select its own among them.

    For conversions in which lanes need too many registers of one lane for a round to serve them all.
    """
    emit = low.emit
    places = plan_conversion(source, target).places
    lane_places = places.sublayout(["lane"], ["lane"]).columns
    lane = linear_sum(emit, [(low.index.lane(), lane_places)])
    register_places = places.sublayout(["lane"], ["register"]).columns
    wanted = linear_sum(emit, [(low.index.lane(), register_places)])
    choices = sorted(set(gf2.all_values(gf2.reduced(register_places))))
    found = []
    for packed in places.sublayout(["register"], ["register", "lane"]).values("register"):
        register, moved = packed & source.in_size("register") - 1, packed >> source.bits_in("register")
        from_lane = emit.flip(lane, moved)
        values = ((each, shuffle_index(low, emit.extract(value, register ^ each), from_lane)) for each in choices)
        found.append(choose(low, wanted, values))
    return emit.pack(found)


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
    bits = element_bits(value.type.element_type)
    has_ldmatrix = low.target.has_ldmatrix and is_own(holders(source, target))  # it reads the CTA's own memory only
    plan = plan_exchange(source, target, bits, has_stmatrix=low.target.has_stmatrix, has_ldmatrix=has_ldmatrix)
    base = low.shared.scratch(op, plan.elements * bits // 8)
    return exchange(low, Move(base, plan, value), source, target)


class Move(NamedTuple):
    """A value that goes to other threads: the memory, the plan of its way, and its registers."""

    base: ir.Value
    plan: Exchange
    value: ir.Value


def exchange(
    low: Lowering, move: Move, source: LinearLayout, target: LinearLayout, storing: ir.Value | None = None
) -> ir.Value:
    """The distinct registers of the target, by way of the move's memory.

    storing: whether this thread stores what it has; None for all threads.
    """
    return exchange_together(low, [move], source, target, storing)[0]


def exchange_together(
    low: Lowering,
    moves: Sequence[Move],
    source: LinearLayout,
    target: LinearLayout,
    storing: ir.Value | None = None,
) -> list[ir.Value]:
    """The same for several moves, each with memory of its own, which repeat as often: threads wait once for all."""
    owners = holders(source, target)
    crosses_ctas = not is_own(owners)
    # Where elements stay in their warp only its threads wait for each other.
    wait = low.warps.synchronize_warp if within_warps(source, target) else low.warps.synchronize
    if crosses_ctas:
        wait = functools.partial(synchronize_ctas, low)
    loaded: list[dict[int, ir.Value]] = [{} for _ in moves]
    for repetition in range(moves[0].plan.repetitions):
        if repetition:
            wait()
        for move in moves:
            store_registers(low, move, repetition, storing)
        wait()
        for (base, plan, value), found in zip(moves, loaded):
            load = loads_from_ctas(low, base, plan.load, owners) if crosses_ctas else loads(low, base, plan.load)
            element, held = value.type.element_type, plan.load.registers[repetition]
            at_once = registers_at_once(plan.load, element)
            for number in range(len(held) // at_once):
                registers = held[number * at_once : (number + 1) * at_once]
                found |= zip(registers, load(number, registers, element))
    if crosses_ctas:
        wait()
    return [low.emit.pack([found[register] for register in distinct_registers(target)]) for found in loaded]


def moves_at_once(
    bases: Sequence[ir.Value], values: Sequence[ir.Value], source: LinearLayout, target: LinearLayout
) -> list[Move]:
    """Moves in which all elements are in memory at the same time."""
    return [
        Move(base, plan_exchange_at_once(source, target, element_bits(value.type.element_type)), value)
        for base, value in zip(bases, values, strict=True)
    ]


def store_registers(low: Lowering, move: Move, repetition: int, storing: ir.Value | None) -> None:
    """Stores the registers of one repetition."""
    base, plan, value = move
    element = value.type.element_type
    at_once = registers_at_once(plan.store, element)
    for number, address in enumerate(addresses(low, base, plan.store, element)):
        registers = plan.store.registers[repetition][number * at_once : (number + 1) * at_once]
        if plan.store.matrix is None:
            low.shared.store(address, low.emit.pick(value, registers), storing)
        else:
            store_matrices(low, address, low.emit.pick(value, registers), plan.store.matrix.transposed)


Load = Callable[[int, Sequence[int], ir.Type], list[ir.Value]]
"""The elements that an instruction loads, given its number, its registers and their type."""


def loads(low: Lowering, base: ir.Value, side: Transfer) -> Load:
    """Loader of registers from the CTA's own shared memory."""
    emit = low.emit
    found: list[ir.Value] = []

    def load(number: int, registers: Sequence[int], element: ir.Type) -> list[ir.Value]:
        """The registers that load number `number` fills; addresses are made at the first one."""
        if not found:
            found.extend(addresses(low, base, side, element))
        type, address = emit.vector(len(registers), element), found[number]
        if side.matrix is None:
            return emit.unpack(low.shared.load(address, type))
        return emit.unpack(load_matrices(low, address, type, side.matrix.transposed))

    return load


def loads_from_ctas(low: Lowering, base: ir.Value, side: Transfer, owners: LinearLayout) -> Load:
    """Loader of each register from the shared memory of the CTA that `owners` names for it."""
    emit, ctas = low.emit, owners.values("register")
    thread_cta = low.index.of_thread(owners)
    found: dict[int, list[ir.Value]] = {}

    def addresses_in(step: int, element: ir.Type) -> list[ir.Value]:
        """Addresses in the shared memory of the CTA whose number differs by the bits of `step`."""
        if step not in found:
            cta = emit.flip(thread_cta, step)
            found[step] = addresses(low, in_cta(low, base, cta), side, element)
        return found[step]

    def load(number: int, registers: Sequence[int], element: ir.Type) -> list[ir.Value]:
        """The registers of load number `number`: one load if all come from one CTA, else one for each."""
        steps = [ctas[register] for register in registers]
        if len(set(steps)) == 1:
            type = emit.vector(len(registers), element)
            return emit.unpack(low.shared.load(addresses_in(steps[0], element)[number], type))
        one, values = emit.vector(1, element), []
        for position, step in enumerate(steps):
            where = emit.gep(addresses_in(step, element)[number], position, element)
            values.append(emit.extract(low.shared.load(where, one), 0))
        return values

    return load


def registers_at_once(side: Transfer, element: ir.Type) -> int:
    """Number of elements per thread that one instruction moves."""
    return side.vector if side.matrix is None else side.matrix.matrices * REGISTER_BITS // element_bits(element)


def store_matrices(low: Lowering, address: ir.Value, vector: ir.Value, transposed: bool) -> None:
    """stmatrix: a vector as 8x8 matrices of 2-byte elements, whose rows lie where the lanes say."""
    words = to_words(low, vector)
    names = ", ".join(f"${i + 1}" for i in range(len(words)))
    text = f"stmatrix.sync.aligned.m8n8.x{len(words)}{'.trans' if transposed else ''}.shared.b16 [$0], {{{names}}};"
    low.emit.inline_asm(text, ",".join(["r"] * (1 + len(words))), None, address, *words)


def load_matrices(low: Lowering, address: ir.Value, type: ir.Type, transposed: bool) -> ir.Value:
    """ldmatrix: a vector of type `type` from matrices whose rows lie where the lanes say."""
    emit = low.emit
    count = type.shape[0] * element_bits(type.element_type) // REGISTER_BITS
    name = f"llvm.nvvm.ldmatrix.sync.aligned.m8n8.x{count}{'.trans' if transposed else ''}.b16"
    found = emit.intrinsic(name, emit.i32 if count == 1 else emit.struct([emit.i32] * count), address)
    words = [found] if count == 1 else [emit.field(found, i, emit.i32) for i in range(count)]
    return from_words(low, words, type)


def addresses(low: Lowering, base: ir.Value, side: Transfer, element: ir.Type) -> list[ir.Value]:
    """For each instruction the address that this thread accesses."""
    places, step = (side.offsets, side.vector) if side.matrix is None else (side.matrix.rows, 1)
    return list(addresses_from(low, base, places, step, element, in_bytes=low.has_free_registers and not low.repeats))
