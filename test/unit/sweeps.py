"""Sweeps: a mechanism on very many cases.  `make test` runs some of them, `make sweeps` the others, and CI both.

A test that nothing but a sweep would run is no sweep: each mechanism has cases in `make test`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

import pytest


def every(step: int, cases: Iterable[Any]) -> list[Any]:
    """Cases for `parametrize`: one in `step` for `make test`, the others marked as a sweep."""
    return [case if number % step == 0 else swept(case) for number, case in enumerate(cases)]


def first_of_each(kind: Callable[[Any], Hashable], cases: Iterable[Any]) -> list[Any]:
    """Cases for `parametrize`: the first one of each kind for `make test`, the others marked as a sweep."""
    seen: set[Hashable] = set()
    found = []
    for case in cases:
        found.append(swept(case) if kind(case) in seen else case)
        seen.add(kind(case))
    return found


def swept(case: Any) -> Any:
    """A case for `parametrize`, marked as a sweep: a value, a tuple of them or a `pytest.param`."""
    if isinstance(case, type(pytest.param())):
        return pytest.param(*case.values, id=case.id, marks=[*case.marks, pytest.mark.sweep])
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.sweep)
