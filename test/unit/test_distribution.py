"""What follows from a distributed layout: sizes, orders, copies, coalescing."""

import itertools

from hypothesis import given
from hypothesis import strategies as st
from layout_strategies import blocked_of_one_cta, distributed, linear_layouts, shapes

from ttkit.layout import LinearLayout, distribution, to_linear_layout
from ttkit.layout import encodings as enc

distributed_layouts = linear_layouts(distributed, shapes(6))


@given(st.data(), st.integers(1, 3))
def test_blocked_layouts_give_back_their_parameters(data, rank):
    """Where the tensor is as large as the layout's tile or larger."""
    layout = data.draw(blocked_of_one_cta(rank))
    tile = [a * b * c for a, b, c in zip(layout.size_per_thread, layout.threads_per_warp, layout.warps_per_cta)]
    shape = tuple(size * data.draw(st.sampled_from([1, 2, 4])) for size in tile)
    linear = to_linear_layout(shape, layout)
    assert distribution.threads_per_warp(linear) == list(layout.threads_per_warp)
    assert distribution.warps_per_cta(linear) == list(layout.warps_per_cta)
    assert distribution.shape_per_cta(linear) == list(shape)
    threads = [lanes * warps for lanes, warps in zip(layout.threads_per_warp, layout.warps_per_cta)]
    if shape == tuple(2 * size for size in tile) and all(count > 1 for count in threads):
        assert distribution.size_per_thread(linear) == list(layout.size_per_thread)


@given(distributed_layouts)
def test_copies_are_counted(linear):
    registers = linear.values("register")
    assert distribution.elements_per_thread(linear) == len(registers)
    assert distribution.distinct_elements_per_thread(linear) == len(set(registers))
    assert distribution.copies_per_element(linear) << linear.out_bits == 1 << linear.in_bits


@given(distributed_layouts)
def test_contiguous_per_thread_is_a_box_of_neighbours(linear):
    box = distribution.contiguous_per_thread(linear)
    count = 1
    for size in box:
        count *= size
    held = {linear.unpack(packed) for packed in linear.values("register")[:count]}
    assert held == set(itertools.product(*map(range, box)))


def test_order():
    linear = to_linear_layout((64, 64), enc.Blocked((1, 4), (8, 4), (4, 1), (1, 0)))
    assert distribution.order(linear) == [1, 0]
    assert distribution.order(linear, "warp") == [0, 1]
    assert distribution.steps(linear, "lane") == [8, 4]


def test_copies_before_the_first_step_count_for_the_first_dimension():
    linear = to_linear_layout((32, 1), enc.Blocked((1, 4), (8, 4), (4, 1), (1, 0)))
    assert distribution.steps(linear, "register", copies=True) == [4, 1]
    assert distribution.steps(linear, "register") == [1, 1]


def counted_bytes(linear: LinearLayout, bits: int) -> float:
    """Useful bytes per 32-byte sector of the first instruction of warp 0, counted lane by lane; row-major tensor."""
    vector = min(distribution.memory_vector(linear), 128 // bits)
    elements = set()
    for lane, register in itertools.product(range(linear.in_size("lane")), range(vector)):
        flat = 0
        for value, size in zip(linear.apply({"lane": lane, "register": register}).values(), linear.shape):
            flat = flat * size + value
        elements.add(flat)
    sectors = {element * bits // 256 for element in elements}
    return len(elements) * bits / 8 / len(sectors)


@given(distributed_layouts, st.sampled_from([8, 16, 32, 64]))
def test_bytes_per_transaction(linear, bits):
    assert distribution.bytes_per_transaction(linear, bits) == counted_bytes(linear, bits)


def test_coalescing_depends_on_the_order():
    rows = to_linear_layout((64, 64), enc.Blocked((1, 4), (8, 4), (4, 1), (1, 0)))
    assert distribution.memory_vector(rows) == 4
    assert distribution.memory_vector(rows, [0, 1]) == 1
    assert distribution.bytes_per_transaction(rows, 32) == 32
    columns = to_linear_layout((64, 64), enc.Blocked((1, 1), (32, 1), (1, 4), (0, 1)))
    assert distribution.bytes_per_transaction(columns, 32) == 4
    assert distribution.bytes_per_transaction(columns, 32, [0, 1]) == 32
