"""Knowledge of agents about each other, by vector clocks: `shared_races.py` says which agents there are."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

Array = np.ndarray


@dataclass
class Knowledge:
    """Knowledge of an agent, or at a barrier: steps of the agents, ended transfers (bits), and steps up to which
    a fence has made stores visible."""

    steps: Array
    transfers: int = 0
    fenced: Array = field(default_factory=lambda: np.zeros(0, np.int64))

    def learn(self, other: Knowledge) -> None:
        """Adds what another knows."""
        self.steps, self.transfers = later(self.steps, other.steps), self.transfers | other.transfers
        self.fenced = later(self.fenced, other.fenced)


def later(mine: Array, theirs: Array) -> Array:
    """The later step of each agent."""
    size = max(mine.size, theirs.size)
    return np.maximum(*(np.pad(steps, (0, size - steps.size)) for steps in (mine, theirs)))


@dataclass
class MBarrier:
    """Knowledge left at a barrier by arrivals, and that of the phases that are over, given to those who wait."""

    left: Knowledge
    given: Knowledge
