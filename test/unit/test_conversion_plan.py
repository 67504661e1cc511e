"""Conversions between distributed layouts: what moves, shuffles, and the scratch layouts of the rest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttkit.layout import LinearLayout, to_linear_layout
from ttkit.layout import encodings as enc
from ttkit.layout.conversion_plan import Movement, plan_conversion
from ttkit.layout.exchange import plan_exchange
from ttkit.layout.packing import Dims
from ttkit.layout.shuffle import plan_shuffles
from ttkit.layout.swizzling import scratch_layout, shared_instructions

LANES, WARPS = 3, 1  # bits; as many as fit into a quick test


@st.composite
def pairs(draw, within_warp=False):
    """Two distributed layouts of one tensor, with copies in lanes and warps; warps may hold the same in both."""
    bits = draw(st.integers(1, 6))
    outs = (("dim0", bits // 2), ("dim1", bits - bits // 2))
    columns = [1 << bit for bit in range(bits)] + [0] * draw(st.integers(0, 2))
    columns += [0] * (LANES + WARPS - len(columns))
    first = draw(st.permutations(columns))
    second = [*first[:WARPS], *draw(st.permutations(first[WARPS:]))] if within_warp else draw(st.permutations(columns))
    return tuple(distributed(order, outs) for order in (first, second))


def distributed(columns: list[int], outs: Dims) -> LinearLayout:
    """The first columns for warps, then lanes, the rest for registers, without copies there."""
    warps, lanes = columns[:WARPS], columns[WARPS : WARPS + LANES]
    registers = [column for column in columns[WARPS + LANES :] if column]
    ins = (("register", len(registers)), ("lane", LANES), ("warp", WARPS))
    return LinearLayout(ins, outs, (*registers, *lanes, *warps))


def holders(layout: LinearLayout) -> dict[int, set[tuple[int, int, int]]]:
    """Element -> all (register, lane, warp) that hold it."""
    found: dict[int, set[tuple[int, int, int]]] = {}
    registers, lanes = layout.in_size("register"), layout.in_size("lane")
    for packed in range(1 << layout.in_bits):
        place = packed % registers, packed // registers % lanes, packed // (registers * lanes)
        found.setdefault(layout.apply_packed(packed), set()).add(place)
    return found


@given(pairs())
def test_places_are_where_the_source_has_the_element(pair):
    source, target = pair
    plan = plan_conversion(source, target)
    at = holders(source)
    for element, places in holders(target).items():
        for register, lane, warp in places:
            found = plan.places.apply({"register": register, "lane": lane, "warp": warp})
            assert (found["register"], found["lane"], found["warp"]) in at[element]


@given(pairs())
def test_movement_is_what_is_crossed(pair):
    """With less movement than planned the conversion is impossible, unless copies make it possible."""
    source, target = pair
    plan = plan_conversion(source, target)
    at = holders(source)
    needed = Movement.NONE
    for element, places in holders(target).items():
        for register, lane, warp in places:
            if (register, lane, warp) in at[element]:
                continue
            own_lane = any((lane, warp) == (other_lane, other_warp) for _, other_lane, other_warp in at[element])
            own_warp = any(warp == other_warp for _, _, other_warp in at[element])
            needed = max(needed, Movement.REGISTERS if own_lane else Movement.LANES if own_warp else Movement.WARPS)
    assert plan.movement >= needed
    if source.is_injective and target.is_injective:
        assert plan.movement == needed
    if plan.movement == Movement.REGISTERS:
        registers = plan.source_registers()
        assert [source.values("register")[r] for r in registers] == target.values("register")


@given(pairs(within_warp=True))
def test_shuffles_bring_every_element(pair):
    source, target = pair
    rounds = plan_shuffles(source, target)
    if rounds is None:
        assert not source.is_injective or plan_conversion(source, target).movement > Movement.LANES
        return
    elements = 1 << LANES
    filled = set()
    for step in rounds:
        for lane in range(elements):
            register, other = step.filled(lane), step.source_lane(lane)
            got = source.apply({"register": step.published(other), "lane": other})
            assert got == target.apply({"register": register, "lane": lane})
            assert not step.source_lane.is_identity or other == lane
            assert step.lane_mask is None or other == lane ^ step.lane_mask
            filled.add((register, lane))
    assert len(filled) == elements * target.in_size("register")


def test_exchanging_one_bit_shuffles_half_of_the_registers():
    outs = (("dim0", 5),)
    source = LinearLayout((("register", 2), ("lane", 3)), outs, (1, 2, 4, 8, 16))
    target = LinearLayout((("register", 2), ("lane", 3)), outs, (1, 4, 2, 8, 16))
    rounds = plan_shuffles(source, target)
    assert [step.source_lane.is_identity for step in rounds] == [True, True, False, False]
    assert [step.lane_mask for step in rounds] == [0, 0, 1, 1]
    assert plan_conversion(source, target).exchanged_bits == 1


@given(pairs(), st.sampled_from([8, 16, 32, 64]), st.booleans())
def test_scratch_holds_every_element_once(pair, bits, matrix):
    source, target = pair
    instructions = shared_instructions(bits, matrix)
    scratch = scratch_layout(source, target, bits, instructions, instructions)
    assert scratch.layout.is_invertible
    assert scratch.elements * scratch.repetitions == 1 << source.out_bits
    repeated = scratch.layout.columns_of("reps")
    for side in (source, target):
        assert all(column in side.columns_of("register") for column in repeated)


BLOCKED = enc.Blocked((1, 4), (8, 4), (4, 1), (1, 0))
TRANSPOSED = enc.Blocked((4, 1), (4, 8), (1, 4), (0, 1))
MMA = enc.NvidiaMma(2, 0, (2, 2), (16, 8))
ROWS = enc.NvidiaMma(2, 0, (4, 1), (16, 8))
LINEAR = enc.Linear(((0, 1), (0, 2)), ((0, 4), (0, 8), (0, 16), (1, 0), (2, 0)), ((4, 0), (8, 0)))


@pytest.mark.parametrize(
    ("source", "target", "movement"),
    [
        (BLOCKED, BLOCKED, Movement.NONE),
        (enc.Blocked((2, 2), (8, 4), (4, 1), (1, 0)), enc.Blocked((2, 2), (8, 4), (4, 1), (0, 1)), Movement.LANES),
        (enc.Blocked((1, 1), (32, 1), (4, 1), (1, 0)), enc.Blocked((1, 1), (32, 1), (4, 1), (0, 1)), Movement.NONE),
        (BLOCKED, TRANSPOSED, Movement.WARPS),
        (enc.NvidiaMma(2, 0, (4, 1), (16, 8)), MMA, Movement.WARPS),
        (MMA, enc.DotOperand(0, MMA, 2), Movement.WARPS),
        (ROWS, enc.DotOperand(0, ROWS, 2), Movement.NONE),
        (ROWS, enc.DotOperand(0, ROWS, 4), Movement.LANES),
        # Lanes and warps hold the same; the target has fewer registers, because the source's hold copies.
        (enc.Linear((*LINEAR.register, (0, 0)), LINEAR.lane, LINEAR.warp), LINEAR, Movement.REGISTERS),
        (LINEAR, enc.Linear(LINEAR.register[::-1], LINEAR.lane, LINEAR.warp), Movement.REGISTERS),
    ],
)
def test_movement_between_attributes(source, target, movement):
    plan = plan_conversion(to_linear_layout((64, 32), source), to_linear_layout((64, 32), target))
    assert plan.movement == movement


def carried_out(exchange, source: LinearLayout, target: LinearLayout) -> None:
    """Plays the exchange through; every register of the target must get its element."""
    threads = [
        {"lane": lane, "warp": warp} for lane in range(source.in_size("lane")) for warp in range(source.in_size("warp"))
    ]
    got = set()
    for stored, loaded in zip(exchange.store.registers, exchange.load.registers):
        memory = {}
        for thread in threads:
            for position, register in enumerate(stored):
                offset = exchange.store.offsets.apply({**thread, "register": position})["offset"]
                element = source.apply({**thread, "register": register})
                assert offset < exchange.elements
                assert memory.setdefault(offset, element) == element
        for thread in threads:
            for position, register in enumerate(loaded):
                offset = exchange.load.offsets.apply({**thread, "register": position})["offset"]
                assert memory[offset] == target.apply({**thread, "register": register})
                got.add((*thread.values(), register))
    assert len(got) == len(threads) * target.remove_zero_bases("register").in_size("register")
    for transfer in (exchange.store, exchange.load):
        for start in range(0, len(transfer.registers[0]), transfer.vector):
            first = transfer.offsets.apply({"register": start})["offset"]
            offsets = [transfer.offsets.apply({"register": start + i})["offset"] for i in range(transfer.vector)]
            assert offsets == list(range(first, first + transfer.vector))


@given(pairs(), st.sampled_from([8, 16, 32, 64]))
def test_exchange_brings_every_element(pair, bits):
    carried_out(plan_exchange(*pair, bits), *pair)


@pytest.mark.parametrize("bits", [8, 16, 32])
@pytest.mark.parametrize(
    "target", [BLOCKED, TRANSPOSED, MMA, enc.DotOperand(1, MMA, 2)], ids=lambda which: which.mnemonic
)
def test_exchange_between_attributes(bits, target):
    """With the matrix instructions of sm_90, from the result of a product."""
    source, target = (
        to_linear_layout((64, 64), enc.NvidiaMma(2, 0, (4, 1), (16, 8))),
        to_linear_layout((64, 64), target),
    )
    exchange = plan_exchange(source, target, bits, has_stmatrix=True, has_ldmatrix=True)
    carried_out(exchange, source, target)
    if bits == 16 and target.bases("register")[0] == (1, 0):  # columns: no vector suits both sides
        assert exchange.store.matrix is not None
