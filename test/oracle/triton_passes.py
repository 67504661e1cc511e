"""Triton's own passes, one at a time, on IR: the other half of compare.py.  Its Python has Triton, not ttkit.

Reads requests from standard input and answers on standard output, one JSON object a line:

    {"text": IR, "passes": [["tritongpu-pipeline", {"num-stages": "3"}], ...], "repeat": 1}
    {"text": IR, "seconds": [CPU time of each pass], "read": the input as Triton prints it}
    {"error": diagnostics}, with "invalid" where the input is refused, or {"died": text} where the process ended

No GPU is needed.  With `--list` it prints the passes that this Triton can run by name.
"""

import os
import sys
import tempfile
import time

import fork_server
from triton._C import libtriton

# Pass argument -> binding below libtriton, then option=default in the order of the binding's arguments.
BINDINGS = {
    "canonicalize": "passes.common.add_canonicalizer",
    "cse": "passes.common.add_cse",
    "inline": "passes.common.add_inliner",
    "loop-invariant-code-motion": "passes.common.add_licm",
    "sccp": "passes.common.add_sccp",
    "symbol-dce": "passes.common.add_symbol_dce",
    "convert-scf-to-cf": "passes.convert.add_scf_to_cf",
    "convert-arith-to-llvm": "passes.convert.add_arith_to_llvmir",
    "convert-cf-to-llvm": "passes.convert.add_cf_to_llvmir",
    "convert-index-to-llvm": "passes.convert.add_index_to_llvmir",
    "convert-nvvm-to-llvm": "passes.convert.add_nvvm_to_llvm",
    "enable-line-info": "passes.llvmir.add_di_scope",
    "extract-variable-info": "passes.llvmir.add_di_local_variable",
    "gluon-canonicalize": "passes.gluon.add_canonicalizer",
    "gluon-infer-coalesced-encodings": "passes.gluon.add_infer_coalesced_encodings",
    "gluon-inline": "passes.gluon.add_inliner",
    "gluon-resolve-auto-encodings": "passes.gluon.add_resolve_auto_encodings",
    "triton-combine": "passes.ttir.add_combine",
    "triton-licm": "passes.ttir.add_triton_licm",
    "triton-loop-aware-cse": "passes.ttir.add_loop_aware_cse",
    "triton-loop-unroll": "passes.ttir.add_loop_unroll",
    "triton-reorder-broadcast": "passes.ttir.add_reorder_broadcast",
    "triton-rewrite-tensor-descriptor-to-pointer": "passes.ttir.add_rewrite_tensor_descriptor_to_pointer",
    "triton-rewrite-tensor-pointer": "passes.ttir.add_rewrite_tensor_pointer",
    "convert-triton-to-tritongpu": (
        "passes.ttir.add_convert_to_ttgpuir target=cuda:90 num-warps=4 threads-per-warp=32 num-ctas=1"
    ),
    "allocate-shared-memory": "passes.ttgpuir.add_allocate_shared_memory",
    "tritongpu-F32DotTC": "passes.ttgpuir.add_f32_dot_tc emu-tf32=false",
    "tritongpu-accelerate-matmul": "passes.ttgpuir.add_accelerate_matmul",
    "tritongpu-allocate-warp-groups": "passes.ttgpuir.add_allocate_warp_groups",
    "tritongpu-assign-latencies": "passes.ttgpuir.add_assign_latencies num-stages=3",
    "tritongpu-automatic-warp-specialization": "passes.ttgpuir.add_warp_specialize num-stages=3",
    "tritongpu-coalesce": "passes.ttgpuir.add_coalesce",
    "tritongpu-coalesce-async-copy": "passes.ttgpuir.add_coalesce_async_copy",
    "tritongpu-combine-tensor-select-and-if": "passes.ttgpuir.add_combine_tensor_select_and_if",
    "tritongpu-fuse-nested-loops": "passes.ttgpuir.add_fuse_nested_loops",
    "tritongpu-global-scratch-memory-allocation": "passes.ttgpuir.add_allocate_global_scratch_memory",
    "tritongpu-hoist-tmem-alloc": "passes.ttgpuir.add_hoist_tmem_alloc hoist-out-of-if=false",
    "tritongpu-optimize-accumulator-init": "passes.ttgpuir.add_optimize_accumulator_init",
    "tritongpu-optimize-dot-operands": "passes.ttgpuir.add_optimize_dot_operands hoist-layout-conversion=true",
    "tritongpu-optimize-partition-warps": "passes.ttgpuir.add_optimize_partition_warps",
    "tritongpu-optimize-thread-locality": "passes.ttgpuir.add_optimize_thread_locality",
    "tritongpu-pipeline": "passes.ttgpuir.add_pipeline num-stages=3 dump-intermediate-steps=false",
    "tritongpu-prefetch": "passes.ttgpuir.add_prefetch",
    "tritongpu-promote-lhs-to-tmem": "nvidia.passes.ttnvgpuir.add_promote_lhs_to_tmem",
    "tritongpu-reduce-data-duplication": "passes.ttgpuir.add_reduce_data_duplication",
    "tritongpu-remove-layout-conversions": "passes.ttgpuir.add_remove_layout_conversions",
    "tritongpu-reorder-instructions": "passes.ttgpuir.add_reorder_instructions",
    "tritongpu-schedule-loops": "passes.ttgpuir.add_schedule_loops",
    "tritoninstrument-concurrency-sanitizer": "passes.ttgpuir.add_concurrency_sanitizer",
    "nvgpu-warp-specialization": (
        "nvidia.passes.hopper.add_hopper_warpspec num-stages=3 dump-intermediate-steps=false"
    ),
    "nvws-assign-stage-phase": "nvidia.passes.nvws.add_assign_stage_phase",
    "nvws-insert-tmem-aref": "nvidia.passes.nvws.add_insert_tmem_aref",
    "nvws-lower-aref": "nvidia.passes.nvws.add_lower_aref",
    "nvws-lower-warp-group": "nvidia.passes.nvws.add_lower_warp_group",
    "triton-nvidia-check-matmul-two-cta": "nvidia.passes.ttnvgpuir.add_check_matmul_two_cta",
    "triton-nvidia-gpu-fence-insertion": "nvidia.passes.ttnvgpuir.add_fence_insertion compute-capability=90",
    "triton-nvidia-gpu-plan-cta": "nvidia.passes.ttnvgpuir.add_plan_cta",
    "triton-nvidia-gpu-proxy-fence-insertion": (
        "nvidia.passes.ttnvgpuir.add_proxy_fence_insertion compute-capability=90"
    ),
    "triton-nvidia-gpu-remove-tmem-tokens": "nvidia.passes.ttnvgpuir.add_remove_tmem_tokens",
    "triton-nvidia-interleave-tmem": "nvidia.passes.ttnvgpuir.add_interleave_tmem",
    "triton-nvidia-mma-lowering": "nvidia.passes.ttnvgpuir.add_lower_mma",
    "triton-nvidia-optimize-descriptor-encoding": "nvidia.passes.ttnvgpuir.add_optimize_descriptor_encoding",
    "triton-nvidia-optimize-tmem-layouts": "nvidia.passes.ttnvgpuir.add_optimize_tmem_layouts",
    "triton-nvidia-tma-lowering": "nvidia.passes.ttnvgpuir.add_tma_lowering",
    "triton-tensor-memory-allocation": "nvidia.passes.ttnvgpuir.add_allocate_tensor_memory",
    "allocate-shared-memory-nv": (
        "nvidia.passes.ttgpuir.add_allocate_shared_memory_nv compute-capability=80 ptx-version=80"
    ),
    "convert-triton-gpu-to-llvm": "nvidia.passes.ttgpuir.add_to_llvmir compute-capability=80 ptx-version=80",
    "convert-nv-gpu-to-llvm": "nvidia.passes.ttnvgpuir.add_nvgpu_to_llvm",
    "convert-warp-specialize-to-llvm": "nvidia.passes.ttnvgpuir.add_warp_specialize_to_llvm",
}


def binding(name):
    """The function of Triton that adds pass `name`, or None if this version has none."""
    value = libtriton
    for part in BINDINGS[name].split()[0].split("."):
        value = getattr(value, part, None)
    return value


def add_pass(manager, name, options):
    """Adds a pass with options (name -> text); those left out have the default of Triton's tt-opt."""
    if name not in BINDINGS or binding(name) is None:
        raise ValueError(f"Triton has no binding for pass '{name}'")
    defaults = dict(item.split("=", 1) for item in BINDINGS[name].split()[1:])
    if unknown := set(options) - set(defaults):
        raise ValueError(f"pass '{name}' has no option {', '.join(unknown)} here; it has: {', '.join(defaults)}")
    binding(name)(manager, *(value_of(text) for text in {**defaults, **options}.values()))


def value_of(text):
    """An option's value: a truth, a number or text."""
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isdigit() else text


class Contexts:
    """The context that modules are read in: one for many, as making one takes longer than reading a small module."""

    USES = 100

    def __init__(self):
        self.left = 0

    def get(self):
        """A context with Triton's dialects."""
        if self.left == 0:
            self.context = libtriton.ir.context()
            libtriton.ir.load_dialects(self.context)
            libtriton.nvidia.load_dialects(self.context)
            self.left = self.USES
        self.left -= 1
        return self.context


CONTEXTS = Contexts()


class InvalidModule(RuntimeError):
    """What is no module for Triton."""


def parse(text, context):
    """The module of a text.

    Raises:
        InvalidModule: Triton's reader or its verifiers refuse it.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        try:
            return libtriton.ir.parse_mlir_module(file.name, context)
        except RuntimeError as error:
            raise InvalidModule(*error.args) from error


def run_pass(module, context, name, options):
    """Runs a pass, and returns the seconds of CPU time that it took."""
    if name == "test-print-membar":  # bound as an analysis: it inserts the barriers
        start = time.process_time()
        allocation = libtriton.passes.analysis.allocation(module)  # the analysis does not keep it alive
        libtriton.passes.analysis.membar(allocation).run()
        return time.process_time() - start
    manager = libtriton.ir.pass_manager(context)
    add_pass(manager, name, options)
    start = time.process_time()
    manager.run(module, name)
    return time.process_time() - start


def run(text, passes, repeat=1):
    """Parses `text`, runs the passes one at a time.

    Returns:
        The printed result; the least CPU time of each pass in seconds; the printed input.
    """
    context = CONTEXTS.get()
    best = [float("inf")] * len(passes)
    for _ in range(repeat):
        module = parse(text, context)
        read = module.str_nodebug()
        for index, (name, options) in enumerate(passes):
            best[index] = min(best[index], run_pass(module, context, name, options))
    return module.str_nodebug() if passes else read, best, read


def answer(request, printed):
    """{"text", "seconds", "read"}, the last as Triton prints its input, or {"error"}."""
    try:
        text, seconds, read = run(request["text"], request["passes"], request.get("repeat", 1))
    except InvalidModule as error:
        return {"error": f"{printed()}{error}".strip(), "invalid": True}
    except (RuntimeError, ValueError, TypeError) as error:
        return {"error": f"{printed()}{error}".strip()}
    debug = {"debug": printed()} if "TRITON_LLVM_DEBUG_ONLY" in os.environ else {}
    return {"text": text, "seconds": seconds, "read": read, **debug}


def main():
    if "--list" in sys.argv:
        print("\n".join(name for name in BINDINGS if binding(name)))
    else:
        fork_server.serve(answer)


if __name__ == "__main__":
    main()
