"""The messages in which the tensor memory accelerator (TMA) copies a tile: how it is cut, and what a message writes.

A message is a box of the tensor: at most 256 elements along each dimension, and exactly as many bytes along the
innermost one as the swizzle spans.  It writes its rows one after the other; the swizzle permutes the 16 bytes at
address a within 128 bytes by bits of the row, a // 128.  For packed fp4 numbers it writes 8 bytes, then leaves out 8.

Each CTA of a cluster copies its own part of the tile.
"""

from __future__ import annotations

from collections.abc import Sequence

from ttkit.layout.errors import UnsuitableLayout
from ttkit.layout.linear import LinearLayout
from ttkit.layout.packing import pack
from ttkit.layout.shared_encodings import NvmmaShared
from ttkit.layout.shared_to_linear import im2col_block_shape, tma_block_shape
from ttkit.layout.tile import part_of_cta
from ttkit.records import dataclass

ROW_BYTES = 16  # what a swizzle permutes
SWIZZLE_ROWS = {128: 8, 64: 4, 32: 2}
FP4_RUN = 8  # bytes of fp4 numbers before a gap of as many


@dataclass(frozen=True)
class Messages:
    """Plan of the messages by which TMA copies a tile.

    box: elements of the buffer that a message fills, along each dimension.
    offsets: for each bit of the message's number how far, in elements of memory, its place moves (by xor).
    coordinates: for each dimension, and each bit of the number, how far its coordinate in the tensor moves.
    of_ctas: for each dimension, and each bit of the CTA's number, the same.
    """

    box: tuple[int, ...]
    offsets: tuple[int, ...]
    coordinates: tuple[tuple[int, ...], ...]
    of_ctas: tuple[tuple[int, ...], ...]

    @property
    def count(self) -> int:
        """Messages that a CTA sends."""
        return 1 << len(self.offsets)


def plan_messages(
    encoding: NvmmaShared, shape: Sequence[int], memory: LinearLayout, is_im2col: bool = False
) -> Messages:
    """Plan the TMA messages that copy a tile.

    Args:
        shape: of the tile, all CTAs together.
        memory: offset, block -> coordinates, of the buffer that the tile is in.
        is_im2col: whether the tile is pixels of images, with channels; a message then has all pixels.

    Raises UnsuitableLayout if messages do not write what the layout says.
    """
    if encoding.transposed and len(shape) > 1:
        raise UnsuitableLayout("found a transposed buffer; a message has the dimensions in the order of the tensor")
    part = part_of_cta(shape, encoding.cga_layout)
    box = im2col_block_shape(encoding, part) if is_im2col else tma_block_shape(encoding, part)
    if box is None:
        raise UnsuitableLayout(f"found rows of {part[-1]} elements, narrower than the swizzle; choose a narrower one")
    if is_im2col and part[0] != shape[0]:
        raise UnsuitableLayout("found pixels of images that are divided among CTAs; divide the channels")
    check_box(memory, encoding, box)
    # Numbers of fp4 are counted one by one in the tensor, and two by two in the buffer.
    scale = [1] * (len(shape) - 1) + [2 if encoding.fp4_padded else 1]
    bits = [
        (dim, box[dim] << bit) for dim in range(len(shape)) for bit in range((part[dim] // box[dim]).bit_length() - 1)
    ]
    starts = ([step if d == dim else 0 for d in range(len(shape))] for dim, step in bits)
    offsets = tuple(message_place(memory, encoding, start) for start in starts)
    coordinates = tuple(tuple(step * scale[d] if d == dim else 0 for dim, step in bits) for d in range(len(shape)))
    of_ctas = tuple(tuple(step[d] * scale[d] for step in memory.bases("block")) for d in range(len(shape)))
    return Messages(tuple(box), offsets, coordinates, of_ctas)


def message_place(memory: LinearLayout, encoding: NvmmaShared, coordinates: Sequence[int]) -> int:
    """Offset of the message whose first element has these coordinates, in elements, before TMA swizzles it."""
    element_bytes = encoding.element_bit_width // 8
    return swizzled(place_of(memory, coordinates) * element_bytes, encoding) // element_bytes


def swizzled(address: int, encoding: NvmmaShared) -> int:
    """Byte offset to which the swizzle moves a byte; applied twice it gives the first offset."""
    return address ^ address // 128 % SWIZZLE_ROWS.get(encoding.swizzling_byte_width, 1) * ROW_BYTES


def place_of(memory: LinearLayout, coordinates: Sequence[int]) -> int:
    """The offset of an element in the memory of the CTA that has it, in elements."""
    return memory.place_of(pack(coordinates, memory.outs)) & memory.in_size("offset") - 1


def check_box(memory: LinearLayout, encoding: NvmmaShared, box: Sequence[int]) -> None:
    """Raises UnsuitableLayout if the layout is not what a message writes."""
    element_bytes = encoding.element_bit_width // 8
    stride = element_bytes
    for dim in reversed(range(len(box))):
        for bit in range(box[dim].bit_length() - 1):
            coordinates = [1 << bit if d == dim else 0 for d in range(len(box))]
            address = stride << bit
            if encoding.fp4_padded and dim == len(box) - 1 and address >= FP4_RUN:
                address *= 2
            if place_of(memory, coordinates) * element_bytes != swizzled(address, encoding):
                raise UnsuitableLayout(
                    f"the buffer's layout {encoding} is not that of a message of {list(box)} elements"
                )
        stride *= box[dim] * (2 if encoding.fp4_padded and dim == len(box) - 1 else 1)
