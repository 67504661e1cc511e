"""Ranks configurations before they are compiled: facts about each, and trees that were fitted to times.

The facts of a configuration come from its kernel in tt (`analysis.program_work`), which takes some hundredths of a
second, and from its options: registers, shared memory, what a multiprocessor holds at once, how many waves of programs
there are, and an estimate of the time from these.  Trees compare a configuration with the others of its list:
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

from ttkit.analysis.program_work import PIECE, Work
from ttkit.layout.hardware import GROUP_WARPS
from ttkit.target import REGISTERS, Target

FILE = Path(__file__).with_name("predictor.json")
REGISTERS_OF_ALL, MOST_REGISTERS = 24, 255  # of a thread: besides what its tensors take; and at most
HELD_ACCUMULATORS, HELD_FLOATS, HELD_INTEGERS = 1.25, 0.6, 0.125  # of what is live, the others besides accumulators
HELD_FRAGMENTS = 0.45  # of the operands that warps read for a dot into registers
BYTES_PER_CYCLE, FLOPS_PER_CYCLE, ISSUED_PER_CYCLE = 30.0, 5000.0, 4.5  # of a multiprocessor of sm_90
FIRST_CACHE, SECOND_CACHE = 256 << 10, 24 << 20  # bytes: of a multiprocessor, with shared memory; of the GPU, about
FROM_FIRST_CACHE = 64.0  # bytes of a cycle
COPIED_PER_CYCLE = 55.0  # bytes of the tiles of dots: several programs load the same ones, from the L2 cache
LATENCY, START = 800.0, 1200.0  # cycles of an access to global memory, and of a program's begin and end
ISSUED_ALONE = 2.0  # cycles of an instruction of a warp that is alone
REDUCTION, SYNCHRONIZED = 110.0, 150.0  # cycles of a reduction, and more of them for each doubling of the warps
CALLED, CALL_LATENCY = 40.0, 700.0  # instructions of a function of libdevice, and cycles: each waits for the one before
CHANGE, CHANGED = 80.0, 1.3  # cycles of an atomic operation, on one address and of a multiprocessor
SPILLED = 15.0  # cycles of a register of a warp that is kept in memory, each time that it is used
OVERLAP = 0.2  # share of each kind of cycles that does not run beside the longest
SHARE_OF_ESTIMATE = 0.5  # trees correct what it leaves: they are fitted to the rest
MMA = 128  # elements of the smallest result of a warp's mma: if a tile has fewer for each warp, warps repeat each other
"""A rough estimate is enough here: the trees correct it."""


@dataclass(frozen=True)
class Launch:
    """The launch of a configuration.

    warps: of a program.  stages: of a pipelined loop.  programs: of the grid.
    registers: of a thread at most, where the user says.
    divides: whether groups of warps divide its loops: two that compute, of at least 4 warps, and one that loads.
    """

    warps: int
    stages: int
    programs: int
    registers: int | None = None
    divides: bool = False


def facts_of(work: Work, launch: Launch, capability: int, multiprocessors: int) -> dict[str, float]:
    """Facts by name, nearly all as powers of two, so that a difference is a ratio."""
    computing = max(2 * GROUP_WARPS, launch.warps) if launch.divides else launch.warps
    threads = 32 * computing
    floats = work.live - work.live_integers
    others = max(0.0, floats - 2 * work.accumulated)
    kept = min(others, max(0.0, work.carried - work.accumulated))
    held = HELD_ACCUMULATORS * work.accumulated + kept + HELD_FLOATS * (others - kept)
    held += HELD_INTEGERS * work.live_integers + HELD_FRAGMENTS * work.fragments
    needed = REGISTERS_OF_ALL + held / 4 / threads
    most = min(MOST_REGISTERS, launch.registers or MOST_REGISTERS)
    registers = min(float(most), needed)
    depth = max(1, min(launch.stages, int(work.trips))) if work.slots else 1
    shared = work.operands + work.direct * depth + work.relayed * max(1, depth - 1) + work.ahead * (depth - 1)
    all_threads = threads + 32 * GROUP_WARPS * launch.divides
    at_once = Target(capability).programs_at_once(all_threads, int(shared))
    at_once = max(1, min(at_once, int(REGISTERS / (registers * all_threads))))
    waves = launch.programs / (multiprocessors * at_once)
    rounds = math.ceil(launch.programs / multiprocessors)  # programs of the multiprocessor that has the most
    busy = min(at_once, rounds)
    is_in_second = min(busy * multiprocessors, launch.programs) * work.kept <= SECOND_CACHE
    cost = _Cost(work, launch, depth, max(0.0, needed - most), shared, is_in_second)
    cycles = cost.cycles(busy)
    logs = {
        "warps": launch.warps,
        "stages": launch.stages,
        "programs": launch.programs,
        "at_once": at_once,
        "warps_at_once": at_once * launch.warps,
        "waves": waves,
        "registers": registers,
        "needed": needed,
        "shared": shared,
        "slots": work.slots,
        "operands": work.operands,
        "depth": depth,
        "streamed": work.streamed,
        "in_flight": cost.in_flight(busy),
        **_of_work(work, launch, floats),
        **{f"cycles_{name}": value for name, value in cycles.items()},
        "estimate": max(rounds // at_once * cost.total(at_once) + cost.total(rounds % at_once), CHANGE * work.rivals),
        "rounds": rounds,
        "all_flops": rounds * work.flops,
        "all_bytes": rounds * (work.loaded + work.stored),
        "all_issued": rounds * launch.warps * work.instructions,
        "all_latency": math.ceil(rounds / at_once) * cycles["latency"],
        "busy_warps": busy * launch.warps,
        "resident": min(busy * multiprocessors, launch.programs) * work.loaded,
        "kept": busy * work.kept,
    }
    found = {name: math.log2(1e-3 + value) for name, value in logs.items()}
    found["balance"] = launch.programs / multiprocessors / rounds
    found["tail"] = waves / math.ceil(waves) if waves > 1 else busy / at_once
    found["divides"] = float(launch.divides)
    found["described"] = float(work.described > 0)
    found["has_dots"] = float(work.flops > 0)
    return found


def _of_work(work: Work, launch: Launch, floats: float) -> dict[str, float]:
    """Facts that do not depend on the GPU.  floats: bytes of a program in registers."""
    threads = 32 * launch.warps
    return {
        "loaded": work.loaded,
        "again": work.again,
        "bytes": launch.programs * (work.loaded + work.stored),
        "stored": work.stored,
        "requests": work.requests,
        "bytes_of_request": (work.loaded + work.stored - work.described) / threads / max(1e-9, work.requests),
        "of_pieces": (work.loaded + work.stored - work.described) / PIECE / max(1e-9, work.pieces),
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
        "fragments": work.fragments / 4 / threads,
        "floats": floats / 4 / threads,
        "live": work.live / 4 / threads,
        "rows_of_warp": work.rows / launch.warps,
        "rows": work.rows,
        "columns": work.columns,
        "atomics": work.atomics,
        "rivals": work.rivals,
    }


@dataclass(frozen=True)
class _Cost:
    """Cycles of a multiprocessor.

    depth: slots of the pipelined loop.  shared: bytes of a program.
    spilled: registers of a thread that are kept in memory.
    is_in_second: whether what programs load again is still in the cache of the GPU.
    """

    work: Work
    launch: Launch
    depth: int
    spilled: float
    shared: float
    is_in_second: bool

    def total(self, programs: int) -> float:
        """Cycles for so many programs at once: the longest kind, and a part of the others."""
        if not programs:
            return 0.0
        cycles = self.cycles(programs).values()
        return max(cycles) + OVERLAP * sum(cycles) + START

    def in_flight(self, programs: int) -> float:
        """Bytes that so many programs load at once."""
        work = self.work
        loads = work.slots * (self.depth - 1) + work.streamed + work.loaded / max(1.0, work.iterations)
        return programs * loads

    def cycles(self, programs: int) -> dict[str, float]:
        """Cycles for so many programs at once, by what they wait for.

        By Little's law, loads bring what is in flight in each `LATENCY`, and not more.
        """
        work, warps = self.work, self.launch.warps
        copied = min(work.loaded, work.slots * work.iterations)
        again, near = (
            min(work.again, work.loaded - copied),
            programs * work.kept <= FIRST_CACHE - programs * self.shared,
        )
        at_best = copied / COPIED_PER_CYCLE + (work.loaded - copied - again) / BYTES_PER_CYCLE
        at_best += again / (FROM_FIRST_CACHE if near else COPIED_PER_CYCLE if self.is_in_second else BYTES_PER_CYCLE)
        arriving = max(1.0, self.in_flight(programs)) / LATENCY
        fetched = work.loaded - again * near
        unused = max(0.0, PIECE * work.pieces - (work.loaded + work.stored - work.described))
        repeated = max(1.0, warps * MMA / (work.rows * work.columns)) if work.flops else 1.0
        dots = (work.flops * repeated + 7.0 * work.wide_flops) / FLOPS_PER_CYCLE
        issued = work.instructions + 2.0 * work.specials + 3.0 * work.requests + CALLED * work.calls
        alone = ISSUED_ALONE * max(1.0, warps / 4) * issued
        waits = work.iterations * LATENCY / max(1, self.depth - 1)
        waits += work.reductions * (REDUCTION + SYNCHRONIZED * math.log2(warps)) + CALL_LATENCY * work.calls
        if work.slots and self.depth == 1:  # no load while the dots run
            waits += alone + dots
        uses = max(work.iterations, issued / (MOST_REGISTERS + self.spilled))
        return {
            "memory": programs
            * (
                max(at_best, fetched / arriving)
                + (work.stored + 0.5 * unused) / BYTES_PER_CYCLE
                + CHANGED * work.atomics
            ),
            "dots": programs * dots,
            "issue": programs * warps * issued / ISSUED_PER_CYCLE,
            "latency": waits + alone,
            "spills": programs * warps * SPILLED * self.spilled * uses,
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
    """Trees whose sum, with a share of the estimate, ranks configurations: a time beside the others, as a power of two.

    trees: of each, its nodes: (fact, threshold, node if it is at most that, node if it is more), or a number.
    """

    def __init__(self, trees: Sequence[Sequence[Any]]) -> None:
        self.trees = trees

    def value(self, facts: Mapping[str, float]) -> float:
        """The sum of all trees, and the share of the estimate."""
        estimated = SHARE_OF_ESTIMATE * min(facts["estimate<"], 1.0)
        return estimated + sum(self._leaf(tree, facts) for tree in self.trees)

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
