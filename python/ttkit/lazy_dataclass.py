"""`dataclass` as of the standard library, whose work is done when the class is first used.

The standard decorator writes source code for six methods and compiles it, half a millisecond a class (x86-64, 2026-11).
The compiler's modules have some sixty such classes, most of which a kernel has no use for: here a class begins with
stand-ins, and becomes what `dataclasses.dataclass` makes of it with its first instance, or when its fields are asked
for.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from typing import Any
else:

    def dataclass(cls: type | None = None, /, **options: Any) -> Any:
        """As `dataclasses.dataclass`, with the same options but `slots`, which needs another class."""

        def decorate(cls: type) -> type:
            _Deferred(cls, options)
            return cls

        return decorate if cls is None else decorate(cls)

    def field(**options: Any) -> Any:
        """As `dataclasses.field`."""
        import dataclasses

        return dataclasses.field(**options)


_METHODS = ("__init__", "__repr__", "__eq__", "__hash__")
_ABOUT = ("__dataclass_fields__", "__dataclass_params__", "__match_args__")


class _Deferred:
    """What is still to be done for a class, and the stand-ins that do it."""

    def __init__(self, cls: type, options: dict[str, Any]) -> None:
        self.cls, self.options = cls, options
        wants_hash = options.get("frozen", False) or options.get("unsafe_hash", False)
        methods = [name for name in _METHODS if name != "__hash__" or wants_hash]
        self.stand_ins = [name for name in methods if name not in cls.__dict__]
        for name in self.stand_ins:
            setattr(cls, name, self._method(name))
        for name in _ABOUT:
            setattr(cls, name, _Attribute(name, self))
        self.stand_ins += _ABOUT

    def finish(self) -> None:
        """Makes the class a data class."""
        import dataclasses

        names, self.stand_ins = self.stand_ins, []
        for name in names:
            delattr(self.cls, name)
        if names:
            dataclasses.dataclass(**self.options)(self.cls)

    def _method(self, name: str) -> Any:
        def stand_in(instance: Any, *arguments: Any, **named: Any) -> Any:
            self.finish()
            return getattr(type(instance), name)(instance, *arguments, **named)

        return stand_in


class _Attribute:
    """A class attribute that finishes the class when it is read."""

    def __init__(self, name: str, deferred: _Deferred) -> None:
        self.name, self.deferred = name, deferred

    def __get__(self, instance: Any, owner: type) -> Any:
        self.deferred.finish()
        return getattr(owner, self.name)
