"""Launches that bundles answer, and what becomes of those that they can't: `knobs.runtime.bundle_miss`.

ttkit.load_bundle("bundle.ttkit")                        # or TTKIT_BUNDLE=bundle.ttkit
knobs.runtime.bundle_miss = "general"                    # or TTKIT_BUNDLE_MISS=general
knobs.runtime.bundle_miss_hook.add(print)                # BundleMiss(kernel="add(x: *fp32, ...)", ...)
counts()                                                 # Counter({"found": 12, "general": 1})
"""

from __future__ import annotations

import atexit
import functools
import importlib.machinery
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from typing import Any, NamedTuple

import ttkit.knobs as knobs
import ttkit.locks as locks
from ttkit.installation import FOLDER
from ttkit.notices import say_once
from ttkit.options import CompileOptions
from ttkit.runtime.bundle import INDEX, Bundle, BundleError
from ttkit.runtime.bundle_recording import tell
from ttkit.runtime.compiled_kernel import CompiledKernel
from ttkit.runtime.variants import title
from ttkit.suggestions import suggestion
from ttkit.target import GPUTarget

POLICIES = ("compile", "error", "general", "background")

_LOADED: dict[str, Bundle] = {}
_COUNTS: Counter[str] = Counter()
_LEFT_ASIDE: ContextVar[bool] = ContextVar("ttkit_bundles_left_aside", default=False)


class BundleMiss(NamedTuple):
    """A launch that no bundle has the kernel of, as `knobs.runtime.bundle_miss_hook` is told of it.

    kernel: its name with the types of its parameters.
    target: such as "sm_90".
    reason: what the bundles have in place of it.
    outcome: "compile", "error", "general" or "background": what is done.
    """

    kernel: str
    target: str
    reason: str
    outcome: str


def load_bundle(path: str | os.PathLike[str]) -> Bundle:
    """Has all launches from now on answered from a bundle, too; those loaded first are asked first.

    Args:
        path: of `ttkit compile-all` or `ttkit export`.

    Raises:
        BundleError: it can't be read, or another version of ttkit made it.
    """
    bundle = Bundle(path)
    _LOADED[os.path.abspath(path)] = bundle
    return bundle


def unload_bundles() -> None:
    """Forgets what `load_bundle` loaded.  Kernels that were launched already stay with their functions."""
    _LOADED.clear()


def counts() -> Counter[str]:
    """The number of each outcome in this process, once for each variant and device: "found"; of misses as in
    `BundleMiss`; "compiled" and "failed" of compilations in the background."""
    return _COUNTS.copy()


def active() -> list[Bundle]:
    """The bundles in use: those that were loaded; that of TTKIT_BUNDLE, else the one that this ttkit is part of.

    Raises:
        BundleError: one can't be read.
    """
    named = _named(knobs.runtime.bundle or "")
    return [*_LOADED.values(), *([named] if named else [])]


@functools.cache
def _named(path: str) -> Bundle | None:
    around = os.path.dirname(os.path.dirname(FOLDER))
    if not path and not os.path.exists(os.path.join(around, INDEX)):
        return None
    return Bundle(path or around)


@contextmanager
def left_aside() -> Iterator[None]:
    """Within the block, this thread compiles whatever bundles have."""
    token = _LEFT_ASIDE.set(True)
    try:
        yield
    finally:
        _LEFT_ASIDE.reset(token)


def answer(
    source: Any, target: GPUTarget, options: CompileOptions, later: Callable[[], object] | None = None
) -> CompiledKernel | None:
    """The kernel of a bundle for a launch; None if it is to be compiled, or taken from the cache.

    Args:
        later: compiles the kernel itself and puts it to use; called in another thread if one that is general enough was
            given in its place.  Without, what is given takes the same parameters.

    Raises:
        BundleError: a bundle is damaged; or none has the kernel, and it may not be compiled.
    """
    if _LEFT_ASIDE.get() or not (bundles := active()):
        return None
    policy = knobs.runtime.bundle_miss
    if policy not in POLICIES:
        raise BundleError(
            f"TTKIT_BUNDLE_MISS is '{policy}'; use one of {', '.join(POLICIES)}{suggestion(policy, POLICIES)}"
        )
    for bundle in bundles:
        if (found := bundle.find(source, target, options)) is not None:
            _COUNTS["found"] += 1
            return tell(source, options, found)
    general = _general(bundles, source, target, options, later) if policy in ("general", "background") else None
    outcome = policy
    if general is None and policy in ("general", "background"):
        outcome = "compile" if policy == "background" else "error"
    if outcome in ("compile", "background") and not can_compile():
        outcome = "error" if general is None else "general"
    reason = "; ".join(
        f"{bundle.path} has {bundle.described()}, but not it: it {bundle.reason(source, target, options)}"
        for bundle in bundles
    )
    _COUNTS[outcome] += 1
    knobs.runtime.bundle_miss_hook(BundleMiss(title(source), f"sm_{target.arch}", reason, outcome))
    if outcome == "error":
        raise missing(source, target, reason)
    if outcome == "background" and later is not None:
        # With the caller's context: changes of the pipeline that hold in its block are part of the key.
        work = functools.partial(copy_context().run, _compile_apart, later, title(source))
        threading.Thread(target=work, name="ttkit-bundle", daemon=True).start()
    return None if general is None else tell(source, options, general)


def _general(
    bundles: list[Bundle], source: Any, target: GPUTarget, options: CompileOptions, later: Callable[[], object] | None
) -> CompiledKernel | None:
    found = (bundle.nearest(source, target, options, keeps_signature=later is None) for bundle in bundles)
    return next((kernel for kernel in found if kernel is not None), None)


@functools.cache
def can_compile() -> bool:
    """Whether the compiler is installed: the package `ttkit-runtime` has none."""
    return importlib.machinery.PathFinder.find_spec("mlir") is not None


def missing(source: Any, target: GPUTarget, reason: str = "") -> BundleError:
    """The error of a kernel that may not be compiled, or can't be where there is no compiler.

    reason: what the bundles have in place of it.
    """
    policy = knobs.runtime.bundle_miss
    if can_compile():
        why, advice = f"TTKIT_BUNDLE_MISS={policy} says not to compile it here", ""
        if policy == "general":
            why, advice = "No variant is general enough", ", or `ttkit compile-all` with --general"
    else:
        why, advice = "There is no compiler here", ", or install ttkit in place of ttkit-runtime"
    found = reason or "and no bundle: set TTKIT_BUNDLE"
    return BundleError(
        f"kernel {title(source)} is needed for sm_{target.arch}.  {why}, {found}.  Run the program through `ttkit "
        f"export` again, with such arguments{advice}"
    )


# --- in the background ------------------------------------------------------------------------------------------------

_AT_ONCE = locks.lock()
"""Held while a kernel is compiled in the background: one at a time, beside the program."""
_ENDING = threading.Event()


def _compile_apart(later: Callable[[], object], kernel: str) -> None:
    with _AT_ONCE, left_aside():
        if _ENDING.is_set():
            return
        try:
            later()
            _COUNTS["compiled"] += 1
        except Exception as error:
            _COUNTS["failed"] += 1
            say_once(f"{kernel} can't be compiled in the background, and a more general one stays: {error}")


@atexit.register
def _end() -> None:
    """Waits for a compilation that runs: LLVM must not go on while the process takes it down."""
    _ENDING.set()
    with _AT_ONCE:
        pass
