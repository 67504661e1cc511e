"""Types and attributes that are defined in Python: their classes, how they are made, read and verified."""

from __future__ import annotations

import ctypes
import inspect
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from mlir import ir

import ttkit.dialects.defined as defined
from ttkit._native import library
from ttkit._signatures import DefinedCallback, ParametersCallback
from ttkit.dialects import _type_base as base
from ttkit.dialects._attribute_parts import AttributePart, attribute_part, signature_of, wrong_attribute
from ttkit.dialects._constraints import Parameters
from ttkit.dialects._failures import failure_of, known_context

_TAKEN = frozenset([*dir(ir.Type), *dir(ir.Attribute), "parts", "signature", "spelling", "dialect", "result_types"])


class Parametric:
    """The common part of types and attributes that are defined in Python: the bindings' classes take no second base.

    Attributes:
        dialect: the class of the dialect.
        parts: the parameters.
        spelling: the name in IR, such as `!roll.pair`.
        signature: of `get`, less the context.
    """

    dialect: ClassVar[Any]
    parts: ClassVar[tuple[AttributePart, ...]] = ()
    spelling: ClassVar[str] = ""
    signature: ClassVar[inspect.Signature]

    def __init_subclass__(cls, name: str = "") -> None:
        """Defines a type or an attribute.

        Args:
            name: without the dialect.

        Raises:
            TypeError: the name is none, or an annotation is not that of a parameter.
            ValueError: the dialect has one of the name already.
        """
        if not name:
            return
        if not hasattr(cls, "dialect"):
            raise TypeError(f"{cls.__name__} is in no dialect: derive it from MyDialect.Type or MyDialect.Attribute")
        if not re.fullmatch(r"[a-z_][a-z0-9_]*", name):
            raise TypeError(f"'{name}' can't name a type or attribute: small letters, digits and _, such as pair")
        is_attribute, full = issubclass(cls, ir.Attribute), f"{cls.dialect.name}.{name}"
        cls.spelling = f"{'#' if is_attribute else '!'}{full}"
        if cls.spelling in defined.PARAMETRICS:
            other = defined.PARAMETRICS[cls.spelling].__qualname__
            raise ValueError(f"there is a '{cls.spelling}' already, {other}")
        hints = inspect.get_annotations(cls, eval_str=True)
        for taken in _TAKEN & hints.keys():
            raise TypeError(f"{cls.__name__}.{taken}: every type has something of that name; choose another")
        cls.parts = tuple(attribute_part(cls, of, hint) for of, hint in hints.items())
        for part in cls.parts:
            if part.is_optional:
                raise TypeError(f"{cls.__name__}.{part.name}: a parameter can't be absent")
        cls.signature = signature_of((), cls.parts)
        for index, part in enumerate(cls.parts):
            setattr(cls, part.name, _parameter(index, part, is_attribute))
        library().ttkitDefineParametric(cls.dialect.name.encode(), name.encode(), is_attribute, _verify, _defined)
        defined.PARAMETRICS[cls.spelling] = cls

    def __init__(self, of: Any) -> None:
        """Casts a type or attribute of the bindings.  Raises ValueError if it is another."""
        if not re.match(rf"{re.escape(self.spelling)}(<|$)", str(of)):
            raise ValueError(f"{of} is not a {self.spelling}")
        (ir.Attribute if isinstance(self, ir.Attribute) else ir.Type).__init__(self, of)

    def __class_getitem__(cls, parameters: Any) -> Parameters:
        """A constraint, for annotations: `Pair[ir.F32Type, 4]`."""
        return Parameters(cls, parameters if isinstance(parameters, tuple) else (parameters,))

    @classmethod
    def get(cls, *args: Any, context: ir.Context | None = None, **kwargs: Any) -> Any:
        """The type or attribute with these parameters, in the order of the class or by name.

        Args:
            context: by default the current one.

        Raises:
            TypeError: parameters are missing, too many, or of other kinds.
            ValueError: the class refuses them, or the context lacks the dialect.
        """
        bound = cls.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        context = context or ir.Context.current
        with context:
            given = [part.kind(bound.arguments[part.name], context) for part in cls.parts]
            if found := cls.complaint(given):
                raise ValueError(found)
            dialect, _, name = cls.spelling[1:].partition(".")
            handles = (ctypes.c_void_p * len(given))(*map(base.attribute_pointer, given))
            is_attribute = issubclass(cls, ir.Attribute)
            make = library().ttkitDefinedAttribute if is_attribute else library().ttkitDefinedType
            made = make(base.context_pointer(context), dialect.encode(), name.encode(), handles, len(given))
            if not made:
                raise ValueError(f"the context has no {cls.spelling}: {cls.dialect.__name__}.load() adds it")
            return base.attribute_at(made) if is_attribute else base.type_at(made)

    @classmethod
    def text(cls, *args: Any, **kwargs: Any) -> str:
        """The type or attribute with these parameters as it stands in IR; types may also be those of the language."""
        bound = cls.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        parameters = ", ".join(part.text(bound.arguments[part.name]) for part in cls.parts)
        return f"{cls.spelling}<{parameters}>" if parameters else cls.spelling

    if TYPE_CHECKING:
        verify_invariants: ClassVar[Callable[..., None]]  # classes write it with parameters of their own
    else:

        @classmethod
        def verify_invariants(cls, *parameters: Any) -> None:
            """Raises ValueError, with what is wrong, for parameters that don't go together; each is of its kind."""

    @classmethod
    def complaint(cls, given: Sequence[ir.Attribute]) -> str:
        """The text for parameters that are wrong; empty if nothing is."""
        if len(given) != len(cls.parts):
            names = ", ".join(part.name for part in cls.parts)
            plural = "s" * (len(cls.parts) != 1)
            return f"{cls.spelling} has {len(cls.parts)} parameter{plural} ({names}), found {len(given)}"
        for part, attribute in zip(cls.parts, given):
            if found := wrong_attribute(part, attribute, "parameter"):
                return f"{cls.spelling}: {found}"
        try:
            cls.verify_invariants(*(part.kind.read(attribute) for part, attribute in zip(cls.parts, given)))
        except Exception as error:
            return failure_of(error, cls.spelling, f"{cls.spelling}: ")
        return ""


if TYPE_CHECKING:

    class TypeBase(Parametric, ir.Type):
        """The base of all types that are defined in Python."""

    class AttributeBase(Parametric, ir.Attribute):
        """The base of all attributes that are defined in Python."""
else:
    _COMMON = {name: of for name, of in vars(Parametric).items() if name not in ("__dict__", "__weakref__", "__doc__")}
    TypeBase = type(ir.Type)("TypeBase", (ir.Type,), {**_COMMON, "__doc__": Parametric.__doc__})
    AttributeBase = type(ir.Attribute)("AttributeBase", (ir.Attribute,), {**_COMMON, "__doc__": Parametric.__doc__})


def _parameter(index: int, part: AttributePart, is_attribute: bool) -> property:
    def read(of: Any) -> Any:
        """The parameter's Python value."""
        if is_attribute:
            found = library().ttkitAttributeParameter(base.attribute_pointer(of), index)
        else:
            found = library().ttkitTypeParameter(base.type_pointer(of), index)
        return part.kind.read(base.attribute_at(found))

    return property(read)


@ParametersCallback
def _verify(name: bytes, is_attribute: bool, context: int, parameters: Any, count: int, report: int) -> bool:
    """Whether parameters are valid; says what is not by a diagnostic.  Raises nothing, since its caller is C++."""
    with known_context(context):
        cls = defined.PARAMETRICS[f"{'#' if is_attribute else '!'}{name.decode()}"]
        complaint = cls.complaint([base.attribute_at(parameters[index]) for index in range(count)])
    if complaint:
        library().ttkitReportParameters(report, complaint.encode())
    return not complaint


@DefinedCallback
def _defined(name: bytes, is_attribute: bool, pointer: int) -> None:
    """Has the bindings give types or attributes of a TypeID, which a context has made, their class.

    The TypeID of a context that is gone may come again, for something else: the class that is registered last is right.
    """
    cls = defined.PARAMETRICS[f"{'#' if is_attribute else '!'}{name.decode()}"]
    ir.register_type_caster(base.type_id_at(pointer), replace=True)(cls)
