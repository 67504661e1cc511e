"""Rewrites the source of kernels: calls of the tile language become those of Gluon, or of `translator_helpers`."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from typing import Any

import ttkit.language as tl
from ttkit.language import gluon as ttgl
from ttkit.language.builtin import is_builtin
from ttkit.language.constexpr import constexpr, unwrap
from ttkit.language.jit_callable import JITCallable
from ttkit.language.jit_function import JITFunction
from ttkit.language.types import dtype
from ttkit.tools.triton_to_gluon_translater import translator_helpers

_HEAD = """from ttkit.language import gluon
from ttkit.language import gluon as ttgl
from ttkit.tools.triton_to_gluon_translater.translator_helpers import *
"""
_HELPERS = {name.removeprefix("tl_"): name for name in translator_helpers.__all__ if name.startswith("tl_")}
_METHODS = ("load", "store", "gather", "scatter", "advance")
_ATOMICS = tuple(f"atomic_{name}" for name in ("add", "min", "max", "and", "or", "xor"))
_OURS = ("ttkit.", "triton.")


def convert_triton_to_gluon(src: Sequence[Any], target: Any = None) -> str:
    """The source of a module with these functions, and those that they call, in Gluon.

    All tensors have one layout for each rank, so the kernels are slow; they compute the same.

    Args:
        src: functions under `@triton.jit` or `@triton.constexpr_function`.
        target: a `TranslatorTarget`, or None: all GPUs of NVIDIA get the same source.

    Raises:
        ValueError: `target` is one of AMD's.
    """
    name = str(getattr(target, "value", target))
    if name.startswith("gfx"):
        raise ValueError(f"kernels are translated for GPUs of NVIDIA, not for {name}; pass sm80, sm90 or sm100")
    queue, functions = list(src), []
    written: list[Any] = []
    constants: dict[str, Any] = {}
    while queue:
        function = queue.pop(0)
        if any(function is each for each in written):
            continue
        written.append(function)
        rewriter = _Rewriter(function, queue, constants)
        tree = rewriter.visit(ast.parse(function._plain_src))
        functions.append(ast.unparse(ast.fix_missing_locations(tree)))
    lines = [f"{name} = ttgl.constexpr({value})" for name, value in constants.items()]
    return (
        "\n\n".join([_HEAD, *(["\n".join(lines)] if lines else []), *(f"\n{text}" for text in functions[::-1])]) + "\n"
    )


class _Rewriter(ast.NodeTransformer):
    """The rewriting of one function.

    Args:
        queue: gets the functions that it calls.
        constants: get the constexprs of modules that it uses.
    """

    def __init__(self, function: Any, queue: list[Any], constants: dict[str, Any]) -> None:
        self._is_kernel = isinstance(function, JITFunction)
        fn = function.fn
        cells = zip(fn.__code__.co_freevars, (cell.cell_contents for cell in fn.__closure__ or ()))
        self._scope = {**fn.__globals__, **dict(cells)}
        self._locals = {*fn.__code__.co_varnames} - {*fn.__code__.co_freevars}
        self._queue, self._constants = queue, constants

    def _value(self, node: ast.expr) -> Any:
        """The value that an expression names outside of the function; None if it names none."""
        if isinstance(node, ast.Name):
            return None if node.id in self._locals else self._scope.get(node.id, getattr(builtins, node.id, None))
        if isinstance(node, ast.Attribute):
            base = self._value(node.value)
            return None if base is None else getattr(base, node.attr, None)
        return None

    # --- Definitions -------------------------------------------------------------------------------------------------
    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Another decorator."""
        node.decorator_list = [_name(f"gluon.{'jit' if self._is_kernel else 'constexpr_function'}")]
        return self.generic_visit(node)

    # --- Names -------------------------------------------------------------------------------------------------------
    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Types of elements, constexprs of the module, and functions."""
        return self._named(node) if isinstance(node.ctx, ast.Load) else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """The same through a module."""
        found = self._named(node) if isinstance(node.ctx, ast.Load) else node
        return self.generic_visit(node) if found is node else found

    def _named(self, node: Any) -> ast.AST:
        value = self._value(node)
        if isinstance(value, dtype):
            return _name(_type_text(value))
        if value is constexpr:
            return _name("ttgl.constexpr")
        if isinstance(value, constexpr):
            name = ast.unparse(node).replace(".", "_")
            inner = unwrap(value)
            self._constants[name] = _type_text(inner) if isinstance(inner, dtype) else repr(inner)
            return _name(name)
        if isinstance(value, JITCallable) and not value.fn.__module__.startswith(_OURS):
            self._queue.append(value)
            return _name(value.fn.__name__)
        if value is not None and not isinstance(value, type(ast)) and _is_of_language(value):
            return _name(_function_text(value))
        return node

    # --- Expressions -------------------------------------------------------------------------------------------------
    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Functions of the language by name, and methods of values."""
        value = self._value(node.func)
        arguments = [self.visit(each) for each in node.args]
        keywords = [self.visit(each) for each in node.keywords]
        if value is None and isinstance(node.func, ast.Attribute):
            owner = self.visit(node.func.value)
            if node.func.attr in _ATOMICS:
                return _call("tl_obj_atomic", [ast.Constant(node.func.attr), owner, *arguments], keywords)
            if node.func.attr in _METHODS:
                return _call(f"tl_obj_{node.func.attr}", [owner, *arguments], keywords)
            if node.func.attr == "split":
                return _call("tl_split", [owner], [])
            method = ast.Call(ast.Attribute(owner, node.func.attr, ast.Load()), arguments, keywords)
            return _call("reset_to_default_layout", [method], [])
        if value is tl.range:
            keywords = [each for each in keywords if each.arg in ("arg1", "arg2", "step")]
            return _call("range", [*arguments, *(each.value for each in keywords)], [])
        name = getattr(value, "__name__", "")
        if not _is_of_language(value):
            return ast.Call(self.visit(node.func), arguments, keywords)
        if name in _HELPERS:
            return _call(_HELPERS[name], arguments, keywords)
        if name == "num_threads":
            return _call("get_num_threads_per_program", [], [])
        if name == "expand_dims":
            return _call("tl_expand", arguments, [])
        if name in ("reshape", "view", "ravel"):
            keywords = [each for each in keywords if each.arg != "can_reorder"]
        made = _call(_function_text(value), arguments, keywords)
        return (
            made
            if name in ("static_range", "static_assert", "static_print")
            else _call("reset_to_default_layout", [made], [])
        )

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        """Statements: their value is not used, so it keeps its layout."""
        self.generic_visit(node)
        call = node.value
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "reset_to_default_layout":
            node.value = call.args[0]
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """New dimensions, `x[:, None]`."""
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        new = [place for place, part in enumerate(parts) if isinstance(part, ast.Constant) and part.value is None]
        if not new or not isinstance(node.ctx, ast.Load):
            return self.generic_visit(node)
        return _call("tl_expand", [self.visit(node.value), *map(ast.Constant, new)], [])


def _is_of_language(value: Any) -> bool:
    """Whether it is a function of the tile language."""
    function = getattr(value, "fn", value)
    is_function = is_builtin(value) or isinstance(value, JITCallable) or value is tl.static_range
    return is_function and str(getattr(function, "__module__", "")).startswith("ttkit.language")


def _function_text(value: Any) -> str:
    """A function of the language as translated source names it."""
    name = str(value.__name__)
    if ".extra." in getattr(value, "fn", value).__module__:
        return f"libdevice.{name}"
    return f"{'ttgl' if hasattr(ttgl, name) else 'tl'}.{name}"


def _type_text(value: dtype) -> str:
    """A type of elements as translated source names it."""
    if value.is_ptr():
        return f"ttgl.pointer_type({_type_text(value.element_ty)})"
    return next(f"ttgl.{name}" for name, each in vars(tl).items() if isinstance(each, dtype) and each == value)


def _name(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _call(function: str, arguments: list[Any], keywords: list[Any]) -> ast.Call:
    return ast.Call(_name(function), arguments, keywords)
