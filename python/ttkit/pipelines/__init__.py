"""Changing the pipeline of kernels that are being compiled: passes put in, left out, exchanged.

    handle = pipelines.insert_before("tritongpu-reorder-instructions", MyPass())    # from here on
    handle.remove()

    with pipelines.skip("tritongpu-optimize-thread-locality"):                      # in this block
        kernel[grid](...)

    pipelines.replace("triton-licm", "my_licm.py", kernel=softmax)                  # of one kernel
    plan = pipelines.Plan().skip("cse").insert_after("ttkit-ttgir", look_at_it)
    with plan.here():                                                               # in this block and thread
        kernel[grid](...)
    kernel[grid](..., pipeline=plan)                                                # of one launch

Where: a name in the stages that `passes/stages.py` spells, `remove-last-conversions`; or that of a pass, or its class;
or a stage, `ttkit-ttir`, `ttkit-ttgir`, `ttkit-llir`, for its beginning and its end.  Where a pass stands several times
in a stage, `occurrence` says which are meant: "all", "first", "last", or a number, 1 for the first and -1 for the last.
`stage` restricts a change to one stage.

What to insert: a pass (`ttkit.Pass`), its class, a Python file of passes, or a function that takes the module's
operation.  The text of a pipeline with options (`"canonicalize,my-pass{factor=2}"`), or a list of these, works too.

Changes apply in the order in which they were requested, each to the result of those before.  Global ones
come first, then the thread's, then the launch's.  Kernels compiled with changes have keys of their own in
the cache, which cover the source of the passes: an edited pass is never served what the old one made.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import ttkit.locks as locks
from ttkit.compiler.launch_check import checked
from ttkit.compiler.pipeline_identity import tokens
from ttkit.options import CompileOptions
from ttkit.passes.changes import IN_FORCE, changes_in_force, here, in_this_thread, kernel_name, occurrences, place_name
from ttkit.passes.infra.given import Given, given_passes
from ttkit.passes.infra.pipeline_options import split
from ttkit.passes.infra.steps import Step, pass_name
from ttkit.passes.registry import pass_names
from ttkit.passes.stages import STAGES, steps
from ttkit.pipelines.snapshots import ledgers, observed, snapshots
from ttkit.suggestions import suggestion
from ttkit.target import FIRST_PTX

NOTHING = Given("")


@dataclass(frozen=True)
class Change:
    """One change of a stage's list.

    kind: "insert_before", "insert_after", "skip" or "replace".
    where: name of a step, a pass, or a stage.
    given: what comes in.
    """

    kind: str
    where: str
    given: Given = NOTHING
    occurrence: str | int = "all"
    stage: str | None = None

    def applied(self, stage: str, passes: list[Step]) -> list[Step]:
        """The list after the change; the same object if nothing is to be done."""
        if self.stage not in (None, stage):
            return passes
        coming = [Step(pass_name(text), text) for text in split(self.given.text)]
        if self.where == stage:
            whole = {"insert_before": [*coming, *passes], "insert_after": [*passes, *coming]}
            return whole.get(self.kind, coming)
        places = occurrences([place for place, step in enumerate(passes) if self.is_at(step)], self.occurrence)
        if not places:
            return passes
        made: list[Step] = []
        for place, step in enumerate(passes):
            if place not in places:
                made.append(step)
            elif self.kind == "insert_after":
                made += [step, *coming]
            else:
                made += [*coming, step] if self.kind == "insert_before" else coming
        return made

    def is_at(self, step: Step) -> bool:
        """Whether it is this step, or a pass in it, that the change is made at."""
        return self.where in _names(step)

    @property
    def identity(self) -> str:
        """The same for changes that do the same."""
        from ttkit.compiler.pass_sources import source_digest

        digests = [source_digest(origin) for origin in self.given.origins]
        return repr((self.kind, self.where, self.occurrence, self.stage, self.given.own_text, digests))


class Plan:
    """Changes, in order.  Each method gives a longer plan; the plan itself stays as it is."""

    def __init__(self, changes: tuple[Change, ...] = ()) -> None:
        self.changes = changes

    def insert_before(self, where: Any, what: Any, *, occurrence: str | int = "all", stage: str | None = None) -> Plan:
        """Puts passes in front of a pass, or of a whole stage.

        Raises:
            ValueError: there is no such pass or stage; `what` is not a pipeline, or a file without passes.
            TypeError: `what` is nothing that can be a pass.
            OSError: a file can't be read.
        """
        return self._with("insert_before", where, what, occurrence, stage)

    def insert_after(self, where: Any, what: Any, *, occurrence: str | int = "all", stage: str | None = None) -> Plan:
        """Inserts passes after a pass, or after a whole stage.  Raises as `insert_before`."""
        return self._with("insert_after", where, what, occurrence, stage)

    def replace(self, where: Any, what: Any, *, occurrence: str | int = "all", stage: str | None = None) -> Plan:
        """Puts passes in the place of a pass, or of all passes of a stage.  Raises as `insert_before`."""
        return self._with("replace", where, what, occurrence, stage)

    def skip(self, where: Any, *, occurrence: str | int = "all", stage: str | None = None) -> Plan:
        """Leaves a pass out.  Raises as `insert_before`."""
        return self._with("skip", where, None, occurrence, stage)

    def _with(self, kind: str, where: Any, what: Any, occurrence: str | int, stage: str | None) -> Plan:
        _check_occurrence(occurrence)
        name = _where(where, stage, _in_force(self).changes)
        given = NOTHING if what is None else given_passes(what)
        return Plan((*self.changes, Change(kind, name, given, occurrence, stage)))

    def install(self, kernel: Any = None) -> Installed:
        """Makes the changes in all compilations from here on.

        Args:
            kernel: only those of this kernel: a jitted function, or its name.
        """
        return Installed(self, kernel)

    @contextmanager
    def here(self, kernel: Any = None) -> Iterator[Plan]:
        """Makes the changes in a block of a `with` statement, in compilations of its thread alone.

        Args:
            kernel: only those of this kernel: a jitted function, or its name.
        """
        with in_this_thread(here, (*here.get(), (self, kernel_name(kernel)))):
            yield self

    def joined(self, others: Iterable[Plan]) -> Plan:
        """These changes, then those of other plans."""
        return Plan((*self.changes, *itertools.chain.from_iterable(plan.changes for plan in others)))

    def applied(self, stage: str, options: CompileOptions) -> list[Step]:
        """The passes of a stage with all changes made.

        Raises:
            ValueError: a change finds nothing to change, in any stage of this target.
        """
        lists = {name: steps(name, options) for name in STAGES}
        for change in self.changes:
            made = {name: change.applied(name, passes) for name, passes in lists.items()}
            if all(made[name] is lists[name] for name in lists):
                raise ValueError(_nothing_to_change(change, lists, options))
            lists = made
        return lists[stage]

    @property
    def identity(self) -> str:
        """The same for plans that do the same, in any process; as hexadecimal digits."""
        return hashlib.sha256("\n".join(change.identity for change in self.changes).encode()).hexdigest()

    # As an option of a kernel, plans are compared and written down.
    def __repr__(self) -> str:
        return f"Plan({self.identity})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and self.identity == other.identity

    def __hash__(self) -> int:
        return hash(self.identity)


class Installed:
    """A plan that is in force in all threads: until `remove()`, or in a `with` statement until the block's end."""

    def __init__(self, plan: Plan, kernel: Any) -> None:
        self.plan, self.kernel = plan, kernel_name(kernel)
        with _lock:
            IN_FORCE.append(self)

    def remove(self) -> None:
        """Takes the changes back.  A second time does nothing."""
        with _lock:
            if self in IN_FORCE:
                IN_FORCE.remove(self)

    def __enter__(self) -> Installed:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


_lock = locks.lock()


def insert_before(
    where: Any, what: Any, *, occurrence: str | int = "all", stage: str | None = None, kernel: Any = None
) -> Installed:
    """Puts passes in front of a pass, or of a whole stage, in all compilations from here on.

    Args:
        where: the name of a pass or stage, or a pass's class.
        what: passes, see the module.
        occurrence: which, where the pass stands several times in a stage: "all", "first", "last", 1, 2, ..., -1.
        stage: only there.
        kernel: only in compilations of this one: a jitted function, or its name.

    Returns:
        what takes the change back, `remove()`; in a `with` statement the change ends with the block.

    Raises:
        ValueError: there is no such pass or stage; `what` is not a pipeline, or a file without passes.
        TypeError: `what` is nothing that can be a pass.
        OSError: a file can't be read.
    """
    return Plan().insert_before(where, what, occurrence=occurrence, stage=stage).install(kernel)


def insert_after(
    where: Any, what: Any, *, occurrence: str | int = "all", stage: str | None = None, kernel: Any = None
) -> Installed:
    """Inserts passes after a pass, or after a whole stage.  As `insert_before`."""
    return Plan().insert_after(where, what, occurrence=occurrence, stage=stage).install(kernel)


def replace(
    where: Any, what: Any, *, occurrence: str | int = "all", stage: str | None = None, kernel: Any = None
) -> Installed:
    """Puts passes in the place of a pass, or of all passes of a stage.  As `insert_before`."""
    return Plan().replace(where, what, occurrence=occurrence, stage=stage).install(kernel)


def skip(where: Any, *, occurrence: str | int = "all", stage: str | None = None, kernel: Any = None) -> Installed:
    """Leaves a pass out.  As `insert_before`."""
    return Plan().skip(where, occurrence=occurrence, stage=stage).install(kernel)


def reset() -> None:
    """Takes back all changes that hold everywhere."""
    with _lock:
        IN_FORCE[:] = [one for one in IN_FORCE if not isinstance(one, Installed)]


def load(path: str) -> None:
    """Runs a Python file that changes the pipeline by the functions of this module.

    Raises:
        OSError: the file can't be read.
        Exception: whatever it raises.
    """
    with open(path, encoding="utf-8") as file:
        code = compile(file.read(), path, "exec", dont_inherit=True)
    exec(code, {"__name__": "__ttkit_pipeline__", "__file__": path})


def identity(kernel: str) -> str:
    """Identity of the changes for a kernel of this name, a part of its cache key; empty if there are none."""
    changes = changes_in_force(kernel)
    parts = [] if changes is None else [changes.identity]
    parts += tokens()  # compiled again, to be seen
    return "-".join(parts)


def _in_force(own: Plan) -> Plan:
    """The changes that hold for all kernels here, then those of a plan."""
    found: Plan = changes_in_force(None, own)
    return found


def _nothing_to_change(change: Change, lists: dict[str, list[Step]], options: CompileOptions) -> str:
    counts = {name: sum(map(change.is_at, passes)) for name, passes in lists.items() if change.stage in (None, name)}
    if most := max(counts.values()):
        missing = f"there is no occurrence {change.occurrence}"
        return f"{change.kind}: '{change.where}' stands {most} times in a stage, {missing}"
    missing = f"there is no pass '{change.where}' in {' and '.join(counts)}"
    return f"{change.kind}: for sm_{options.target.capability} {missing}"


# --- checks -----------------------------------------------------------------------------------------------------------


def _names(step: Step) -> tuple[str, str]:
    """The names that changes know a step by."""
    return step.name, pass_name(step.text)


def _where(where: Any, stage: str | None, changes: Iterable[Change]) -> str:
    """The name of a pass or stage.

    Raises:
        ValueError: there is none.
        TypeError: it is neither a name nor a pass.
    """
    if stage is not None and stage not in STAGES:
        raise ValueError(f"there is no stage '{stage}'{suggestion(stage, STAGES)} Stages are {', '.join(STAGES)}")
    name = place_name(where)
    searched = [stage] if stage is not None else list(STAGES)
    known = dict.fromkeys(searched)
    known |= dict.fromkeys(itertools.chain.from_iterable(map(_names_in, searched)))
    for change in changes:
        known |= dict.fromkeys(pass_names(change.given.text))
    if name in known:
        return name
    message = f"there is no pass '{name}' in {' and '.join(searched)}{suggestion(name, known)}"
    if others := [one for one in STAGES if one not in searched and name in _names_in(one)]:
        message += f"; it is in {' and '.join(others)}"
    raise ValueError(message)


def _names_in(stage: str) -> dict[str, None]:
    """The names of a stage's passes and of their places, for any GPU, in order."""
    options = [CompileOptions.for_capability(capability) for capability in FIRST_PTX]
    return dict.fromkeys(name for one in options for step in steps(stage, one) for name in _names(step))


def _check_occurrence(occurrence: Any) -> None:
    is_number = isinstance(occurrence, int) and not isinstance(occurrence, bool) and occurrence != 0
    if not is_number and occurrence not in ("all", "first", "last"):
        raise ValueError(f"occurrence must be 'all', 'first', 'last', 1 and up, or -1 and down; found {occurrence!r}")


__all__ = [
    "Change", "Installed", "Plan", "checked", "identity", "insert_after", "insert_before", "ledgers", "load",
    "observed", "replace", "reset", "skip", "snapshots",
]  # fmt: skip
