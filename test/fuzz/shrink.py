"""Findings made smaller: pieces of the input are left out for as long as it fails in the same way."""

from __future__ import annotations

import time

from fuzz.level import Level
from fuzz.workers import run_one, signature


def minimize(level: Level, text: str, reason: str, budget: float = 60.0) -> str:
    """The smallest input that was found within `budget` seconds."""
    wanted, until = signature(reason), time.monotonic() + budget

    def fails(trial: str) -> bool:
        return signature(run_one(level, trial)) == wanted

    for number in range(len(level.splits(text))):
        pieces = level.splits(text)[number]
        size = max(1, len(pieces) // 2)
        while size and time.monotonic() < until:
            at, shrunk = 0, False
            while at < len(pieces) and time.monotonic() < until:
                trial = pieces[:at] + pieces[at + size :]
                if fails("".join(trial)):
                    pieces, shrunk = trial, True
                else:
                    at += size
            if size == 1 and not shrunk:
                break
            size = max(1, size // 2)
        text = "".join(pieces)
    return text
