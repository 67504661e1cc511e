"""The slots of the buffers of asynchronous references: as many as a partition holds at a time, or more.

A partition that enters in stage 0 and leaves in stage 2 enters for iteration i + 2 before it leaves for iteration i: it
holds three slots, if the entry has the earlier cluster.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from mlir import ir

from ttkit.dialects import nvws, ttg
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import address_of, defining, enclosing, name_of
from ttkit.passes.assign_stage_phase import GET, PUT
from ttkit.passes.infra import replace_by
from ttkit.passes.infra.loop_attributes import SCHEDULED_MAX_STAGE
from ttkit.passes.infra.nesting import ancestor_in, comes_before
from ttkit.passes.partitioning.partitions import Ids, ids_of, place_of

GET_EXIT = "nvws.aref.get.exit"
ACCESSES = (PUT, "nvws.aref.put.exit", GET, GET_EXIT)


def create_reference(buffers: Sequence[ir.Value], at: ir.Operation, location: ir.Location) -> ir.Operation:
    """An nvws.aref.create before an operation."""
    text = ", ".join(str(buffer.type) for buffer in buffers)
    type = ir.Type.parse(f"!nvws.aref<[{text}]>", at.context)
    with location, ir.InsertionPoint(at):
        return nvws.aref_create(type, list(buffers)).owner.operation


def slots_held(enters: Iterable[ir.Operation]) -> int:
    """The largest number of slots of a reference that one partition holds at a time, by the stages of its loop.

    With fewer slots, the partition waits for one that it would leave later.  Triton 3.6 does not count them.

    Args:
        enters: the nvws.aref.put.enter and get.enter of the reference.
    """
    most = 1
    for enter in enters:
        begin = place_of(enter).schedule
        for leave in (use.owner.operation for use in enter.opview.token.uses):
            end = place_of(leave).schedule if leave.block == enter.block else None
            if begin is not None and end is not None and leave.name.endswith(".exit"):
                enters_first = begin[1] < end[1] or (begin[1] == end[1] and comes_before(enter, leave))
                most = max(most, end[0] - begin[0] + enters_first)
    return most


class Time(NamedTuple):
    """When a partition runs an operation in its loop: stage, cluster, and place in the text."""

    stage: int
    cluster: int
    number: int

    def comes_before(self, other: "Time") -> bool:
        """Whether it comes first among operations of one iteration of the pipelined loop."""
        return (self.cluster, self.number) < (other.cluster, other.number)


class Transfers:
    """The references of a loop's body that one partition fills and one other reads, and when they do so."""

    def __init__(self, references: Iterable[ir.Operation]) -> None:
        self._found: dict[tuple[int, Ids, Ids], list[tuple[ir.Operation, dict[str, Time]]]] = {}
        for reference in references:
            self._add(reference)

    def _add(self, reference: ir.Operation) -> None:
        accesses = {name: [] for name in ACCESSES}  # type: dict[str, list[ir.Operation]]
        for use in reference.result.uses:
            if use.owner.operation.name in accesses:
                accesses[use.owner.operation.name].append(use.owner.operation)
        loops = {address_of(loop): loop for found in accesses.values() for op in found if (loop := _scheduled(op))}
        if any(len(found) != 1 for found in accesses.values()) or len(loops) != 1:
            return
        (loop,) = loops.values()
        numbers = {address_of(op.operation): number for number, op in enumerate(loop.regions[0].blocks[0].operations)}
        times: dict[str, Time] = {}
        for name, (op,) in accesses.items():
            top = ancestor_in(loop.regions[0].blocks[0], op)
            place = place_of(op).schedule or (None if top is None else place_of(top).schedule)
            if top is None or place is None:
                return
            times[name] = Time(*place, numbers[address_of(top)])
        sides = ids_of(accesses[PUT][0]), ids_of(accesses[GET][0])
        self._found.setdefault((address_of(loop), *sides), []).append((reference, times))

    def slots_ahead(self, reference: ir.Operation) -> int:
        """The number of slots that a partition fills before another one that it fills later lets any of them be free.

        %a put in stage 0, %b put in stage 4, and got in one stage: five slots of %a are filled when %b first is.  With
        fewer, the partitions wait for each other.  Triton 3.6 does not count them.  What %b brings may also come by
        other partitions, each of which gets something before it puts the next.
        """
        most = 1
        for (loop, source, target), group in self._found.items():
            own = next((times for one, times in group if one == reference), None)
            if own is None:
                continue
            for first, last, behind in self._ways(loop, source, target, reference, frozenset([source])):
                ahead = first[PUT].stage - own[PUT].stage - (last[GET].stage - own[GET_EXIT].stage) + behind
                if ahead > 0:
                    filled, free = own[PUT].comes_before(first[PUT]), own[GET_EXIT].comes_before(last[GET])
                    most = max(most, ahead + filled - free)
        return most

    def _ways(
        self, loop: int, source: Ids, target: Ids, avoided: ir.Operation, passed: frozenset[Ids]
    ) -> Iterator[tuple[dict[str, Time], dict[str, Time], int]]:
        """The ways from one partition to another by references, without one of these and without going in a circle.

        Yields: the times of the first and of the last reference, and by how many iterations those between put later
            than they get.
        """
        for (where, begin, end), group in list(self._found.items()):
            if where != loop or begin != source or end in passed:
                continue
            for one, times in group:
                if one == avoided:
                    continue
                if end == target:
                    yield times, times, 0
                    continue
                for first, last, behind in self._ways(loop, end, target, avoided, passed | {end}):
                    late = not times[GET].comes_before(first[PUT])
                    yield times, last, behind + first[PUT].stage - times[GET].stage - late


def _scheduled(op: ir.Operation) -> ir.Operation | None:
    """The innermost loop with a schedule around an operation."""
    loop = enclosing(op, "scf.for")
    while loop is not None and SCHEDULED_MAX_STAGE not in loop.attributes:
        loop = enclosing(loop, "scf.for")
    return loop


def multi_buffer(reference: ir.Operation, stages: int) -> None:
    """Gives the buffers in shared memory of a reference more slots."""
    old = [defining(buffer) for buffer in reference.operands]
    if any(each is None or name_of(each) != "ttg.local_alloc" for each in old):
        return
    buffers = []
    for each in old:
        alloc: Any = each
        type: Any = alloc.result.type
        shape = [stages, *list(type.shape)[1:]]
        larger = MemDescType.get(shape, type.element_type, type.encoding, type.memory_space, True)
        with alloc.operation.location, ir.InsertionPoint(reference):
            buffers.append(ttg.local_alloc(larger))
    made = create_reference(buffers, reference, reference.location)
    replace_by(reference, [made.result])
    for each, buffer in zip(old, buffers):
        each.result.replace_all_uses_with(buffer)  # type: ignore[union-attr]
        each.operation.erase()  # type: ignore[union-attr]
