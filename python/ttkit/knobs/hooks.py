"""Arguments of the hooks on knobs."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    class CompilationListener(Protocol):
        """Called after each compilation, and each time that the cache has the kernel."""

        def __call__(
            self,
            *,
            src: Any,
            metadata: dict[str, Any],
            metadata_group: dict[str, str],
            times: CompileTimes,
            cache_hit: bool,
        ) -> None: ...

    class JITHook(Protocol):
        """Called before (`jit_cache_hook`, True ends it) or after a kernel is compiled."""

        def __call__(
            self,
            *,
            key: str,
            repr: str,
            fn: Any,
            compile: dict[str, Any],
            is_manual_warmup: bool,
            already_compiled: bool,
        ) -> bool | None: ...


class CompileTimes:
    """Time of each part of a compilation, in microseconds.

    Args:
        ir_initialization: from the source to IR.
        lowering_stages: (level, its time) of each stage in order; "ttir", say.
        store_results: writing the cache.
    """

    def __init__(self, ir_initialization: int, lowering_stages: list[tuple[str, int]], store_results: int) -> None:
        self.ir_initialization = ir_initialization
        self.lowering_stages = lowering_stages
        self.store_results = store_results

    @property
    def total_lowering(self) -> int:
        """Microseconds of all stages."""
        return sum(time for _, time in self.lowering_stages)

    @property
    def total(self) -> int:
        """Microseconds of a compilation."""
        return self.ir_initialization + self.total_lowering + self.store_results

    def __repr__(self) -> str:
        fields = (self.ir_initialization, self.lowering_stages, self.store_results)
        return "CompileTimes(ir_initialization={}, lowering_stages={}, store_results={})".format(*fields)
