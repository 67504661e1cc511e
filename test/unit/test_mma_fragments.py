"""Instructions of a product: the registers that they take are where PTX says, and add up every product once."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ttkit.layout import UnsuitableShape, to_linear_layout
from ttkit.layout.encodings import Blocked, DotOperand, Linear, NvidiaMma
from ttkit.layout.errors import UnsuitableLayout
from ttkit.layout.mma_fragments import MmaShape, plan_mma

# Bits of an element, and the shapes of instructions.
SHAPES = {
    16: ((16, 8, 16), (16, 8, 8)),
    8: ((16, 8, 32), (16, 8, 16)),
    32: ((16, 8, 8), (16, 8, 4)),
    64: ((16, 8, 16), (16, 8, 8), (16, 8, 4)),
}
SMALL = {8: ((8, 8, 16),), 64: ((8, 8, 4),)}


def tensor(layout, array):
    """array[coordinates] for each register, lane and warp."""
    shape = layout.in_size("register"), 32, layout.in_size("warp")
    found = layout.apply(dict(zip(("register", "lane", "warp"), np.indices(shape))))
    return array[tuple(np.broadcast_to(coordinate, shape) for coordinate in found.values())]


def computed(plan, result, a, b, left, right):
    """The result's registers by a plan, each instruction as PTX defines it: (registers, lanes, warps)."""
    held = [tensor(layout, array) for layout, array in ((a, left), (b, right))]
    lanes = np.arange(32)
    for side in held:
        for register in range(len(side)):
            if register % plan.elements in plan.zero_elements:
                side[register] = 0
        side[:, (lanes & plan.zero_lanes) != 0] = 0
    total = np.zeros((result.in_size("register"), 32, result.in_size("warp")), np.int64)
    group, of_four, halves = lanes // 4, lanes % 4, plan.shape.m // 8
    for step in plan.steps:
        tiles = []
        for side, words, size, in_rows in ((held[0], step.a, plan.shape.m, halves), (held[1], step.b, 8, 1)):
            tile = np.zeros((size, plan.shape.k, side.shape[2]), np.int64)
            for number, word in enumerate(words):
                for element in range(plan.elements):
                    row = group + 8 * (number % in_rows)
                    column = (number // in_rows * 4 + of_four) * plan.elements + element
                    tile[row, column] = side[word + element]
            tiles.append(tile)
        product = np.einsum("mkw,nkw->mnw", *tiles)
        for number, register in enumerate(step.result):
            total[register] += product[group + 8 * (number // 2), 2 * of_four + number % 2]
    return total


def check(shape, warps, bits, k_width, shapes, batch=()):
    m, n, k = shape
    parent = NvidiaMma(2, 0, warps, (*[1] * len(batch), 16, 8))
    result = to_linear_layout((*batch, m, n), parent)
    a = to_linear_layout((*batch, m, k), DotOperand(0, parent, k_width))
    b = to_linear_layout((*batch, k, n), DotOperand(1, parent, k_width))
    plan = plan_mma(result, a, b, tuple(MmaShape(*shape) for shape in shapes), bits)
    rng = np.random.default_rng(0)
    left, right = rng.integers(-9, 9, (*batch, m, k)), rng.integers(-9, 9, (*batch, k, n))
    found = computed(plan, result, a, b, left, right)
    np.testing.assert_array_equal(found, tensor(result, left @ right))


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_every_operand_of_an_mma_layout(data):
    bits = data.draw(st.sampled_from(sorted(SHAPES)))
    k_width = max(1, 32 // bits) << data.draw(st.integers(0, 2))
    shape = [1 << data.draw(st.integers(0, most)) for most in (6, 6, 7)]
    batch = data.draw(st.sampled_from([(), (1,), (4,)]))
    warps = tuple(1 << data.draw(st.integers(0, 2)) for _ in range(2 + len(batch)))
    shapes = SMALL[bits] if bits in SMALL and data.draw(st.booleans()) else SHAPES[bits]
    check(shape, warps, bits, k_width, shapes, batch)


def test_a_wide_operand_is_cut_as_by_triton():
    # Eight elements in a row, four words: each instruction has one of them, and that of the same place 32 further on.
    parent = NvidiaMma(2, 0, (1, 1), (16, 8))
    result = to_linear_layout((16, 8), parent)
    a, b = (to_linear_layout(shape, DotOperand(i, parent, 8)) for i, shape in enumerate([(16, 64), (64, 8)]))
    plan = plan_mma(result, a, b, tuple(MmaShape(*shape) for shape in SHAPES[16]), 16)
    assert [step.a for step in plan.steps] == [(first, first + 8, first + 16, first + 24) for first in (0, 2, 4, 6)]


def mma(warps, m=32):
    return to_linear_layout((m, 32), NvidiaMma(2, 0, warps, (16, 8)))


def operand(index, warps, k_width=2):
    return to_linear_layout((32, 32), DotOperand(index, NvidiaMma(2, 0, warps, (16, 8)), k_width))


ACROSS = Linear(((0, 1), (8, 0), (0, 8), (16, 0), (0, 16)), ((1, 0), (2, 0), (0, 2), (0, 4), (4, 0)), ())


@pytest.mark.parametrize(
    "result, a, b, message",
    [
        (mma((2, 1)), operand(0, (1, 2)), operand(1, (2, 1)), "warps have other rows"),
        (mma((1, 1)), operand(0, (1, 1)), operand(1, (1, 1), 4), "different places along k"),
        (mma((1, 1)), operand(0, (1, 1), 1), operand(1, (1, 1), 1), "less than 32 bits"),
        (mma((1, 1)), to_linear_layout((32, 32), ACROSS), operand(1, (1, 1)), "lanes have other rows"),
        (
            to_linear_layout((32, 32), Blocked((1, 4), (8, 4), (1, 1), (1, 0))),
            operand(0, (1, 1)),
            operand(1, (1, 1)),
            "the result is not as mma.sync gives it",
        ),
    ],
)
def test_other_operands_are_refused(result, a, b, message):
    with pytest.raises(UnsuitableLayout, match=message):
        plan_mma(result, a, b, tuple(MmaShape(*shape) for shape in SHAPES[16]), 16)


def test_shapes_are_those_of_the_tensors():
    with pytest.raises((UnsuitableShape, ValueError)):
        to_linear_layout((24, 8), NvidiaMma(2, 0, (1, 1), (16, 8)))
