"""The layout of a result from the layout of an operand, for operations that move nothing between threads.

Every thread keeps its elements, which only get other coordinates; so the rules of the dialects (their verifiers check
results against the same ones, dialects/ttg/LayoutInference.cpp).  Operations without a rule here keep the layout:
elementwise ones, broadcast, cat, and views of a memory descriptor that pick a part of it.

`shape` is the operand's.  All functions raise UnsuitableLayout where there is no such layout.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, wraps
from math import prod
from typing import Any, TypeVar

import ttkit.layout.reshaping as reshaping
from ttkit.layout.distributed_encodings import Blocked, DotOperand, Linear, NvidiaMma, Slice
from ttkit.layout.distribution import order as dimensions_by_speed
from ttkit.layout.encoding_base import Bases, Distributed, Ints, Layout, Shared
from ttkit.layout.errors import UnsuitableLayout
from ttkit.layout.linear import LinearLayout
from ttkit.layout.shared_encodings import NvmmaShared, PaddedShared, SharedLinear, SwizzledShared
from ttkit.layout.tile import DISTRIBUTED, dims_of
from ttkit.layout.to_linear import to_linear_layout

Rule = TypeVar("Rule", bound=Callable[..., Layout])


def _rule(infer: Rule) -> Rule:
    """A rule whose results are kept, and for which a layout that can't be made is one that does not suit."""

    @lru_cache(maxsize=2048)
    @wraps(infer)
    def inferred(*arguments: Any, **named: Any) -> Layout:
        """Calls the rule, once for equal arguments.  Raises UnsuitableLayout for any ValueError."""
        try:
            return infer(*arguments, **named)
        except UnsuitableLayout:
            raise
        except ValueError as error:
            raise UnsuitableLayout(str(error)) from None

    made: Any = inferred
    return made


# --- Dimensions that go and come -------------------------------------------------------------------------------------
@_rule
def reduce(layout: Layout, axis: int) -> Slice:
    """The layout after dimension `axis` is reduced away.

    Raises:
        UnsuitableLayout: it is not distributed, or has no such dimension.
    """
    if not isinstance(layout, Distributed):
        raise UnsuitableLayout(f"expected a distributed layout to reduce, found {layout}")
    return Slice(axis, layout)


def expand_dims(layout: Layout, axis: int) -> Layout:
    """The layout after a dimension of size one is inserted at `axis`: the parent of a slice along it.

    Raises:
        UnsuitableLayout: no slice along `axis`.
    """
    if not isinstance(layout, Slice) or layout.dim != axis:
        raise UnsuitableLayout(f"a dimension can be inserted at {axis} into a slice along it, found {layout}")
    return layout.parent


@_rule
def trans(layout: Layout, shape: Ints, order: Ints) -> Layout:
    """The layout after the dimensions are permuted, of a tensor or a memory descriptor: result dimension i is order[i].

    Blocked, swizzled_shared, padded_shared and two-dimensional nvmma_shared layouts keep their kind.

    Raises:
        UnsuitableLayout: `order` is not a permutation of the layout's dimensions.
    """
    if len(shape) != len(order) or sorted(order) != list(range(len(order))):
        raise UnsuitableLayout(f"order must be a permutation of the {len(shape)} dimensions, got {order}")
    if list(order) == sorted(order):
        return layout
    if layout.rank != len(order):
        raise UnsuitableLayout(f"a layout of rank {layout.rank} can't be transposed by {order}")
    if isinstance(layout, Blocked):
        sizes, threads, warps = (_permuted(box, order) for box in _box(layout))
        return Blocked(sizes, threads, warps, _renamed(layout.order, order), _moved(layout.cga_layout, order))
    if isinstance(layout, SwizzledShared):
        return replace(layout, order=_renamed(layout.order, order), cga_layout=_moved(layout.cga_layout, order))
    if isinstance(layout, NvmmaShared) and layout.rank == 2:
        return replace(layout, transposed=not layout.transposed, cga_layout=_moved(layout.cga_layout, order))
    if isinstance(layout, PaddedShared):
        return replace(layout, offset=_moved(layout.offset, order), block=_moved(layout.block, order))
    linear = to_linear_layout(shape, layout)
    bases = {name: _moved(linear.bases(name), order) for name in linear.in_dims}
    return _shared_linear(layout, bases) if isinstance(layout, Shared) else Linear(**bases)


def _permuted(values: Sequence[int], order: Ints) -> Ints:
    return tuple(values[dim] for dim in order)


def _renamed(dims: Ints, order: Ints) -> Ints:
    """A list of dimensions after dimension order[i] becomes dimension i."""
    return tuple(order.index(dim) for dim in dims)


def _moved(bases: Bases, order: Ints) -> Bases:
    return tuple(_permuted(basis, order) for basis in bases)


def _box(layout: Blocked) -> tuple[Ints, Ints, Ints]:
    return layout.size_per_thread, layout.threads_per_warp, layout.warps_per_cta


def _shared_linear(like: Layout, bases: dict[str, Bases]) -> SharedLinear:
    return SharedLinear(alignment=_alignment(like), **bases)


def _alignment(layout: Layout) -> int:
    """Bytes to which an allocation is aligned."""
    if isinstance(layout, NvmmaShared):
        return 128 * max(layout.swizzling_byte_width // 16, 1)
    return layout.alignment if isinstance(layout, SharedLinear) else 16


# --- Twice or half the elements --------------------------------------------------------------------------------------
@_rule
def join(layout: Layout, shape: Ints) -> Layout:
    """The layout after two tensors are joined along a new last dimension of size two.

    Raises:
        UnsuitableLayout: it is not a layout of tensors of this shape.
    """
    if not isinstance(layout, Distributed) or layout.rank != len(shape):
        raise UnsuitableLayout(f"{layout} is not a layout of a tensor of shape {shape}")
    last = len(shape)
    if isinstance(layout, Blocked):
        sizes, threads, warps = _box(layout)
        cga = tuple((*basis, 0) for basis in layout.cga_layout)
        return Blocked((*sizes, 2), (*threads, 1), (*warps, 1), (last, *layout.order), cga)
    linear = to_linear_layout(shape, layout)
    if isinstance(layout, Slice) and layout.dim == last:
        # The parent of a slice is better than its linear equivalent, if splitting it gives the slice back.
        try:
            if to_linear_layout(shape, split(layout.parent, (*shape, 2))) == linear:
                return layout.parent
        except UnsuitableLayout:
            pass
    return Linear(
        **_doubled({name: tuple((*b, 0) for b in linear.bases(name)) for name in linear.in_dims}, last + 1, last)
    )


@_rule
def split(layout: Layout, shape: Ints) -> Layout:
    """The layout of either half after a tensor is split along its last dimension, of size two.

    Raises:
        UnsuitableLayout: it is not a layout of tensors of this shape, or the last dimension has another size.
    """
    if not isinstance(layout, Distributed) or not shape or layout.rank != len(shape):
        raise UnsuitableLayout(f"{layout} is not a layout of a tensor of shape {shape}")
    if shape[-1] != 2:
        raise UnsuitableLayout(f"a tensor is split along a last dimension of size 2, found shape {shape}")
    last = len(shape) - 1
    if isinstance(layout, Blocked) and [sizes[-1] for sizes in _box(layout)] == [2, 1, 1] and _whole(layout, last):
        order = tuple(dim for dim in layout.order if dim != last)
        sizes, threads, warps = (box[:-1] for box in _box(layout))
        return Blocked(sizes, threads, warps, order, tuple(basis[:-1] for basis in layout.cga_layout))
    halves = _halved(to_linear_layout(shape, layout), last)
    return Linear(**{name: tuple(basis[:-1] for basis in bases) for name, bases in halves.items()})


def _whole(layout: Blocked, dim: int) -> bool:
    """Whether each CTA has all of a dimension; copies count for the dimension of the CTAs before, or the first one."""
    counted = 0
    for basis in layout.cga_layout:
        counted = next((moved for moved, value in enumerate(basis) if value), counted)
        if counted == dim:
            return False
    return True


@_rule
def fp4_to_fp(layout: Layout, shape: Ints, axis: int, forward: bool = True) -> Layout:
    """The layout after each i8 becomes two neighbours along `axis`; or, not `forward`, of what they come from.

    shape: of the operand whose layout is given: for `forward = False`, of the unpacked values.

    Raises:
        UnsuitableLayout: it is not a layout of such tensors, or, backwards, neighbours are in different threads.
    """
    if not isinstance(layout, Distributed) or layout.rank != len(shape) or not 0 <= axis < len(shape):
        raise UnsuitableLayout(f"{layout} is not a layout of a tensor of shape {shape} unpacked along {axis}")
    linear = to_linear_layout(shape, layout)
    # As Triton, which tests position `axis` of the order, not whether `axis` comes first in it.
    if dimensions_by_speed(linear)[axis] == 0 and isinstance(layout, (Blocked, DotOperand)):
        of_thread = layout.size_per_thread[axis] if isinstance(layout, Blocked) else layout.k_width
        if not forward and of_thread <= 1:
            raise UnsuitableLayout(f"a thread needs at least two elements along dimension {axis}: {layout}")
        scaled = of_thread * 2 if forward else of_thread // 2
        if isinstance(layout, DotOperand):
            return replace(layout, k_width=scaled)
        sizes = layout.size_per_thread
        return replace(layout, size_per_thread=(*sizes[:axis], scaled, *sizes[axis + 1 :]))
    return Linear(**(_doubled(linear.all_bases(), len(shape), axis) if forward else _halved(linear, axis)))


def _doubled(bases: dict[str, Bases], rank: int, axis: int) -> dict[str, Bases]:
    """Twice as many elements along `axis`: neighbours are in two registers of the same thread."""
    doubled = {
        name: tuple((*basis[:axis], basis[axis] * 2, *basis[axis + 1 :]) for basis in of_dim)
        for name, of_dim in bases.items()
    }
    doubled["register"] = (tuple(int(dim == axis) for dim in range(rank)), *doubled["register"])
    return doubled


def _halved(linear: LinearLayout, axis: int) -> dict[str, Bases]:
    """Half as many elements along `axis`, if neighbours are in two registers of the same thread."""
    neighbours = [basis for basis in linear.bases("register") if basis[axis] == 1]
    if not neighbours:
        raise UnsuitableLayout(f"a thread needs at least two elements along dimension {axis}: {linear}")
    return {
        name: tuple(
            (*basis[:axis], basis[axis] // 2, *basis[axis + 1 :])
            for basis in bases
            if name != "register" or basis[axis] != 1
        )
        for name, bases in linear.all_bases().items()
    }


# --- Other shapes ----------------------------------------------------------------------------------------------------
@_rule
def reshape(layout: Layout, shape: Ints, result: Ints) -> Layout:
    """The layout of the same elements, in row-major order, as a tensor of shape `result`.

    A blocked layout stays blocked where there is one under which no element moves.

    Raises:
        UnsuitableLayout: it is not distributed.
    """
    if not isinstance(layout, Distributed):
        raise UnsuitableLayout(f"expected a distributed layout to reshape, found {layout}")
    linear = to_linear_layout(shape, layout)
    _check_same_elements(shape, result)
    if isinstance(layout, Blocked):
        found = layout if shape == result else reshaping.blocked(layout, shape, result)
        # More CTAs than elements: a default layout has copies in other CTAs than that of the result.
        if found is not None and (
            not layout.cga_layout or to_linear_layout(result, found).all_bases() == _reshaped(linear, result)
        ):
            return found
    return Linear(**_reshaped(linear, result))


@_rule
def memdesc_reshape(layout: Layout, shape: Ints, result: Ints) -> Layout:
    """The layout of the same memory seen with another shape.

    nvmma_shared stays if the contiguous dimension and all addresses do; other layouts become shared_linear.

    Raises:
        UnsuitableLayout: it is not shared, or is padded.
    """
    if not isinstance(layout, Shared) or isinstance(layout, PaddedShared):
        raise UnsuitableLayout(f"memory of layout {layout} can't be reshaped")
    _check_same_elements(shape, result)
    bases = _reshaped(to_linear_layout(shape, layout), result)
    if isinstance(layout, NvmmaShared) and not layout.cga_layout:
        contiguous = 0 if layout.transposed else -1
        candidate = replace(layout, rank=len(result))
        try:
            stays = to_linear_layout(result, candidate).all_bases() == bases
        except UnsuitableLayout:
            stays = False
        if stays and shape[contiguous] == result[contiguous]:
            return candidate
    return _shared_linear(layout, bases)


def _check_same_elements(shape: Ints, result: Ints) -> None:
    if not result or prod(shape) != prod(result):
        raise UnsuitableLayout(f"a tensor of shape {shape} can't be reshaped to {result}")


def _reshaped(linear: LinearLayout, result: Ints) -> dict[str, Bases]:
    """Bases for another shape: elements keep their row-major number."""
    rows = linear.transpose_outs(reversed(linear.out_dims))
    target = LinearLayout(rows.ins, tuple(reversed(dims_of(result))), rows.columns)
    return {name: tuple(basis[::-1] for basis in bases) for name, bases in target.all_bases().items()}


# --- Products --------------------------------------------------------------------------------------------------------
@_rule
def dot_operand(result: Layout, op_idx: int, bits: int) -> DotOperand:
    """The layout of an operand in registers of a product whose result has layout `result`.

    Args:
        op_idx: 0 for the left operand, 1 for the right one.
        bits: of an element.  For mma.sync and wgmma a thread holds 32 bits of neighbours along K.

    Raises:
        UnsuitableLayout: products of that layout have no operands in registers.
    """
    neighbours = max(32 // bits, 1) if isinstance(result, NvidiaMma) and result.version_major > 1 else 0
    return DotOperand(op_idx, result, neighbours)


# --- Questions about two layouts -------------------------------------------------------------------------------------
def moves_within_threads(source: LinearLayout, result: LinearLayout) -> bool:
    """Whether a conversion between layouts of one tensor only renames the registers of each thread."""
    return all(source.bases(name) == result.bases(name) for name in DISTRIBUTED[1:])


def is_expensive_view(source: LinearLayout, result: LinearLayout) -> bool:
    """Whether a reshape that may reorder moves values between threads: if registers, or who has copies, differ."""
    return (
        source.in_size("register") != result.in_size("register")
        or source.free_variable_masks() != result.free_variable_masks()
    )
