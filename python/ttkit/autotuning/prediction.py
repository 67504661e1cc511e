"""Ranks configurations before they are compiled: facts about each, and trees that were fitted to times.

The facts of a configuration come from its kernel in tt (`analysis.program_work`), which takes a hundredth of a second,
and from its options: what a multiprocessor holds at once, how many waves of programs there are, what the slots of a
pipelined loop take, and an estimate of the time from these.  Trees compare a configuration with the others of its list:
a fact's difference from the median, the least and the greatest one.  `bench/predictor.py` fits them, and
`predictor.json` has them.
"""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ttkit.analysis.program_work import Work
from ttkit.target import REGISTERS, Target

FILE = Path(__file__).with_name("predictor.json")
REGISTERS_OF_ALL = 24  # of a thread, besides what its tensors take
SHARE_HELD = 0.6  # of a thread's tensors of floats, those that it holds at once
BYTES_PER_CYCLE, FLOPS_PER_CYCLE, ISSUED_PER_CYCLE = 18.0, 4096.0, 4.0  # of a multiprocessor of sm_90
LATENCY, START = 700.0, 1500.0  # cycles of an access to global memory, and of a program's begin and end
CALLED, CALL_LATENCY = 40.0, 240.0  # instructions of a function of libdevice, and cycles: each waits for the one before
"""A rough estimate is enough here: the trees correct it."""


@dataclass(frozen=True)
class Launch:
    """The launch of a configuration.

    warps: of a program.  stages: of a pipelined loop.  programs: of the grid.
    """

    warps: int
    stages: int
    programs: int
    registers: int | None = None


def facts_of(work: Work, launch: Launch, capability: int, multiprocessors: int) -> dict[str, float]:
    """Facts by name, nearly all as powers of two, so that a difference is a ratio."""
    threads = 32 * launch.warps
    floats = work.live - work.live_integers
    others = SHARE_HELD * max(0.0, floats - work.accumulated) + 0.25 * work.live_integers
    registers = min(255.0, REGISTERS_OF_ALL + (work.accumulated + others) / 4 / threads)
    if launch.registers:
        registers = min(registers, launch.registers)
    depth = max(1, min(launch.stages, int(work.trips))) if work.slots else 1
    shared = work.slots * depth
    at_once = Target(capability).programs_at_once(threads, int(shared))
    at_once = max(1, min(at_once, int(REGISTERS / (registers * threads))))
    waves = launch.programs / (multiprocessors * at_once)
    busy = min(float(at_once), max(1.0, launch.programs / multiprocessors))
    in_flight = busy * (work.slots * (depth - 1) + work.streamed + work.loaded / max(1.0, work.iterations))
    cycles = _cycles(work, launch, busy, depth, in_flight)
    logs = {
        "warps": launch.warps,
        "stages": launch.stages,
        "programs": launch.programs,
        "at_once": at_once,
        "warps_at_once": at_once * launch.warps,
        "waves": waves,
        "registers": registers,
        "shared": shared,
        "slots": work.slots,
        "depth": depth,
        "streamed": work.streamed,
        "in_flight": in_flight,
        **_of_work(work, launch, floats),
        **{f"cycles_{name}": value for name, value in cycles.items()},
        "estimate": max(1.0, math.ceil(waves)) * (max(cycles.values()) + 0.2 * sum(cycles.values()) + START),
    }
    rounds = math.ceil(launch.programs / multiprocessors)  # programs of the multiprocessor that has the most
    logs |= {
        "rounds": rounds,
        "all_flops": rounds * work.flops,
        "all_bytes": rounds * (work.loaded + work.stored),
        "all_issued": rounds * launch.warps * work.instructions,
        "all_latency": max(1.0, math.ceil(waves)) * cycles["latency"],
        "held": 1.0 + (floats + work.accumulated) / 4 / threads,
        "busy_warps": busy * launch.warps,
    }
    found = {name: math.log2(1e-3 + value) for name, value in logs.items()}
    found["balance"] = launch.programs / multiprocessors / rounds
    found["tail"] = waves / math.ceil(waves) if waves > 1 else busy / at_once
    found["described"] = float(work.described > 0)
    found["has_dots"] = float(work.flops > 0)
    return found


def _of_work(work: Work, launch: Launch, floats: float) -> dict[str, float]:
    """Facts that do not depend on the GPU.  floats: bytes of a program in registers."""
    threads = 32 * launch.warps
    return {
        "loaded": work.loaded,
        "bytes": launch.programs * (work.loaded + work.stored),
        "stored": work.stored,
        "requests": work.requests,
        "bytes_of_request": (work.loaded + work.stored - work.described) / threads / max(1e-9, work.requests),
        "flops": work.flops,
        "of_byte": work.flops / max(1.0, work.loaded),
        "instructions": work.instructions,
        "all_instructions": work.instructions * threads * launch.programs,
        "specials": work.specials,
        "calls": work.calls,
        "reduced": work.reduced / threads,
        "reductions": work.reductions,
        "iterations": work.iterations,
        "trips": work.trips,
        "accumulator": work.accumulated / 4 / threads,
        "floats": floats / 4 / threads,
        "live": work.live / 4 / threads,
        "rows_of_warp": work.rows / launch.warps,
        "rows": work.rows,
        "columns": work.columns,
        "atomics": work.atomics,
    }


def _cycles(work: Work, launch: Launch, busy: float, depth: int, in_flight: float) -> dict[str, float]:
    """Cycles that a multiprocessor needs for the programs that it has at once, by what it waits for.

    in_flight: bytes that these load at once.  By Little's law they bring so many bytes in each `LATENCY`, and not more.
    """
    arriving = min(BYTES_PER_CYCLE, max(1.0, in_flight) / LATENCY)
    issued = work.instructions + 3.0 * work.specials + 2.0 * work.requests + CALLED * work.calls
    waits = work.iterations * LATENCY / max(1, depth - 1 if work.slots else 1) + work.reductions * 120.0
    return {
        "memory": busy * (work.loaded / arriving + work.stored / BYTES_PER_CYCLE),
        "dots": busy * (work.flops + 7.0 * work.wide_flops) / FLOPS_PER_CYCLE,
        "issue": busy * launch.warps * issued / ISSUED_PER_CYCLE,
        "latency": waits + CALL_LATENCY * work.calls,
    }


def compared(facts: Sequence[Mapping[str, float]]) -> list[dict[str, float]]:
    """Facts of the configurations of a list, with those of each beside the others': `name:` is the difference from the
    median, `name<` that from the least, `name>` that from the greatest."""
    found = [dict(one) for one in facts]
    for name in facts[0]:
        values = [one[name] for one in facts]
        middle, least, most = statistics.median(values), min(values), max(values)
        for one, value in zip(found, values):
            one |= {f"{name}:": value - middle, f"{name}<": value - least, f"{name}>": value - most}
    return found


class Forest:
    """Trees whose sum is the predicted time of a configuration beside the others, as a power of two.

    trees: of each, its nodes: (fact, threshold, node if it is at most that, node if it is more), or a number.
    """

    def __init__(self, trees: Sequence[Sequence[Any]]) -> None:
        self.trees = trees

    def value(self, facts: Mapping[str, float]) -> float:
        """The sum of all trees."""
        return sum(self._leaf(tree, facts) for tree in self.trees)

    @staticmethod
    def _leaf(tree: Sequence[Any], facts: Mapping[str, float]) -> float:
        node = tree[0]
        while isinstance(node, (list, tuple)):
            name, threshold, low, high = node
            node = tree[low if facts[name] <= threshold else high]
        return float(node)


@cache
def fitted() -> Forest:
    """The trees that belong to this version."""
    return Forest(json.loads(FILE.read_text())["trees"])


def ranked(facts: Sequence[Mapping[str, float]], forest: Forest | None = None) -> list[int]:
    """Numbers of configurations, that with the shortest predicted time first.

    Args:
        facts: of all of the list, see `facts_of`.
    """
    if len(facts) < 2:
        return list(range(len(facts)))
    trees = forest or fitted()
    if not trees.trees:  # the rough estimate alone
        return sorted(range(len(facts)), key=lambda number: facts[number]["estimate"])
    values = [trees.value(one) for one in compared(facts)]
    return sorted(range(len(values)), key=lambda number: values[number])
