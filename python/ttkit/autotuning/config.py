"""One way to compile and launch a kernel, among which the autotuner chooses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

QUANTILES = (0.5, 0.2, 0.8)
"""The quantiles of a configuration's times that `configs_timings` holds."""
_DEFAULTS = {"num_warps": 4, "num_stages": 3, "num_ctas": 1, "maxnreg": None, "pre_hook": None, "ir_override": None}


def milliseconds(found: Any) -> list[float]:
    """The three quantiles that `do_bench` returned; one number stands for all.

    Raises:
        TypeError: it is neither a number nor a list of numbers.
    """
    given = found if hasattr(found, "__len__") and not isinstance(found, str) else [found] * len(QUANTILES)
    times = [time for time in given if hasattr(time, "__float__")]  # of numbers, and of arrays and tensors
    if not times or len(times) < len(given):
        raise TypeError(f"do_bench of autotune must return milliseconds, found {found!r}")
    return list(map(float, times))


class Config:
    """Values for a kernel's tuned parameters, and options of its compilation.

    kwargs: {parameter: value}, such as {"BLOCK": 128}.
    num_warps, num_stages, num_ctas, maxnreg: as `ttkit.options.CompileOptions`; None leaves an option alone.
    pre_hook: called with all arguments by name before each run of the kernel.
    ir_override: a file `*.ttir`, `*.ttgir`, `*.llir` or `*.ptx` that replaces what that stage makes.

    Two configurations are equal if they launch the same: they can be keys of a dict.
    """

    def __init__(
        self,
        kwargs: dict[str, Any],
        num_warps: int | None = 4,
        num_stages: int | None = 3,
        num_ctas: int | None = 1,
        maxnreg: int | None = None,
        pre_hook: Callable[..., Any] | None = None,
        ir_override: str | None = None,
    ) -> None:
        if not isinstance(kwargs, Mapping):
            raise TypeError(f"a Config has values by the parameters' names, as {{'BLOCK': 128}}; found {kwargs!r}")
        if wrong := [name for name in kwargs if not isinstance(name, str)]:
            raise TypeError(f"a Config has values by the parameters' names, as {{'BLOCK': 128}}; found {wrong[0]!r}")
        if pre_hook is not None and not callable(pre_hook):
            raise TypeError(f"pre_hook of a Config must be a function, found {pre_hook!r}")
        self.kwargs = kwargs
        self.num_warps = num_warps
        self.num_ctas = num_ctas
        self.num_stages = num_stages
        self.maxnreg = maxnreg
        self.pre_hook = pre_hook
        self.ir_override = ir_override

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Pickles of versions without some of the fields load too.
        self.__dict__.update({"kwargs": {}, **_DEFAULTS, **state})

    def all_kwargs(self) -> dict[str, Any]:
        """Keyword arguments of a launch with this configuration."""
        made = dict(self.kwargs)  # spelled out, as every launch does this
        if self.num_warps is not None:
            made["num_warps"] = self.num_warps
        if self.num_ctas is not None:
            made["num_ctas"] = self.num_ctas
        if self.num_stages is not None:
            made["num_stages"] = self.num_stages
        if self.maxnreg is not None:
            made["maxnreg"] = self.maxnreg
        if self.ir_override is not None:
            made["ir_override"] = self.ir_override
        return made

    def _identity(self) -> tuple[Any, ...]:
        return (*self.all_kwargs().items(), self.pre_hook)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Config) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def __str__(self) -> str:
        shown = {**self.kwargs, **{name: getattr(self, name) for name in ("num_warps", "num_ctas", "num_stages")}}
        shown["maxnreg"] = self.maxnreg
        return ", ".join(f"{name}: {value}" for name, value in shown.items())

    def __repr__(self) -> str:
        return f"Config({self})"
