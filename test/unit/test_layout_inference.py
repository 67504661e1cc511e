"""Layouts through operations: that no element moves, and that the dialects' own inference says the same."""

from collections.abc import Callable
from math import prod

import layout_strategies as strategies
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from mlir import ir

from ttkit.dialects import tt, ttg
from ttkit.layout import UnsuitableLayout, inference, to_linear_layout
from ttkit.layout.encodings import Blocked, DotOperand, Layout, Linear, NvidiaMma, NvmmaShared, SharedLinear
from ttkit.layout.linear import LinearLayout

ROW = Blocked((1, 4), (8, 4), (4, 1), (1, 0))


@st.composite
def tensors(draw, encodings=strategies.distributed) -> tuple[Layout, tuple[int, ...]]:
    """A layout and a shape that it suits."""
    shape = draw(strategies.shapes(6))
    layout = draw(encodings(len(shape)))
    try:
        to_linear_layout(shape, layout)
    except UnsuitableLayout:
        assume(False)
    return layout, shape


def inferred(rule: Callable[..., Layout], *arguments: object) -> Layout:
    try:
        return rule(*arguments)
    except UnsuitableLayout:
        assume(False)
        raise


def row_major(linear: LinearLayout) -> LinearLayout:
    """Indices to the row-major number of the element."""
    return linear.transpose_outs(reversed(linear.out_dims)).flatten_outs()


@settings(max_examples=60, deadline=None)
@given(tensors(), st.data())
def test_trans_gives_coordinates_other_places(tensor, data):
    layout, shape = tensor
    order = data.draw(strategies.orders(len(shape)))
    result = to_linear_layout([shape[dim] for dim in order], inferred(inference.trans, layout, shape, order))
    for name, bases in to_linear_layout(shape, layout).all_bases().items():
        assert result.bases(name) == tuple(tuple(basis[dim] for dim in order) for basis in bases)


@settings(max_examples=60, deadline=None)
@given(tensors(), st.data())
def test_reshape_keeps_row_major_numbers(tensor, data):
    layout, shape = tensor
    result = [1] * data.draw(st.integers(1, 4))
    for _ in range(prod(shape).bit_length() - 1):
        result[data.draw(st.integers(0, len(result) - 1))] *= 2
    reshaped = inferred(inference.reshape, layout, shape, tuple(result))
    before, after = row_major(to_linear_layout(shape, layout)), row_major(to_linear_layout(result, reshaped))
    assert before.columns == after.columns


def test_reshape_of_a_default_layout_of_more_ctas_than_elements():
    layout = Blocked((1,), (1,), (1,), (0,), ((1,), (2,), (0,)))
    reshaped = inference.reshape(layout, (4,), (4, 1))
    assert to_linear_layout((4, 1), reshaped).bases("block") == ((1, 0), (2, 0), (0, 0))


@settings(max_examples=40, deadline=None)
@given(tensors())
def test_split_undoes_join(tensor):
    layout, shape = tensor
    joined = inferred(inference.join, layout, shape)
    whole = to_linear_layout((*shape, 2), joined)
    assert whole.shape == (*shape, 2)
    half = inferred(inference.split, joined, (*shape, 2))
    assert to_linear_layout(shape, half) == to_linear_layout(shape, layout)


@settings(max_examples=40, deadline=None)
@given(tensors(), st.data())
def test_unpacking_doubles_and_packing_halves(tensor, data):
    layout, shape = tensor
    axis = data.draw(st.integers(0, len(shape) - 1))
    assume(not isinstance(layout, DotOperand) or axis >= len(shape) - 2)  # of batches Triton's rule may double K
    wide = (*shape[:axis], shape[axis] * 2, *shape[axis + 1 :])
    unpacked = inferred(inference.fp4_to_fp, layout, shape, axis)
    packed = inferred(inference.fp4_to_fp, unpacked, wide, axis, False)
    assert to_linear_layout(shape, packed) == to_linear_layout(shape, layout)


@settings(max_examples=40, deadline=None)
@given(tensors(), st.integers(0, 3))
def test_reduce_is_undone_by_expand_dims(tensor, axis):
    layout, _ = tensor
    reduced = inferred(inference.reduce, layout, axis)
    assert inference.expand_dims(reduced, axis) == layout
    with pytest.raises(UnsuitableLayout, match="a slice along it"):
        inference.expand_dims(reduced, axis + 1)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tensors(), st.data())
def test_the_dialect_infers_the_same(context, tensor, data):
    """For operations that are built without a type, and those of which the verifier infers it."""
    layout, shape = tensor
    order = data.draw(strategies.orders(len(shape)))
    axis = data.draw(st.integers(0, len(shape)))
    value = poison(shape, layout)
    for rule, arguments, build in (
        (inference.trans, (shape, order), lambda: tt.trans(value, order)),
        (inference.expand_dims, (axis,), lambda: tt.expand_dims(value, axis)),
        (inference.split, (shape,), lambda: tt.split(value)[0]),
    ):
        try:
            expected = rule(layout, *arguments)
        except UnsuitableLayout:
            with pytest.raises(ir.MLIRError):
                build()
        else:
            assert ttg.layout_of(build()) == expected
    joined = inferred(inference.join, layout, shape)
    assert tt.join(value, value, tensor_type((*shape, 2), joined)).owner.verify()
    flat = inferred(inference.reshape, layout, shape, (prod(shape),))
    assert tt.reshape(value, tensor_type((prod(shape),), flat)).owner.verify()


def tensor_type(shape: tuple[int, ...], layout: Layout) -> ir.RankedTensorType:
    return ir.RankedTensorType.get(shape, ir.F32Type.get(), ttg.attribute(layout))


def poison(shape: tuple[int, ...], layout: Layout) -> ir.Value:
    return ir.Operation.create("ub.poison", results=[tensor_type(shape, layout)]).result


def test_shared_memory():
    plain = NvmmaShared(128, False, 16)
    assert inference.trans(plain, (64, 64), (1, 0)) == NvmmaShared(128, True, 16)
    assert inference.memdesc_reshape(plain, (64, 64), (8, 8, 64)) == NvmmaShared(128, False, 16, rank=3)
    turned = inference.memdesc_reshape(plain, (64, 64), (64, 8, 8))
    assert isinstance(turned, SharedLinear) and turned.alignment == 1024


def test_operands_of_products():
    ampere, hopper = NvidiaMma(2, 0, (2, 2), (16, 8)), NvidiaMma(3, 0, (4, 1), (16, 64, 16))
    assert inference.dot_operand(ampere, 1, 16) == DotOperand(1, ampere, 2)
    assert inference.dot_operand(ampere, 0, 64) == DotOperand(0, ampere, 1)
    assert inference.dot_operand(hopper, 0, 8) == DotOperand(0, hopper, 4)
    assert inference.dot_operand(ROW, 0, 16) == DotOperand(0, ROW)


@pytest.mark.parametrize(
    "rule, arguments, message",
    [
        (inference.dot_operand, (NvidiaMma(3, 0, (4, 1), (16, 64, 16)), 1, 16), "wgmma reads b from memory"),
        (inference.trans, (ROW, (8, 8), (0, 0)), "permutation"),
        (inference.trans, (ROW, (8, 8, 8), (2, 1, 0)), "rank 2"),
        (inference.split, (ROW, (8, 8)), "size 2"),
        (inference.split, (Linear(((1, 0),), (), ((0, 1),)), (2, 2)), "two elements"),
        (inference.reduce, (ROW, 2), "dim must be less"),
        (inference.reduce, (NvmmaShared(0, False, 16), 0), "distributed"),
        (inference.reshape, (ROW, (8, 8), (8, 4)), "can't be reshaped"),
        (inference.fp4_to_fp, (DotOperand(0, NvidiaMma(2, 0, (1, 1), (16, 8)), 1), (16, 16), 1, False), "two elements"),
    ],
)
def test_layouts_that_do_not_suit(rule, arguments, message):
    with pytest.raises(UnsuitableLayout, match=message):
        rule(*arguments)
