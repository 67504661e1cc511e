"""Enumeration attributes that read and write as Python enums.

TableGen stores them as plain i32 attributes, so a generated accessor returns an IntegerAttr and a generated builder
takes a number.  Here builders also take a member or its spelling in the IR, and accessors return the member.
"""

from collections.abc import Callable
from enum import IntEnum, IntFlag
from functools import reduce
from operator import or_
from typing import TypeVar, cast

from mlir import ir

Enum = TypeVar("Enum", bound=IntEnum | IntFlag)


def member(enum: type[Enum], value: Enum | int | str) -> Enum:
    """The member of `enum` that `value` is, numbers or is spelled as in the IR; flags are joined by "|".

    Raises:
        ValueError: there is none.
    """
    if not isinstance(value, str):
        return enum(value)
    spelled = {str(candidate): candidate for candidate in enum.__members__.values()}
    parts = value.split("|") if issubclass(enum, IntFlag) else [value]
    if any(part not in spelled for part in parts):
        raise ValueError(f"{value!r} is no {enum.__name__}: expected {', '.join(spelled)}")
    return cast(Enum, reduce(or_, (spelled[part] for part in parts)))


def register_enums(**enums: type[IntEnum]) -> None:
    """Lets builders take names for the attributes of these TableGen definitions."""
    for definition, enum in enums.items():
        ir.register_attribute_builder(definition, replace=True)(_builder(enum))


def _builder(enum: type[IntEnum]) -> Callable[..., ir.IntegerAttr]:
    def build(value: IntEnum | int | str, context: ir.Context | None) -> ir.IntegerAttr:
        return ir.IntegerAttr.get(ir.IntegerType.get_signless(32, context), int(member(enum, value)))

    return build


def enum_fields(op_class: type[ir.OpView], **fields: type[IntEnum]) -> None:
    """Makes these attributes of an operation class read and write as enums; an absent one is None."""
    for name, enum in fields.items():
        setattr(op_class, name, _accessor(name, enum, _builder(enum)))


def _accessor(name: str, enum: type[IntEnum], build: Callable[..., ir.IntegerAttr]) -> property:
    def read(op: ir.OpView) -> IntEnum | None:
        attributes = op.operation.attributes
        return enum(attributes[name].value) if name in attributes else None

    def write(op: ir.OpView, value: IntEnum | int | str) -> None:
        op.operation.attributes[name] = build(value, op.operation.context)

    return property(read, write, doc=f"The {enum.__name__}; assignment also takes its spelling.")
