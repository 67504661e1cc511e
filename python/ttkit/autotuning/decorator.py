"""The decorator `@autotune`."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ttkit.autotuning.autotuner import Autotuner
from ttkit.autotuning.config import Config
from ttkit.autotuning.errors import AutotuneWarning
from ttkit.autotuning.pruning import check_pruning
from ttkit.autotuning.rules import check_functions, check_is_kernel
from ttkit.autotuning.settings import check_settings
from ttkit.suggestions import suggestion

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ttkit.autotuning.settings import TuningSettings


def autotune(
    configs: Sequence[Config],
    key: Sequence[str],
    prune_configs_by: Mapping[str, Any] | None = None,
    reset_to_zero: Sequence[str] | None = None,
    restore_value: Sequence[str] | None = None,
    pre_hook: Callable[..., Any] | None = None,
    post_hook: Callable[..., Any] | None = None,
    warmup: float | None = None,
    rep: float | None = None,
    use_cuda_graph: bool = False,
    do_bench: Callable[..., Any] | None = None,
    cache_results: bool = False,
    **settings: Unpack[TuningSettings],
) -> Callable[[Any], Autotuner]:
    """Decorator: the kernel runs with the fastest of several configurations.

        @autotune([Config({"BLOCK": 128}), Config({"BLOCK": 1024}, num_warps=8)], key=["n"])
        @jit
        def kernel(x, n, BLOCK: tl.constexpr): ...

    The first launch for each value of `key` (and each combination of the arguments' types) compiles all
    configurations, several at once, and times one after the other.  The kernel runs many times, so what it adds to must
    be reset.  A configuration that can't be compiled or launched, or takes too long, is skipped with an
    `AutotuneWarning`.  In the interpreter the first one is taken.

    Args:
        configs: what to choose from.
        key: names of arguments; a new value of one is tuned for anew.
        prune_configs_by: what to leave out before: "early_config_prune", a function (configs, arguments by name,
            **launch arguments) to those to keep; "perf_model", a function of all arguments by name to an expected
            time; "top_k", how many (an int) or which share (a float) of the expected fastest to keep.
        reset_to_zero, restore_value: tensors that are set to zero before each run, or set back after it.
        pre_hook, post_hook: called before and after each run, in place of what the two lists do: `pre_hook(arguments,
            reset_only=False)`, `post_hook(arguments, exception)`.
        warmup, rep, use_cuda_graph: deprecated; use do_bench.
        do_bench: `do_bench(call, quantiles=(0.5, 0.2, 0.8))` gives milliseconds, by default `testing.do_bench`.
        cache_results: keep timings on disk; by default as TRITON_CACHE_AUTOTUNING says.
        settings: where, and how far, ttkit searches: see `ttkit.autotuning.settings.TuningSettings`.

    Raises:
        TypeError, ValueError: an option, or a value of `prune`, that does not exist; or a name in key, reset_to_zero or
            restore_value that is not a parameter of the kernel.
    """
    check_settings(settings)
    check_functions("autotune", {"pre_hook": pre_hook, "post_hook": post_hook, "do_bench": do_bench})
    check_pruning(prune_configs_by)
    configs = _listed_configs(configs)
    keys, zeroed, restored = _names(key) or (), _names(reset_to_zero), _names(restore_value)
    listed = {"key": keys, "reset_to_zero": zeroed, "restore_value": restored}
    tuning = zeroed, restored, pre_hook, post_hook, prune_configs_by, warmup, rep, use_cuda_graph

    def decorate(fn: Any) -> Autotuner:
        """Checks the names in the options by the parameters of the kernel, and tunes it."""
        check_is_kernel("autotune", fn)
        if unknown := _unknown_names(listed, fn.arg_names):
            raise ValueError(unknown)
        return Autotuner(fn, fn.arg_names, configs, keys, *tuning, do_bench, cache_results, **settings)

    return decorate


@functools.wraps(autotune)
def autotune_as_triton(configs: Sequence[Config], key: Sequence[str], *args: Any, **options: Any) -> Any:
    """`triton.autotune`: keys that are not parameters are left aside, as in Triton, with a warning.

    Public packages have such keys, left over from parameters that their kernels had.
    """

    def decorate(fn: Any) -> Autotuner:
        """Leaves aside the keys that the kernel does not have."""
        check_is_kernel("autotune", fn)
        keys = _names(key) or ()
        known = [name for name in keys if name in fn.arg_names]
        if unknown := _unknown_names({"key": keys}, fn.arg_names):
            warnings.warn(f"{unknown}; it is left aside", AutotuneWarning, stacklevel=2)
        return autotune(configs, known, *args, **options)(fn)

    return decorate


def _names(given: Sequence[str] | None) -> Sequence[str] | None:
    """Names of parameters; a single one may stand alone."""
    return [given] if isinstance(given, str) else given


def _listed_configs(configs: Any) -> Any:
    """The configurations as a sequence, or what was given in the place of one.

    Raises:
        TypeError: it is not iterable.
    """
    if configs is None or isinstance(configs, Sequence):
        return configs
    try:
        return list(configs)
    except TypeError:
        raise TypeError(f"autotune takes a list of configs, found {configs!r}") from None


def _unknown_names(listed: Mapping[str, Sequence[str] | None], parameters: Sequence[str]) -> str:
    """The complaint about the first name in options that is not a parameter; empty if all are."""
    for option, names in listed.items():
        for name in names or ():
            if name not in parameters:
                advice = suggestion(name, parameters) or f"; it has {', '.join(parameters)}"
                return f"{option} of autotune: '{name}' is not a parameter of the kernel{advice}"
    return ""
