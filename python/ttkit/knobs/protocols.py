"""Types of the hooks on knobs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypedDict

if TYPE_CHECKING:
    from ttkit.knobs.hooks import CompileTimes

KernelAttr: TypeAlias = list[str | int]
"""An attribute of an argument, `["tt.divisibility", 16]`."""


class CompilationListener(Protocol):
    """`compilation.listener`: called after each compilation, and each time that the cache has the kernel."""

    def __call__(
        self,
        *,
        src: Any,
        metadata: dict[str, Any],
        metadata_group: dict[str, str],
        times: CompileTimes,
        cache_hit: bool,
    ) -> None: ...


class AutotuneListener(Protocol):
    """`autotuning.listener`: called after each tuning; `duration` in seconds, None where the disk had the timings."""

    def __call__(
        self,
        *,
        fn: Any,
        key: tuple[Any, ...],
        best_config: Any,
        configs_timings: dict[Any, list[float]],
        duration: float | None,
        cache_hit: bool,
    ) -> None: ...


class BuildImpl(Protocol):
    """`build.impl`: compiles C to a library, and gives its path."""

    def __call__(
        self,
        name: str,
        src: str,
        srcdir: str,
        library_dirs: list[str],
        include_dirs: list[str],
        libraries: list[str],
        /,
    ) -> str: ...


class LaunchHook(Protocol):
    """`runtime.launch_enter_hook` and `launch_exit_hook`: called before and after each launch."""

    def __call__(self, metadata: Any) -> None: ...


class InitHandleHook(Protocol):
    """`runtime.kernel_load_start_hook` and `kernel_load_end_hook`: called around the loading of a kernel; before, there
    is no module and no function."""

    def __call__(
        self,
        module: object | None,
        function: Callable[..., Any] | None,
        name: str,
        metadata_group: dict[str, str],
        hash: str,
    ) -> None: ...


class JITHookCompileInfo(TypedDict):
    """Description of a compilation, for hooks."""

    key: str
    signature: dict[Any, str]
    device: int
    constants: Any
    num_warps: int
    num_ctas: int
    num_stages: int
    enable_fp_fusion: bool
    launch_cooperative_grid: bool
    extern_libs: tuple[tuple[str, str], ...]
    configs: list[dict[tuple[int, ...], list[KernelAttr]]]
    specialization_data: str
    is_warmup: bool


class JITHook(Protocol):
    """`runtime.jit_cache_hook` and `jit_post_compile_hook`: called before and after a kernel is compiled; True of the
    first leaves it uncompiled."""

    def __call__(
        self,
        *,
        key: str,
        repr: str,
        fn: Any,
        compile: JITHookCompileInfo,
        is_manual_warmup: bool,
        already_compiled: bool,
    ) -> bool | None: ...


class PipelineStagesHook(Protocol):
    """`runtime.add_stages_inspection_hook`: may replace the stages of a compilation."""

    def __call__(self, stages: Any, options: Any, language: Any, capability: Any) -> Any: ...
