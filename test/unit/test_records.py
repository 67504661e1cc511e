"""`ttkit.records.dataclass` does what Python's does, and compiles no text."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from ttkit.records import dataclass


def classes(dataclass: Callable[..., Any]) -> SimpleNamespace:
    """Classes with all that dataclasses of the compiler have."""

    @dataclass(frozen=True)
    class Frozen:
        """Is documented."""

        x: int
        y: str = "a"
        z: list[int] = dataclasses.field(default_factory=list, compare=False)
        w: int = dataclasses.field(default=4, repr=False)

        def __post_init__(self) -> None:
            self.__dict__["is_complete"] = True

    @dataclass
    class Plain:
        x: Any
        y: int = dataclasses.field(default=3, init=False)
        made: dict[str, int] = dataclasses.field(default_factory=dict, init=False)

    @dataclass(frozen=True)
    class Inherits(Frozen):
        x: float
        v: int = dataclasses.field(default=9, kw_only=True)

    class Open(Frozen):
        pass

    @dataclass(eq=False)
    class ByIdentity:
        x: int

    @dataclass(frozen=True)
    class OwnMethods:
        x: int
        hash: int = dataclasses.field(default=0, hash=False)

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return "own"

    @dataclass(frozen=True)
    class Empty:
        pass

    return SimpleNamespace(**{name: value for name, value in locals().items() if isinstance(value, type)})


ACTIONS = (
    "Frozen(1)", "Frozen(1, 'b')", "Frozen(x=1, y=2, z=[1])", "Frozen()", "Frozen(1, x=1)", "Frozen(1, 2, 3, 4, 5)",
    "Frozen(q=1)", "Frozen(1, q=1)", "Frozen(1) == Frozen(1)", "Frozen(1) == Frozen(2)", "Frozen(1) == 1",
    "hash(Frozen(1, 'b', [1])) == hash(Frozen(1, 'b', [2]))", "Frozen(1).is_complete", "Frozen(1).w", "Frozen.w",
    "Frozen.__doc__", "Frozen.__match_args__", "Frozen.__dataclass_params__", "Frozen.__init__.__qualname__",
    "setattr(Frozen(1), 'x', 2)", "setattr(Frozen(1), 'other', 2)", "delattr(Frozen(1), 'x')",
    "Plain(1)", "Plain(1) == Plain(1)", "Plain(1, 2)", "Plain(1, y=2)", "hash(Plain(1))", "setattr(Plain(1), 'x', 2)",
    "Plain(1).made is Plain(1).made", "(lambda one: one.__init__(one) or one)(Plain(2))",
    "Inherits(1, v=3)", "Inherits(1, 'b', [], 4, 5)", "Inherits(1) == Frozen(1)", "[f.name for f in fields(Inherits)]",
    "Open(1)", "setattr(Open(1), 'x', 2)", "setattr(Open(1), 'other', 2)", "delattr(Open(1), 'other')",
    "ByIdentity(1) == ByIdentity(1)", "hash(ByIdentity(1)) is None", "OwnMethods(1)", "OwnMethods(1) == 5",
    "hash(OwnMethods(1))", "Empty()", "Empty() == Empty()", "hash(Empty()) == hash(Empty())",
    "Plain(float('nan')) == Plain(float('nan'))", "(lambda nan: Plain(nan) == Plain(nan))(float('nan'))",
    "replace(Frozen(1), x=5)", "replace(Plain(1), y=5)", "asdict(Frozen(1))", "astuple(Inherits(1))",
    "copy.copy(Frozen(1))", "copy.deepcopy(Frozen(1, z=[2]))", "signature(Plain)",
    "list(signature(Inherits).parameters)",
)  # fmt: skip


def outcome(action: str, made: SimpleNamespace) -> str:
    """The text of an expression's value, or the name of its error."""
    names = {**vars(dataclasses), **vars(made), "copy": copy, "signature": inspect.signature}
    try:
        return repr(eval(action, names)).replace("<class 'dict'>", "<factory>")
    except (TypeError, ValueError, AttributeError) as error:
        return type(error).__name__


@pytest.mark.parametrize("action", ACTIONS)
def test_as_dataclasses(action: str) -> None:
    assert outcome(action, classes(dataclass)) == outcome(action, classes(dataclasses.dataclass))


@pytest.mark.parametrize("frozen", [False, True])
def test_frozen_and_others_do_not_inherit_from_each_other(frozen: bool) -> None:
    @dataclass(frozen=frozen)
    class Base:
        x: int

    for made_by in (dataclass, dataclasses.dataclass):
        with pytest.raises(TypeError, match="frozen"):
            made_by(frozen=not frozen)(type("Other", (Base,), {}))
        assert dataclasses.is_dataclass(made_by(frozen=frozen)(type("Same", (Base,), {})))
    assert Base.__dataclass_params__.frozen == frozen  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Sent:
    """Goes through pickle."""

    x: int
    y: tuple[int, ...] = ()


def test_pickled() -> None:
    assert pickle.loads(pickle.dumps(Sent(1, (2, 3)))) == Sent(1, (2, 3))


def test_contains_itself() -> None:
    one = classes(dataclass).Plain(None)
    one.x = one
    assert repr(one).count("...") == 1


def test_error_names_the_class_and_the_argument() -> None:
    with pytest.raises(TypeError, match="Sent: missing a required argument: 'x'"):
        Sent()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="Sent: got an unexpected keyword argument 'z'"):
        Sent(1, z=3)  # type: ignore[call-arg]


def test_no_text_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataclasses, "_create_fn", None, raising=False)  # Python 3.12 and older
    monkeypatch.setattr(dataclasses, "exec", None, raising=False)
    assert outcome("Inherits(1)", classes(dataclass)) == "classes.<locals>.Inherits(x=1, y='a', z=[], v=9)"
