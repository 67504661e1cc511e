"""The hook of the backend "instrumentation"."""

from ttkit.profiler.instrumentation_backend import InstrumentationHook

__all__ = ["InstrumentationHook"]
