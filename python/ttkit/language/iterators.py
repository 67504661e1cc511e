"""Ranges of `for` loops and conditions of `while` loops."""

from __future__ import annotations

import builtins
from operator import index
from typing import Any

from ttkit.language.base import base_value
from ttkit.language.building import active
from ttkit.language.constexpr import constexpr
from ttkit.language.errors import NotConstant


class _Range(base_value):
    """Numbers from `start` to `end`; a kernel that is compiled makes a loop of it, one that runs as Python counts."""

    start: Any
    end: Any
    step: Any

    def __iter__(self) -> Any:
        if active.builder is None or not active.builder.is_eager:
            raise RuntimeError(f"tl.{type(self).__name__} can only be used in @triton.jit'd functions")
        if isinstance(self, static_range):
            return iter(builtins.range(index(self.start), index(self.end), index(self.step)))
        return active.builder.count(self.start, self.end, self.step)


class static_range(_Range):
    """`range` unrolled at compile time: start, end and step are constexprs, and so is the variable.

    Example:
        >>> [i for i in tl.static_range(4)]
        [0, 1, 2, 3]
    """

    def __init__(self, arg1: Any, arg2: Any = None, step: Any = None) -> None:
        for name, value in (("start", arg1), ("end", arg2), ("step", step)):
            if value is not None and not isinstance(value, (int, constexpr)):
                raise NotConstant(what=f"tl.static_range {name}", value=value)
            index(0 if value is None else value)  # raises NotAnInteger
        self.step = constexpr(1 if step is None else step)
        self.start = constexpr(0 if arg2 is None else arg1)
        self.end = constexpr(arg1 if arg2 is None else arg2)


class range(_Range):
    """Python's `range` with wishes to the compiler.

    Args:
        arg1, arg2, step: as of Python's `range`.
        num_stages: pipeline the loop into so many stages; all loads, not only those that feed dots.
        loop_unroll_factor: unroll so many times.
        disallow_acc_multi_buffer: keep one buffer of a dot's accumulator.
        flatten: merge the loop nest that begins here into one loop.
        warp_specialize: give parts of the loop to different groups of warps (Hopper, Blackwell).
        disable_licm: do not move invariant code out of the loop.

    Example:
        >>> for i in tl.range(0, 6, 2, num_stages=3):
        ...     print(i)
        int32[] 0
        int32[] 2
        int32[] 4
    """

    def __init__(
        self,
        arg1: Any,
        arg2: Any = None,
        step: Any = None,
        num_stages: Any = None,
        loop_unroll_factor: Any = None,
        disallow_acc_multi_buffer: Any = False,
        flatten: Any = False,
        warp_specialize: Any = False,
        disable_licm: Any = False,
    ) -> None:
        self.step = constexpr(1) if step is None else step
        self.start = constexpr(0) if arg2 is None else arg1
        self.end = arg1 if arg2 is None else arg2
        self.num_stages = num_stages
        self.loop_unroll_factor = loop_unroll_factor
        self.disallow_acc_multi_buffer = disallow_acc_multi_buffer
        self.flatten = flatten
        self.warp_specialize = warp_specialize
        self.disable_licm = disable_licm


class condition(base_value):
    """The condition of a `while` loop with a wish to the compiler: `disable_licm` as of `range`.

    Example:
        >>> count = tl.full((1,), 3, tl.int32).item()
        >>> while tl.condition(count > 0, disable_licm=True):
        ...     count -= 1
        >>> count
        int32[] 0
    """

    def __init__(self, arg1: Any, disable_licm: Any = False) -> None:
        self.condition = arg1
        self.disable_licm = disable_licm

    def __bool__(self) -> bool:
        return bool(self.condition)
