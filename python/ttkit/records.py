"""`dataclass` as Python's dataclasses have it, for what a compilation loads: no method is text that Python compiles.

Python's own writes each method of a class as text, parses and compiles it, which was a tenth of the instructions of a
process's first compilation; most of these methods were never called.  Here each method is one function for all classes,
which knows the fields of its class.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import inspect
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, **options):
        """A class with the methods of a dataclass; options are `init`, `repr`, `eq` and `frozen`.

        Raises:
            TypeError: it is frozen and a class that it inherits from is not, or the other way around.
        """
        return _made(cls, **options) if cls is not None else lambda cls: _made(cls, **options)


def _made(cls: Any, init: bool = True, repr: bool = True, eq: bool = True, frozen: bool = False) -> Any:
    own = set(vars(cls))
    has_hash = vars(cls).get("__hash__") is not None or ("__hash__" in own and "__eq__" not in own)
    _find_fields(cls, init, repr, eq, frozen)
    methods: dict[str, Any] = {}
    if init and "__init__" not in own:
        methods["__init__"] = initialize = _initialize(cls)
        methods["__signature__"] = _Signature(initialize)
    if repr:
        methods["__repr__"] = _represent
    if eq:
        methods["__eq__"] = _equals(_getter(field.name for field in dataclasses.fields(cls) if field.compare))
    for name in methods.keys() - own:
        setattr(cls, name, methods[name])
    if frozen:
        cls.__setattr__, cls.__delattr__ = _refusals(cls)
    if eq and not has_hash:
        hashed = (f.name for f in dataclasses.fields(cls) if (f.compare if f.hash is None else f.hash))
        cls.__hash__ = _hash(_getter(hashed)) if frozen else None
    return cls


def _find_fields(cls: Any, init: bool, repr: bool, eq: bool, frozen: bool) -> None:
    """Has Python's dataclasses find the fields of a class, and say of it what it is."""
    bases = [vars(base)["__dataclass_params__"] for base in cls.__mro__[1:] if "__dataclass_params__" in vars(base)]
    if any(base.frozen != frozen for base in bases):
        raise TypeError(f"{cls.__name__}: either it and the dataclasses that it inherits from are frozen, or none is")
    without_text = cls.__doc__ is None
    if without_text:
        cls.__doc__ = " "  # else dataclasses would write a signature there
    try:
        for base in bases:
            base.frozen = False  # dataclasses refuses a class whose methods are not frozen, of one whose methods are
        dataclasses.dataclass(init=False, repr=False, eq=False)(cls)
    finally:
        for base in bases:
            base.frozen = frozen
        if without_text:
            cls.__doc__ = None
    parameters = cls.__dataclass_params__
    parameters.init, parameters.repr, parameters.eq, parameters.frozen = init, repr, eq, frozen


class _Signature:
    """The signature of a class, made when it is asked for."""

    def __init__(self, init: Callable[..., None]) -> None:
        self.init = init

    def __get__(self, instance: object, cls: Any) -> inspect.Signature:
        if instance is not None or cls.__init__ is not self.init:  # a subclass has its own
            raise AttributeError("__signature__")
        return _signature(cls)


def _signature(cls: Any) -> inspect.Signature:
    from inspect import Parameter, Signature

    kinds, found = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY), []
    parameters = [field for field in dataclasses.fields(cls) if field.init]
    for field in sorted(parameters, key=lambda field: bool(field.kw_only)):
        given = (one for one in (field.default, field.default_factory) if one is not dataclasses.MISSING)
        default = next(given, Parameter.empty)
        found.append(Parameter(field.name, kinds[bool(field.kw_only)], default=default, annotation=field.type))
    return Signature(found, return_annotation=None)


def _check_arguments(cls: Any, args: tuple[Any, ...], named: dict[str, Any]) -> None:
    """Raises TypeError, with the class and the argument that is missing, unknown or given twice."""
    try:
        _signature(cls).bind(*args, **named)
    except TypeError as error:
        raise TypeError(f"{cls.__qualname__}: {error}") from None


def _initialize(cls: Any) -> Callable[..., None]:
    fields = dataclasses.fields(cls)
    names = tuple(field.name for field in fields if field.init and not field.kw_only)
    known = frozenset(field.name for field in fields if field.init)
    # A default of a field that is no parameter is the class's own attribute.
    defaults = [
        (field.name, field.default) for field in fields if field.init and field.default is not dataclasses.MISSING
    ]
    factories = [
        (field.name, field.default_factory) for field in fields if field.default_factory is not dataclasses.MISSING
    ]
    required = known - {name for name, _ in (*defaults, *factories)}
    finish = getattr(cls, "__post_init__", None)
    complete = len(names) if len(names) == len(fields) else -1

    def __init__(self: Any, /, *args: Any, **named: Any) -> None:
        """Takes the fields in their order, or by their names."""
        values = self.__dict__
        values.update(zip(names, args))
        if named:
            values.update(named)
        elif len(args) == complete:
            if finish is not None:
                self.__post_init__()
            return
        if len(values) != len(args) + len(named) or not required <= values.keys() <= known:
            _check_arguments(cls, args, named)
        if len(values) < len(fields):
            for name, default in defaults:
                values.setdefault(name, default)
            for name, make in factories:
                if name not in values:
                    values[name] = make()
        if finish is not None:
            self.__post_init__()

    __init__.__qualname__ = f"{cls.__qualname__}.__init__"
    return __init__


@recursive_repr()
def _represent(self: Any) -> str:
    fields = (f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr)
    return f"{type(self).__qualname__}({', '.join(fields)})"


def _getter(names: Iterable[str]) -> Callable[[Any], tuple[Any, ...]]:
    """A function that gives these attributes of an object, as a tuple."""
    names = tuple(names)
    return attrgetter(*names) if len(names) > 1 else lambda self: tuple(getattr(self, name) for name in names)


def _equals(values: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    def __eq__(self: Any, other: Any) -> Any:
        """Whether the classes and all fields are the same."""
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _hash(values: Callable[[Any], Any]) -> Callable[[Any], int]:
    def __hash__(self: Any) -> int:
        """The hash of all fields."""
        return hash(values(self))

    return __hash__


def _refusals(cls: Any) -> tuple[Callable[..., None], Callable[..., None]]:
    """`__setattr__` and `__delattr__` of a frozen class; objects of its subclasses may have attributes of their own."""

    def __setattr__(self: Any, name: str, value: Any) -> None:
        """Raises FrozenInstanceError."""
        if type(self) is cls or name in cls.__dataclass_fields__:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:
        """Raises FrozenInstanceError."""
        if type(self) is cls or name in cls.__dataclass_fields__:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return __setattr__, __delattr__
