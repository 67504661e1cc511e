"""Pass managers by the functions of Triton's bindings, `triton._C.libtriton.passes`, for hooks that rebuild a stage:

    pm = ir.pass_manager(mod.context)
    passes.ttir.add_combine(pm)
    pm.run(mod, "make_ttir")

Each function notes the text of a pass; `ttkit.run_passes` runs them.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from mlir import ir

from ttkit.passes.manager import run_passes

_CONVERSION = "convert-triton-to-tritongpu{{target={0} num-warps={1} threads-per-warp={2} num-ctas={3}}}"
_MACHINE = "{{compute-capability={0} ptx-version={1}}}"

_PASSES = {
    "common": {
        "add_canonicalizer": "canonicalize",
        "add_cse": "cse",
        "add_inliner": "inline",
        "add_licm": "loop-invariant-code-motion",
        "add_sccp": "sccp",
        "add_symbol_dce": "symbol-dce",
        "print_ir": "print-ir",
    },
    "convert": {
        "add_arith_to_llvmir": "convert-arith-to-llvm",
        "add_cf_to_llvmir": "convert-cf-to-llvm",
        "add_index_to_llvmir": "convert-index-to-llvm",
        "add_nvvm_to_llvm": "convert-nvvm-to-llvm",
        "add_scf_to_cf": "convert-scf-to-cf",
    },
    "gluon": {
        "add_canonicalizer": "gluon-canonicalize",
        "add_infer_coalesced_encodings": "gluon-infer-coalesced-encodings",
        "add_inliner": "inline",
        "add_resolve_auto_encodings": "gluon-resolve-auto-encodings",
    },
    "llvmir": {
        "add_di_local_variable": "extract-variable-info",
        "add_di_scope": "ensure-debug-info-scope-on-llvm-func{{emission-kind=Full}}",
    },
    "ttir": {
        "add_combine": "triton-combine",
        "add_convert_to_ttgpuir": _CONVERSION,
        "add_loop_aware_cse": "triton-loop-aware-cse",
        "add_loop_unroll": "triton-loop-unroll",
        "add_reorder_broadcast": "triton-reorder-broadcast",
        "add_rewrite_tensor_descriptor_to_pointer": "triton-rewrite-tensor-descriptor-to-pointer",
        "add_rewrite_tensor_pointer": "triton-rewrite-tensor-pointer",
        "add_triton_licm": "triton-licm",
    },
    "ttgpuir": {
        "add_accelerate_matmul": "tritongpu-accelerate-matmul",
        "add_allocate_global_scratch_memory": "tritongpu-global-scratch-memory-allocation",
        "add_allocate_shared_memory": "allocate-shared-memory",
        "add_allocate_warp_groups": "tritongpu-allocate-warp-groups",
        "add_assign_latencies": "tritongpu-assign-latencies{{num-stages={0}}}",
        "add_coalesce": "tritongpu-coalesce",
        "add_coalesce_async_copy": "tritongpu-coalesce-async-copy",
        "add_combine_tensor_select_and_if": "tritongpu-combine-tensor-select-and-if",
        "add_f32_dot_tc": "tritongpu-F32DotTC{{emu-tf32={0}}}",
        "add_fuse_nested_loops": "tritongpu-fuse-nested-loops",
        "add_hoist_tmem_alloc": "tritongpu-hoist-tmem-alloc{{hoist-out-of-if={0}}}",
        "add_optimize_accumulator_init": "tritongpu-optimize-accumulator-init",
        "add_optimize_dot_operands": "tritongpu-optimize-dot-operands{{hoist-layout-conversion={0}}}",
        "add_optimize_partition_warps": "tritongpu-optimize-partition-warps",
        "add_optimize_thread_locality": "tritongpu-optimize-thread-locality",
        "add_pipeline": "tritongpu-pipeline{{num-stages={0}}}",
        "add_prefetch": "tritongpu-prefetch",
        "add_reduce_data_duplication": "tritongpu-reduce-data-duplication",
        "add_remove_layout_conversions": "tritongpu-remove-layout-conversions",
        "add_reorder_instructions": "tritongpu-reorder-instructions",
        "add_schedule_loops": "tritongpu-schedule-loops",
        "add_warp_specialize": "tritongpu-automatic-warp-specialization{{num-stages={0}}}",
    },
}
_OF_NVIDIA = {
    "hopper": {"add_hopper_warpspec": "nvgpu-warp-specialization{{num-stages={0}}}"},
    "nvws": {
        "add_assign_stage_phase": "nvws-assign-stage-phase",
        "add_insert_tmem_aref": "nvws-insert-tmem-aref",
        "add_lower_aref": "nvws-lower-aref",
        "add_lower_warp_group": "nvws-lower-warp-group",
    },
    "ttgpuir": {
        "add_allocate_shared_memory_nv": "allocate-shared-memory-nv" + _MACHINE,
        "add_set_minimum_shared_memory": "set-minimum-shared-memory{{bytes={0}}}",
        "add_to_llvmir": "convert-triton-gpu-to-llvm" + _MACHINE,
    },
    "ttnvgpuir": {
        "add_allocate_tensor_memory": "triton-tensor-memory-allocation",
        "add_assign_cga_layouts": "triton-nvidia-gpu-assign-cga-layouts",
        "add_check_matmul_two_cta": "triton-nvidia-check-matmul-two-cta",
        "add_fence_insertion": "triton-nvidia-gpu-fence-insertion{{compute-capability={0}}}",
        "add_interleave_tmem": "triton-nvidia-interleave-tmem",
        "add_lower_clc": "triton-nvidia-gpu-lower-clc",
        "add_lower_mma": "triton-nvidia-mma-lowering",
        "add_nvgpu_to_llvm": "convert-nv-gpu-to-llvm",
        "add_optimize_cta_locality": "triton-nvidia-gpu-optimize-cta-locality",
        "add_optimize_descriptor_encoding": "triton-nvidia-optimize-descriptor-encoding",
        "add_optimize_tmem_layouts": "triton-nvidia-optimize-tmem-layouts",
        "add_plan_cta": "triton-nvidia-gpu-plan-cta",
        "add_promote_lhs_to_tmem": "tritongpu-promote-lhs-to-tmem",
        "add_proxy_fence_insertion": "triton-nvidia-gpu-proxy-fence-insertion{{compute-capability={0}}}",
        "add_remove_tmem_tokens": "triton-nvidia-gpu-remove-tmem-tokens",
        "add_tma_lowering": "triton-nvidia-tma-lowering",
        "add_tmem_load_reduce": "triton-nvidia-tmem-load-reduce",
        "add_to_clc": "triton-nvidia-gpu-to-clc",
        "add_warp_specialize_to_llvm": "convert-warp-specialize-to-llvm",
    },
}


class pass_manager:
    """Passes in order, as text."""

    def __init__(self, context: Any) -> None:
        self.context = context
        self.passes: list[str] = []

    def enable_debug(self) -> bool:
        """False: MLIR_ENABLE_DUMP and its like hold for every pipeline of ttkit, without being asked for here."""
        return False

    def get_pipeline_str(self) -> str:
        """The pipeline as text."""
        return f"builtin.module({','.join(self.passes)})"

    def run(self, module: Any, name: str = "") -> None:
        """Runs the passes on a module of ttkit's, or of `triton._C.libtriton.ir`.

        Raises:
            ValueError: there is no such pass.
            PassError, ir.MLIRError: one fails; with diagnostics.
        """
        run_passes(module if isinstance(module, ir.Module) else module.module, ",".join(self.passes))


def _adder(text: str) -> Callable[..., None]:
    def add(manager: pass_manager, *arguments: Any) -> None:
        """Adds a pass to a manager; options are given by position."""
        values = [str(value).lower() if isinstance(value, bool) else value for value in arguments]
        manager.passes.append(text.format(*values))

    return add


def _namespace(table: dict[str, str]) -> SimpleNamespace:
    return SimpleNamespace(**{name: _adder(text) for name, text in table.items()})


common, convert, gluon, llvmir, ttgpuir, ttir = (_namespace(_PASSES[name]) for name in sorted(_PASSES))
nvidia = SimpleNamespace(**{name: _namespace(table) for name, table in _OF_NVIDIA.items()})
"""`triton._C.libtriton.nvidia.passes`."""
