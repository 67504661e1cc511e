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

from typing import Any

import ttkit.knobs as knobs
from ttkit.language.building import active
from ttkit.triton_versions import FIRST, Choice, Version, is_version, parsed


def since(major: int, minor: int) -> bool:
    """Whether the kernel that is being built follows the rules of this version of Triton, or of a later one."""
    builder = active.builder
    return builder is not None and builder.unit.version >= (major, minor)


def of_kernel(fn: Any) -> Version:
    """The version that decides what the source of the jitted function `fn` means, see above.

    Triton lets authors give `@jit` a `version` of their own.  One that is not a version of Triton decides nothing.

    Raises:
        UnknownVersion: TTKIT_TRITON_VERSION has one that is not known.
    """
    own = getattr(fn, "version", None)
    if is_version(own):
        return parsed(own)
    text = knobs.language.triton_version
    return FIRST if text == "3.6" else Choice.of_text(text).of_module(getattr(fn, "module", None) or "")
