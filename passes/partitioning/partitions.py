"""Partitions of warp-specialized loops: the groups of warps that operations belong to, as attributes.

    %x = ... {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>}
    scf.for ... {
      ...
    } {tt.warp_specialize, ttg.partition = array<i32: 1, 2>, ttg.partition.outputs = [array<i32: 1>],
       ttg.partition.stages = [0 : i32, 1 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}

A loop, a branch or a reduction notes the partitions of each of its results too; the loop that is divided, how many
partitions there are.  Operations beside the loop that belong to one of its partitions carry the tag of the loop.
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
"""The partition that the warps of the kernel run."""

Ids: TypeAlias = tuple[int, ...]


def has_partition(op: ir.Operation) -> bool:
    """Whether an operation says which partitions run it."""
    return PARTITION in op.attributes


def ids_of(op: ir.Operation) -> Ids:
    """The partitions of an operation; none if nothing says."""
    return tuple(op.attributes[PARTITION]) if PARTITION in op.attributes else ()


def set_ids(op: ir.Operation, ids: Iterable[int]) -> None:
    """Notes the partitions of an operation, and of the ends of its blocks."""
    made = ir.DenseI32ArrayAttr.get(sorted(set(ids)), op.context)
    op.attributes[PARTITION] = made
    for region in op.regions:
        for block in region.blocks:
            terminator(block).operation.attributes[PARTITION] = made


def refuse_partitions(ops: Iterable[ir.Operation]) -> None:
    """Raises PassError at an operation in a loop whose operations say which partitions run them.

    For passes that make operations and would not say.
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
    """Notes the partitions of each result of a loop, branch or reduction."""
    made = [ir.DenseI32ArrayAttr.get(sorted(set(ids)), op.context) for ids in outputs]
    op.attributes[OUTPUTS] = ir.ArrayAttr.get(made, op.context)


def ids_of_value(value: ir.Value) -> Ids:
    """The partitions that make a value; none for arguments of blocks."""
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
        ids: its partitions; None if it belongs to all code around a loop.
        tag: of the loop, if it stands beside it.
        schedule: stage and cluster in a loop that is scheduled.
    """

    ids: Ids | None
    tag: int | None = None
    schedule: tuple[int, int] | None = None

    def put(self, op: ir.Operation) -> None:
        """Notes it on an operation."""
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
