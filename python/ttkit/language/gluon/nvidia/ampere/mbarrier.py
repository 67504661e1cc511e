"""Barriers in shared memory: threads arrive and wait, and a phase ends when all have arrived.

Ops: dialects/ttng/mbarrier_ops.td    Interpreter: interpreter/ops/mbarrier.py
"""

from __future__ import annotations

from typing import Any

from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.constants import attribute_of_32_bits, flag, to_tensor
from ttkit.language.constexpr import unwrap
from ttkit.language.errors import BadArgument
from ttkit.language.gluon.checks import plain_int
from ttkit.language.gluon.memory_descriptor import memory_descriptor
from ttkit.language.gluon.shared_memory import allocate_shared_memory, descriptor, shared_memory_descriptor
from ttkit.language.types import int64
from ttkit.layout.gluon.shared_layouts import SwizzledSharedLayout

__all__ = ["MBarrierLayout", "allocate_mbarrier", "arrive", "init", "invalidate", "wait"]


class MBarrierLayout(SwizzledSharedLayout):
    """The layout of barriers, buffers of int64 and shape [1].

    Args:
        cga_layout: bases of the CTA index in the cluster; empty for one CTA.

    Example:
        >>> gl.allocate_shared_memory(gl.int64, [4, 1], mbarrier.MBarrierLayout()).index(2).shape
        (constexpr[1])
    """

    def __init__(self, cga_layout: Any = None) -> None:
        super().__init__(1, 1, 1, [0], cga_layout or [])

    @classmethod
    def multicta(cls, num_ctas: Any, two_cta: Any = False) -> MBarrierLayout:
        """The layout of a barrier for each CTA of a cluster, or for each pair of them."""
        ctas, shared = unwrap(num_ctas), bool(unwrap(two_cta))
        bases = [[1 << bit] for bit in range(ctas.bit_length() - 1 - shared)]
        return cls([[0], *bases] if shared else bases)


@builtin
def allocate_mbarrier(batch: Any = None, two_ctas: Any = False) -> shared_memory_descriptor:
    """Memory for a barrier of each CTA, which `init` makes one; with `batch`, for so many, see `index`.

    Args:
        batch: their number, known while compiling.
        two_ctas: a barrier for each pair of CTAs.

    Raises:
        BadArgument: `batch` is not such an integer, or a cluster of one CTA has no pairs.

    Example:
        >>> mbarrier.allocate_mbarrier().shape
        (constexpr[1])
        >>> mbarrier.allocate_mbarrier(batch=3).shape
        (constexpr[3], constexpr[1])
    """
    ctas, shared = builder().unit.options.num_ctas, flag("allocate_mbarrier", "two_ctas", two_ctas)
    if shared and ctas == 1:
        reason = "two_ctas asks for clusters of several CTAs"
        raise BadArgument(function="allocate_mbarrier", reason=reason, advice="launch with num_ctas=2")
    slots = [] if unwrap(batch) is None else [plain_int("allocate_mbarrier", "batch", batch)]
    return allocate_shared_memory(int64, [*slots, ctas >> shared], MBarrierLayout.multicta(ctas, shared))


@builtin
def init(mbarrier: Any, count: Any) -> None:
    """Begins the first phase of a barrier.

    Args:
        count: arrivals that end a phase, an integer known while compiling.

    Raises:
        BadArgument: not such an integer, or not a barrier.

    Example:
        >>> bar = mbarrier.allocate_mbarrier()
        >>> mbarrier.init(bar, count=2)
        >>> mbarrier.arrive(bar)
        >>> mbarrier.arrive(bar)
        >>> mbarrier.wait(bar, 0)
        >>> mbarrier.invalidate(bar)
    """
    attributes = {"count": attribute_of_32_bits("init", "count", unwrap(count))}
    builder().emit_op("ttng.init_barrier", (descriptor("init", mbarrier).handle,), (), attributes)


@builtin
def invalidate(mbarrier: Any) -> None:
    """Ends the use of a barrier: its memory may hold something else.

    Raises:
        BadArgument: it is not a barrier.

    Example:
        >>> bar = mbarrier.allocate_mbarrier()
        >>> mbarrier.init(bar, count=2)
        >>> mbarrier.arrive(bar)
        >>> mbarrier.arrive(bar)
        >>> mbarrier.wait(bar, 0)
        >>> mbarrier.invalidate(bar)
    """
    builder().emit_op("ttng.inval_barrier", (descriptor("invalidate", mbarrier).handle,))


@builtin
def wait(mbarrier: Any, phase: Any, pred: Any = True, deps: Any = ()) -> None:
    """Waits until the phase of this parity, 0 or 1, has ended.

    Args:
        pred: whether to wait at all.
        deps: buffers that must live until here.

    Raises:
        BadArgument: `mbarrier` or one of `deps` is not a buffer.

    Example:
        >>> bar = mbarrier.allocate_mbarrier()
        >>> mbarrier.init(bar, count=2)
        >>> mbarrier.arrive(bar)
        >>> mbarrier.arrive(bar)
        >>> mbarrier.wait(bar, 0)
        >>> mbarrier.invalidate(bar)
    """
    operands = [descriptor("wait", mbarrier).handle, to_tensor(phase).handle, to_tensor(pred).handle]
    kept = [_buffer(one).handle for one in deps]
    attributes = {"operandSegmentSizes": f"array<i32: 1, 1, 1, {len(kept)}>"}
    builder().emit_op("ttng.wait_barrier", operands + kept, (), attributes)


def _buffer(value: Any) -> memory_descriptor:
    """A buffer in any memory.  Raises BadArgument for anything else."""
    found = unwrap(value)
    return found if isinstance(found, memory_descriptor) else descriptor("wait", found)


@builtin
def arrive(mbarrier: Any, *, pred: Any = True, from_cta: Any = None) -> None:
    """Arrives at a barrier, once for all threads.

    Args:
        pred: whether to arrive at all.
        from_cta: as of `hopper.mbarrier.arrive`.

    Raises:
        BadArgument: `mbarrier` is not a barrier.

    Example:
        >>> bar = mbarrier.allocate_mbarrier()
        >>> ampere.mbarrier.init(bar, count=1)
        >>> ampere.mbarrier.arrive(bar, pred=True)
        >>> ampere.mbarrier.wait(bar, 0)
    """
    arrive_times("arrive", mbarrier, 1, pred, from_cta)


def routing(function: str, from_cta: Any) -> dict[str, str]:
    """The attribute of arrivals at barriers of other CTAs; none for arrivals at the own one.

    Raises:
        BadArgument: a mask of bits that numbers of CTAs do not have.
    """
    mask, ctas = unwrap(from_cta), builder().unit.options.num_ctas
    if mask is None:
        return {}
    if not isinstance(mask, int) or not 0 <= mask < ctas:
        reason = f"from_cta is a mask from 0 to {ctas - 1}, of bits of the numbers of {ctas} CTAs, found {mask!r}"
        raise BadArgument(function=function, reason=reason)
    return {"fromCTA": f"{mask} : i32"} if mask != ctas - 1 else {}


def arrive_times(function: str, mbarrier: Any, count: Any, pred: Any, from_cta: Any = None) -> None:
    """Arrives at a barrier `count` times.  Raises BadArgument: no such number or mask, or no barrier."""
    attributes = {"count": attribute_of_32_bits(function, "count", unwrap(count))} | routing(function, from_cta)
    operands = (descriptor(function, mbarrier).handle, to_tensor(pred).handle)
    builder().emit_op("ttng.arrive_barrier", operands, (), attributes)
