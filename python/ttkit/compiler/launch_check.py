"""Checking the passes of kernels on the arguments of their launches: what is in force for whom.

A launch itself is `checked_launch`, which loads the interpreter.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from ttkit.passes.changes import in_this_thread

if TYPE_CHECKING:
    from ttkit.compiler.checked_launch import Checked, Launch


class Checking:
    """Checks passes on launches while it is in force.

    programs: how many programs of a launch run; None for all.
    says: whether a line on stderr tells of each launch that was checked.
    launches: those that were checked.
    stays: whether blocks of `checked` in the script leave launches to it: a command's, which looks for the same.
    """

    stays = False

    def __init__(self, programs: int | None = None, says: bool = False) -> None:
        self.programs, self.says = programs, says
        self.launches: list[Checked] = []

    def __repr__(self) -> str:
        return f"<Checking: {len(self.launches)} launches of {len({one.kernel for one in self.launches})} kernels>"

    def check(self, launch: Launch) -> None:
        """Checks the passes for one launch, before it runs.

        Raises:
            PassChangedResult: a pass changes what the kernel does.
            Exception: what compiling the kernel raises.
        """
        from ttkit.compiler.checked_launch import check_launch  # when it is called for: it loads the interpreter

        found = check_launch(launch, self.programs)
        self.launches.append(found)
        for reason in found.skipped:
            warnings.warn(f"passes of {found.kernel}: {reason}", stacklevel=2)
        if self.says:
            told = f"{len(found.passes)} passes changed it, none its result"
            if found.skipped and not found.passes:
                told = "no pass was checked"
            print(f"ttkit: {found.kernel}: {told}", file=sys.stderr)

    def launched(self) -> None:
        """Called when the launch that `check` saw last has returned, after all hooks."""


active: ContextVar[Checking | None] = ContextVar("ttkit.launch_check", default=None)
"""Asked at each launch."""


@contextmanager
def checked(programs: int | None = None) -> Iterator[Checking]:
    """Checks, in a block of a `with` statement, the passes of every kernel that its thread launches or warms up.

    Each launch takes as long as the interpreter needs for the kernel, twice for every pass that changes it.

    Args:
        programs: run so many programs of each launch, spread over its grid; None for all.

    Raises, at a launch:
        PassChangedResult: a pass changes what the kernel does; the kernel is not launched.
    """
    if programs is not None and programs < 1:
        raise ValueError(f"programs is {programs}; use 1 or more, or None for all")
    checking, outer = Checking(programs), active.get()
    with in_force(outer if outer is not None and outer.stays else checking):
        yield checking


@contextmanager
def in_force(checking: Checking) -> Iterator[Checking]:
    """Lets it see every launch of this thread, in a block."""
    with in_this_thread(active, checking):
        yield checking
