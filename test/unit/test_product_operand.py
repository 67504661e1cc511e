"""Which elements of its operands a product's thread needs, and how it reads them from shared memory."""

from hypothesis import given
from hypothesis import strategies as st
from layout_strategies import orders

from ttkit.layout import to_linear_layout
from ttkit.layout.encodings import Blocked, SwizzledShared
from ttkit.layout.product_operand import SliceAccess, Slots, best_swizzle

ROWS = Blocked((4, 4), (8, 4), (1, 1), (1, 0))
STORED = Blocked((1, 8), (4, 8), (1, 1), (1, 0))


def slots_of(layout, shape, index):
    """Those of operand `index` of a product with sizes m, n, k."""
    m, n, k = shape
    operand = to_linear_layout((m, k) if index == 0 else (k, n), layout).outs
    return Slots.of(to_linear_layout((m, n), layout), operand, inner=1 - index)


@given(st.integers(0, 1), orders(2), st.tuples(*[st.integers(3, 6)] * 3))
def test_slots_have_the_rows_of_the_result(index, order, bits):
    layout = Blocked((2, 4), (8, 4), (2, 1), order)
    shape = tuple(1 << b for b in bits)
    slots, result = slots_of(layout, shape, index), to_linear_layout(shape[:2], layout)
    kept = f"dim{index}"
    for thread in ({"lane": 0}, {"lane": 13, "warp": 1}):
        for register in range(result.in_size("register")):
            element = result.apply({"register": register, **thread})
            for step in (0, shape[2] - 1):
                needed = slots.layout.apply({"register": slots.of_register(register), "step": step, **thread})
                assert needed == {kept: element[kept], f"dim{1 - index}": step}


@given(st.integers(0, 1), orders(2), st.integers(0, 3), st.integers(0, 2))
def test_loads_read_every_element_of_a_slice_once(index, order, steps, phases):
    slots = slots_of(ROWS, (32, 32, 16), index)
    shape = (32, 16) if index == 0 else (16, 32)
    memory = to_linear_layout(shape, SwizzledShared(2, 1, 1 << phases, order))
    places = slots.layout.invert_and_compose(memory).sublayout(slots.layout.in_dims, ["offset"])
    access = SliceAccess(places, 1 << steps, 16)
    groups = access.groups()
    assert sorted(slot for group in groups for slot in group) == list(range(slots.count))
    for group in groups:
        found = {}
        for members, offset in access.loads(group):
            for position, (slot, step) in enumerate(members):
                assert (slot, step) not in found
                found[slot, step] = offset + position
        assert found.keys() == {(slot, step) for slot in group for step in range(1 << steps)}
        for (slot, step), offset in found.items():
            assert places.apply({"register": slot, "step": step})["offset"] == offset


def test_rows_of_lanes_lie_in_different_banks():
    plain = SwizzledShared(1, 1, 1, (1, 0))
    slots = slots_of(ROWS, (128, 128, 64), 0)
    source = to_linear_layout((128, 64), STORED)
    found = best_swizzle(plain, (128, 64), 16, source, (slots,))
    assert found == SwizzledShared(8, 4, 8, (1, 0))


def test_what_has_no_conflicts_stays():
    plain = SwizzledShared(1, 1, 1, (1, 0))
    source = to_linear_layout((64, 128), STORED)
    layout = Blocked((4, 4), (1, 32), (1, 1), (1, 0))
    assert best_swizzle(plain, (64, 128), 32, source, (slots_of(layout, (128, 128, 64), 1),)) == plain
