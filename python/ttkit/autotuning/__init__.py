"""Choosing how a kernel is compiled and launched: `@autotune` by timing, `@heuristics` by rules.

`rules.py` has heuristics.  The rest is of tuning, in the order of its use: `config.py`, `autotuner.py` (which
configurations, and when), `trials.py` (one round), `argument_state.py` (what hooks change), `compile_ahead.py`,
`progress.py`, `errors.py` (what is skipped), `saved_timings.py`.
"""

from ttkit.autotuning.autotuner import Autotuner, autotune
from ttkit.autotuning.config import Config
from ttkit.autotuning.errors import AutotunerError, AutotuneWarning
from ttkit.autotuning.rules import Heuristics, heuristics

__all__ = ["AutotuneWarning", "Autotuner", "AutotunerError", "Config", "Heuristics", "autotune", "heuristics"]
