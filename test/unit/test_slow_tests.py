"""The list of slow tests names tests that are there, and a run writes it."""

from pathlib import Path

import pytest
import slow_tests

HERE = Path(__file__).parent


class Item:
    """A test, as pytest collects it."""

    def __init__(self, nodeid):
        self.nodeid, self.marks = nodeid, []

    def add_marker(self, mark):
        self.marks.append(mark.name)


def test_the_functions_are_there():
    missing = []
    for name in slow_tests.names():
        file, _, function = name.partition("::")
        path = HERE / file
        if not path.exists() or f"def {function.rpartition('::')[2]}(" not in path.read_text():
            missing.append(name)
    assert not missing, f"take these out of slow_tests.txt: {missing}"


def test_a_first_case_stays(monkeypatch):
    monkeypatch.setattr(slow_tests, "names", lambda: {"test_a.py::test_x": True, "test_a.py::test_y": False})
    items = [Item(f"test/unit/test_a.py::test_{case}") for case in ("x[1]", "x[a/b::c]", "y[1]", "y[2]", "z")]
    slow_tests.mark(items)
    assert [item.marks for item in items] == [[], ["slow"], ["slow"], ["slow"], []]


@pytest.mark.parametrize(("seconds", "line"), [((0.2, 0.1), None), ((0.2, 0.9), "but the first case"), ((2.0,), "")])
def test_a_run_writes_the_list(seconds, line, tmp_path, monkeypatch):
    monkeypatch.setattr(slow_tests, "NAMES", tmp_path / "list.txt")
    record = slow_tests.Record()
    for number, time in enumerate(seconds):
        for part in range(2):
            record.pytest_runtest_logreport(Report(f"test/unit/test_a.py::test_x[{number}]", time / 2, part))
    record.pytest_sessionfinish()
    assert slow_tests.names() == ({} if line is None else {"test_a.py::test_x": bool(line)})


class Report:
    """The report of a part of a test."""

    def __init__(self, nodeid, duration, part):
        self.nodeid, self.duration, self.when = nodeid, duration, part
