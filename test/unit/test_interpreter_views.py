"""Views, gathers and histograms, of tensors and of programs that differ."""

import numpy as np
import pytest
from tiles import run_text, run_tiles


def test_trans():
    for order in ((2, 0, 1), (0, 2, 1), (1, 2, 0)):
        a = np.arange(64, dtype=np.int32).reshape(2, 4, 8)
        shape = tuple(a.shape[d] for d in order)
        out = np.zeros(shape, np.int32)
        kind = "x".join(map(str, shape))
        text = f"%out_tile = tt.trans %a_tile {{order = array<i32: {', '.join(map(str, order))}>}} : "
        run_tiles(text + f"tensor<2x4x8xi32> -> tensor<{kind}xi32>", a=a, out=out)
        for index in np.ndindex(shape):
            source = [0, 0, 0]
            for d, i in zip(order, index):
                source[d] = i
            assert out[index] == a[tuple(source)]


def test_reshape_expand_dims_and_broadcast():
    a = np.arange(32, dtype=np.float32).reshape(4, 8)
    out = np.zeros((8, 4), np.float32)
    run_tiles("%out_tile = tt.reshape %a_tile : tensor<4x8xf32> -> tensor<8x4xf32>", a=a, out=out)
    assert (out.reshape(-1) == np.arange(32)).all()
    row, out = np.arange(8, dtype=np.int32), np.zeros((4, 8, 2), np.int32)
    run_tiles(
        """%x = tt.expand_dims %row_tile {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
        %y = tt.expand_dims %x {axis = 2 : i32} : tensor<1x8xi32> -> tensor<1x8x1xi32>
        %out_tile = tt.broadcast %y : tensor<1x8x1xi32> -> tensor<4x8x2xi32>""",
        row=row, out=out,
    )  # fmt: skip
    assert (out == row[None, :, None]).all()


def test_join_split_and_cat():
    a, b = np.arange(8, dtype=np.int16).reshape(2, 4), -np.arange(8, dtype=np.int16).reshape(2, 4)
    joined, left, right = np.zeros((2, 4, 2), np.int16), np.zeros_like(a), np.zeros_like(a)
    run_tiles(
        """%joined_tile = tt.join %a_tile, %b_tile : tensor<2x4xi16> -> tensor<2x4x2xi16>
        %left_tile, %right_tile = tt.split %joined_tile : tensor<2x4x2xi16> -> tensor<2x4xi16>""",
        ("joined", "left", "right"), a=a, b=b, joined=joined, left=left, right=right,
    )  # fmt: skip
    assert (joined[..., 0] == a).all() and (joined[..., 1] == b).all()
    assert (left == a).all() and (right == b).all()
    x, y, out = np.arange(4, dtype=np.int16), np.arange(4, 8, dtype=np.int16), np.zeros(8, np.int16)
    run_tiles("%out_tile = tt.cat %x_tile, %y_tile : tensor<4xi16> -> tensor<8xi16>", x=x, y=y, out=out)
    assert sorted(out) == list(range(8))


def test_unsplat_and_splat():
    a, out = np.array([[7.0]], np.float32), np.zeros(4, np.float32)
    run_tiles(
        """%x = tt.unsplat %a_tile : tensor<1x1xf32>
        %out_tile = tt.splat %x : f32 -> tensor<4xf32>""",
        a=a, out=out,
    )  # fmt: skip
    assert (out == 7).all()


@pytest.mark.parametrize("axis", [0, 1])
def test_gather(axis):
    rng = np.random.default_rng(1)
    a = rng.standard_normal((8, 16)).astype(np.float32)
    shape = (4, 16) if axis == 0 else (8, 32)
    where = rng.integers(0, a.shape[axis], shape).astype(np.int32)
    out = np.zeros(shape, np.float32)
    kind = f"{shape[0]}x{shape[1]}"
    run_tiles(
        f"%out_tile = tt.gather %a_tile[%where_tile] {{axis = {axis} : i32}} : "
        f"(tensor<8x16xf32>, tensor<{kind}xi32>) -> tensor<{kind}xf32>",
        a=a, where=where, out=out,
    )  # fmt: skip
    for i, j in np.ndindex(shape):
        assert out[i, j] == (a[where[i, j], j] if axis == 0 else a[i, where[i, j]])


def test_gather_outside_is_zero():
    a, where, out = np.ones(4, np.float32), np.array([0, 4, -1, 3], np.int32), np.zeros(4, np.float32)
    run_tiles(
        "%out_tile = tt.gather %a_tile[%where_tile] {axis = 0 : i32} : "
        "(tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>",
        a=a, where=where, out=out,
    )  # fmt: skip
    assert list(out) == [1, 0, 0, 1]


@pytest.mark.parametrize("programs", [1, 3])
@pytest.mark.parametrize("masked", [True, False])
def test_histogram(masked, programs):
    rng = np.random.default_rng(2)
    src = rng.integers(-2, 10, (programs, 64)).astype(np.int32)
    mask = rng.integers(0, 2, 64).astype(bool)
    out = np.zeros((programs, 8), np.int32)
    operand = ", %mask" if masked else ""
    run_text(
        f"""tt.func public @kernel(%src: !tt.ptr<i32>, %picks: !tt.ptr<i1>, %out: !tt.ptr<i32>) {{
        %program = tt.get_program_id x : i32
        %size = arith.constant 64 : i32
        %bins = arith.constant 8 : i32
        %range = tt.make_range {{start = 0 : i32, end = 64 : i32}} : tensor<64xi32>
        %few = tt.make_range {{start = 0 : i32, end = 8 : i32}} : tensor<8xi32>
        %first = arith.muli %program, %size : i32
        %row = tt.addptr %src, %first : !tt.ptr<i32>, i32
        %rows = tt.splat %row : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
        %pointers = tt.addptr %rows, %range : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
        %values = tt.load %pointers : tensor<64x!tt.ptr<i32>>
        %picked = tt.splat %picks : !tt.ptr<i1> -> tensor<64x!tt.ptr<i1>>
        %mask_pointers = tt.addptr %picked, %range : tensor<64x!tt.ptr<i1>>, tensor<64xi32>
        %mask = tt.load %mask_pointers : tensor<64x!tt.ptr<i1>>
        %counts = tt.histogram %values{operand} : tensor<64xi32> -> tensor<8xi32>
        %line = arith.muli %program, %bins : i32
        %to = tt.addptr %out, %line : !tt.ptr<i32>, i32
        %tos = tt.splat %to : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
        %cells = tt.addptr %tos, %few : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
        tt.store %cells, %counts : tensor<8x!tt.ptr<i32>>
        tt.return
        }}""",
        programs,
        [src, mask, out],
    )
    for row in range(programs):
        counted = src[row][mask] if masked else src[row]
        assert list(out[row]) == [int((counted == b).sum()) for b in range(8)]
