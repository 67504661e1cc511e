"""Names of Triton, and their places in ttkit; modules that are one of ttkit's as a whole are in `module_aliases.py`.

FACADES: {module of Triton: {name: "module:attribute" in ttkit}}.
PACKAGES: {facade: the package of ttkit that has its files}.
"""

from __future__ import annotations

TRITON_VERSION = "3.6.0"
"""The version whose interface this is, and what `triton.__version__` says unless `install` is given another."""

PACKAGES = {"triton.tools": "ttkit.tools"}
"""Facades whose `__path__` is that of a package of ttkit, which has files of the same names."""


def _from(module: str, names: str) -> dict[str, str]:
    return {name: f"{module}:{name}" for name in names.split()}


_TRITON_ERROR = _from("ttkit.kernel_errors", "TritonError")
_ERRORS = _TRITON_ERROR | _from(
    "ttkit.frontend.errors", "CompilationError CompileTimeAssertionFailure UnsupportedLanguageConstruct"
)
_LAUNCH_ERRORS = {
    "OutOfResources": "ttkit.cuda.libcuda:OutOfResources",
    "InterpreterError": "ttkit.interpreter.errors:InterpreterError",
    "PTXASError": "ttkit.compiler.ptxas:PTXASError",
    "AutotunerError": "ttkit.autotuning.errors:AutotunerError",
}
_AUTOTUNE = {"autotune": "ttkit.autotuning.decorator:autotune_as_triton"}
_AUTOTUNING = _from("ttkit.autotuning", "Autotuner Config Heuristics heuristics") | _AUTOTUNE
_JIT = {
    **_from(
        "ttkit.language.jit_function",
        "BoundConstexprFunction BoundJITMethod ConstexprFunction JITCallable JITFunction KernelInterface "
        "constexpr_function jit",
    ),
    "KernelParam": "ttkit.language.parameters:KernelParam",
}
_GLUON = _from("ttkit.language.gluon.jit_function", "jit") | _from("ttkit.language.jit_function", "constexpr_function")
_GLUON_DESCRIPTOR = {"TensorDescriptor": "ttkit.runtime.gluon_descriptor:TensorDescriptor"}
_TENSORS = _from("ttkit.runtime.mock_tensors", "MockTensor TensorWrapper reinterpret")
_CACHE = _from(
    "ttkit.cache.manager", "CacheManager FileCacheManager get_cache_manager get_dump_manager get_override_manager"
)
_REMOTE_CACHE = _from("ttkit.cache.remote", "RemoteCacheBackend RedisRemoteCacheBackend RemoteCacheManager")
_BACKEND = {"BaseBackend": "ttkit.compat.backends:BaseBackend", "Language": "ttkit.frontend.source:Language"}
_TARGET = {"GPUTarget": "ttkit.target:GPUTarget"}
_PATHS = _from("ttkit.compat.paths", "find_paths_if get_iterable_path set_iterable_path is_namedtuple")
_KNOBS = {"knobs": "ttkit.knobs"}
_DRIVER = {"driver": "ttkit.runtime.driver:driver"}
_ENVIRONMENT = {"get_cache_invalidating_env_vars": "ttkit.knobs:cache_invalidating_variables"}
_COMPILER = {
    "ASTSource": "ttkit.frontend.source:ASTSource",
    "AsmDict": "ttkit.compiler.asm:AsmDict",
    "CompiledKernel": "ttkit.runtime.compiled_kernel:CompiledKernel",
    "IRSource": "ttkit.compat.internals:IRSource",
    "LazyDict": "ttkit.runtime.compiled_kernel:LazyDict",
    "compile": "ttkit.runtime.compile:compile",
    "get_cache_key": "ttkit.runtime.compile:get_cache_key",
    "make_backend": "ttkit.compiler.backend:make_backend",
    "max_shared_mem": "ttkit.compat.backends:max_shared_mem",
}

FACADES: dict[str, dict[str, str]] = {
    "triton": {
        "__version__": "ttkit.compat:version_in_force",
        "__file__": "ttkit.compat:__file__",
        "__all__": "ttkit.compat.names:ALL_OF_TRITON",
        **_from("ttkit.autotuning", "Config heuristics"),
        **_AUTOTUNE,
        **_from("ttkit.language.jit_function", "JITFunction KernelInterface constexpr_function jit"),
        **_from("ttkit.frontend.sizes", "cdiv next_power_of_2"),
        **_from("ttkit.runtime.async_compile", "AsyncCompileMode FutureKernel"),
        **_TENSORS,
        "CompilationError": _ERRORS["CompilationError"],
        "InterpreterError": _LAUNCH_ERRORS["InterpreterError"],
        "OutOfResources": _LAUNCH_ERRORS["OutOfResources"],
        "TritonError": _ERRORS["TritonError"],
        "aggregate": "ttkit.language.core:_aggregate",
        "compile": _COMPILER["compile"],
        "max_shared_mem": _COMPILER["max_shared_mem"],
        "must_use_result": "ttkit.language.core:must_use_result",
        "set_allocator": "ttkit.runtime.global_scratch:set_allocator",
    },
    "triton.errors": _TRITON_ERROR,
    "triton._utils": {
        **_PATHS,
        "BITWIDTH_DICT": "ttkit.compat.type_names:BITWIDTH_DICT",
        "TRITON_MAX_TENSOR_NUMEL": "ttkit.language.core:TRITON_MAX_TENSOR_NUMEL",
        "validate_block_shape": "ttkit.language.core:validate_block_shape",
        **_from(
            "ttkit.compat.type_names",
            "canonicalize_dtype canonicalize_ptr_dtype get_primitive_bitwidth is_power_of_two "
            "type_canonicalisation_dict",
        ),
    },
    "triton._instrumentation": _from(
        "ttkit.compat.instrumentation", "instrument is_enabled register_instrumentation unregister_instrumentation"
    ),
    "triton._filecheck": {
        **_from(
            "ttkit.compat.filecheck",
            "MatchError filecheck_test run_filecheck run_filecheck_test run_parser stub_target",
        ),
        **_TARGET,
        "ASTSource": _COMPILER["ASTSource"],
        "create_function_from_signature": "ttkit.compat.specialization:create_function_from_signature",
        "GluonASTSource": _COMPILER["ASTSource"],
        "make_backend": _COMPILER["make_backend"],
    },
    "triton._C": {},
    "triton._C.libtriton": {
        **_ENVIRONMENT,
        **_from("ttkit.knobs.environment", "getenv getenv_bool"),
        "native_specialize_impl": "ttkit.runtime.specialization:native_specialize_impl",
    },
    "triton._C.libtriton.linear_layout": {"LinearLayout": "ttkit.compat.linear_layout:LinearLayout"},
    "triton._C.libtriton.llvm": _from(
        "ttkit.compat.llvm_bindings",
        "OPTIMIZE_O0 OPTIMIZE_O1 OPTIMIZE_O2 OPTIMIZE_O3 OPTIMIZE_Os OPTIMIZE_Oz attach_datalayout context "
        "init_targets link_extern_libs optimize_module to_module translate_to_asm",
    ),
    "triton._C.libtriton.nvidia": {
        "load_dialects": "ttkit.compat.ir:load_dialects",
        "passes": "ttkit.compat.pass_bindings:nvidia",
        **_from("ttkit.compat.llvm_bindings", "has_extern_deps set_nvvm_reflect_ftz set_short_ptr"),
    },
    "triton._C.libtriton.nvidia.cublas": {"CublasLt": "ttkit.compat.cublas:CublasLt"},
    "triton._C.libtriton.passes": _from("ttkit.compat.pass_bindings", "common convert gluon llvmir ttgpuir ttir"),
    "triton.experimental": {},
    "triton.experimental.gluon": {
        **_GLUON,
        "GluonJITFunction": "ttkit.language.gluon.jit_function:GluonJITFunction",
        "GluonASTSource": "ttkit.frontend.source:ASTSource",
        "aggregate": "ttkit.language.core:_aggregate",
        "must_use_result": "ttkit.language.core:must_use_result",
    },
    "triton.experimental.gluon.amd": {},
    **dict.fromkeys(
        ("triton.experimental.gluon.amd.cdna5", "triton.experimental.gluon.amd.gfx1250"),
        _from("ttkit.language.gluon.amd.gfx1250", "PartitionedSharedLayout TensorDescriptor"),
    ),
    "triton.experimental.gluon.nvidia": {},
    "triton.experimental.gluon.nvidia.hopper": {
        **_GLUON_DESCRIPTOR,
        "TensorDescriptorIm2Col": "ttkit.runtime.gluon_descriptor:TensorDescriptorIm2Col",
        "NVMMASharedLayout": "ttkit.layout.gluon:NVMMASharedLayout",
    },
    "triton.experimental.gluon.nvidia.blackwell": _GLUON_DESCRIPTOR,
    "triton.experimental.gluon._runtime": {
        **_GLUON,
        "GluonASTSource": "ttkit.frontend.source:ASTSource",
        "GluonJITFunction": "ttkit.language.gluon.jit_function:GluonJITFunction",
        **_from("ttkit.frontend.source", "ASTSource Language"),
        "JITFunction": "ttkit.language.jit_function:JITFunction",
    },
    "triton.language.extra.cuda.utils": {
        "core": "ttkit.language.core",
        **_from(
            "ttkit.language.extra.cuda",
            "convert_custom_float8_sm70 convert_custom_float8_sm80 globaltimer num_threads num_warps smid",
        ),
    },
    "triton.runtime": {
        "__all__": "ttkit.compat.names:ALL_OF_RUNTIME",
        **_AUTOTUNING,
        **_DRIVER,
        **_TENSORS,
        **_from("ttkit.language.jit_function", "JITFunction KernelInterface"),
        **_from("ttkit.cache.remote", "RedisRemoteCacheBackend RemoteCacheBackend"),
        "InterpreterError": _LAUNCH_ERRORS["InterpreterError"],
        "OutOfResources": _LAUNCH_ERRORS["OutOfResources"],
    },
    "triton.runtime._allocation": _from("ttkit.runtime.global_scratch", "Allocator Buffer NullAllocator set_allocator")
    | _from("ttkit.runtime.global_scratch", "has_profile_allocator set_profile_allocator"),
    "triton.runtime._async_compile": _from("ttkit.runtime.async_compile", "AsyncCompileMode FutureKernel active_mode"),
    "triton.runtime.build": {
        **_KNOBS,
        "get_cache_manager": _CACHE["get_cache_manager"],
        **_from(
            "ttkit.compat.build",
            "_build compile_module_from_file compile_module_from_src compile_so_from_file compile_so_from_src "
            "platform_key",
        ),
    },
    "triton.runtime.autotuner": {
        **_AUTOTUNING,
        **_KNOBS,
        **_DRIVER,
        **_from("ttkit.language.jit_function", "JITFunction KernelInterface"),
        "OutOfResources": _LAUNCH_ERRORS["OutOfResources"],
        "PTXASError": _LAUNCH_ERRORS["PTXASError"],
        "AutotunerError": _LAUNCH_ERRORS["AutotunerError"],
        "get_cache_manager": _CACHE["get_cache_manager"],
        "triton_key": "ttkit.cache.digests:toolkit_key",
        **_ENVIRONMENT,
    },
    "triton.runtime.cache": {
        **_CACHE,
        **_REMOTE_CACHE,
        **_KNOBS,
        "_base32": "ttkit.cache.manager:base32",
        "make_so_cache_key": "ttkit.compat.internals:make_so_cache_key",
        "get_cache_key": _COMPILER["get_cache_key"],
        "triton_key": "ttkit.cache.digests:toolkit_key",
    },
    "triton.runtime.driver": {
        **_DRIVER,
        **_from("ttkit.compat.backends", "DriverBase backends"),
        "DriverConfig": "ttkit.runtime.driver:DriverConfig",
    },
    "triton.runtime.errors": {**_TRITON_ERROR, **_LAUNCH_ERRORS},
    "triton.runtime.interpreter": {
        "InterpretedFunction": "ttkit.interpreter.python_mode.kernel:InterpretedFunction",
        "InterpreterError": _LAUNCH_ERRORS["InterpreterError"],
        **_from("ttkit.interpreter.python_mode.current_program", "TensorHandle interpreter_builder"),
    },
    "triton.runtime.jit": {
        **_JIT,
        **_TENSORS,
        **_KNOBS,
        **_DRIVER,
        **_PATHS,
        **_ENVIRONMENT,
        "BaseBackend": _BACKEND["BaseBackend"],
        "get_cache_key": _COMPILER["get_cache_key"],
        "native_specialize_impl": "ttkit.runtime.specialization:native_specialize_impl",
        **_from("ttkit.runtime.preloading", "JitFunctionInfo serialize_specialization_data"),
        "compute_cache_key": "ttkit.runtime.launch_key:compute_cache_key",
        **_from("ttkit.compat.internals", "GLUON_MODULE TRITON_MODULE"),
        "convert_to_tuple_if_list": "ttkit.compat.internals:convert_to_tuple_if_list",
        **_from(
            "ttkit.compat.specialization",
            "create_function_from_signature get_full_name get_jit_fn_file_line mangle_type",
        ),
        "type_canonicalisation_dict": "ttkit.compat.type_names:type_canonicalisation_dict",
    },
    "triton.compiler": {
        "__all__": "ttkit.compat.names:ALL_OF_COMPILER",
        **_COMPILER,
        "CompilationError": _ERRORS["CompilationError"],
    },
    "triton.compiler.compiler": {
        **_COMPILER,
        **_BACKEND,
        **_TARGET,
        **_KNOBS,
        **_DRIVER,
        **_ENVIRONMENT,
        **_from("ttkit.cache.manager", "get_cache_manager get_dump_manager get_override_manager"),
        **_from("ttkit.compat.internals", "convert_type_repr filter_traceback parse"),
        "OutOfResources": _LAUNCH_ERRORS["OutOfResources"],
        "backends": "ttkit.compat.backends:backends",
        "get_sass": "ttkit.compat.disasm:get_sass",
        "triton_key": "ttkit.cache.digests:toolkit_key",
    },
    "triton.compiler.errors": _ERRORS,
    "triton.compiler.code_generator": {
        **_ERRORS,
        **{name: home for name, home in _JIT.items() if name not in ("KernelInterface", "jit", "constexpr_function")},
        **_from("ttkit.language.core", "base_type base_value constexpr tensor"),
        **_PATHS,
        **_KNOBS,
        **_from("ttkit.compat.internals", "ast_to_ttir check_identifier_legality mangle_fn"),
        **_from("ttkit.compat.specialization", "get_full_name get_jit_fn_file_line"),
        "CodeGenerator": "ttkit.frontend.generator:CodeGenerator",
        "tl_tuple": "ttkit.language.core:tuple",
        "language": "ttkit.language",
        "str_to_ty": "ttkit.language:str_to_ty",
    },
    "triton.backends": {**_from("ttkit.compat.backends", "Backend BaseBackend DriverBase backends")},
    "triton.backends.compiler": {**_BACKEND, **_TARGET},
    "triton.backends.driver": _from("ttkit.compat.backends", "DriverBase GPUDriver"),
    "triton.backends.amd": {},
    "triton.backends.amd.compiler": {
        **_BACKEND,
        **_TARGET,
        **_KNOBS,
        **_from("ttkit.compat.amd", "HIPBackend HIPOptions"),
    },
    "triton.backends.amd.driver": {
        **_TARGET,
        **_KNOBS,
        "GPUDriver": "ttkit.compat.backends:GPUDriver",
        "HIPDriver": "ttkit.compat.amd:HIPDriver",
    },
    "triton.backends.nvidia": {},
    "triton.backends.triton_shared": {},
    "triton.backends.triton_shared.driver": {"CPUDriver": "ttkit.compat.backends:CPUDriver"},
    "triton.backends.nvidia.compiler": {
        **_BACKEND,
        **_TARGET,
        **_KNOBS,
        **{name: f"triton._C.libtriton.{name}" for name in ("ir", "llvm", "nvidia", "passes")},
        "CUDABackend": "ttkit.compat.backends:CUDABackend",
        "CUDAOptions": "ttkit.options:CompileOptions",
        "PTXASError": _LAUNCH_ERRORS["PTXASError"],
        **_from("ttkit.compat.backends", "get_ptxas sm_arch_from_capability"),
        **_from(
            "ttkit.compat.internals",
            "file_hash get_features get_ptx_version_from_options get_ptxas_version min_dot_size ptx_get_version",
        ),
    },
    "triton.backends.nvidia.driver": {
        **_TARGET,
        **_KNOBS,
        **_from("ttkit.compat.backends", "GPUDriver ty_to_cpp"),
        **_from(
            "ttkit.compat.build",
            "compile_module_from_src include_dirs libcuda_dirs libdevice_dir libraries library_dirs",
        ),
        "CudaDriver": "ttkit.runtime.driver:CudaDriver",
        "CudaLauncher": "ttkit.runtime.launcher:Launcher",
        "CudaUtils": "ttkit.runtime.cuda_utils:CudaUtils",
    },
    "triton.testing": {
        **_from(
            "ttkit.testing",
            "Benchmark Mark assert_close cuda_graph_without_gc cuda_memcheck do_bench do_bench_cudagraph "
            "get_dram_gbps get_max_simd_tflops get_max_tensorcore_tflops nvsmi perf_report set_gpu_clock",
        ),
        **_from("ttkit.profiler.benchmarks", "do_bench_cudagraph_proton do_bench_proton"),
        "_summarize_statistics": "ttkit.runtime.timing:summarize",
    },
    "triton.tools": {"LinearLayout": "ttkit.compat.linear_layout:LinearLayout"},
    "triton.tools.disasm": _from("ttkit.compat.disasm", "extract get_sass"),
    "triton.tools.tensor_descriptor": {
        "canonicalize_dtype": "ttkit.compat.type_names:canonicalize_dtype",
        "TensorDescriptor": "ttkit.runtime.tensor_descriptor:TensorDescriptor",
        "validate_block_shape": "ttkit.language.core:validate_block_shape",
    },
    "triton.tools.ragged_tma": _from(
        "ttkit.compat.ragged_tma",
        "TensorDescriptor atomic_add_ragged create_ragged_descriptor load_ragged store_ragged to_ragged_indices",
    ),
    "triton.tools.mxfp": _from("ttkit.compat.mxfp", "MXFP4Tensor MXScaleTensor fp8e8m0_to_float32"),
}

ALL_OF_TRITON = sorted(
    """
    AsyncCompileMode CompilationError Config FutureKernel InterpreterError JITFunction KernelInterface MockTensor
    OutOfResources TensorWrapper TritonError autotune cdiv compile constexpr_function heuristics jit language
    max_shared_mem must_use_result next_power_of_2 reinterpret runtime set_allocator testing tools
    """.split()
)
ALL_OF_RUNTIME = sorted(
    """
    Autotuner Config Heuristics InterpreterError JITFunction KernelInterface MockTensor OutOfResources
    RedisRemoteCacheBackend RemoteCacheBackend TensorWrapper autotune driver heuristics reinterpret
    """.split()
)
ALL_OF_COMPILER = sorted([*_COMPILER, "CompilationError"])
