"""Which configurations are worth a try: by the user's functions, or by the predictor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ttkit.autotuning.config import Config
from ttkit.autotuning.errors import AutotunerError
from ttkit.autotuning.rules import check_functions
from ttkit.notices import say_once
from ttkit.suggestions import suggestion

_OPTIONS = ("early_config_prune", "perf_model", "top_k")


def check_pruning(given: Any) -> None:
    """Checks the value of `prune_configs_by`.  A notice tells of options that it does not have, which Triton ignores.

    Raises:
        TypeError: it is not a mapping, or a value in it is not a function.
    """
    if given is None:
        return
    if not isinstance(given, Mapping):
        raise TypeError(
            f"prune_configs_by of autotune must be a dict with some of {', '.join(_OPTIONS)}; found {given!r}"
        )
    check_functions("autotune", {name: given.get(name) for name in _OPTIONS[:2]})
    for name in given:
        if name not in _OPTIONS:
            advice = suggestion(str(name), _OPTIONS) or f"; it has {', '.join(_OPTIONS)}"
            say_once(f"prune_configs_by of autotune: '{name}' is ignored{advice}")


def pruned(tuner: Any, kwargs: dict[str, Any]) -> list[Config]:
    """The configurations that are worth a try for the arguments of a launch.

    Args:
        tuner: an `Autotuner`, whose `nargs` are the positional arguments.
        kwargs: the others.

    Raises:
        AutotunerError: `early_config_prune` left none.
        TypeError: `top_k` is no number of configurations and no share of them.
    """
    configs = list(tuner.configs)
    nargs = tuner.nargs or {}
    if tuner.early_config_prune:
        configs = list(tuner.early_config_prune(tuner.configs, nargs, **kwargs) or [])
        if not configs:
            raise AutotunerError(
                "No valid autotuner configs after pruning. `early_config_prune` should return at least one config."
            )
    if tuner.perf_model is None:
        return _likely(tuner, configs, kwargs)
    top_k = tuner.configs_top_k
    if isinstance(top_k, float) and top_k <= 1.0:
        top_k = int(len(tuner.configs) * top_k)
    elif not isinstance(top_k, int):
        raise TypeError(f"top_k must be an int, or a float of at most 1.0 for a share of the configs; got {top_k}")
    if len(configs) <= top_k:
        return configs
    expected = {config: tuner.perf_model(**nargs, **kwargs, **config.all_kwargs()) for config in configs}
    return sorted(expected, key=lambda config: expected[config])[: max(top_k, 1)]


def _likely(tuner: Any, configs: list[Config], kwargs: dict[str, Any]) -> list[Config]:
    """Those that the predictor keeps, where it is asked."""
    if not tuner.prune or len(configs) < 2 or tuner._is_interpreted():
        return configs
    try:
        from ttkit.autotuning.choosing import likely
    except ModuleNotFoundError:  # the package without a compiler: it has what was exported, and compiles nothing
        return configs
    return likely(tuner, list((tuner.nargs or {}).values()), kwargs, configs, tuner.prune)
