"""Shared memory by bytes: what stands where, and who may touch it next; tensor memory is addresses after it.

Threads of one instruction act together; instructions of different threads are ordered by barriers alone.  So an access
to what another thread wrote, or a write to what another one read, needs a barrier of both between them.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from ttkit.validation.lowered.background_reads import Log, Reads, Works
from ttkit.validation.lowered.bits import bytes_of, joined, split
from ttkit.validation.terms import Term, make
from ttkit.validation.values import NotModelled

WARP = 32
NOBODY = -WARP - 1
PRODUCT = NOBODY - WARP
"""Stands for the threads of a product: what any of them does, others see after a barrier of the program."""
TENSOR_MEMORY = 1 << 20
"""The address of row 0 and column 0 of tensor memory; a row has COLUMNS words."""
ROWS, COLUMNS, WORD = 128, 512, 4
TILE = -1
"""The group of a byte that a copy of a tile writes; `SharedMemory.tiles` has its barrier."""
Stamp = tuple[int, int, int]
"""A thread, and the last barriers of the program and of its warp."""
Threads: TypeAlias = "frozenset[int]"
CLOCK = itertools.count(2)
"""Numbers of barriers: a later one has a larger number, on whatever way it is."""


class Race(NotModelled):
    """Threads may touch shared memory in an order that changes what they find."""


@dataclass(slots=True)
class Cell:
    """A byte: that of a term, who wrote it, and who has read it since.

    group: of the copies in the background that writes it; None once its thread has waited for it.
    owner: the memory that may change it; others have it too.
    fence: the last one when a thread stored it: tensor cores see it after a later one; 0 of what needs none.
    """

    term: Term
    place: int
    writer: Stamp
    readers: list[Stamp] = field(default_factory=list)
    group: int | None = None
    owner: object = None
    fence: int = 0

    def copy(self, owner: object) -> Cell:
        """The same for one memory alone."""
        return Cell(self.term, self.place, self.writer, list(self.readers), self.group, owner, self.fence)


@dataclass(frozen=True)
class Fork:
    """The contents of memory where ways parted.

    cells, works: then.
    before: the same where the way that led there had parted from others.
    """

    cells: dict[int, Cell]
    works: Works
    before: Fork | None


@dataclass
class SharedMemory:
    """Shared memory of one program, and its tensor memory.

    size: bytes.
    cells: by address.
    barriers: the last one of the program.
    warp_barriers: the last one of each warp.
    fence: the last one between proxies that all threads had.
    touched: when all of it may have been touched, by a thread that is not known.
    group: of copies in the background that is open: its number.
    flights: addresses that copies in the background write, by group.
    products: what they read.
    stores: what copies of tiles to global memory read.
    tiles: by address, the mbarrier at which a copy of a tile to it counts.
    drafts: tensor maps that are being made, by their address.
    counts: by address, which histogram of the kernel is counted there, and elements that have not been counted.
    owner: changes when others have the same cells.
    log: of a group of warps, what it has touched on any way.
    waited: the last barrier of the program before the last wait at an mbarrier.
    columns: of tensor memory that the program has taken.
    works: of the tensor core.
    stores_begun: words of tensor memory that threads store, and are still to wait for.
    since: addresses that a group has written since its last signal.
    fork: what stood here where the way parted from others.
    """

    size: int
    cells: dict[int, Cell] = field(default_factory=dict)
    barriers: int = 1
    warp_barriers: dict[int, int] = field(default_factory=dict)
    fence: int = 1
    touched: Stamp = (NOBODY, 0, 0)
    group: int = 0
    flights: dict[int, set[int]] = field(default_factory=dict)
    products: Reads = field(default_factory=Reads)
    stores: Reads = field(default_factory=Reads)
    tiles: dict[int, int] = field(default_factory=dict)
    drafts: dict[int, Any] = field(default_factory=dict)
    counts: dict[int, tuple[Any, Counter[Any]]] = field(default_factory=dict)
    owner: object = field(default_factory=object)
    log: Log | None = None
    waited: int = 0
    columns: int = 0
    works: Works = field(default_factory=Works)
    stores_begun: dict[int, int] = field(default_factory=dict)
    since: set[int] = field(default_factory=set)
    fork: Fork | None = None

    def synchronize(self, warp: int | None = None) -> None:
        """A barrier of all threads, or of a warp."""
        if warp is None:
            self.barriers = next(CLOCK)
        else:
            self.warp_barriers[warp] = next(CLOCK)

    def fence_off(self) -> None:
        """Tensor cores see what all threads have stored."""
        self.fence = next(CLOCK)

    def stamp(self, thread: int) -> Stamp:
        """A thread at this moment; of a product, the last barrier of any warp."""
        of_warp = max(self.warp_barriers.values(), default=0) if thread == PRODUCT else 0
        return thread, self.barriers, self.warp_barriers.get(thread // WARP, of_warp)

    def ordered(self, before: Stamp, thread: int) -> bool:
        """Whether what a thread did comes before what another one does now."""
        other, barriers, of_warp = before
        if other == thread or self.barriers > barriers:
            return True
        return other // WARP == thread // WARP and self.warp_barriers.get(thread // WARP, 0) > of_warp

    def released(self, before: Stamp, threads: Sequence[int], warps: int) -> bool:
        """Whether what a thread or a product did comes before what several threads do together now.

        A product comes before what a thread of each warp does after a barrier of its warp, which has waited for it.
        """
        if before[0] != PRODUCT or self.barriers > before[1]:
            return any(self.ordered(before, thread) for thread in threads)
        over = {thread // WARP for thread in threads if self.warp_barriers.get(thread // WARP, 0) > before[2]}
        return len(over) == warps

    def store(self, writes: list[tuple[int, int, Term]], group: int | None = None) -> None:
        """Writes of one instruction: (thread, address, value).

        Args:
            group: of copies in the background, of which it is one.

        Raises:
            NotModelled: a race.
        """
        made: dict[int, Cell] = {}
        for thread, address, value in writes:
            stamp = self.stamp(thread)
            self.check_inside(address, bytes_of(value.sort))
            part = value.args[0] if value.head == "packed" else value
            for piece in split(value, bytes_of(part.sort)):
                for place in range(bytes_of(piece.sort)):
                    old, other = self.cells.get(address), made.get(address)
                    if other is not None and (other.term is not piece or other.place != place):
                        raise NotModelled("two threads write different values to one place of shared memory")
                    if other is None:
                        self.check_write(old, thread)
                        self.unread(address)
                    fence = self.fence if group is None else 0
                    made[address] = Cell(piece, place, stamp, [], group, self.owner, fence)
                    address += 1
        self.cells.update(made)
        if self.log is not None:
            self.log.note(self.log.stored, *made)
            self.since.update(made)
        if group is not None:
            self.flights.setdefault(group, set()).update(made)

    def check_inside(self, address: int, size: int) -> None:
        """Raises NotModelled unless some bytes are the program's."""
        if address < TENSOR_MEMORY and not 0 <= address <= address + size <= self.size:
            raise NotModelled(f"a write outside of the {self.size} bytes of shared memory: at {address}")
        row, column = divmod((address - TENSOR_MEMORY) // WORD, COLUMNS)
        if address >= TENSOR_MEMORY and not (row < ROWS and column < self.columns):
            raise NotModelled(f"row {row}, column {column} of tensor memory, of which the kernel has {self.columns}")

    def settled(self, address: int) -> None:
        """Raises NotModelled if the tensor core, or a thread before its wait, still writes to an address."""
        if address in self.works.writes:
            raise NotModelled("tensor memory is used while a product in the background writes it")
        if address & -WORD in self.stores_begun:
            raise NotModelled("tensor memory is used before a thread has waited for its stores there")

    def unread(self, address: int) -> None:
        """Raises NotModelled if a product or a copy reads an address."""
        if address in self.works.reads:
            raise NotModelled("memory is written while a product of the tensor core reads it")
        self.settled(address)
        if address in self.products.pending:
            raise NotModelled("shared memory is written while a product reads it")
        if address in self.stores.pending:
            raise NotModelled("shared memory is written while a copy to global memory reads it")

    def arrive(self, pending: int) -> None:
        """All groups of copies but the newest have arrived, for the threads that began them."""
        for group in [one for one in self.flights if one < self.group - pending]:
            for address in self.flights.pop(group):
                cell = self.own(address)
                cell.writer, cell.group = self.stamp(cell.writer[0]), None

    def put_together(self, address: int, terms: Sequence[Term]) -> None:
        """All threads together write terms, one after the other; whoever touches them next needs a barrier before."""
        for term in terms:
            for place in range(bytes_of(term.sort)):
                if self.log is not None:
                    self.log.note(self.log.stored, address)
                self.cells[address] = Cell(term, place, self.stamp(PRODUCT), [], None, self.owner)
                address += 1

    def own(self, address: int) -> Cell:
        """A cell that may be changed."""
        cell = self.cells[address]
        if cell.owner is not self.owner:
            cell = self.cells[address] = cell.copy(self.owner)
        return cell

    def claim(self, address: int, size: int) -> Term:
        """A value that a product reads, which must stay until the product is over.

        Raises:
            NotModelled: a race, or a fence is missing.
        """
        found = self.load(PRODUCT, address, size)
        for place in range(address, address + size):
            if self.cells[place].fence >= self.fence:
                raise NotModelled("a product reads what threads stored in shared memory, with no fence between")
            self.products.pending[place] = self.products.group
        return found

    def end_reads(self, reads: Reads, left: int) -> int:
        """The last group of asynchronous reads that is over, where all but `left` of the closed groups are."""
        last = reads.group - left - 1
        for address in [address for address, group in reads.pending.items() if group <= last]:
            del reads.pending[address]
            self.own(address).readers.append(self.stamp(PRODUCT))
        return last

    def hold(self, address: int, term: Term, age: int | None, touched: Threads | None) -> None:
        """A value stands at an address.

        Args:
            age: groups that have been closed since that of the copy which is in flight to it.
            touched: threads that may have touched it since the last barrier; None of any.
        """
        group = None if age is None else self.group - age
        writer = (NOBODY, self.barriers if touched is None else 0, 0)
        for place in range(bytes_of(term.sort)):
            readers = [self.stamp(thread) for thread in touched or ()]
            self.cells[address + place] = Cell(term, place, writer, readers, group, self.owner)
            if group is not None:
                self.flights.setdefault(group, set()).add(address + place)

    def touch(self, touched: dict[int, Threads]) -> None:
        """Threads may have touched places, of which nothing else is known, since the last barrier."""
        for address, threads in touched.items():
            readers = [self.stamp(thread) for thread in threads]
            self.cells[address] = Cell(unknown(), 0, (NOBODY, 0, 0), readers, None, self.owner)

    def peek(self, address: int, size: int) -> Term | None:
        """The value at an address; None if that is not known."""
        cell = self.cells.get(address)
        if cell is None:
            return None
        if cell.place == 0 and bytes_of(cell.term.sort) == size and self._is_whole(address, cell.term, size):
            return cell.term
        cells = [self.cells.get(address + k) for k in range(size)]
        if any(one is None for one in cells):
            return None
        return joined([split(one.term, 1)[one.place] for one in cells if one is not None])

    def touched_in(self, places: range | frozenset[int]) -> dict[int, Threads]:
        """By address, the threads that have touched it since the last barrier of the program."""
        found = {}
        if self.touched[1] < self.barriers:
            places = places if len(places) < len(self.cells) else [one for one in self.cells if one in places]  # type: ignore
        for address in places:
            cell = self.cells.get(address)
            stamps = [self.touched] if cell is None else [cell.writer, *cell.readers]
            threads = frozenset(stamp[0] for stamp in stamps if stamp[1] >= self.barriers)
            if threads:
                found[address] = threads
        return found

    def touched_anywhere(self) -> dict[int, Threads]:
        """The same of all memory."""
        tensors = frozenset(at for at in self.cells if at >= TENSOR_MEMORY)
        return self.touched_in(range(self.size)) | self.touched_in(tensors)

    def is_untouched(self, places: range) -> bool:
        """Whether a barrier of the program is after all accesses, and nothing in the background is there."""
        busy: list[Container[int]] = [
            self.products.pending,
            self.stores.pending,
            self.tiles,
            self.works.reads,
            *self.flights.values(),
        ]
        return not self.touched_in(places) and not any(place in one for one in busy for place in places)

    def ages(self) -> dict[int, int]:
        """By address, how many groups have been closed since that of the copy that is in flight to it."""
        return {address: self.group - group for group, places in self.flights.items() for address in places}

    def check_write(self, old: Cell | None, thread: int) -> None:
        """Raises NotModelled if a thread may not write over a byte."""
        if old is not None and old.group is not None:
            raise NotModelled("shared memory is written while a copy to it is in flight")
        before = [self.touched] if old is None else [old.writer, *old.readers]
        if not all(self.ordered(one, thread) for one in before):
            raise Race("shared memory is written again without a barrier after its last access")

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
            whole = cell.place == 0 and at + width <= end and self._is_whole(at, cell.term, width)
            for k in range(width if whole else 1):
                self.settled(at + k)
                self._read(at + k, thread)
            pieces.append(cell.term if whole else split(cell.term, 1)[cell.place])
            at += width if whole else 1
        return joined(pieces)

    def _is_whole(self, address: int, term: Term, size: int) -> bool:
        """Whether all bytes of a term whose first one is at an address follow it."""
        cells = self.cells
        for place in range(1, size):
            cell = cells.get(address + place)
            if cell is None or cell.term is not term or cell.place != place:
                return False
        return True

    def _read(self, address: int, thread: int) -> None:
        cell = self.own(address)
        if cell.group is not None:
            raise NotModelled("a read of shared memory while a copy to it is in flight")
        if not self.ordered(cell.writer, thread):
            raise Race("a read of shared memory without a barrier after the write of another thread")
        cell.readers.append(self.stamp(thread))
        if self.log is not None:
            self.log.note(self.log.read, address)

    def is_touched(self) -> bool:
        """Whether any thread has touched it since the last barrier of the program."""
        stamps = (stamp for cell in self.cells.values() for stamp in (cell.writer, *cell.readers))
        return self.touched[1] >= self.barriers or any(stamp[1] >= self.barriers for stamp in stamps)

    def forget(self, touched: bool) -> None:
        """Nothing is known of what stands there any more, nor, if it was touched, by whom since the last barrier."""
        self.cells, self.touched, self.flights = {}, (NOBODY, self.barriers if touched else 0, 0), {}
        self.tiles, self.drafts, self.stores, self.waited = {}, {}, Reads(self.stores.group), self.barriers
        self.works, self.stores_begun = Works(), {}

    def copy(self) -> SharedMemory:
        """For a branch."""
        self.owner = object()
        return replace(
            self, cells=dict(self.cells), warp_barriers=dict(self.warp_barriers), owner=object(), since=set(self.since),
            flights={group: set(places) for group, places in self.flights.items()}, tiles=dict(self.tiles),
            counts={address: (which, Counter(left)) for address, (which, left) in self.counts.items()},
            drafts=dict(self.drafts), products=self.products.copy(), stores=self.stores.copy(),
            works=self.works.copy(), stores_begun=dict(self.stores_begun),
        )  # fmt: skip


def unknown() -> Term:
    """A byte of which nothing is known: reads of it leave the proof open."""
    return make("unknown", (), "shared memory", "i8")
