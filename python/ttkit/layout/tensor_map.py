"""Tensor maps: how TMA cuts a block into messages, and the numbers that it has for types of elements."""

from __future__ import annotations

from collections.abc import Sequence

MAX_BOX = 256
"""Most elements of a message along a dimension."""

# The numbers that the instructions of PTX (tensormap.replace) have.  Types of 8 bits are moved as bytes.
ELEMENT_TYPES = {
    **dict.fromkeys(("i8", "ui8", "si8", "f8E5M2", "f8E4M3FN", "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ"), 0),
    **dict.fromkeys(("i16", "ui16", "si16"), 1),
    **dict.fromkeys(("i32", "ui32"), 2),
    "si32": 3,
    **dict.fromkeys(("i64", "ui64"), 4),
    "si64": 5,
    "f16": 6,
    "f32": 7,
    "f64": 9,
    "bf16": 10,
}


def box_shape(shape: Sequence[int], swizzle: int, element_bits: int) -> list[int]:
    """Elements of one message along each dimension.

    Args:
        shape: elements of the block that is moved along each dimension, the innermost last.
        swizzle: bytes of a row over which it is swizzled, 0 for none: a message is no wider.
        element_bits: bits of an element.
    """
    box = [min(size, MAX_BOX) for size in shape]
    if swizzle:
        box[-1] = min(box[-1], swizzle * 8 // element_bits)
    return box
