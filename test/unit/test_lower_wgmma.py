"""Products of warp groups, evaluated with descriptors decoded, are the products; descriptors fit their layouts."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from lowered_tensors import compute, module
from mma_products import plain
from wgmma_products import BITS, Product, elements, in_background, layouts, tiles, views

from ttkit.layout import UnsuitableLayout, to_linear_layout
from ttkit.layout.encodings import NvmmaShared
from ttkit.layout.matrix_descriptor import plan_descriptor


def text_of(product: Product) -> str:
    """A function of a, b and c, and of the i1 %use if the product asks for it."""
    m, _, k = product.shape
    use = ", %use: i1" if product.use else ""
    types = [f"tensor<{rows}x{columns}x{product.element}, #l>" for rows, columns in ((m, k), product.shape_b)]
    function = f"""tt.func public @f(%a: {types[0]}, %b: {types[1]}, %c: {product.type_c}{use}) -> {product.type_c} {{
      {product.body()}
      tt.return %d : {product.type_c}
    }}"""
    return module(function, product.aliases, product.num_warps)


@pytest.mark.parametrize("product", [*tiles(), *layouts(), *elements(), *in_background(), *views()], ids=str)
def test_products(product):
    *operands, wanted = product.arrays()
    (found,) = compute(text_of(product), *map(plain, operands))
    np.testing.assert_array_equal(found.view(wanted.dtype), wanted)


@st.composite
def products(draw) -> Product:
    """Any product that the verifiers take."""
    element = draw(st.sampled_from(sorted(BITS)))
    size = BITS[element] // 8
    warps = draw(st.sampled_from([(4, 1), (8, 1), (4, 2), (8, 2), (4, 4)]))
    m, n, k = (1 << draw(st.integers(*bounds)) for bounds in ((6, 8), (3, 8), (4, 7)))
    k = max(k, 32 // size)
    columns = 1 << draw(st.integers(3, max(3, (n // warps[1]).bit_length() - 1)))

    def memory(rows: int, k_first: bool) -> tuple[int, bool]:
        """Swizzle and whether transposed, of rows x k elements; `k_first`: the buffer's first dimension is k."""
        by_rows = size == 2 and draw(st.booleans())  # whether rows are contiguous
        width = (rows if by_rows else k) * size
        widths = [w for w in (128, 64, 32) if w <= width]
        return draw(st.sampled_from(widths)) if widths else 0, by_rows != k_first

    assume(n * size >= 32)
    a = draw(st.one_of(st.none(), st.just(memory(m, False))))
    attributes = "maxNumImpreciseAcc = 32 : i32" if element.startswith("f8") else ""
    view = draw(st.sampled_from(["", "index", "trans", "rows"]))
    result = "i32" if element == "i8" else draw(st.sampled_from(["f16", "f32"])) if element == "f16" else "f32"
    b = memory(n, True)
    return Product((m, n, k), element, result, warps, columns, a, b, attributes, draw(st.booleans()), view=view)


@pytest.mark.sweep
@settings(max_examples=60, deadline=None, derandomize=True)
@given(product=products())
def test_random_products(product):
    *operands, wanted = product.arrays()
    (found,) = compute(text_of(product), *map(plain, operands))
    np.testing.assert_array_equal(found.view(wanted.dtype), wanted)


def test_groups_in_turn():
    attributes = "ttkit.in_turn = 15 : i32"
    product = Product((128, 16, 32), "f16", "f32", (8, 1), 16, (64, False), (64, True), attributes, asynchronous=True)
    *operands, wanted = product.arrays()
    (found,) = compute(text_of(product), *map(plain, operands))
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("most", [32, 64, 1 << 30])
@pytest.mark.parametrize("element", ["f8E4M3FN", "f16"])
def test_the_accumulator_may_be_left_out(element, most):
    attributes = f"maxNumImpreciseAcc = {most} : i32"
    product = Product((64, 16, 128), element, "f32", (4, 1), 16, (128, False), (128, True), attributes, use="%use")
    a, b, c, d = product.arrays()
    for flag in (False, True):
        (found,) = compute(text_of(product), plain(a), plain(b), c, np.bool_(flag))
        np.testing.assert_array_equal(found, d if flag else d - c)


@pytest.mark.parametrize("swizzle", [128, 64, 32])
@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("bits", [8, 16, 32])
def test_descriptors_describe_the_layout(swizzle, transposed, bits):
    """Every element of every tile is where the hardware looks for it."""
    shape, elements = (128, 128), 256 // bits
    memory = to_linear_layout(shape, NvmmaShared(swizzle, transposed, bits, False))
    inverse = memory.pseudo_inverse()
    for k_dim in (0, 1):
        if bits != 16 and (k_dim == 1) == transposed:
            with pytest.raises(UnsuitableLayout, match="contiguous along K"):
                plan_descriptor(memory, k_dim, 64, bits)
            continue
        plan = plan_descriptor(memory, k_dim, 64, bits)
        assert plan.swizzle == swizzle
        assert plan.k_contiguous == ((k_dim == 1) != transposed)
        for row in range(0, 128, 64):
            for k in range(0, 128, elements):
                for i, j in ((0, 0), (1, 0), (8, 3), (63, elements - 1), (13, elements // 2)):
                    at = (row + i, k + j) if k_dim == 1 else (k + j, row + i)
                    packed = at[0] | at[1] << inverse.ins[0][1]
                    place = sum_of(inverse.columns, packed) * bits // 8
                    assert place == hardware_place(plan, plan.place(row, k), i, j * bits // 8, bits // 8)


def sum_of(columns, packed: int) -> int:
    total = 0
    for bit, column in enumerate(columns):
        total ^= column if packed >> bit & 1 else 0
    return total


def hardware_place(plan, start: int, row: int, k_byte: int, size: int) -> int:
    """Where the hardware looks for an element of a tile that begins at `start`, in bytes."""
    width = plan.swizzle
    if plan.k_contiguous:
        place = k_byte + row % 8 * width + row // 8 * plan.stride
    else:
        byte, k = row * size, k_byte // size
        place = byte % width + byte // width * plan.leading + k % 8 * width + k // 8 * plan.stride
    place += start
    return place ^ place >> 3 & {128: 0x70, 64: 0x30, 32: 0x10}[width]
