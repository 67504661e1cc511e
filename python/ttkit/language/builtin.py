"""Builtins: Python functions that kernels call."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from ttkit.language.building import active, builder
from ttkit.language.constants import to_tensor
from ttkit.language.tensor import tensor

Function = TypeVar("Function", bound=Callable[..., Any])

TRITON_BUILTIN = "__triton_builtin__"


class Semantic:
    """Argument of functions that ask for `_semantic`: the builder with its options, and conversion to tensors.

    `semantic.TritonSemantic` adds the functions of the language.
    """

    @property
    def builder(self) -> Any:
        """The module in the making, which has the options."""
        return builder().unit

    def to_tensor(self, x: Any, check_type: bool = True) -> Any:
        """A value as a tensor; a number becomes a constant."""
        return to_tensor(x, check_type)


_SEMANTICS = {False: Semantic()}
"""{whether kernels are in Gluon: what builtins get as `_semantic`}."""


def use_semantic(semantic: Semantic, is_gluon: bool = False) -> None:
    """Sets what builtins get as `_semantic`: one that knows the language's functions, which are above this file."""
    _SEMANTICS[is_gluon] = semantic


def current_semantic() -> Semantic:
    """The argument that builtins get as `_semantic`: that of the language of the kernel that is being compiled."""
    target = active.builder
    is_gluon = target is not None and getattr(target.unit, "is_gluon", False)
    return _SEMANTICS[is_gluon]


def builtin(fn: Function) -> Function:
    """Marks a function as callable from a kernel.

    It may have parameters `_semantic` (what is being compiled) and `_generator` (what calls jitted functions); callers
    may pass both to any builtin.

    Example:
        >>> @gl.builtin
        ... def doubled(x, _semantic=None):
        ...     return x + x
        >>> doubled(gl.arange(0, 4, line))
        int32[4] [0 2 4 6]
    """
    wanted = [name for name in ("_semantic", "_generator") if name in inspect.signature(fn).parameters]
    if wanted:

        @functools.wraps(fn)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            """Adds what the function wants.  Raises OutsideKernel where nothing is being compiled."""
            builder()
            if "_semantic" in wanted:
                kwargs["_semantic"] = current_semantic()
            if "_generator" in wanted:
                kwargs["_generator"] = active.generator
            return fn(*args, **kwargs)
    else:

        @functools.wraps(fn)
        def wrapper(*args: Any, _semantic: Any = None, _generator: Any = None, **kwargs: Any) -> Any:
            """Drops both."""
            return fn(*args, **kwargs)

    setattr(wrapper, TRITON_BUILTIN, True)
    return wrapper  # type: ignore[return-value]


extern = builtin


def is_builtin(fn: Any) -> bool:
    """Whether `fn` is marked by `builtin`."""
    return getattr(fn, TRITON_BUILTIN, False)


def must_use_result(x: Any, s: Any = True) -> Any:
    """Marks a function whose result a kernel must use; as `@must_use_result("why")` it adds to the error.

    Example:
        >>> @gl.must_use_result("the new tensor")
        ... @gl.builtin
        ... def doubled(x, _semantic=None):
        ...     return x + x
        >>> doubled(gl.arange(0, 4, line))
        int32[4] [0 2 4 6]
    """
    if isinstance(x, str):
        return lambda fn: must_use_result(fn, x)
    x._must_use_result = s
    return x


def _tensor_member_fn(fn: Function) -> Function:
    """Makes a function a method of `tensor` as well: `f(x, ...)` is also `x.f(...)`."""
    method: Any = fn
    if inspect.isfunction(fn):  # a jitted one is an object, which is a method as it is

        def forward(*args: Any, **kwargs: Any) -> Any:
            """Calls the function on the tensor."""
            return fn(*args, **kwargs)

        method = forward
        method.__name__ = fn.__name__
        method.__doc__ = f"`{fn.__name__}` of this tensor."
        setattr(method, TRITON_BUILTIN, is_builtin(fn))
    setattr(tensor, fn.__name__, method)
    return fn
