"""Names that Triton has got since 3.6 and ttkit does not have, and why; `missing.py` has those of 3.6.

Members of classes are here too, as `module.Class.member`; one without a module is of that class in every module.
"""

from __future__ import annotations

_GLUON = "triton.experimental.gluon.language"
_NVIDIA = f"{_GLUON}.nvidia"
_IMPLEMENTATION = "a part of Triton's own implementation"
_AMD = "it compiles for NVIDIA's GPUs"
_TENSOR_METRICS = "metrics that are tensors are read at once, without kernels of the profiler"


def _all(reason: str, names: str, module: str = "") -> dict[str, str]:
    return {f"{module}.{name}" if module else name: reason for name in names.split()}


LATER: dict[str, str] = {
    **_all(
        _IMPLEMENTATION,
        "apply_with_path is_iterable warn_once prewarm_deprecation_warnings CAT_CAN_REORDER_WARNING "
        "FP_FUSION_DEFAULT_WARNING RESHAPE_CAN_REORDER_WARNING",
        "triton._utils",
    ),
    **_all(
        _IMPLEMENTATION,
        "ARG_CONSTEXPR ARG_KERNEL ARG_TUPLE PyKernelArg TMA_TF32 annotate_arguments expand_signature "
        "make_kernel_signature GSAN_PER_DEVICE_STATE_STRIDE compile_module_from_file decompose_descriptor "
        "wrap_handle_tensordesc_impl is_enabled",
        "triton.backends.nvidia.driver",
    ),
    **_all(
        _IMPLEMENTATION,
        "decompose_descriptor expand_signature find_paths_if make_tensordesc_args wrap_handle_tensordesc_impl",
        "triton.backends.driver",
    ),
    **_all(_IMPLEMENTATION, "get_llvm_flags is_enabled", "triton.backends.nvidia.compiler"),
    **_all(_IMPLEMENTATION, "apply_with_path normalize_value", "triton.compiler.code_generator"),
    **_all(_IMPLEMENTATION, "FP_FUSION_DEFAULT_WARNING warn_once", "triton.knobs"),
    **_all(
        _IMPLEMENTATION,
        "CAT_CAN_REORDER_WARNING RESHAPE_CAN_REORDER_WARNING dataclass_transform is_enabled warn_once",
        "triton.language.core",
    ),
    **_all(_IMPLEMENTATION, "get_def_col_number get_def_line_number", "triton.runtime.jit"),
    **_all(_IMPLEMENTATION, "CodeGenerator.cast_to CodeGenerator.decide_return_type CodeGenerator.handle_returns"),
    **_all(
        "what checks operands is inside of the functions",
        "to_tensor_type deduce_scale_factor verify_scaled_shape atomic_load atomic_poll atomic_store "
        "grid_dependency_launch_dependents grid_dependency_wait make_tensor ternary_op_type_checking_impl "
        "to_inline_asm_operand",
        "TritonSemantic",
    ),
    **_all("profiles of kernels need no memory of the driver's", "DriverBase GPUDriver CudaDriver"),
    **_all(
        "ttkit.CompileOptions has other options",
        "fpsan_homomorphic_casts",
        "CUDAOptions",
    ),
    "triton._compile_warmup": "Triton's own test runner",
    "triton._test_runner": "Triton's own test runner",
    **_all(
        "it is in triton._instrumentation",
        "register_instrumentation unregister_instrumentation",
        "triton.profiler.hooks.instrumentation",
    ),
    "triton.testing.cublas": "triton._C.libtriton.nvidia.cublas has its class",
    # Knobs
    "amd_knobs": _AMD,
    **_all(
        "profiles are read through libcupti alone, see profiler.md",
        "cupti_lib_blackwell_dir profile_metric_buffer_size hsa_runtime_library hsa_runtime_path "
        "rocprofiler_sdk_include_path rocprofiler_sdk_lib_path rocprofiler_sdk_library roctracer_lib_path "
        "roctracer_library roctx_lib_path roctx_library",
        "proton_knobs",
    ),
    "compilation_knobs.fpsan_homomorphic_casts": "floats are not replaced by integers",
    # The profiler
    "triton.profiler.configure_runtime": _AMD,
    "triton.profiler.metric": _TENSOR_METRICS,
    "triton.profiler.data.flags": _IMPLEMENTATION,
    **_all(
        _TENSOR_METRICS,
        "enabled in_hook metadata_state set_metric_kernels transform_tensor_metrics",
        "triton.profiler.hooks.launch",
    ),
    **_all(_TENSOR_METRICS, "metadata_state set_metric_kernels transform_tensor_metrics", "triton.profiler.scope"),
    **_all(_TENSOR_METRICS, "Hook metadata_state", "triton.profiler.hooks.instrumentation"),
    **_all(
        _TENSOR_METRICS,
        "COMPUTE_METADATA_SCOPE_NAME COMPUTE_METADATA_SCOPE_PREFIX get_metadata_state_name",
        "triton.profiler.state",
    ),
    **_all(_IMPLEMENTATION, "HookManager InstrumentationHook", "triton.profiler.profile"),
    **_all(
        "what was measured of a kernel is kept",
        "HookManager.destroy_handle InstrumentationHook.destroy_handle LaunchHook.destroy_handle Hook.destroy_handle",
    ),
    **_all(
        "regions that a kernel names are timed: enter_scope and exit_scope",
        "Event allocate_event end_event record_event start_event GluonSemantic TritonSemantic",
        "triton.profiler.language",
    ),
    # Gluon
    **_all(_IMPLEMENTATION, "ampere.constexpr_type ampere.mbarrier.constexpr_function ampere.mbarrier.jit", _NVIDIA),
    **_all(_IMPLEMENTATION, "hopper.mbarrier.jit", _NVIDIA),
    **_all("it is a name of the language", "builtin dtype tensor", f"{_GLUON}.fpsan"),
    f"{_NVIDIA}.rubin": "it compiles for GPUs up to sm_121",
    "clc_result_type.to_ir": _IMPLEMENTATION,
    f"{_NVIDIA}.blackwell.clc.shared_memory_descriptor": "it is a name of the language",
    "tuple_type.name": "it is in `fields`",
}


def later_reason(module: str, name: str, member: str = "") -> str | None:
    """Why there is no such name, or no such member of a class; None if that is not known."""
    candidates = [member, f"{name}.{member}", name] if member else [f"{module}.{name}"]
    found = next((LATER[each] for each in candidates if each in LATER), None)
    while found is None and module and not member:
        found, module = LATER.get(module), module.rpartition(".")[0]
    return found
