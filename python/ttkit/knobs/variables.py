"""Environment variables as typed attributes: what a knob is, and what a group of them can do."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # as of typing, whose import would take longer than all of ttkit.knobs
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from typing import Any, Self


class Env:
    """The type of `knobs.env`: assigning it to a knob makes it follow the environment again."""

    def __repr__(self) -> str:
        return "knobs.env"


env = Env()
_UNSET = object()
TRUE = frozenset(["1", "y", "on", "yes", "true"])
_COMPILER_TRUE = frozenset(["1", "on", "true"])
_COMPILER_FALSE = frozenset(["0", "off", "false"])


def compiler_flag(text: str) -> bool | None:
    """Value of a word in the compiler's variables: True for `1 on true`, False for `0 off false`, None for others."""
    word = text.lower()
    return True if word in _COMPILER_TRUE else False if word in _COMPILER_FALSE else None


class Variable:
    """A knob: reads its environment variable each time, unless a value was assigned.

    Args:
        key: the variable.
        default: the value without it, or what gives it.
        help: what it does, in one line.
        status: why ttkit accepts it and does nothing; empty for a knob that works.
        said: compiling says so, once, where the variable is set.
        shows: it prints or writes something while compiling, so the cache is not asked.
        choices: the words that mean something; compiling says of others that they are ignored.  Empty for any.
    """

    name: str
    nothing: Any = None

    def __init__(
        self,
        key: str,
        default: Any = _UNSET,
        help: str = "",
        *,
        status: str = "",
        said: bool = True,
        shows: bool = False,
        choices: tuple[str, ...] = (),
    ) -> None:
        self.key, self.help, self.status, self.shows = key, help, status, shows
        self.said = said and bool(status)
        self.choices = choices
        self.default = self.nothing if default is _UNSET else default

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, group: Any, owner: type | None = None) -> Any:
        if group is None:
            return self
        value = group.__dict__.get(self.name, _UNSET)
        return self.read() if value is _UNSET else self.transform(value)

    def __set__(self, group: Any, value: Any) -> None:
        if isinstance(value, Env):
            group.__dict__.pop(self.name, None)
            return
        group.__dict__[self.name] = value
        if not sys.modules["ttkit.knobs"].propagate_env:
            return
        if value is None:
            os.environ.pop(self.key, None)
        elif type(value) is bool:
            os.environ[self.key] = "1" if value else "0"
        elif isinstance(value, (str, int)):
            os.environ[self.key] = str(value)

    def __delete__(self, group: Any) -> None:
        group.__dict__.pop(self.name, None)

    def read(self) -> Any:
        """The value by the environment."""
        text = os.environ.get(self.key)
        return self.missing() if text is None else self.parse(text)

    def get(self) -> Any:
        """`read`, by Triton's name."""
        return self.read()

    def missing(self) -> Any:
        """The value without the variable."""
        return self.default() if callable(self.default) else self.default

    def listed(self, group: Any) -> Any:
        """The value in a list of all."""
        return self.__get__(group)

    def parse(self, text: str) -> Any:
        """The value that a text in the environment stands for."""
        return text

    def words(self, text: str) -> tuple[str, ...]:
        """The words of a text in the environment, each of which may be one of `choices`."""
        return (text,)

    def transform(self, val: Any) -> Any:
        """Value that reading gives after `val` was assigned."""
        return val


class Text(Variable):
    """A variable whose value is text as it stands."""

    if TYPE_CHECKING:

        def __get__(self, group: Any, owner: type | None = None) -> str: ...


class OptionalText(Variable):
    """Text, or None where the variable is not set."""

    if TYPE_CHECKING:

        def __get__(self, group: Any, owner: type | None = None) -> str | None: ...


class Flag(Variable):
    """True for `1 y on yes true`, in any case; false for anything else."""

    nothing: Any = False
    spellings = TRUE | frozenset(["", "0", "n", "off", "no", "false"])  # other words mean false, perhaps by a typo

    if TYPE_CHECKING:

        def __get__(self, group: Any, owner: type | None = None) -> bool: ...

    def parse(self, text: str) -> bool:
        """Whether a word means yes."""
        return text.lower() in TRUE


class OptionalFlag(Flag):
    """A flag, or None where the variable is not set."""

    nothing = None


class CompilerFlag(Flag):
    """True for `1 on true`, in any case: what Triton's C++ reads knows fewer words."""

    spellings = _COMPILER_TRUE | _COMPILER_FALSE | frozenset([""])

    def parse(self, text: str) -> bool:
        """Whether a word means yes to the compiler."""
        return compiler_flag(text) is True


class FlagOrText(Variable):
    """True and false for the words of `CompilerFlag`; any other text stands for itself, such as a kernel's name."""

    nothing = False

    if TYPE_CHECKING:

        def __get__(self, group: Any, owner: type | None = None) -> bool | str: ...

    def parse(self, text: str) -> bool | str:
        """True or False for a word of the compiler, else the text."""
        flag = compiler_flag(text)
        return text if flag is None and text else bool(flag)


class Words(Variable):
    """Words separated by commas."""

    nothing = ()

    if TYPE_CHECKING:

        def __get__(self, group: Any, owner: type | None = None) -> tuple[str, ...]: ...

    def parse(self, text: str) -> tuple[str, ...]:
        """The words, without blanks around them."""
        return tuple(word.strip() for word in text.split(",") if word.strip())

    words = parse


class Number(Variable):
    """A variable whose value is an integer."""

    if TYPE_CHECKING:

        def __get__(self, group: Any, owner: type | None = None) -> int: ...

    def parse(self, text: str) -> int:
        """A decimal integer.  Raises RuntimeError: it is none."""
        try:
            return int(text)
        except ValueError:
            raise RuntimeError(f"Unable to use {self.key}={text}: expected int") from None


class ClassName(Variable):
    """A class as `module:Class`.

    Args:
        base: the name of a class that it must be derived from.
    """

    def __init__(self, key: str, base: str, help: str = "") -> None:
        super().__init__(key, help=help)
        self.base = base

    if TYPE_CHECKING:

        def __get__(self, group: Any, owner: type | None = None) -> type[Any] | None: ...

    def parse(self, text: str) -> type[Any]:
        """The class that `module:Class` names.  Raises RuntimeError: the text is not of that form."""
        from importlib import import_module

        module, separator, name = text.partition(":")
        if not separator:
            raise RuntimeError(f"Unable to read {self.key}: '{text}' isn't of the form MODULE:CLASS")
        try:
            found: type[Any] = getattr(import_module(module), name)
        except (ImportError, AttributeError, ValueError) as error:
            raise RuntimeError(f"Unable to use '{text}' from {self.key}: {error}") from error
        if not isinstance(found, type) or all(ancestor.__name__ != self.base for ancestor in found.__mro__):
            raise RuntimeError(f"Unable to use '{text}' from {self.key}: not of type '{self.base}'")
        return found


class Group:
    """Knobs by subject; an instance holds the values that were assigned."""

    @property
    def knob_descriptors(self) -> dict[str, Variable]:
        """The knobs themselves, by name."""
        return {name: knob for name, knob in type(self).__dict__.items() if isinstance(knob, Variable)}

    @property
    def knobs(self) -> dict[str, Any]:
        """The values of all knobs, by name; None for programs that are not installed."""
        return {name: knob.listed(self) for name, knob in self.knob_descriptors.items()}

    def copy(self) -> Self:
        """A group with the same assigned values; what is assigned to one is not seen in the other."""
        made = type(self)()
        made.__dict__.update(self.__dict__)
        return made

    def reset(self) -> Self:
        """Lets every knob follow the environment again."""
        for name in self.knob_descriptors:
            self.__dict__.pop(name, None)
        return self

    def scope(self) -> AbstractContextManager[None]:
        """A `with` statement's scope: at its end, knobs, hooks and variables are as they were before."""
        return _Scope(self)


class _Scope:
    def __init__(self, group: Group) -> None:
        self.group = group

    def __enter__(self) -> None:
        self.assigned = dict(self.group.__dict__)
        self.hooks = [(chain, chain.calls[:]) for chain in self.assigned.values() if isinstance(chain, HookChain)]
        keys = [knob.key for knob in self.group.knob_descriptors.values()]
        self.variables = {key: os.environ.get(key) for key in keys}

    def __exit__(self, *_: object) -> None:
        self.group.__dict__.clear()
        self.group.__dict__.update(self.assigned)
        for chain, calls in self.hooks:
            chain.calls[:] = calls
        for key, text in self.variables.items():
            if text is None:
                os.environ.pop(key, None)
            else:
                os.environ[key] = text


class HookChain:
    """Functions that are called one after the other.

    Args:
        reversed: the one added last is called first.
    """

    def __init__(self, reversed: bool = False) -> None:
        self.calls: list[Callable[..., Any]] = []
        self.reversed = reversed

    def __iter__(self) -> Iterator[Callable[..., Any]]:
        return iter(self.calls[::-1] if self.reversed else self.calls[:])

    def __bool__(self) -> bool:
        """Whether there is anything to call."""
        return bool(self.calls)

    def add(self, func: Callable[..., Any]) -> None:
        """Adds a function, unless it is there."""
        if func not in self.calls:
            self.calls.append(func)

    def remove(self, func: Callable[..., Any]) -> None:
        """Takes a function out, if it is there."""
        if func in self.calls:
            self.calls.remove(func)

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        for call in self.calls[::-1] if self.reversed else self.calls[:]:
            call(*args, **kwargs)
