"""The elements and bytes of a tensor, and the registers that they fill: by its type alone, without a layout."""

from __future__ import annotations

import math
from typing import Any

from mlir import ir

from ttkit.inspection import element_bits
from ttkit.layout.hardware import LANES, REGISTER_BITS
from ttkit.target import NAMED_REGISTERS


def elements_of(value: ir.Value) -> int:
    """Elements of a tensor; 0 of other values."""
    type: Any = value.type
    return math.prod(type.shape) if isinstance(type, ir.RankedTensorType) else 0


def bytes_of(value: ir.Value) -> int:
    """Bytes of a tensor; 0 of other values."""
    type: Any = value.type
    return elements_of(value) * element_bits(type.element_type) // 8 if isinstance(type, ir.RankedTensorType) else 0


def registers(size: int, warps: int) -> int:
    """Registers of a thread for tensors of `size` bytes, which the threads of `warps` warps share."""
    return size * 8 // REGISTER_BITS // (LANES * warps)


def fit_in_registers(size: int, warps: int) -> bool:
    """Whether threads of `warps` warps can hold tensors of `size` bytes."""
    return registers(size, warps) <= NAMED_REGISTERS
