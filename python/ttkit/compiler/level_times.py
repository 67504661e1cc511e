"""Times of a compilation as `knobs.compilation.listener` gets them."""

from __future__ import annotations

import ttkit.knobs as knobs
from ttkit.passes.infra.events import LevelEvent, PassSubscriber


class LevelTimes(PassSubscriber):
    """Keeps how long each level took, in microseconds."""

    def __init__(self) -> None:
        self._levels: dict[str, int] = {}

    def made(self, event: LevelEvent) -> None:
        """Notes the time of a level, in whole microseconds."""
        self._levels[event.level] = int(1e6 * event.seconds)

    def times(self) -> knobs.CompileTimes:
        """The times of the levels that were made."""
        lowering = [(level, time) for level, time in self._levels.items() if level not in ("parse", "store")]
        return knobs.CompileTimes(self._levels.get("parse", 0), lowering, self._levels.get("store", 0))
