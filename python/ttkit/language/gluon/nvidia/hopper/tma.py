"""Copies of blocks between tensors in global memory and shared memory, by the tensor memory accelerator.

Ops: dialects/ttng/tma_ops.td    Interpreter: interpreter/ops/tma.py
"""

from __future__ import annotations

from typing import Any

from ttkit.dialects._tt_enums import DescriptorReduceKind
from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.constants import attribute_of_32_bits, flag, to_tensor
from ttkit.language.constexpr import unwrap
from ttkit.language.descriptor import described_tensor
from ttkit.language.errors import BadLayout, Unsupported
from ttkit.language.gluon.cache_policy import NvidiaCachePolicy as CachePolicy  # noqa: F401  as Triton's module has it
from ttkit.language.gluon.nvidia.hopper.tma_images import async_copy_global_to_shared_im2col, async_load_im2col
from ttkit.language.gluon.nvidia.hopper.tma_operands import block_operands, copy_policy
from ttkit.language.gluon.shared_memory import descriptor
from ttkit.language.gluon.tensor_descriptor import (
    tensor_descriptor,
    tensor_descriptor_im2col,
    tensor_descriptor_im2col_type,
    tensor_descriptor_type,
)
from ttkit.language.memory import enum_attribute
from ttkit.layout.gluon.shared_layouts import NVMMASharedLayout

__all__ = [
    "async_atomic_add", "async_atomic_and", "async_atomic_max", "async_atomic_min", "async_atomic_or",
    "async_atomic_xor", "async_copy_global_to_shared", "async_copy_global_to_shared_im2col",
    "async_copy_shared_to_global", "async_load", "async_load_im2col", "async_store", "make_tensor_descriptor",
    "store_wait", "tensor_descriptor", "tensor_descriptor_im2col", "tensor_descriptor_im2col_type",
    "tensor_descriptor_type",
]  # fmt: skip


@builtin
def async_copy_global_to_shared(
    tensor_desc: Any, coord: Any, barrier: Any, result: Any, pred: Any = True, multicast: Any = False
) -> None:
    """Begins to copy a block of a tensor to a buffer; a barrier counts the bytes as they arrive.

    What lies outside of the tensor becomes zero, or NaN, as the descriptor says, and counts too.

    Args:
        tensor_desc: the tensor.
        coord: of the block's first element, int32 each.
        barrier: which expects the buffer's bytes, see `mbarrier.expect`.
        result: the buffer, of the block's shape and the descriptor's layout.
        pred: whether to copy at all.
        multicast: as of `async_load`.

    Raises:
        BadArgument: they do not go together.
        Unsupported: `multicast` in a kernel of one CTA.

    Example:
        >>> shared = gl.NVMMASharedLayout.get_default_for([8, 32], gl.float32)
        >>> matrix = np.arange(1024, dtype=np.float32).reshape(32, 32)
        >>> tensor = tma.make_tensor_descriptor(pointer(matrix), [32, 32], [32, 1], [8, 32], shared)
        >>> tile = gl.allocate_shared_memory(gl.float32, [8, 32], shared)
        >>> bar = mbarrier.allocate_mbarrier()
        >>> mbarrier.init(bar, count=1)
        >>> mbarrier.expect(bar, 8 * 32 * 4)
        >>> tma.async_copy_global_to_shared(tensor, [8, 0], bar, tile)
        >>> mbarrier.wait(bar, 0)
        >>> gl.max(gl.max(tile.load(rows), 1), 0)
        fp32[] 511.0
    """
    attributes = multicast_attribute("async_copy_global_to_shared", multicast)
    _copy_to_shared("async_copy_global_to_shared", tensor_desc, coord, barrier, result, pred, attributes)


def _copy_to_shared(
    function: str, tensor_desc: Any, coord: Any, barrier: Any, result: Any, pred: Any, attributes: dict[str, str]
) -> None:
    tensor, place, memory = block_operands(function, tensor_desc, coord, result)
    bar = descriptor(function, barrier)
    operands = [tensor.handle, *place, bar.handle, memory.handle, to_tensor(pred).handle]
    builder().emit_op("ttng.async_tma_copy_global_to_local", operands, (), attributes)


def multicast_attribute(function: str, multicast: Any) -> dict[str, str]:
    """The attribute of a copy for several CTAs, if it is one.  Raises Unsupported: the kernel has one CTA."""
    if not flag(function, "multicast", multicast):
        return {}
    if builder().unit.options.num_ctas == 1:
        reason = "the kernel has one CTA, so there is no other to copy a block for"
        raise Unsupported(function=function, reason=reason, advice="launch it with num_ctas=2, or without multicast")
    return {"multicast": "unit"}


@builtin
def async_copy_shared_to_global(tensor_desc: Any, coord: Any, src: Any) -> None:
    """Begins to copy a buffer to a block of a tensor, see `store_wait`; nothing is written outside of the tensor.

    What threads wrote to the buffer needs `fence_async_shared` before.

    Args:
        tensor_desc: the tensor.
        coord: of the block's first element, int32 each.
        src: the buffer, of the block's shape and the descriptor's layout.

    Raises:
        BadArgument: they do not go together.

    Example:
        >>> shared = gl.NVMMASharedLayout.get_default_for([8, 32], gl.float32)
        >>> matrix = np.arange(1024, dtype=np.float32).reshape(32, 32)
        >>> tensor = tma.make_tensor_descriptor(pointer(matrix), [32, 32], [32, 1], [8, 32], shared)
        >>> tile = gl.allocate_shared_memory(gl.float32, [8, 32], shared)
        >>> tile.store(gl.full([8, 32], 7.0, gl.float32, rows))
        >>> hopper.fence_async_shared()
        >>> tma.async_copy_shared_to_global(tensor, [8, 0], tile)
        >>> tma.store_wait(0)
        >>> gl.load(pointer(matrix) + 8 * 32)
        fp32[] 7.0
    """
    _copy_to_global("async_copy_shared_to_global", tensor_desc, coord, src, {})


def _copy_to_global(function: str, tensor_desc: Any, coord: Any, src: Any, attributes: dict[str, str]) -> None:
    tensor, place, memory = block_operands(function, tensor_desc, coord, src)
    operands = [tensor.handle, *place, memory.handle]
    builder().emit_op("ttng.async_tma_copy_local_to_global", operands, (), attributes)


@builtin
def async_load(
    tensor_desc: Any,
    coord: Any,
    barrier: Any,
    result: Any,
    pred: Any = True,
    multicast: Any = False,
    cache_policy: Any = None,
) -> None:
    """`async_copy_global_to_shared`, by its name since Triton 3.8.

    Args:
        multicast: whether one CTA of a cluster loads what several have alike, as the buffer's `cga_layout` says, for
            all of them.  Each CTA's barrier counts the bytes.
        cache_policy: when the second-level cache evicts what is read: a `CachePolicy` with `l2` or `eviction_policy`.

    Raises:
        Unsupported: `multicast` in a kernel of one CTA.
        BadArgument: the arguments do not go together, or a policy says more.

    Example:
        >>> shared = gl.NVMMASharedLayout.get_default_for([8, 32], gl.float32)
        >>> matrix = np.arange(1024, dtype=np.float32).reshape(32, 32)
        >>> tensor = tma.make_tensor_descriptor(pointer(matrix), [32, 32], [32, 1], [8, 32], shared)
        >>> tile = gl.allocate_shared_memory(gl.float32, [8, 32], shared)
        >>> bar = mbarrier.allocate_mbarrier()
        >>> mbarrier.init(bar, count=1)
        >>> mbarrier.expect(bar, 8 * 32 * 4)
        >>> tma.async_load(tensor, [8, 0], bar, tile)
        >>> mbarrier.wait(bar, 0)
        >>> gl.max(gl.max(tile.load(rows), 1), 0)
        fp32[] 511.0
    """
    attributes = multicast_attribute("async_load", multicast) | copy_policy("async_load", cache_policy)
    _copy_to_shared("async_load", tensor_desc, coord, barrier, result, pred, attributes)


@builtin
def async_store(tensor_desc: Any, coord: Any, src: Any, cache_policy: Any = None) -> None:
    """`async_copy_shared_to_global`, by its name since Triton 3.8.

    Args:
        cache_policy: as of `async_load`, for what is written.

    Raises:
        BadArgument: the arguments do not go together.

    Example:
        >>> shared = gl.NVMMASharedLayout.get_default_for([8, 32], gl.float32)
        >>> matrix = np.arange(1024, dtype=np.float32).reshape(32, 32)
        >>> tensor = tma.make_tensor_descriptor(pointer(matrix), [32, 32], [32, 1], [8, 32], shared)
        >>> tile = gl.allocate_shared_memory(gl.float32, [8, 32], shared)
        >>> tile.store(gl.full([8, 32], 7.0, gl.float32, rows))
        >>> hopper.fence_async_shared()
        >>> tma.async_store(tensor, [8, 0], tile)
        >>> tma.store_wait(0)
        >>> gl.load(pointer(matrix) + 8 * 32)
        fp32[] 7.0
    """
    _copy_to_global("async_store", tensor_desc, coord, src, copy_policy("async_store", cache_policy))


@builtin
def async_atomic_add(tensor_desc: Any, coord: Any, src: Any) -> None:
    """Begins to add a buffer to a block of a tensor, atomically; see `async_copy_shared_to_global`.

    Example:
        >>> shared = gl.NVMMASharedLayout.get_default_for([8, 32], gl.int32)
        >>> numbers = np.full((32, 32), 12, np.int32)
        >>> tensor = tma.make_tensor_descriptor(pointer(numbers), [32, 32], [32, 1], [8, 32], shared)
        >>> tile = gl.allocate_shared_memory(gl.int32, [8, 32], shared, gl.full([8, 32], 10, gl.int32, rows))
        >>> hopper.fence_async_shared()
        >>> tma.async_atomic_add(tensor, [0, 0], tile)
        >>> tma.store_wait(0)
        >>> gl.load(pointer(numbers))
        int32[] 22
    """
    _reduce("add", tensor_desc, coord, src)


@builtin
def async_atomic_min(tensor_desc: Any, coord: Any, src: Any) -> None:
    """As `async_atomic_add`, by `min`.

    Example:
        >>> shared = gl.NVMMASharedLayout.get_default_for([8, 32], gl.int32)
        >>> numbers = np.full((32, 32), 12, np.int32)
        >>> tensor = tma.make_tensor_descriptor(pointer(numbers), [32, 32], [32, 1], [8, 32], shared)
        >>> tile = gl.allocate_shared_memory(gl.int32, [8, 32], shared, gl.full([8, 32], 10, gl.int32, rows))
        >>> hopper.fence_async_shared()
        >>> tma.async_atomic_min(tensor, [0, 0], tile)
        >>> tma.store_wait(0)
        >>> gl.load(pointer(numbers))
        int32[] 10
    """
    _reduce("min", tensor_desc, coord, src)


@builtin
def async_atomic_max(tensor_desc: Any, coord: Any, src: Any) -> None:
    """As `async_atomic_add`, by `max`.

    Example:
        >>> shared = gl.NVMMASharedLayout.get_default_for([8, 32], gl.int32)
        >>> numbers = np.full((32, 32), 12, np.int32)
        >>> tensor = tma.make_tensor_descriptor(pointer(numbers), [32, 32], [32, 1], [8, 32], shared)
        >>> tile = gl.allocate_shared_memory(gl.int32, [8, 32], shared, gl.full([8, 32], 10, gl.int32, rows))
        >>> hopper.fence_async_shared()
        >>> tma.async_atomic_max(tensor, [0, 0], tile)
        >>> tma.store_wait(0)
        >>> gl.load(pointer(numbers))
        int32[] 12
    """
    _reduce("max", tensor_desc, coord, src)


@builtin
def async_atomic_and(tensor_desc: Any, coord: Any, src: Any) -> None:
    """As `async_atomic_add`, by `and`.

    Example:
        >>> shared = gl.NVMMASharedLayout.get_default_for([8, 32], gl.int32)
        >>> numbers = np.full((32, 32), 12, np.int32)
        >>> tensor = tma.make_tensor_descriptor(pointer(numbers), [32, 32], [32, 1], [8, 32], shared)
        >>> tile = gl.allocate_shared_memory(gl.int32, [8, 32], shared, gl.full([8, 32], 10, gl.int32, rows))
        >>> hopper.fence_async_shared()
        >>> tma.async_atomic_and(tensor, [0, 0], tile)
        >>> tma.store_wait(0)
        >>> gl.load(pointer(numbers))
        int32[] 8
    """
    _reduce("and", tensor_desc, coord, src)


@builtin
def async_atomic_or(tensor_desc: Any, coord: Any, src: Any) -> None:
    """As `async_atomic_add`, by `or`.

    Example:
        >>> shared = gl.NVMMASharedLayout.get_default_for([8, 32], gl.int32)
        >>> numbers = np.full((32, 32), 12, np.int32)
        >>> tensor = tma.make_tensor_descriptor(pointer(numbers), [32, 32], [32, 1], [8, 32], shared)
        >>> tile = gl.allocate_shared_memory(gl.int32, [8, 32], shared, gl.full([8, 32], 10, gl.int32, rows))
        >>> hopper.fence_async_shared()
        >>> tma.async_atomic_or(tensor, [0, 0], tile)
        >>> tma.store_wait(0)
        >>> gl.load(pointer(numbers))
        int32[] 14
    """
    _reduce("or", tensor_desc, coord, src)


@builtin
def async_atomic_xor(tensor_desc: Any, coord: Any, src: Any) -> None:
    """As `async_atomic_add`, by `xor`.

    Example:
        >>> shared = gl.NVMMASharedLayout.get_default_for([8, 32], gl.int32)
        >>> numbers = np.full((32, 32), 12, np.int32)
        >>> tensor = tma.make_tensor_descriptor(pointer(numbers), [32, 32], [32, 1], [8, 32], shared)
        >>> tile = gl.allocate_shared_memory(gl.int32, [8, 32], shared, gl.full([8, 32], 10, gl.int32, rows))
        >>> hopper.fence_async_shared()
        >>> tma.async_atomic_xor(tensor, [0, 0], tile)
        >>> tma.store_wait(0)
        >>> gl.load(pointer(numbers))
        int32[] 6
    """
    _reduce("xor", tensor_desc, coord, src)


def _reduce(kind: str, tensor_desc: Any, coord: Any, src: Any) -> None:
    tensor, place, memory = block_operands(f"async_atomic_{kind}", tensor_desc, coord, src)
    operands = [tensor.handle, *place, memory.handle]
    builder().emit_op(
        "ttng.async_tma_reduce", operands, (), {"kind": enum_attribute(DescriptorReduceKind[kind.upper()])}
    )


@builtin
def store_wait(pendings: Any, read_only: Any = True) -> None:
    """Waits until at most so many copies to global memory, the latest ones, still read their buffers.

    Args:
        pendings: their number, known while compiling.
        read_only: False waits until the others have written global memory, too.

    Raises:
        BadArgument: not such an integer or bool.

    Example:
        >>> shared = gl.NVMMASharedLayout.get_default_for([8, 32], gl.float32)
        >>> matrix = np.arange(1024, dtype=np.float32).reshape(32, 32)
        >>> tensor = tma.make_tensor_descriptor(pointer(matrix), [32, 32], [32, 1], [8, 32], shared)
        >>> tile = gl.allocate_shared_memory(gl.float32, [8, 32], shared)
        >>> tile.store(gl.full([8, 32], 7.0, gl.float32, rows))
        >>> hopper.fence_async_shared()
        >>> for block in range(2):
        ...     tma.async_copy_shared_to_global(tensor, [8 * block, 0], tile)
        >>> tma.store_wait(1)  # the first copy has read the buffer
        >>> tma.store_wait(0)  # both have
    """
    attributes = {"pendings": attribute_of_32_bits("store_wait", "pendings", unwrap(pendings))}
    if not flag("store_wait", "read_only", read_only):
        attributes["read_only"] = "false"
    builder().emit_op("ttng.async_tma_store_wait", (), (), attributes)


@builtin
def make_tensor_descriptor(
    base: Any, shape: Any, strides: Any, block_shape: Any, layout: Any, padding_option: Any = "zero"
) -> tensor_descriptor:
    """A descriptor of the tensor at `base`, made in the kernel.

    Args:
        base, shape, strides, block_shape, padding_option: as of `tl.make_tensor_descriptor`.
        layout: of the blocks in shared memory, an `NVMMASharedLayout`.

    Raises:
        BadArgument, BadPointer: the arguments do not fit.
        BadLayout: no such layout.

    Example:
        >>> shared = gl.NVMMASharedLayout.get_default_for([8, 32], gl.float32)
        >>> matrix = np.arange(1024, dtype=np.float32).reshape(32, 32)
        >>> tensor = tma.make_tensor_descriptor(pointer(matrix), [32, 32], [32, 1], [8, 32], shared)
        >>> tensor.block_shape, tensor.dtype
        ((constexpr[8], constexpr[32]), triton.language.float32)
    """
    layout = unwrap(layout)
    if not isinstance(layout, NVMMASharedLayout):
        raise BadLayout(reason=f"Expected layout to be a NVMMASharedLayout, found {layout}")
    parts = described_tensor(base, shape, strides, unwrap(block_shape), padding_option)
    made = tensor_descriptor(None, parts.shape, parts.strides, parts.block, layout)
    made.handle = builder().emit("tt.make_tensor_descriptor", parts.operands, made.type.ir, parts.attributes)
    return made
