"""Linear layouts: the laws of their algebra, each against maps of plain coordinates."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttkit.layout import LinearLayout, gf2

IN, OUT = ("register", "lane", "warp"), ("dim0", "dim1")


@st.composite
def linear_layouts(draw, ins=IN, outs=OUT, out_bits=None) -> LinearLayout:
    """Any linear map, often neither surjective nor injective."""
    bits = out_bits or [draw(st.integers(0, 3)) for _ in outs]
    basis = st.tuples(*[st.integers(0, (1 << count) - 1) for count in bits])
    bases = {name: draw(st.lists(basis, max_size=2)) for name in ins}
    return LinearLayout.from_bases(bases, {name: 1 << count for name, count in zip(outs, bits)})


@st.composite
def surjective_layouts(draw, ins=IN, outs=OUT, out_bits=None) -> LinearLayout:
    """A bijection of bits with swizzling and copies mixed in."""
    bits = out_bits or [draw(st.integers(0, 3)) for _ in outs]
    total = sum(bits)
    columns = [1 << bit for bit in range(total)]
    for _ in range(draw(st.integers(0, 6)) if total > 1 else 0):
        target, source = draw(st.permutations(range(total)))[:2]
        columns[target] ^= columns[source]
    columns += [draw(st.integers(0, (1 << total) - 1)) for _ in range(draw(st.integers(0, 2)))]
    columns = draw(st.permutations(columns))
    cuts = sorted(draw(st.integers(0, len(columns))) for _ in ins[1:])
    counts = [end - start for start, end in zip([0, *cuts], [*cuts, len(columns)])]
    return LinearLayout(tuple(zip(ins, counts)), tuple(zip(outs, bits)), tuple(columns))


def as_map(layout: LinearLayout) -> dict:
    """Packed index -> coordinates by name, found bit by bit."""
    found = {}
    for packed in range(1 << layout.in_bits):
        coordinates, bit = dict.fromkeys(layout.out_dims, 0), 0
        for name in layout.in_dims:
            for basis in layout.bases(name):
                if packed >> bit & 1:
                    for dim, value in zip(layout.out_dims, basis):
                        coordinates[dim] ^= value
                bit += 1
        found[packed] = coordinates
    return found


def indices(layout: LinearLayout, packed: int) -> dict[str, int]:
    result = {}
    for name, bits in layout.ins:
        result[name], packed = packed & (1 << bits) - 1, packed >> bits
    return result


@given(linear_layouts())
def test_apply_on_ints_and_arrays(layout):
    expected = as_map(layout)
    for packed, coordinates in expected.items():
        assert layout.apply(indices(layout, packed)) == coordinates
        assert layout.unpack(layout.apply_packed(packed)) == tuple(coordinates.values())
    arrays = indices(layout, np.arange(1 << layout.in_bits))
    for name, values in layout.apply(arrays).items():
        assert np.broadcast_to(values, 1 << layout.in_bits).tolist() == [c[name] for c in expected.values()]
    assert list(layout) == [tuple(c.values()) for c in expected.values()]


@given(linear_layouts())
def test_properties_count_elements(layout):
    reached = list(layout)
    elements = 1 << layout.out_bits
    assert layout.is_surjective == (len(set(reached)) == elements)
    assert layout.is_injective == (len(set(reached)) == len(reached))
    assert layout.is_invertible == (layout.is_surjective and layout.is_injective)


@given(linear_layouts())
def test_clearing_free_bits_loses_nothing(layout):
    masks = layout.free_variable_masks()
    kept = {
        tuple(layout.apply({name: index & ~masks[name] for name, index in indices(layout, packed).items()}).values())
        for packed in range(1 << layout.in_bits)
    }
    assert kept == set(layout)
    assert 1 << layout.in_bits - sum(mask.bit_count() for mask in masks.values()) == len(kept)


@given(linear_layouts(), linear_layouts(ins=("lane", "block"), outs=("dim1", "dim2")))
def test_product_repeats_the_inner_layout(inner, outer):
    product = inner * outer
    for packed in range(1 << product.in_bits):
        index = indices(product, packed)
        first = inner.apply({name: value & (1 << inner.bits_in(name)) - 1 for name, value in index.items()})
        second = outer.apply({name: value >> inner.bits_in(name) for name, value in index.items()})
        expected = {
            dim: first.get(dim, 0) + second.get(dim, 0) * (inner.out_size(dim) if dim in second else 1)
            for dim in product.out_dims
        }
        assert product.apply(index) == expected


@given(linear_layouts(), linear_layouts(), linear_layouts())
def test_product_is_associative_with_the_empty_layout_as_one(a, b, c):
    assert (a * b) * c == a * (b * c)
    assert a * LinearLayout() == a == LinearLayout() * a


@given(st.data())
def test_compose_is_function_composition(data):
    inner = data.draw(linear_layouts())
    order = data.draw(st.permutations(inner.outs))
    basis = st.tuples(st.integers(0, 7), st.integers(0, 3))
    outer = LinearLayout.from_bases(
        {name: data.draw(st.lists(basis, min_size=bits, max_size=bits + 1)) for name, bits in order}, {"x": 8, "y": 4}
    )
    both = inner.compose(outer)
    for packed in range(1 << inner.in_bits):
        assert both.apply(indices(inner, packed)) == outer.apply(inner.apply(indices(inner, packed)))


@given(surjective_layouts())
def test_pseudo_inverse_finds_every_element_without_free_bits(layout):
    inverse = layout.pseudo_inverse()
    masks = layout.free_variable_masks()
    for packed in range(1 << layout.out_bits):
        element = indices(inverse, packed)
        index = inverse.apply(element)
        assert layout.apply(index) == element
        assert all(index[name] & masks[name] == 0 for name in masks)
    if layout.is_invertible:
        assert layout.invert() == inverse
        assert layout.invert().invert() == layout


@given(st.data())
def test_invert_and_compose_finds_what_self_holds(data):
    source = data.draw(surjective_layouts())
    target = data.draw(surjective_layouts(("offset", "lane"), out_bits=[bits for _, bits in source.outs]))
    conversion = source.invert_and_compose(target)
    assert (conversion.ins, conversion.outs) == (source.ins, target.ins)
    assert conversion.compose(target) == source


def test_invert_and_compose_keeps_equal_dimensions():
    """Warps that broadcast in both layouts map to themselves, not all to warp 0."""
    bases = {"register": [(1,)], "lane": [(2,)], "warp": [(0,)]}
    turned = {"register": [(2,)], "lane": [(1,)], "warp": [(0,)]}
    a, b = (LinearLayout.from_bases(which, ["dim0"]) for which in (bases, turned))
    assert a.invert_and_compose(b).all_bases() == {"register": ((0, 1, 0),), "lane": ((1, 0, 0),), "warp": ((0, 0, 1),)}


@given(linear_layouts())
def test_reordering_and_joining(layout):
    turned = layout.transpose_ins(reversed(layout.in_dims)).transpose_outs(reversed(layout.out_dims))
    for packed in range(1 << layout.in_bits):
        assert turned.apply(indices(layout, packed)) == layout.apply(indices(layout, packed))
    assert turned.transpose_ins(layout.in_dims).transpose_outs(layout.out_dims) == layout
    parts = [layout.sublayout([name], layout.out_dims) for name in layout.in_dims]
    assert parts[0].concat_ins(parts[1]).concat_ins(parts[2]) == layout
    flat = layout.reshape_ins({"index": 1 << layout.in_bits}).flatten_outs()
    assert flat.columns == layout.columns
    assert flat.reshape_ins({n: layout.in_size(n) for n in layout.in_dims}).reshape_outs(
        {n: layout.out_size(n) for n in layout.out_dims}
    ) == layout  # fmt: skip


@given(linear_layouts(), st.integers(0, 4))
def test_resizing(layout, bits):
    fewer = layout.resize_in("lane", 1 << bits)
    assert fewer.bases("lane") == (layout.bases("lane") + ((0, 0),) * bits)[:bits]
    assert fewer.bases("warp") == layout.bases("warp")


@given(linear_layouts())
def test_quotient_by_what_is_trivial(layout):
    whole = layout * LinearLayout.identity(4, "block", "block")
    assert whole.is_trivial_over(["block"])
    assert whole.quotient(["block"]) == layout
    assert (layout * LinearLayout.identity(4, "block", "dim1")).quotient(["block"]) is None


def test_consecutive():
    bases = {"register": [(1, 0), (2, 0), (0, 1)], "lane": [(4, 0)]}
    assert LinearLayout.from_bases(bases, ["dim0", "dim1"]).num_consecutive_in_out() == 4
    bases["lane"] = [(6, 0)]
    assert LinearLayout.from_bases(bases, ["dim0", "dim1"]).num_consecutive_in_out() == 2


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: LinearLayout.from_bases({"lane": [(1, 2)]}, ["dim0"]), "one coordinate for each"),
        (lambda: LinearLayout.from_bases({"lane": [(4,)]}, {"dim0": 4}), "outside"),
        (lambda: LinearLayout.identity(3, "lane", "dim0"), "powers of two"),
        (lambda: LinearLayout.zeros(2, "lane", "dim0").invert(), "not invertible"),
        (lambda: LinearLayout.zeros(2, "lane", "dim0", 2).pseudo_inverse(), "no index reaches"),
        (lambda: LinearLayout.identity(4, "a", "b").compose(LinearLayout.identity(2, "b", "c")), "cannot compose"),
    ],
)
def test_errors(act, message):
    with pytest.raises(ValueError, match=message):
        act()


def test_text():
    layout = LinearLayout.from_bases({"register": [(0, 1), (0, 2)], "lane": []}, ["dim0", "dim1"])
    assert str(layout) == (
        " - register=1 -> (0, 1)\n   register=2 -> (0, 2)\n - lane is a size 1 dimension\n"
        "where out dims are: [dim0 (size 1), dim1 (size 4)]"
    )


@given(st.lists(st.integers(0, 63), max_size=8))
def test_span(vectors):
    span = gf2.Span(vectors)
    reached = set(gf2.all_values(vectors))
    assert 1 << span.rank == len(reached)
    for value in range(64):
        combination = span.combination(value)
        assert (combination is not None) == (value in reached) == (value in span)
        if combination is not None:
            assert gf2.combine(vectors, combination) == value
            assert combination & ~span.independent == 0
    assert all(gf2.combine(vectors, dependent) == 0 for dependent in span.dependent)
