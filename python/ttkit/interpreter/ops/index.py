"""Ranges, and elements found or counted by index."""

from __future__ import annotations

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.ops.registry import interprets

Array = np.ndarray


@interprets("tt.make_range")
def make_range(machine: Machine, op: Instruction) -> Array:
    """result[i] = start + i."""
    return np.arange(op.attributes["start"], op.attributes["end"], dtype=np.int64).astype(np.int32)[None]


@interprets("tt.gather")
def gather(machine: Machine, op: Instruction, src: Array, indices: Array) -> Array:
    """result[..., i(axis), ...] = src[..., indices[..., i(axis), ...], ...]; zero where the index is outside."""
    axis = op.attributes["axis"] + 1
    indices = indices.astype(np.int64)
    size = src.shape[axis]
    outside = (indices < 0) | (indices >= size)
    programs = max(src.shape[0], indices.shape[0])
    src = np.broadcast_to(src, (programs, *src.shape[1:]))
    indices = np.broadcast_to(np.where(outside, 0, indices), (programs, *indices.shape[1:]))
    result = np.take_along_axis(src, indices, axis)
    return np.where(outside, np.zeros(1, src.dtype), result) if outside.any() else result


@interprets("tt.histogram")
def histogram(machine: Machine, op: Instruction, src: Array, mask: Array | None = None) -> Array:
    """result[b] counts the elements equal to b whose mask is true; elements outside of the result count nowhere."""
    kind = op.result_types[0]
    bins = kind.shape[0]
    src = src.astype(np.int64)
    counted = (src >= 0) & (src < bins)
    counted = counted if mask is None else counted & mask
    programs = counted.shape[0]
    cells = np.broadcast_to(src, counted.shape) + bins * np.arange(programs).reshape(-1, *[1] * (src.ndim - 1))
    return np.bincount(cells[counted], minlength=programs * bins).reshape(programs, bins).astype(kind.element)
