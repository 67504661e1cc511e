"""ttkit fuzz: random programs for a pass, and what it does wrong with them."""

from __future__ import annotations

import argparse
import sys
import time

from ttkit.drivers.user_errors import UserError


def add_fuzz(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declares the command line."""
    parser = subjects.add_parser("fuzz", help="random programs for a pass")
    parser.add_argument("--pass", dest="pipeline", required=True, metavar="NAME", help="the pass, or a pipeline text")
    parser.add_argument("--load-pass", action="append", default=[], metavar="FILE.py", help="passes of a Python file")
    parser.add_argument("--programs", type=int, default=200, metavar="N", help="how many (200)")
    parser.add_argument(
        "--time", type=float, metavar="SECONDS", help="stop after so long, and use any number of programs"
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="of the first program (0); the others count on"
    )
    parser.add_argument("--size", type=int, default=12, metavar="N", help="steps of a program (12)")
    parser.add_argument("--level", choices=("tt", "ttg", "llvm"), help="of the IR, for a pass that is in no stage (tt)")
    parser.add_argument("--capability", type=int, default=90, metavar="N", help="compute capability of the GPU (90)")
    parser.add_argument("--corpus", default="fuzz-corpus", metavar="DIR", help="gets what is found (fuzz-corpus)")
    parser.add_argument("-j", dest="jobs", type=int, default=2, metavar="N", help="processes (2)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Does what the command line says; gives the exit code: 1 if the pass does something wrong."""
    from ttkit.fuzzing.campaign import WRONG, Campaign
    from ttkit.passes.infra import bridge

    if options.programs < 1 or options.jobs < 1 or options.size < 0:
        raise UserError("--programs and -j take numbers from 1 on, --size from 0 on")
    try:
        for path in options.load_pass:
            bridge.load_pass_file(path)
    except Exception as error:  # whatever is wrong with a user's file
        raise UserError(error if isinstance(error, OSError) else bridge.one_line(error, path)) from None
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
    if campaign.counts["skipped"] + campaign.counts["unchanged"] == total:
        print("the pass changed none of them: give it IR of another --level, or larger programs", file=sys.stderr)
    return int(wrong > 0)


def check_name(pipeline: str) -> None:
    """Refuses a pipeline that does not parse, with MLIR's reason.  Raises UserError otherwise."""
    from ttkit.reduce.workers import Died, Workers

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
