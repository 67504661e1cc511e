"""The limit of the time that one run of a kernel may take."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from ttkit.autotuning.errors import OverTimeBudget, StillRuns
from ttkit.runtime.driver import driver

LOOK_SECONDS = 0.01


def check_runs_in_time(call: Callable[[], Any], budget: float, leaves: bool = False) -> None:
    """Runs a kernel once, to see whether it may be timed at all.

    Args:
        leaves: whether to leave a kernel that is still running then: the process can do nothing more with the GPU.

    Raises:
        OverTimeBudget: it took longer than `budget` seconds.
        StillRuns: it is running.
    """
    interface = driver.active.get_device_interface()
    interface.synchronize()  # a new process first imports torch and makes its context
    start = time.monotonic()
    call()
    if leaves:
        end = interface.Event()
        end.record()
        while not end.query():
            if time.monotonic() - start > budget:
                raise StillRuns("one run", budget)
            time.sleep(LOOK_SECONDS)
    interface.synchronize()
    if time.monotonic() - start > budget:
        raise OverTimeBudget("one run", budget)
