"""Syntax that Python leaves no way to redefine, in kernels run as Python: `and`, `or`, `not`, `assert` of tensors.

A function that has any of these is compiled again by Python, with the same file, lines and columns, and a call in
their place.  `a and b` becomes `joined(t, b) if goes_on(t := a) else t`: a constant still stops what follows from being
computed, and nothing else does, as in the kernel that is compiled.
"""

from __future__ import annotations

import ast
from types import CodeType
from typing import Any

from ttkit.language.debug import device_assert
from ttkit.language.jit_function import JITFunction
from ttkit.language.tensor import tensor


def _goes_on(value: Any, is_and: bool) -> bool:
    """Whether the next operand of `and` (or `or`) is computed."""
    return isinstance(value, tensor) or bool(value) is is_and


def _joined(left: Any, right: Any, is_and: bool) -> Any:
    """Result of `and` or `or` of two operands, if the first does not decide it."""
    if not isinstance(left, tensor):
        return right
    if not isinstance(right, tensor):
        return left if bool(right) is is_and else right
    return left.logical_and(right) if is_and else left.logical_or(right)


def _negated(value: Any) -> Any:
    return value.__not__() if hasattr(value, "__not__") else not value


HELPERS = {
    "__ttkit_goes_on": _goes_on,
    "__ttkit_joined": _joined,
    "__ttkit_negated": _negated,
    "__ttkit_assert": device_assert,
}


def kernel_code(function: JITFunction) -> CodeType:
    """The code of a jitted function's body as it runs: its own, if it has nothing to replace."""
    source, found = function.__dict__.get("_kernel_code", (None, None))
    if source is not function.src:
        tree = function.parse()
        found = function.fn.__code__
        replaced = function._src_override is not None
        if replaced or any(isinstance(node, (ast.BoolOp, ast.Not, ast.Assert)) for node in ast.walk(tree)):
            found = _compiled(function, tree)
        function.__dict__["_kernel_code"] = function.src, found
    return found


def _compiled(function: JITFunction, tree: ast.Module) -> CodeType:
    file, line = function.location
    definition: Any = tree.body[0]
    definition.decorator_list, definition.returns = [], None
    definition.args.defaults, definition.args.kw_defaults = [], [None] * len(definition.args.kwonlyargs)
    for arg in ast.walk(definition.args):
        if isinstance(arg, ast.arg):
            arg.annotation = None
    _Replacer().visit(tree)
    ast.fix_missing_locations(tree)
    _move(tree, line - 1, _indentation(function))
    captured = function.fn.__code__.co_freevars
    if captured:
        around: Any = ast.parse(f"def around({', '.join(captured)}):\n    pass").body[0]
        around.body = [definition]
        tree.body = [around]
    code = compile(tree, file, "exec", dont_inherit=True)
    while code.co_name != definition.name:
        code = next(item for item in code.co_consts if isinstance(item, CodeType))
    return code


def _indentation(function: JITFunction) -> int:
    definition = next(text for text in function.raw_src if text.lstrip().startswith("def "))
    return len(definition) - len(definition.lstrip())


def _move(tree: ast.Module, lines: int, columns: int) -> None:
    """Shifts the places of all nodes."""
    for node in ast.walk(tree):
        for name, shift in (("lineno", lines), ("col_offset", columns)):
            for attribute in (name, f"end_{name}"):
                if getattr(node, attribute, None) is not None:
                    setattr(node, attribute, getattr(node, attribute) + shift)


class _Replacer(ast.NodeTransformer):
    def __init__(self) -> None:
        self.count = 0

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        """a and b -> joined(x, b, True) if goes_on(x := a, True) else x; `or` with False"""
        is_and = isinstance(node.op, ast.And)
        *firsts, result = [self.visit(value) for value in node.values]
        for first in reversed(firsts):
            name = f"__ttkit_{self.count}"
            self.count += 1
            kept = ast.NamedExpr(ast.Name(name, ast.Store()), first)
            result = ast.IfExp(
                _call("goes_on", kept, ast.Constant(is_and)),
                _call("joined", ast.Name(name, ast.Load()), result, ast.Constant(is_and)),
                ast.Name(name, ast.Load()),
            )
        return _located(result, node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        """not a -> negated(a)"""
        self.generic_visit(node)
        return _located(_call("negated", node.operand), node) if isinstance(node.op, ast.Not) else node

    def visit_Assert(self, node: ast.Assert) -> Any:
        """assert a, b -> assert(a, b), a call"""
        self.generic_visit(node)
        message = [node.msg] if node.msg is not None else []
        return _located(ast.Expr(_call("assert", node.test, *message)), node)


def _call(helper: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(f"__ttkit_{helper}", ast.Load()), list(args), [])


def _located(made: Any, node: Any) -> Any:
    """`made`, with the place of `node` wherever it has none."""
    for part in ast.walk(made):
        if isinstance(part, (ast.expr, ast.stmt)) and not hasattr(part, "lineno"):
            ast.copy_location(part, node)
    return made
