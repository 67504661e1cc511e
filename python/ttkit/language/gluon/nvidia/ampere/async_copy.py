"""Copies from global to shared memory in the background.

Ops: dialects/ttg/async_ops.td    Interpreter: interpreter/ops/async.py
"""

from __future__ import annotations

from typing import Any

from ttkit.language.broadcasting import broadcast_pair
from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.constants import attribute_of_32_bits, flag, to_tensor
from ttkit.language.constexpr import unwrap
from ttkit.language.errors import BadArgument, BadMask
from ttkit.language.gluon.checks import type_with_layout
from ttkit.language.gluon.shared_memory import descriptor
from ttkit.language.memory import load_options, policy_attributes

__all__ = ["async_copy_global_to_shared", "async_load", "commit_group", "mbarrier_arrive", "wait_group"]

_TOKEN = "!ttg.async.token"


@builtin
def async_copy_global_to_shared(
    smem: Any,
    pointer: Any,
    mask: Any = None,
    cache_modifier: Any = "",
    eviction_policy: Any = "",
    volatile: Any = False,
) -> None:
    """Begins to copy elements to a buffer, which has them after `wait_group`, or when a barrier says so.

    Args:
        smem: the buffer.
        pointer: a tensor of pointers, of the buffer's shape; a thread copies 4, 8 or 16 bytes at once.
        mask: where it is false, the buffer gets zeros.
        cache_modifier, eviction_policy, volatile: as of `load`.

    Raises:
        BadArgument: the shapes differ, or `smem` is not a buffer.
        BadMask: `mask` is not bool.
        BadLayout, LayoutMismatch: `pointer` has no layout, or `mask` another one.
        UnknownOption: no such modifier or policy.

    Example:
        >>> buffer = gl.allocate_shared_memory(gl.float32, [64], gl.SwizzledSharedLayout(1, 1, 1, [0]))
        >>> source = pointer(np.arange(64, dtype=np.float32)) + gl.arange(0, 64, line)
        >>> ampere.async_copy.async_copy_global_to_shared(buffer, source, mask=gl.arange(0, 64, line) < 4)
        >>> ampere.async_copy.commit_group()
        >>> ampere.async_copy.wait_group(0)
        >>> gl.sum(buffer.load(line), 0)
        fp32[] 6.0
    """
    _copy("async_copy_global_to_shared", smem, pointer, mask, (cache_modifier, eviction_policy, None), volatile)


@builtin
def async_load(
    smem: Any,
    pointer: Any,
    mask: Any = None,
    cache_modifier: Any = "",
    eviction_policy: Any = "",
    volatile: Any = False,
    cache_policy: Any = None,
) -> None:
    """`async_copy_global_to_shared`, by its name since Triton 3.8.

    Args:
        cache_policy: a `CachePolicy`, in place of `cache_modifier` and `eviction_policy`; copies do not use its `l2`.

    Raises:
        BadArgument: both are given.

    Example:
        >>> buffer = gl.allocate_shared_memory(gl.float32, [64], gl.SwizzledSharedLayout(1, 1, 1, [0]))
        >>> source = pointer(np.arange(64, dtype=np.float32)) + gl.arange(0, 64, line)
        >>> ampere.async_copy.async_load(buffer, source)
        >>> ampere.async_copy.commit_group()
        >>> ampere.async_copy.wait_group(0)
        >>> gl.sum(buffer.load(line), 0)
        fp32[] 2016.0
    """
    _copy("async_load", smem, pointer, mask, (cache_modifier, eviction_policy, cache_policy), volatile)


def _copy(function: str, smem: Any, pointer: Any, mask: Any, caching: tuple[Any, Any, Any], volatile: Any) -> None:
    """Begins a copy.

    Args:
        function: the name by which the kernel calls it.
        caching: modifier, eviction policy, and a `CachePolicy` in place of both.
    """
    buffer, mask = descriptor(function, smem), unwrap(mask)
    type_with_layout(function, pointer)
    cache_modifier, eviction_policy, cache_policy = caching
    attributes = load_options(cache_modifier or "", eviction_policy or "")
    if attributes and unwrap(cache_policy) is not None:
        reason = "cache_policy stands in place of cache_modifier and eviction_policy"
        raise BadArgument(function=function, reason=reason, advice="give one of the two")
    attributes |= policy_attributes(cache_policy)
    if flag(function, "volatile", volatile):
        attributes["isVolatile"] = "true"
    masks = []
    if mask is not None:
        pointer, mask = broadcast_pair(pointer, to_tensor(mask))
        if not mask.dtype.is_bool():
            raise BadMask(type=mask.dtype)
        masks = [mask.handle]
    shape = [*pointer.type.shape]
    if shape != buffer.type.shape:
        reason = (
            f"expected smem shape to match pointer shape but got smem.shape = {buffer.type.shape}, "
            f"pointer.shape = {shape}"
        )
        raise BadArgument(function=function, reason=reason)
    attributes["operandSegmentSizes"] = f"array<i32: 1, 1, {len(masks)}, 0>"
    builder().emit("ttg.async_copy_global_to_local", [pointer.handle, buffer.handle, *masks], _TOKEN, attributes)


@builtin
def mbarrier_arrive(mbarrier: Any, increment_count: Any = True) -> None:
    """Each thread arrives at a barrier when its copies so far have ended.

    Args:
        increment_count: whether the barrier expects an arrival more for it; otherwise its count must include it.

    Raises:
        BadArgument: `mbarrier` is not a barrier.

    Example:
        >>> bar = mbarrier.allocate_mbarrier()
        >>> mbarrier.init(bar, count=128)  # an arrival for each thread
        >>> buffer = gl.allocate_shared_memory(gl.float32, [64], gl.SwizzledSharedLayout(1, 1, 1, [0]))
        >>> source = pointer(np.arange(64, dtype=np.float32)) + gl.arange(0, 64, line)
        >>> ampere.async_copy.async_load(buffer, source)
        >>> ampere.async_copy.mbarrier_arrive(bar, increment_count=False)
        >>> mbarrier.wait(bar, 0)
        >>> gl.max(buffer.load(line), 0)
        fp32[] 63.0
    """
    keeps = not flag("mbarrier_arrive", "increment_count", increment_count)
    handle = descriptor("mbarrier_arrive", mbarrier).handle
    builder().emit_op("ttng.async_copy_mbarrier_arrive", (handle,), (), {"noIncrement": "unit"} if keeps else {})


@builtin
def commit_group() -> None:
    """Makes a group of the copies that each thread has begun since the last group.

    Example:
        >>> buffer = gl.allocate_shared_memory(gl.float32, [64], gl.SwizzledSharedLayout(1, 1, 1, [0]))
        >>> source = pointer(np.arange(64, dtype=np.float32)) + gl.arange(0, 64, line)
        >>> ampere.async_copy.async_load(buffer, source)
        >>> ampere.async_copy.commit_group()  # the group that wait_group(0) waits for
        >>> ampere.async_copy.wait_group(0)
    """
    builder().emit("ttg.async_commit_group", (), _TOKEN)


@builtin
def wait_group(num_outstanding: Any = 0) -> None:
    """Waits until at most so many groups, the latest ones, are still copying.

    Raises:
        BadArgument: not an integer known while compiling.

    Example:
        >>> buffer = gl.allocate_shared_memory(gl.float32, [64], gl.SwizzledSharedLayout(1, 1, 1, [0]))
        >>> source = pointer(np.arange(64, dtype=np.float32)) + gl.arange(0, 64, line)
        >>> for step in range(2):
        ...     ampere.async_copy.async_load(buffer, source)
        ...     ampere.async_copy.commit_group()
        >>> ampere.async_copy.wait_group(1)  # the first group has ended
        >>> ampere.async_copy.wait_group(0)  # both have
        >>> gl.max(buffer.load(line), 0)
        fp32[] 63.0
    """
    number = attribute_of_32_bits("wait_group", "num_outstanding", unwrap(num_outstanding))
    builder().emit("ttg.async_wait", (), _TOKEN, {"num": number})
