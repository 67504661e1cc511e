"""The levels of a kernel: ttir -> ttgir -> llir -> ptx -> cubin.

`make_<level>` makes a level from the one before it, and nothing else.  `compile_ir` runs those between two levels, from
text to all texts on the way, with what a launcher must know:

    compiled = compile_ir(Path("k.ttir").read_text(), "ttir", CompileOptions(num_warps=8), 90)
    compiled.asm["ptx"], compiled.asm["cubin"], compiled.metadata["shared"], compiled.seconds["llir"]

No GPU and no driver is needed.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import time
from collections.abc import Callable
from typing import Any

from mlir import ir

import ttkit
from ttkit import knobs
from ttkit.compiler import llvm, llvm_inspection, module_metadata
from ttkit.compiler.module_metadata import TRITON_VERSION
from ttkit.compiler.pass_inspection import function_names, run_stage
from ttkit.compiler.ptxas import Cubin, Resources, assemble, libdevice_path
from ttkit.context import Context
from ttkit.lazy_dataclass import dataclass, field
from ttkit.options import CompileOptions
from ttkit.passes.changes import with_changes
from ttkit.passes.stages import stage_passes
from ttkit.target import NEWEST_PTX, Target

LEVELS = ("ttir", "ttgir", "llir", "ptx", "cubin")
IR_LEVELS = ("ttir", "ttgir")


@dataclass
class Compiled:
    """A kernel and all that was made of it.

    asm: text of each level, bytes of the cubin.
    metadata: what a launcher must know; as JSON, the file beside a cubin.
    seconds: wall time of each stage, by the level that it makes; `parse` is that of the source.
    log: what ptxas said.
    """

    asm: dict[str, Any] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    log: str = ""

    @property
    def resources(self) -> Resources:
        """Registers, spills and static shared memory, from ptxas's log; zeros without a cubin."""
        return Cubin(b"", self.log).resources

    def metadata_json(self) -> str:
        return json.dumps(self.metadata, indent=2, default=str) + "\n"


# --- the stages -------------------------------------------------------------------------------------------------------


def make_ttir(module: ir.Module, options: CompileOptions) -> ir.Module:
    """tt as it is written -> tt that can be given layouts; in place.

    Raises:
        PassError, ir.MLIRError: with diagnostics.
    """
    _run_stage(module, "ttir", options)
    return module


def make_ttgir(module: ir.Module, options: CompileOptions) -> ir.Module:
    """tt -> ttg, optimized; in place.

    Raises:
        PassError, ir.MLIRError: with diagnostics.
    """
    if options.maxnreg is not None:
        i32 = ir.IntegerType.get_signless(32, module.context)
        module.operation.attributes["ttg.maxnreg"] = ir.IntegerAttr.get(i32, options.maxnreg)
    _run_stage(module, "ttgir", options)
    return module


def make_llir(module: ir.Module, options: CompileOptions) -> llvm.Module:
    """ttg -> optimized LLVM IR.  The MLIR module is llvm and nvvm afterwards; close the LLVM module when done.

    Raises:
        PassError, ir.MLIRError: with diagnostics.
        LLVMError: LLVM refuses what was made.
        FileNotFoundError: libdevice, which the kernel calls, is not installed.
    """
    _run_stage(module, "llir", options)
    if not options.enable_fp_fusion:
        _forbid_contraction(module)
    with llvm_inspection.flags(function_names(module)), llvm_inspection.Times("llir") as times:
        lowered = llvm.Module.from_mlir(module.operation)
        times.step("translation from MLIR")
        try:
            lowered.prepare(options.target, options.enable_reflect_ftz)
            for _, path in options.extern_libs:
                lowered.link_library(path)
            if lowered.calls_libdevice():
                lowered.link_library(libdevice_path())
            times.step("libraries")
            if llvm_inspection.optimizes():
                lowered.optimize(options.target)
                # Vectors of pointers and indices become scalars, which LLVM then folds into the addressing of each
                # access.  Of pointers that go around a loop only some are used; of a 128x256 product's, whose others
                # stayed, LLVM took 223 ms to emit instead of 50 (CPU time, 2026-11).
                lowered.optimize(options.target, "function(scalarizer<min-bits=32>,adce,early-cse)")
                times.step("optimization")
        except BaseException:
            lowered.close()
            raise
    return lowered


def parse_llir(text: str, options: CompileOptions) -> llvm.Module:
    """LLVM IR from text; close the module when done.

    Raises:
        LLVMError: with line, column and reason.
    """
    if not options.enable_fp_fusion:
        text = text.replace(" contract ", " ")
    module = llvm.Module.parse(text)
    # Where no operation says that it may be fused, the option decides, as it does for Triton.
    if options.enable_fp_fusion and " contract " not in text:
        module.allow_contraction()
    module.prepare(options.target, flush_denormals=False)
    return module


def make_ptx(module: llvm.Module, target: Target) -> str:
    """Optimized LLVM IR -> PTX.

    Raises:
        LLVMError: LLVM can't emit it.
    """
    defined = [name for name, _, declared in module.functions() if not declared]
    with llvm_inspection.flags(defined), llvm_inspection.Times("ptx") as times:
        text = module.ptx(target)
        times.step("emission")
    # `debug` keeps ptxas from optimizing; lines are kept without it.
    text = re.sub(r"(\.target .*?),\s*debug", r"\1", text)
    if target.ptx_version > NEWEST_PTX:
        text = re.sub(r"\.version \d+\.\d+", f".version {target.ptx_version / 10}", text, count=1)
    if knobs.nvidia.dump_nvptx:
        print(f"// -----// NVPTX Dump //----- //\n{text}")
    return text


def make_cubin(ptx: str, target: Target, options: CompileOptions) -> Cubin:
    """PTX -> cubin.

    Raises:
        PTXASError: ptxas refuses the text.
        FileNotFoundError: ptxas is not installed.
    """
    made = assemble(
        ptx,
        target,
        line_info=not knobs.compilation.disable_line_info,
        fp_fusion=options.enable_fp_fusion,
        optimize=not knobs.nvidia.disable_ptxas_opt,
        options=shlex.split(options.ptx_options or ""),
    )
    if knobs.nvidia.dump_ptxas_log:
        print(made.log)
    return made


def _forbid_contraction(module: ir.Module) -> None:
    """Takes from operations on floats what allows to fuse them."""
    none = ir.Attribute.parse("#llvm.fastmath<none>", module.context)

    def visit(op: ir.Operation) -> ir.WalkResult:
        if "fastmathFlags" in op.attributes:
            op.attributes["fastmathFlags"] = none
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)


def _run_stage(module: ir.Module, stage: str, options: CompileOptions) -> None:
    passes = stage_passes(f"ttkit-{stage}", options)
    if knobs.compilation.disable_line_info:
        passes = [text for text in passes if not text.startswith("ensure-debug-info-scope")]
    run_stage(module, stage, passes)


# --- all of them ------------------------------------------------------------------------------------------------------


def compile_ir(
    source: str | bytes | ir.Module,
    level: str,
    options: CompileOptions,
    capability: int,
    *,
    until: str = "cubin",
    known: dict[str, Any] | None = None,
    keep: Callable[[str], bool] = lambda level: True,
    path: str | None = None,
) -> Compiled:
    """Compiles a kernel from one level to another.

    Args:
        source: one kernel in the IR of `level`; MLIR may be bytecode, or a module, which is changed in place.
        level: one of LEVELS but the last.  From "ttir" on, the passes of the stage ttir run too: IR that went
            through them does not change any more.
        capability: of the GPU, such as 90.
        until: the last level to make.
        known: metadata that `source` can't tell: LLVM IR and PTX don't say how much shared memory a launch gives.
        keep: whether the text of a level is wanted.
        path: the source's file, for diagnostics.

    Raises:
        CompileError: the module has no kernel or several, or was made for other options.
        PassError, ir.MLIRError, LLVMError, PTXASError: what a stage refuses, with diagnostics.
        ValueError: there is no such level or target.
        FileNotFoundError: ptxas or libdevice is not installed.
    """
    if level not in LEVELS[:-1] or until not in LEVELS or LEVELS.index(until) < LEVELS.index(level):
        raise ValueError(f"can't compile from '{level}' to '{until}'; levels are {', '.join(LEVELS)}")
    run = _Compilation(options, capability, LEVELS.index(until), keep)
    run.describe(source, known or {})
    if level in IR_LEVELS:
        if isinstance(source, ir.Module):
            run.from_module(source, level)
        else:
            with Context() as context, ir.Location.unknown():
                parse = (lambda: ir.Module.parseFile(path, context)) if path else (lambda: ttkit.parse(source, context))
                run.from_module(run.timed("parse", parse), level)
    elif level == "llir":
        run.from_llir(_text(source))
    else:
        run.from_ptx(_text(source))
    return run.compiled


class _Compilation:
    """One run of the stages, with what it has made so far."""

    def __init__(self, options: CompileOptions, capability: int, last: int, keep: Callable[[str], bool]) -> None:
        self.options, self.target = options, options.target_of(capability)
        self.last, self.keep = last, keep
        self.compiled = Compiled()

    def timed(self, level: str, make: Callable[[], Any]) -> Any:
        start = time.perf_counter()
        made = make()
        self.compiled.seconds[level] = time.perf_counter() - start
        return made

    def wants(self, level: str) -> bool:
        return LEVELS.index(level) <= self.last

    def store(self, level: str, text: Callable[[], Any]) -> None:
        if self.keep(level):
            self.compiled.asm[level] = text()

    def describe(self, source: str | bytes | ir.Module, known: dict[str, Any]) -> None:
        """The metadata that no stage adds to."""
        options, target = self.options, self.target
        text = source if isinstance(source, bytes) else str(source).encode()
        identity = json.dumps(
            [options.as_dict(), target.arch, target.ptx_version, ttkit.__version__], default=str
        ).encode()
        fields = {
            **module_metadata.DEFAULTS,
            **options.as_dict(),
            "arch": f"sm{target.capability}",
            "target": {"backend": "cuda", "arch": target.capability, "warp_size": options.warp_size},
            "hash": hashlib.sha256(text + identity).hexdigest(),
            "triton_version": TRITON_VERSION,
        }
        inherited = {name: value for name, value in known.items() if name in module_metadata.FROM_MODULE}
        self.compiled.metadata = {**fields, **inherited}

    def from_module(self, module: ir.Module, level: str) -> None:
        target, options = self.target, with_changes(self.options, module_metadata.kernel_name(module))
        if level == "ttir":
            self.timed("ttir", lambda: make_ttir(module, options))
            self.store("ttir", lambda: _ir_text(module))
            self.compiled.metadata.update(module_metadata.of_kernel(module))
        if not self.wants("ttgir"):
            return
        if level == "ttir":
            self.timed("ttgir", lambda: make_ttgir(module, options))
        else:
            self.compiled.metadata.update(module_metadata.of_ttg(module, target.capability))
        self.compiled.metadata.update(module_metadata.of_kernel(module))
        self.store("ttgir", lambda: _ir_text(module))
        if not self.wants("llir"):
            return
        lowered = self.timed("llir", lambda: make_llir(module, options))
        with lowered:
            self.compiled.metadata.update(module_metadata.of_lowered(module))
            self.store("llir", lambda: str(lowered))
            if self.wants("ptx"):
                self.from_ptx(self.timed("ptx", lambda: make_ptx(lowered, target)))

    def from_llir(self, text: str) -> None:
        with self.timed("parse", lambda: parse_llir(text, self.options)) as module:
            self.store("llir", lambda: text)
            if self.wants("ptx"):
                self.from_ptx(self.timed("ptx", lambda: make_ptx(module, self.target)))

    def from_ptx(self, text: str) -> None:
        self.compiled.metadata.update(module_metadata.of_ptx(text, self.options.warp_size))
        self.store("ptx", lambda: text)
        if self.wants("cubin"):
            cubin = self.timed("cubin", lambda: make_cubin(text, self.target, self.options))
            self.compiled.log = cubin.log
            self.store("cubin", lambda: cubin.data)


def _ir_text(module: ir.Module) -> str:
    """The text with locations, so that what is compiled from it has the kernel's lines too."""
    return module.operation.get_asm(enable_debug_info=True)


def _text(source: str | bytes | ir.Module) -> str:
    return source.decode() if isinstance(source, bytes) else str(source)
