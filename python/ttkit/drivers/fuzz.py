"""ttkit fuzz: random programs for a pass, and what it does wrong with them."""

from __future__ import annotations

import argparse
import sys
import time

from ttkit.drivers.user_errors import UserError
from ttkit.drivers.user_files import load_passes
from ttkit.fuzzing.campaign import CHANGED, WRONG, Campaign
from ttkit.workers import Died, Workers


def run(options: argparse.Namespace) -> int:
    """Does what the command line says; gives the exit code: 1 if the pass does something wrong, or nothing at all.

    Raises:
        UserError: a number is too small.
    """
    if options.programs < 1 or options.jobs < 1 or options.size < 0:
        raise UserError("--programs and -j take numbers from 1 on, --size from 0 on")
    load_passes(options.load_pass)
    campaign = Campaign(
        options.pipeline,
        options.size,
        options.level,
        options.corpus,
        options.load_pass,
        options.jobs,
        capability=options.capability,
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
    total = sum(campaign.counts.values())
    counts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(campaign.counts.items()))
    print(f"{total} programs in {time.monotonic() - began:.1f} s: {counts}")
    if wrong or any(campaign.counts[one] for one in CHANGED):
        return int(wrong > 0)
    return _from_tests(campaign)


def _from_tests(campaign: Campaign) -> int:
    """Tries the pass's own tests, since no random program had what it looks for; gives the exit code."""
    counts = campaign.try_tests()
    if counts:
        said = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
        print(f"modules of the pass's lit tests: {said}")
    if any(counts[one] for one in CHANGED):
        return int(any(counts[one] for one in WRONG))
    advice = "try another --level, larger programs (--size), or add a lit test beside its file"
    print(f"the pass changed nothing, so nothing was checked: {advice}", file=sys.stderr)
    return 1


def check_name(pipeline: str) -> None:
    """Refuses a pipeline that does not parse, with MLIR's reason.  Raises UserError otherwise."""

    def complaint(pipeline: str, _: object) -> str:
        """The reason why a pipeline does not parse; empty if it does."""
        from mlir.passmanager import PassManager

        from ttkit.context import Context
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
