"""The time for a proof is seconds by the clock and of a core."""

from ttkit.validation import budgets
from ttkit.validation.budgets import Budget


def test_a_budget_is_over_when_clock_and_cores_have_passed_it(monkeypatch):
    now = [100.0, 5.0]
    monkeypatch.setattr(budgets, "times", lambda: tuple(now))
    budget = Budget(60.0, budgets.times())
    now[0] += 300  # others have the cores
    assert not budget.is_over
    now[1] += 50
    assert not budget.is_over
    assert budget.part(40.0).seconds == 10.0
    assert budget.part(4.0).seconds == 4.0
    now[1] += 11
    assert budget.is_over


def test_cores_of_other_threads_do_not_end_a_budget(monkeypatch):
    now = [100.0, 5.0]
    monkeypatch.setattr(budgets, "times", lambda: tuple(now))
    budget = Budget(60.0, budgets.times())
    now[1] += 300
    assert not budget.is_over
