"""All calls of all packages, and what both compilers need before they run them."""

from __future__ import annotations

import importlib
from collections.abc import Callable

FILES = "calls serving_calls torch_calls training_calls vllm_calls vllm_layer_calls".split()


def all_calls() -> dict[str, dict[str, Callable]]:
    """{package: {name: function}}; imports torch."""
    for name in FILES:  # each adds its own
        importlib.import_module(name)
    return importlib.import_module("calls").CALLS


def first_configuration_only() -> None:
    from triton.runtime.autotuner import Autotuner

    original = Autotuner.__init__

    def __init__(self, fn, arg_names, configs, *args, **options):
        original(self, fn, arg_names, (configs or [])[:1], *args, **options)

    Autotuner.__init__ = __init__  # packages have classes of their own above it
