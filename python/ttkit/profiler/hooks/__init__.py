"""Functions that are called around launches while a session is active."""

from ttkit.profiler.hook_manager import Hook, HookManager
from ttkit.profiler.hooks.instrumentation import InstrumentationHook
from ttkit.profiler.hooks.launch import LaunchHook

__all__ = ["Hook", "HookManager", "InstrumentationHook", "LaunchHook"]
