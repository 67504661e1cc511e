"""Which version of Triton decides what a kernel's source means.

Versions of Triton disagree about some expressions: `-x` of a float is `0 - x` before 3.8, and since then its negation.
One version decides for a kernel and for all functions that it calls.  It is the first of these that is given:

1. the kernel's: `@triton.jit(version="3.9")`;
2. its package's: `TTKIT_TRITON_VERSION=3.6,fla=3.8`, or `ttkit.compat.install(packages={"fla": "3.8"})`;
3. the script's: `TTKIT_TRITON_VERSION=3.9`, or `ttkit.compat.install(version="3.9")`;
4. 3.6.

`docs/triton_versions.md` lists the expressions.  `since` is the one place that asks; each call of it is one of them.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, NamedTuple

import ttkit.knobs as knobs
from ttkit.installation import FOLDER
from ttkit.knobs.asked_names import ASKED_NAMES
from ttkit.language.building import active, builder
from ttkit.triton_versions import FIRST, Choice, Version, is_version, parsed

_noting: Noting | None = None


class Noted(NamedTuple):
    """A place where versions of Triton disagree.

    change: which rule, a key of `ttkit.upgrade.changes.CHANGES`.
    file, first, last: the line of the expression; in a function of the language, all lines of that function.
    """

    change: str
    file: str
    first: int
    last: int


class Noting:
    """A record of places that versions disagree about, made while kernels are built.

    Attributes:
        found: the places.
        without_effect: the version that decides where the results are the same, so that modules of different versions
            differ only where results do.
    """

    def __init__(self, without_effect: Version) -> None:
        self.found: list[Noted] = []
        self.without_effect = without_effect

    def note(self, change: str) -> None:
        """Notes the expression that is being built."""
        place: Any = builder().loc
        while place is not None and isinstance(place[1], tuple):  # a name, and the place
            place = place[1]
        if place is None:
            return
        file, first = place[0], place[1]
        last = first
        if file.startswith(FOLDER):
            function = active.generator.jit_fn
            first = function.location[1]
            last = first + function.src.count("\n")
        self.found.append(Noted(change, file, first, last))


def since(major: int, minor: int, change: str = "") -> bool:
    """Whether the kernel that is being built follows the rules of this version of Triton, or of a later one.

    Args:
        change: which rule, for reports; "" where the results are the same.
    """
    if active.builder is None:
        return False
    version: Version = active.builder.unit.version
    if _noting is not None:
        if change:
            _noting.note(change)
        else:
            version = _noting.without_effect
    return version >= (major, minor)


def note(change: str) -> None:
    """Says that the expression that is being built is one about which versions disagree."""
    if _noting is not None:
        _noting.note(change)


@contextmanager
def noting(without_effect: Version) -> Iterator[list[Noted]]:
    """A `with` statement's scope: its value gets the places of kernels that are built inside, see `Noting`."""
    global _noting
    before, _noting = _noting, Noting(without_effect)
    try:
        yield _noting.found
    finally:
        _noting = before


def of_kernel(fn: Any) -> Version:
    """The version that decides what the source of the jitted function `fn` means, see above.

    Triton lets authors give `@jit` a `version` of their own.  One that is not a version of Triton decides nothing.

    Raises:
        UnknownVersion: TTKIT_TRITON_VERSION has one that is not known.
    """
    own = getattr(fn, "version", None)
    if isinstance(own, str) and is_version(own):
        return parsed(own)
    text = knobs.language.triton_version
    if text == "3.6":
        return FIRST
    choice = Choice.of_text(text)
    module = getattr(fn, "module", None) or ""
    for package in choice.packages:
        if not _is_installed(package):
            ASKED_NAMES.is_one_of("TTKIT_TRITON_VERSION", package, [module.partition(".")[0]], "package")
    return choice.of_module(module)


@lru_cache(maxsize=256)
def _is_installed(package: str) -> bool:
    """Whether a package is loaded, or could be: settings may name packages that this script does not use."""
    outermost = package.partition(".")[0]  # looking for one within another would import the outer one
    try:
        return outermost in sys.modules or importlib.util.find_spec(outermost) is not None
    except (ImportError, ValueError):
        return False
