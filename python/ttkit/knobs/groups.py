"""Every knob: the attribute, its environment variable, its default, what it does."""

from __future__ import annotations

import os

from ttkit.knobs.cuda_programs import Tool
from ttkit.knobs.variables import (
    ClassName,
    CompilerFlag,
    Flag,
    FlagOrText,
    Group,
    HookChain,
    Number,
    OptionalFlag,
    OptionalText,
    Text,
    Words,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ttkit.knobs.protocols import AutotuneListener, CompilationListener, JITHook

_NO_C = "ttkit compiles no C at run time"
_AMD = "ttkit compiles for NVIDIA's GPUs"


class BuildKnobs(Group):
    cc = OptionalText("CC", help="the C compiler", status=_NO_C, said=False)  # which other programs read too
    cudacrt_path = OptionalText("TRITON_CUDACRT_PATH", help="headers of the CUDA runtime", status=_NO_C)
    cudart_path = OptionalText("TRITON_CUDART_PATH", help="libraries of the CUDA runtime", status=_NO_C)
    impl: Callable[..., str] | None = None

    @property
    def backend_dirs(self) -> set[str]:
        """Folders of the CUDA toolkit that are set."""
        return {path for path in (self.cudacrt_path, self.cudart_path) if path is not None}


class RedisKnobs(Group):
    key_format = Text("TRITON_REDIS_KEY_FORMAT", "triton:{key}:{filename}", "the key of a file")
    host = Text("TRITON_REDIS_HOST", "localhost", "the server")
    port = Number("TRITON_REDIS_PORT", 6379, "its port")
    timeout = Number("TTKIT_REDIS_TIMEOUT", 5, "seconds without an answer after which it is not used for a minute")


class CacheKnobs(Group):
    home_dir = Text("TRITON_HOME", lambda: os.path.expanduser("~/"), "where `.triton` is")
    dir = Text("TRITON_CACHE_DIR", lambda: cache.get_triton_dir("cache"), "compiled kernels")
    dump_dir = Text("TRITON_DUMP_DIR", lambda: cache.get_triton_dir("dump"), "where TRITON_KERNEL_DUMP writes")
    override_dir = Text(
        "TRITON_OVERRIDE_DIR", lambda: cache.get_triton_dir("override"), "what TRITON_KERNEL_OVERRIDE reads"
    )
    manager_class = ClassName("TRITON_CACHE_MANAGER", "CacheManager", "replaces the cache on disk, `module:Class`")
    remote_manager_class = ClassName(
        "TRITON_REMOTE_CACHE_BACKEND", "RemoteCacheBackend", "what `RemoteCacheManager` asks, `module:Class`"
    )

    layers = Words(
        "TTKIT_CACHE_LAYERS",
        (),
        "more caches: `ro:/opt/cache`, `/mnt/cache`, `s3://bucket/cache`, `module:Class` (scale.md)",
    )
    owners = Words("TTKIT_CACHE_OWNERS", (), "users whose cache folders are trusted besides one's own (security.md)")
    remote_key = Text(
        "TTKIT_REMOTE_CACHE_KEY", "", "a file with the key that entries of a remote cache are signed with (security.md)"
    )

    def get_triton_dir(self, dirname: str) -> str:
        """The folder `~/.triton/<dirname>`, under TRITON_HOME if that is set."""
        return os.path.join(self.home_dir, ".triton", dirname)


class CompilationKnobs(Group):
    override = Flag("TRITON_KERNEL_OVERRIDE", help="take levels of kernels from the override directory")
    dump_ir = Flag(
        "TRITON_KERNEL_DUMP", help="write every level of a compiled kernel to the dump directory", shows=True
    )
    dump_ir_extract_di_local_variables = CompilerFlag(
        "LLVM_EXTRACT_DI_LOCAL_VARIABLES", help="names and types of variables for cuda-gdb"
    )
    store_binary_only = Flag("TRITON_STORE_BINARY_ONLY", help="keep only sources, cubins and metadata")
    always_compile = Flag("TRITON_ALWAYS_COMPILE", help="compile kernels even if the cache has them")
    use_ir_loc = OptionalText(
        "USE_IR_LOC",
        help="`ttir` or `ttgir`: lines of the cubin are those of this level's file",
        choices=("ttir", "ttgir"),
    )
    enable_asan = Flag("TRITON_ENABLE_ASAN", help="an error: NVIDIA's GPUs have no address sanitizer")
    disable_line_info = Flag("TRITON_DISABLE_LINE_INFO", help="no source lines in the cubin")
    front_end_debugging = Flag(
        "TRITON_FRONT_END_DEBUGGING", help="tracebacks of errors in kernels show the front end too"
    )
    allow_non_constexpr_globals = Flag(
        "TRITON_ALLOW_NON_CONSTEXPR_GLOBALS", help="kernels may read any global variable"
    )
    instrumentation_mode = Text(
        "TRITON_INSTRUMENTATION_MODE",
        "",
        "`proton` times the regions that kernels name; the profiler sets it. `iisan` asserts that what TMA accesses is "
        "aligned",
    )
    check_passes = Flag(
        "TTKIT_CHECK_PASSES", help="check the passes of each kernel on the arguments of its first launch"
    )
    prove_passes = Flag(
        "TTKIT_PROVE_PASSES", help="prove the passes of each kernel that is compiled, or refute them", shows=True
    )
    trace = OptionalText("TTKIT_TRACE", help="a folder for pages about every pass of the kernels", shows=True)
    tuning_off = Words("TTKIT_TUNING_OFF", help="switches of the tuning table that are off, `python/ttkit/tuning`")
    plan = Flag(
        "TTKIT_PLAN", True, help="plan loops beyond Triton's passes; `TTKIT_PLAN=off` is the option `plan=triton`"
    )
    isolate = Flag("TTKIT_ISOLATE", help="run LLVM in processes of its own, so that its crashes become errors")
    seconds = Number("TTKIT_COMPILE_SECONDS", 0, "the most seconds that one compilation may take; 0 for any")
    memory = Number("TTKIT_COMPILE_MEMORY", 0, "the most MiB that one compilation may take; 0 for any")
    listener: CompilationListener | None = None


class AutotuningKnobs(Group):
    cache = Flag("TRITON_CACHE_AUTOTUNING", help="keep timings on disk")
    print = Flag("TRITON_PRINT_AUTOTUNING", help="say which configuration was chosen")
    jobs = Number("TTKIT_AUTOTUNING_JOBS", 0, "configurations compiled at once; 0 for one for each processor")
    time_budget = Number(
        "TTKIT_AUTOTUNING_TIME_BUDGET",
        0,
        "the most seconds to compile a configuration, or to run it once; 0 for no limit",
    )
    executor = Text(
        "TTKIT_AUTOTUNING_EXECUTOR", "", "compiles configurations: `processes:4`, `dask:tcp://host:8786` (scale.md)"
    )
    timing_executor = Text(
        "TTKIT_AUTOTUNING_TIMING_EXECUTOR", "", "times configurations: `gpus:0,1`, `ray:auto` (scale.md)"
    )
    store = Text(
        "TTKIT_AUTOTUNING_STORE",
        "",
        "keeps times and choices: a file for SQLite, SQLAlchemy's or Redis's address (scale.md)",
    )
    nearest = Flag(
        "TTKIT_AUTOTUNING_NEAREST", help="a new key takes the configuration of the nearest known one (scale.md)"
    )
    prune = Number(
        "TTKIT_AUTOTUNING_PRUNE",
        0,
        "compile only so many configurations, those predicted to be the fastest; 0 for all (scale.md)",
    )
    listener: AutotuneListener | None = None


class RuntimeKnobs(Group):
    default_backend = OptionalText("TRITON_DEFAULT_BACKEND", help="`nvidia`, the only one; an error for others")
    interpret = Flag("TRITON_INTERPRET", help="`@jit` runs kernels as Python on the CPU")
    debug = Flag("TRITON_DEBUG", help="compile assertions, as `debug=True` at a launch")
    device = OptionalText(
        "TTKIT_DEVICE",
        help="`sm_90`: launches compile for it and run nothing; `interpret:sm_90`: and run on the CPU. Needs no GPU",
    )
    bundle = OptionalText(
        "TTKIT_BUNDLE", help="what `ttkit compile-all` or `ttkit export` wrote: its kernels are launched, not compiled"
    )
    bundle_miss = Text(
        "TTKIT_BUNDLE_MISS",
        "compile",
        "for a kernel that no bundle has: `compile`, `error`, `general` or `background` (bundles.md)",
    )
    record_launches = OptionalText(
        "TTKIT_RECORD_LAUNCHES",
        help="a folder in which each process lists what it launches, for `ttkit compile-all`",
    )
    sanitize = OptionalText(
        "TTKIT_SANITIZE", help="`asan`, `tsan`, `init` or `all`: launches run on the CPU, with every access checked"
    )
    override_arch = OptionalText("TRITON_OVERRIDE_ARCH", help="`sm80`: compile for this GPU")

    launch_enter_hook: HookChain
    launch_exit_hook: HookChain
    kernel_load_start_hook: HookChain
    kernel_load_end_hook: HookChain
    kernel_unload_hook: HookChain
    bundle_miss_hook: HookChain
    jit_cache_hook: JITHook | None = None
    jit_post_compile_hook: JITHook | None = None
    add_stages_inspection_hook: Callable[..., Any] | None = None

    def __init__(self) -> None:
        self.launch_enter_hook = HookChain()
        self.launch_exit_hook = HookChain(reversed=True)
        self.kernel_load_start_hook = HookChain()
        self.kernel_load_end_hook = HookChain(reversed=True)
        self.kernel_unload_hook = HookChain()
        self.bundle_miss_hook = HookChain()


class LanguageKnobs(Group):
    fp32_default = OptionalText("TRITON_F32_DEFAULT", help="`ieee`, `tf32` or `tf32x3`: precision of `tl.dot` of f32")
    default_fp_fusion = Flag("TRITON_DEFAULT_FP_FUSION", True, "`enable_fp_fusion` of kernels that don't set it")
    force_disable_fp_fusion = Flag(
        "TRITON_FORCE_DISABLE_FP_FUSION", help="no kernel fuses products and sums, whatever `enable_fp_fusion` says"
    )
    triton_version = Text(
        "TTKIT_TRITON_VERSION",
        "3.6",
        "the version of Triton whose rules kernels follow, `3.9`, or `3.6,fla=3.8` for packages (triton_versions.md)",
    )

    def fp_fusion_enabled(self, requested: bool | None) -> bool:
        """The `enable_fp_fusion` of a kernel that asks for `requested`, None for the default."""
        return not self.force_disable_fp_fusion and (self.default_fp_fusion if requested is None else requested)


class NvidiaKnobs(Group):
    cuobjdump = Tool("cuobjdump", "nvidia-cuda-cuobjdump")
    nvdisasm = Tool("nvdisasm", "nvidia-cuda-nvdisasm")
    ptxas = Tool("ptxas", "nvidia-cuda-nvcc")
    ptxas_blackwell = Tool("ptxas-blackwell", "nvidia-cuda-nvcc")

    dump_nvptx = Flag("NVPTX_ENABLE_DUMP", help="print the PTX", shows=True)
    ptxas_server = Flag(
        "TTKIT_PTXAS_SERVER", True, help="ptxas gets ready once in a process, and forks for each kernel"
    )
    disable_ptxas_opt = Flag(
        "DISABLE_PTXAS_OPT", help="ptxas does not optimize, and keeps debug information for cuda-gdb"
    )
    ptxas_options = OptionalText(
        "PTXAS_OPTIONS", help="`ptx_options` of kernels that don't set them: more options for ptxas"
    )
    mock_ptx_version = OptionalText("TRITON_MOCK_PTX_VERSION", help="takes the place of ptxas's version in cache keys")
    dump_ptxas_log = Flag("TRITON_DUMP_PTXAS_LOG", help="print ptxas's report on registers and memory", shows=True)
    libdevice_path = OptionalText("TRITON_LIBDEVICE_PATH", help="NVIDIA's library of mathematical functions")
    libcuda_path = OptionalText("TRITON_LIBCUDA_PATH", help="the folder, or the file, of the driver's library")

    def ptxas_path(self, arch: int) -> str:
        """The path of ptxas for a GPU, such as 90; unlike `ptxas.path` found without running it.

        Raises:
            MissingTool: it is not installed.
        """
        return self.knob_descriptors[self.ptxas_name(arch)].path(self)

    @staticmethod
    def ptxas_name(arch: int) -> str:
        """The knob that names the ptxas for a GPU."""
        return "ptxas_blackwell" if arch >= 100 else "ptxas"


class ProtonKnobs(Group):
    disable = Flag("TRITON_PROTON_DISABLE", help="`profiler.start` begins no session")
    cupti_lib_dir = Text(
        "TRITON_CUPTI_LIB_PATH", "", help="the folder of libcupti; without: those of wheels and the CUDA toolkit"
    )
    enable_nvtx = Flag("TRITON_ENABLE_NVTX", True, help="NVTX ranges are scopes of the profiler")
    profile_buffer_size = Number(
        "TRITON_PROFILE_BUFFER_SIZE", 64 << 20, status="buffers of regions have the size they need"
    )
    enable_hw_trace = Flag("TRITON_ENABLE_HW_TRACE", status="CUPTI decides")


class AmdKnobs(Group):
    use_buffer_ops = Flag("AMDGCN_USE_BUFFER_OPS", True, status=_AMD)
    use_buffer_atomics = Flag("AMDGCN_USE_BUFFER_ATOMICS", True, status=_AMD)
    buffer_ops_analyze_small_tensor_range = Flag("AMDGCN_ANALYZE_SMALL_TENSOR_RANGE", status=_AMD)
    dump_amdgcn = Flag("AMDGCN_ENABLE_DUMP", status=_AMD)
    libhip_path = OptionalText("TRITON_LIBHIP_PATH", status=_AMD)
    use_block_pingpong = OptionalFlag("TRITON_HIP_USE_BLOCK_PINGPONG", status=_AMD)
    use_in_thread_transpose = OptionalFlag("TRITON_HIP_USE_IN_THREAD_TRANSPOSE", status=_AMD)
    use_async_copy = Flag("TRITON_HIP_USE_ASYNC_COPY", status=_AMD)
    scalarize_packed_fops = Flag("AMDGCN_SCALARIZE_PACKED_FOPS", status=_AMD)


class InspectionKnobs(Group):
    """Variables that Triton's C++ reads.  A group of ttkit's own: Triton has them in the environment alone."""

    dump_passes = FlagOrText(
        "MLIR_ENABLE_DUMP", False, "true, or a kernel's name: print IR before every pass", shows=True
    )
    dump_path = OptionalText("MLIR_DUMP_PATH", help="the file to print to; stderr without")
    pass_timing = CompilerFlag("MLIR_ENABLE_TIMING", help="print the time of each pass", shows=True)
    llvm_timing = CompilerFlag("LLVM_ENABLE_TIMING", help="print the time of each step in LLVM", shows=True)
    disable_multithreading = CompilerFlag(
        "MLIR_DISABLE_MULTITHREADING", status="passes run on one thread anyway", said=False
    )
    diagnostics = Words(
        "MLIR_ENABLE_DIAGNOSTICS",
        help="`warnings`, `remarks`: print these; `operations`, `stacktraces`: with the operation, with a stack trace",
        shows=True,
        choices=("warnings", "remarks", "operations", "stacktraces"),
    )
    dump_llvm = FlagOrText("LLVM_IR_ENABLE_DUMP", False, "print LLVM IR after every one of its passes", shows=True)
    disable_llvm_opt = FlagOrText(
        "DISABLE_LLVM_OPT", False, "true: LLVM optimizes nothing; else a list of LLVM's flags"
    )
    llvm_pass_plugin = OptionalText("LLVM_PASS_PLUGIN_PATH", status="LLVM's C API loads no plugins")
    llvm_debug = CompilerFlag("TRITON_ENABLE_LLVM_DEBUG", help="print debug output of LLVM and MLIR", shows=True)
    llvm_debug_only = Words(
        "TRITON_LLVM_DEBUG_ONLY", help="print debug output of some parts of LLVM and MLIR", shows=True
    )
    reproducer_path = OptionalText(
        "TRITON_REPRODUCER_PATH",
        help="writes the input of each stage with its pipeline; `-` for the console",
        shows=True,
    )
    python_stacktrace = CompilerFlag("TRITON_ENABLE_PYTHON_STACKTRACE", help="crashes print where Python was")
    disable_mma_v3 = CompilerFlag("DISABLE_MMA_V3", help="on sm_90, dot operations use mma.sync, not wgmma")
    disable_mma_v5 = CompilerFlag("DISABLE_MMA_V5", help="on sm_100, dot operations use mma.sync, not tcgen05")
    allow_lhs_tmem_layout_conversion = CompilerFlag(
        "ALLOW_LHS_TMEM_LAYOUT_CONVERSION", help="operands that are loaded may be converted for tensor memory (sm_100)"
    )
    prefer_tmem_16x256_layout = CompilerFlag(
        "TRITON_PREFER_TMEM_16x256_LAYOUT",
        help="tensor memory is accessed by tcgen05.ld.16x256b where that fits (sm_100)",
    )
    experimental_consan = CompilerFlag(
        "TRITON_ENABLE_EXPERIMENTAL_CONSAN", status="use `ttkit sanitize tsan` to find races"
    )
    plugin_paths = OptionalText(
        "TRITON_PLUGIN_PATHS", help="files of Python that change the passes of every kernel, as `--pipeline-file`"
    )


build = BuildKnobs()
redis = RedisKnobs()
cache: CacheKnobs = CacheKnobs()
compilation = CompilationKnobs()
autotuning = AutotuningKnobs()
runtime = RuntimeKnobs()
language = LanguageKnobs()
nvidia = NvidiaKnobs()
proton = ProtonKnobs()
amd = AmdKnobs()
inspection = InspectionKnobs()

GROUPS: dict[str, Group] = {
    "build": build,
    "redis": redis,
    "cache": cache,
    "compilation": compilation,
    "autotuning": autotuning,
    "runtime": runtime,
    "language": language,
    "nvidia": nvidia,
    "proton": proton,
    "amd": amd,
    "inspection": inspection,
}
