"""One compilation: the source's IR through the stages, with what is kept of each level."""

from __future__ import annotations

import faulthandler
import json
import os
import sys
import time
from collections.abc import Mapping
from typing import Any

from mlir import ir

from ttkit import knobs
from ttkit.cache.manager import CacheManager, get_dump_manager, warn_once
from ttkit.compiler.backend import CUDABackend, Stage
from ttkit.compiler.module_metadata import DEFAULTS, TRITON_VERSION, of_kernel, of_ttg
from ttkit.compiler.replacements import Replacements
from ttkit.compiler.tracebacks import hide_frames
from ttkit.context import Context
from ttkit.options import CompileOptions


class StageRun:
    """Compiles a source.

    Args:
        name: of its files.
        key: of the cache, as hexadecimal digits.
        variables: of the environment, which join the metadata.
        replacements: of levels, by files.

    Attributes:
        files: contents by name, the metadata last.
        initialization: time from the source to IR, in microseconds.
        stage_times: (level, microseconds) of each stage.
    """

    def __init__(
        self,
        source: Any,
        name: str,
        key: str,
        backend: CUDABackend,
        options: CompileOptions,
        variables: Mapping[str, str],
        replacements: Replacements,
    ) -> None:
        self.source, self.name, self.backend, self.options = source, name, backend, options
        self.replacements = replacements
        self.files: dict[str, bytes] = {}
        self.initialization = 0
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

    def run(self, cache_folder: str) -> None:
        """Fills in the attributes.

        Args:
            cache_folder: where the files will be: locations by USE_IR_LOC name it.

        Raises:
            CompilationError, CompileError, PassError, ir.MLIRError, LLVMError, PTXASError: as `ttkit.compile`.
            RuntimeError: an address sanitizer is asked for.
        """
        if knobs.compilation.enable_asan:
            raise RuntimeError(
                "Address Sanitizer Error: Address sanitizer is currently only supported on the AMD backend"
            )
        if knobs.inspection.python_stacktrace:
            faulthandler.enable()
        stages: dict[str, Stage] = {}
        self.backend.add_stages(stages, self.options)
        is_file = hasattr(self.source, "path")
        levels = list(stages)
        levels = levels[levels.index(self.source.ext) + is_file :]
        started = time.perf_counter()
        # A hook is code of others, which looks at operations in its own way.
        context = Context()
        made = self._make_ir(context)
        self.files[f"{self.name}.{self.source.ext if is_file else 'source'}"] = _content(made)
        self.initialization = _microseconds(started)
        try:
            for level in levels[: levels.index("cubin")] if "cubin" in levels else levels:
                made = self._run_stage(level, stages[level], made, context, cache_folder)
        finally:
            _close(made)
        if "cubin" in levels:
            self._run_stage("cubin", stages["cubin"], made, context, cache_folder)
        self.files[f"{self.name}.json"] = json.dumps(self.metadata, default=str).encode()

    def _run_stage(self, level: str, stage: Stage, previous: Any, context: ir.Context, cache_folder: str) -> Any:
        """Makes and keeps a level; the one before it is freed."""
        started = time.perf_counter()
        made = self._make(level, stage, previous, context)
        if previous is not made:
            _close(previous)
        if knobs.compilation.use_ir_loc == level and isinstance(made, ir.Module):
            made = self._relocated(made, os.path.join(cache_folder, f"{self.name}.{level}"))
        else:
            self.files[f"{self.name}.{level}"] = _content(made)
        self.stage_times.append((level, _microseconds(started)))
        return made

    def _make_ir(self, context: ir.Context) -> Any:
        try:
            return self.source.make_ir(self.backend.target, self.options, context=context)
        except Exception as error:
            hide_frames(error)
            raise

    def _make(self, level: str, stage: Stage, made: Any, context: ir.Context) -> Any:
        """A level: what the stage makes, or the file in its place.  A file of tt or ttg needs no stage before it."""
        if not self.replacements.replaces(level):
            return stage(made, self.metadata)
        if level not in ("ttir", "ttgir"):
            _close(stage(made, self.metadata))  # the metadata that it adds are not in the file
            return self.replacements.load(level, context)
        module = self.replacements.load(level, context)
        self.metadata.update(of_kernel(module))
        if level == "ttgir":
            self.metadata.update(of_ttg(module, int(self.metadata["arch"].removeprefix("sm"))))
        return module

    def _relocated(self, module: ir.Module, path: str) -> ir.Module:
        """The module with the lines of its own text as locations; the text is what is kept of the level."""
        text = module.operation.get_asm(enable_debug_info=False)
        self.files[f"{self.name}.{path.rpartition('.')[2]}"] = text.encode()
        print(f"Creating new locations for {path}")
        with module.context:
            parsed = ir.Module.parse(text)  # whose locations are `"-":line:column`
            return ir.Module.parse(
                parsed.operation.get_asm(enable_debug_info=True).replace('loc("-":', f"loc({json.dumps(path)}:")
            )

    # --- what becomes of the files ------------------------------------------------------------------------------------

    def store(self, manager: CacheManager) -> dict[str, str]:
        """Writes the files to the cache; their paths, or nothing where it can't be written."""
        kept = self.files
        if knobs.compilation.store_binary_only:
            kept = {name: data for name, data in kept.items() if name.endswith((".cubin", ".json"))}
        try:
            return manager.store(f"{self.name}.json", kept)
        except Exception as error:  # of the disk, or of a cache elsewhere
            reason = getattr(error, "strerror", None) or str(error)
            where = getattr(manager, "directory", type(manager).__name__)
            warn_once(f"can't write the cache {where} ({reason}): kernels are compiled again in each process")
            return {}

    def dump(self) -> None:
        """Writes the levels, and the instructions of the cubin, to the dump directory, and says where."""
        manager = get_dump_manager(self.source.hash())
        dumped = {name: data for name, data in self.files.items() if not name.endswith(".json")}
        note = ""
        if f"{self.name}.cubin" in dumped:
            from ttkit.compiler.disassembly import sass

            try:
                dumped[f"{self.name}.sass"] = sass(dumped[f"{self.name}.cubin"]).encode()
            except RuntimeError as error:
                note = f", without {self.name}.sass: {error}"
        try:
            paths = [manager.put(data, name) for name, data in dumped.items()]
        except OSError as error:
            print(f"TRITON_KERNEL_DUMP: can't write {knobs.cache.dump_dir}: {error.strerror}", file=sys.stderr)
            return
        print(f"TRITON_KERNEL_DUMP: kernel {self.name} is in {os.path.dirname(paths[0])}{note}", file=sys.stderr)


def _content(made: Any) -> bytes:
    """What is stored of a level: MLIR with locations, so that what is compiled from it has the kernel's lines too."""
    if isinstance(made, bytes):
        return made
    if isinstance(made, ir.Module):
        return made.operation.get_asm(enable_debug_info=True).encode()
    return str(made).encode()


def _close(made: Any) -> None:
    """Frees what is not freed by itself."""
    if hasattr(made, "close"):
        made.close()


def _microseconds(started: float) -> int:
    return int(1e6 * (time.perf_counter() - started))
