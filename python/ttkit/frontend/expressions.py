"""Expressions: names, operators, subscripts, tuples."""

from __future__ import annotations

import ast
import builtins
import warnings
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from ttkit.frontend.argument_errors import described
from ttkit.frontend.errors import KernelMistake, NoAttribute, NoItem
from ttkit.frontend.special_methods import REFLECTED_COMPARISONS, jitted_property, operator_method, special_method
from ttkit.frontend.visitor import Visitor
from ttkit.language import tensor
from ttkit.language.base import base_value
from ttkit.language.constant_sizes import check_format
from ttkit.language.constexpr import SIGNS, constexpr, unwrap
from ttkit.language.errors import BadConstants
from ttkit.language.jit_function import KernelInterface
from ttkit.language.record import is_poison
from ttkit.language.tuples import slice, tuple
from ttkit.language.versions import since

_BINARY: dict[type, str] = {
    ast.Add: "__add__",
    ast.Sub: "__sub__",
    ast.Mult: "__mul__",
    ast.Div: "__truediv__",
    ast.FloorDiv: "__floordiv__",
    ast.Mod: "__mod__",
    ast.Pow: "__pow__",
    ast.LShift: "__lshift__",
    ast.RShift: "__rshift__",
    ast.BitAnd: "__and__",
    ast.BitOr: "__or__",
    ast.BitXor: "__xor__",
}
_COMPARE: dict[type, str] = {
    ast.Eq: "__eq__",
    ast.NotEq: "__ne__",
    ast.Lt: "__lt__",
    ast.LtE: "__le__",
    ast.Gt: "__gt__",
    ast.GtE: "__ge__",
}
_EQUALITY = ("__eq__", "__ne__")
_UNARY: dict[type, str] = {ast.USub: "__neg__", ast.UAdd: "__pos__", ast.Not: "__not__", ast.Invert: "__invert__"}
_LOGICAL: dict[type, str] = {ast.And: "logical_and", ast.Or: "logical_or"}


class Expressions(Visitor):
    """Visitors of expressions; each gives a value."""

    # --- Leaves ------------------------------------------------------------------------------------------------------
    def visit_Constant(self, node: ast.Constant) -> Any:
        """A literal, as a constexpr."""
        return constexpr(node.value)

    def visit_Name(self, node: ast.Name) -> Any:
        """The value of a variable; of one that is assigned to, its name."""
        if type(node.ctx) is ast.Store:
            return node.id
        value = self.lookup(node.id)
        if node.id in self.loop_variables and isinstance(value, tensor) and is_poison(value.handle):
            warnings.warn_explicit(
                f"{node.id}, the variable of a loop, is undefined after the loop; copy it to a variable that is "
                "defined before the loop",
                category=UserWarning,
                filename=self.file,
                lineno=self.lines_before + node.lineno,
            )
        return value

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        """An attribute of a value, such as a method of a tensor."""
        return self.attribute(self.visit(node.value), node.attr)

    def attribute(self, value: Any, name: str) -> Any:
        """`value.name`: of a constexpr, of what it holds (except `.value`).

        Raises:
            NoAttribute: the value has none of that name.
        """
        if isinstance(value, constexpr) and name not in ("value", "type"):
            value = value.value
        if (getter := jitted_property(value, name)) is not None:
            return self.call(self.node, getter, [value], {})
        try:
            return getattr(value, name)
        except AttributeError as error:
            has_hint = isinstance(value, ModuleType) or (isinstance(value, tuple) and hasattr(list, name))
            if has_hint or error.obj is not value:
                raise
            if self.jit_fn.__module__.startswith("ttkit.language"):  # what was given to it is wrong, not what it reads
                raise KernelMistake(message=f"{described(value)} has no attribute '{name}'") from error
            raise NoAttribute(kind=type(value).__name__, value=described(value), attribute=name) from error

    def visit_JoinedStr(self, node: ast.JoinedStr) -> str:
        """The text of an f-string, whose values must be constexprs."""
        parts = []
        for part in node.values:
            if isinstance(part, ast.Constant):
                parts.append(str(part.value))
                continue
            assert isinstance(part, ast.FormattedValue)
            value = self.visit(part.value)
            if isinstance(value, base_value) and not isinstance(value, constexpr):
                message = (
                    "Cannot evaluate f-string containing non-constexpr conversion values, found conversion of type "
                    f"{type(value)}"
                )
                raise self.unsupported(node, message, "print values with tl.device_print")
            conversion = "" if part.conversion < 0 else "!" + chr(part.conversion)
            spec = unwrap(self.visit(part.format_spec)) if part.format_spec is not None else ""
            check_format(spec)
            parts.append(f"{{{conversion}:{spec}}}".format(unwrap(value)))
        return "".join(parts)

    # --- Sequences ---------------------------------------------------------------------------------------------------
    def visit_Tuple(self, node: ast.Tuple | ast.List) -> tuple:
        """A tuple of the language, also for a list; its items may be tensors."""
        return tuple([self.visit(item) for item in node.elts])

    visit_List = visit_Tuple

    def visit_ListComp(self, node: ast.ListComp) -> tuple:
        """A comprehension over a tuple, unrolled; one `for`, whose `if`s must be known while compiling."""
        if len(node.generators) != 1:
            raise self.unsupported(node, "nested comprehensions are not supported")
        (comprehension,) = node.generators
        items = self.visit(comprehension.iter)
        if isinstance(items, constexpr) and isinstance(items.value, (list, builtins.tuple)):
            items = tuple([item if isinstance(item, base_value) else constexpr(item) for item in items.value])
        if not isinstance(items, tuple):
            raise NotImplementedError("only tuple comprehensions are supported")
        results = []
        for item in items:
            self.assign_value(comprehension.target, item)
            if all(self._is_kept(test) for test in comprehension.ifs):
                results.append(self.visit(node.elt))
        return tuple(results)

    def _is_kept(self, test: ast.expr) -> bool:
        """Whether the `if` of a comprehension holds.  Raises CompilationError where that is known only at run time."""
        value = unwrap(self.visit(test))
        if isinstance(value, base_value):
            raise self.unsupported(test, "the condition of a comprehension must be a constexpr", "use tl.where")
        return bool(value)

    def visit_Slice(self, node: ast.Slice) -> slice:
        """Bounds of a slice, each None where it is left out."""
        return slice(self.visit(node.lower), self.visit(node.upper), self.visit(node.step))

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        """`value[index]`, of tensors and tuples alike."""
        value = self.visit(node.value)
        if not hasattr(value, "__getitem__"):
            raise KernelMistake(message=f"{described(value)} can't be indexed")
        if isinstance(value, KernelInterface):
            raise KernelMistake(message=f"a kernel can't launch {described(value)}: call it, without a grid")
        index = self.visit(node.slice)
        is_method = type(value) is tensor or special_method(value, "__getitem__")
        try:
            return self.call(node, value.__getitem__, [index], {}) if is_method else value[index]
        except IndexError as error:
            raise NoItem(value=described(value), index=described(index)) from error

    # --- Operators ---------------------------------------------------------------------------------------------------
    def binary(self, node: ast.AST, method: str, left: Any, right: Any) -> Any:
        """The operator `method` of two values, tensors or not.

        Raises:
            BadConstants: two constants don't have it.
            NoAttribute: two other values don't.
        """
        if (found := operator_method(left, right, method)) is not None:
            return self.call(node, found[0], [found[1]], {})
        if type(left) is tensor:
            operand, other = left, right
        elif type(right) is tensor:
            operand, other, method = right, left, self._reflected(method)
        else:
            if method in _EQUALITY and isinstance(left, (list, builtins.tuple)):
                left = tuple([item if isinstance(item, base_value) else constexpr(item) for item in left])
            if isinstance(right, constexpr) and not isinstance(left, (constexpr, tuple)):
                left = constexpr(left)
            if isinstance(left, constexpr):
                return self.call(node, getattr(left, method), [right], {})
            if (of_left := getattr(left, method, None)) is None:
                sign, right = SIGNS[method.strip("_")], unwrap(right)
                text = f"unsupported operand type(s) for {sign}: '{type(left).__name__}' and '{type(right).__name__}'"
                raise BadConstants(text=text, operator=sign, left=left, right=right)
            return self.call(node, of_left, [right], {})
        operator: Any = getattr(operand, method, None)
        if operator is None:
            raise NoAttribute(kind="tensor", value=f"{described(operand)}; see tl.math", attribute=method)
        return operator(other)

    def _reflected(self, method: str) -> str:
        """The method by which a tensor, the right operand, computes an operator whose left operand is another value."""
        if method in REFLECTED_COMPARISONS and since(3, 9):
            return REFLECTED_COMPARISONS[method]  # `0 < x` is `x > 0`
        return f"__r{method[2:]}"

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        """A sum, product and so on, by the operands' methods or their reflected ones."""
        left = self.visit(node.left)
        right = self.visit(node.right)
        method = _BINARY.get(type(node.op))
        if method is None:
            if (found := operator_method(left, right, "__matmul__")) is not None:
                return self.call(node, found[0], [found[1]], {})
            name = type(node.op).__name__
            message = f"AST binary operator '{name}' is not (currently) implemented."
            raise self.unsupported(node, message, "use tl.dot")
        return self.binary(node, method, left, right)

    def visit_Compare(self, node: ast.Compare) -> Any:
        """A comparison, or several joined by `and`; `is` and `is not` compare while compiling.

        `a < b < c` computes `b` once, and `c` unless `a < b` is known to be false.
        """
        left = self.visit(node.left)
        if len(node.ops) == 1:
            return self._compare(node, node.ops[0], left, self.visit(node.comparators[0]))
        return self._joined(node, self._comparisons(node, left))

    def _comparisons(self, node: ast.Compare, left: Any) -> Iterator[Any]:
        for op, comparator in zip(node.ops, node.comparators):
            right = self.visit(comparator)
            yield self._compare(node, op, left, right)
            left = right

    def _compare(self, node: ast.Compare, op: ast.cmpop, left: Any, right: Any) -> Any:
        kind = type(op)
        if kind is ast.Is:
            return constexpr(unwrap(left) is unwrap(right))
        if kind is ast.IsNot:
            return constexpr(unwrap(left) is not unwrap(right))
        if kind not in _COMPARE:
            raise self.unsupported(node, f"AST comparison operator '{kind.__name__}' is not (currently) implemented.")
        return self.binary(node, _COMPARE[kind], left, right)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        """A sign, `~` or `not`, by the operand's method."""
        operand = self.visit(node.operand)
        method = _UNARY[type(node.op)]
        if (of_class := special_method(operand, method)) is not None:
            return self.call(node, of_class, [], {})
        operator = getattr(operand, method, None)
        if operator is not None:
            return operator()
        if isinstance(operand, tensor):
            raise NoAttribute(kind="tensor", value=f"{described(operand)}; leave out the sign", attribute=method)
        if method == "__not__":
            return constexpr(not operand)
        kind = type(operand).__name__
        raise self.unsupported(node, f"AST unary operator '{method}' is not (currently) implemented on type {kind}")

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        """Constants decide at compile time, and stop what follows from being computed, as in Python."""
        return self._joined(node, map(self.visit, node.values), type(node.op))

    def _joined(self, node: Any, given: Iterator[Any], kind: type = ast.And) -> Any:
        """The values `given`, which are computed as they are asked for, joined by `and` or `or`."""
        is_and = kind is ast.And
        values = []
        value: Any = None
        for value in given:
            if not isinstance(value, tensor):
                if bool(value) is not is_and:
                    return value
                continue
            if value.type.is_block() and isinstance(node, ast.BoolOp):
                warnings.warn_explicit(
                    "Logical operators 'and' and 'or' are deprecated for non-scalar tensors; please use '&' or '|' "
                    "instead",
                    category=UserWarning,
                    filename=self.file,
                    lineno=self.lines_before + node.lineno,
                )
            values.append(value)
        if not values:
            return value
        while len(values) > 1:
            right = values.pop()
            left = values.pop()
            values.append(self.binary(node, _LOGICAL[kind], left, right))
        return values[0]
