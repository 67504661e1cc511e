"""Views: the elements of a tensor under other indices.  A layout says where elements live, not what they are."""

from __future__ import annotations

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.ops.registry import interprets

Array = np.ndarray


@interprets("ttg.convert_layout")
def convert_layout(machine: Machine, op: Instruction, src: Array) -> Array:
    """result[...] = src[...]."""
    return src


@interprets("tt.unsplat")
def unsplat(machine: Machine, op: Instruction, src: Array) -> Array:
    """result = src[0, 0, ...]."""
    return src.reshape(-1)


ORDER = "\0order"
"""The order of elements where an operation leaves it open: by the number of an element that of the source."""


@interprets("tt.expand_dims", "tt.reshape")
def reshape(machine: Machine, op: Instruction, src: Array) -> Array:
    """Element number n of the result, in row-major order, is element number n of src; also with allow_reorder."""
    if (order := op.attributes.get(ORDER)) is not None:
        src = src.reshape(src.shape[0], -1)[:, order]
    return src.reshape(src.shape[0], *op.result_types[0].shape)


@interprets("tt.broadcast")
def broadcast(machine: Machine, op: Instruction, src: Array) -> Array:
    """result[i, ...] = src[dim(src, 0) == 1 ? 0 : i, ...]."""
    return np.broadcast_to(src, (src.shape[0], *op.result_types[0].shape))


@interprets("tt.trans")
def trans(machine: Machine, op: Instruction, src: Array) -> Array:
    """Dimension d of the result is dimension order[d] of src."""
    return src.transpose(0, *(d + 1 for d in op.attributes["order"]))


@interprets("tt.join")
def join(machine: Machine, op: Instruction, lhs: Array, rhs: Array) -> Array:
    """result[..., 0] = lhs[...], result[..., 1] = rhs[...]."""
    return np.stack(np.broadcast_arrays(lhs, rhs), axis=-1)


@interprets("tt.split")
def split(machine: Machine, op: Instruction, src: Array) -> tuple[Array, Array]:
    """(src[..., 0], src[..., 1])."""
    return src[..., 0], src[..., 1]


@interprets("tt.cat")
def cat(machine: Machine, op: Instruction, lhs: Array, rhs: Array) -> Array:
    """The elements of lhs, then those of rhs, both in row-major order."""
    lhs, rhs = np.broadcast_arrays(lhs, rhs)
    rows = [part.reshape(part.shape[0], -1) for part in (lhs, rhs)]
    both = np.concatenate(rows, axis=1)
    if (order := op.attributes.get(ORDER)) is not None:
        both = both[:, order]
    return both.reshape(lhs.shape[0], *op.result_types[0].shape)
