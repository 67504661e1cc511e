"""Clocks and power of the GPU while a script runs: looked at now and then, by NVML.

It waits until the script uses a GPU: to begin with one earlier would break scripts that fork first, or choose a GPU.
"""

from __future__ import annotations

import statistics
import threading
from collections.abc import Callable

from ttkit.cuda import nvml
from ttkit.cuda.libcuda import DriverError, is_loaded
from ttkit.profiler.gpus import in_use

SECONDS = 0.05
"""Between two looks.  NVML's own figures are some 20 to 100 ms old; a look takes some tens of microseconds."""


class GpuWatch:
    """Looks at a GPU in a thread of its own, from `with` to its end.

    Args:
        look: what it looks with; by default NVML, at the first GPU that the script uses.

    Attributes:
        states: what it saw.
        problem: why it saw nothing; empty if it did.
    """

    def __init__(self, look: Callable[[], nvml.State] | None = None) -> None:
        self.states: list[nvml.State] = []
        self.problem = ""
        self._look = look
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="ttkit-gpu-watch", daemon=True)

    def __enter__(self) -> GpuWatch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        if not self.states:
            self.problem = self.problem or "no kernel of ttkit's was launched on a GPU"

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                if self._look is None:
                    self._find()
                if self._look is not None:
                    self.states.append(self._look())
                self._stop.wait(SECONDS)
        except (nvml.NvmlError, DriverError) as error:
            self.problem = str(error)

    def _find(self) -> None:
        if is_loaded() and (used := in_use()):
            ordinal = used[0]
            self._look = lambda: nvml.state(ordinal)

    def facts(self) -> list[tuple[str, str]]:
        """Names and texts for a page; none where nothing was seen."""
        if not self.states:
            return []
        power = [state.power for state in self.states]
        facts = [
            ("SM clock", _span([state.sm_clock for state in self.states])),
            ("memory clock", _span([state.memory_clock for state in self.states])),
            ("power", f"{statistics.fmean(power):.0f} W, at most {max(power):.0f} W"),
        ]
        first, last = self.states[0].energy, self.states[-1].energy
        if first is not None and last is not None:
            facts.append(("energy", f"{last - first:.1f} J"))
        slowed = {reason: None for state in self.states for reason in state.slowed_by}
        if slowed:
            share = sum(bool(state.slowed_by) for state in self.states) / len(self.states)
            facts.append(("clock held down by", f"{', '.join(slowed)} ({100 * share:.0f} % of the time)"))
        return facts


def _span(clocks: list[int]) -> str:
    least, most = min(clocks), max(clocks)
    return f"{most} MHz" if least == most else f"{least} to {most} MHz, mean {statistics.fmean(clocks):.0f}"
