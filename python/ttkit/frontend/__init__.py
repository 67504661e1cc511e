"""From Python source to tt: `jit`, `ASTSource`, and the errors of kernels.

The names below load on first use: the language uses `jit`, and the rest uses the language.
"""

from ttkit.lazy_names import lazy_names

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


__getattr__ = lazy_names(__name__, _HOMES)
