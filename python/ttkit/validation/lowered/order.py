"""In which order threads touch global memory, as far as atomic updates of scalars give one.

A kernel that updates a scalar, as locks are, has written what it writes before; what it does later comes after.  One
thread makes the update, so another one may have written, or may go on, only with a barrier between them.  What is
written as a tensor is spread over threads, and there only barriers of the kernel give an order, as in Triton.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from ttkit.validation.lowered.shared_memory import SharedMemory, Stamp, Threads
from ttkit.validation.values import NotModelled

NEVER: Stamp = (-1, -1, -1)
Unordered: TypeAlias = "tuple[Threads, Threads]"
"""Threads that have written a scalar, and those that have made an update, since the last barrier."""
NOBODY: Unordered = (frozenset(), frozenset())


@dataclass
class Order:
    """Accesses of threads so far.

    wrote: when each has last written a scalar.
    acquired: when each has last made an update that later accesses must come after.
    """

    wrote: dict[int, Stamp] = field(default_factory=dict)
    acquired: dict[int, Stamp] = field(default_factory=dict)

    def access(self, shared: SharedMemory, thread: int) -> None:
        """Raises NotModelled if an access may come before an update of another thread that it must come after."""
        if not all(shared.ordered(stamp, thread) for stamp in self.acquired.values()):
            raise NotModelled("an access to global memory without a barrier after an update of another thread")

    def write(self, shared: SharedMemory, thread: int, is_scalar: bool) -> None:
        """Notes a write."""
        self.access(shared, thread)
        if is_scalar:
            self.wrote[thread] = shared.stamp(thread)

    def update(self, shared: SharedMemory, thread: int, order: str, observed: bool) -> None:
        """Notes an atomic update of a scalar.

        Args:
            observed: whether the kernel looks at the result; if not, it can't know what other programs have done.

        Raises:
            NotModelled: what another thread has written before may come after it.
        """
        if order in ("release", "acq_rel") and not all(shared.ordered(one, thread) for one in self.wrote.values()):
            raise NotModelled("an update without a barrier after what another thread has written to global memory")
        self.write(shared, thread, is_scalar=True)
        if order in ("acquire", "acq_rel") and observed:
            self.acquired[thread] = shared.stamp(thread)

    def copy(self) -> Order:
        """For a branch."""
        return Order(dict(self.wrote), dict(self.acquired))

    def merged(self, other: Order) -> Order:
        """The order after one of two ways: the later of both."""
        return Order(later(self.wrote, other.wrote), later(self.acquired, other.acquired))

    def unordered(self, shared: SharedMemory) -> Unordered:
        """The threads that have done something since the last barrier, which an iteration leaves for the next one."""
        wrote, acquired = (
            frozenset(thread for thread, stamp in stamps.items() if stamp[1] >= shared.barriers)
            for stamps in (self.wrote, self.acquired)
        )
        return wrote, acquired

    def begin(self, shared: SharedMemory, left: Unordered) -> Order:
        """The order that an iteration begins with: after what came before the loop, or after another iteration."""
        wrote, acquired = ({thread: shared.stamp(thread) for thread in threads} for threads in left)
        return self.merged(Order(wrote, acquired))


def later(one: dict[int, Stamp], other: dict[int, Stamp]) -> dict[int, Stamp]:
    """For each thread the later stamp."""
    return {thread: max(one.get(thread, NEVER), other.get(thread, NEVER)) for thread in one.keys() | other.keys()}
