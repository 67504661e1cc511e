"""The slots of the buffers of asynchronous references: as many as a partition holds at a time, or more.

A partition that enters in stage 0 and leaves in stage 2 enters for iteration i + 2 before it leaves for iteration i: it
holds three slots, if the entry has the earlier cluster.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from mlir import ir

from ttkit.dialects import nvws, ttg
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import defining, name_of
from ttkit.passes.infra import replace_by
from ttkit.passes.infra.nesting import comes_before
from ttkit.passes.partitioning.partitions import place_of


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
