"""Special registers: the clock and the multiprocessor of a program, and its number of threads and warps."""

from __future__ import annotations

from typing import Any

from ttkit.language.building import builder
from ttkit.language.builtin import builtin, extern
from ttkit.language.constexpr import constexpr
from ttkit.language.extern import inline_asm_elementwise
from ttkit.language.types import int32, int64


@extern
def globaltimer() -> Any:
    """Nanoseconds of the GPU's clock, int64.  The interpreter tells those of the computer's.

    Example:
        >>> start = tl.extra.cuda.globaltimer()
        >>> tl.extra.cuda.globaltimer() >= start
        int1[] True
    """
    return inline_asm_elementwise("mov.u64 $0, %globaltimer;", "=l", [], dtype=int64, is_pure=False, pack=1)


@extern
def smid() -> Any:
    """The number of the multiprocessor, int32.  The interpreter has one, 0.

    Example:
        >>> tl.extra.cuda.smid()
        int32[] 0
    """
    return inline_asm_elementwise("mov.u32 $0, %smid;", "=r", [], dtype=int32, is_pure=True, pack=1)


@builtin
def num_threads() -> constexpr:
    """Threads of a program.

    Example:
        >>> tl.extra.cuda.num_threads()
        constexpr[128]
    """
    return constexpr(builder().unit.options.num_warps * 32)


@builtin
def num_warps() -> constexpr:
    """Warps of a program.

    Example:
        >>> tl.extra.cuda.num_warps()
        constexpr[4]
    """
    return constexpr(builder().unit.options.num_warps)
