"""`ttkit.compile`: from a source to a kernel that can be launched, through the cache."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import ttkit.knobs as knobs
from ttkit.cache.digests import save_index, toolkit_key
from ttkit.cache.manager import CacheManager, get_cache_manager
from ttkit.compiler.backend import CUDABackend, make_backend
from ttkit.compiler.dialect_sources import dialects_identity
from ttkit.compiler.dump_folders import dump_manager
from ttkit.compiler.pipeline_identity import hook_identity, tokens
from ttkit.compiler.replacements import Replacements, file_name
from ttkit.cuda.libcuda import DriverMissing
from ttkit.notices import say_once
from ttkit.options import CompileOptions, parse_arch
from ttkit.runtime import bundle_answers, bundle_recording
from ttkit.runtime.compiled_kernel import CompiledKernel
from ttkit.runtime.plugins import load_plugins
from ttkit.runtime.variants import plain
from ttkit.target import GPUTarget

if TYPE_CHECKING:
    from ttkit.compiler.compilation import Compilation


class WrongTarget(TypeError, AssertionError):
    """The target that is given is none.  An AssertionError, which programs expect of Triton."""


class WrongSource(TypeError, AssertionError):
    """The source that is given is none.  An AssertionError, which programs expect of Triton."""


def compile(
    src: Any, target: GPUTarget | None = None, options: Mapping[str, Any] | CompileOptions | None = None
) -> CompiledKernel:
    """Compiles a kernel, or takes it from a bundle (`ttkit export`) or the cache.  Needs no GPU and no driver.

    One that takes more shared memory than its target has is compiled, too: loading it raises OutOfResources.

    Args:
        src: an `ASTSource`; or the path of a file of `.ttir .ttgir .llir .ptx`, from which compilation goes on.
        target: such as `GPUTarget("cuda", 90, 32)`; by default that of TRITON_OVERRIDE_ARCH, else the current GPU.
        options: by name, such as `{"num_warps": 8}` (unknown names are ignored, with a notice);
            or a `CompileOptions`, which is taken as it is.

    Raises:
        CompilationError: an error in the kernel.
        CompileError: a file has no kernel or several, or was made for a newer GPU.
        PassError, ir.MLIRError, LLVMError, PTXASError: what a stage refuses, with diagnostics.
        WrongTarget: `target` is not a GPUTarget.
        ValueError: an option's value is not possible, or there is no such target.
        RuntimeError: no target is given and there is no GPU; or the kernel refers to what kernels can't use.
        FileNotFoundError: ptxas or libdevice is not installed.
        BundleError: no bundle has the kernel, and the compiler is not installed or TTKIT_BUNDLE_MISS rules it out.
    """
    try:
        return compile_to_load(src, target, options)
    except Exception as error:
        if getattr(error, "resource", ("",))[-1] != "shared memory":
            raise
        from ttkit.passes.convert_triton_gpu_to_llvm import CHECKS_SIZE

        token = CHECKS_SIZE.set(False)
        try:
            return compile_to_load(src, target, options)
        finally:
            CHECKS_SIZE.reset(token)


def compile_to_load(
    src: Any, target: GPUTarget | None = None, options: Mapping[str, Any] | CompileOptions | None = None
) -> CompiledKernel:
    """`compile` of a kernel that the target is to load.

    Raises:
        PassError: its shared memory is too large, with a `resource`, at the largest part of it; or as `compile`.
        Exception: as `compile`.
    """
    target = target or current_target()
    if not isinstance(target, GPUTarget):
        raise WrongTarget(f'target must be of GPUTarget type, such as GPUTarget("cuda", 90, 32), found {target!r}')
    load_plugins()
    backend = make_backend(target)
    source = source_of(src, target)
    if isinstance(options, CompileOptions):
        chosen = options
    else:
        chosen = backend.parse_options({**(options or {}), **source.parse_options()}, source.name)
    if (packed := bundle_answers.answer(source, target, chosen)) is not None:
        return packed
    if not bundle_answers.can_compile():
        raise bundle_answers.missing(source, target)
    knobs.say_what_is_ignored()
    replacements = Replacements(source, file_name(source), chosen)
    key = key_on_disk(source, target, chosen, replacements)
    manager = get_cache_manager(key)
    started = time.perf_counter()
    if not _is_compiled_anyway(source) and (found := from_cache(manager, source, key)) is not None:
        for level in replacements.files:
            print(f"\nOverriding kernel with file {replacements.files[level]}")
        _tell_listener(found, knobs.CompileTimes(_microseconds(time.perf_counter() - started), [], 0), cache_hit=True)
        return bundle_recording.tell(source, chosen, found)
    from ttkit.compiler.compilation import Compilation
    from ttkit.compiler.level_times import LevelTimes

    times = LevelTimes()
    made = Compilation(source, target, chosen, key=key, replacements=replacements, subscribers=[times])
    kernel = _finish(made.run(getattr(manager, "cache_dir", "")), manager)
    _tell_listener(kernel, times.times(), cache_hit=False)
    return bundle_recording.tell(source, chosen, kernel)


def key_on_disk(source: Any, target: GPUTarget, options: CompileOptions, replacements: Replacements) -> str:
    """The key of a kernel in the cache on disk, as hexadecimal digits; the metadata have it as `hash`."""
    text = f"{get_cache_key(source, make_backend(target), options)}-{replacements.identity()}"
    return hashlib.sha256(text.encode()).hexdigest()


def is_on_disk(source: Any, target: GPUTarget, options: CompileOptions) -> bool:
    """Whether the cache on disk has a kernel, so that compiling it only reads files."""
    replacements = Replacements(source, name := file_name(source), options)
    return get_cache_manager(key_on_disk(source, target, options, replacements)).get_group(f"{name}.json") is not None


def store_files(source: Any, target: GPUTarget, options: CompileOptions, files: Mapping[str, bytes]) -> bool:
    """Puts a kernel that another process compiled into the cache on disk.

    files: all of its files by name, as `CompiledKernel.files` has them, of the `plain` source.

    Returns:
        whether it was compiled from the same source by the same compiler; else nothing is stored.

    Raises:
        OSError: the cache can't be written.
    """
    replacements = Replacements(source, name := file_name(source), options)
    described = f"{name}.json"
    metadata = json.loads(files.get(described, b"{}"))
    if metadata.get("hash") != key_on_disk(plain(source), target, options, replacements):
        return False
    key = key_on_disk(source, target, options, replacements)
    contents = {**files, described: json.dumps({**metadata, "hash": key}).encode()}
    get_cache_manager(key).store(described, contents)
    return True


def _finish(made: Compilation, manager: CacheManager) -> CompiledKernel:
    """Stores what was compiled."""
    started = time.perf_counter()
    if knobs.compilation.dump_ir:
        _dump(made)
    kept = made.files
    if knobs.compilation.store_binary_only:
        kept = {name: data for name, data in kept.items() if name.endswith((".source", ".cubin", ".json"))}
    paths = _store(made.name, kept, manager) if not tokens() else {}
    kernel = CompiledKernel(made.source, paths, made.metadata["hash"], contents=kept)
    made.tell("store", time.perf_counter() - started)
    return kernel


def _store(name: str, files: dict[str, Any], manager: CacheManager) -> dict[str, str]:
    """Writes the files of a kernel to the cache; their paths, or nothing where it can't be written."""
    try:
        return manager.store(f"{name}.json", files)
    except Exception as error:  # of the disk, or of a cache elsewhere
        reason = getattr(error, "strerror", None) or str(error)
        where = getattr(manager, "directory", type(manager).__name__)
        say_once(f"can't write the cache {where} ({reason}): kernels are compiled again in each process")
        return {}


def _dump(made: Compilation) -> None:
    """Writes the levels, and the instructions of the cubin, to the dump directory, and says where."""
    dumped = {name: data for name, data in made.files.items() if not name.endswith(".json")}
    note = ""
    if f"{made.name}.cubin" in dumped:
        from ttkit.compiler.disassembly import sass

        try:
            dumped[f"{made.name}.sass"] = sass(dumped[f"{made.name}.cubin"]).encode()
        except RuntimeError as error:
            note = f", without {made.name}.sass: {error}"
    try:
        manager = dump_manager(made.source, made.options)
        paths = [manager.put(data, name) for name, data in dumped.items()]
    except OSError as error:
        print(f"TRITON_KERNEL_DUMP: can't write {knobs.cache.dump_dir}: {error.strerror}", file=sys.stderr)
        return
    print(f"TRITON_KERNEL_DUMP: kernel {made.name} is in {os.path.dirname(paths[0])}{note}", file=sys.stderr)


def current_target() -> GPUTarget:
    """The target where none is given.

    Raises:
        RuntimeError: there is no GPU, and TRITON_OVERRIDE_ARCH is not set.
    """
    if arch := knobs.runtime.override_arch:
        return GPUTarget("cuda", parse_arch(arch), 32)

    from ttkit.runtime.driver import driver

    try:
        return driver.active.get_current_target()
    except DriverMissing as error:
        advice = 'give a target, GPUTarget("cuda", 90, 32), or set TRITON_OVERRIDE_ARCH=sm90'
        raise RuntimeError(f"{error}; to compile without a GPU {advice}") from None


def source_of(src: Any, target: GPUTarget) -> Any:
    """The source as an object with `hash`, `parse_options`, `make_ir`, `name` and `ext`.

    Raises:
        WrongSource: it is none.
    """
    if isinstance(src, (str, os.PathLike)):
        from ttkit.compiler.sources import IRSource

        return IRSource(src, int(target.arch))
    if not hasattr(src, "make_ir"):
        raise WrongSource(f"source must be either AST or a filepath, found {type(src).__name__}")
    return src


def get_cache_key(
    src: Any, backend: CUDABackend, backend_options: CompileOptions, env_vars: Mapping[str, str] | None = None
) -> str:
    """All that decides how a kernel is compiled, as text: ttkit's code, that of dialects of packages, the source with
    all that it refers to, target, options with changes of the stages, variables."""
    if env_vars is None:
        env_vars = knobs.cache_invalidating_variables()
    parts = [toolkit_key(), src.hash(), backend.hash(), backend_options.hash(), str(sorted(env_vars.items()))]
    parts += [src.ext, str(getattr(src, "known", ""))]  # of a file: its text, without the suffix and the file beside it
    parts += [hook_identity()]
    parts += [identity] if (identity := dialects_identity()) else []
    parts += tokens()  # compiled again, to be seen
    save_index()
    return "-".join(parts)


def from_cache(manager: CacheManager, source: Any, key: str) -> CompiledKernel | None:
    """The kernel, if the cache has it whole."""
    try:
        found = manager.load(f"{file_name(source)}.json")
        return None if found is None else CompiledKernel(source, found[1], key, contents=found[0])
    except Exception as error:  # whatever a damaged file, or a cache elsewhere, may lead to
        say_once(f"the cache's {source.name} can't be used and is compiled again: {error}")
        return None


def _is_compiled_anyway(source: Any) -> bool:
    """Whether the cache is not asked: compiling prints or writes something that was asked for."""
    is_shown = knobs.shows_compilation(source.name.removeprefix("@"))
    return knobs.compilation.always_compile or is_shown or bool(tokens())


def _microseconds(seconds: float) -> int:
    return int(1e6 * seconds)


def _tell_listener(kernel: CompiledKernel, times: knobs.CompileTimes, cache_hit: bool) -> None:
    if (listener := knobs.compilation.listener) is not None:
        metadata = kernel.metadata._asdict()
        group = kernel.metadata_group
        listener(src=kernel.src, metadata=metadata, metadata_group=group, times=times, cache_hit=cache_hit)
