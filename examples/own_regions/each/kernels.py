"""What kernels call."""

from typing import Any

from each.dialect import ClampOp, Limits, LimitsOp, MapOp, Times
from ttkit.language.core import builtin
from ttkit.language.package_functions import kernel_function, package_type


def _type_of_limits(low: Any, high: Any) -> Any:
    """`!each.limits` of the type of the limits."""
    if low is None and high is None:
        raise ValueError("give at least one limit")
    return [package_type(Limits.text((high if low is None else low).type))]


_map = kernel_function(
    MapOp,
    result_types=lambda srcs, times: [[src.type for src in srcs]],
    block_types=lambda srcs, times: [src.dtype for src in srcs],
)
limits = kernel_function(LimitsOp, result_types=_type_of_limits)
clamp = kernel_function(ClampOp)


@builtin
def map(srcs: Any, function: Any, times: Any = 1) -> Any:
    """`function` of an element of each tensor, applied `times` times; it returns as many.

    Args:
        srcs: a tuple of tensors of one type.
        times: a constexpr.
    """
    return _map(srcs, Times.text(int(times)), body=function)
