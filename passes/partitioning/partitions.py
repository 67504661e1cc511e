"""Partitions of warp-specialized loops: the groups of warps that operations belong to, as attributes.

    %x = ... {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>}
    scf.for ... {
      ...
    } {tt.warp_specialize, ttg.partition = array<i32: 1, 2>, ttg.partition.outputs = [array<i32: 1>],
       ttg.partition.stages = [0 : i32, 1 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}

A loop, a branch or a reduction has the partitions of each of its results too; the divided loop has the stages of its
partitions.  Operations outside of the loop that belong to one of its partitions have the tag of the loop.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from mlir import ir

from ttkit.inspection import defining, terminator
from ttkit.passes.infra import PassError
from ttkit.passes.infra.loop_attributes import CLUSTER, STAGE
from ttkit.passes.infra.operation_attributes import integer, set_integer

PARTITION, OUTPUTS = "ttg.partition", "ttg.partition.outputs"
STAGES, TAG = "ttg.partition.stages", "ttg.warp_specialize.tag"
DEFAULT = 0
"""The partition that the default warps run."""

Ids: TypeAlias = tuple[int, ...]


def has_partition(op: ir.Operation) -> bool:
    """Whether an operation has the attribute with the partitions that run it."""
    return PARTITION in op.attributes


def ids_of(op: ir.Operation) -> Ids:
    """The partitions of an operation; none without the attribute."""
    return tuple(op.attributes[PARTITION]) if PARTITION in op.attributes else ()


def set_ids(op: ir.Operation, ids: Iterable[int]) -> None:
    """Sets the partitions of an operation and of the terminators of its blocks."""
    made = ir.DenseI32ArrayAttr.get(sorted(set(ids)), op.context)
    op.attributes[PARTITION] = made
    for region in op.regions:
        for block in region.blocks:
            terminator(block).operation.attributes[PARTITION] = made


def refuse_partitions(ops: Iterable[ir.Operation]) -> None:
    """Raises PassError at an operation in a loop with partitions.

    For passes that create operations and don't assign them to partitions.
    """
    for op in ops:
        if op.parent is not None and has_partition(op.parent.operation):
            raise PassError(op, "found operations with partitions around it; run tritongpu-partition-loops first")


def outputs_of(op: ir.Operation) -> list[Ids]:
    """The partitions of each result of a loop, branch or reduction."""
    if OUTPUTS not in op.attributes:
        return []
    return [tuple(ir.DenseI32ArrayAttr(each)) for each in ir.ArrayAttr(op.attributes[OUTPUTS])]


def set_outputs(op: ir.Operation, outputs: Sequence[Iterable[int]]) -> None:
    """Sets the partitions of each result of a loop, branch or reduction."""
    made = [ir.DenseI32ArrayAttr.get(sorted(set(ids)), op.context) for ids in outputs]
    op.attributes[OUTPUTS] = ir.ArrayAttr.get(made, op.context)


def ids_of_value(value: ir.Value) -> Ids:
    """The partitions that define a value; none for block arguments."""
    op = defining(value)
    if op is None:
        return ()
    if len(op.operation.regions):
        outputs = outputs_of(op.operation)
        return outputs[ir.OpResult(value).result_number] if outputs else ()
    return ids_of(op.operation)


class Place(NamedTuple):
    """The partitions of an operation.

    Attributes:
        ids: its partitions; None for code outside of partitions.
        tag: the tag of the loop, for an operation outside of it.
        schedule: stage and cluster in a scheduled loop.
    """

    ids: Ids | None
    tag: int | None = None
    schedule: tuple[int, int] | None = None

    def put(self, op: ir.Operation) -> None:
        """Sets the attributes of an operation."""
        if self.schedule is not None:
            set_integer(op, STAGE, self.schedule[0])
            set_integer(op, CLUSTER, self.schedule[1])
        if self.ids is not None:
            set_ids(op, self.ids)
        if self.tag is not None:
            set_integer(op, TAG, self.tag)


def place_of(op: ir.Operation) -> Place:
    """The partitions of an operation, by its attributes."""
    stage, cluster = integer(op, STAGE), integer(op, CLUSTER)
    schedule = None if stage is None or cluster is None else (stage, cluster)
    return Place(ids_of(op) if has_partition(op) else None, integer(op, TAG), schedule)
