"""The levels of a kernel: ttir -> ttgir -> llir -> ptx -> cubin.

`make_<level>` makes a level from the previous one, and adds to the metadata.  `compilation.Compilation` runs them all.
They are methods of `backend.CUDABackend` too, where Triton's hooks look for them.
"""

from __future__ import annotations

import functools
import re
import shlex
from typing import Any

from mlir import ir

import ttkit.knobs as knobs
from ttkit.analysis.kernel_facts import KernelFacts
from ttkit.compiler import isolation, llvm, llvm_inspection, occupancy
from ttkit.compiler.expression_order import tests_many_bits
from ttkit.compiler.module_metadata import CompileError, of_kernel, of_lowered, of_ptx
from ttkit.compiler.pass_inspection import function_names, run_stage
from ttkit.compiler.ptxas import Cubin, assemble, get_ready, libdevice_path
from ttkit.compiler.shared_base import with_base_apart
from ttkit.inspection import collect, count
from ttkit.module_attributes import MAXNREG
from ttkit.options import CompileOptions
from ttkit.passes.stages import stage_passes
from ttkit.target import NEWEST_PTX
from ttkit.tuning.llvm import (
    BRANCHES,
    CUT_EXPRESSIONS,
    FEW_REGISTERS_ORDER,
    HIDDEN_THREAD_RANGE,
    LOOP_ADDRESSES_FLAG,
    MANY_OPERATIONS,
    SCALARS_FIRST,
)

ARITHMETIC = ("llvm.add", "llvm.mul", "llvm.and", "llvm.or", "llvm.xor")

Metadata = dict[str, Any]
LLVM_DIALECTS = ("llvm.", "nvvm.")


def make_ttir(module: ir.Module, metadata: Metadata, options: CompileOptions, capability: int = 0) -> ir.Module:
    """tt from the front end -> tt that is ready for layouts; in place.

    Args:
        capability: ignored, here and below: passes compile for `options.target`.

    Raises:
        PassError, ir.MLIRError: with diagnostics.
    """
    _run_stage(module, "ttir", options)
    metadata.update(of_kernel(module))
    return module


def make_ttgir(module: ir.Module, metadata: Metadata, options: CompileOptions, capability: int = 0) -> ir.Module:
    """tt -> ttg, optimized; in place.

    Raises:
        PassError, ir.MLIRError: with diagnostics.
    """
    limit_registers(module, options)
    _run_stage(module, "ttgir", options)
    metadata.update(of_kernel(module))
    return module


def gluon_to_ttgir(module: ir.Module, metadata: Metadata, options: CompileOptions, capability: int = 0) -> ir.Module:
    """ttg from Gluon, with open layouts -> ttg; in place.

    Raises:
        PassError, ir.MLIRError: with diagnostics.
    """
    _run_stage(module, "gluon", options)
    metadata.update(of_kernel(module))
    return module


def limit_registers(module: ir.Module, options: CompileOptions) -> None:
    """Notes on a module the limit of registers that the options ask for."""
    if options.maxnreg is not None:
        i32 = ir.IntegerType.get_signless(32, module.context)
        module.operation.attributes[MAXNREG] = ir.IntegerAttr.get(i32, options.maxnreg)


def make_llir(module: ir.Module, metadata: Metadata, options: CompileOptions, capability: int = 0) -> llvm.Module | str:
    """ttg -> optimized LLVM IR.  The MLIR module is llvm and nvvm afterwards; close an LLVM module when done.

    Raises:
        PassError, ir.MLIRError: with diagnostics.
        LLVMError: LLVM refuses the module.
        FileNotFoundError: libdevice, which the kernel calls, is not installed.
    """
    _run_stage(module, "llir", options)
    return llvm_ir(module, metadata, options, capability)


def llvm_ir(module: ir.Module, metadata: Metadata, options: CompileOptions, capability: int = 0) -> llvm.Module | str:
    """llvm and nvvm dialects -> optimized LLVM IR, as `make_llir` does after its passes.

    Raises:
        LLVMError: LLVM refuses the module.
        FileNotFoundError: libdevice, which the kernel calls, is not installed.
    """
    metadata.update(of_lowered(module))
    facts = KernelFacts.named(metadata["facts"])
    addresses = collect(module.operation, ("llvm.getelementptr",))
    many = facts.wide or isolation.has_many_addresses(len(addresses))
    if many or knobs.compilation.isolate or isolation.may_take_long(module.operation):
        text = module.operation.get_asm(enable_debug_info=True)
        return isolation.apart("llir", text, options, capability, metadata.get("name", ""))
    scalars = sum(_elements(address.results[0].type) for address in addresses)
    made = translate(module, options)
    if isolation.has_many_addresses(scalars):  # or fewer: equal ones are one now
        text = str(made)
        if isolation.has_many_addresses(text.count(" = getelementptr")):
            made.close()
            return text
    return made


def _elements(kind: ir.Type) -> int:
    return kind.shape[0] if isinstance(kind, ir.VectorType) else 1


def translate(module: ir.Module, options: CompileOptions) -> llvm.Module:
    """llvm and nvvm dialects -> optimized LLVM IR, linked with libraries; close the LLVM module when done.

    Raises:
        LLVMError: LLVM refuses what was made.
        FileNotFoundError: libdevice, which the kernel calls, is not installed.
    """
    if not options.enable_fp_fusion:
        _forbid_contraction(module)
    _drop_hints(module)
    more = [] if BRANCHES.on else [llvm_inspection.SELECTS]
    with llvm_inspection.flags(function_names(module), more), llvm_inspection.Times("llir") as times:
        lowered = llvm.Module.from_mlir(module.operation)
        times.step("translation from MLIR")
        try:
            lowered.prepare(options.target, options.enable_reflect_ftz)
            for _, path in options.extern_libs:
                lowered.link_library(path)
            branches = lowered.calls_trigonometry()
            if lowered.calls_libdevice():
                lowered.link_library(libdevice_path())
            if options.enable_fp_fusion:
                lowered.allow_contraction(of_libraries=True)
            times.step("libraries")
            if CUT_EXPRESSIONS.on and count(module.operation, ARITHMETIC) > MANY_OPERATIONS:
                lowered.cut_expressions()
            if knobs.compilation.dump_ir_extract_di_local_variables:
                # While the elements of vectors, which debuggers show, are still there.
                lowered.optimize(options.target, "function(scalarizer)")
            if llvm_inspection.optimizes():
                _optimize(lowered, module, options, branches)
                times.step("optimization")
        except BaseException:
            lowered.close()
            raise
    return lowered


def _optimize(lowered: llvm.Module, module: ir.Module, options: CompileOptions, branches: bool) -> None:
    """O3 with the scalarizer, and what LLVM does not do by itself for kernels.

    Args:
        lowered: the code of `module`, linked with its libraries.
        branches: whether it calls sine, cosine or tangent, whose code branches.
    """
    if lowered.facts.mma_sync:
        lowered.split_comparisons()
    # Vectors of pointers and indices become scalars, which LLVM then folds into the addresses of accesses.
    # A loop uses only some of the pointers that it carries.  While a 128x256 matmul kept the others, LLVM
    # took 223 ms to emit it instead of 50 (CPU time, 2026-11).
    # The scalarizer splits wide vectors completely: LLVM would rebuild pairs of 16 bits by instructions
    # that are as long as the vector.
    scalarizer = "scalarizer" if lowered.facts.wide else "scalarizer<min-bits=32>"
    # O3 makes no pairs of f32, which sm_100 multiplies and adds at once, from vectors as long as a tensor.
    pairs = options.target.has_paired_f32 and not lowered.facts.wide and lowered.searches_pairs()
    last = ",slp-vectorizer,early-cse" if pairs else ""
    # O3 widens induction variables and hoists what addresses share only of scalars.  It spreads the
    # branches of sine and cosine over all elements then, whose values are in registers at the same time.
    few = lowered.facts.narrow and not lowered.facts.dots and not branches
    scalars = SCALARS_FIRST.on and few
    first = f"function({scalarizer})," if scalars else ""
    pipeline = f"{first}default<O3>,function({scalarizer},adce,early-cse{last})"
    knows_threads = lowered.facts.dots or not HIDDEN_THREAD_RANGE.on
    # A register of a GPU without operations on pairs of f32 holds no vector that would be worth a search,
    # as LLVM knows where it knows what operations cost: 2,165 compilations gave the same PTX (2026-11).
    costs = not scalars or pairs
    joins = options.target.has_paired_f32 or not costs
    lowered.optimize(options.target, pipeline, knows_threads, costs, joins)
    if by_element := tests_many_bits(module.operation):
        lowered.optimize(options.target, "function(scalarizer,adce,early-cse)")
    lowered.move_to_uses(by_element)


def parse_llir(text: str, options: CompileOptions) -> llvm.Module:
    """LLVM IR from text; close the module when done.

    Raises:
        LLVMError: with line, column and reason.
    """
    if not options.enable_fp_fusion:
        text = text.replace(" contract ", " ")
    module = llvm.Module.parse(text)
    if options.enable_fp_fusion:
        module.allow_contraction()
    module.prepare(options.target, flush_denormals=False)
    return module


def make_ptx(source: llvm.Module | str, metadata: Metadata, options: CompileOptions, capability: int) -> str:
    """Optimized LLVM IR, as a module or as text -> PTX.

    Args:
        capability: of the GPU that code is assembled for.

    Raises:
        LLVMError: LLVM can't parse or emit it.
        CompileError: there is no kernel, or more than one; or no code for the GPU.
    """
    _check_code(options, capability)
    if isinstance(source, str):  # made apart, or from a file: LLVM ends the process on much that it can read
        text = isolation.apart("ptx", source, options, capability, metadata.get("name", ""))
    else:
        text = emit(source, options, capability)
    if knobs.nvidia.dump_nvptx:
        print(f"// -----// NVPTX Dump //----- //\n{text}")
    metadata.update(of_ptx(text, options.warp_size))
    return text


def emit_text(source: str, options: CompileOptions, capability: int) -> str:
    """LLVM IR as text -> PTX.  Raises LLVMError: LLVM can't parse or emit it."""
    with parse_llir(source, options) as module:
        return emit(module, options, capability)


def emit(module: llvm.Module, options: CompileOptions, capability: int) -> str:
    """Optimized LLVM IR -> PTX.  Raises LLVMError: LLVM can't emit it."""
    target = options.target_of(capability)
    defined = [name for name, _, declared in module.functions() if not declared]
    facts = module.facts
    # Addresses in loops stay where LLVM's own estimate says that strength reduction makes no fewer.
    more = [LOOP_ADDRESSES_FLAG] if facts.register_mmas and module.addresses_stay() else []
    # Registers are scarce beside accumulators.  In this order stores to shared memory wait for the last of the loads
    # into registers before them, so only asynchronous copies gain.
    few_registers = options.sched4reg or (facts.wgmma and facts.copies and FEW_REGISTERS_ORDER.on)
    with llvm_inspection.flags(defined, more), llvm_inspection.Times("ptx") as times:
        text = with_base_apart(module.ptx(target, few_registers))
        times.step("emission")
    if not knobs.compilation.dump_ir_extract_di_local_variables:
        # `debug` keeps ptxas from optimizing; lines are kept without it, variables are not.
        head, word, code = text.partition(".address_size")
        text = re.sub(r"(\.target .*?),\s*debug", r"\1", head) + word + code
    if target.ptx_version > NEWEST_PTX:
        text = re.sub(r"\.version \d+\.\d+", f".version {target.ptx_version / 10}", text, count=1)
    return text


def get_cubin_ready(options: CompileOptions, capability: int) -> None:
    """Has a server of ptxas start, which takes as long as LLVM for a small kernel: called before `make_ptx` where
    `make_cubin` follows.

    Args:
        capability: of the GPU that code is assembled for.
    """
    get_ready(options.target_of(capability), **_of_ptxas(options))


def make_cubin(ptx: str, metadata: Metadata, options: CompileOptions, capability: int) -> Cubin:
    """PTX -> cubin.

    Args:
        capability: of the GPU that code is assembled for.

    Raises:
        PTXASError: ptxas refuses the text.
        CompileError: there is no code for the GPU.
        FileNotFoundError: ptxas is not installed.
    """
    _check_code(options, capability)
    target = options.target_of(capability)
    assembled = functools.partial(assemble, target=target, **_of_ptxas(options))
    may_limit = not knobs.nvidia.disable_ptxas_opt and "shared" in metadata
    if may_limit:
        ptx = occupancy.with_fitting_programs(ptx)
    made = occupancy.assembled_for_programs(ptx, assembled)
    if may_limit:
        facts = KernelFacts.named(metadata.get("facts", ()))
        made = occupancy.with_best_limit(made, ptx, facts, metadata["shared"], target, assembled)
    if knobs.nvidia.dump_ptxas_log:
        print(made.log)
    return made


def _of_ptxas(options: CompileOptions) -> dict[str, Any]:
    """The arguments of ptxas but for the target."""
    return {
        "line_info": not knobs.compilation.disable_line_info,
        "fp_fusion": options.enable_fp_fusion,
        "optimize": not knobs.nvidia.disable_ptxas_opt,
        "options": shlex.split(options.ptx_options or ""),
    }


def _check_code(options: CompileOptions, capability: int) -> None:
    try:
        options.target_of(capability).check_code()
    except ValueError as error:
        raise CompileError(str(error)) from None


def _forbid_contraction(module: ir.Module) -> None:
    """Removes the flags of floating-point operations that allow fusing them."""
    none = ir.Attribute.parse("#llvm.fastmath<none>", module.context)

    def visit(op: ir.Operation) -> ir.WalkResult:
        """Replaces the flags of one operation by none."""
        if "fastmathFlags" in op.attributes:
            op.attributes["fastmathFlags"] = none
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)


def _drop_hints(module: ir.Module) -> None:
    """Removes parameter attributes that LLVM does not have, such as `tt.divisibility`.

    MLIR would warn about each, with a note that holds the whole function as text: without the warnings a matmul in tf32
    takes 20 ms of CPU time instead of 27, one by descriptors 29 instead of 54 (2026-11).
    """
    for function in module.body.operations:
        if (given := function.operation.attributes.get("arg_attrs")) is not None:
            kept = ({each.name: each.attr for each in one if each.name.startswith(LLVM_DIALECTS)} for one in given)
            attributes = [ir.DictAttr.get(one, module.context) for one in kept]
            function.operation.attributes["arg_attrs"] = ir.ArrayAttr.get(attributes, module.context)


def passes_of(module: ir.Module, stage: str, options: CompileOptions) -> list[str]:
    """The passes that a level's stage runs on a module."""
    passes = stage_passes(f"ttkit-{stage}", options, module)
    if knobs.compilation.disable_line_info:
        passes = [text for text in passes if not text.startswith(("ensure-debug-info-scope", "extract-variable-info"))]
    return passes


def _run_stage(module: ir.Module, stage: str, options: CompileOptions) -> None:
    run_stage(module, stage, passes_of(module, stage, options))
