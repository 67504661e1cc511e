"""Places and layouts in tensor memory: what is in use together never overlaps; what registers hold can be moved."""

import random

import pytest
from mlir import ir

import ttkit
from ttkit.analysis.liveness import Interval
from ttkit.analysis.tmem_placement import ALIGNMENT, HALVES, Scan, Size, capacity, size_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.layout import to_linear_layout
from ttkit.layout.encodings import TensorMemory
from ttkit.layout.hardware import TENSOR_MEMORY_COLUMNS
from ttkit.passes.layouts.tmem_access_layouts import access_layout, is_accessible, row_access_layout, tile_access_layout

BUFFERS = [
    (rows, columns, width, warps)
    for rows, columns in ((64, 8), (64, 64), (128, 8), (128, 64), (128, 256), (256, 64), (256, 128))
    for width in ("f16", "f32")
    for warps in (4, 8)
]


def buffer_of(rows: int, columns: int, element: str) -> MemDescType:
    layout = f"#ttng.tensor_memory_encoding<blockM = {min(rows, 128)}, blockN = {columns}, colStride = 1>"
    with ttkit.Context():
        type = f"!ttg.memdesc<{rows}x{columns}x{element}, {layout}, #ttng.tensor_memory, mutable>"
        module = ttkit.parse(f"tt.func @f(%x: {type}) {{ tt.return }}")
        return module.body.operations[0].regions[0].blocks[0].arguments[0].type


@pytest.mark.parametrize("seed", range(20))
def test_buffers_in_use_together_do_not_overlap(seed):
    rng = random.Random(seed)
    scan, placed = Scan(), []
    for start in range(0, 60, 3):
        size = Size(rng.choice((1, HALVES)), rng.choice((4, 16, 32, 64, 128)))
        half = rng.choice((None, 0))
        lives = Interval(start, start + rng.randint(1, 20))
        beside = [place for _, place in rng.sample(placed, min(2, len(placed)))]
        place = scan.place(size, lives, beside, half)
        together = [other for interval, other in placed if interval.intersects(lives)] + beside
        assert not any(place.overlaps(other) for other in together)
        assert place.column % ALIGNMENT == 0 and place.half + size.halves <= HALVES
        placed.append((lives, place))


def test_capacity_is_a_power_of_two_that_the_hardware_allocates():
    assert [capacity(columns) for columns in (0, 1, 32, 33, 200, 512, 768)] == [
        0,
        32,
        32,
        64,
        256,
        TENSOR_MEMORY_COLUMNS,
        768,
    ]


@pytest.mark.parametrize(
    ("shape", "halves", "columns"),
    [((128, 64), 2, 64), ((64, 64), 1, 64), ((64, 128), 1, 128), ((256, 64), 2, 128)],
)
def test_sizes(shape, halves, columns):
    assert size_of(buffer_of(*shape, "f32")) == Size(halves, columns)
    assert size_of(buffer_of(*shape, "f16")) == Size(halves, columns // 2)


@pytest.mark.parametrize(("rows", "columns", "element", "warps"), BUFFERS)
def test_layouts_hold_every_element_and_can_be_moved(rows, columns, element, warps):
    with ttkit.Context():
        buffer = buffer_of(rows, columns, element)
        for choose in (access_layout, tile_access_layout, row_access_layout):
            layout = choose(buffer, warps, ())
            if layout is None:
                continue
            linear = to_linear_layout((rows, columns), layout)
            assert linear.is_surjective
            tensor = f"tensor<{rows}x{columns}x{element}, {layout}>"
            assert is_accessible(ir.Type.parse(tensor), buffer), choose.__name__


def test_whole_rows_of_eight_warps():
    with ttkit.Context():
        buffer = buffer_of(128, 64, "f32")
        assert access_layout(buffer, 8, ()).warp == ((32, 0), (64, 0), (0, 32))
        assert row_access_layout(buffer, 8, ()).warp == ((32, 0), (64, 0), (16, 0))
        assert row_access_layout(buffer, 4, ()) is None


def test_preferred_tiles(monkeypatch):
    with ttkit.Context():
        buffer = buffer_of(128, 64, "f32")
        monkeypatch.setenv("TRITON_PREFER_TMEM_16x256_LAYOUT", "1")
        assert access_layout(buffer, 4, ()) == tile_access_layout(buffer, 4, ())
        assert TensorMemory(128, 64, 1).block_n == 64
