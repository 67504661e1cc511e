"""The warps that code is lowered for at present: those of the kernel, or of a partition of specialized warps."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from mlir import ir

from ttkit.passes.layouts.thread_counts import Machine
from ttkit.passes.lower.emitter import Emitter
from ttkit.passes.lower.thread_index import ThreadIndex
from ttkit.records import dataclass

BARRIER_NUMBERS = "ttkit.numbers"
"""On an operation of a numbered barrier: the numbers in all partitions that run the operation."""


@dataclass(frozen=True)
class Warps:
    """Warps that code is lowered for.

    count: how many.
    barriers: the number of the hardware barrier at which their threads synchronize; those of all partitions that run
        the code.
    index: indices of their threads.
    registers: that each thread can have; 0 if nobody has decided.
    is_other: for code that several partitions run, i1: whether these warps are those of the second partition, of the
        third one, and so on.  LLVM and ptxas know that all threads of a warp agree.
    by_thread: the same, and they don't.
    """

    count: int
    barriers: tuple[int, ...]
    index: ThreadIndex
    registers: int = 0
    is_other: tuple[ir.Value, ...] = ()
    by_thread: tuple[ir.Value, ...] = ()


class CurrentWarps:
    """The warps that code is lowered for at present, and their barriers.

    Args:
        emit: builds the barriers.
        machine: all warps of the CTA, those of partitions included.
    """

    def __init__(self, emit: Emitter, machine: Machine) -> None:
        self.emit, self.machine = emit, machine
        self._present: Warps | None = None

    @property
    def present(self) -> Warps:
        """These warps: their number, their barrier, their indices."""
        assert self._present is not None, "no function is being lowered"
        return self._present

    @property
    def count(self) -> int:
        """Number of warps that run the code being lowered."""
        return self.present.count

    @property
    def index(self) -> ThreadIndex:
        """Indices of their threads."""
        return self.present.index

    def begin(self, warps: Warps) -> None:
        """Starts a function, which these warps run."""
        self._present = warps

    @contextmanager
    def lowered_for(self, warps: Warps) -> Iterator[None]:
        """While it lasts, code is lowered for these warps."""
        outer, self._present = self._present, warps
        try:
            yield
        finally:
            self._present = outer

    def synchronize(self) -> None:
        """All threads of the CTA synchronize; in a partition of specialized warps, those of the partition."""
        emit = self.emit
        if self.machine.num_warps == self.count:
            emit.effect("nvvm.barrier0")
        elif self.count == 1:
            self.synchronize_warp()
        else:
            emit.named_barrier(self.barrier(), emit.i32_constant(self.count * self.machine.threads_per_warp))

    def barrier(self) -> ir.Value:
        """i32, the number of the hardware barrier of these warps."""
        return self.number_of_barrier(self.present.barriers)

    def number_of_barrier(self, numbers: Sequence[int]) -> ir.Value:
        """i32, that of the partition whose warps run the code.

        Barriers take it from a register of each thread.  Where it is in a uniform one, it is moved each time, and
        ptxas has no uniform register left for descriptors of products.
        """
        return self.chosen(numbers, self.present.by_thread)

    def place(self, places: Sequence[int]) -> ir.Value:
        """i32, that of the partition whose warps run the code."""
        return self.chosen(places, self.present.is_other)

    def chosen(self, numbers: Sequence[int], is_other: Sequence[ir.Value]) -> ir.Value:
        """i32, one of the numbers, which are those of all partitions that run the code."""
        emit = self.emit

        def made() -> ir.Value:
            """The number, chosen."""
            found = emit.i32_constant(numbers[0])
            for is_this, number in zip(is_other, numbers[1:], strict=True):
                found = emit.select(is_this, emit.i32_constant(number), found)
            return found

        return self.index.once(("chosen", is_other is self.present.is_other, *numbers), made)

    def synchronize_warp(self) -> None:
        """All threads of the warp synchronize."""
        self.emit.effect("nvvm.bar.warp.sync", self.emit.i32_constant(-1))
