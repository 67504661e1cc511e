"""Arguments of the hooks on knobs; `protocols.py` has the hooks' types."""

from __future__ import annotations


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
