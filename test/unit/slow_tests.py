"""Slow tests, whose cases take 0.3 s or more in the mean: `make sweeps` runs them, and `make test` leaves them out.

    python -m pytest -n auto test/unit --record-slow     writes slow_tests.txt again, from the times of that run

Where a function has several cases, and the first one takes less than a second, that one stays in `make test`.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

NAMES = Path(__file__).with_suffix(".txt")
SLOW, FIRST = 0.3, 1.0
"""Seconds of a case in the mean, and of the first one, their fixtures included."""
BUT_FIRST = "but the first case"


def names() -> dict[str, bool]:
    """Functions of slow tests, `test_x.py::test_y` -> whether the first case is none."""
    lines = [line.partition(" ") for line in NAMES.read_text().splitlines()]
    return {name: rest == BUT_FIRST for name, _, rest in lines}


def function_of(node: str) -> str:
    """The function of a test, by pytest's name of the test."""
    return node.partition("[")[0].rpartition("/")[2]


def mark(items: list[pytest.Item]) -> None:
    """Marks slow tests."""
    slow, seen = names(), set[str]()
    for item in items:
        name = function_of(item.nodeid)
        if name in slow and (name in seen or not slow[name]):
            item.add_marker(pytest.mark.slow)
        seen.add(name)


class Record:
    """Takes the times of a run and writes the names of slow functions."""

    def __init__(self) -> None:
        self.seconds: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Adds the time of a test's setup, call or teardown."""
        self.seconds[function_of(report.nodeid)][report.nodeid] += report.duration

    def pytest_sessionfinish(self) -> None:
        """Writes the file."""
        lines = []
        for name, cases in self.seconds.items():
            if sum(cases.values()) >= SLOW * len(cases):
                keeps = len(cases) > 1 and next(iter(cases.values())) < FIRST
                lines.append(f"{name} {BUT_FIRST}\n" if keeps else f"{name}\n")
        NAMES.write_text("".join(sorted(lines)))
