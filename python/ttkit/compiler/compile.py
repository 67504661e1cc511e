"""`ttkit.compile`: from a source to a kernel that can be launched, through the cache."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Mapping
from typing import Any

from ttkit import knobs
from ttkit.cache.digests import toolkit_key
from ttkit.cache.manager import CacheManager, DamagedEntry, get_cache_manager, warn_once
from ttkit.compiler.backend import CUDABackend, make_backend, parse_arch
from ttkit.compiler.compiled_kernel import CompiledKernel
from ttkit.compiler.module_metadata import DEFAULTS, TRITON_VERSION
from ttkit.compiler.options import CompileOptions
from ttkit.compiler.pipeline_identity import pipeline_identity
from ttkit.frontend.compilation import GPUTarget
from ttkit.frontend.source import ASTSource

LONGEST_NAME = 150
"""Of the files of a kernel, in characters."""


def compile(src: Any, target: GPUTarget | None = None, options: Mapping[str, Any] | None = None) -> CompiledKernel:
    """Compiles a kernel, or takes it from the cache.  Needs no GPU and no driver.

    Args:
        src: an `ASTSource`; or the path of a file of `.ttir .ttgir .llir .ptx`, from which compilation goes on.
        target: such as `GPUTarget("cuda", 90, 32)`; by default that of TRITON_OVERRIDE_ARCH, else the current GPU.
        options: of `CompileOptions`, such as `{"num_warps": 8}`.

    Raises:
        CompilationError: a mistake in the kernel.
        CompileError: a file has no kernel or several, or was made for another GPU.
        PassError, ir.MLIRError, LLVMError, PTXASError: what a stage refuses, with diagnostics.
        KeyError: there is no option of that name.
        ValueError: an option's value is not possible, or there is no such target.
        RuntimeError: no target is given and there is no GPU; or the kernel refers to what kernels can't use.
        FileNotFoundError: ptxas or libdevice is not installed.
    """
    target = target or current_target()
    if not isinstance(target, GPUTarget):
        raise TypeError(f'target must be a GPUTarget, such as GPUTarget("cuda", 90, 32), found {target!r}')
    backend = make_backend(target)
    source = source_of(src, backend)
    chosen = backend.parse_options({**(options or {}), **source.parse_options()})
    variables = knobs.cache_invalidating_variables()
    key = hashlib.sha256(get_cache_key(source, backend, chosen, variables).encode()).hexdigest()
    manager = get_cache_manager(key)
    started = time.perf_counter()
    if not knobs.compilation.always_compile and (found := from_cache(manager, source, key)) is not None:
        _tell_listener(found, knobs.CompileTimes(_microseconds(started), [], 0), cache_hit=True)
        return found
    return _Compilation(source, backend, chosen, variables, key).run(manager)


def current_target() -> GPUTarget:
    """The target where none is given.

    Raises:
        RuntimeError: there is no GPU, and TRITON_OVERRIDE_ARCH is not set.
    """
    if arch := knobs.runtime.override_arch:
        return GPUTarget("cuda", parse_arch(arch), 32)
    from ttkit.runtime.device import Device
    from ttkit.runtime.libcuda import DriverMissing

    try:
        return GPUTarget("cuda", Device.current().capability, 32)
    except DriverMissing as error:
        advice = 'give a target, GPUTarget("cuda", 90, 32), or set TRITON_OVERRIDE_ARCH=sm90'
        raise RuntimeError(f"{error}; to compile without a GPU {advice}") from None


def source_of(src: Any, backend: CUDABackend) -> Any:
    """The source as an object with `hash`, `parse_options`, `make_ir`, `name` and `ext`.

    Raises:
        TypeError: it is no source.
    """
    if isinstance(src, (str, os.PathLike)):
        from ttkit.compiler.sources import IRSource

        return IRSource(src, int(backend.target.arch))
    if not hasattr(src, "make_ir"):
        raise TypeError(f"source must be either AST or a filepath, found {type(src).__name__}")
    return src


def get_cache_key(
    src: Any, backend: CUDABackend, backend_options: CompileOptions, env_vars: Mapping[str, str] | None = None
) -> str:
    """What decides how a kernel is compiled, as text: ttkit's code, the source with all that it refers to, target,
    options, variables, and what was changed in the pipeline."""
    if env_vars is None:
        env_vars = knobs.cache_invalidating_variables()
    hook = knobs.runtime.add_stages_inspection_hook
    parts = [toolkit_key(), src.hash(), backend.hash(), backend_options.hash(), str(sorted(env_vars.items()))]
    parts += [pipeline_identity(src.name), str(hook()) if hook is not None else ""]
    return "-".join(parts)


def from_cache(manager: CacheManager, source: Any, key: str) -> CompiledKernel | None:
    """The kernel, if the cache has it whole."""
    try:
        found = manager.load(f"{file_name(source)}.json")
        return None if found is None else CompiledKernel(source, found[1], key, contents=found[0])
    except (DamagedEntry, OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        warn_once(f"the cache's {source.name} can't be used and is compiled again: {error}")
        return None


def file_name(source: Any) -> str:
    """The name of a kernel's files, without a suffix."""
    return source.name.removeprefix("@")[:LONGEST_NAME]


class _Compilation:
    """One run of the stages, with what it has made so far."""

    def __init__(
        self, source: Any, backend: CUDABackend, options: CompileOptions, variables: Mapping[str, str], key: str
    ) -> None:
        self.source, self.backend, self.options, self.key = source, backend, options, key
        self.name = file_name(source)
        self.files: dict[str, bytes] = {}
        self.stage_times: list[tuple[str, int]] = []
        target = backend.target
        self.metadata: dict[str, Any] = {
            **DEFAULTS,
            **options.as_dict(),
            **getattr(source, "known", {}),
            **variables,
            "hash": key,
            "target": {"backend": target.backend, "arch": target.arch, "warp_size": target.warp_size},
            "triton_version": TRITON_VERSION,
        }

    def run(self, manager: CacheManager) -> CompiledKernel:
        import ttkit

        stages: dict[str, Any] = {}
        self.backend.add_stages(stages, self.options)
        levels = list(stages)
        started = time.perf_counter()
        is_file = not isinstance(self.source, ASTSource)
        context = ttkit.Context()
        made = self.source.make_ir(self.backend.target, self.language_options(), context)
        self.keep(self.source.ext if is_file else "source", made)
        initialization = _microseconds(started)
        try:
            for level in levels[levels.index(self.source.ext) + is_file :]:
                started = time.perf_counter()
                previous, made = made, stages[level](made, self.metadata)
                if previous is not made:
                    _close(previous)
                self.keep(level, made)
                self.stage_times.append((level, _microseconds(started)))
        finally:
            _close(made)
        self.files[f"{self.name}.json"] = json.dumps(self.metadata, default=str).encode()
        started = time.perf_counter()
        paths = self.store(manager)
        kernel = CompiledKernel(self.source, paths, self.key, contents=self.files)
        times = knobs.CompileTimes(initialization, self.stage_times, _microseconds(started))
        _tell_listener(kernel, times, cache_hit=False)
        return kernel

    def language_options(self) -> Any:
        from ttkit.frontend.compilation import LanguageOptions

        given = {
            "fp32_default": knobs.language.fp32_default,
            "allow_non_constexpr_globals": knobs.compilation.allow_non_constexpr_globals,
        }
        return LanguageOptions.for_target(self.backend.target, **self.options.as_dict(), **given)

    def keep(self, level: str, made: Any) -> None:
        """Keeps a level's text, or bytes."""
        self.files[f"{self.name}.{level}"] = _content(made)

    def store(self, manager: CacheManager) -> dict[str, str]:
        """Writes the files to the cache; their paths, or nothing where it can't be written."""
        kept = self.files
        if knobs.compilation.store_binary_only:
            kept = {name: data for name, data in kept.items() if name.endswith((".cubin", ".json"))}
        try:
            return manager.store(f"{self.name}.json", kept)
        except OSError as error:
            where = knobs.cache.dir
            warn_once(f"can't write the cache {where} ({error.strerror}): kernels are compiled again in each process")
            return {}


def _content(made: Any) -> bytes:
    """What is stored of a level: MLIR with locations, so that what is compiled from it has the kernel's lines too."""
    if isinstance(made, bytes):
        return made
    operation = getattr(made, "operation", None)
    return (str(made) if operation is None else operation.get_asm(enable_debug_info=True)).encode()


def _close(made: Any) -> None:
    """Frees what is not freed by itself."""
    if hasattr(made, "close"):
        made.close()


def _microseconds(started: float) -> int:
    return int(1e6 * (time.perf_counter() - started))


def _tell_listener(kernel: CompiledKernel, times: knobs.CompileTimes, cache_hit: bool) -> None:
    if (listener := knobs.compilation.listener) is not None:
        metadata = kernel.metadata._asdict()
        group = kernel.metadata_group
        listener(src=kernel.src, metadata=metadata, metadata_group=group, times=times, cache_hit=cache_hit)
