"""The operators of tensors, and the methods that are not functions of the language."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import ttkit.language.arith as arith
from ttkit.language.builtin import TRITON_BUILTIN
from ttkit.language.constants import operand, to_tensor
from ttkit.language.constexpr import unwrap
from ttkit.language.errors import BadArgument
from ttkit.language.tensor import tensor
from ttkit.language.tuples import slice, tuple
from ttkit.language.type_conversion import cast
from ttkit.language.view import expand_one, permute_dims

_OPERATORS: dict[str, Callable[[Any, Any], tensor]] = {
    "add": arith._add,
    "sub": arith._sub,
    "mul": arith._mul,
    "truediv": arith.truediv,
    "floordiv": arith.floordiv,
    "mod": arith.mod,
    "and": arith.and_,
    "or": arith.or_,
    "xor": arith.xor_,
    "lshift": arith._lshift,
    "rshift": arith._rshift,
}
_COMPARISONS: dict[str, Callable[[Any, Any], tensor]] = {
    "eq": arith.equal,
    "ne": arith.not_equal,
    "lt": arith.less_than,
    "le": arith.less_equal,
    "gt": arith.greater_than,
    "ge": arith.greater_equal,
}


def _to(self: tensor, dtype: Any, fp_downcast_rounding: Any = None, bitcast: Any = False, _semantic: Any = None) -> Any:
    """`cast` of this tensor."""
    return cast(self, dtype, fp_downcast_rounding, bitcast)


def _getitem(self: tensor, slices: Any, _semantic: Any = None) -> tensor:
    """`x[:, None]`: a new dimension of size one where None stands."""
    if isinstance(slices, tuple):
        slices = slices.values
    elif not isinstance(slices, (list, builtins.tuple)):
        slices = [slices]
    result = self
    for dim, item in enumerate(slices):
        if unwrap(item) is None:
            result = expand_one(result, dim)
        elif not _is_whole(item):
            advice = "an index can only be `:` or None; use tl.gather or pointers"
            raise BadArgument(function="subscript", reason=f"unsupported tensor index: {item}", advice=advice)
    return result


def _is_whole(item: Any) -> bool:
    if not isinstance(item, (builtins.slice, slice)):
        return False
    return all(unwrap(part) is None for part in (item.start, item.stop, item.step))


def _add_operators() -> None:
    def forward(function: Any) -> Any:
        """f(tensor, number), of anything"""
        return lambda self, other, _semantic=None: function(self, unwrap(other))

    def backward(function: Any) -> Any:
        """f(number, tensor), of anything"""
        return lambda self, other, _semantic=None: function(unwrap(other), self)

    def forward_tensor(function: Any) -> Any:
        """f(tensor, tensor of what is given)"""
        return lambda self, other, _semantic=None: function(self, to_tensor(other))

    def forward_operand(function: Any) -> Any:
        """f(tensor, operand)"""
        return lambda self, other, _semantic=None: function(self, operand(other))

    def backward_operand(function: Any) -> Any:
        """f(operand, tensor)"""
        return lambda self, other, _semantic=None: function(operand(other), self)

    methods: dict[str, Any] = {
        "__neg__": lambda self, _semantic=None: arith.minus(self),
        "__invert__": lambda self, _semantic=None: arith.invert(self),
        "__not__": lambda self, _semantic=None: arith.not_(self),  # the frontend calls it for `not x`
        "__getitem__": _getitem,
        "logical_and": forward_tensor(arith.logical_and),
        "logical_or": forward_tensor(arith.logical_or),
        "to": _to,
    }
    for name, function in _OPERATORS.items():
        methods[f"__{name}__"], methods[f"__r{name}__"] = forward(function), backward(function)
    for name, function in _COMPARISONS.items():
        methods[f"__{name}__"], methods[f"__r{name}__"] = forward_operand(function), backward_operand(function)
    for name, method in methods.items():
        method.__name__ = name.strip("_") if name == "to" else name
        setattr(method, TRITON_BUILTIN, True)
        setattr(tensor, name, method)
    setattr(tensor, "__hash__", object.__hash__)  # noqa: B010
    tensor.T = property(lambda self: permute_dims(self, [1, 0]), doc="The transpose of a tensor of two dimensions.")


_add_operators()
