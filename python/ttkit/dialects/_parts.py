"""Operands, results and attributes of an operation that is defined in Python, read from its class."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from struct import pack, unpack
from typing import Annotated, Any, TypeVar, get_args, get_origin

from mlir import ir

from ttkit.dialects import _attributes as kinds
from ttkit.dialects._attributes import Kind

REQUIRED: Any = inspect.Parameter.empty


@dataclass(frozen=True)
class ValuePart:
    """An operand or a result.

    Attributes:
        same: the TypeVar that stands for its type; None if it has none.
        kind: the class of types that it may have; None for any.
    """

    name: str
    same: Any = None
    kind: type[ir.Type] | None = None


@dataclass(frozen=True)
class AttributePart:
    """An attribute.

    Attributes:
        kind: from Python values and to them.
        expects: what it must be, in words.
        is_one: whether an attribute is of the kind.
        text: the spelling in IR of a Python value.
        default: REQUIRED if there is none.
    """

    name: str
    kind: Kind
    expects: str
    is_one: Callable[[ir.Attribute], bool]
    text: Callable[[Any], str]
    default: Any = REQUIRED


def _quoted(text: str) -> str:
    """A string as MLIR writes it."""
    plain = all(32 <= code < 127 and chr(code) not in '"\\' for code in text.encode())
    escaped = text if plain else "".join(f"\\{code:02X}" for code in text.encode())
    return f'"{escaped}"'


def _number(value: float) -> str:
    """A number of 64 bits, exactly; infinities and NaN by their bits."""
    text = f"{value:.17e}" if isfinite(value) else f"0x{unpack('<Q', pack('<d', value))[0]:016X}"
    return f"{text} : f64"


def _numbers(values: Any) -> str:
    return f"array<i32: {', '.join(map(str, values))}>" if len(values) else "array<i32>"


_BITS = {kinds.i8: 8, kinds.i16: 16, kinds.i32: 32, kinds.i64: 64}
"""The kinds of integers by which an attribute can be annotated, with their sizes."""


def _integer(bits: int) -> tuple[str, Callable[[Any], bool], Callable[[Any], str]]:
    """For an integer attribute: its name in errors, whether an attribute is one, its text in IR."""

    def is_one(found: Any) -> bool:
        """Whether it is a signless integer of so many bits."""
        return isinstance(found, ir.IntegerAttr) and str(found.type) == f"i{bits}"

    return f"an integer of type i{bits}", is_one, lambda value: f"{int(value)} : i{bits}"


# Annotation: the kind, in words, whether an attribute is one, the text of a value.
_KINDS: dict[Any, tuple[Kind, str, Callable[[Any], bool], Callable[[Any], str]]] = {
    bool: (
        kinds.boolean,
        "true or false",
        lambda found: isinstance(found, ir.BoolAttr),
        lambda value: str(bool(value)).lower(),
    ),
    int: (kinds.i32, *_integer(32)),
    float: (
        kinds.f64,
        "a number of type f64",
        lambda found: isinstance(found, ir.FloatAttr) and str(found.type) == "f64",
        _number,
    ),
    str: (kinds.string, "a string", lambda found: isinstance(found, ir.StringAttr), _quoted),
    tuple[int, ...]: (
        kinds.i32_array,
        "an array of i32",
        lambda found: isinstance(found, ir.DenseI32ArrayAttr),
        _numbers,
    ),
    ir.Attribute: (kinds.any_attribute, "an attribute", lambda found: True, str),
}


_TAKEN = frozenset([*dir(ir.OpView), "results", "loc", "ip", "dialect", "parts", "keeps_layout"]) - {"result"}
"""Names that parts can't have."""


@dataclass(frozen=True)
class Parts:
    """The parts of an operation, in the order of its class."""

    operands: tuple[ValuePart, ...]
    results: tuple[ValuePart, ...]
    attributes: tuple[AttributePart, ...]
    signature: inspect.Signature

    @classmethod
    def of_class(cls, owner: type, operand: Any, result: Any) -> Parts:
        """The parts by the annotations of a class.

        Args:
            operand, result: the classes that annotate operands and results.

        Raises:
            TypeError: an annotation is none of them, and no kind of attribute; or a name is taken.
        """
        operands: list[ValuePart] = []
        results: list[ValuePart] = []
        attributes: list[AttributePart] = []
        for name, hint in inspect.get_annotations(owner, eval_str=True).items():
            if name in _TAKEN:
                raise TypeError(f"{owner.__name__}.{name}: every operation has something of that name; choose another")
            origin = get_origin(hint) or hint
            if origin in (operand, result):
                (operands if origin is operand else results).append(_value_part(owner, name, hint))
            else:
                attributes.append(_attribute_part(owner, name, hint))
        return cls(tuple(operands), tuple(results), tuple(attributes), _signature(operands, attributes))

    def source_of(self, part: ValuePart) -> int | None:
        """The number of an operand that has the type of a result by a TypeVar; None if there is none."""
        found = (index for index, one in enumerate(self.operands) if part.same is not None and one.same is part.same)
        return next(found, None)


def _value_part(owner: type, name: str, hint: Any) -> ValuePart:
    if not get_args(hint):
        return ValuePart(name)
    (of,) = get_args(hint)
    kind = of.__bound__ if isinstance(of, TypeVar) else of
    if kind is not None and not (isinstance(kind, type) and issubclass(kind, ir.Type)):
        raise TypeError(f"{owner.__name__}.{name}: in brackets stands a class of ir.Type, or a TypeVar, found {of}")
    return ValuePart(name, of if isinstance(of, TypeVar) else None, kind)


def _attribute_part(owner: type, name: str, hint: Any) -> AttributePart:
    default = vars(owner).get(name, REQUIRED)
    if get_origin(hint) is Annotated and (kind := get_args(hint)[1]) in _BITS:
        return AttributePart(name, kind, *_integer(_BITS[kind]), default)
    if hint not in _KINDS:
        known = "ext.Operand, ext.Result, bool, int, float, str, tuple[int, ...] or ir.Attribute"
        raise TypeError(f"{owner.__name__}.{name} is {hint}; write {known}")
    return AttributePart(name, *_KINDS[hint], default)


def _signature(operands: list[ValuePart], attributes: list[AttributePart]) -> inspect.Signature:
    either = inspect.Parameter.POSITIONAL_OR_KEYWORD
    required = [inspect.Parameter(part.name, either) for part in operands]
    rest, has_default = [], False
    for part in attributes:  # by name only, once one before has a default
        kind = inspect.Parameter.KEYWORD_ONLY if has_default else either
        rest.append(inspect.Parameter(part.name, kind, default=part.default))
        has_default |= part.default is not REQUIRED
    return inspect.Signature([*required, *rest])


# --- Checks ----------------------------------------------------------------------------------------------------------
def complaint_about(op: ir.Operation, parts: Parts, keeps_layout: bool) -> str:
    """The text for parts of an operation that are wrong; empty if all are as the class says."""
    checks = [
        _wrong_values(op.operands, parts.operands, "operand"),
        _wrong_values(op.results, parts.results, "result"),
        _wrong_types(op, parts),
        *(_wrong_attribute(op, part) for part in parts.attributes),
        f"has {len(op.regions)} regions; it takes none" if len(op.regions) else "",
        _wrong_layouts(op) if keeps_layout else "",
    ]
    return next(filter(None, checks), "")


def _wrong_values(values: Any, parts: tuple[ValuePart, ...], what: str) -> str:
    if len(values) != len(parts):
        return f"expected {len(parts)} {what}{'s' * (len(parts) != 1)}, found {len(values)}"
    for value, part in zip(values, parts):
        if part.kind is not None and not isinstance(value.type, part.kind):
            return f"{what} '{part.name}' must be of a {part.kind.__name__}, found {value.type}"
    return ""


def _wrong_types(op: ir.Operation, parts: Parts) -> str:
    """Whether values of one TypeVar have different types."""
    known: dict[Any, tuple[str, ir.Type]] = {}
    if (len(op.operands), len(op.results)) != (len(parts.operands), len(parts.results)):
        return ""
    for value, part in zip([*op.operands, *op.results], [*parts.operands, *parts.results]):
        name, type = known.setdefault(part.same, (part.name, value.type))
        if part.same is not None and type != value.type:
            return f"'{name}' and '{part.name}' must have the same type, found {type} and {value.type}"
    return ""


def _wrong_attribute(op: ir.Operation, part: AttributePart) -> str:
    if part.name not in op.attributes:
        return f"attribute '{part.name}' is missing; it is {part.expects}"
    found = op.attributes[part.name]
    return "" if part.is_one(found) else f"attribute '{part.name}' must be {part.expects}, found {found}"


def _wrong_layouts(op: ir.Operation) -> str:
    types = [value.type for value in [*op.operands, *op.results]]
    found = list(dict.fromkeys(type.encoding for type in types if isinstance(type, ir.RankedTensorType)))
    return f"tensors must have one layout, found {found[0]} and {found[1]}" if len(found) > 1 else ""
