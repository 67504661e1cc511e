"""Choosing how a kernel is compiled and launched: `@autotune` by timing, `@heuristics` by rules.

`rules.py` has heuristics.  The rest is of tuning, in the order of its use: `decorator.py`, `config.py`, `settings.py`,
`autotuner.py` (which configurations, and when), `trials.py` (one round), `argument_state.py` (what hooks change),
`kept_arrays.py` (what kernels overwrite), `compile_ahead.py`, `progress.py`, `errors.py` (what is skipped),
`saved_timings.py`, `time_limit.py` (of one run).

Before anything is compiled: `pruning.py` leaves out configurations by functions of users or by a predictor
(`choosing.py`, `prediction.py`), and `nearest.py` finds the choice for a similar key.

On workers of executors: `elsewhere.py`, `portable_timing.py`, `portable_arguments.py`, `device_facts.py`.  Results that
many share: `store.py` (the tables), `redis_store.py` (the same in Redis), `store_address.py` (which of them),
`shared_tuning.py` (one process decides, all read), `store_report.py` (shown).
"""

from ttkit.autotuning.autotuner import Autotuner
from ttkit.autotuning.config import Config
from ttkit.autotuning.decorator import autotune
from ttkit.autotuning.errors import AutotunerError, AutotuneWarning
from ttkit.autotuning.rules import Heuristics, heuristics
from ttkit.autotuning.settings import TuningSettings

__all__ = [
    "AutotuneWarning", "Autotuner", "AutotunerError", "Config", "Heuristics", "TuningSettings", "autotune",
    "heuristics",
]  # fmt: skip
