"""The simulation of the queue of tasks, against cases that can be worked out, and a real run."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from ttkit.executors.queue_model import Costs, makespan, useful_workers
from ttkit.executors.tasks import each_answer


@pytest.mark.parametrize(
    "seconds, workers, costs, expected",
    [
        ([], 3, Costs(), 0.0),
        ([1.0] * 6, 1, Costs(), 6.0),
        ([1.0] * 6, 4, Costs(), 2.0),
        ([1.0] * 6, 6, Costs(start=0.5), 1.5),
        ([1.0, 1.0], 1, Costs(start=0.5, give=0.1), 2.7),
        ([3.0, 1.0, 1.0, 1.0], 2, Costs(), 3.0),
        ([1.0, 1.0, 1.0, 3.0], 2, Costs(), 4.0),
        ([1.0] * 4, 4, Costs(processors=2), 2.0),
        ([1.0] * 4, 2, Costs(processors=2), 2.0),
        ([1.0] * 4, 2, Costs(processors=0.5), 8.0),
        ([1.0] * 4, 4, Costs(start=0.5, processors=2, computes=False), 2.0),
        ([0.1] * 100, 1000, Costs(give=0.05), 5.1),  # the process that hands out is the limit
    ],
)
def test_cases(seconds, workers, costs, expected):
    assert makespan(seconds, workers, costs) == pytest.approx(expected)


def test_more_workers_are_no_slower():
    seconds = [0.1 + 0.9 * (7 * number % 10) / 10 for number in range(60)]
    found = [makespan(seconds, workers, Costs(0.2, 0.01)) for workers in (1, 2, 4, 8, 16, 100)]
    assert found == sorted(found, reverse=True) and found[0] > sum(seconds)
    assert useful_workers(1.0, 0.1) == pytest.approx(11) and useful_workers(1.0, 0) == float("inf")
    with pytest.raises(ValueError, match="answer nothing"):
        makespan([1.0], 0)


def test_a_real_run():
    """Tasks that wait, so that a busy machine does not matter much: within 0.4 s."""
    seconds = [0.1, 0.4, 0.2, 0.3, 0.1, 0.2] * 2
    with ThreadPoolExecutor(3) as executor:
        list(each_answer(executor, "executor_tasks:sleep", [0.0] * 3))  # begins the processes
        began = time.monotonic()
        list(each_answer(executor, "executor_tasks:sleep", seconds))
    taken = time.monotonic() - began
    assert makespan(seconds, 3) - 0.01 <= taken <= makespan(seconds, 3) + 0.4
