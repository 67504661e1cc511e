"""The cost of rematerializing a slice, compared with that of the layout conversion it replaces.

The unit is a thousandth of a cycle of a multiprocessor.  A conversion writes its tensor to shared memory, synchronizes,
and reads it: 32 for each byte, counting at least 32 elements of at least four bytes.
"""

import math
from collections.abc import Iterable, Iterator

from mlir import ir

from ttkit.inspection import defining, name_of
from ttkit.passes.infra import collect
from ttkit.passes.infra.layout_inference import LayoutInference
from ttkit.passes.layout_propagation.backward_slice import Slice
from ttkit.passes.layout_propagation.layout_anchors import element_bits, element_count

_CONVERSION = 32
_LOAD = 8  # assumes a hit in the first-level cache
_CHEAP, _EXPENSIVE = 1, 8  # arithmetic at full throughput; by several instructions, or a special function unit
_BETWEEN_WARPS = 8

# Operations with under 16 results a cycle in the CUDA programming guide's table, or of several instructions.
_EXPENSIVE_OPERATIONS = {"arith.divf"} | {
    f"math.{name}"
    for name in (
        "acos acosh asin asinh atan atan2 atanh cbrt cos cosh ctlz ctpop cttz erf erfc exp exp2 expm1 log log10 log1p "
        "log2 powf rsqrt sin sinh sqrt tan tanh"
    ).split()
}


def is_worth_it(conversion: ir.OpView, slice: Slice, layouts: LayoutInference) -> bool:
    """Whether computing `slice` again costs no more than `conversion`, which it replaces."""
    limit = _CONVERSION * _bytes(conversion.src, least_elements=32, least_bits=32)
    operations = dict.fromkeys(op for value in slice.values if (op := defining(value)) is not None)
    costs = [_cost(op, layouts) for op in operations]
    if _sum(costs) <= limit:  # even if all of them run twice
        return True
    repeated = _repeated(conversion, operations)
    return _sum(cost for op, cost in zip(operations, costs) if op in repeated) <= limit


def _sum(costs: Iterable[float | None]) -> float:
    return sum(math.inf if cost is None else cost for cost in costs)


def _repeated(conversion: ir.OpView, operations: dict[ir.OpView, None]) -> set[ir.OpView]:
    """The operations with a user outside of the slice, directly or through others: they will run twice."""
    stack = [op for op in operations if any(user not in operations for user in _users(op) if user != conversion)]
    repeated = set(stack)
    while stack:
        for operand in stack.pop().operands:
            producer = defining(operand)
            if producer in operations and producer not in repeated:
                repeated.add(producer)
                stack.append(producer)
    return repeated


def _users(op: ir.OpView) -> Iterator[ir.OpView]:
    return (use.owner for result in op.results for use in result.uses)


def _cost(op: ir.OpView, layouts: LayoutInference) -> int | None:
    """The cost of running `op` a second time; None if it must not be copied."""
    name = name_of(op)
    if name == "arith.constant":
        return 0
    if name in ("tt.load", "ttg.local_load"):
        return _LOAD * sum(map(_bytes, op.results))
    if name.startswith(("arith.", "math.")):
        return (_EXPENSIVE if name in _EXPENSIVE_OPERATIONS else _CHEAP) * sum(map(_bytes, op.results))
    if name == "tt.reduce":
        if _rounds_differently(op):
            return None
        lanes, warps = layouts.threads_along_axis(op.srcs[0].type, op.attributes["axis"].value)
        return lanes + _BETWEEN_WARPS * warps
    return 0


def _rounds_differently(reduce: ir.OpView) -> bool:
    """Whether a reduction depends on the order of its elements, so that two layouts give different results."""
    type = reduce.srcs[0].type
    is_float = isinstance(type.element_type, ir.FloatType)
    return (
        is_float
        and type.shape[reduce.attributes["axis"].value] > 2
        and bool(collect(reduce.operation, ["arith.addf", "arith.mulf"]))
    )


def _bytes(value: ir.Value, least_elements: int = 0, least_bits: int = 0) -> int:
    type = value.type
    is_tensor = isinstance(type, ir.RankedTensorType)
    elements, bits = (element_count(type), element_bits(type)) if is_tensor else (0, 0)
    return max(elements, least_elements) * max(bits, least_bits) // 8
