"""Descriptors of images in Gluon: TMA copies pixels with channels (im2col)."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest

import ttkit
from ttkit.language import gluon
from ttkit.language import gluon as gl
from ttkit.language.gluon.nvidia.hopper import TensorDescriptor, TensorDescriptorIm2Col, mbarrier, tma
from ttkit.runtime import ArgumentError
from ttkit.runtime.tensor_maps import encode_descriptor

pytestmark = pytest.mark.usefixtures("interpreted")


@gluon.jit
def pixels(images, out, start, offsets, P: gl.constexpr, C: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [gl.num_warps(), 1], [1, 0])
    buffer = gl.allocate_shared_memory(images.dtype, [P, C], images.layout)
    arrived = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(arrived, count=1)
    mbarrier.expect(arrived, P * C * images.dtype.primitive_bitwidth // 8)
    tma.async_load_im2col(images, start, offsets, arrived, buffer)
    mbarrier.wait(arrived, 0)
    row, column = gl.arange(0, P, gl.SliceLayout(1, layout)), gl.arange(0, C, gl.SliceLayout(0, layout))
    gl.store(out + row[:, None] * C + column[None, :], buffer.load(layout))


def walked(images, count, channels, corners, steps, start, offsets, channel, padding):
    """The pixels that a copy brings, found one by one: all of the box in order, from `start` on."""
    space = images.shape[1:-1]
    axes = [range(low, size + high, step) for size, low, high, step in zip(space, *corners, steps)]
    places = itertools.product(range(start[0], images.shape[0] + count), *axes)
    after = itertools.dropwhile(lambda place: place != tuple(start), places)
    found = np.full((count, channels), padding, images.dtype)
    for row, place in zip(range(count), after):
        at = (place[0], *(each + offset for each, offset in zip(place[1:], offsets)))
        if all(0 <= each < size for each, size in zip(at, images.shape)):
            part = images[at][channel : channel + channels]
            found[row, : part.size] = part
    return found


CASES = {
    "a row of pixels": ((3, 9, 64), np.float16, (32, 64), [[-1], [-1]], [1], [0, -1], [2]),
    "images with padding": ((2, 5, 7, 64), np.float16, (64, 64), [[-1, -1], [-1, -1]], [1, 1], [0, -1, -1], [2, 0]),
    "from the middle": ((2, 5, 7, 64), np.float16, (32, 64), [[-1, -1], [-1, -1]], [1, 1], [0, 2, 3], [0, 1]),
    "every second pixel": ((2, 8, 9, 32), np.float32, (16, 32), [[0, 0], [-2, -2]], [2, 2], [0, 0, 0], [1, 2]),
    "volumes": ((2, 3, 4, 5, 32), np.float16, (64, 32), [[-1, 0, 0], [0, 0, -1]], [1, 1, 1], [0, -1, 0, 0], [1, 0, 1]),
    "past the last image": ((1, 4, 4, 64), np.float16, (64, 64), [[0, 0], [0, 0]], [1, 1], [0, 0, 0], [0, 0]),
    "many pixels": ((4, 12, 12, 64), np.float16, (512, 64), [[-1, -1], [-1, -1]], [1, 1], [0, -1, -1], [1, 1]),
}


@pytest.mark.parametrize("padding", ["zero", "nan"])
@pytest.mark.parametrize("case", CASES)
def test_pixels_are_those_of_the_box_in_order(case, padding):
    shape, kind, (count, channels), corners, steps, start, offsets = CASES[case]
    images = np.random.default_rng(0).standard_normal(shape).astype(kind)
    layout = gl.NVMMASharedLayout(64, 8 * images.itemsize, 2)
    descriptor = TensorDescriptorIm2Col.from_tensor(
        images,
        [count, channels],
        layout,
        padding,
        element_strides=[1, *steps, 1],
        pixel_box_lower_corner=corners[0],
        pixel_box_upper_corner=corners[1],
    )
    out = np.zeros((count, channels), kind)
    compiled = pixels[(1,)](descriptor, out, (*start, 0), tuple(offsets), P=count, C=channels)
    missing = np.nan if padding == "nan" else 0
    expected = walked(images, count, channels, corners, steps, start, offsets, 0, missing)
    assert np.array_equal(out, expected, equal_nan=True)
    rank = len(shape)
    instruction = f"cp.async.bulk.tensor.{rank}d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes"
    assert instruction in compiled.asm["ptx"]
    (meta,) = compiled.metadata.tensordesc_meta
    assert meta["is_im2col"] and meta["block_size"] == [count, 64 // images.itemsize]


def test_channels_from_the_middle():
    images = np.random.default_rng(0).standard_normal((2, 4, 6, 96)).astype(np.float16)
    layout = gl.NVMMASharedLayout(128, 16, 2)
    corners = [[0, 0], [0, 0]]
    descriptor = TensorDescriptorIm2Col.from_tensor(
        images, [32, 64], layout, pixel_box_lower_corner=corners[0], pixel_box_upper_corner=corners[1]
    )
    out = np.zeros((32, 64), np.float16)
    pixels[(1,)](descriptor, out, (0, 0, 0, 64), (0, 0), P=32, C=64)  # 32 channels are left
    assert np.array_equal(out, walked(images, 32, 64, corners, [1, 1], [0, 0, 0], [0, 0], 64, 0))


def test_offsets_known_at_run_time():
    images = np.random.default_rng(0).standard_normal((1, 6, 6, 64)).astype(np.float16)
    corners = [[-1, -1], [-1, -1]]
    descriptor = TensorDescriptorIm2Col.from_tensor(
        images,
        [16, 64],
        gl.NVMMASharedLayout(128, 16, 2),
        pixel_box_lower_corner=corners[0],
        pixel_box_upper_corner=corners[1],
    )
    for place in itertools.product((0, 1, 2), repeat=2):  # a filter of 3 x 3
        out = np.zeros((16, 64), np.float16)
        pixels[(1,)](descriptor, out, (0, -1, -1, 0), place, P=16, C=64)
        assert np.array_equal(out, walked(images, 16, 64, corners, [1, 1], [0, -1, -1], place, 0, 0))


def test_rounded_to_tf32():
    images = np.full((1, 8, 32), 1 + 2**-12, np.float32)
    for kind, more in ((TensorDescriptorIm2Col, {"pixel_box_lower_corner": [0], "pixel_box_upper_corner": [0]}),):
        made = kind.from_tensor(images, [8, 32], gl.NVMMASharedLayout(128, 32, 2), round_f32_to_tf32=True, **more)
        out = np.zeros((8, 32), np.float32)
        pixels[(1,)](made, out, (0, 0, 0), (0,), P=8, C=32)
        assert np.all(out == 1)


LAYOUT = gl.NVMMASharedLayout(128, 16, 2)
GOOD = {
    "block_shape": [32, 64],
    "layout": LAYOUT,
    "pixel_box_lower_corner": [-1, -1],
    "pixel_box_upper_corner": [-1, -1],
}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"block_shape": [32]}, "block_shape must be 2D"),
        ({"block_shape": [2048, 64]}, r"block_shape\[0\] must be at most 1024 pixels"),
        ({"layout": gl.NVMMASharedLayout(128, 16, 4)}, "layout must have rank 2"),
        ({"layout": gl.NVMMASharedLayout(128, 16, 2, transposed=True)}, "must not be transposed"),
        ({"pixel_box_lower_corner": None}, "pixel_box_lower_corner required"),
        ({"pixel_box_lower_corner": [0]}, "pixel_box_lower_corner length mismatch: expected 2, got 1"),
        ({"pixel_box_upper_corner": [0, 128]}, r"pixel_box_upper_corner\[1\] must be in \[-128, 127\], got 128"),
        ({"element_strides": [1, 1, 1]}, "element_strides length mismatch: expected 4, got 3"),
        ({"element_strides": [1, 9, 1, 1]}, r"element_strides\[1\] must be in \(0, 8\], got 9"),
        ({"element_strides": [1, 1, 1, 2]}, r"element_strides\[-1\] must be 1, got 2"),
        ({"round_f32_to_tf32": True}, "only supported for float32"),
    ],
)
def test_what_is_refused(changed, message):
    with pytest.raises(ArgumentError, match=message):
        TensorDescriptorIm2Col.from_tensor(np.zeros((2, 5, 7, 64), np.float16), **{**GOOD, **changed})


def test_rank_of_images():
    with pytest.raises(ArgumentError, match="im2col mode requires rank 3, 4, or 5, got 2"):
        TensorDescriptorIm2Col.from_tensor(np.zeros((8, 64), np.float16), **GOOD)


@gluon.jit
def loads_blocks(images):
    arrived = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    buffer = gl.allocate_shared_memory(images.dtype, images.block_shape, images.layout)
    tma.async_load(images, [0, 0, 0, 0], arrived, buffer)


@gluon.jit
def loads_pixels(images, OFFSETS: gl.constexpr):
    arrived = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    buffer = gl.allocate_shared_memory(images.dtype, images.block_shape, images.layout)
    tma.async_load_im2col(images, [0, 0, 0, 0], OFFSETS, arrived, buffer)


@gluon.jit
def loads_by_its_first_name(images):
    gl.static_assert(isinstance(images, tma.tensor_descriptor_im2col))
    arrived = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    buffer = gl.allocate_shared_memory(images.dtype, images.block_shape, images.layout)
    tma.async_copy_global_to_shared_im2col(images, [0, 0, 0, 0], [0, 0], arrived, buffer)


def test_the_name_that_triton_had_first():
    of_images = TensorDescriptorIm2Col.from_tensor(np.zeros((2, 5, 7, 64), np.float16), **GOOD)
    compiled = loads_by_its_first_name.warmup(of_images, grid=(1,))
    assert ".im2col." in compiled.asm["ptx"]


def test_passes_are_not_said_to_be_checked(monkeypatch, capsys):
    monkeypatch.setenv("TTKIT_CHECK_PASSES", "1")
    of_images = TensorDescriptorIm2Col.from_tensor(np.zeros((2, 5, 7, 64), np.float16), **GOOD)
    with pytest.warns(UserWarning, match="it takes a descriptor of images"):
        gluon.jit(pixels.fn)[(1,)](of_images, np.zeros((32, 64), np.float16), (0, 0, 0, 0), (0, 0), P=32, C=64)
    assert capsys.readouterr().err == "ttkit: pixels: no pass was checked\n"


def test_errors_in_kernels():
    images = np.zeros((2, 5, 7, 64), np.float16)
    of_images = TensorDescriptorIm2Col.from_tensor(images, **GOOD)
    blocks = TensorDescriptor.from_tensor(np.zeros((32, 64), np.float16), [32, 64], LAYOUT)
    with pytest.raises(ttkit.CompilationError, match="takes a tensor descriptor"):
        loads_blocks[(1,)](of_images)
    with pytest.raises(ttkit.CompilationError, match="async_load_im2col takes a descriptor of images"):
        loads_pixels[(1,)](blocks, (0, 0))
    with pytest.raises(ttkit.CompilationError, match="take 4 coordinates and 2 offsets, found 4 and 1"):
        loads_pixels[(1,)](of_images, (0,))
    with pytest.raises(ttkit.CompilationError, match="offsets have 16 bits, found 40000"):
        loads_pixels[(1,)](of_images, (0, 40000))


def test_the_driver_is_told_innermost_first(monkeypatch):
    """What libcuda gets for a tensor map: numbers of dimensions from the innermost one on."""
    told = []

    def encode(*arguments):
        told.extend(list(each) if hasattr(each, "__len__") else each for each in arguments)
        return 0

    library = SimpleNamespace(cuTensorMapEncodeIm2col=encode)
    monkeypatch.setattr("ttkit.cuda.libcuda.library", lambda: library)
    descriptor = TensorDescriptorIm2Col.from_tensor(
        np.zeros((2, 5, 7, 64), np.float16),
        [32, 64],
        LAYOUT,
        "nan",
        element_strides=[1, 2, 3, 1],
        pixel_box_lower_corner=[-1, -2],
        pixel_box_upper_corner=[-3, -4],
    )
    meta = {
        "swizzle": 3,
        "elem_size": 2,
        "elem_type": 6,
        "block_size": [32, 64],
        "fp4_padded": False,
        "is_im2col": True,
    }
    encode_descriptor(0x1000, descriptor, meta)
    assert told[1:] == [
        6, 4, 0x1000, [64, 7, 5, 2], [128, 896, 4480, 0], [-2, -1], [-4, -3], 64, 32, [1, 3, 2, 1], 0, 3, 2, 1,
    ]  # fmt: skip
