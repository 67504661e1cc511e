"""Statements without branches: assignments, returns, assertions."""

from __future__ import annotations

import ast
import builtins
import warnings
from collections.abc import Iterable
from typing import Any

import ttkit.budget as budget
import ttkit.language as language
from ttkit.frontend.branches import contains_return
from ttkit.frontend.errors import AttributeAssigned, CannotUnpack, ConstexprReassigned, ItemAssigned, KernelMistake
from ttkit.frontend.visitor import Visitor, flatten
from ttkit.language.base import base_value
from ttkit.language.constants import to_tensor
from ttkit.language.constexpr import constexpr, unwrap
from ttkit.language.tensor import tensor
from ttkit.language.tuples import apply_to_items, tuple
from ttkit.language.types import dtype


class Statements(Visitor):
    """Visitors of statements; each gives None."""

    def visit_statements(self, statements: Iterable[ast.stmt]) -> None:
        """All in order; what follows a `return` is dead.  Raises OverBudget: it took more than a compilation may."""
        for statement in statements:
            budget.check()
            self.visit(statement)
            if isinstance(statement, ast.Return):
                break

    def visit_Pass(self, node: ast.Pass) -> None:
        """Nothing to do."""

    def visit_Expr(self, node: ast.Expr) -> None:
        """An expression whose value is not used, such as a store; a function may insist on its use."""
        self.unused = node.value
        self.visit(node.value)

    # --- Assignments -------------------------------------------------------------------------------------------------
    def visit_Assign(self, node: ast.Assign) -> None:
        """One assignment; its target may be a name, a tuple of targets or an attribute."""
        if len(node.targets) != 1:
            raise self.unsupported(node, "simultaneous multiple assignment is not supported; assign one after another")
        self._assign(node.targets[0], node.value)

    def _assign(self, target: ast.expr, value_node: Any) -> None:
        if not isinstance(target, ast.Name):
            self.assign_value(target, _assignable(self.visit(value_node)))
            return
        # What is computed for the variable is named after it.
        self.name_prefix = target.id
        try:
            value = _assignable(self.visit(value_node))
        finally:
            self.name_prefix = None
        self.visit(target)
        self.define(target.id, value)

    def assign_value(self, target: ast.expr, value: Any) -> None:
        """Gives a target, a name or a tuple of targets, a value.

        Raises:
            CannotUnpack: a tuple of targets, and a value with fewer items; from Triton 3.9 on, or with more.
            ItemAssigned, AttributeAssigned: another target.
        """
        if isinstance(target, ast.Name):
            self.visit(target)
            self.define(target.id, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            if not isinstance(value, tuple) or len(value) < len(target.elts):
                raise CannotUnpack(found=value, count=len(target.elts))
            if len(value) > len(target.elts) and self.unit.version >= (3, 9):
                raise CannotUnpack(found=value, count=len(target.elts))
            if len(value) > len(target.elts):  # Triton says nothing before 3.9
                message = f"{len(value)} values for {len(target.elts)} names: the extra values are dropped"
                warnings.warn_explicit(message, UserWarning, self.file, self.lines_before + target.lineno)
            for inner, item in zip(target.elts, value.values):
                self.assign_value(inner, item)
        elif isinstance(target, ast.Subscript):
            raise ItemAssigned()
        else:
            raise AttributeAssigned()

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """An assignment to a name; the annotation `tl.constexpr` makes it a constant that stays."""
        annotation = self.visit(node.annotation)
        target = self.visit(node.target)
        value = self.visit(node.value)
        if annotation == constexpr:
            if target in self.scope:
                raise ConstexprReassigned(name=target)
            self.scope[target] = constexpr(value)
            return
        self._assign(node.target, node.value)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> Any:
        """`(a := b)`: an assignment whose value is used."""
        self._assign(node.target, node.value)
        return self.visit(ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target))

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """`a += b` as `a = a + b`."""
        expanded: Any = getattr(node, "_expanded", None)
        if expanded is None:
            expanded = node._expanded = _as_assignment(node)
        self.visit(expanded)
        self.visit(expanded.value.left)

    # --- Others ------------------------------------------------------------------------------------------------------
    def visit_Return(self, node: ast.Return) -> None:
        """The end of a function; every return of it must have the same type."""
        if self.loops:
            message = "Cannot have `return` statements inside `while` or `for` statements in triton."
            raise self.unsupported(node, message, "put the rest under a condition")
        if self.unit.version >= (3, 7):
            self.returns.add(self.visit(node.value), self.builder)
            self.builder.to_end(self.add_block())  # of dead code
            return
        value = _returnable(self.visit(node.value))
        assert value is None or isinstance(value, base_value), f"cannot return {value}"
        self.builder.emit_op("tt.return", [] if value is None else flatten([value]))
        self.returned(language.void if value is None else value.type)
        self.builder.to_end(self.add_block())  # of dead code

    def visit_Assert(self, node: ast.Assert) -> Any:
        """`assert` as `tl.device_assert`, which does something in kernels with `debug` alone."""
        test = self.visit(node.test)
        message = self.visit(node.msg) if node.msg is not None else ""
        return language.device_assert(test, message)

    def visit_With(self, node: ast.With) -> None:
        """Enters and leaves the context managers around the body, while it is compiled."""
        managers = []
        for item in node.items:
            call: Any = item.context_expr
            fn = self.visit(call.func)
            arguments = [self.visit(argument) for argument in call.args]
            managers.append(fn(*arguments, **{keyword.arg: self.visit(keyword) for keyword in call.keywords}))
        for manager, item in zip(managers, node.items):
            entered = manager.__enter__()
            if item.optional_vars is not None:
                self.define(self.visit(item.optional_vars), entered)
        if contains_return(node.body):
            raise self.unsupported(node, "Cannot have `return` statements inside `with` statements in triton ")
        self.visit_statements(node.body)
        for manager in reversed(managers):
            manager.__exit__(None, None, None)


def _assignable(value: Any) -> Any:
    """Value as a variable holds it: numbers become tensors, constexprs lose their constness."""
    if isinstance(value, (tuple, builtins.tuple)):  # Python's: `x.type.shape`
        return apply_to_items(value, _assignable)
    value = unwrap(value)
    if isinstance(value, base_value) and not hasattr(value, "type"):
        name = builtins.type(value).__name__
        raise KernelMistake(message=f"tl.{name} can't be assigned to a variable: write it in the `for` statement")
    if value is None or isinstance(value, (base_value, dtype)):
        return value
    return to_tensor(value)


def _returnable(value: Any) -> Any:
    if isinstance(value, tensor) and value.type == language.void:  # `return tl.store(...)`
        return None
    if isinstance(value, tuple):
        return apply_to_items(value, _returnable)
    if isinstance(value, (constexpr, int, float)):
        return to_tensor(value)
    return value


def _as_assignment(node: ast.AugAssign) -> ast.Assign:
    """`x += y` as `x = x + y`."""
    target: Any = node.target
    read = type(target)(**{**vars(target), "ctx": ast.Load()})
    value = ast.copy_location(ast.BinOp(left=read, op=node.op, right=node.value), node)
    return ast.copy_location(ast.Assign(targets=[target], value=value), node)
