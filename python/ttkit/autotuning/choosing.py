"""Leaves out configurations that a predictor finds slow, before they are compiled: `autotune(prune=...)`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from mlir import ir

from ttkit.analysis.program_work import work_of
from ttkit.autotuning.config import Config
from ttkit.autotuning.prediction import Launch, facts_of, ranked
from ttkit.frontend.source import ASTSource
from ttkit.inspection import collect
from ttkit.language.jit_function import JITFunction
from ttkit.module_attributes import WARPS_OF_GROUPS
from ttkit.notices import say_once
from ttkit.options import CompileOptions
from ttkit.passes.manager import run_passes
from ttkit.passes.stages import choice_of_groups, may_divide
from ttkit.runtime.driver import driver
from ttkit.runtime.launches import grid_sizes
from ttkit.runtime.specialization import signature_of
from ttkit.target import Target


class _Seen(BaseException):
    """Ends a launch once its arguments are known; no error, so that decorators let it pass."""

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        super().__init__()
        self.given, self.named = args, kwargs


def likely(
    tuner: Any, args: Sequence[Any], kwargs: Mapping[str, Any], configs: list[Config], keep: float
) -> list[Config]:
    """The configurations that are predicted to be the fastest, in their order; all if nothing can be predicted.

    Those that the front end refuses are left out first.

    Args:
        tuner: an `Autotuner`.
        args, kwargs: of the launch.
        keep: how many: an int, or a share of them as a float.
    """
    count = max(1, math.ceil(keep * len(configs)) if isinstance(keep, float) else keep)
    if count >= len(configs):
        return configs
    facts: dict[int, dict[str, float]] = {}
    for number, config in enumerate(configs):
        try:
            facts[number] = _facts(tuner.fn, args, {**kwargs, **config.all_kwargs()})
        except Exception as error:  # the configuration's, which a launch would raise
            reason = f"{type(error).__name__}: {error}"
    if not facts:
        say_once(f"no configuration of {tuner.base_fn.__name__} is left out: nothing can be predicted: {reason[:200]}")
        return configs
    order = ranked(list(facts.values()))
    numbers = list(facts)
    kept = {numbers[place] for place in order[:count]}
    return [config for number, config in enumerate(configs) if number in kept]


def _facts(fn: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> dict[str, float]:
    """Facts of a launch, for the predictor."""
    from ttkit.compiler.compilation import Compilation
    from ttkit.context import Context, parse_text

    function = fn
    while not isinstance(function, JITFunction):
        function = function.fn
    seen = _seen(fn, function, args, kwargs)
    cache = function.launches._device_cache(driver.active.get_current_device())
    bound, specialization, options = cache.binder(*seen.given, **seen.named)
    signature = signature_of(function.arg_names, list(bound.values()), specialization)
    parsed: CompileOptions = cache.backend.parse_options(options, function.__name__)
    grid = kwargs["grid"]
    sizes = grid_sizes(grid(bound) if callable(grid) else grid, function.__name__, parsed.num_ctas)
    made = Compilation(ASTSource(function, *signature), cache.target, parsed, until="ttir").run()
    with Context() as context:
        module = parse_text(str(made.asm["ttir"]), context)
        (entry,) = (one for one in collect(module.operation, ["tt.func"]))
        kinds = [signature.types[name] for name in function.arg_names]
        capability = int(cache.target.arch)
        numbers, by_groups = numbers_of(kinds, list(bound.values())), Target(capability).mma_versions[0] > 2
        work = work_of(entry, numbers, sizes, 32 * parsed.num_warps, by_groups)
        launch = launch_of(module, parsed, math.prod(sizes))
    return facts_of(work, launch, capability, _multiprocessors())


def launch_of(module: ir.Module, options: CompileOptions, programs: int) -> Launch:
    """The launch of a kernel in tt, which is changed: some passes show what the compiler will do.

    Args:
        programs: of the grid.
    """
    if may_divide(options):
        run_passes(module, choice_of_groups(options))
    divides = WARPS_OF_GROUPS in module.operation.attributes
    return Launch(options.num_warps, options.num_stages, programs, options.maxnreg, divides)


def _seen(fn: Any, function: JITFunction, args: Sequence[Any], kwargs: dict[str, Any]) -> _Seen:
    """The arguments that a launch gives the function, below heuristics; nothing is compiled."""

    def hook(*given: Any, **named: Any) -> None:
        """Ends the launch."""
        raise _Seen(given, dict(named))

    function.pre_run_hooks.append(hook)
    try:
        fn.run(*args, **{**kwargs, "warmup": True})
    except _Seen as seen:
        return seen
    finally:
        function.pre_run_hooks.remove(hook)
    raise TypeError(f"{fn!r} launches nothing")


def numbers_of(kinds: Sequence[Any], values: Sequence[Any]) -> list[float | None]:
    """The numbers among the arguments of a kernel in tt, and None for the others: a descriptor's sizes and strides
    come after it, constants are left out.

    Args:
        kinds, values: of all arguments, as a signature has them.
    """
    found: list[float | None] = []
    for kind, value in zip(kinds, values):
        if isinstance(kind, tuple):
            found += numbers_of(kind, value)
        elif str(kind).startswith("tensordesc"):
            found += [None, *map(int, value.shape), *map(int, value.strides)]
        elif kind != "constexpr":
            found.append(value if isinstance(value, (int, float)) else None)
    return found


def _multiprocessors() -> int:
    device = driver.active.get_current_device()
    return int(driver.active.utils.get_device_properties(device)["multiprocessor_count"])
