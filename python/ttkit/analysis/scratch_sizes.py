"""Sizes of the scratch memory of operations, in bytes of shared memory: Triton 3.6's sizes.

`scratch_bytes(op, target)` is for any operation; `scratch_operations` names those that may need some.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple, TypeAlias

from mlir import ir

import ttkit.dialects.defined as defined
from ttkit._native import library, operation_handle
from ttkit.declarations import declares
from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import has_uses, stored_bits
from ttkit.layout import LinearLayout, UnsuitableShape, to_linear_layout
from ttkit.layout.conversion_plan import plan_conversion
from ttkit.layout.distributed_encodings import Blocked
from ttkit.layout.distribution import contiguous_per_thread, places_in_cta, steps
from ttkit.layout.hardware import TENSOR_MAP_BYTES
from ttkit.layout.holders import stays_in_cta
from ttkit.layout.reduction import Reduction, plan_reduction
from ttkit.layout.scanning import Scan, plan_scan
from ttkit.layout.swizzling import PLAIN, Scratch, scratch_layout, scratch_layout_plain, shared_instructions
from ttkit.target import Target

SCRATCH_ALIGNMENT = 128
"""The alignment of scratch memory in bytes."""


class ScratchTarget(NamedTuple):
    """The properties of a target on which sizes depend: its instructions that move matrices to and from shared memory.

    Attributes:
        gpu: the target; None for layouts that suit plain loads and stores on any target.
        bytes_of_each: if not 0, the scratch size of every operation; for tests of the allocation.
    """

    gpu: Target | None = None
    bytes_of_each: int = 0


GENERIC = ScratchTarget()


def linear(type: Any) -> LinearLayout:
    """The layout of a tensor type.

    Raises:
        UnsuitableShape: the type has no layout, or one that does not fit its shape.
    """
    layout = layout_of(type)
    if layout is None:
        raise UnsuitableShape(f"{type} has no layout; convert to ttg first")
    return to_linear_layout(tuple(type.shape), layout)


def conversion_scratch(source: Any, result: Any, target: ScratchTarget = GENERIC) -> Scratch | None:
    """The shared memory for a layout conversion; None if it needs none."""
    before, after = linear(source), linear(result)
    if not plan_conversion(before, after).needs_shared_memory:
        return None
    width = stored_bits(source.element_type)
    gpu = target.gpu
    if gpu is None:
        return Scratch(scratch_layout_plain(before, after, width), PLAIN, PLAIN)
    return scratch_layout(
        before,
        after,
        width,
        shared_instructions(width, gpu.has_stmatrix),
        # Elements of another CTA are loaded without matrix instructions, which only reach their own CTA's memory.
        shared_instructions(width, gpu.has_ldmatrix and stays_in_cta(before, after)),
    )


def _conversion(op: Any, target: ScratchTarget) -> int:
    source = op.src.type
    scratch = conversion_scratch(source, op.result.type, target)
    return scratch.elements * stored_bits(source.element_type) // 8 if scratch is not None else 0


def _reduce(op: Any, target: ScratchTarget) -> int:
    """Scratch memory for one value of every warp along the axis."""
    axis, layout = op.attributes["axis"].value, linear(op.srcs[0].type)
    shape = list(op.srcs[0].type.shape)
    shape[axis] = steps(layout, "warp")[axis]
    # More than in Triton if a layout mixes the axis with other dimensions.
    needed = _planned(plan_reduction, layout, axis)
    return max(needed, prod(shape) if shape[axis] > 1 else 0) * _bytes_of_elements(op)


def _planned(plan: Callable[[LinearLayout, int], Reduction | Scan], layout: LinearLayout, axis: int) -> int:
    """The number of elements that an operation along an axis stores; 0 if the lowering refuses the layout."""
    try:
        return plan(layout, axis).stored_elements
    except ValueError:
        return 0


def _bytes_of_elements(op: Any) -> int:
    return sum(stored_bits(operand.type.element_type) // 8 for operand in op.operands)


def _scan(op: Any, target: ScratchTarget) -> int:
    """Scratch memory for the sums of all warps, for each block of elements that the CTA covers at once."""
    type = op.srcs[0].type
    axis, layout = op.attributes["axis"].value, linear(type)
    if axis == type.rank:
        return 0
    # More than in Triton if threads hold copies, or if the layout is not a blocked one.
    needed = _planned(plan_scan, layout, axis)
    known = _blocks_of_scan(type, layout, axis) if isinstance(layout_of(type), Blocked) else 0
    return max(needed, known) * _bytes_of_elements(op)


def _blocks_of_scan(type: Any, layout: LinearLayout, axis: int) -> int:
    """The number of elements for which Triton's algorithm has memory."""
    held, lanes, warps = contiguous_per_thread(layout), steps(layout, "lane"), steps(layout, "warp")
    if warps[axis] == 1:
        return 0
    rows = prod(held) // held[axis] * (prod(lanes) // lanes[axis])
    blocks = prod(-(-n // (a * b * c)) for n, a, b, c in zip(type.shape, held, lanes, warps, strict=True))
    return prod(warps) * rows * blocks


def _histogram(op: Any, target: ScratchTarget) -> int:
    type = op.result.type
    threads = library().ttkitThreadsPerWarp(operation_handle(op.operation))
    return max(prod(type.shape), threads) * stored_bits(type.element_type) // 8


def _gather(op: Any, target: ScratchTarget) -> int:
    return bytes_to_take(op.src.type, op.indices.type, op.attributes["axis"].value)


def bytes_to_take(source: Any, result: Any, axis: int) -> int:
    """Scratch memory for an operation whose result has elements of the same line along `axis` of the source: room for
    all of that, unless each warp holds the elements that it takes.

    Args:
        source, result: tensor types with layouts.
    """
    if gathers_within_warps(linear(source), linear(result), axis):
        return 0
    return prod(source.shape) * stored_bits(source.element_type) // 8


@lru_cache(maxsize=1024)
def gathers_within_warps(source: LinearLayout, indices: LinearLayout, axis: int) -> bool:
    """Whether the lanes of a warp hold all elements to which their indices along `axis` may point."""
    along = [f"dim{axis}"]
    others = [name for name in source.out_dims if name not in along]
    return (
        source.is_zero(["block", "warp"], along)
        and indices.is_zero(["block", "warp"], along)
        and source.sublayout(["block", "warp"], others) == indices.sublayout(["block", "warp"], others)
        and source.sublayout(["lane"], others) == indices.sublayout(["lane"], others)
    )


def _atomic(op: Any, target: ScratchTarget) -> int:
    """Scratch memory for the result, if one thread has it and others need it."""
    result = op.result
    if not has_uses(result):
        return 0
    if not isinstance(result.type, ir.RankedTensorType):
        return stored_bits(result.type) // 8
    layout = linear(result.type)
    if not any(layout.free_variable_masks().values()):
        return 0
    return (1 << places_in_cta(layout).out_bits) * stored_bits(result.type.element_type) // 8


def _tensor_map(op: Any, target: ScratchTarget) -> int:
    return TENSOR_MAP_BYTES


Size: TypeAlias = Callable[[Any, ScratchTarget], int]
"""Takes an operation and the target; gives bytes."""

_SIZES: dict[str, Size] = {
    "tt.atomic_cas": _atomic,
    "tt.atomic_load": _atomic,
    "tt.atomic_poll": _atomic,
    "tt.atomic_rmw": _atomic,
    "tt.gather": _gather,
    "tt.histogram": _histogram,
    "tt.reduce": _reduce,
    "tt.scan": _scan,
    "ttg.convert_layout": _conversion,
    "ttg.local_atomic_scatter_rmw": _atomic,
    "ttng.tensormap_create": _tensor_map,
}


def takes_scratch(*names: str) -> Callable[[Size], Size]:
    """Declares how many bytes of scratch memory operations take."""
    return declares(_SIZES, names)


def scratch_operations() -> tuple[str, ...]:
    """The names of all operations that may take scratch memory, those of packages too."""
    for name in defined.OPERATIONS:
        defined.load_part(name, "layouts")
    return tuple(_SIZES)


def scratch_bytes(op: Any, target: ScratchTarget = GENERIC) -> int:
    """Bytes of scratch memory of `op`; 0 for most operations, and for calls and ttg.warp_specialize."""
    if target.bytes_of_each:
        return target.bytes_of_each
    size = _SIZES.get(op.operation.name)
    return size(op, target) if size is not None else 0


def capture_bytes(warp_specialize: Any) -> int:
    """Bytes of the memory through which a ttg.warp_specialize passes its operands to its partitions."""
    return sum(_captured(operand.type) for operand in warp_specialize.operands)


def _captured(type: ir.Type) -> int:
    if isinstance(type, (ir.IntegerType, ir.FloatType)):
        return -(-type.width // 8)
    if isinstance(type, MemDescType) and str(type.memory_space) == "#ttg.shared_memory":
        return 8 + 4 * type.rank
    return 8
