"""Barriers in shared memory: threads arrive and wait, and a phase ends when all have arrived.

Ops: dialects/ttng/mbarrier_ops.td    Interpreter: interpreter/ops/mbarrier.py
"""

from __future__ import annotations

from typing import Any

from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.constants import attribute_of_32_bits, to_tensor
from ttkit.language.constexpr import unwrap
from ttkit.language.gluon.shared_memory import descriptor
from ttkit.layout.gluon.shared import SwizzledSharedLayout

__all__ = ["MBarrierLayout", "arrive", "init", "invalidate", "wait"]


class MBarrierLayout(SwizzledSharedLayout):
    """The layout of barriers, buffers of int64 and shape [1].

    Args:
        cga_layout: bases of the CTA index in the cluster; empty for one CTA.
    """

    def __init__(self, cga_layout: Any = None) -> None:
        super().__init__(1, 1, 1, [0], cga_layout or [])


@builtin
def init(mbarrier: Any, count: Any) -> None:
    """Begins the first phase of a barrier.

    Args:
        count: arrivals that end a phase, an integer known while compiling.

    Raises:
        BadArgument: not such an integer, or not a barrier.
    """
    attributes = {"count": attribute_of_32_bits("init", "count", unwrap(count))}
    builder().emit_op("ttng.init_barrier", (descriptor("init", mbarrier).handle,), (), attributes)


@builtin
def invalidate(mbarrier: Any) -> None:
    """Ends the use of a barrier: its memory may hold something else.

    Raises:
        BadArgument: it is not a barrier.
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
    """
    operands = [descriptor("wait", mbarrier).handle, to_tensor(phase).handle, to_tensor(pred).handle]
    kept = [descriptor("wait", one).handle for one in deps]
    attributes = {"operandSegmentSizes": f"array<i32: 1, 1, 1, {len(kept)}>"}
    builder().emit_op("ttng.wait_barrier", operands + kept, (), attributes)


@builtin
def arrive(mbarrier: Any, *, pred: Any = True) -> None:
    """Arrives at a barrier, once for all threads.

    Args:
        pred: whether to arrive at all.

    Raises:
        BadArgument: `mbarrier` is not a barrier.
    """
    arrive_times("arrive", mbarrier, 1, pred)


def arrive_times(function: str, mbarrier: Any, count: Any, pred: Any) -> None:
    """Arrives at a barrier `count` times.  Raises BadArgument: no such number, or no barrier."""
    attributes = {"count": attribute_of_32_bits(function, "count", unwrap(count))}
    operands = (descriptor(function, mbarrier).handle, to_tensor(pred).handle)
    builder().emit_op("ttng.arrive_barrier", operands, (), attributes)
