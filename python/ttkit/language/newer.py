"""Functions that Triton's language has got since 3.6, written in the language."""

from __future__ import annotations

import ttkit.language.core as core
from ttkit.language.constexpr import unwrap
from ttkit.language.errors import Unsupported
from ttkit.language.jit_function import constexpr_function, jit


@constexpr_function
def _without(shape, dim):
    dim = dim + len(shape) if dim < 0 else dim
    if not 0 <= dim < len(shape) or unwrap(shape[dim]) != 1:
        raise Unsupported(function="squeeze", reason=f"dimension {dim} of shape {list(shape)} is not of size 1")
    return [size for number, size in enumerate(shape) if number != dim]


@jit
def squeeze(x, dim: core.constexpr):
    """`x` without dimension `dim`, which has size 1.

    Example:
        >>> tl.squeeze(tl.arange(0, 4)[None, :], 0)
        int32[4] [0 1 2 3]
    """
    return core.reshape(x, _without(x.shape, dim))


@constexpr_function
def _with(shape, dim):
    rank = len(shape) + 1
    if not -rank <= dim < rank:
        raise Unsupported(function="unsqueeze", reason=f"{list(shape)} gets no dimension {dim}")
    dim = dim + rank if dim < 0 else dim
    return [*shape[:dim], 1, *shape[dim:]]


@jit
def unsqueeze(x, dim: core.constexpr):
    """`x` with a new dimension `dim` of size 1, as by `expand_dims`.

    Example:
        >>> tl.unsqueeze(tl.arange(0, 2), 1)
        int32[2, 1] [[0]
         [1]]
    """
    return core.reshape(x, _with(x.shape, dim))
