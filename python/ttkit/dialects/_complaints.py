"""Texts of diagnostics: errors in an operation that is defined in Python."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mlir import ir

from ttkit.dialects._attribute_parts import wrong_attribute
from ttkit.dialects._parts import ONE, SEVERAL, OneBlock, Parts, RegionPart, ValuePart


def complaint_about(op: ir.Operation, parts: Parts, keeps_layout: bool) -> str:
    """The text for parts of an operation that are wrong; empty if all are as the class says.

    What stands in its regions is not looked at: `complaint_about_regions` does, once that is verified.
    """
    try:
        operands, results = list(parts.groups("operands", op)), list(parts.groups("results", op))
    except ValueError as error:
        return str(error)
    checks = [
        _wrong_values(operands, "operand"),
        _wrong_values(results, "result"),
        _wrong_types([*operands, *results]),
        *(wrong_attribute(part, op.attributes.get(part.name), "attribute") for part in parts.attributes),
        _wrong_count_of_regions(op, parts.regions),
        _wrong_layouts(op) if keeps_layout else "",
    ]
    return next(filter(None, checks), "")


Groups = Iterable[tuple[ValuePart, list[ir.Value]]]


def _wrong_values(groups: Groups, what: str) -> str:
    for part, values in groups:
        for value in values:
            if part.constraint is not None and not part.constraint.holds(value.type):
                return f"{what} '{part.name}' must be of {part.constraint.words}, found {value.type}"
    return ""


def _wrong_types(groups: Groups) -> str:
    """Whether values of one NewType or TypeVar have different types."""
    known: dict[Any, tuple[str, ir.Type]] = {}
    for part, values in groups:
        for value in values if part.same is not None else ():
            name, type = known.setdefault(part.same, (part.name, value.type))
            if type != value.type:
                return f"'{name}' and '{part.name}' must have the same type, found {type} and {value.type}"
    return ""


def _wrong_layouts(op: ir.Operation) -> str:
    types = [value.type for value in [*op.operands, *op.results]]
    found = list(dict.fromkeys(type.encoding for type in types if isinstance(type, ir.RankedTensorType)))
    return f"tensors must have one layout, found {found[0]} and {found[1]}" if len(found) > 1 else ""


# --- Regions ---------------------------------------------------------------------------------------------------------
def _wrong_count_of_regions(op: ir.Operation, parts: tuple[RegionPart, ...]) -> str:
    count, has_several = len(op.regions), bool(parts) and parts[-1].count == SEVERAL
    least = len(parts) - has_several
    if count == least or (count > least and has_several):
        return ""
    if not parts:
        return f"has {count} region{'s' * (count != 1)}; it takes none"
    return f"expected {'at least ' * has_several}{least} region{'s' * (least != 1)}, found {count}"


def complaint_about_regions(op: ir.Operation, parts: Parts) -> str:
    """The text for blocks, arguments and terminators that are wrong; empty if all are as the class says."""
    known = {part.same: values[0] for part, values in parts.groups("operands", op) if part.same and values}
    regions = list(op.regions)
    for index, part in enumerate(parts.regions):
        for region in regions[index:] if part.count == SEVERAL else regions[index : index + 1]:
            if found := _wrong_region(region, part, known):
                return f"region '{part.name}' {found}"
    return ""


def _wrong_region(region: ir.Region, part: RegionPart, known: dict[Any, ir.Value]) -> str:
    blocks = list(region.blocks)
    if not blocks:
        return "" if part.count != ONE else "has no block"
    if not isinstance(part.blocks, OneBlock):
        return ""
    if len(blocks) != 1:
        return f"must have one block, found {len(blocks)}"
    return _wrong_arguments(blocks[0], part, known) or _wrong_terminator(blocks[0], part.blocks.terminator)


def _wrong_arguments(block: ir.Block, part: RegionPart, known: dict[Any, ir.Value]) -> str:
    if part.arguments is None:
        return ""
    types = [argument.type for argument in block.arguments]
    if len(types) != len(part.arguments):
        return f"must have {len(part.arguments)} argument{'s' * (len(part.arguments) != 1)}, found {len(types)}"
    for number, (type, of) in enumerate(zip(types, part.arguments)):
        if of.constraint is not None and not of.constraint.holds(type):
            return f"must have argument {number} of {of.constraint.words}, found {type}"
        if of.same in known and known[of.same].type != type:
            return f"must have argument {number} of type {known[of.same].type}, found {type}"
    return ""


def _wrong_terminator(block: ir.Block, wanted: Any) -> str:
    if wanted is None:
        return ""
    operations = list(block.operations)
    found = operations[-1].operation.name if operations else "nothing"
    return "" if found == wanted.OPERATION_NAME else f"must end in '{wanted.OPERATION_NAME}', found {found!r}"
