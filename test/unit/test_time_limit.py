"""The limit of one run's time: what ends late, and what does not end."""

import types

import pytest

from ttkit.autotuning import time_limit
from ttkit.autotuning.errors import OverTimeBudget, StillRuns


def on_device(monkeypatch, *answers):
    """A device whose event gives these answers, the last one ever after; what was waited for."""
    waited, rest = [], list(answers)

    class Event:
        def record(self):
            pass

        def query(self):
            return rest.pop(0) if len(rest) > 1 else rest[0]

    interface = types.SimpleNamespace(synchronize=lambda: waited.append(1), Event=Event)
    active = types.SimpleNamespace(get_device_interface=lambda: interface)
    monkeypatch.setattr(time_limit, "driver", types.SimpleNamespace(active=active))
    return waited


def test_a_kernel_that_does_not_end_is_left(monkeypatch):
    waited = on_device(monkeypatch, False)
    with pytest.raises(StillRuns, match=r"one run takes more than 0.05 s, its time budget"):
        time_limit.check_runs_in_time(lambda: None, 0.05, leaves=True)
    assert len(waited) == 1  # before the run


@pytest.mark.parametrize("leaves", [False, True])
def test_a_kernel_that_ends_is_waited_for(monkeypatch, leaves):
    waited = on_device(monkeypatch, False, True)
    time_limit.check_runs_in_time(lambda: None, 5.0, leaves=leaves)
    assert len(waited) == 2


def test_a_kernel_that_ends_late_is_over_its_budget(monkeypatch):
    on_device(monkeypatch, True)
    with pytest.raises(OverTimeBudget) as caught:
        time_limit.check_runs_in_time(lambda: __import__("time").sleep(0.05), 0.01)
    assert not isinstance(caught.value, StillRuns)
