"""From layouts as the IR has them to Gluon's."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

from ttkit.layout.distributed_encodings import AmdMfma, AmdWmma, Blocked, DotOperand, Linear, NvidiaMma, Slice
from ttkit.layout.encoding_base import Distributed, Layout
from ttkit.layout.gluon.amd import AMDMFMALayout, AMDWMMALayout
from ttkit.layout.gluon.base import GluonLayout
from ttkit.layout.gluon.distributed_layouts import (
    BlockedLayout,
    DistributedLinearLayout,
    DotOperandLayout,
    NVMMADistributedLayout,
    SliceLayout,
)
from ttkit.layout.gluon.shared_layouts import (
    NVMMASharedLayout,
    PaddedSharedLayout,
    SharedLinearLayout,
    SwizzledSharedLayout,
)
from ttkit.layout.linear import LinearLayout
from ttkit.layout.shared_encodings import NvmmaShared, PaddedShared, SharedLinear, SwizzledShared
from ttkit.layout.to_linear import to_linear_layout


@singledispatch
def from_encoding(layout: Layout) -> Any:
    """Gluon's layout for one of `ttkit.layout.encodings`.

    Raises:
        ValueError: Gluon has no such layout.
    """
    raise ValueError(f"Gluon has no layout for {layout}")


@from_encoding.register
def _(layout: Blocked) -> GluonLayout:
    sizes = (layout.size_per_thread, layout.threads_per_warp, layout.warps_per_cta, layout.order)
    per_thread, threads, warps, order = map(list, sizes)
    return BlockedLayout(per_thread, threads, warps, order, _lists(layout.cga_layout))


@from_encoding.register
def _(layout: Slice) -> GluonLayout:
    return SliceLayout(layout.dim, from_encoding(layout.parent))


@from_encoding.register
def _(layout: DotOperand) -> GluonLayout:
    return DotOperandLayout(layout.op_idx, from_encoding(layout.parent), layout.k_width)


@from_encoding.register
def _(layout: NvidiaMma) -> GluonLayout:
    version = [layout.version_major, layout.version_minor]
    sizes = (list(layout.warps_per_cta), list(layout.instr_shape))
    return NVMMADistributedLayout(version, *sizes, _lists(layout.cga_layout))


@from_encoding.register
def _(layout: AmdMfma) -> GluonLayout:
    shape, warps, tiles = map(list, (layout.instr_shape, layout.warps_per_cta, layout.tiles_per_warp))
    fields = (layout.element_bit_width, tiles, _lists(layout.cga_layout))
    return AMDMFMALayout(layout.version, shape, layout.is_transposed, warps, *fields)


@from_encoding.register
def _(layout: AmdWmma) -> GluonLayout:
    shape, warps, tiles = map(list, (layout.instr_shape, layout.warps_per_cta, layout.tiles_per_warp))
    return AMDWMMALayout(layout.version, layout.is_transpose, warps, shape, tiles, _lists(layout.cga_layout))


@from_encoding.register
def _(layout: Linear) -> GluonLayout:
    bases = (layout.register, layout.lane, layout.warp, layout.block)
    return _linear(bases, _spanned(sum(bases, ()), layout.rank))


@from_encoding.register
def _(layout: NvmmaShared) -> GluonLayout:
    return NVMMASharedLayout(
        layout.swizzling_byte_width,
        layout.element_bit_width,
        layout.rank,
        layout.transposed,
        layout.fp4_padded,
        _lists(layout.cga_layout),
    )


@from_encoding.register
def _(layout: SwizzledShared) -> GluonLayout:
    numbers = (layout.vec, layout.per_phase, layout.max_phase)
    return SwizzledSharedLayout(*numbers, list(layout.order), _lists(layout.cga_layout))


@from_encoding.register
def _(layout: PaddedShared) -> GluonLayout:
    pads, offset, block = map(_lists, (layout.pads, layout.offset, layout.block))
    return PaddedSharedLayout(pads, offset, block, _spanned(layout.offset + layout.block, layout.rank))


@from_encoding.register
def _(layout: SharedLinear) -> GluonLayout:
    return SharedLinearLayout(_lists(layout.offset), _lists(layout.block), layout.alignment)


def linear_form(layout: GluonLayout, shape: Sequence[int]) -> Any:
    """The layout of tensors of `shape` by its bases: a `DistributedLinearLayout` or `SharedLinearLayout`.

    Raises:
        ValueError: the layout is open, or not one of tensors of this shape.
    """
    encoding = layout.encoding
    linear: LinearLayout = to_linear_layout(shape, encoding)
    if isinstance(encoding, Distributed):
        return _linear([linear.bases(name) for name in ("register", "lane", "warp", "block")], [*shape])
    return SharedLinearLayout(_lists(linear.bases("offset")), _lists(linear.bases("block")))


def _linear(bases: Sequence[Any], shape: list[int]) -> DistributedLinearLayout:
    register, lane, warp, block = map(_lists, bases)
    return DistributedLinearLayout(register, lane, warp, block, shape)


def _lists(bases: Any) -> list[list[int]]:
    return [list(basis) for basis in bases]


def _spanned(bases: Any, rank: int) -> list[int]:
    """The sizes that bases reach."""
    return [1 << max((basis[dim].bit_length() for basis in bases), default=0) for dim in range(rank)]
