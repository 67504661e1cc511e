"""The progress bar of tt-run."""

import pytest

from ttkit.drivers import run


@pytest.fixture
def clock(monkeypatch):
    """A clock that is set by hand."""
    time = [100.0]
    monkeypatch.setattr(run.time, "monotonic", lambda: time[0])
    return time


def test_short_runs_show_nothing(clock, capsys):
    progress = run.Progress()
    for done in range(1, 5):
        clock[0] += 0.2
        progress(done, 4)
    assert capsys.readouterr().err == ""


def test_long_runs_show_a_bar_that_goes_away(clock, capsys):
    progress = run.Progress()
    clock[0] += 2
    progress(100, 400)
    shown = capsys.readouterr().err
    assert shown == f"\r[{'#' * 10}{'.' * 30}] 100/400 programs, 6 s left "
    clock[0] += 0.05
    progress(101, 400)
    assert capsys.readouterr().err == ""
    clock[0] += 6
    progress(400, 400)
    last = capsys.readouterr().err
    assert last.strip() == ""
    assert len(last) >= len(shown)
