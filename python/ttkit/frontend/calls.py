"""Calls: of the language, of Python functions on constants, of other jitted functions."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable
from inspect import Parameter
from typing import Any

import ttkit.language as language
from ttkit.frontend.argument_errors import described, text_of_call
from ttkit.frontend.errors import (
    BadCall,
    CompilationError,
    CompileTimeAssertionFailure,
    NotCallable,
    RecursiveCall,
    StaticAssertCondition,
    UndefinedName,
    UnsupportedLanguageConstruct,
    about_name,
    ran_out_of_stack,
)
from ttkit.frontend.prototype import Prototype, at_path, paths_where
from ttkit.frontend.returns import has_number
from ttkit.frontend.special_methods import special_method
from ttkit.frontend.visitor import Visitor, flatten
from ttkit.kernel_breakpoints import Breakpoint, may_stop
from ttkit.language.base import base_type, base_value
from ttkit.language.builtin import current_semantic, is_builtin
from ttkit.language.constexpr import as_value, constexpr, constexpr_type, unwrap
from ttkit.language.debug import stop_here, string_attribute
from ttkit.language.jit_function import (
    BoundConstexprFunction,
    BoundJITMethod,
    ConstexprFunction,
    JITCallable,
    JITFunction,
)
from ttkit.language.tensor import as_triton_prints, tensor
from ttkit.language.tuples import apply_to_items, slice, tuple
from ttkit.language.types import dtype
from ttkit.language.versions import note


def mangled(name: str, types: list[Any], constants: dict[Any, Any]) -> str:
    """The symbol of a function compiled for these argument types and constants."""
    mangled_types = "_".join([type.mangle() for type in types])
    mangled_constants = "_".join([f"{path}c{constants[path]!r}" for path in sorted(constants)])
    for text, replacement in ((".", "_d_"), ("'", "_sq_"), ("[", "_"), ("]", "_")):
        mangled_constants = mangled_constants.replace(text, replacement)
    return f"{name}__{mangled_types}__{mangled_constants}"


def bind(fn: JITFunction, args: list[Any], kwargs: dict[str, Any]) -> list[Any]:
    """The arguments in the order of the parameters.

    Raises:
        BadCall: they do not fit the parameters.
    """
    names = fn.arg_names
    positional = sum(one.kind is not Parameter.KEYWORD_ONLY for one in fn.signature.parameters.values())
    if len(args) > positional:
        were = "was" if len(args) == 1 else "were"
        reason = f"takes {positional} positional argument{'s' * (positional != 1)} but {len(args)} {were} given"
        raise BadCall(name=fn.__name__, reason=reason)
    values = dict(zip(names, args))
    for name, value in kwargs.items():
        if name in values:
            raise BadCall(name=fn.__name__, reason=f"got multiple values for argument '{name}'")
        if name not in names:
            expected = ", ".join(names)
            reason = f"got an unexpected keyword argument '{name}'"
            raise BadCall(name=fn.__name__, reason=reason, advice=f"expected one of {expected}")
        values[name] = value
    missing = [name for name in names if name not in values and name not in fn.defaults]
    if missing:
        plural = "" if len(missing) == 1 else "s"
        reason = f"missing {len(missing)} required positional argument{plural}: {_listed(missing)}"
        raise BadCall(name=fn.__name__, reason=reason)
    return [values[name] if name in values else fn.defaults[name] for name in names]


def _listed(names: list[str]) -> str:
    """Names as Python's errors list them: 'a', 'b', and 'c'."""
    *rest, last = map(repr, names)
    return f"{', '.join(rest)}{',' * (len(rest) > 1)} and {last}" if rest else last


class Calls(Visitor):
    """Visitors of calls."""

    def visit_Call(self, node: ast.Call) -> Any:
        """A call: of what exists while compiling at once, of a jitted function as tt.call or inline."""
        fn = unwrap(self.visit(node.func))
        static = _STATIC.get(id(fn))
        if static is not None:
            return static(self, node)
        why = getattr(fn, "_must_use_result", False)
        if why and self.unused is node:
            message = f"The result of {ast.unparse(node.func)} is not being used."
            raise self.error(node, f"{message} {why}" if isinstance(why, str) else message)
        kwargs: Any = {item.arg: self.visit(item) for item in node.keywords}
        args = []
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                args.extend(self.visit(argument.value))
            else:
                args.append(self.visit(argument))
        return self.call(node, fn, args, kwargs)

    def visit_keyword(self, node: ast.keyword) -> Any:
        """The value of an argument that is given by name."""
        return self.visit(node.value)

    def call(self, node: Any, fn: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """Calls `fn(*args, **kwargs)` in a kernel and returns the result.

        Raises:
            NotCallable: `fn` is a value.
        """
        if (of_class := special_method(fn, "__call__")) is not None:
            fn = of_class
        if isinstance(fn, (BoundJITMethod, BoundConstexprFunction)):
            args = [fn.__self__, *args]
            fn = fn.__func__
        if isinstance(fn, JITFunction):
            self._check_noinline(node, fn, args)
            return self.call_jit_function(fn, args, kwargs)
        instance = getattr(fn, "__self__", None)
        if isinstance(instance, base_value) or is_builtin(fn):
            return self._call_builtin(node, fn, args, kwargs)
        if isinstance(fn, ConstexprFunction):
            return self._call_builtin(node, fn, args, {**kwargs, "_semantic": current_semantic()})
        if instance is not None or _is_python_builtin(fn):
            args = [unwrap(arg) for arg in args]
        self._check_math(node, fn, args)
        if not callable(fn):
            raise NotCallable(kind=type(fn).__name__)
        result = fn(*args, **kwargs)
        if isinstance(result, (builtins.tuple, tuple)):
            return apply_to_items(result, as_value)
        return as_value(result)

    def _call_builtin(self, node: Any, fn: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]) -> Any:
        try:
            result = fn(*args, **kwargs)
        except CompilationError:
            raise
        except Exception as error:
            raise self.failure(node, text_of_call(fn, args, kwargs, error), error) from error
        return tuple(result) if type(result) is builtins.tuple else result

    def _check_math(self, node: Any, fn: Any, args: list[Any]) -> None:
        """Refuses functions of Python's and numpy's on values of the kernel."""
        module = getattr(fn, "__module__", None) or getattr(type(fn), "__module__", "")
        if module not in ("math", "numpy") or not any(isinstance(arg, base_value) for arg in map(unwrap, args)):
            return
        name = getattr(fn, "__name__", "")
        instead = f"tl.{name}" if hasattr(language, name) else "a function of ttkit.language"
        raise self.error(node, f"{module}.{name} takes numbers of Python, not values of a kernel; use {instead}")

    def _check_noinline(self, node: Any, fn: JITFunction, args: list[Any]) -> None:
        if not fn.noinline:
            return
        for name, arg in zip(fn.arg_names, args):
            if isinstance(arg, language.tensor) and arg.type.is_block() and arg.type.numel != 1:
                message = (
                    f"Function {fn.__name__} is marked noinline, but was called with non-scalar argument "
                    f"{name}:{as_triton_prints(arg)}"
                )
                raise self.error(node, message, UnsupportedLanguageConstruct)

    def call_jit_function(
        self, fn: JITFunction, args: list[Any], kwargs: dict[str, Any], num_warps: int | None = None
    ) -> Any:
        """A call of a function that is compiled for these arguments, now if it was not before.

        Args:
            num_warps: of the partition that runs it, if it is another than the caller's.

        Raises:
            KernelMistake: the arguments don't fit, or it calls itself.
            CompilationError: its body has an error.
        """
        arguments = bind(fn, args, kwargs)
        for index, arg in enumerate(arguments):
            if isinstance(arg, (dtype, float, int, JITFunction)) or is_layout(arg):
                arguments[index] = constexpr(arg)
            elif type(arg) in (list, builtins.tuple):
                arguments[index] = _tuple_of(arg)
        constants = {
            path: at_path(arguments, path) for path in paths_where(arguments, lambda _, arg: is_constexpr(arg))
        }
        values = [at_path(arguments, path) for path in paths_where(arguments, lambda _, arg: not is_constexpr(arg))]
        for name, arg in zip(fn.arg_names, arguments):
            if isinstance(arg, slice) or (arg is not None and not hasattr(arg, "type")):
                raise BadCall(name=fn.__name__, reason=f"can't take {described(arg)} as its argument '{name}'")
        named = constants
        if fn.unnamed:
            named = {path: one for path, one in constants.items() if not _is_unnamed(fn, fn.arg_names[path[0]], one)}
        # Functions of the language have the names in tt that Triton's have: checks of IR ask for them.
        full_name = re.sub(r"^ttkit\.language\.standard_\w+", "ttkit.language.standard", fn.full_name)
        full_name = re.sub(r"^ttkit\.(?=language\.)", "triton.", full_name)
        name = mangled(full_name, [value.type for value in values], named)
        num_warps = num_warps or self.num_warps
        if num_warps is not None:
            name += f"_NW{num_warps}"
        unit = self.unit
        if name not in unit.functions:
            types = [constexpr_type(None) if arg is None else arg.type for arg in arguments]
            unit.return_types[name] = self._compile_callee(fn, name, Prototype(types, constants, {}), num_warps)
        elif name not in unit.return_types:
            raise RecursiveCall(name=fn.__name__)
        result = unit.return_types[name]
        if has_number(result):
            note("returned_constant")
        types_of_results: list[str] = []
        if result != language.void:
            result._flatten_ir_types(types_of_results)
        op = self.builder.emit_op(
            "tt.call", flatten(values), types_of_results, {"callee": f"@{string_attribute(name)}"}
        )
        return None if result == language.void else result._unflatten_ir(op.results, 0)[0]

    def _compile_callee(self, fn: JITFunction, name: str, prototype: Prototype, num_warps: int | None) -> Any:
        """Compiles a function, while its caller is compiled; returns the type of its result."""
        unit = self.unit
        generator = type(self)(unit, fn, name, prototype, False, num_warps)  # type: ignore[call-arg]
        try:
            with unit.compiling(fn):
                return generator.build()
        except Exception as error:
            if not ran_out_of_stack(error):
                raise self.error(self.node, None) from error
            if not unit.is_outermost_of_recursion(fn):
                raise
        # Each call had other constants: otherwise it would have found the function unfinished.
        raise RecursiveCall(name=fn.__name__, advice="use a loop, or end the calls by an `if` on constants")

    # --- Calls that run while compiling ------------------------------------------------------------------------------
    def _static_assert(self, node: ast.Call) -> None:
        if not 0 < len(node.args) <= 2 or node.keywords:
            raise TypeError("`static_assert` requires one or two positional arguments only")
        passed = unwrap(self.visit(node.args[0]))
        if not isinstance(passed, bool):
            raise StaticAssertCondition(found=passed)
        if passed:
            return
        message = ""
        if len(node.args) == 2:
            try:
                message = unwrap(self.visit(node.args[1]))
            except CompilationError as error:
                message = f"<failed to evaluate assertion message: {error!r}>"
        raise self.error(node, message, CompileTimeAssertionFailure)

    def _breakpoint(self, node: ast.Call) -> Any:
        """Stops the interpreter here, with the values that have names."""
        if not may_stop():
            raise UndefinedName(name="breakpoint", advice=about_name("breakpoint", (), self.jit_fn.tree()))
        values = {name: value for name, value in self.scope.items() if isinstance(value, tensor)}
        known = {name: repr(unwrap(value)) for name, value in self.scope.items() if isinstance(value, constexpr)}
        line = self.lines_before + node.lineno
        prefix = Breakpoint(self.file, line, self.jit_fn.__name__, list(values), known).prefix
        return stop_here(prefix, list(values.values()))

    def _length(self, node: ast.Call) -> Any:
        if len(node.args) != 1 or node.keywords:
            return self._static_call(node, len)
        value = self.visit(node.args[0])  # once: the argument may have effects, as an atomic has
        if (method := special_method(value, "__len__")) is not None:
            return self.call(node, method, [], {})
        return constexpr(len(unwrap(value)))

    def _static_call(self, node: ast.Call, fn: Callable[..., Any]) -> constexpr:
        kwargs = {item.arg: unwrap(self.visit(item)) for item in node.keywords if item.arg}
        return constexpr(fn(*[unwrap(self.visit(arg)) for arg in node.args], **kwargs))


def is_constexpr(value: Any) -> bool:
    """Whether a value is known at compile time."""
    return value is None or isinstance(value, (constexpr, dtype, JITCallable))


def _is_unnamed(fn: JITFunction, parameter: str, value: Any) -> bool:
    """Whether a parameter has its default, and is not in names of functions then."""
    return parameter in fn.unnamed and unwrap(value) is unwrap(fn.defaults[parameter])


def is_layout(value: Any) -> bool:
    """Whether a value is a layout of Gluon, which kernels may pass without `constexpr` around it."""
    return hasattr(type(value), "mangle") and not isinstance(value, (base_value, base_type))


def _tuple_of(items: Any) -> tuple:
    """A Python tuple or list, as of a default argument, as a value of the kernel."""
    return tuple([_tuple_of(item) if type(item) in (list, builtins.tuple) else as_value(item) for item in items])


_PYTHON_BUILTINS = (list, range, float, isinstance, getattr, hasattr)


def _is_python_builtin(fn: Any) -> bool:
    return any(fn is known for known in _PYTHON_BUILTINS)


# Functions that get syntax instead of values, by identity.
_STATIC: dict[int, Callable[[Calls, ast.Call], Any]] = {
    id(language.static_assert): Calls._static_assert,
    id(language.static_print): lambda self, node: self._static_call(node, language.static_print),
    id(int): lambda self, node: self._static_call(node, int),
    id(len): Calls._length,
    id(breakpoint): Calls._breakpoint,
}
