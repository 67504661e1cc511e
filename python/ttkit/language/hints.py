"""Hints: facts that the programmer knows and the compiler may use.

Ops: attributes tt.divisibility, tt.contiguity, tt.constancy; llvm.intr.assume; gpu.barrier.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.constants import attribute_of_32_bits, ir_type, to_tensor
from ttkit.language.constexpr import unwrap
from ttkit.language.errors import BadArgument, BadOperandTypes
from ttkit.language.tensor import tensor
from ttkit.language.tuples import is_sequence
from ttkit.language.types import void


def _hint(function: str, attribute: str, x: Any, values: Any, scalar_counts: int = 0) -> tensor:
    numbers = [unwrap(value) for value in (values if is_sequence(values) else [values])]
    for index, number in enumerate(numbers):
        if not isinstance(number, int):
            reason = f"values element {index} must have type `constexpr[int]`, got `constexpr[{type(number)}]"
            raise BadOperandTypes(function=function, reason=reason)
        attribute_of_32_bits(function, f"values element {index}", number)
        if number < 0:
            raise BadArgument(function=function, reason=f"values of {function} must not be negative, found {number}")
    if isinstance(x, int):  # the index of a loop, in a kernel that runs as Python
        x = to_tensor(x)
    if max(scalar_counts, len(x.shape)) != len(numbers):
        reason = f"Shape of input to {function} does not match the length of values"
        raise BadArgument(function=function, reason=reason, advice=f"found {x} and {numbers}")
    text = f"dense<[{', '.join(str(int(number)) for number in numbers)}]> : tensor<{len(numbers)}xi32>"
    if _apart.get():
        return tensor(builder().emit("tt.bitcast", (x.handle,), ir_type(x.type), {attribute: text}), x.type)
    x.handle.set_hint(attribute, text)
    return x


_apart: ContextVar[bool] = ContextVar("apart", default=False)


@contextmanager
def hints_apart() -> Iterator[None]:
    """While it lasts, a hint is an operation of its own in the kernels that are built: a `tt.bitcast` to the same type.

    Each hint then has a location and a value.  Otherwise it is an attribute of the operation that makes the value, and
    those on arguments of kernels are lost.
    """
    token = _apart.set(True)
    try:
        yield
    finally:
        _apart.reset(token)


@builtin
def multiple_of(input: tensor, values: Any) -> tensor:
    """`input`, of which the compiler may assume that the first of each group of contiguous values is a multiple of
    `values`, constexprs by dimension (or one, of a scalar).

    Raises:
        BadOperandTypes: they are not constexpr ints.
        BadArgument: not one for each dimension.

    Example:
        >>> tl.multiple_of(tl.arange(0, 4) * 8, 8)
        int32[4] [ 0  8 16 24]
    """
    return _hint("multiple_of", "tt.divisibility", input, values, 1)


@builtin
def max_contiguous(input: tensor, values: Any) -> tensor:
    """`input`, of which each group of `values` (by dimension) counts up by one.

    Example:
        >>> tl.max_contiguous(tl.arange(0, 4), 4)
        int32[4] [0 1 2 3]
    """
    return _hint("max_contiguous", "tt.contiguity", input, values)


@builtin
def max_constancy(input: tensor, values: Any) -> tensor:
    """`input`, of which each group of `values` (by dimension) is all equal.

    Example:
        >>> tl.max_constancy(tl.arange(0, 4) // 2, 2)
        int32[4] [0 0 1 1]
    """
    return _hint("max_constancy", "tt.constancy", input, values)


@builtin
def assume(cond: Any) -> tensor:
    """The compiler may assume that the scalar `cond` is true.

    Example:
        >>> tl.assume(tl.program_id(0) >= 0)
        void
    """
    builder().emit_op("llvm.intr.assume", (to_tensor(cond).handle,), (), {"op_bundle_sizes": "array<i32>"})
    return tensor(None, void)


@builtin
def debug_barrier() -> tensor:
    """All threads of the block wait for each other.

    Example:
        >>> tl.debug_barrier()
        void
    """
    builder().emit_op("gpu.barrier")
    return tensor(None, void)
