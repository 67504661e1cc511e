"""Parts of the generated modules of operations: classes' accessors, and `create`, which builders end in.

A class has an accessor for each part of its operation, by the name that the td file gives it:

    op.ptr      an operand or a result: a value, None where it is optional and absent, a list where there are several;
                an operand that is one value can be set to another
    op.cache    an attribute as a Python value, an enumeration's member where it is one; None if absent; can be set
    op.body     a region

Equal accessors are one object.  A class is made when it is first used, or when the first operation arrives that it is
for: a kernel needs few of them, and all took 4 % of the instructions of a process's first compilation.
"""

import functools
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from mlir import ir
from mlir._mlir_libs import _mlir

from ttkit._native import library
from ttkit.dialects._attributes import Kind, i32, i32_array  # noqa: F401
from ttkit.guards.attributes import check_kept
from ttkit.guards.contexts import check_one_context
from ttkit.guards.erased import is_watched

library()  # the bindings look for classes of operations here first

Operand: TypeAlias = ir.Value | ir.OpView | ir.Operation
OpView = ir.OpView
create_unchecked = getattr(ir.Operation.create, "__wrapped__", ir.Operation.create)
"""MLIR's own, which any contexts can be mixed by: a third faster."""
_register = _mlir.globals._register_operation_impl
_REGISTERED: dict[str, Any] = {}
"""The name of an operation -> its class, or what makes it."""


# --- Building --------------------------------------------------------------------------------------------------------
def create(
    name: str,
    operands: Sequence[Operand],
    attributes: dict[str, ir.Attribute] | None = None,
    results: Sequence[ir.Type] | None = None,
    regions: int = 0,
    successors: Sequence[ir.Block] | None = None,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.Operation:
    """Builds an operation by name.

    Args:
        operands: values; an operation stands for its only result.
        results: types; None has MLIR infer them.
        loc, ip: by default the current ones.

    Raises:
        TypeError: an operand is neither a value nor an operation.
        ValueError: some of it is of another context than the rest; it takes no attribute of the kind of one.
        ir.MLIRError: MLIR can't infer the types of the results.
    """
    if is_watched():
        check_one_context(operands, attributes, results, loc or ir.Location.current, ip or _insertion_point())
    try:
        made = create_unchecked(name, results, operands, attributes, successors, regions, loc, ip, results is None)
    except TypeError:
        if all(isinstance(operand, ir.Value) for operand in operands):
            raise
        values = [value_of(operand) for operand in operands]
        made = create_unchecked(name, results, values, attributes, successors, regions, loc, ip, results is None)
    if attributes and is_watched():
        check_kept(made, attributes)
    return made


def _insertion_point() -> ir.InsertionPoint | None:
    """The current one, if there is any."""
    try:
        return ir.InsertionPoint.current
    except ValueError:
        return None


def value_of(operand: Operand) -> ir.Value:
    """A value itself, the only result of an operation.

    Raises:
        TypeError: it is neither.
        ValueError: an operation of no result or several.
    """
    if isinstance(operand, ir.Value):
        return operand
    if not isinstance(operand, (ir.OpView, ir.Operation)):
        raise TypeError(f"expected a value, or an operation of one result, found {operand!r}")
    return operand.operation.result


def segmented(*groups: Any) -> tuple[list[Operand], ir.Attribute]:
    """The operands of all groups, each one value, None, or a sequence of values; and the sizes of the groups."""
    operands: list[Any] = []
    sizes = []
    for group in groups:
        before = len(operands)
        if isinstance(group, (list, tuple, ir.OpOperandList, ir.OpResultList, ir.BlockArgumentList)):
            operands += group
        elif group is not None:
            operands.append(group)
        sizes.append(len(operands) - before)
    context = operands[0].context if operands else None
    return operands, i32_array(sizes, context)


def given(value: Any) -> tuple[Any, ...]:
    """The value alone, or nothing if it is None."""
    return () if value is None else (value,)


def one_or_all(results: Sequence[ir.Value]) -> Any:
    """The only result, or all."""
    return results[0] if len(results) == 1 else results


# --- Classes ---------------------------------------------------------------------------------------------------------
def operation(cls: type[ir.OpView]) -> type[ir.OpView]:
    """Decorator: operations of the name `cls.OPERATION_NAME` arrive as `cls`."""
    _register_class(cls.OPERATION_NAME, cls)
    return cls


def _register_class(name: str, cls: Any) -> None:
    _REGISTERED[name] = cls
    _register(name, cls, replace=True)


class _FirstUse:
    """Stands for a class until the first operation arrives: the bindings call nothing but `__new__`."""

    def __init__(self, get: Callable[[], type[ir.OpView]]) -> None:
        self.get = get
        vars(self)["__new__"] = self._first

    def _first(self, _: object) -> Any:
        """The first operation's object, empty."""
        cls: Any = self.get()
        return cls.__new__(cls)


class Classes:
    """The classes of a module's operations."""

    def __init__(self, module: str) -> None:
        self.module = sys.modules[module]
        self._members: dict[str, tuple[str, Callable[[], dict[str, Any]], _FirstUse]] = {}

    def on_demand(self, name: str, operation_name: str) -> Callable[[Callable[[], dict[str, Any]]], None]:
        """Decorator: a function gives what is in a class, and has its text."""

        def keep(members: Callable[[], dict[str, Any]]) -> None:
            """Registers what makes the class."""
            first_use = _FirstUse(functools.partial(getattr, self.module, name))
            self._members[name] = operation_name, members, first_use
            _register_class(operation_name, first_use)

        return keep

    def get(self, name: str) -> type[ir.OpView]:
        """The class, which the module has from then on: the module's `__getattr__`.  Raises AttributeError."""
        if name not in self._members:
            raise AttributeError(f"module {self.module.__name__!r} has no attribute {name!r}")
        operation_name, members, first_use = self._members[name]
        about = {"__module__": self.module.__name__, "OPERATION_NAME": operation_name}
        if members.__doc__:
            about["__doc__"] = members.__doc__
        # Another thread may have been faster.
        cls: type[ir.OpView] = vars(self.module).setdefault(name, type(name, (OpView,), about | members()))
        if _REGISTERED[operation_name] is first_use:  # not a class that was written by hand
            operation(cls)
        return cls

    def names(self) -> list[str]:
        """All names of the module, made or not: the module's `__dir__`."""
        return sorted({*vars(self.module), *self._members})


@functools.cache
def _one(of: str, index: int) -> property:
    """One operand or result, from the end if `index` is negative."""

    def write(op: ir.OpView, value: ir.Value) -> None:
        """Has the operation use another value."""
        op.operation.operands[index] = value

    return property(lambda op: getattr(op.operation, of)[index], write if of == "operands" else None)


@functools.cache
def _optional(of: str, index: int) -> property:
    """The last operand or result, which may be absent."""

    def read(op: ir.OpView) -> ir.Value | None:
        """The value, or None."""
        values = getattr(op.operation, of)
        return values[index] if len(values) > index else None

    def write(op: ir.OpView, value: ir.Value) -> None:
        """Has the operation use another value; IndexError if it has none there."""
        op.operation.operands[index] = value

    return property(read, write if of == "operands" else None)


@functools.cache
def _several(of: str, start: int, after: int) -> property:
    """The operands or results from `start` on but for the last `after`."""

    def read(op: ir.OpView) -> Any:
        """The values from `start` on, less the last `after`."""
        found = getattr(op.operation, of)
        return found[start : len(found) - after]

    return property(read)


operand, result = (functools.partial(_one, of) for of in ("operands", "results"))
optional_operand, optional_result = (functools.partial(_optional, of) for of in ("operands", "results"))
operands, results = (functools.partial(_several, of) for of in ("operands", "results"))


@functools.cache
def equal_group(index: int, of: int, start: int) -> property:
    """One of several groups of operands of equal sizes, the first of which begins at `start`."""

    def read(op: ir.OpView) -> Any:
        """The operands of group `index` of `of` groups that share those from `start` on."""
        found = op.operation.operands
        size = (len(found) - start) // of
        return found[start + index * size : start + (index + 1) * size]

    return property(read)


def _group(of: str, index: int) -> Callable[[ir.OpView], Any]:
    name = f"{of[:-1]}SegmentSizes"

    def read(op: ir.OpView) -> Any:
        """The values of group `index`, whose sizes stand in the attribute."""
        operation = op.operation
        sizes = operation.attributes[name]
        start = sum(sizes[before] for before in range(index))
        return getattr(operation, of)[start : start + sizes[index]]

    return read


def _write_group(of: str, index: int) -> Callable[[ir.OpView, ir.Value], None] | None:
    """The setter of the only value of a group of operands; None for results."""
    if of != "operands":
        return None

    def write(op: ir.OpView, value: ir.Value) -> None:
        """Has the operation use another value; IndexError if the group is empty."""
        operation = op.operation
        sizes = operation.attributes["operandSegmentSizes"]
        if not sizes[index]:
            raise IndexError(f"'{operation.name}' has no operand in group {index}; an operand has to be added")
        operation.operands[sum(sizes[before] for before in range(index))] = value

    return write


@functools.cache
def group(index: int, of: str = "operands") -> property:
    """One group of operands or results, whose sizes an attribute has."""
    return property(_group(of, index))


@functools.cache
def one_in_group(index: int, of: str = "operands") -> property:
    """The value of a group of one."""
    read = _group(of, index)
    return property(lambda op: read(op)[0], _write_group(of, index))


@functools.cache
def optional_in_group(index: int, of: str = "operands") -> property:
    """The value of a group of one or none."""
    read = _group(of, index)

    def first(op: ir.OpView) -> ir.Value | None:
        """The only value of the group, or None."""
        found = read(op)
        return found[0] if len(found) else None

    return property(first, _write_group(of, index))


@functools.cache
def region(index: int) -> property:
    """A region."""
    return property(lambda op: op.operation.regions[index])


@functools.cache
def regions(start: int) -> property:
    """The regions from `start` on."""
    return property(lambda op: op.operation.regions[start:])


@functools.cache
def attribute(name: str, kind: Kind) -> property:
    """An attribute as a Python value, None if it is absent; setting it to None removes it."""
    read_attribute = kind.read

    def read(op: ir.OpView) -> Any:
        """The attribute's Python value, or None."""
        attributes = op.operation.attributes
        return read_attribute(attributes[name]) if name in attributes else None

    def write(op: ir.OpView, value: Any) -> None:
        """Sets the attribute; None erases it."""
        attributes = op.operation.attributes
        if value is not None:
            attributes[name] = kind(value, op.operation.context)
        elif name in attributes:
            del attributes[name]

    return property(read, write)


@functools.cache
def flag(name: str) -> property:
    """A unit attribute: whether it is there."""

    def write(op: ir.OpView, value: bool) -> None:
        """Sets the unit attribute, or erases it."""
        attributes = op.operation.attributes
        if value:
            attributes[name] = ir.UnitAttr.get(op.operation.context)
        elif name in attributes:
            del attributes[name]

    return property(lambda op: name in op.operation.attributes, write)
