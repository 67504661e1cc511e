"""From Python source to tt: `jit`, `ASTSource`, and the errors of kernels.

The names below load on first use: the language uses `jit`, and the rest uses the language.
"""

from importlib import import_module
from typing import Any

_HOMES = {
    "ASTSource": "ttkit.frontend.source",
    "CompilationError": "ttkit.frontend.errors",
    "CompileTimeAssertionFailure": "ttkit.frontend.errors",
    "GPUTarget": "ttkit.target",
    "JITFunction": "ttkit.language.jit_function",
    "UnsupportedLanguageConstruct": "ttkit.frontend.errors",
    "constexpr_function": "ttkit.language.jit_function",
    "jit": "ttkit.language.jit_function",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ttkit.frontend' has no attribute '{name}'")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value
