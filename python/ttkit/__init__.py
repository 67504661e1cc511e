"""ttkit: Triton's compiler as an MLIR dialect and pass-development toolkit.

The names below load on first use, so that `import ttkit` costs nothing: not even the time to import `typing`.
"""

from __future__ import annotations

import os
from importlib import import_module

import ttkit._mlir_import as _mlir_import

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

    from ttkit import inside_triton, pipelines, sanitizer, visualize
    from ttkit.aot.launch_list import record_launches
    from ttkit.autotuning import Config, autotune, heuristics
    from ttkit.context import Context, parse
    from ttkit.frontend.errors import CompilationError
    from ttkit.frontend.sizes import cdiv, next_power_of_2
    from ttkit.frontend.source import ASTSource
    from ttkit.installation import VERSION as __version__
    from ttkit.interpreter.check.check_passes import PassChangedResult
    from ttkit.interpreter.check.pipelines import check_passes
    from ttkit.interpreter.launch import interpret
    from ttkit.language.jit_function import JITFunction, constexpr_function, jit
    from ttkit.passes.infra import Pass, PassError
    from ttkit.passes.infra.ledgers import layout_ledger
    from ttkit.passes.infra.pass_files import load_pass_file
    from ttkit.passes.manager import run_passes
    from ttkit.runtime.bundle_answers import load_bundle
    from ttkit.runtime.compile import compile
    from ttkit.runtime.compiled_kernel import CompiledKernel
    from ttkit.target import GPUTarget
    from ttkit.tracing.recorder import trace

__all__ = [
    "ASTSource", "CompilationError", "CompiledKernel", "Config", "Context", "GPUTarget", "JITFunction", "Pass",
    "PassChangedResult", "PassError", "__version__", "autotune", "cdiv", "check_passes", "compile",
    "constexpr_function", "heuristics", "inside_triton", "interpret", "jit", "layout_ledger", "load_bundle",
    "load_pass_file", "next_power_of_2", "parse", "pipelines", "record_launches", "run_passes", "sanitizer",
    "trace", "visualize",
]  # fmt: skip

_mlir_import.install()

_HOMES = {
    "Config": "ttkit.autotuning",
    "autotune": "ttkit.autotuning",
    "heuristics": "ttkit.autotuning",
    "ASTSource": "ttkit.frontend.source",
    "CompilationError": "ttkit.frontend.errors",
    "GPUTarget": "ttkit.target",
    "JITFunction": "ttkit.language.jit_function",
    "CompiledKernel": "ttkit.runtime.compiled_kernel",
    "compile": "ttkit.runtime.compile",
    "load_bundle": "ttkit.runtime.bundle_answers",
    "record_launches": "ttkit.aot.launch_list",
    "cdiv": "ttkit.frontend.sizes",
    "constexpr_function": "ttkit.language.jit_function",
    "jit": "ttkit.language.jit_function",
    "next_power_of_2": "ttkit.frontend.sizes",
    "Context": "ttkit.context",
    "parse": "ttkit.context",
    "PassChangedResult": "ttkit.interpreter.check.check_passes",
    "check_passes": "ttkit.interpreter.check.pipelines",
    "layout_ledger": "ttkit.passes.infra.ledgers",
    "interpret": "ttkit.interpreter.launch",
    "load_pass_file": "ttkit.passes.infra.pass_files",
    "Pass": "ttkit.passes.infra",
    "PassError": "ttkit.passes.infra",
    "run_passes": "ttkit.passes.manager",
    "trace": "ttkit.tracing.recorder",
}


_MODULES = frozenset(
    "compiler inside_triton interpreter knobs language pipelines runtime sanitizer testing visualize".split()
)


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("ttkit.installation").VERSION
    if name in _MODULES:
        return import_module(f"ttkit.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'ttkit' has no attribute '{name}'")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


if "TTKIT_SANITIZE" in os.environ:  # before the script makes arrays
    import_module("ttkit.sanitizer.process").process()
