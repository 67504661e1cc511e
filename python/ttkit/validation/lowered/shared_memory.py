"""Shared memory by bytes: what stands where, and who may touch it next.

Threads of one instruction act together; instructions of different threads are ordered by barriers alone.  So an access
to what another thread wrote, or a write to what another one read, needs a barrier of both between them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ttkit.validation.lowered.bits import bytes_of, joined, split
from ttkit.validation.terms import Term, make
from ttkit.validation.values import NotModelled

WARP = 32
NOBODY = -WARP - 1
Stamp = tuple[int, int, int]
"""A thread, and how many barriers of the program and of its warp came before."""


@dataclass
class Cell:
    """A byte: that of a term, who wrote it, and who has read it since."""

    term: Term
    place: int
    writer: Stamp
    readers: list[Stamp] = field(default_factory=list)


@dataclass
class SharedMemory:
    """Shared memory of one program.

    size: bytes.
    cells: by address.
    barriers: of the program so far.
    warp_barriers: of each warp.
    touched: when all of it may have been touched, by a thread that is not known.
    """

    size: int
    cells: dict[int, Cell] = field(default_factory=dict)
    barriers: int = 1
    warp_barriers: dict[int, int] = field(default_factory=dict)
    touched: Stamp = (NOBODY, 0, 0)

    def stamp(self, thread: int) -> Stamp:
        """A thread at this moment."""
        return thread, self.barriers, self.warp_barriers.get(thread // WARP, 0)

    def ordered(self, before: Stamp, thread: int) -> bool:
        """Whether what a thread did comes before what another one does now."""
        other, barriers, of_warp = before
        if other == thread or self.barriers > barriers:
            return True
        return other // WARP == thread // WARP and self.warp_barriers.get(thread // WARP, 0) > of_warp

    def store(self, writes: list[tuple[int, int, Term]]) -> None:
        """Writes of one instruction: (thread, address, value).

        Raises:
            NotModelled: a race.
        """
        made: dict[int, Cell] = {}
        for thread, address, value in writes:
            stamp = self.stamp(thread)
            if not 0 <= address <= address + bytes_of(value.sort) <= self.size:
                raise NotModelled(f"a write outside of the {self.size} bytes of shared memory: at {address}")
            part = value.args[0] if value.head == "packed" else value
            for piece in split(value, bytes_of(part.sort)):
                for place in range(bytes_of(piece.sort)):
                    old, other = self.cells.get(address), made.get(address)
                    if other is not None and (other.term is not piece or other.place != place):
                        raise NotModelled("two threads write different values to one place of shared memory")
                    if other is None:
                        self._check(old, thread)
                    made[address] = Cell(piece, place, stamp)
                    address += 1
        self.cells.update(made)

    def _check(self, old: Cell | None, thread: int) -> None:
        before = [self.touched] if old is None else [self.touched, old.writer, *old.readers]
        if not all(self.ordered(one, thread) for one in before):
            raise NotModelled("shared memory is written again without a barrier after its last access")

    def load(self, thread: int, address: int, size: int) -> Term:
        """The bytes that a thread reads, as an integer of `size` bytes.

        Raises:
            NotModelled: a race, or nothing is known of what stands there.
        """
        pieces: list[Term] = []
        at, end = address, address + size
        while at < end:
            cell = self.cells.get(at)
            if cell is None:
                raise NotModelled("a read of shared memory that nothing has written")
            width = bytes_of(cell.term.sort)
            whole = cell.place == 0 and at + width <= end and all(self._is(at + k, cell.term, k) for k in range(width))
            for k in range(width if whole else 1):
                self._read(self.cells[at + k], thread)
            pieces.append(cell.term if whole else split(cell.term, 1)[cell.place])
            at += width if whole else 1
        return joined(pieces)

    def _is(self, address: int, term: Term, place: int) -> bool:
        cell = self.cells.get(address)
        return cell is not None and cell.term is term and cell.place == place

    def _read(self, cell: Cell, thread: int) -> None:
        if not self.ordered(cell.writer, thread):
            raise NotModelled("a read of shared memory without a barrier after the write of another thread")
        cell.readers.append(self.stamp(thread))

    def forget(self) -> None:
        """Nothing is known of what stands there any more, nor of who has touched it since the last barrier."""
        self.cells, self.touched = {}, (NOBODY, self.barriers, 0)

    def copy(self) -> SharedMemory:
        """For a branch."""
        cells = {at: Cell(one.term, one.place, one.writer, list(one.readers)) for at, one in self.cells.items()}
        return SharedMemory(self.size, cells, self.barriers, dict(self.warp_barriers), self.touched)

    def merged(self, other: SharedMemory) -> SharedMemory:
        """The memory after one of two ways: bytes that they agree on, and the accesses of both."""
        found = self.copy()
        found.barriers = min(self.barriers, other.barriers)
        warps = self.warp_barriers.keys() & other.warp_barriers.keys()
        found.warp_barriers = {warp: min(self.warp_barriers[warp], other.warp_barriers[warp]) for warp in warps}
        found.touched = max(self.touched, other.touched, key=lambda stamp: stamp[1])
        for address, theirs in other.cells.items():
            mine = found.cells.get(address)
            if mine is not None and mine.term is theirs.term and mine.place == theirs.place:
                mine.readers += [theirs.writer, *theirs.readers]
                continue
            accesses = [theirs.writer, *theirs.readers] + ([mine.writer, *mine.readers] if mine is not None else [])
            found.cells[address] = Cell(unknown(), 0, accesses[0], accesses[1:])
        for address in self.cells.keys() - other.cells.keys():
            found.cells[address].term, found.cells[address].place = unknown(), 0
        return found


def unknown() -> Term:
    """A byte of which nothing is known: reads of it leave the proof open."""
    return make("unknown", (), "shared memory", "i8")
