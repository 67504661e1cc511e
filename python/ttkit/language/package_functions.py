"""Operations of other packages (`ttkit.dialects.ext`) in kernels: functions that write them, values of own types."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any

from ttkit.language.base import base_type, base_value
from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.constants import ir_type, to_tensor
from ttkit.language.constexpr import unwrap
from ttkit.language.errors import BadArgument
from ttkit.language.reduce import _call_in_block
from ttkit.language.tensor import tensor
from ttkit.language.tuples import is_sequence, tuple


class package_type(base_type):
    """The type of a value that no arithmetic is for: only operations of its package take it.

    Args:
        text: in IR, as `Pair.text(tl.float32, 4)` gives it.
    """

    __slots__ = ("ir",)

    def __init__(self, text: str) -> None:
        self.ir = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, package_type) and self.ir == other.ir

    def __hash__(self) -> int:
        return hash(self.ir)

    def __repr__(self) -> str:
        return self.ir

    def mangle(self) -> str:
        """The text: functions are compiled for each type."""
        return self.ir

    def _flatten_ir_types(self, out: list[str]) -> None:
        out.append(self.ir)

    def _unflatten_ir(self, handles: Any, cursor: int) -> Any:
        return package_value(handles[cursor], self), cursor + 1


class package_value(base_value):
    """A value of a `package_type`."""

    __slots__ = ("handle", "type")

    def __init__(self, handle: Any, type: package_type) -> None:
        self.handle, self.type = handle, type

    def _flatten_ir(self, handles: list[Any]) -> None:
        handles.append(self.handle)

    def __repr__(self) -> str:
        return f"value of type {self.type}"


def kernel_function(
    operation: Any,
    result_types: Callable[..., Sequence[Any]] | None = None,
    block_types: Callable[..., Sequence[Any]] | None = None,
) -> Any:
    """The function by which kernels write an operation that is defined in Python (`ttkit.dialects.ext`).

    It takes the operands, then the attributes, in the order of the class or by name; attributes are constexprs.  An
    optional operand may be None, several are a tuple.  A region is given by its name, as a function that is compiled
    for the arguments of its block, and what that returns goes to the terminator.  It gives the result, a tuple of
    several, or None.

    Args:
        operation: the class.
        result_types: gives the types of the results for what the function takes, for several results a tuple; by
            default each is that of the operand with the same NewType.  Own types are `package_type(Pair.text(...))`.
        block_types: likewise gives the types of the arguments of the regions' blocks; by default they follow from the
            operands likewise.

    Raises:
        TypeError: a region has no terminator that the class names, or may have several blocks.
    """
    parts = operation.parts
    _check_regions(operation)

    def write(*args: Any, **kwargs: Any) -> Any:
        """Adds the operation to the kernel.  Raises BadArgument for results whose types do not follow."""
        bound = parts.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        operands = [_operand(operation, part, bound.arguments[part.name]) for part in parts.operands]
        values = {part.name: unwrap(bound.arguments[part.name]) for part in parts.attributes}
        if result_types is not None:
            types = list(result_types(*operands, **values))
        else:
            types = [_type_like(operation, part, operands, "result") for part in parts.results]
        groups = [_listed(type, part.count) for type, part in zip(types, parts.results)]
        handles = [_listed(value, part.count) for value, part in zip(operands, parts.operands)]
        attributes = _attributes(operation, values, handles, groups)
        target = builder()
        place = target.loc
        blocks = [
            _region(operation, part, bound.arguments[part.name], operands, values, block_types)
            for part in parts.regions
        ]
        flat = [type for group in groups for type in group]
        made = target.emit_op(
            operation.OPERATION_NAME,
            [value.handle for group in handles for value in group],
            [_text_of(type) for type in flat],
            attributes,
            blocks,
        )
        made.loc = place
        return _results([_value(handle, type) for handle, type in zip(made.results, flat)], groups, parts.results)

    write.__name__ = write.__qualname__ = operation.OPERATION_NAME.rpartition(".")[2]
    write.__doc__, write.__module__ = operation.__doc__, operation.__module__
    write.__signature__ = parts.signature
    return builtin(write)


def _check_regions(operation: Any) -> None:
    """Raises TypeError for a region that kernels can't write."""
    for part in operation.parts.regions:
        if getattr(part.blocks, "terminator", None) is None or part.count == "several":
            reason = "kernels write regions of one block, whose terminator OneBlock(terminator=...) names"
            raise TypeError(f"{operation.OPERATION_NAME}: region '{part.name}': {reason}")


def _attributes(operation: Any, values: Any, handles: list[list[Any]], groups: list[list[Any]]) -> dict[str, str]:
    """The attributes as text, and the sizes of groups of operands and results where these have them."""
    parts = operation.parts
    attributes = {
        part.name: _attribute_text(operation, part, values[part.name])
        for part in parts.attributes
        if not (part.is_optional and values[part.name] is None)
    }
    for what, groups_of in (("operands", handles), ("results", groups)):
        if parts.has_segments(what):
            sizes = ", ".join(str(len(group)) for group in groups_of)
            attributes[f"{what[:-1]}SegmentSizes"] = f"array<i32: {sizes}>"
    return attributes


def _operand(operation: Any, part: Any, given: Any) -> Any:
    """The value of an operand, None, or a list of values.  Raises BadArgument for what is none."""
    given = unwrap(given)
    if part.count == "several":
        if not is_sequence(given):
            reason = f"'{part.name}' is several values: give a tuple, found {given}"
            raise BadArgument(function=operation.OPERATION_NAME, reason=reason)
        return [_one_operand(one) for one in given]
    return None if given is None and part.count == "optional" else _one_operand(given)


def _one_operand(given: Any) -> Any:
    return given if isinstance(given, base_value) and not hasattr(given, "value") else to_tensor(given)


def _listed(given: Any, count: str) -> list[Any]:
    if count == "several":
        return list(given)
    return [] if given is None and count == "optional" else [given]


def _text_of(type: Any) -> str:
    return type.ir if isinstance(type, package_type) else ir_type(type)


def _value(handle: Any, type: Any) -> Any:
    return package_value(handle, type) if isinstance(type, package_type) else tensor(handle, type)


def _results(values: list[Any], groups: list[list[Any]], parts: Sequence[Any]) -> Any:
    """The value of the only result, or a tuple of one for each result; several are a tuple, an absent one is None."""
    found, rest = [], iter(values)
    for group, part in zip(groups, parts):
        of = [next(rest) for _ in group]
        found.append(tuple(of) if part.count == "several" else of[0] if of else None)
    return (found[0] if len(found) == 1 else tuple(found)) if found else None


def _type_like(operation: Any, part: Any, operands: Sequence[Any], what: str) -> Any:
    source = operation.parts.source_of(part)
    if source is None:
        argument = "block_types" if what == "argument" else "result_types"
        reason = f"the type of {what} '{part.name}' does not follow from an operand; give kernel_function {argument}"
        raise BadArgument(function=operation.OPERATION_NAME, reason=reason)
    return operands[source].type


def _region(operation: Any, part: Any, given: Any, operands: Sequence[Any], values: Any, block_types: Any) -> Any:
    """The blocks of a region, whose contents a function of the kernel gives."""
    given = unwrap(given)
    if given is None:
        if part.count == "optional":
            return []
        reason = f"region '{part.name}' is a function: give {part.name}="
        raise BadArgument(function=operation.OPERATION_NAME, reason=reason)
    if block_types is not None:
        types = list(block_types(*operands, **values))
    else:
        types = [_type_like(operation, argument, operands, "argument") for argument in part.arguments or ()]
    block, _, _ = _call_in_block(given, types, part.blocks.terminator.OPERATION_NAME)
    return [block]


def _attribute_text(operation: Any, part: Any, value: Any) -> str:
    if isinstance(value, (base_value, builtins.type(None))):
        reason = f"'{part.name}' is {part.expects}, known when the kernel is compiled; found {value}"
        raise BadArgument(function=operation.OPERATION_NAME, reason=reason)
    return str(part.text([unwrap(one) for one in value] if is_sequence(value) else value))
