"""Shapes that tensors of a kernel may have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ttkit.language.errors import BadShapeElement, NotPowerOfTwo, TensorTooLarge

TRITON_MAX_TENSOR_NUMEL = 1048576


def number(value: Any) -> Any:
    """True and False as 1 and 0, as sizes and bounds take them; all else as it is."""
    return int(value) if isinstance(value, bool) else value


def validate_block_shape(shape: Sequence[Any]) -> int:
    """The number of elements of a tensor of this shape.

    Raises:
        BadShapeElement: a size is not an int.
        NotPowerOfTwo: a size is no power of two.
        TensorTooLarge: more than TRITON_MAX_TENSOR_NUMEL elements.
    """
    numel = 1
    for index, size in enumerate(shape):
        if not isinstance(size, int):
            raise BadShapeElement(index=index, type=type(size))
        if size < 1:
            raise NotPowerOfTwo(index=index, size=size, advice=f"found {size}; a tensor has at least one element")
        if size & (size - 1):
            raise NotPowerOfTwo(index=index, size=size)
        numel *= size
    if numel > TRITON_MAX_TENSOR_NUMEL:
        raise TensorTooLarge(numel=numel, limit=TRITON_MAX_TENSOR_NUMEL)
    return numel
