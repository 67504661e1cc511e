"""Copies of pixels of images by the tensor memory accelerator: im2col.

Ops: dialects/ttng/tma_ops.td    Interpreter: interpreter/ops/image_descriptor.py
"""

from __future__ import annotations

from typing import Any

from ttkit.language.alignment_checks import assert_aligned_column
from ttkit.language.block_pointer import index_operands
from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.constants import flag, to_tensor
from ttkit.language.constexpr import unwrap
from ttkit.language.errors import BadArgument, Unsupported
from ttkit.language.gluon.nvidia.hopper.tma_operands import check_layout, check_size, copy_policy, offset_operands
from ttkit.language.gluon.shared_memory import descriptor
from ttkit.language.gluon.tensor_descriptor import tensor_descriptor_im2col


@builtin
def async_load_im2col(
    tensor_desc: Any,
    coord: Any,
    offsets: Any,
    barrier: Any,
    result: Any,
    pred: Any = True,
    multicast: Any = False,
    cache_policy: Any = None,
) -> None:
    """Begins to copy pixels of images to a buffer, one after the other; a barrier counts the bytes as they arrive.

    `result[p, c]` is the element of pixel p at channel `coord[-1] + c`.  Pixel 0 is at `coord`, pixel p + 1 comes after
    pixel p in the box of the descriptor; `offsets` are added to each.  What lies outside of the tensor becomes zero, or
    NaN, as the descriptor says.

    Args:
        tensor_desc: a descriptor of images, `TensorDescriptorIm2Col`.
        coord: of the first pixel and channel, int32: image, dimensions of space, channel.
        offsets: of the dimensions of space, int16, such as the place in a filter.
        barrier: which expects the buffer's bytes, see `mbarrier.expect`.
        result: the buffer, of the block's shape and the descriptor's layout.
        pred: whether to copy at all.
        cache_policy: as of `async_load`.

    Raises:
        BadArgument: they do not go together, or the policy has more than `l2`.
        Unsupported: `multicast`, a copy for several CTAs.

    Example:
        >>> @gluon.jit
        ... def loaded(images):
        ...     tile = gl.allocate_shared_memory(images.dtype, images.block_shape, images.layout)
        ...     bar = mbarrier.allocate_mbarrier()
        ...     mbarrier.init(bar, count=1)
        ...     mbarrier.expect(bar, images.nbytes_per_cta)
        ...     tma.async_load_im2col(images, [0, 0, 0, 0], [1, 1], bar, tile)
        ...     mbarrier.wait(bar, 0)
        >>> kind = f"tensordesc_im2col<fp16[32, 64],input_rank=4,{gl.NVMMASharedLayout(128, 16, 2)!r}>"
        >>> with ttkit.Context():
        ...     made = ttkit.ASTSource(loaded, {"images": kind}).make_ir(ttkit.GPUTarget("cuda", 90, 32))
        ...     print(str(made).count("async_tma_copy_global_to_local"))
        1
    """
    if flag("async_load_im2col", "multicast", multicast):
        reason, advice = "a block is copied for one CTA", "let each CTA copy it"
        raise Unsupported(function="async_load_im2col", reason=reason, advice=advice)
    tensor = _images(unwrap(tensor_desc))
    place, moved = index_operands(coord, wide=False), offset_operands(offsets)
    if (len(place), len(moved)) != ((rank := len(tensor.shape)), rank - 2):
        reason = f"images of {rank} dimensions take {rank} coordinates and {rank - 2} offsets"
        raise BadArgument(function="async_load_im2col", reason=f"{reason}, found {len(place)} and {len(moved)}")
    memory, bar = descriptor("async_load_im2col", result), descriptor("async_load_im2col", barrier)
    check_size("async_load_im2col", tensor, memory)
    check_layout("async_load_im2col", tensor, memory)
    assert_aligned_column("async_load_im2col", tensor, list(coord)[-1])
    operands = [tensor.handle, *place, *moved, bar.handle, memory.handle, to_tensor(pred).handle]
    attributes = copy_policy("async_load_im2col", cache_policy)
    builder().emit_op("ttng.async_tma_copy_global_to_local", operands, (), attributes)


def _images(tensor: Any) -> tensor_descriptor_im2col:
    """The argument, if it is a descriptor of images.

    Raises:
        BadArgument: it is not.
    """
    if not isinstance(tensor, tensor_descriptor_im2col):
        reason = f"async_load_im2col takes a descriptor of images, found {getattr(tensor, 'type', tensor)!r}"
        advice = "pass a TensorDescriptorIm2Col to the kernel"
        raise BadArgument(function="async_load_im2col", reason=reason, advice=advice)
    return tensor


@builtin
def async_copy_global_to_shared_im2col(
    tensor_desc: Any, coord: Any, offsets: Any, barrier: Any, result: Any, pred: Any = True, multicast: Any = False
) -> None:
    """`async_load_im2col`, by its name in Triton 3.7 and 3.8.

    Example:
        >>> @gluon.jit
        ... def copied(images):
        ...     tile = gl.allocate_shared_memory(images.dtype, images.block_shape, images.layout)
        ...     bar = mbarrier.allocate_mbarrier()
        ...     mbarrier.init(bar, count=1)
        ...     mbarrier.expect(bar, images.nbytes_per_cta)
        ...     tma.async_copy_global_to_shared_im2col(images, [0, 0, 0, 0], [1, 1], bar, tile)
        ...     mbarrier.wait(bar, 0)
        >>> kind = f"tensordesc_im2col<fp16[32, 64],input_rank=4,{gl.NVMMASharedLayout(128, 16, 2)!r}>"
        >>> with ttkit.Context():
        ...     made = ttkit.ASTSource(copied, {"images": kind}).make_ir(ttkit.GPUTarget("cuda", 90, 32))
        ...     print(str(made).count("async_tma_copy_global_to_local"))
        1
    """
    async_load_im2col(tensor_desc, coord, offsets, barrier, result, pred, multicast)
