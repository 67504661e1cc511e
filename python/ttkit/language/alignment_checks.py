"""Assertions of `instrumentation_mode="iisan"`, as Triton 3.9 has them: what TMA takes aligned only, is aligned.

Ops: dialects/tt/debug_ops.td
"""

from __future__ import annotations

from typing import Any

from ttkit.language.arith import mod, mul
from ttkit.language.building import builder
from ttkit.language.constants import to_tensor
from ttkit.language.constexpr import unwrap
from ttkit.language.debug import assert_
from ttkit.language.tensor import tensor
from ttkit.language.type_conversion import cast_to
from ttkit.language.types import int64
from ttkit.language.view import make_scalar
from ttkit.layout.hardware import TENSOR_MAP_ALIGNMENT

BYTES, BYTES_OF_PADDED = TENSOR_MAP_ALIGNMENT, 64
"""Bytes of which a tensor, its strides and the first column of a block are multiples; a column of padded fp4."""


def asserts_alignment() -> bool:
    """Whether the kernel is compiled with these assertions."""
    return bool(builder().unit.options.enable_iisan)


def assert_aligned_tensor(base: tensor, strides: list[tensor], given: Any) -> None:
    """Asserts that a descriptor's tensor begins at a multiple of 16 bytes, and all strides but the last are multiples.

    Args:
        base: the pointer.
        strides: in elements.
        given: the strides as the kernel gives them; integers known to the compiler are not asserted.
    """
    if not asserts_alignment():
        return
    _assert_multiple(cast_to(base, int64), BYTES, "Tensor descriptor base pointer must be 16-byte aligned")
    size = base.type.element_ty.primitive_bitwidth // 8
    for stride, source in list(zip(strides, given))[:-1]:
        if not isinstance(unwrap(source), int):
            width = mul(stride, make_scalar(size, int64), sanitize_overflow=False)
            _assert_multiple(width, BYTES, "Tensor descriptor strides must be 16-byte aligned")


def assert_aligned_column(function: str, blocks: Any, column: Any, name: str = "innermost coordinate") -> None:
    """Asserts that the first column of a block, `name`, is a multiple of 16 bytes; of 64 where fp4 is padded.

    Args:
        blocks: the descriptor.
    """
    if not asserts_alignment():
        return
    is_padded = blocks.layout.fp4_padded
    multiple = BYTES_OF_PADDED if is_padded else BYTES
    elements = max(multiple * 8 // blocks.dtype.primitive_bitwidth, 1)
    padded = "with fp4_padded=True " if is_padded else ""
    said = (
        f"{function} {padded}{name} must be {multiple}-byte aligned, i.e. a multiple of {elements} for {blocks.dtype}"
    )
    _assert_multiple(to_tensor(column), elements, said)


def assert_no_negative_rows(function: str, rows: Any, column: Any) -> None:
    """Asserts that no row or column to which rows are scattered is negative."""
    if asserts_alignment():
        assert_(to_tensor(column) >= 0, f"{function} y_offset cannot be negative", None)
        assert_(rows >= 0, f"{function} x_offsets cannot have any negative elements", None)


def _assert_multiple(value: tensor, of: int, message: str) -> None:
    remainder: Any = mod(value, of)
    assert_(remainder == 0, message, None)
