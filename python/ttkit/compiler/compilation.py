"""One compilation: a source through the levels, with the files of each level and the metadata for a launcher.

    source = IRSource("k.ttir", 90)                     # or ASTSource(function, signature, constants)
    made = Compilation(source, GPUTarget("cuda", 90, 32), CompileOptions.for_capability(90, num_warps=8)).run()
    made.asm["ptx"], made.asm["cubin"], made.metadata["shared"], made.seconds["llir"], made.asm["cubin"].resources

No GPU and no driver is needed.
"""

from __future__ import annotations

import faulthandler
import hashlib
import json
import os
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from mlir import ir

import ttkit.budget as budget
import ttkit.garbage_collection as garbage_collection
import ttkit.knobs as knobs
from ttkit._native import library, operation_handle, told
from ttkit.budget import OverBudget
from ttkit.compiler.asm import AsmDict
from ttkit.compiler.backend import LEVELS, CUDABackend, Stage, make_backend
from ttkit.compiler.file_locations import located_in
from ttkit.compiler.levels import get_cubin_ready
from ttkit.compiler.module_metadata import DEFAULTS, TRITON_VERSION, of_kernel, of_ttg
from ttkit.compiler.over_budget import budget_error
from ttkit.compiler.pass_inspection import report_stages, trusting
from ttkit.compiler.pipeline_identity import watchers
from ttkit.compiler.replacements import Replacements, file_name
from ttkit.compiler.tracebacks import hide_frames
from ttkit.context import leave, take
from ttkit.frontend.source import Language
from ttkit.guards.erased import watching
from ttkit.installation import VERSION
from ttkit.options import CompileOptions
from ttkit.passes.infra.base import PassError
from ttkit.passes.infra.events import LevelEvent, PassSubscriber
from ttkit.target import GPUTarget


class Compilation:
    """Compiles a source.

    Args:
        source: `ASTSource`, `IRSource`, or another with their methods.
        target: the GPU that code is assembled for.
        options: of the compilation; `options.target` is the GPU that passes compile for.
        until: the last level to make, one of LEVELS.
        key: the cache key, which becomes the hash in the metadata; by default a digest of source and options.
        replacements: of levels, by files; by default those that the environment and the options ask for.
        subscribers: told of each level, as are those who watch the thread's compilations.

    Attributes:
        files: contents by name, the metadata last.
        metadata: for a launcher.
        seconds: wall time of each stage by the level that it makes; `parse` is from the source to IR.

    Raises:
        ValueError: the source can't lead to `until`.
    """

    def __init__(
        self,
        source: Any,
        target: GPUTarget,
        options: CompileOptions,
        *,
        until: str = "cubin",
        key: str = "",
        replacements: Replacements | None = None,
        subscribers: Sequence[PassSubscriber] = (),
    ) -> None:
        if source.ext not in LEVELS[:-1] or until not in LEVELS[LEVELS.index(source.ext) :]:
            raise ValueError(f"can't compile from '{source.ext}' to '{until}'; levels are {', '.join(LEVELS)}")
        self.source, self.options, self.until = source, options, until
        self.backend: CUDABackend = make_backend(target)
        self.name = file_name(source)
        self.replacements = replacements or Replacements(source, self.name, options)
        self.files: dict[str, bytes] = {}
        self.seconds: dict[str, float] = {}
        if folder := knobs.compilation.trace:
            import_module("ttkit.tracing.recorder").follow_environment(folder)  # which is above
        if knobs.compilation.prove_passes:
            import_module("ttkit.compiler.live_proofs").follow_environment()
        elif (live := sys.modules.get("ttkit.compiler.live_proofs")) is not None:
            live.leave_environment()
        self._watching = watchers()
        self.subscribers = [*subscribers, *(watch.subscriber for watch in self._watching)]
        self.metadata: dict[str, Any] = {
            **DEFAULTS,
            **options.as_dict(),
            **getattr(source, "known", {}),
            **knobs.cache_invalidating_variables(),
            "hash": key or self._identity(),
            "target": {"backend": target.backend, "arch": target.arch, "warp_size": target.warp_size},
            "triton_version": TRITON_VERSION,
        }

    def _identity(self) -> str:
        parts = self.source.hash(), self.options.hash(), str(self.backend.target), VERSION
        return hashlib.sha256("-".join(parts).encode()).hexdigest()

    @property
    def asm(self) -> AsmDict:
        """The levels that were made."""
        return AsmDict(self.files)

    def run(self, cache_folder: str = "") -> Compilation:
        """Fills in the attributes.

        Args:
            cache_folder: where the files will be: locations by USE_IR_LOC name it.

        Returns:
            itself.

        Raises:
            CompilationError: an error in the kernel.
            CompileError: the module has no kernel or several, or was made for a newer GPU; a `BudgetError` if it takes
                more than TTKIT_COMPILE_SECONDS or TTKIT_COMPILE_MEMORY.
            PassError, ir.MLIRError, LLVMError, PTXASError: what a stage refuses, with diagnostics.
            FileNotFoundError: ptxas or libdevice is not installed.
            RuntimeError: an address sanitizer is asked for.
        """
        if knobs.compilation.enable_asan:
            raise RuntimeError(
                "Address Sanitizer Error: Address sanitizer is currently only supported on the AMD backend"
            )
        if knobs.inspection.python_stacktrace:
            faulthandler.enable()
        ended: BaseException | None = None
        try:
            asked = knobs.compilation
            with garbage_collection.paused(), watching(False), budget.limited(asked.seconds, asked.memory):
                self._run(cache_folder)
        except BaseException as error:
            ended = error
            raise
        finally:
            for watch in self._watching:
                watch.compiled(self, ended)
        return self

    def _run(self, cache_folder: str) -> None:
        stages: dict[str, Stage] = {}
        self.backend.add_stages(stages, self.options, getattr(self.source, "language", Language.TRITON))
        is_file = hasattr(self.source, "path")
        levels = list(stages)
        # Passes of the stage ttir leave tt as it is that went through them: tt from a file goes through them too.
        levels = levels[levels.index(self.source.ext) + (is_file and self.source.ext != "ttir") :]
        levels = levels[: levels.index(self.until) + 1] if self.until in levels else levels
        started = time.perf_counter()
        context = take()
        made = self._make_ir(context)
        if (
            is_file
            and knobs.compilation.use_ir_loc
            and isinstance(made, ir.Module)
            and isinstance(self.source.src, str)
        ):
            made = self._relocated(self.source.src, self.source.path, context)
        self.files[f"{self.name}.{self.source.ext if is_file else 'source'}"] = _content(made)
        self.made("parse", time.perf_counter() - started + getattr(self.source, "seconds", 0))
        try:
            with trusting(not is_file and not self._is_changed()):
                for level in levels:
                    if level == "ptx" and "cubin" in levels and not self.replacements.replaces("cubin"):
                        get_cubin_ready(self.options, int(self.backend.target.arch))
                    made = self._make_level(level, stages[level], made, context, cache_folder)
        except OverBudget as error:
            begun, text = list(self.files.items())[-1]
            begun = begun.rpartition(".")[2]
            raise budget_error(error, self.name, begun, level, text.decode(errors="replace")) from None
        finally:
            _close(made)
        if not self._watching and not self._is_changed():  # what users' code has left in it is theirs
            leave(context, len(next(iter(self.files.values()))))
        self.files[f"{self.name}.json"] = json.dumps(self.metadata, default=str).encode()
        report_stages(self.name, self.seconds)

    def _is_changed(self) -> bool:
        """Whether a user has a hand in the stages: by passes, files in the place of levels, or a hook."""
        hook = knobs.runtime.add_stages_inspection_hook
        return self.options.pipeline is not None or bool(self.replacements.files) or hook is not None

    def _make_ir(self, context: ir.Context) -> Any:
        try:
            return self.source.make_ir(self.backend.target, self.options, context=context)
        except Exception as error:
            hide_frames(error)
            raise

    def _make_level(self, level: str, stage: Stage, previous: Any, context: ir.Context, cache_folder: str) -> Any:
        """Makes and keeps a level; the one before it is freed."""
        started = time.perf_counter()
        if self.replacements.replaces(level):
            made = self._replaced(level, stage, previous, context)
        else:
            made = self._run_stage(level, stage, previous)
        if previous is not made:
            _close(previous)
        is_source = hasattr(self.source, "path") and self.source.ext == level  # it has the lines of its file
        if knobs.compilation.use_ir_loc == level and isinstance(made, ir.Module) and not is_source:
            text = made.operation.get_asm(enable_debug_info=False)
            made = self._relocated(text, os.path.join(cache_folder, f"{self.name}.{level}"), made.context)
            self.files[f"{self.name}.{level}"] = text.encode()
        else:
            self.files[f"{self.name}.{level}"] = _content(made)
        self.made(level, time.perf_counter() - started)
        return made

    def _run_stage(self, level: str, stage: Stage, previous: Any) -> Any:
        """Runs a stage.  What passes find wrong with a kernel is an error at its line."""
        in_gluon = level == "ttgir" and getattr(self.source, "language", None) == Language.GLUON
        try:
            return stage(previous, self.metadata)
        except (PassError, ir.MLIRError) as error:
            if in_gluon and not self._is_changed():  # layouts, which the kernel chooses
                raise self.source.at_kernel_line(error) from error
            if isinstance(error, PassError) and hasattr(self.source, "at_kernel_line"):
                located = self.source.at_kernel_line(error)
                error.args = (str(located),) if located.where else error.args
            raise

    def made(self, level: str, seconds: float) -> None:
        """Notes the time of a level's stage, and tells the subscribers."""
        self.seconds[level] = seconds
        self.tell(level, seconds)

    def tell(self, level: str, seconds: float) -> None:
        """Tells the subscribers that a level is made."""
        for subscriber in self.subscribers:
            subscriber.made(LevelEvent(self.name, level, seconds))

    def _replaced(self, level: str, stage: Stage, previous: Any, context: ir.Context) -> Any:
        """The file in a level's place.  One of tt or ttg needs no stage before it."""
        if level not in ("ttir", "ttgir"):
            _close(stage(previous, self.metadata))  # the metadata that it adds are not in the file
            return self.replacements.load(level, context)
        module = self.replacements.load(level, context)
        self.metadata.update(of_kernel(module))
        if level == "ttgir":
            self.metadata.update(of_ttg(module, self.options.target.capability))
        return module

    @staticmethod
    def _relocated(text: str, path: str, context: ir.Context) -> ir.Module:
        """The module with the lines of its own text as locations, which are those of a file."""
        print(f"Creating new locations for {path}")
        return located_in(text, path, context)


def _content(made: Any) -> bytes:
    """The bytes that are kept of a level.

    MLIR keeps its locations, so that code made of it has the kernel's lines too; values are called as in the source.
    """
    if isinstance(made, bytes):
        return made
    if isinstance(made, ir.Module):
        return told(library().ttkitPrint, operation_handle(made.operation))[1].encode()
    return str(made).encode()


def _close(made: Any) -> None:
    """Frees what is not freed by itself."""
    if hasattr(made, "close"):
        made.close()
