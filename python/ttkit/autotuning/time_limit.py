"""The limit of the time that one run of a kernel may take."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from ttkit.autotuning.errors import OverTimeBudget
from ttkit.runtime.driver import driver


def check_runs_in_time(call: Callable[[], Any], budget: float) -> None:
    """Runs a kernel once, to see whether it may be timed at all.

    Raises:
        OverTimeBudget: it took longer than `budget` seconds.
    """
    interface = driver.active.get_device_interface()
    interface.synchronize()  # a new process first imports torch and makes its context
    start = time.monotonic()
    call()
    interface.synchronize()
    if time.monotonic() - start > budget:
        raise OverTimeBudget("one run", budget)
