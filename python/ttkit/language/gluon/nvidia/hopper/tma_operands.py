"""Arguments of Gluon's copies by the tensor memory accelerator: descriptors, coordinates, offsets, buffers."""

from __future__ import annotations

from math import prod
from typing import Any

from ttkit.language.alignment_checks import assert_aligned_column
from ttkit.language.block_pointer import index_operands
from ttkit.language.constants import scalar_constant, to_tensor
from ttkit.language.constexpr import unwrap
from ttkit.language.errors import BadArgument, BadLayout
from ttkit.language.gluon.cache_policy import CachePolicy, NvidiaCachePolicy
from ttkit.language.gluon.shared_memory import descriptor, shared_memory_descriptor
from ttkit.language.gluon.tensor_descriptor import described_blocks, tensor_descriptor
from ttkit.language.type_conversion import cast_to
from ttkit.language.types import int16
from ttkit.layout.gluon.shared_layouts import NVMMASharedLayout


def described(function: str, value: Any) -> tensor_descriptor:
    """A tensor descriptor, as an argument of `function`.  Raises BadArgument for anything else."""
    found = unwrap(value)
    if not isinstance(found, tensor_descriptor):
        reason = f"{function} takes a tensor descriptor, found {getattr(found, 'type', found)!r}"
        raise BadArgument(
            function=function, reason=reason, advice="pass one to the kernel, or make one: tma.make_tensor_descriptor"
        )
    return found


def block_operands(
    function: str, tensor_desc: Any, coord: Any, buffer: Any
) -> tuple[tensor_descriptor, list[Any], Any]:
    """A descriptor, the coordinates of a block, and a buffer for one.  Raises BadArgument and BadLayout."""
    tensor, memory = described(function, tensor_desc), descriptor(function, buffer)
    place, block = index_operands(coord, wide=False), [*tensor.type.block_type.shape]
    if len(place) != len(block):
        reason = f"expected {len(block)} coordinates for blocks of shape {block}, found {len(place)}"
        raise BadArgument(function=function, reason=reason)
    check_size(function, tensor, memory)
    check_layout(function, tensor, memory)
    assert_aligned_column(function, tensor, list(coord)[-1])
    return tensor, place, memory


def check_size(function: str, tensor: described_blocks, memory: shared_memory_descriptor) -> None:
    """Raises BadArgument if a buffer has another size than the descriptor's blocks."""
    block = [*tensor.type.block_type.shape]
    moved, held = (
        prod(shape) * element.primitive_bitwidth // 8
        for shape, element in ((block, tensor.dtype), (memory.type.shape, memory.dtype))
    )
    if moved != held:
        reason = (
            f"a block of the descriptor, {tensor.dtype} of shape {block}, has {moved} bytes; the buffer, "
            f"{memory.dtype} of shape {memory.type.shape}, has {held}"
        )
        raise BadArgument(function=function, reason=reason)


def offset_operands(offsets: Any) -> list[Any]:
    """The operands for offsets of pixels, int16; of wider integers the low bits.

    Raises:
        BadArgument: a number does not fit, or an offset is no integer.
    """
    found = []
    for offset in unwrap(offsets):
        value = unwrap(offset)
        if isinstance(value, int) and not -(1 << 15) <= value < 1 << 15:
            raise BadArgument(function="async_load_im2col", reason=f"offsets have 16 bits, found {value}")
        number = scalar_constant(value, int16) if isinstance(value, int) else to_tensor(value)
        if number.type.is_block() or not number.dtype.is_int():
            raise BadArgument(function="async_load_im2col", reason=f"offsets are integers, found {number.type}")
        found.append(cast_to(number, int16).handle)
    return found


def copy_policy(function: str, cache_policy: Any) -> dict[str, str]:
    """The attribute of a copy whose lines the second-level cache evicts by a policy; none for None.

    Raises:
        BadArgument: it is not a policy, or says more than when the second-level cache evicts.
    """
    policy = unwrap(cache_policy)
    if policy is None:
        return {}
    if not isinstance(policy, (CachePolicy, NvidiaCachePolicy)):
        raise BadArgument(function=function, reason=f"expected a CachePolicy as cache_policy, found {policy!r}")
    for name in ("cache_modifier", "l1", "l2_prefetch_size"):
        given = getattr(policy, name, None)
        if given not in (None, "", "none"):
            reason = f"copies by TMA take policies of the second-level cache alone, found {name}={given!r}"
            raise BadArgument(function=function, reason=reason, advice=f"leave out {name}")
    return policy.copy_attributes()


def check_layout(function: str, tensor: described_blocks, memory: shared_memory_descriptor) -> None:
    """Raises BadLayout if a buffer is swizzled otherwise than the descriptor's blocks."""
    wanted, found = tensor.layout, memory.layout
    same = isinstance(found, NVMMASharedLayout) and all(
        getattr(wanted, name) == getattr(found, name) for name in ("swizzle_byte_width", "transposed", "fp4_padded")
    )
    if not same:
        reason = f"{function} moves blocks in the descriptor's layout {wanted}, found a buffer in {found}"
        raise BadLayout(reason=reason, advice="allocate it with the descriptor's `layout`")
