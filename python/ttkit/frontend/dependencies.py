"""Dependencies of a jitted function beyond its own source: functions that it calls, global variables.

A function's `cache_key` covers all of it, so that a change anywhere below a kernel compiles the kernel anew.
"""

from __future__ import annotations

import ast
import copy
import hashlib
import inspect
import re
from collections.abc import Iterable
from types import ModuleType
from typing import TYPE_CHECKING, Any

import ttkit.locks as locks
from ttkit.kernel_breakpoints import may_stop
from ttkit.language.jit_callable import SOURCE_CHANGES, JITCallable

if TYPE_CHECKING:
    from ttkit.frontend.errors import UnsupportedReference

# The language, and the modules of Python that kernels may use: they change only where `toolkit_key` changes too.
_FIXED_MODULES = ("ttkit.language", "ttkit.language.gluon", "triton.language", "math", "copy")
_PYTHON_BUILTINS = frozenset("float getattr int isinstance len list max min print range".split())
_ABSENT = object()


# Held while keys are found: functions may call each other from several threads.
_lock = locks.lock()


def find(function: JITCallable) -> str:
    """Finds and keeps what `function` depends on: its `hash` and `used_global_vals`."""
    with _lock:
        changes = SOURCE_CHANGES["count"]
        if function.hash is None or function.hashed_at != changes:
            function.hash = f"recursion:{function.full_name}"  # for a function that calls itself
            function.hashed_at = changes
            try:
                found = Dependencies(function)
                key = f"{found.key()}-{function.starting_line_number}"
            except BaseException:
                function.hash = None
                raise
            function.used_global_vals = dict(sorted(found.used.items(), key=lambda item: item[0]))
            function.hash = hashlib.sha256(key.encode()).hexdigest()
        return function.hash


class CapturedVariables:
    """Variables of the functions around a jitted function, as they are now."""

    def __init__(self, function: JITCallable) -> None:
        self._function = function

    def get(self, name: str, default: Any = None) -> Any:
        """The value that a function's closure has now for a name."""
        return self._function.captured().get(name, default)


class Dependencies(ast.NodeVisitor):
    """Finds what a function depends on.

    Attributes:
        used: {(name, identity of its namespace): (value, namespace)} of the global variables that the function and
            those that it calls read.

    Raises, when it visits:
        UnsupportedReference: the function refers to a function that is not jitted.
        RuntimeError: two functions saw different values of a global variable.
    """

    def __init__(self, function: JITCallable) -> None:
        self.function = function
        self.used: dict[tuple[str, int], tuple[Any, Any]] = {}
        self._hash = hashlib.sha256(function.src.encode())
        self._captured = CapturedVariables(function)
        self._locals: set[str] = set()
        self._in_default = False

    def key(self) -> str:
        """Visits the function.  What identifies its code, as hexadecimal digits."""
        self.visit(self.function.tree())
        for param in self.function.signature.parameters.values():
            if param.default is not inspect.Parameter.empty:
                self._hash.update(f"{param.name}={stable_text(param.default)}".encode())
        for (name, _), (value, _) in sorted(self.used.items(), key=lambda item: item[0][0]):
            self._hash.update(f"{name}:{stable_text(value)}".encode())
        return self._hash.hexdigest()

    # --- names --------------------------------------------------------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> Any:
        """The global or captured value that a name has; notes that the function depends on it."""
        if isinstance(node.ctx, ast.Store) or node.id in self._locals:
            return None
        for namespace in (self._captured, self.function.__globals__):
            value = namespace.get(node.id, _ABSENT)
            if value is not _ABSENT:
                if node.id not in _PYTHON_BUILTINS:
                    self._refer(value, node, namespace)
                return value
        if node.id == breakpoint.__name__:  # the interpreter's kernels may have one, those of GPUs not
            self._hash.update(str(may_stop()).encode())
        return None

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        """The attribute's value, if its owner is known; notes that the function depends on it."""
        owner = self.visit(node.value)
        if owner is None or getattr(owner, "__name__", "") in _FIXED_MODULES:
            return None
        value = getattr(owner, node.attr, None)
        self._refer(value, node, owner.__dict__ if isinstance(owner, ModuleType) else None)
        return value

    def _refer(self, value: Any, node: ast.Name | ast.Attribute, namespace: Any) -> None:
        """Notes that the function uses a value, at a node of its tree."""
        if value is None or isinstance(value, ModuleType):
            return
        if getattr(value, "__triton_aggregate__", False):
            for member in list(vars(value).values()):
                if isinstance(member, JITCallable):
                    self._call(member)
            self._hash.update(stable_text(sorted(value.__annotations__.items())).encode())
            return
        if _is_fixed(value):
            return
        if isinstance(value, JITCallable):
            self._call(value)
        elif callable(value) and not isinstance(value, type) and not _is_constexpr(value):
            raise self._unsupported(value, node)
        elif namespace is not None and not self._in_default:
            name = node.id if isinstance(node, ast.Name) else node.attr
            self.used[name, id(namespace)] = _snapshot(value), namespace

    def _unsupported(self, value: Any, node: ast.Name | ast.Attribute) -> UnsupportedReference:
        """The error about a function that kernels can't call, at the node that refers to it."""
        from ttkit.frontend.errors import UnsupportedReference  # which few kernels need

        file, line = self.function.location
        place = f"{file}:{line + node.lineno - self.function.tree().lineno}, in {self.function.__name__}"
        text = re.sub(r" at 0x\w+", "", f"Unsupported function referenced: {value}")
        advice = "a kernel calls functions with @triton.jit and those of tl"
        return UnsupportedReference(self.function.src, node, text, place, advice)

    def _call(self, callee: JITCallable) -> None:
        key = callee.cache_key
        for known in self.used.keys() & callee.used_global_vals.keys():
            here, there = self.used[known][0], callee.used_global_vals[known][0]
            if differs(here, there):
                raise RuntimeError(
                    f"Global variable {known[0]} has value {here} when compiling {self.function.__name__}, but inner "
                    f"kernel {callee.__name__} has conflicting value {there} from when it was first compiled.  This "
                    "is not allowed."
                )
        self.used.update(callee.used_global_vals)
        self._hash.update(f"{key}{getattr(callee, 'noinline', False)}".encode())

    # --- which names are local ----------------------------------------------------------------------------------------

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Notes annotations and the body; parameters are local names, defaults don't count."""
        arguments = node.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
        for argument in every:
            if argument is not None and argument.annotation is not None:
                self.visit(argument.annotation)
        # Defaults were evaluated when the function was defined: what their names mean now does not matter.
        self._in_default = True
        self._visit_all(default for default in [*arguments.defaults, *arguments.kw_defaults] if default is not None)
        self._in_default = False
        self._locals |= {argument.arg for argument in every if argument is not None}
        self._visit_all(node.body)

    def visit_Assign(self, node: ast.Assign) -> None:
        """Notes what the value refers to; the targets are local names from here on."""
        self.visit(node.value)
        self._assign(node.targets)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """As an assignment; notes what the annotation refers to, too."""
        self.visit(node.annotation)
        if node.value is not None:
            self.visit(node.value)
        self._assign([node.target])

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        """As an assignment."""
        self.visit(node.value)
        self._assign([node.target])

    def visit_For(self, node: ast.For) -> None:
        """Notes what is iterated over; the target is a local name in the body."""
        self.visit(node.iter)
        self._assign([node.target])
        self._visit_all([*node.body, *node.orelse])

    def visit_ListComp(self, node: ast.ListComp) -> None:
        """Notes what is iterated over before the element, in which the targets are local names."""
        for generator in node.generators:
            self.visit(generator.iter)
            self._assign([generator.target])
            self._visit_all(generator.ifs)
        self.visit(node.elt)

    def visit_withitem(self, node: ast.withitem) -> None:
        """Notes the context manager; what it is bound to is a local name."""
        self.visit(node.context_expr)
        if node.optional_vars is not None:
            self._assign([node.optional_vars])

    def _assign(self, targets: Iterable[ast.expr]) -> None:
        for target in targets:
            for part in ast.walk(target):
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                    self._locals.add(part.id)
            self.visit(target)  # x[i] = ... and x.field = ... read x

    def _visit_all(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)


MAX_DECIMAL_BITS = 1 << 12
"""Longer integers are not written as decimals: Python refuses very long ones."""


def stable_text(value: Any) -> str:
    """Text that tells values apart, and is the same in every process: no addresses."""
    if isinstance(value, JITCallable):
        return value.cache_key
    if isinstance(value, (list, tuple)):
        return f"{type(value).__name__}({','.join(stable_text(item) for item in value)})"
    if isinstance(value, (set, frozenset)):
        return f"{type(value).__name__}({','.join(sorted(stable_text(item) for item in value))})"
    if isinstance(value, dict):
        return f"dict({','.join(f'{stable_text(key)}:{stable_text(item)}' for key, item in value.items())})"
    if _is_constexpr(value):
        return f"constexpr({stable_text(value.value)})"
    if isinstance(value, type) or callable(value):
        return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', type(value).__qualname__)}"
    kind: Any = type(value)
    if kind is int and value.bit_length() > MAX_DECIMAL_BITS:
        return f"int {value:#x}"
    if kind.__repr__ is not object.__repr__:
        return f"{kind.__name__} {value!r}"
    fields = getattr(value, "__dict__", {})
    return f"{kind.__module__}.{kind.__qualname__}({stable_text(fields)})"


def differs(before: Any, after: Any) -> bool:
    """Whether a variable's value is another one; where values can't be compared, whether it is another object."""
    if before is after:
        return False
    try:
        return bool(before != after)
    except Exception:
        return True


def _snapshot(value: Any) -> Any:
    """The value as it is now."""
    try:
        return copy.deepcopy(value)
    except Exception:
        return value


def _is_fixed(value: Any) -> bool:
    """Whether a value is of the language, or one of Python's own functions."""
    if getattr(value, "__triton_builtin__", False) or inspect.isbuiltin(value):
        return True
    module = getattr(value, "__module__", None)
    is_ours = isinstance(module, str) and module.startswith(("ttkit.language", "triton.language"))
    return is_ours and (callable(value) or isinstance(value, type)) and not _is_constexpr(value)


def _is_constexpr(value: Any) -> bool:
    return type(value).__name__ == "constexpr" and type(value).__module__ == "ttkit.language.constexpr"
