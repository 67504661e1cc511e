"""The page of knobs, docs/knobs.md, from `ttkit.knobs` itself."""

from typing import Any

from ttkit import knobs
from ttkit.knobs import Variable
from ttkit.knobs.cuda_programs import Tool
from ttkit.knobs.variables import CompilerFlag, Flag, FlagOrText

_INTRODUCTION = """# Knobs

<!-- written by docs/build_reference.py: edit python/ttkit/knobs/groups.py and docs/knob_page.py -->

Settings have Triton's names: an environment variable, and an attribute that can be read and assigned.

```python
from ttkit import knobs

knobs.cache.dir  # TRITON_CACHE_DIR, else the default
knobs.compilation.always_compile = True  # writes TRITON_ALWAYS_COMPILE=1 too
knobs.compilation.always_compile = knobs.env  # follows the environment again
with knobs.nvidia.scope():  # at its end, values and variables are as before
    knobs.nvidia.ptxas_options = "--warn-on-spills"
```

Reading looks at the environment each time, unless a value was assigned; the compiler reads knobs when it compiles,
never at import. Assigning writes the variable as well, unless `knobs.propagate_env` is False. Every group has `knobs`
(values by name), `knob_descriptors`, `copy()`, `reset()` and `scope()`. True is `1 y on yes true` in any case; for
the variables that Triton's C++ reads, marked with a C, `1 on true`. Anything else is false.

A knob that prints or writes something while compiling, marked with \\*, makes the compiler leave the cache aside:
`MLIR_ENABLE_DUMP=1` prints for a kernel that the cache has, too.
"""

_HOOKS = """## Hooks

| attribute | called |
| --- | --- |
| `compilation.listener` | `(*, src, metadata, metadata_group, times, cache_hit)` after each compilation, and for each kernel of the cache; `times` is a `CompileTimes`, in microseconds |
| `autotuning.listener` | `(*, fn, key, best_config, configs_timings, duration, cache_hit)` after each tuning; `duration` in seconds, None where the disk had the timings (Triton 3.8) |
| `runtime.launch_enter_hook`, `launch_exit_hook` | chains (`.add(f)`, `.remove(f)`) around launches, with a `LazyDict`: `.get()` gives name, function, stream and what the kernel's `launch_metadata` returns |
| `runtime.kernel_load_start_hook`, `kernel_load_end_hook` | chains around loading a kernel: `(module, function, name, metadata_group, hash)` |
| `runtime.kernel_unload_hook` | the same, once nothing in Python holds a kernel any more; its module stays loaded, since launches may be in flight |
| `runtime.bundle_miss_hook` | a chain for kernels that no bundle has: a `BundleMiss(kernel, target, reason, outcome)`, once for each variant (`bundles.md`) |
| `runtime.jit_cache_hook`, `jit_post_compile_hook` | `(*, key, repr, fn, compile, is_manual_warmup, already_compiled)` before and after a kernel is compiled; True from the first ends it |
| `runtime.add_stages_inspection_hook` | `(backend, stages, options, language, capability)` may replace `stages["ttir"]` and the others, functions of (source, metadata). Where all its parameters have defaults, it is called with nothing and returns `(key, hash)`, which joins the cache key; else its source does |
| `build.impl` | kept, never called: ttkit compiles no C at run time |
"""  # noqa: E501

_KEY = """## The cache key

A kernel's key covers:

- ttkit's own code;
- the kernel's source, all functions that it calls, and the values of global variables that it reads;
- signature, attributes, constants, target and options;
- the contents of libraries, of ptxas and of files that override a level;
- what `ttkit.pipelines` changes, with the source of its passes;
- these variables, which become part of the metadata where they are set:

{}

## Where ttkit does not follow Triton

- Dumps bypass the cache. Triton prints nothing for a kernel that is in its cache. If MLIR_ENABLE_DUMP or
  LLVM_IR_ENABLE_DUMP names a kernel that is not compiled, the process says so at its end, with the names that it has
  seen. Words that USE_IR_LOC and MLIR_ENABLE_DIAGNOSTICS do not know are named as well.
- TRITON_KERNEL_OVERRIDE is part of the key, and a line says which files were used, or why none was. ttkit looks for
  `<kernel>.<level>` in the folder named after the source's hash, in a folder named after the kernel, and in the
  override directory itself.
- With TRITON_FRONT_END_DEBUGGING=1 an error in a kernel stays a `CompilationError` with its place. Its `__cause__` is
  what Triton raises instead.
- TRITON_DEBUG and TRITON_INSTRUMENTATION_MODE are read when a kernel is compiled, not at import.
- LLVM_ENABLE_TIMING prints the time of the steps that ttkit takes in LLVM, not of each of LLVM's passes. Flags of
  DISABLE_LLVM_OPT that LLVM does not know are ignored. TRITON_ENABLE_LLVM_DEBUG and TRITON_LLVM_DEBUG_ONLY work as
  far as the pinned LLVM was built with them.
- `stacktraces` of MLIR_ENABLE_DIAGNOSTICS are those of Python, in which the passes are written.
- Variables of Triton's own build (LLVM_SYSPATH, TRITON_BUILD_*) and of its backends (TRITON_BACKENDS_IN_TREE,
  TRITON_DEFAULT_BACKEND) have no effect: there is one backend, and it is built with ttkit.
"""


def knob_page() -> str:
    """The page: a table for each group, hooks, and what joins cache keys."""
    parts = [_INTRODUCTION]
    for name, group in knobs.GROUPS.items():
        described = (type(group).__doc__ or "").strip()
        rows = [_row(attribute, knob) for attribute, knob in group.knob_descriptors.items()]
        head = "| attribute | variable | default | what it does |\n| --- | --- | --- | --- |"
        parts.append("\n".join([f"## {name}", "", *([described, ""] if described else []), head, *rows, ""]))
    variables = " ".join(f"`{key}`" for key in knobs.INVALIDATING)
    return "\n".join([*parts, _HOOKS, _KEY.format(variables)])


def _row(attribute: str, knob: Variable) -> str:
    marks = " C" * isinstance(knob, CompilerFlag | FlagOrText) + r" \*" * knob.shows
    status = f"Nothing here: {knob.status}" if knob.status else ""
    text = ". ".join(part for part in (knob.help, status) if part)
    return f"| `{attribute}` | `{knob.key}`{marks} | {_default(attribute, knob)} | {text} |"


def _default(attribute: str, knob: Variable) -> str:
    if isinstance(knob, Tool):
        return f"of `{knob.wheel}`, else of PATH"
    if attribute == "home_dir":
        return "the user's home"
    if callable(knob.default):
        return f"`<home>/.triton/{attribute.removesuffix('_dir').replace('dir', 'cache')}`"
    default: Any = knob.default
    if isinstance(knob, Flag) and default is not None:
        return str(default).lower()
    return "" if default in (None, "", (), False) else f"`{default}`"
