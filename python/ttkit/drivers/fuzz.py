"""ttkit fuzz: random programs for a pass, and what it does wrong with them."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from ttkit.context import Context
from ttkit.drivers.user_errors import UserError
from ttkit.drivers.user_files import load_passes
from ttkit.fuzzing.campaign import CHANGED, WRONG, Campaign
from ttkit.workers import Died, Workers

GROWN_AT_ONCE, ENOUGH = 20, 20
"""Programs that grow at once, until so many were changed."""


def run(options: argparse.Namespace) -> int:
    """Does what the command line says; gives the exit code: 1 if the pass does something wrong, or nothing at all.

    Raises:
        UserError: there is no such pass.
    """
    load_passes(options.load_pass)
    campaign = Campaign(
        options.pipeline,
        options.size,
        options.level,
        options.corpus,
        options.load_pass,
        options.jobs,
        capability=options.capability,
        proves=options.prove,
    )
    check_name(campaign.pipeline)
    began = time.monotonic()
    wrong = 0
    for result in campaign.replay():
        if result.verdict in WRONG:
            wrong += 1
            print(f"still: {result.message}")
    last = options.seed + options.programs
    seeds = range(options.seed, last)
    while True:
        for found in campaign.run(seeds):
            wrong += 1
            print(f"  kept as {found.path} ({found.operations} operations)", flush=True)
        if options.time is None or time.monotonic() - began > options.time:
            break
        seeds = range(seeds.stop, seeds.stop + options.programs)
    print(f"{_counted(campaign.counts.total())} in {time.monotonic() - began:.1f} s: {_by_verdict(campaign.counts)}")
    if not wrong and not any(campaign.counts[one] for one in CHANGED):
        wrong, changed = _grown(campaign, options)
        if not changed:
            advice = "try another --level, larger programs (--size), or add a lit test beside its file"
            print(f"the pass changed nothing, so nothing was checked: {advice}", file=sys.stderr)
            return 1
    for kind in campaign.kinds.found:
        if kind.others:
            print(f"{_counted(kind.others)} more like {kind.path}, not reduced")
    return int(wrong > 0)


def _grown(campaign: Campaign, options: argparse.Namespace) -> tuple[int, bool]:
    """Tries what has the operations that the pass looks for, since no random program had: its tests, and programs
    that have grown from them.  Gives the number of bugs, and whether the pass changed anything."""
    tests, kept = campaign.try_tests()
    if tests:
        print(f"modules of the pass's lit tests: {_by_verdict(tests)}")
    for found in kept:
        print(f"  kept as {found.path} ({found.operations} operations)", flush=True)
    wrong = sum(tests[one] for one in WRONG)
    for at in range(options.seed, options.seed + options.programs, GROWN_AT_ONCE):
        seeds = range(at, min(at + GROWN_AT_ONCE, options.seed + options.programs))
        for found in campaign.run(seeds, grown=True):
            wrong += 1
            print(f"  kept as {found.path} ({found.operations} operations)", flush=True)
        if wrong or sum(campaign.grown_counts[one] for one in CHANGED) >= ENOUGH:
            break
    counts = campaign.grown_counts
    print(f"{_counted(counts.total())} grown from its lit tests, docstring and file: {_by_verdict(counts)}")
    return wrong, any(tests[one] or counts[one] for one in CHANGED)


def _counted(total: int) -> str:
    return f"{total} program{'s' * (total != 1)}"


def _by_verdict(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))


def check_name(pipeline: str) -> None:
    """Refuses a pipeline that does not parse, with MLIR's reason.  Raises UserError otherwise."""

    def complaint(pipeline: str, _: object) -> str:
        """The reason why a pipeline does not parse; empty if it does."""
        from mlir.passmanager import PassManager

        from ttkit.passes.infra.given import pipeline_complaint

        with Context():
            try:
                PassManager.parse(f"builtin.module({pipeline})")
            except ValueError as error:
                return pipeline_complaint(str(error))
        return ""

    with Workers(1, complaint) as workers:  # this process makes no context: it forks
        found = workers.one(pipeline)
    if found:
        raise UserError(found.how if isinstance(found, Died) else found)
