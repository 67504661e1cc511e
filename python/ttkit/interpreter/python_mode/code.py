"""The Python function that runs for a jitted one, and whether its programs may run together."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from ttkit.interpreter.python_mode.syntax import HELPERS, kernel_code
from ttkit.language import debug, iterators
from ttkit.language.base import base_value
from ttkit.language.building import active
from ttkit.language.builtin import is_builtin
from ttkit.language.constexpr import constexpr, unwrap
from ttkit.language.jit_function import JITCallable, JITFunction
from ttkit.language.python_extremes import builtin_max, builtin_min
from ttkit.language.tensor import tensor
from ttkit.language.types import dtype


# --- What Python's own functions are in a kernel ---------------------------------------------------------------------
def kernel_range(*bounds: Any) -> Iterator[tensor]:
    """`range` in a kernel: its values are scalars, as in a loop that is compiled."""
    start, end, step = (0, *bounds, 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    assert active.builder is not None
    return active.builder.count(start, end, step)


def _extreme(compiled: Callable[..., Any], python: Callable[..., Any]) -> Callable[..., Any]:
    def extreme(*args: Any, **kwargs: Any) -> Any:
        """The language's function if an argument is a tensor, else Python's."""
        if any(isinstance(arg, tensor) for arg in args):
            return compiled(*args, **kwargs)
        return python(*(unwrap(arg) for arg in args), **kwargs)

    extreme.__name__ = python.__name__
    return extreme


def kernel_isinstance(value: Any, kinds: Any) -> bool:
    """`isinstance` in a kernel, where all that is not a value of the device is a constexpr."""
    asked = kinds if isinstance(kinds, tuple) else (kinds,)
    if constexpr in asked and not isinstance(value, base_value):
        return True
    return isinstance(value, kinds)


KERNEL_BUILTINS: dict[str, Any] = {
    "range": kernel_range,
    "min": _extreme(builtin_min, builtins.min),
    "max": _extreme(builtin_max, builtins.max),
    "isinstance": kernel_isinstance,
    **HELPERS,
}


def runnable(function: JITFunction) -> Callable[..., Any]:
    """The function as it runs: its own code, with file and lines, in its own globals but for `KERNEL_BUILTINS`."""
    fn = function.fn
    if fn.__module__.startswith("ttkit.language"):
        return fn
    code = kernel_code(function)
    cells = dict(zip(fn.__code__.co_freevars, fn.__closure__ or ()))
    closure = tuple(cells[name] for name in code.co_freevars)
    made = FunctionType(code, {**KERNEL_BUILTINS, **fn.__globals__}, fn.__name__, fn.__defaults__, closure)
    made.__kwdefaults__ = fn.__kwdefaults__
    made.__qualname__ = fn.__qualname__
    return made


# --- Running programs together ---------------------------------------------------------------------------------------
_STATEMENTS = (
    ast.AnnAssign,
    ast.Assert,
    ast.Assign,
    ast.AugAssign,
    ast.Break,
    ast.Continue,
    ast.Expr,
    ast.For,
    ast.If,
    ast.Pass,
    ast.Return,
    ast.While,
)
_PURE = frozenset(  # by identity: what is called need not be hashable
    id(getattr(builtins, name))
    for name in "abs bool divmod enumerate float getattr hasattr int isinstance len list max min pow range reversed "
    "round slice str sum tuple type zip".split()
)
_EFFECTS = (debug.static_print, debug.device_print)


def has_no_effects(function: JITFunction) -> bool:
    """Whether the body does nothing but compute and access the kernel's memory, as far as it can be seen: it may then
    run for many programs at once, and again."""
    if function.fn.__module__.startswith("ttkit.language"):
        return True
    source, found = function.__dict__.get("_has_no_effects", (None, False))
    if source is not function.src:
        found = _Effects(function).none()
        function.__dict__["_has_no_effects"] = function.src, found
    return found


class _Effects:
    """Looks at the syntax of one function.  Jitted functions that it calls are asked when they are called."""

    def __init__(self, function: JITFunction) -> None:
        self.function = function
        self.captured = function.captured()

    def none(self) -> bool:
        """Whether nothing in the function has an effect outside of it."""
        return all(self._allows(node) for statement in self.function.tree().body for node in ast.walk(statement))

    def _allows(self, node: ast.AST) -> bool:
        if isinstance(node, ast.stmt):
            return isinstance(node, _STATEMENTS)
        if isinstance(node, ast.Call):
            return self._allows_call(node.func)
        return not isinstance(node, (ast.Await, ast.Yield, ast.YieldFrom))

    def _allows_call(self, node: ast.expr) -> bool:
        try:
            callee = self._value(node)
        except (KeyError, AttributeError):
            return isinstance(node, ast.Attribute)  # a method of a value of the kernel
        if isinstance(callee, JITCallable) or id(callee) in _PURE or isinstance(callee, (dtype, constexpr)):
            return True
        if isinstance(callee, type):
            return issubclass(callee, (tuple, base_value)) or callee in (iterators.range, iterators.static_range)
        return is_builtin(callee) and not any(callee is effect for effect in _EFFECTS)

    def _value(self, node: ast.expr) -> Any:
        """Value of a name outside of the function, or of an attribute of one.

        Raises:
            KeyError: a local variable, or something else.
        """
        if isinstance(node, ast.Attribute):
            return getattr(self._value(node.value), node.attr)
        if not isinstance(node, ast.Name) or node.id in self.function.fn.__code__.co_varnames:
            raise KeyError
        for names in (self.captured, self.function.__globals__, vars(builtins)):
            if node.id in names:
                return names[node.id]
        raise KeyError


def is_debugged() -> bool:
    """Whether a debugger or a tracer follows this thread: programs then run one after the other."""
    if sys.gettrace() is not None:
        return True
    monitoring = getattr(sys, "monitoring", None)  # since Python 3.12
    return monitoring is not None and monitoring.get_tool(monitoring.DEBUGGER_ID) is not None
