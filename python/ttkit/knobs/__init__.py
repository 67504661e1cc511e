"""Settings of ttkit, by Triton's names: environment variables, and attributes that can be assigned.

    knobs.cache.dir = "/tmp/kernels"        # TRITON_CACHE_DIR, for this process and those that it starts
    knobs.cache.dir = knobs.env             # back to the environment
    with knobs.compilation.scope():
        knobs.compilation.always_compile = True

Reading a knob reads the environment each time, unless a value was assigned; so does the compiler.  `groups.py` lists
all of them, docs/knobs.md says what each does.
"""

from __future__ import annotations

import os

from ttkit.knobs.asked_names import ASKED_NAMES
from ttkit.knobs.cuda_programs import NvidiaTool
from ttkit.knobs.groups import (
    GROUPS,
    amd,
    autotuning,
    build,
    cache,
    compilation,
    inspection,
    language,
    nvidia,
    proton,
    redis,
    runtime,
)
from ttkit.knobs.hooks import CompileTimes
from ttkit.knobs.variables import Env, Flag, Group, HookChain, Variable, compiler_flag, env
from ttkit.notices import say_once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "GROUPS", "INVALIDATING", "CompileTimes", "Env", "Group", "HookChain", "NvidiaTool", "Variable", "amd",
    "autotuning", "build", "cache", "cache_invalidating_variables", "compilation", "env", "inspection",
    "language", "nvidia", "propagate_env", "proton", "redis", "refresh_knobs", "runtime", "say_what_is_ignored",
    "shows_compilation", "wants_kernel",
]  # fmt: skip

propagate_env = True
"""Whether assigning a knob writes its environment variable too."""

INVALIDATING = tuple(
    """
    ALLOW_LHS_TMEM_LAYOUT_CONVERSION DISABLE_LLVM_OPT DISABLE_MMA_V3 DISABLE_MMA_V5 DISABLE_PTXAS_OPT
    LLVM_ENABLE_TIMING LLVM_EXTRACT_DI_LOCAL_VARIABLES LLVM_IR_ENABLE_DUMP LLVM_PASS_PLUGIN_PATH
    MLIR_DISABLE_MULTITHREADING MLIR_DUMP_PATH MLIR_ENABLE_DIAGNOSTICS MLIR_ENABLE_DUMP MLIR_ENABLE_TIMING
    NVPTX_ENABLE_DUMP TRITON_DEFAULT_FP_FUSION TRITON_DISABLE_LINE_INFO TRITON_ENABLE_ASAN
    TRITON_ENABLE_EXPERIMENTAL_CONSAN TRITON_ENABLE_LLVM_DEBUG TRITON_F32_DEFAULT TRITON_LLVM_DEBUG_ONLY
    TRITON_OVERRIDE_ARCH TRITON_PREFER_TMEM_16x256_LAYOUT TTKIT_TUNING_OFF USE_IR_LOC
    """.split()
)
"""The variables that change what is compiled: those that Triton has in its key, and TTKIT_TUNING_OFF."""


def cache_invalidating_variables() -> dict[str, str]:
    """The variables that are set and are part of a kernel's cache key; flags as "true" and "false"."""
    found = {}
    for key in INVALIDATING:
        if text := os.environ.get(key):
            flag = compiler_flag(text)
            found[key] = text if flag is None else "true" if flag else "false"
    return found


def shows_compilation(kernel: str) -> bool:
    """Whether compiling this kernel prints or writes something that a variable asks for."""
    for group, name in _SHOWING:
        value = getattr(group, name)
        if wants_kernel(group, name, [kernel]) if name in _NAMING else value:
            return True
    return False


def wants_kernel(group: Group, name: str, kernels: Iterable[str]) -> bool:
    """Whether a knob that is true, or names a kernel, means one of these kernels.

    A name that no kernel has is said when the process ends.
    """
    asked = getattr(group, name)
    if isinstance(asked, bool):
        return asked
    return ASKED_NAMES.is_one_of(group.knob_descriptors[name].key, asked, kernels)


# The knobs that print or write something while compiling; those of which may name one kernel.
_SHOWING = [(group, name) for group in GROUPS.values() for name, knob in group.knob_descriptors.items() if knob.shows]
_NAMING = frozenset(["dump_passes", "dump_llvm"])


def say_what_is_ignored() -> None:
    """Says of variables that are set and that ttkit has no use for why, on stderr and once in a process.

    So it does of words that a variable does not know, and of names that are nearly those of variables.
    """
    _say_what_is_misspelt()
    for key, status in _IGNORED.items():
        if os.environ.get(key):
            say_once(f"{key} is ignored: {status}")
    for key, knob in _CHOOSING.items():
        for word in knob.words(text) if (text := os.environ.get(key)) else ():
            if word not in knob.choices:
                from ttkit.suggestions import suggestion  # only where something is wrong

                hint = suggestion(word, knob.choices)
                say_once(f"{key}: '{word}' is ignored: it is none of {', '.join(knob.choices)}{hint}")


def _say_what_is_misspelt() -> None:
    for key, flag in _FLAGS.items():
        if (text := os.environ.get(key)) and text.lower() not in flag.spellings:
            from ttkit.suggestions import suggestion  # only where something is wrong

            hint = suggestion(text.lower(), sorted(flag.spellings - {""}))
            say_once(f"{key}: '{text}' counts as off: set it to 1 or 0{hint}")
    for key in os.environ:
        if key.startswith(("TTKIT_", "TRITON_")) and key not in _KEYS:
            from difflib import get_close_matches  # only where something may be wrong

            if near := get_close_matches(key, _KEYS, n=1, cutoff=_NEARLY):
                say_once(f"{key} is not a variable of ttkit; did you mean '{near[0]}'?")


_NEARLY = 0.93  # one letter or two: names of variables share their beginnings
_KNOBS = [knob for group in GROUPS.values() for knob in group.knob_descriptors.values()]
_IGNORED = {knob.key: knob.status for knob in _KNOBS if knob.said}
_FLAGS = {knob.key: knob for knob in _KNOBS if isinstance(knob, Flag)}
_KEYS = frozenset(knob.key for knob in _KNOBS)
_CHOOSING = {knob.key: knob for knob in _KNOBS if knob.choices}


def refresh_knobs() -> None:
    """Forgets what was assigned to `runtime.debug` and `compilation.instrumentation_mode`.

    In Triton, these two are read once, and this reads them again; here, every knob is read each time.
    """
    runtime.debug = env
    compilation.instrumentation_mode = env


# By Triton's names: classes of groups and of knobs, for programs that have knobs of their own, and types of hooks.
_TRITONS = {
    "base_knobs": "variables:Group",
    "env_base": "variables:Variable",
    "env_bool": "variables:Flag",
    "env_class": "variables:ClassName",
    "env_int": "variables:Number",
    "env_nvidia_tool": "cuda_programs:Tool",
    "env_opt_bool": "variables:OptionalFlag",
    "env_opt_str": "variables:OptionalText",
    "env_str": "variables:Text",
    "env_str_callable_default": "variables:Text",
    **{name: f"environment:{name}" for name in ("getenv", "getenv_bool", "setenv", "toenv")},
    **{
        name: f"protocols:{name}"
        for name in (
            "AutotuneListener BuildImpl CompilationListener InitHandleHook JITHook JITHookCompileInfo KernelAttr "
            "LaunchHook PipelineStagesHook"
        ).split()
    },
    **{
        f"{name}_knobs": f"groups:{name.capitalize()}Knobs"
        for name in "amd autotuning build cache compilation language nvidia proton redis runtime".split()
    },
}


def __getattr__(name: str) -> object:
    if name not in _TRITONS:
        raise AttributeError(f"module 'ttkit.knobs' has no attribute '{name}'")
    from importlib import import_module

    module, _, own = _TRITONS[name].partition(":")
    found: object = getattr(import_module(f"ttkit.knobs.{module}"), own)
    return found
