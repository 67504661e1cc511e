"""Changes of the stages that are in force: everywhere, or in a block of one thread.

`ttkit.pipelines` makes them.  Who compiles a kernel takes those that hold for it into its options, once; the stages
look at the options alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, TypeVar

from ttkit.options import CompileOptions

IN_FORCE: list[Any] = []
"""The objects that change, watch or check passes, in any thread; the launcher tests whether it is empty.

Changes for all threads have a `plan`, and a `kernel`: the name of the kernel that they are for, or None for all.
"""
here: ContextVar[tuple[tuple[Any, str | None], ...]] = ContextVar("ttkit.changes", default=())
"""Plans of the blocks that this thread is in, and the kernels that they are for."""


def kernel_name(kernel: Any) -> str | None:
    """The name that a kernel is compiled under, given it or its name; of an autotuned one that of the kernel in it.

    Raises:
        TypeError: it is neither a kernel nor a name.
    """
    if kernel is None or isinstance(kernel, str):
        return kernel
    while hasattr(kernel, "fn"):
        kernel = kernel.fn
    name = getattr(kernel, "__name__", None)
    if not isinstance(name, str):
        raise TypeError(f"a kernel is a jitted function or its name; found {kernel!r}")
    return name


def place_name(where: Any) -> str:
    """The name of a pass or stage, given it or the pass.

    Raises:
        TypeError: it is neither.
    """
    name = where if isinstance(where, str) else getattr(where, "name", None)
    if not isinstance(name, str):
        raise TypeError(f"where a change is made is the name of a pass or stage, or a pass; found {where!r}")
    return name


def occurrences(found: Sequence[int], which: str | int) -> set[int]:
    """Those of the places where a pass stands in a stage that are meant: "all", "first", "last", 1, 2, ..., -1."""
    number = {"first": 1, "last": -1}.get(str(which), which)
    if isinstance(number, str):
        return set(found)
    index = number - 1 if number > 0 else number
    return {found[index]} if -len(found) <= index < len(found) else set()


T = TypeVar("T")


@contextmanager
def in_this_thread(variable: ContextVar[T], value: T) -> Iterator[None]:
    """A context in which an object changes, watches or checks passes in this thread alone."""
    token = variable.set(value)
    IN_FORCE.append(token)
    try:
        yield
    finally:
        IN_FORCE.remove(token)
        variable.reset(token)


def with_changes(options: CompileOptions, kernel: str | None) -> CompileOptions:
    """The options with the changes that are in force for a kernel, besides their own."""
    changes = changes_in_force(kernel, options.pipeline)
    return options if changes is options.pipeline else replace(options, pipeline=changes)


def changes_in_force(kernel: str | None = None, own: Any = None) -> Any:
    """All changes that hold for a kernel, as one `ttkit.pipelines.Plan`; None if there are none.

    Args:
        kernel: its name; None for a pipeline that is not of one kernel.
        own: the changes of its own options.
    """
    if not IN_FORCE and own is None and not here.get():
        return None
    pairs = [(one.plan, one.kernel) for one in tuple(IN_FORCE) if hasattr(one, "plan")]
    plans = [plan for plan, only in (*pairs, *here.get()) if only in (None, kernel)]
    plans += [own] if own is not None else []
    return plans[0].joined(plans[1:]) if plans else None
