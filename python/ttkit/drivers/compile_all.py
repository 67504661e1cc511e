"""ttkit compile-all: compiles lists of launches for several GPUs, into one file for machines without a compiler."""

from __future__ import annotations

import argparse
import sys
import time

import ttkit.compat
from ttkit.aot.bundle_builder import build, write_bundle
from ttkit.aot.launch_list import LaunchList, LaunchListError
from ttkit.drivers.user_errors import UserError, check_output
from ttkit.executors.named import executor_of
from ttkit.executors.tasks import time_left
from ttkit.runtime.bundle import Bundle
from ttkit.target import parse_capability


def run(options: argparse.Namespace) -> int:
    """Does what the command line says; gives the exit code: 1 if a variant could not be compiled.

    Raises:
        UserError: a file is not a list, a target is unknown, or no variant could be compiled.
    """
    check_output(options.output)
    try:
        targets = sorted({parse_capability(text) for text in options.target.split(",")})
        lists = [LaunchList.load(path) for path in options.lists]
        executor = executor_of(options.executor)
    except (LaunchListError, ValueError) as error:
        raise UserError(str(error)) from None
    if not any(map(len, lists)):
        raise UserError(f"{', '.join(options.lists)} has no launches: list some by `ttkit export SCRIPT -o FILE.json`")
    ttkit.compat.install()
    built = build(
        lists,
        targets,
        jobs=options.jobs,
        executor=executor,
        general=options.general,
        line_info=options.line_info,
        each=_Progress(),
    )
    for left_out in dict.fromkeys(text for one in lists for text in one.left_out):
        print(f"not listed: {left_out}", file=sys.stderr)
    for failure in built.failures:
        print(failure, file=sys.stderr)
    if not built.kernels:
        raise UserError(f"no variant could be compiled: {options.output} is not written")
    size = write_bundle(options.output, built)
    failed = f"; {len(built.failures)} failed" if built.failures else ""
    print(
        f"wrote {options.output}: {Bundle(options.output).described()}, {size / 1024:.0f} KB{failed}", file=sys.stderr
    )
    return int(bool(built.failures))


class _Progress:
    """Counts in one line, at a terminal, with the time that is left."""

    def __init__(self) -> None:
        self._start = time.monotonic()

    def __call__(self, done: int, count: int) -> None:
        """Shows that so many are done."""
        if sys.stderr.isatty():
            left = time_left(time.monotonic() - self._start, done, count)
            print(
                f"\r{done} of {count} kernel{'s' * (count != 1)}{left and ', ' + left}".ljust(60),
                end="\n" * (done == count),
                file=sys.stderr,
                flush=True,
            )
