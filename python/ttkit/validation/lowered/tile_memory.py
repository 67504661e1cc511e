"""Copies of tiles in the background: those to shared memory until a wait, those from it until another one."""

from __future__ import annotations

from ttkit.validation.lowered.bits import bytes_of
from ttkit.validation.lowered.shared_memory import NOBODY, TILE, Cell, SharedMemory
from ttkit.validation.terms import Term
from ttkit.validation.values import NotModelled


def begin_tile(shared: SharedMemory, writes: list[tuple[int, Term]], lanes: tuple[int, ...], barrier: int) -> None:
    """A copy of a tile, by one of some lanes, writes values until a phase of a barrier is over.

    Raises:
        NotModelled: a race, or a fence is missing.
    """
    if shared.log is not None:
        shared.log.note(shared.log.copied, *(at + n for at, value in writes for n in range(bytes_of(value.sort))))
    for address, value in writes:
        for at in range(address, address + bytes_of(value.sort)):
            old = shared.cells.get(at)
            for lane in lanes:
                shared.check_write(old, lane)
            if old is not None and old.fence >= shared.fence:
                raise NotModelled("a copy of a tile overwrites what threads stored, with no fence between")
            shared.unread(at)
            shared.cells[at] = Cell(value, at - address, (NOBODY, 0, 0), [], TILE, shared.owner)
            shared.tiles[at] = barrier


def land(shared: SharedMemory, barrier: int) -> None:
    """The copies of tiles that count at a barrier have arrived, for all threads."""
    for address in [at for at, where in shared.tiles.items() if where == barrier]:
        del shared.tiles[address]
        cell = shared.own(address)
        cell.writer, cell.group = (NOBODY, 0, 0), None


def claim_store(shared: SharedMemory, address: int, size: int, lanes: tuple[int, ...]) -> Term:
    """A value that a copy to global memory, by one of some lanes, reads until its group is over.

    Raises:
        NotModelled: a race, or a fence is missing.
    """
    for lane in lanes:
        found = shared.load(lane, address, size)
    for at in range(address, address + size):
        if shared.cells[at].fence >= shared.fence:
            raise NotModelled("a copy reads what threads stored in shared memory, with no fence between")
        shared.stores.pending[at] = shared.stores.group
    return found


def end_stores(shared: SharedMemory, left: int) -> None:
    """Copies to global memory have read shared memory, but for some of the closed groups.

    Raises:
        NotModelled: some are of no group yet.
    """
    if shared.stores.group in shared.stores.pending.values():
        raise NotModelled("a wait for a copy to global memory that is in no group yet")
    shared.end_reads(shared.stores, left)
