"""Layout attributes as linear layouts, against what each attribute means, element by element.

test_layout_conversion compares with Triton; here the definitions are written out with divisions and remainders.
"""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from layout_strategies import blocked_of_one_cta, distributed, shapes, shared

from ttkit.layout import UnsuitableShape, to_linear_layout
from ttkit.layout import encodings as enc
from ttkit.layout.shared_to_linear import padded_offset


def digits(index: int, sizes: tuple[int, ...], order: tuple[int, ...]) -> list[int]:
    """The coordinates of `index` in a box, the first dimension of `order` counting fastest."""
    found = [0] * len(sizes)
    for dim in order:
        index, found[dim] = divmod(index, sizes[dim])
    return found


@pytest.mark.parametrize(
    ("encodings", "in_dims"), [(distributed, ("register", "lane", "warp", "block")), (shared, ("offset", "block"))]
)
@given(data=st.data(), shape=shapes(5))
def test_layouts_reach_everything(encodings, in_dims, data, shape):
    layout = data.draw(encodings(len(shape)))
    try:
        linear = to_linear_layout(shape, layout)
    except UnsuitableShape:
        return
    assert linear.in_dims == in_dims
    assert linear.shape == shape
    assert linear.is_surjective


@given(st.data(), shapes(5))
def test_blocked(data, shape):
    """Boxes of a thread beside each other along lanes, then warps; what is left repeats in registers."""
    rank = len(shape)
    layout = data.draw(blocked_of_one_cta(rank))
    linear = to_linear_layout(shape, layout)
    tile = [a * b * c for a, b, c in zip(layout.size_per_thread, layout.threads_per_warp, layout.warps_per_cta)]
    repeats = tuple(max(1, size // covered) for size, covered in zip(shape, tile))
    box = math.prod(layout.size_per_thread)
    for register, lane, warp in itertools.product(range(box * math.prod(repeats)), range(4), range(4)):
        inside = digits(register % box, layout.size_per_thread, layout.order)
        again = digits(register // box, repeats, layout.order)
        lanes = digits(lane % math.prod(layout.threads_per_warp), layout.threads_per_warp, layout.order)
        warps = digits(warp % math.prod(layout.warps_per_cta), layout.warps_per_cta, layout.order)
        expected = [
            (
                inside[d]
                + layout.size_per_thread[d]
                * (lanes[d] + layout.threads_per_warp[d] * (warps[d] + layout.warps_per_cta[d] * again[d]))
            )
            % shape[d]
            for d in range(rank)
        ]
        index = {
            "register": register,
            "lane": lane % math.prod(layout.threads_per_warp),
            "warp": warp % math.prod(layout.warps_per_cta),
        }
        assert list(linear.apply(index).values()) == expected


@given(st.data(), st.integers(0, 1), st.integers(0, 3), st.integers(0, 3))
def test_slice_is_the_parent_without_a_dimension(data, dim, log_size, log_other):
    """Each thread holds what it holds of the parent's tensor in any one plane, and nothing twice."""
    parent = data.draw(distributed(2))
    size = 1 << log_size
    parent_shape = (1, size) if dim == 0 else (size, 1)
    try:
        whole, linear = to_linear_layout(parent_shape, parent), to_linear_layout((size,), enc.Slice(dim, parent))
    except UnsuitableShape:
        return
    for lane, warp in itertools.product(range(whole.in_size("lane")), range(whole.in_size("warp"))):
        place = {"lane": lane, "warp": warp}
        held = {
            whole.apply({**place, "register": r})[f"dim{1 - dim}"] for r in range(min(16, whole.in_size("register")))
        }
        own = [linear.apply({**place, "register": r})["dim0"] for r in range(linear.in_size("register"))]
        assert held <= set(own)
    assert linear.sublayout(["register"], linear.out_dims).is_injective


def test_mma_v2_result_and_operands():
    """The fragments of mma.m16n8k16 with 16-bit operands, as the PTX manual draws them."""
    mma = enc.NvidiaMma(2, 0, (1, 1), (16, 8))
    result, a, b = (
        to_linear_layout(shape, layout)
        for shape, layout in [
            ((16, 8), mma),
            ((16, 16), enc.DotOperand(0, mma, 2)),
            ((16, 8), enc.DotOperand(1, mma, 2)),
        ]
    )
    for lane in range(32):
        group, member = lane // 4, lane % 4
        for i in range(4):
            place = {"register": i, "lane": lane}
            assert tuple(result.apply(place).values()) == (group + 8 * (i // 2), member * 2 + i % 2)
            assert tuple(b.apply(place).values()) == (member * 2 + i % 2 + 8 * (i // 2), group)
        for i in range(8):
            row = group + (8 if i in (2, 3, 6, 7) else 0)
            column = member * 2 + i % 2 + (8 if i >= 4 else 0)
            assert tuple(a.apply({"register": i, "lane": lane}).values()) == (row, column)


def test_wgmma_result():
    """Register i of a thread of wgmma.m64nNk16: row and column as the PTX manual draws them."""
    linear = to_linear_layout((64, 32), enc.NvidiaMma(3, 0, (4, 1), (16, 32, 16)))
    for warp, lane, i in itertools.product(range(4), range(32), range(16)):
        row = 16 * warp + lane // 4 + 8 * (i // 2 % 2)
        column = 8 * (i // 4) + lane % 4 * 2 + i % 2
        assert tuple(linear.apply({"register": i, "lane": lane, "warp": warp}).values()) == (row, column)


def test_mfma_result():
    """v_mfma_f32_32x32: four rows a group, groups of eight rows over two halves of the wave."""
    linear = to_linear_layout((32, 32), enc.AmdMfma(3, (1, 1), (32, 32, 8)))
    for lane, i in itertools.product(range(64), range(16)):
        assert tuple(linear.apply({"register": i, "lane": lane}).values()) == (
            8 * (i // 4) + 4 * (lane // 32) + i % 4,
            lane % 32,
        )


@pytest.mark.parametrize("version", [1, 2])
def test_wmma_result(version):
    linear = to_linear_layout((16, 16), enc.AmdWmma(version, (1, 1)))
    for lane, i in itertools.product(range(32), range(8)):
        row = 2 * i + lane // 16 if version == 1 else i + 8 * (lane // 16)
        assert tuple(linear.apply({"register": i, "lane": lane}).values()) == (row, lane % 16)


@given(*[st.integers(0, 3).map(lambda bits: 1 << bits)] * 3, st.booleans(), st.booleans())
def test_swizzled_shared(vec, per_phase, max_phase, column_major, rotating):
    """Column c of row r lies at column ((c / vec) ^ phase(r)) * vec + c % vec."""
    shape, order = (16, 32), (0, 1) if column_major else (1, 0)
    kind = enc.AmdRotatingShared if rotating else enc.SwizzledShared
    inverse = to_linear_layout(shape, kind(vec, per_phase, max_phase, order)).invert()
    columns, rows = shape[order[0]], shape[order[1]]
    if vec * max_phase > columns:
        return
    for row, column in itertools.product(range(rows), range(columns)):
        step = row // per_phase
        phase = step % max_phase ^ (step // max_phase % max_phase if rotating else 0)
        expected = row * columns + (column // vec ^ phase) * vec + column % vec
        coordinates = {f"dim{order[0]}": column, f"dim{order[1]}": row}
        assert inverse.apply(coordinates)["offset"] == expected


@given(st.sampled_from([32, 64, 128]), st.sampled_from([8, 16, 32]), st.booleans())
def test_nvmma_shared(width, bits, transposed):
    """Bits 4 to 6 of a byte address are XORed with bits 7 to 9, as far as the swizzling is wide."""
    shape = (64, 256)[:: -1 if transposed else 1]
    inverse = to_linear_layout(shape, enc.NvmmaShared(width, transposed, bits)).invert()
    in_row = width * 8 // bits
    contiguous = 0 if transposed else 1
    for row, column in itertools.product(range(64), range(256)):
        tile, inside = divmod(column, in_row)
        address = (tile * 64 * in_row + row * in_row + inside) * bits // 8
        swizzled = address ^ (address >> 7 & width // 16 - 1) << 4
        coordinates = {f"dim{contiguous}": column, f"dim{1 - contiguous}": row}
        assert inverse.apply(coordinates)["offset"] * bits // 8 == swizzled


def test_padded_shared():
    layout = enc.PaddedShared.from_order(((4, 1), (16, 2)), (1, 0), (4, 8))
    inverse = to_linear_layout((4, 8), layout).invert()
    for row, column in itertools.product(range(4), range(8)):
        offset = inverse.apply({"dim0": row, "dim1": column})["offset"]
        assert offset == row * 8 + column
        assert padded_offset(layout.pads, offset) == offset + offset // 4 + offset // 16 * 2


def test_ctas_split_the_tensor():
    """Two CTAs side by side along dimension 1, two more with the same."""
    layout = enc.Blocked((1, 1), (4, 8), (2, 2), (1, 0), ((0, 1), (0, 0)))
    linear = to_linear_layout((8, 32), layout)
    assert linear.bases("block") == ((0, 16), (0, 0))
    assert linear.squeeze_in("block").out_size("dim1") == 32
    assert max(column for column in linear.columns_of("lane")) < 8 << 4


@pytest.mark.parametrize(
    ("layout", "shape", "row", "col"),
    [
        (enc.TensorMemory(128, 64, 1), (128, 128), [(1 << b, 0) for b in range(7)], [(0, 1 << b) for b in range(7)]),
        (
            enc.TensorMemory(64, 16, 2),
            (64, 16),
            [(1, 0), (2, 0), (4, 0), (8, 0), (0, 0), (16, 0), (32, 0)],
            [(0, 0), (0, 1), (0, 2), (0, 4), (0, 8)],
        ),
        (
            enc.TensorMemory(64, 16, 1, 2, 1, True),
            (128, 16),
            [(1, 0), (2, 0), (4, 0), (8, 0), (16, 0), (32, 0), (0, 8)],
            [(0, 1), (0, 2), (0, 4), (64, 0)],
        ),
        (
            enc.TensorMemory(64, 16, 1, cga_layout=((0, 1), (1, 0), (0, 0))),
            (128, 32),
            [(1, 0), (2, 0), (4, 0), (8, 0), (0, 0), (16, 0), (32, 0)],
            [(0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (64, 0), (0, 0)],
        ),
        (
            enc.TensorMemoryScales(),
            (128, 8),
            [(1, 0), (2, 0), (4, 0), (8, 0), (16, 0), (0, 0), (0, 0)],
            [(0, 1), (0, 2), (32, 0), (64, 0), (0, 4)],
        ),
    ],
)
def test_tensor_memory(layout, shape, row, col):
    linear = to_linear_layout(shape, layout)
    assert linear.all_bases() == {"row": tuple(row), "col": tuple(col)}


def test_the_same_layout_is_converted_once():
    layout = enc.Blocked((1, 4), (8, 4), (4, 1), (1, 0))
    assert to_linear_layout([64, 64], layout) is to_linear_layout((64, 64), layout)
