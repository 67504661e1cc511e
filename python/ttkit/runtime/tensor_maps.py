"""CUtensorMap: what TMA needs to know of a tensor, encoded by the driver."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import addressof, c_int, c_uint, c_uint64, create_string_buffer, memmove
from typing import Any

from ttkit.cuda import libcuda
from ttkit.runtime.pointers import ArgumentError

SIZE, ALIGNMENT = 128, 64
# CUtensorMapL2promotion, CUtensorMapFloatOOBfill
_NO_INTERLEAVING = 0
_L2_128_BYTES, _FILL_NONE, _FILL_NAN = 2, 0, 1
# The element types of tensormap instructions (PTX) -> CUtensorMapDataType.
TF32 = 11
HOST_TYPE = {**{code: code for code in range(16)}, 8: 10, 9: 8, 10: 9}


class TensorMapObject:
    """An encoded tensor map, of 128 bytes."""

    def __init__(self, data: bytes) -> None:
        self.data = data


def fill_tma_descriptor(
    address: int,
    swizzle: int,
    element_size: int,
    element_type: int,
    block: Sequence[int],
    shape: Sequence[int],
    strides: Sequence[int],
    padding: int,
) -> TensorMapObject:
    """Encodes a tensor map.

    Args:
        address: of the tensor on the GPU.
        swizzle: CUtensorMapSwizzle.
        element_size: in bytes.
        element_type: CUtensorMapDataType.
        block: shape of the blocks as the hardware moves them.
        shape, strides: in elements, the innermost dimension last; the last stride is 1.
        padding: 1 for NaN outside of the tensor, 0 for zeros.

    Raises:
        ArgumentError: the driver refuses it.
        DriverMissing: there is no driver, or no GPU.
    """
    rank = len(block)
    if len(shape) != rank or len(strides) != rank:
        raise ArgumentError(f"a tensor map of rank {rank} got {len(shape)} sizes and {len(strides)} strides")
    byte_strides = [stride * element_size for stride in reversed(strides[:-1])]
    fields = (
        element_type,
        rank,
        address,
        (c_uint64 * rank)(*reversed(shape)),
        (c_uint64 * rank)(*byte_strides),
        (c_uint * rank)(*reversed(block)),
        (c_uint * rank)(*[1] * rank),
    )
    return _encoded(
        libcuda.library().cuTensorMapEncodeTiled,
        fields,
        swizzle,
        padding,
        f"element type {element_type} of {element_size} bytes, address {address:#x}, shape {list(shape)}, "
        f"strides {list(strides)}, block {list(block)}",
    )


def fill_tma_descriptor_im2col(
    address: int,
    swizzle: int,
    element_size: int,
    element_type: int,
    block: Sequence[int],
    shape: Sequence[int],
    strides: Sequence[int],
    padding: int,
    lower: Sequence[int],
    upper: Sequence[int],
    steps: Sequence[int],
) -> TensorMapObject:
    """Encodes a tensor map of images, see `TensorDescriptorIm2Col`.

    Args:
        block: pixels and channels that one copy moves.
        lower, upper: corners of the box of pixels, a number for each dimension of space, the innermost one last.
        steps: elements from one to the next, for each dimension of the tensor.
        address, swizzle, element_size, element_type, shape, strides, padding: as of `fill_tma_descriptor`.

    Raises:
        ArgumentError: the driver refuses it.
        DriverMissing: there is no driver, or no GPU.
    """
    rank, (pixels, channels) = len(shape), block
    encode = getattr(libcuda.library(), "cuTensorMapEncodeIm2col", None)
    if encode is None:
        raise ArgumentError("the driver encodes no tensor maps of images: it is older than CUDA 12.0")
    byte_strides = [stride * element_size for stride in reversed(strides[:-1])]
    fields = (
        element_type,
        rank,
        address,
        (c_uint64 * rank)(*reversed(shape)),
        (c_uint64 * rank)(*byte_strides),
        (c_int * (rank - 2))(*reversed(lower)),
        (c_int * (rank - 2))(*reversed(upper)),
        channels,
        pixels,
        (c_uint * rank)(*reversed(steps)),
    )
    return _encoded(
        encode,
        fields,
        swizzle,
        padding,
        f"element type {element_type} of {element_size} bytes, address {address:#x}, images {list(shape)}, "
        f"strides {list(strides)}, {pixels} pixels of {channels} channels, corners {list(lower)} and {list(upper)}, "
        f"steps {list(steps)}",
    )


def _encoded(encode: Any, fields: tuple[Any, ...], swizzle: int, padding: int, about: str) -> TensorMapObject:
    """The tensor map that a function of the driver makes of its fields.  Raises ArgumentError if it refuses them.

    about: the fields, for the message.
    """
    buffer = create_string_buffer(SIZE + ALIGNMENT)
    start = -addressof(buffer) % ALIGNMENT + addressof(buffer)
    fill = _FILL_NAN if padding else _FILL_NONE
    code = encode(start, *fields, _NO_INTERLEAVING, swizzle, _L2_128_BYTES, fill)
    if code:
        failed = f"Failed to create tensor map descriptor: {libcuda.describe(code)}"
        raise ArgumentError(f"{failed}; {about}, swizzle {swizzle}")
    data = create_string_buffer(SIZE)
    memmove(data, start, SIZE)
    return TensorMapObject(data.raw)


def encode_descriptor(address: int, descriptor: Any, meta: Any) -> TensorMapObject:
    """The tensor map of a `TensorDescriptor`.

    Args:
        meta: what the kernel says of it: swizzle, elem_size, elem_type, block_size, fp4_padded, is_im2col.
    """
    shape = list(descriptor.shape)
    if meta["fp4_padded"]:  # two elements in a byte, each of which TMA gives a byte of its own
        shape[-1] *= 2
    fields = (
        address,
        meta["swizzle"],
        meta["elem_size"],
        TF32 if getattr(descriptor, "round_f32_to_tf32", False) else HOST_TYPE[meta["elem_type"]],
        meta["block_size"],
        shape,
        list(descriptor.strides),
        int(descriptor.padding == "nan"),
    )
    if not meta.get("is_im2col"):
        return fill_tma_descriptor(*fields)
    corners = descriptor.pixel_box_lower_corner, descriptor.pixel_box_upper_corner
    return fill_tma_descriptor_im2col(*fields, *corners, descriptor.element_strides or [1] * len(shape))
