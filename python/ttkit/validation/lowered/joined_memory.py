"""Shared and tensor memory where ways join."""

from __future__ import annotations

from typing import Any

from ttkit.validation.booleans import choose
from ttkit.validation.lowered.background_reads import Works
from ttkit.validation.lowered.shared_memory import TILE, Cell, SharedMemory, unknown
from ttkit.validation.terms import Term
from ttkit.validation.values import NotModelled


def joined(one: SharedMemory, other: SharedMemory, condition: Term | None) -> SharedMemory:
    """The memory after one of two ways: what either leaves, the accesses of both, copies that either began.

    Args:
        condition: under which all threads go the first way; None if some go each way.

    Raises:
        NotModelled: one has counted elements, or has taken tensor memory.
    """
    if one.counts != other.counts:
        raise NotModelled("paths join of which one has counted elements of a histogram")
    if one.columns != other.columns:
        raise NotModelled("paths join of which one has taken tensor memory")
    found = one.copy()
    found.fork = one.fork.before if one.fork is not None and one.fork is other.fork else None
    found.works = joined_works(one, other, condition)
    found.stores_begun, found.since = one.stores_begun | other.stores_begun, one.since | other.since
    found.products, found.stores = one.products.joined(other.products), one.stores.joined(other.stores)
    found.tiles = joined_tiles(one.tiles, other.tiles)
    found.drafts = {at: draft for at, draft in one.drafts.items() if other.drafts.get(at) == draft}
    found.waited = max(one.waited, other.waited)
    found.barriers, found.fence = min(one.barriers, other.barriers), min(one.fence, other.fence)
    warps = one.warp_barriers.keys() & other.warp_barriers.keys()
    found.warp_barriers = {warp: min(one.warp_barriers[warp], other.warp_barriers[warp]) for warp in warps}
    found.touched = max(one.touched, other.touched, key=lambda stamp: stamp[1])
    _join_cells(found, one, other, condition)
    both = one.ages(), other.ages()
    found.flights = {}
    for address in both[0].keys() | both[1].keys():
        age = min(ages[address] for ages in both if address in ages)
        found.own(address).group = found.group - age
        found.flights.setdefault(found.group - age, set()).add(address)
    for address in found.tiles:
        found.own(address).group = TILE
    return found


def _join_cells(found: SharedMemory, one: SharedMemory, other: SharedMemory, condition: Term | None) -> None:
    """The bytes of both ways, in what has those of the first one."""
    fork = one.fork if one.fork is other.fork else None
    before = fork.cells if fork is not None and condition is None else None
    for address, cell in other.cells.items():
        old = found.cells.get(address)
        if old is cell:
            continue
        if old is not None and old.term is cell.term and old.place == cell.place:
            mine = found.own(address)
            mine.readers += [cell.writer, *cell.readers]
            mine.fence = max(mine.fence, cell.fence)
            continue
        accesses = [cell.writer, *cell.readers]
        accesses += [one.touched] if old is None else [old.writer, *old.readers]
        term, place = met(old, cell, condition, before, address)
        fence = max(cell.fence, 0 if old is None else old.fence)
        found.cells[address] = Cell(term, place, accesses[0], accesses[1:], None, found.owner, fence)
    for address in one.cells.keys() - other.cells.keys():
        cell = found.own(address)
        if before is None or address in before:  # as it is if it is new on this way
            cell.term, cell.place = unknown(), 0
        cell.readers.append(other.touched)


def met(
    one: Cell | None, other: Cell, condition: Term | None, before: dict[int, Cell] | None, address: int
) -> tuple[Term, int]:
    """The byte after either way: of the way that has changed it, if some threads go each way.

    Raises:
        NotModelled: some threads have changed it, and others have touched it on another way.
    """
    if condition is not None:
        if one is None or one.place != other.place or one.term.sort != other.term.sort:
            return unknown(), 0
        if unknown() in (one.term, other.term):
            return unknown(), 0
        return choose(condition, one.term, other.term), one.place
    if before is None:
        return unknown(), 0
    old = before.get(address)
    for changed, kept in ((one, other), (other, one)):
        if kept is old and changed is not None:
            return changed.term, changed.place
    raise NotModelled("threads that part touch one place of memory, and nothing orders them")


def joined_works(one: SharedMemory, other: SharedMemory, condition: Term | None) -> Works:
    """The works of the tensor core that go on."""
    if condition is None and one.fork is not None and one.fork is other.fork:
        return one.works.met(other.works, one.fork.works)
    return one.works.joined(other.works, condition)


def joined_tiles(one: dict[int, Any], other: dict[int, Any]) -> dict[int, Any]:
    """Copies of tiles that either way has begun, by address their barrier.

    Raises:
        NotModelled: they count at different ones.
    """
    if any(one[address] != other[address] for address in one.keys() & other.keys()):
        raise NotModelled("copies to one place that count at different mbarriers")
    return one | other
