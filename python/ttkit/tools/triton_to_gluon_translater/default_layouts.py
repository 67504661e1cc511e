"""The layouts of translated kernels: one for each rank.

CTAs of a cluster hold the same elements, so that no value has to go from one to another.
"""

from __future__ import annotations

from typing import Any

from ttkit.language import gluon
from ttkit.language import gluon as ttgl
from ttkit.language.building import active
from ttkit.language.builtin import builtin
from ttkit.language.constexpr import constexpr, unwrap
from ttkit.language.tensor import tensor
from ttkit.language.tuples import is_sequence, tuple


@gluon.constexpr_function
def same_in_all_ctas(rank: Any, num_ctas: Any = None) -> Any:
    """`cga_layout` of a tensor that every CTA holds; of `num_ctas` CTAs, or those of the kernel that is compiled."""
    return [[0] * rank for _ in range((num_ctas or _ctas()).bit_length() - 1)]


@gluon.constexpr_function
def _ctas() -> Any:
    return 1 if active.builder is None else active.builder.unit.options.num_ctas


@gluon.constexpr_function
def get_num_threads_per_warp(target: Any = None) -> Any:
    """Threads of a warp."""
    return 32


@builtin
def get_num_threads_per_program() -> Any:
    """Threads of the program, in one CTA."""
    return constexpr(32 * unwrap(ttgl.num_warps()))


@gluon.constexpr_function
def default_blocked_layout(shape: Any, num_warps: Any, target: Any = None) -> Any:
    """The layout of every tensor of this rank: lanes along the last dimension, warps along the first."""
    rank = len(shape)
    lanes, warps = [1] * rank, [1] * rank
    lanes[-1], warps[0] = 32, num_warps
    return ttgl.BlockedLayout([1] * rank, lanes, warps, [*range(rank)][::-1], same_in_all_ctas(rank))


def default(shape: Any) -> Any:
    """The default layout of a shape in the kernel that is compiled."""
    return unwrap(default_blocked_layout([unwrap(size) for size in shape], unwrap(ttgl.num_warps())))


@builtin
def reset_to_default_layout(value: Any) -> Any:
    """A tensor, or each of a tuple, in the default layout; anything else as it is."""
    if is_sequence(value):
        return tuple([reset_to_default_layout(each) for each in value])
    if not isinstance(value, tensor) or not getattr(value.type, "shape", ()):
        return value
    layout = default(value.type.shape)
    if isinstance(value.type.layout, ttgl.AutoLayout):
        return ttgl.set_auto_layout(value, layout)
    return value if value.type.layout == layout else ttgl.convert_layout(value, layout)


@gluon.constexpr_function
def get_split_src_layout(shape: Any, num_warps: Any, target: Any = None) -> Any:
    """A layout in which a thread has both elements of the last dimension."""
    rank = len(shape)
    sizes, lanes, warps = [1] * rank, [1] * rank, [1] * rank
    sizes[-1], lanes[max(0, rank - 2)], warps[0] = 2, 32, num_warps
    return ttgl.BlockedLayout(sizes, lanes, warps, [*range(rank)][::-1], same_in_all_ctas(rank))


@builtin
def set_split_src_layout(value: Any) -> Any:
    """A tensor in the layout that `split` needs."""
    return ttgl.convert_layout(value, unwrap(get_split_src_layout(_sizes(value), unwrap(ttgl.num_warps()))))


@gluon.constexpr_function
def build_expand_dims_layout(shape: Any, expand_dims: Any, num_warps: Any) -> Any:
    """The layout from which new dimensions lead to the default one.

    Args:
        expand_dims: the places of the new dimensions in the result, in rising order.
    """
    parent = [unwrap(size) for size in shape]
    for dim in expand_dims:
        parent.insert(unwrap(dim), 1)
    layout = unwrap(default_blocked_layout(parent, num_warps))
    for dim in reversed(expand_dims):
        layout = ttgl.SliceLayout(unwrap(dim), layout)
    return layout


@builtin
def convert_to_expand_dims_layout(value: Any, expand_dims: Any) -> Any:
    """A tensor in the layout that `value[:, None]` needs; `expand_dims` as of `build_expand_dims_layout`."""
    dims = [unwrap(dim) for dim in unwrap(expand_dims)]
    layout = build_expand_dims_layout(_sizes(value), dims, unwrap(ttgl.num_warps()))
    return ttgl.convert_layout(value, unwrap(layout))


def _sizes(value: Any) -> list[int]:
    return [unwrap(size) for size in value.type.shape]
