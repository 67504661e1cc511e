"""The profiler, also as `triton.profiler`: times of kernels as a tree of scopes, or as a timeline.

import ttkit.profiler as proton

proton.start("matmul", hook="triton")
with proton.scope("forward", {"bytes": 4096}):
    kernel[grid](x, y)
proton.finalize()                        # matmul.hatchet: proton-viewer -m time/ms matmul.hatchet
"""

from ttkit.profiler import context, data, mode, specs
from ttkit.profiler.profile import DEFAULT_PROFILE_NAME, activate, deactivate, finalize, profile, start
from ttkit.profiler.scope import cpu_timed_scope, enter_scope, exit_scope, scope
from ttkit.profiler.state import enter_state, exit_state, metadata_state, state

__all__ = [
    "DEFAULT_PROFILE_NAME", "activate", "context", "cpu_timed_scope", "data", "deactivate", "enter_scope",
    "enter_state", "exit_scope", "exit_state", "finalize", "metadata_state", "mode", "profile", "scope",
    "specs", "start", "state",
]  # fmt: skip
