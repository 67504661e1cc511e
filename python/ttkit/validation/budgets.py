"""The time for which a proof is looked for."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


def times() -> tuple[float, float]:
    """Seconds by the clock, and seconds of cores that this process has taken."""
    return time.monotonic(), time.process_time()


@dataclass(frozen=True)
class Budget:
    """Some seconds by the clock, and as many of a core: a machine that others share finds what an idle one finds."""

    seconds: float
    begun: tuple[float, float] = field(default_factory=times)

    @property
    def spent(self) -> float:
        """Seconds of it that are over."""
        return min(now - then for now, then in zip(times(), self.begun))

    @property
    def is_over(self) -> bool:
        """Whether it is used up."""
        return self.spent > self.seconds

    def part(self, seconds: float) -> Budget:
        """At most so many seconds from now on."""
        return Budget(min(self.seconds - self.spent, seconds))
