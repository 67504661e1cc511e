"""Operands, results, regions and attributes of an operation that is defined in Python, read from its class."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Annotated, Any, get_args, get_origin

from mlir import ir

from ttkit.dialects._attribute_parts import AttributePart, attribute_part, signature_of
from ttkit.dialects._constraints import Constraint, constraint_of, stands_for_one_type, without_none
from ttkit.records import dataclass

ONE, OPTIONAL, SEVERAL = "one", "optional", "several"
"""How many values, or regions, a part of an operation has."""


@dataclass(frozen=True)
class ValuePart:
    """An operand or a result.

    Attributes:
        same: the NewType or TypeVar that stands for its type; None if it has none.
        constraint: what its type must be; None for any.
        count: ONE, OPTIONAL or SEVERAL.
    """

    name: str
    same: Any = None
    constraint: Constraint | None = None
    count: str = ONE


@dataclass(frozen=True)
class OneBlock:
    """In `Annotated[ext.Region, ...]`: a region of one block.

    Attributes:
        arguments: a class of types, or a NewType, for each argument of the block; None for any arguments.
        terminator: the class of the operation that ends the block; None for any.
    """

    arguments: tuple[Any, ...] | None = None
    terminator: Any = None


@dataclass(frozen=True)
class AnyBlocks:
    """In `Annotated[ext.Region, ...]`: a region of one block or more."""


@dataclass(frozen=True)
class RegionPart:
    """A region, or the regions from one on.

    Attributes:
        blocks: which it has.
        arguments: those of its block; None for any.
        count: ONE, OPTIONAL (it may have no block) or SEVERAL, which only the last one can be.
    """

    name: str
    blocks: OneBlock | AnyBlocks = field(default_factory=OneBlock)
    arguments: tuple[ValuePart, ...] | None = None
    count: str = ONE


_TAKEN = frozenset([*dir(ir.OpView), "results", "loc", "ip", "dialect", "parts", "keeps_layout"]) - {"result"}
"""Names that parts can't have."""


@dataclass(frozen=True)
class Parts:
    """The parts of an operation, in the order of its class."""

    operands: tuple[ValuePart, ...]
    results: tuple[ValuePart, ...]
    attributes: tuple[AttributePart, ...]
    regions: tuple[RegionPart, ...]
    signature: inspect.Signature

    @classmethod
    def of_class(cls, owner: type, operand: Any, result: Any, region: Any) -> Parts:
        """The parts by the annotations of a class.

        Args:
            operand, result, region: the classes that annotate operands, results and regions.

        Raises:
            TypeError: an annotation is none of them, and no kind of attribute; or a name is taken.
        """
        operands: list[ValuePart] = []
        results: list[ValuePart] = []
        attributes: list[AttributePart] = []
        regions: list[RegionPart] = []
        for name, hint in inspect.get_annotations(owner, eval_str=True).items():
            if name in _TAKEN:
                raise TypeError(f"{owner.__name__}.{name}: every operation has something of that name; choose another")
            one, count = _counted(hint)
            blocks = next((of for of in get_args(one)[1:] if isinstance(of, (OneBlock, AnyBlocks))), OneBlock())
            one = get_args(one)[0] if get_origin(one) is Annotated and get_args(one)[0] is region else one
            origin = get_origin(one) or one
            if origin is region:
                regions.append(_region_part(owner, name, blocks, count))
            elif origin in (operand, result):
                (operands if origin is operand else results).append(_value_part(owner, name, one, count))
            else:
                attributes.append(attribute_part(owner, name, hint))
        if any(part.count == SEVERAL for part in regions[:-1]):
            raise TypeError(f"{owner.__name__}: only the last region of an operation can be several")
        signature = signature_of([part.name for part in operands], attributes, [part.name for part in regions])
        return cls(tuple(operands), tuple(results), tuple(attributes), tuple(regions), signature)

    def source_of(self, part: ValuePart) -> int | None:
        """The number of an operand, always there, that has the type of a value by a NewType; None if there is none."""
        if part.same is None or part.count != ONE:
            return None
        found = (index for index, one in enumerate(self.operands) if one.same is part.same and one.count == ONE)
        return next(found, None)

    def of(self, what: str) -> tuple[ValuePart, ...]:
        """The parts that are "operands" or "results"."""
        return self.operands if what == "operands" else self.results

    def has_segments(self, what: str) -> bool:
        """Whether an attribute says how many values each part of operands or results has."""
        return sum(part.count != ONE for part in self.of(what)) > 1

    def sizes(self, what: str, op: ir.Operation) -> list[int]:
        """The numbers of operands or results of an operation that belong to each part.

        Raises:
            ValueError: they do not go together, with what is wrong.
        """
        parts, count = self.of(what), len(getattr(op, what))
        if self.has_segments(what):
            sizes = _segments(op, what, len(parts))
        else:
            rest = count - sum(part.count == ONE for part in parts)
            sizes = [1 if part.count == ONE else rest for part in parts]
        one = what[:-1]
        if sum(sizes) != count or any(size < 0 for size in sizes):
            least, most = (sum(part.count in counts for part in parts) for counts in ((ONE,), (ONE, OPTIONAL)))
            if self.has_segments(what):
                raise ValueError(f"{segments_name(what)} has {sum(sizes)} {what}, found {count}")
            several = any(part.count == SEVERAL for part in parts)
            wanted = f"at least {least}" if several else f"{least} or {most}" if least < most else str(least)
            plural = "s" * (wanted.rpartition(" ")[2] != "1")
            raise ValueError(f"expected {wanted} {one}{plural}, found {count}")
        for part, size in zip(parts, sizes):
            if (size > 1 and part.count == OPTIONAL) or (size != 1 and part.count == ONE):
                wanted = "one value" if part.count == ONE else "one value or none"
                raise ValueError(f"{one} '{part.name}' must be {wanted}, found {size}")
        return sizes

    def groups(self, what: str, op: ir.Operation) -> Iterator[tuple[ValuePart, list[ir.Value]]]:
        """Each part of operands or results, with its values.  Raises ValueError as `sizes`."""
        values, start = list(getattr(op, what)), 0
        for part, size in zip(self.of(what), self.sizes(what, op)):
            yield part, values[start : start + size]
            start += size


def segments_name(what: str) -> str:
    """The attribute with the sizes of the parts of "operands" or "results", as all of MLIR names it."""
    return f"{what[:-1]}SegmentSizes"


def _segments(op: ir.Operation, what: str, parts: int) -> list[int]:
    """Raises ValueError if the attribute is missing, or not for so many parts."""
    name = segments_name(what)
    found = op.attributes.get(name)
    if not isinstance(found, ir.DenseI32ArrayAttr) or len(found) != parts:
        of = "nothing" if found is None else found
        meaning = f"how many {what} each part has"
        raise ValueError(f"attribute '{name}' must be an array of {parts} i32, {meaning}; found {of}")
    return list(found)


def _counted(hint: Any) -> tuple[Any, str]:
    """X of the annotation `X`, `X | None` or `Sequence[X]`, and how many there are."""
    if get_origin(hint) in (Sequence, list):
        return get_args(hint)[0], SEVERAL
    inner = without_none(hint)
    return (hint, ONE) if inner is None else (inner, OPTIONAL)


def _region_part(owner: type, name: str, blocks: OneBlock | AnyBlocks, count: str) -> RegionPart:
    wanted = blocks.arguments if isinstance(blocks, OneBlock) else None
    if wanted is None:
        return RegionPart(name, blocks, None, count)
    arguments = [_typed(owner, f"{name}, argument {number}", of) for number, of in enumerate(wanted)]
    return RegionPart(name, blocks, tuple(arguments), count)


def _value_part(owner: type, name: str, hint: Any, count: str) -> ValuePart:
    if not get_args(hint):
        return ValuePart(name, count=count)
    (of,) = get_args(hint)
    part = _typed(owner, name, of)
    return ValuePart(name, part.same, part.constraint, count)


def _typed(owner: type, name: str, of: Any) -> ValuePart:
    """Raises TypeError for an annotation that is not a class of types and does not stand for one."""
    constraint = None if of is ir.Type else constraint_of(of, ir.Type)
    if constraint is None and of is not ir.Type and not stands_for_one_type(of):
        raise TypeError(f"{owner.__name__}.{name}: in brackets stands a class of ir.Type, or a NewType, found {of}")
    return ValuePart(name, of if stands_for_one_type(of) else None, constraint)
