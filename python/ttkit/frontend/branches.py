"""`if`, and `x if c else y`.

A condition that is known chooses at compile time.  Otherwise the branches become an scf.if, or blocks of the function
if one of them returns.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import ttkit.language as language
from ttkit.frontend.errors import BranchRedefines, BranchTypes, SelectTypes
from ttkit.frontend.visitor import Visitor, flatten, unflatten
from ttkit.language import tensor
from ttkit.language.base import base_value
from ttkit.language.constants import to_tensor
from ttkit.language.constexpr import constexpr, unwrap
from ttkit.language.record import Block, Value
from ttkit.language.tensor import as_triton_prints
from ttkit.language.type_conversion import cast_to
from ttkit.language.types import int1
from ttkit.language.view import unsplat

_CONDITIONS = (bool, int, type(None))


def contains_return(statements: Iterable[ast.stmt]) -> bool:
    """Whether a `return` is among the statements, also inside of loops and branches."""
    for statement in statements:
        if isinstance(statement, ast.Return):
            return True
        if isinstance(statement, (ast.If, ast.For, ast.While, ast.With)) and (
            contains_return(statement.body) or contains_return(getattr(statement, "orelse", ()))
        ):
            return True
    return False


def is_large(value: Any) -> bool:
    """Whether `value` is a tensor of several elements."""
    return isinstance(value, tensor) and value.type.is_block() and value.type.numel != 1


def copied(scope: dict[str, Any]) -> dict[str, Any]:
    """The scope with copies of the values that can change."""
    return {name: _copied(value) if type(value) is not tensor else value for name, value in scope.items()}


def _copied(value: Any) -> Any:
    if not isinstance(value, base_value) or isinstance(value, constexpr):
        return value
    return value.type._unflatten_ir(flatten([value]), 0)[0]


def _layouts(value: Any, found: Any) -> dict[str, str]:
    """The advice about two tensors of Gluon that differ in layout, which what is printed of them does not show."""
    layouts = [getattr(each.type, "layout", None) for each in (value, found)]
    if None in layouts or layouts[0] == layouts[1]:
        return {}
    return {"advice": f"its layout was {layouts[0]} and is {layouts[1]}; give it one layout before the `if`"}


class Branches(Visitor):
    """Visitors of branches."""

    @contextmanager
    def sub_region(self) -> Iterator[dict[str, Any]]:
        """Around code in other blocks.  Yields the variables before it, to which the scope then returns."""
        before, defined = copied(self.scope), copied(self.defined)
        self.defined = {}
        block = self.builder.block
        yield before
        self.builder.block, self.builder.loc = block, None
        self.scope, self.defined = before, defined

    def visit_If(self, node: ast.If) -> None:
        """A branch: of a constant condition only the part that is taken, of a tensor's an scf.if or cf.cond_br."""
        condition = self.visit(node.test)
        if not isinstance(condition, tensor):
            self.visit_statements(node.body if self._known(node, condition) else node.orelse)
            return
        if is_large(condition):
            raise self.unsupported(node, *AMBIGUOUS)
        if condition.type.is_block():
            test = ast.unparse(node.test)
            warnings.warn(
                "If conditional called with multidimensional Tensor instead of scalar; please use "
                f'"if ({test}).item()" instead',
                stacklevel=2,
            )
            condition = unsplat(condition)
        condition = cast_to(condition, int1)
        if not contains_return([node]):
            self._structured_if(condition, node)
        elif self.loops:
            message = "Cannot have `return` statements inside `while` or `for` statements in triton."
            raise self.unsupported(node, message)
        else:
            self._branching_if(condition, node)

    def _known(self, node: Any, condition: Any) -> bool:
        condition = unwrap(condition)
        if type(condition) not in _CONDITIONS:
            accepted = ", ".join(kind.__name__ for kind in _CONDITIONS)
            message = (
                f"`if` conditionals can only accept values of type {{{accepted}}}, not objects of type "
                f"{type(condition).__name__}"
            )
            raise self.unsupported(node, message)
        return bool(condition)

    def _both(self, node: ast.If, before: dict[str, Any], then: Block, other: Block | None) -> Any:
        """Builds both branches.

        Returns:
            What each defines, the blocks in which they end, and the names of the variables that leave them.
        """
        builder = self.builder
        builder.to_start(then)
        self.visit_statements(node.body)
        then, then_defined, then_scope = builder.block, self.defined.copy(), self.scope.copy()
        other_defined: dict[str, Any] = {}
        other_scope = before.copy()
        if node.orelse:
            builder.to_start(other)
            self.scope, self.defined = before.copy(), {}
            self.visit_statements(node.orelse)
            other, other_defined, other_scope = builder.block, self.defined.copy(), self.scope.copy()
        names = []
        for name, value in before.items():
            if not isinstance(value, base_value) or _handles(then_scope[name]) == _handles(other_scope[name]):
                continue
            names.append(name)
            then_defined[name], other_defined[name] = then_scope[name], other_scope[name]
            for branch, found in (("then", then_defined[name]), ("else", other_defined[name])):
                if type(found) is not type(value) or found.type != value.type:
                    shown = {"initial": as_triton_prints(value), "found": as_triton_prints(found)}
                    raise BranchRedefines(name=name, branch=branch, **shown, **_layouts(value, found))
        for name in sorted(then_defined.keys() & other_defined.keys()):
            if name in names:
                continue
            left, right = then_defined[name], other_defined[name]
            if type(left) is not type(right) or _type(left) != _type(right):
                raise BranchTypes(name=name, then=_type_text(left), other=_type_text(right))
            names.append(name)
        return then_defined, other_defined, then, other, names

    def _structured_if(self, condition: tensor, node: ast.If) -> None:
        builder = self.builder
        with self.sub_region() as before:
            outer, loc = builder.block, builder.loc
            then, other = Block(), Block() if node.orelse else None
            then.parent = outer.parent
            if other is not None:
                other.parent = outer.parent
            then_defined, other_defined, then, other, names = self._both(node, before, then, other)
            then_handles = flatten(then_defined[name] for name in names)
            for name, handle in zip(names, then_handles):
                self.name_value(handle, name)
            other = other or Block()
            if names:
                builder.block, builder.loc = then, _last_location(then, loc)
                builder.emit_op("scf.yield", then_handles)
                builder.block, builder.loc = other, _last_location(other, loc)
                other_handles = flatten(other_defined[name] for name in names)
                for name, handle in zip(names, other_handles):
                    self.name_value(handle, name)
                builder.emit_op("scf.yield", other_handles)
            builder.block, builder.loc = outer, loc
            types = [handle.type for handle in then_handles]
            op = builder.emit_op("scf.if", (condition.handle,), types, regions=[[then], [other]])
        self._define_all(names, op.results, [then_defined[name].type for name in names])

    def _branching_if(self, condition: tensor, node: ast.If) -> None:
        builder = self.builder
        with self.sub_region() as before:
            outer = builder.block
            then, other = self.add_block(), self.add_block()
            builder.to_end(outer)
            builder.emit_op("cf.cond_br", (condition.handle,), (), _NO_OPERANDS_TO_BLOCKS, successors=(then, other))
            then_defined, other_defined, then, other, names = self._both(node, before, then, other)
            after = self.add_block()
            builder.to_end(then)
            handles = flatten(then_defined[name] for name in names)
            builder.emit_op("cf.br", handles, successors=(after,))
            builder.to_end(other)
            builder.emit_op("cf.br", flatten(other_defined[name] for name in names), successors=(after,))
            for handle in handles:
                after.add_argument(handle.type, None)
        builder.to_start(after)
        self._define_all(names, after.arguments, [then_defined[name].type for name in names])

    def _define_all(self, names: list[str], handles: Any, types: list[Any]) -> None:
        for name, value in zip(names, unflatten(handles, types)):
            self.define(name, value)

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        """`a if c else b`: of a constant condition one side, of a scalar tensor's an scf.if, which gives the value.

        Both sides may be calls that give nothing; so does the expression then.
        """
        condition = self.visit(node.test)
        if not isinstance(condition, tensor):
            return self.visit(node.body if self._known(node, condition) else node.orelse)
        if is_large(condition):
            raise self.unsupported(node, *AMBIGUOUS)
        condition = cast_to(condition, int1)
        builder = self.builder
        with self.sub_region():
            outer, loc = builder.block, builder.loc
            sides = []
            for side in (node.body, node.orelse):
                builder.to_start(Block())
                value = self._side(side)
                sides.append((builder.block, value))
            (then, then_value), (other, other_value) = sides
            type = language.void if then_value is None else then_value.type
            other_type = language.void if other_value is None else other_value.type
            if type != other_type:
                raise SelectTypes(then=type, other=other_type)
            types: list[str] = []
            if type != language.void:
                type._flatten_ir_types(types)
                for block, value in sides:
                    builder.block, builder.loc = block, _last_location(block, loc)
                    builder.emit_op("scf.yield", flatten([value]))
            builder.block, builder.loc = outer, loc
            op = builder.emit_op("scf.if", (condition.handle,), types, regions=[[then], [other]])
        return None if type == language.void else next(unflatten(op.results, [type]))

    def _side(self, node: ast.expr) -> Any:
        """The value of a side of a conditional expression; None for a call that gives nothing."""
        value = self.visit(node)
        if unwrap(value) is None or (isinstance(value, tensor) and value.type == language.void):
            return None
        is_compound = isinstance(value, base_value) and not isinstance(value, (tensor, constexpr))
        return value if is_compound else to_tensor(value)


AMBIGUOUS = ("Boolean value of Tensor with more than one value is ambiguous", "reduce it, or use tl.where")
_NO_OPERANDS_TO_BLOCKS = {"operandSegmentSizes": "array<i32: 1, 0, 0>"}


def _last_location(block: Block, around: Any) -> Any:
    return block.operations[-1].loc if block.operations else around


def _handles(value: Any) -> list[Value] | None:
    return flatten([value]) if isinstance(value, base_value) else None


def _type(value: Any) -> Any:
    return value.type if isinstance(value, base_value) else value


def _type_text(value: Any) -> str:
    return str(value.type) if isinstance(value, base_value) else f"{type(value).__name__} {value}"
