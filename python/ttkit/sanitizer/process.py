"""The sanitizer of a process: its settings, what it has found, what it says at the end."""

from __future__ import annotations

import atexit
import functools
import itertools
import os
import sys
from collections.abc import Callable

import ttkit.knobs as knobs
from ttkit.sanitizer.findings import Finding, Findings
from ttkit.sanitizer.initialized import Fresh, watch
from ttkit.sanitizer.reports import json_of, summary, text_of
from ttkit.sanitizer.settings import Settings

_numbers = itertools.count()


class Sanitizer:
    """The kinds of bugs to look for, and those that were found.

    settings: what to look for.
    findings: what was found.
    fresh: arrays without contents.
    name: its own: kernels that were compiled for another driver do not belong to it.
    prints: whether each bug is printed, once.
    at_end: called before the findings are complete.
    """

    def __init__(self, settings: Settings, prints: bool = True) -> None:
        self.settings, self.prints = settings, prints
        self.name = f"sanitizer {next(_numbers)}"
        self.findings, self.fresh = Findings(), Fresh()
        self.at_end: list[Callable[[], None]] = []

    def tell(self, finding: Finding) -> None:
        """Records a bug."""
        if finding.kind in self.settings.kinds and self.findings.add(finding) and self.prints:
            print(f"{text_of(finding)}\n", file=sys.stderr, flush=True)

    def complete(self) -> None:
        """Collects what is noted elsewhere."""
        for function in self.at_end:
            function()

    def finish(self, process: int) -> None:
        """Says at the end of a process what was found; the exit code is 1 then."""
        if os.getpid() != process:  # a fork of it, which has noted nothing of its own
            return
        self.complete()
        if self.settings.report:
            path = os.path.join(self.settings.report, f"{process}.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(json_of(self.findings))
            return
        print(summary(self.findings), file=sys.stderr)
        if self.findings.found:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(1)  # at exit nothing else changes the code


@functools.cache
def process() -> Sanitizer:
    """The sanitizer of this process, with the settings of TTKIT_SANITIZE.

    Raises:
        ValueError: it has no such word.
    """
    made = Sanitizer(Settings.parse(knobs.runtime.sanitize or "all"))
    if made.settings.watches_arrays:
        watch(made.fresh)
    atexit.register(made.finish, os.getpid())
    return made
