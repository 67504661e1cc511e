"""Timings of a kernel's configurations on disk: `<kernel>.autotune.json`, beside its compiled kernels.

The file is Triton's: {"key": tuning key, "configs_timings": [[fields of a configuration, [milliseconds, ...]], ...]}.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import ttkit.knobs as knobs
from ttkit.autotuning.config import Config
from ttkit.cache.digests import toolkit_key
from ttkit.cache.manager import get_cache_manager
from ttkit.compiler.backend import make_backend
from ttkit.compiler.dialect_sources import dialects_identity
from ttkit.json_shapes import check, load, natural
from ttkit.runtime.driver import driver
from ttkit.whole_files import read_file

Timings = dict[Config, list[float]]
_FIELDS = frozenset("kwargs num_warps num_stages num_ctas maxnreg ir_override".split())
_FILE = {"configs_timings": [list]}
_CONFIG = {
    "kwargs": dict,
    **{f"{name}?": (natural, None) for name in "num_warps num_stages num_ctas maxnreg".split()},
    "ir_override?": (str, None),
}
_LONGEST_NAME = 150  # characters of the kernel's name that file names have


class SavedTimings:
    """The file of one kernel, for one tuning key and one list of configurations.

    fn: the jitted function.
    """

    def __init__(self, fn: Any, tuning_key: tuple[Any, ...], configs: Sequence[Config]) -> None:
        self.tuning_key = tuning_key
        self.name = f"{fn.__name__[:_LONGEST_NAME]}.autotune.json"
        self.manager = get_cache_manager(_cache_key(fn, tuning_key, configs))

    def load(self) -> Timings | None:
        """The timings; None if there are none, or the file can't be read."""
        try:
            path = self.manager.get_file(self.name)
            if not path:
                return None
            entries = load(read_file(path), _FILE)["configs_timings"]
            for fields, times in entries:
                check(fields, _CONFIG, "a configuration")
                check(times, [(int, float)], "its times")  # infinite ones too, of what can't run
            timings = {_config(fields): [float(time) for time in times] for fields, times in entries}
        except (OSError, ValueError, TypeError):  # TypeError: values that can't be compared
            return None
        return timings or None

    def save(self, timings: Mapping[Config, Sequence[float]]) -> None:
        """Keeps the timings of configurations without hooks, which no file can hold."""
        entries = [
            [{name: getattr(config, name) for name in sorted(_FIELDS)} | {"pre_hook": None}, list(times)]
            for config, times in timings.items()
            if not config.pre_hook
        ]
        text = json.dumps({"key": self.tuning_key, "configs_timings": entries})
        self.manager.put(text, self.name, binary=False)


def _config(fields: Mapping[str, Any]) -> Config:
    return Config(**{name: value for name, value in fields.items() if name in _FIELDS})


def _cache_key(fn: Any, tuning_key: tuple[Any, ...], configs: Sequence[Config]) -> str:
    """Cache key of timings: compiler, dialects of packages, target, kernel, environment, tuning key, configurations."""
    target = driver.active.get_current_target()
    parts = [
        toolkit_key(),
        dialects_identity(),
        make_backend(target).hash(),
        fn.cache_key,
        str(sorted(knobs.cache_invalidating_variables().items())),
        str(tuning_key),
        *[str(config) for config in configs],
    ]
    return hashlib.sha256("-".join(parts).encode()).hexdigest()
