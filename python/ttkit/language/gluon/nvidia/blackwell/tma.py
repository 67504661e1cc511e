"""Copies by the tensor memory accelerator, also of chosen rows.

Ops: dialects/ttng/tma_ops.td    Interpreter: interpreter/ops/tma.py
"""

from __future__ import annotations

from typing import Any

from ttkit.language.alignment_checks import assert_aligned_column, assert_no_negative_rows
from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.constants import to_tensor
from ttkit.language.gluon.checks import type_with_layout
from ttkit.language.gluon.nvidia.hopper.tma import (
    async_atomic_add,
    async_atomic_and,
    async_atomic_max,
    async_atomic_min,
    async_atomic_or,
    async_atomic_xor,
    async_copy_global_to_shared,
    async_copy_shared_to_global,
    async_load,
    async_load_im2col,
    async_store,
    make_tensor_descriptor,
    multicast_attribute,
    store_wait,
    tensor_descriptor,
    tensor_descriptor_type,
)
from ttkit.language.gluon.nvidia.hopper.tma_operands import check_layout, copy_policy, described
from ttkit.language.gluon.shared_memory import descriptor

__all__ = [
    "async_atomic_add", "async_atomic_and", "async_atomic_max", "async_atomic_min", "async_atomic_or",
    "async_atomic_xor", "async_copy_global_to_shared", "async_copy_shared_to_global", "async_gather",
    "async_load", "async_load_im2col", "async_scatter", "async_store", "make_tensor_descriptor", "store_wait",
    "tensor_descriptor", "tensor_descriptor_type",
]  # fmt: skip


def _rows(function: str, tensor_desc: Any, x_offsets: Any, y_offset: Any, buffer: Any) -> tuple[list[Any], Any]:
    """Handles of a descriptor, of rows and a column, and of a buffer.  Raises BadArgument and BadLayout."""
    tensor, memory = described(function, tensor_desc), descriptor(function, buffer)
    type_with_layout(function, x_offsets)
    check_layout(function, tensor, memory)
    assert_aligned_column(function, tensor, y_offset, "y_offset")
    return [tensor.handle, x_offsets.handle, to_tensor(y_offset).handle], memory.handle


@builtin
def async_gather(
    tensor_desc: Any,
    x_offsets: Any,
    y_offset: Any,
    barrier: Any,
    result: Any,
    pred: Any = True,
    multicast: Any = False,
    cache_policy: Any = None,
) -> None:
    """Begins to copy rows of a matrix to a buffer; a barrier counts the bytes as they arrive.

    Args:
        tensor_desc: the matrix, with blocks of one row.
        x_offsets: the rows, a tensor of int32; each warp must hold all, a multiple of 4 in a row.
        y_offset: the first column.
        barrier: which expects the buffer's bytes.
        result: the buffer, as many rows as wide as a block.
        pred: whether to copy at all.
        multicast, cache_policy: as of `async_load`.

    Raises:
        BadArgument, BadLayout: they do not go together.
        Unsupported: `multicast` in a kernel of one CTA.

    Example:
        >>> shared = gl.NVMMASharedLayout.get_default_for([8, 32], gl.float32)
        >>> matrix = np.arange(1024, dtype=np.float32).reshape(32, 32)
        >>> tensor = tma.make_tensor_descriptor(pointer(matrix), [32, 32], [32, 1], [1, 32], shared)
        >>> tile = gl.allocate_shared_memory(gl.float32, [8, 32], shared)
        >>> bar = mbarrier.allocate_mbarrier()
        >>> mbarrier.init(bar, count=1)
        >>> mbarrier.expect(bar, 8 * 32 * 4)
        >>> row = gl.arange(0, 8, gl.SliceLayout(0, gl.BlockedLayout([1, 4], [32, 1], [1, 4], [1, 0])))
        >>> blackwell.tma.async_gather(tensor, row * 2, 0, bar, tile)
        >>> mbarrier.wait(bar, 0)
        >>> gl.max(tile.load(rows), 1)
        fp32[8] [ 31.  95. 159. 223. 287. 351. 415. 479.]
    """
    operands, memory = _rows("async_gather", tensor_desc, x_offsets, y_offset, result)
    bar = descriptor("async_gather", barrier).handle
    attributes = multicast_attribute("async_gather", multicast) | copy_policy("async_gather", cache_policy)
    builder().emit_op("ttng.async_tma_gather", [*operands, bar, memory, to_tensor(pred).handle], (), attributes)


@builtin
def async_scatter(tensor_desc: Any, x_offsets: Any, y_offset: Any, src: Any, cache_policy: Any = None) -> None:
    """Begins to copy a buffer to rows of a matrix, see `store_wait`; arguments and errors as of `async_gather`.

    Example:
        >>> shared = gl.NVMMASharedLayout.get_default_for([8, 32], gl.float32)
        >>> matrix = np.arange(1024, dtype=np.float32).reshape(32, 32)
        >>> tensor = tma.make_tensor_descriptor(pointer(matrix), [32, 32], [32, 1], [1, 32], shared)
        >>> tile = gl.allocate_shared_memory(gl.float32, [8, 32], shared)
        >>> tile.store(gl.full([8, 32], 7.0, gl.float32, rows))
        >>> row = gl.arange(0, 8, gl.SliceLayout(0, gl.BlockedLayout([1, 4], [32, 1], [1, 4], [1, 0])))
        >>> hopper.fence_async_shared()
        >>> blackwell.tma.async_scatter(tensor, row * 2, 0, tile)
        >>> tma.store_wait(0)
        >>> gl.load(pointer(matrix) + 2 * 32)
        fp32[] 7.0
    """
    operands, memory = _rows("async_scatter", tensor_desc, x_offsets, y_offset, src)
    assert_no_negative_rows("async_scatter", x_offsets, y_offset)
    builder().emit_op("ttng.async_tma_scatter", [*operands, memory], (), copy_policy("async_scatter", cache_policy))
