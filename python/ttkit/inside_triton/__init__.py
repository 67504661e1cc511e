"""Passes of ttkit in Triton's own compilations, for programs that stay with Triton: 3.6 to 3.9, as installed.

    import triton
    from ttkit import inside_triton

    handle = inside_triton.insert_before("tritongpu-coalesce", MyPass)      # from here on
    handle.remove()

    with inside_triton.replace("triton-licm", "my_licm.py", kernel=softmax):    # in this block
        softmax[grid](...)
    with inside_triton.trace() as passes:                                   # the IR after each of Triton's passes
        softmax[grid](...)
    with inside_triton.check() as report:                                   # which of them changes a result?
        softmax[grid](...)

Where: the name of a pass as Triton's own pipelines have it, or a stage, `ttir`, `ttgir`, `llir`, for its beginning and
its end.  Where a pass stands several times in a stage, `occurrence` says which are meant: "all", "first", "last", or a
number, 1 for the first and -1 for the last.  What: all that `ttkit.pipelines` takes.

Triton compiles the kernel; its module crosses as text to ttkit's passes and back, in this process, where one of them
stands.  Each change joins Triton's cache key.  How: `triton_stages.py`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ttkit.compiler.pass_sources import source_digest
from ttkit.inside_triton.hook import IN_FORCE, install, uninstall
from ttkit.inside_triton.triton_stages import STAGES, Place
from ttkit.interpreter.check.check_passes import Checker, Settings
from ttkit.interpreter.check.pipelines import CheckReport
from ttkit.passes.changes import kernel_name, occurrences, place_name
from ttkit.passes.infra.given import Given, given_passes
from ttkit.suggestions import suggestion

_numbers = itertools.count(1)


class InForce:
    """A change of Triton's compilations until `remove()`, or in a `with` statement until the block's end."""

    def __init__(self, kernel: Any) -> None:
        self.kernel = kernel_name(kernel)
        install(self)

    def remove(self) -> None:
        """Takes it back.  A second time does nothing."""
        uninstall(self)

    def __enter__(self) -> InForce:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()

    @property
    def identity(self) -> str:
        """The same for those that do the same; a part of Triton's cache key."""
        raise NotImplementedError


class Change(InForce):
    """Passes put before or after one of Triton's, or in its place.

    kind: "insert_before", "insert_after" or "replace".
    where: a pass or a stage.
    stage: the only one that it is made in; None for all.
    used: whether Triton has compiled something in which it has a place.
    """

    def __init__(self, kind: str, where: Any, what: Any, occurrence: str | int, stage: str | None, kernel: Any) -> None:
        self.kind, self.where, self.occurrence = kind, _where(where), occurrence
        self.stage = None if stage is None else _stage(stage)
        self.given: Given = given_passes(what)
        self.used = False
        super().__init__(kernel)

    @property
    def identity(self) -> str:
        """All that decides what the change does, as text: part of Triton's cache keys."""
        digests = [source_digest(origin) for origin in self.given.origins]
        return repr((self.kind, self.where, self.occurrence, self.stage, self.kernel, self.given.own_text, digests))

    def places(self, names: list[str]) -> set[int]:
        """Which of the passes, given by their names, it is made at."""
        return occurrences([index for index, name in enumerate(names) if name == self.where], self.occurrence)


class Watch(InForce):
    """A function that is told of each pass: its place, and the text of the module before and after it."""

    def __init__(self, told: Callable[[str, Place, str, str], None], kernel: Any) -> None:
        self.told = told
        self._identity = f"watch {next(_numbers)} {id(self)}"  # compiled again, to be seen
        super().__init__(kernel)

    @property
    def identity(self) -> str:
        """Makes cache keys new, so that kernels are compiled again, to be seen."""
        return self._identity


def insert_before(
    where: Any, what: Any, *, occurrence: str | int = "all", stage: str | None = None, kernel: Any = None
) -> Change:
    """Puts passes in front of one of Triton's, or of a whole stage, in all of Triton's compilations from here on.

    Args:
        where: the name of a pass or stage, or the class of ttkit's pass of that name.
        what: a `ttkit.Pass`, its class, a file of passes, a function on a module's operation, pipeline text, or a list.
        occurrence: which, where the pass stands several times in a stage: "all", "first", "last", 1, 2, ..., -1.
        stage: only there: "ttir", "ttgir" or "llir", which ends with operations of LLVM and of Triton alone.
        kernel: only in compilations of this one: a jitted function, or its name.

    Returns:
        what takes the change back, `remove()`; in a `with` statement the change ends with the block.

    Raises:
        ImportError: Triton is not installed, or this one has no hook for stages.
        ValueError: `what` is not a pipeline, or a file without passes.  A compilation raises it where a change finds no
            place.
        TypeError: `what` is nothing that can be a pass.
    """
    return Change("insert_before", where, what, occurrence, stage, kernel)


def insert_after(
    where: Any, what: Any, *, occurrence: str | int = "all", stage: str | None = None, kernel: Any = None
) -> Change:
    """Inserts passes after one of Triton's, or after a whole stage.  As `insert_before`."""
    return Change("insert_after", where, what, occurrence, stage, kernel)


def replace(
    where: Any, what: Any, *, occurrence: str | int = "all", stage: str | None = None, kernel: Any = None
) -> Change:
    """Puts passes in the place of one of Triton's.  As `insert_before`.

    Raises:
        ValueError: it is a stage.
    """
    if (name := _where(where)) in STAGES:
        raise ValueError(f"a stage can't be replaced, its passes can; found {name}")
    return Change("replace", name, what, occurrence, stage, kernel)


@dataclass(frozen=True)
class Step:
    """A kernel on both sides of a pass that Triton ran.

    kernel: its name.
    place: the pass, with its stage.
    before, after: the text of the module, with locations.
    """

    kernel: str
    place: Place
    before: str
    after: str

    @property
    def changed(self) -> bool:
        """Whether the pass changed the IR."""
        return self.before != self.after

    def __repr__(self) -> str:
        change = "changed" if self.changed else "unchanged"
        return f"<Step of {self.kernel}: {self.place.stage}, {self.place.name}, {change}>"


@contextmanager
def trace(kernel: Any = None) -> Iterator[list[Step]]:
    """Collects the passes that Triton runs in a block, with the IR on both sides of each.

    Kernels are compiled anew in the block, whatever Triton's cache has.
    """
    steps: list[Step] = []
    with Watch(lambda name, place, before, after: steps.append(Step(name, place, before, after)), kernel):
        yield steps


@contextmanager
def check(kernel: Any = None, *, runs: int = 3, seed: int = 0) -> Iterator[CheckReport]:
    """Runs kernels in the interpreter on both sides of each pass that Triton runs in a block, on generated inputs.

    Args:
        kernel: only this one.
        runs: sets of inputs.
        seed: of the first; the others count on.

    Raises:
        PassChangedResult: a pass changed what a kernel computes; by the compilation.
    """
    report = CheckReport([], [])
    checkers: dict[tuple[str, str], Checker] = {}

    def told(name: str, place: Place, before: str, after: str) -> None:
        """Compares what a pass did, on generated inputs.  Raises the difference that is found."""
        if place.stage == "llir":  # its end, LLVM, is not interpreted
            return
        new = Checker(Settings(runs, seed), lambda _, text: report.skipped.append(text))
        checker = checkers.setdefault((name, place.stage), new)
        done = len(checker.checked)
        checker.before(before)
        checker.after(place.name, after)
        report.checked.extend(checker.checked[done:])
        if checker.found is not None:
            raise checker.found

    with Watch(told, kernel):
        yield report


def reset() -> None:
    """Takes back all that is in force."""
    for one in tuple(IN_FORCE):
        one.remove()


def _where(where: Any) -> str:
    name = place_name(where)
    return name.removeprefix("ttkit-") if name.removeprefix("ttkit-") in STAGES else name


def _stage(name: str) -> str:
    if (own := name.removeprefix("ttkit-")) not in STAGES:
        raise ValueError(f"there is no stage '{name}'{suggestion(name, STAGES)} Stages are {', '.join(STAGES)}")
    return own


__all__ = ["Change", "Place", "Step", "check", "insert_after", "insert_before", "replace", "reset", "trace"]
