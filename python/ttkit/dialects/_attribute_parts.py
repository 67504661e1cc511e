"""Attributes of operations, and parameters of types and attributes, by their annotations in a class."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isfinite
from struct import pack, unpack
from typing import Annotated, Any, get_args, get_origin

from mlir import ir

from ttkit.dialects import _attributes as kinds
from ttkit.dialects._attributes import Kind
from ttkit.dialects._constraints import Constraint, constraint_of, without_none
from ttkit.records import dataclass

REQUIRED: Any = inspect.Parameter.empty


@dataclass(frozen=True)
class AttributePart:
    """An attribute of an operation, or a parameter of a type or attribute.

    Attributes:
        kind: from Python values and to them.
        expects: what it must be, in words.
        is_one: whether an attribute is of the kind.
        text: the spelling in IR of a Python value.
        default: REQUIRED if there is none.
        is_optional: whether operations may lack it; it is None then.
    """

    name: str
    kind: Kind
    expects: str
    is_one: Callable[[ir.Attribute], bool]
    text: Callable[[Any], str]
    default: Any = REQUIRED
    is_optional: bool = False


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


def attribute_part(owner: type, name: str, hint: Any) -> AttributePart:
    """The attribute, or parameter, that an annotation of a class describes.

    Raises:
        TypeError: the annotation is not a kind of attribute.
    """
    default = vars(owner).get(name, REQUIRED)
    part = _required_part(owner, name, hint)
    if part is None and (inner := without_none(hint)) is not None:
        part = _required_part(owner, name, inner)
        if part is not None:
            return replace(part, default=None if default is REQUIRED else default, is_optional=True)
    if part is None:
        known = "ext.Operand, ext.Result, ext.Region, bool, int, float, str, tuple[int, ...], ir.Attribute or ir.Type"
        raise TypeError(f"{owner.__name__}.{name} is {hint}; write {known}")
    return replace(part, default=default)


def _required_part(owner: type, name: str, hint: Any) -> AttributePart | None:
    if get_origin(hint) is Annotated and (kind := get_args(hint)[1]) in _BITS:
        return AttributePart(name, kind, *_integer(_BITS[kind]))
    try:
        if hint in _KINDS:
            return AttributePart(name, *_KINDS[hint])
    except TypeError:  # an annotation that can't be hashed
        return None
    if (of := constraint_of(hint, ir.Type)) is not None:
        return AttributePart(name, kinds.type_of, _in_words(of), functools.partial(_is_type, of), _type_text)
    if (found := constraint_of(hint, ir.Attribute)) is not None:
        return AttributePart(name, kinds.any_attribute, _in_words(found), found.holds, str)
    return None


def _in_words(constraint: Constraint) -> str:
    return constraint.words.removeprefix("type ")


def _is_type(constraint: Constraint, found: ir.Attribute) -> bool:
    return isinstance(found, ir.TypeAttr) and constraint.holds(found.value)


def _type_text(value: Any) -> str:
    """A type's text; also of a dtype of the language."""
    return str(getattr(value, "ir", value))


def signature_of(
    required: Sequence[str], parts: Sequence[AttributePart], last: Sequence[str] = ()
) -> inspect.Signature:
    """The signature of a builder: names without a default, attributes, and names whose default is None."""
    either, named = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    rest, has_default = [], False
    for part in parts:  # by name only, once one before has a default
        rest.append(inspect.Parameter(part.name, named if has_default else either, default=part.default))
        has_default |= part.default is not REQUIRED
    first = [inspect.Parameter(name, either) for name in required]
    return inspect.Signature([*first, *rest, *(inspect.Parameter(name, named, default=None) for name in last)])


def wrong_attribute(part: AttributePart, found: ir.Attribute | None, what: str) -> str:
    """The text for an attribute or parameter that is missing or of another kind; empty if it is right."""
    if found is None:
        return "" if part.is_optional else f"{what} '{part.name}' is missing; it is {part.expects}"
    return "" if part.is_one(found) else f"{what} '{part.name}' must be {part.expects}, found {found}"
