"""Data classes whose work is done later are data classes all the same."""

import dataclasses
import pickle
from typing import Any

import pytest

from ttkit.lazy_dataclass import dataclass, field


@dataclass(frozen=True)
class Point:
    """A place."""

    x: int
    y: int = 0

    def __post_init__(self) -> None:
        if self.x < 0:
            raise ValueError("x is negative")


def fresh(**options: Any) -> type:
    class Pair:
        first: int
        second: list = field(default_factory=list, compare=False)

    Pair.__annotations__ = {"first": int, "second": list}
    return dataclass(**options)(Pair)


def test_nothing_is_done_before_the_first_use():
    cls = fresh(frozen=True)
    assert "__setattr__" not in vars(cls)
    cls(1)
    assert "__setattr__" in vars(cls)


def test_instances_are_as_those_of_the_standard_decorator():
    assert Point(1, 2) == Point(1, y=2) != Point(2)
    assert {Point(1): 3}[Point(1, 0)] == 3
    assert repr(Point(1)) == "Point(x=1, y=0)"
    assert dataclasses.replace(Point(1), y=4) == Point(1, 4)
    with pytest.raises(dataclasses.FrozenInstanceError):
        Point(1).x = 2
    with pytest.raises(ValueError, match="negative"):
        Point(-1)
    with pytest.raises(TypeError):
        Point()


def test_fields_may_be_asked_for_first():
    cls = fresh()
    assert dataclasses.is_dataclass(cls)
    assert [item.name for item in dataclasses.fields(fresh())] == ["first", "second"]
    assert fresh().__match_args__ == ("first", "second")
    assert fresh(frozen=True).__dataclass_params__.frozen


def test_subclasses_have_the_fields_of_both():
    base = fresh(frozen=True)
    derived = dataclass(frozen=True)(type("Derived", (base,), {"__annotations__": {"third": int}, "third": 3}))
    assert [item.name for item in dataclasses.fields(derived)] == ["first", "second", "third"]
    plain = type("Plain", (fresh(),), {})
    assert plain(1).second == []


def test_each_instance_has_its_own_default():
    cls = fresh()
    assert cls(1).second is not cls(1).second


def test_without_frozen_there_is_no_hash():
    with pytest.raises(TypeError, match="unhashable"):
        hash(fresh()(1))


def test_a_method_of_its_own_stays():
    class Loud:
        x: int

        def __repr__(self) -> str:
            return "loud"

    Loud.__annotations__ = {"x": int}
    assert repr(dataclass(Loud)(1)) == "loud"


def test_what_was_pickled_is_equal():
    assert pickle.loads(pickle.dumps(Point(1, 2))) == Point(1, 2)
