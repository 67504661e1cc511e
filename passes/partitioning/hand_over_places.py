"""When a partition hands over a buffer in tensor memory, and takes it back, in the schedule of its loop.

A partition hands it over after its last access of an iteration.  It takes it back before its first access of the next
one: right after the hand-over as a rule, or as late as possible.
"""

from mlir import ir

from ttkit.dialects._ttg_types import MemDescType
from ttkit.operation_sets import AREF_EXITS
from ttkit.passes.assign_stage_phase import depth_of
from ttkit.passes.infra import PassError
from ttkit.passes.infra.loop_attributes import CLUSTER
from ttkit.passes.infra.loops import body_operations
from ttkit.passes.infra.nesting import places_in
from ttkit.passes.infra.operation_attributes import integer
from ttkit.passes.partitioning.partitions import Ids, Place, ids_of, place_of


def enter_late(enter: ir.Operation) -> None:
    """Lets a partition fill a buffer for the next iteration as late as possible, if others would wait for each other.

    The partition enters after its last access of this iteration.  Until the other side has read the buffer, it does
    nothing else.  It has to, where the other side reads after it has got something that comes later in the schedule.

    Differs from Triton, where such loops hang.
    """
    if any(use.owner.operation.name != "scf.yield" for result in enter.results for use in result.uses):
        return  # it is filled in this iteration
    early, reference = place_of(enter).schedule, enter.opview.aref
    beside = [use.owner.operation for use in reference.uses if use.owner.operation.block == enter.block]
    left = [place_of(op).schedule for op in beside if op.name in AREF_EXITS and ids_of(op) == ids_of(enter)]
    last = max((place for place in left if place is not None), default=early)
    if early is not None and last is not None and early < last:  # it hands the buffer over first
        early = last
        Place(None, None, early).put(enter)
    reads = [place_of(op).schedule for op in beside if op.name == "nvws.aref.get.exit"]
    accesses = [place_of(op).schedule for op in accesses_beside(enter, reference, ids_of(enter))]
    if early is None or not accesses or None in reads or None in accesses:
        return
    spare = depth_of(reference.owner.operation) - 1
    late = [(read[0] - spare, read[1]) for read in reads if read is not None and (read[0] - spare, read[1]) > early]
    stage, cluster = min(place for place in accesses if place is not None)
    place = (stage + 1, max(late)[1]) if late else early
    if max(late, default=early) > place or place[1] >= cluster or place[0] != early[0] + 1:
        return
    exits = [op for op in body_operations(enter.parent.operation) if op.name in AREF_EXITS]
    others = [op for op in exits if ids_of(op) == ids_of(enter)]
    times = [found[1] for op in others if (found := place_of(op).schedule) is not None]
    if any(time > early[1] or time < place[1] for time in times):
        Place(None, None, place).put(enter)


def stage_between(branch: ir.Operation, reference: ir.Value, owners: Ids) -> int:
    """The stage in which the side that puts hands the buffer over in a branch and takes it back.

    That is after its last access of this iteration and before its first one of the next.

    Differs from Triton, where it is always 1, also if the accesses run in a later stage.

    Raises:
        PassError: the stages of the accesses leave no such time.
    """
    places = [
        place for op in accesses_beside(branch, reference, owners) if (place := place_of(op).schedule) is not None
    ]
    cluster = integer(branch, CLUSTER)
    if not places or cluster is None:
        return 1
    first, last = min(places), max(places)
    stage = last[0] if cluster >= last[1] else last[0] + 1
    if stage > first[0] + 1 or (stage == first[0] + 1 and cluster >= first[1]):
        raise PassError(branch, "accesses to an accumulator that the branch passes on are in too many stages")
    return stage


def accesses_beside(branch: ir.Operation, reference: ir.Value, owners: Ids) -> list[ir.Operation]:
    """The operations in the block of a branch, itself aside, by which some partitions access a reference's buffer."""
    entered = [use.owner.operation for use in reference.uses]
    views = [value for op in entered for value in op.results if isinstance(value.type, MemDescType)]
    users = [use.owner.operation for view in views for use in view.uses]
    found = places_in(branch.block, users)
    return [op for op in found if op != branch and set(ids_of(op)) & set(owners)]
