"""Give each partition of a specialized loop its own loop, in a region of an nvws.warp_group.

    scf.for ... iter_args(%x, %y) {                  nvws.warp_group
      %a = ... {ttg.partition = [1]}                 partition0 num_warps(4) { nvws.warp_group.yield }
      %b = ... {ttg.partition = [2]}            =>   partition1 num_warps(4) { scf.for ... iter_args(%x) { %a = ... } }
    } {ttg.partition.outputs = [[1], [2]]}           partition2 num_warps(4) { scf.for ... iter_args(%y) { %b = ... } }

The results of a loop, branch or reduction belong to the partitions in its outputs attribute.  Operations after the loop
with its tag go to their partition too.  The first region's results are those of the default partition.

Input:  ttg with partitions.      Output: ttg with nvws.warp_group.
Order:  after nvws-lower-aref, before nvws-lower-warp-group.
Skips:  loops without ttg.partition.stages.
Test:   test/lit/passes/partition_loops.mlir
"""

from mlir import ir

from ttkit.dialects import nvws
from ttkit.inspection import collect
from ttkit.passes.infra import Pass, PassError
from ttkit.passes.infra.loops import final_value
from ttkit.passes.infra.nesting import arguments_in, operations_in
from ttkit.passes.infra.operation_attributes import integer
from ttkit.passes.layouts.thread_counts import num_warps
from ttkit.passes.partitioning.cloning import Copies
from ttkit.passes.partitioning.partitions import DEFAULT, OUTPUTS, PARTITION, STAGES, TAG, Ids, ids_of, outputs_of

NOTES = (PARTITION, OUTPUTS, STAGES)
"""What operations note about partitions."""


class PartitionLoops(Pass):
    """Give each partition of a specialized loop its own loop"""

    name = "tritongpu-partition-loops"
    dependent_dialects = ("scf", "nvws")

    def run(self, op: ir.Operation) -> None:
        """Partitions each loop whose partitions have stages."""
        for loop in collect(op, ["scf.for"]):
            if STAGES in loop.attributes:
                partition_loop(loop)


def partition_loop(loop: ir.Operation) -> None:
    """Divides a loop among the regions of a warp group.

    Raises:
        PassError: code after the loop uses what another than the default partition computes, or a partition what only
            another computes; what the loop notes about its partitions means nothing.
    """
    count = partition_count(loop)
    after = [op for op in following(loop) if TAG in op.attributes and integer(op, TAG) == integer(loop, TAG)]
    kept = [number for number, ids in enumerate(outputs_of(loop)) if DEFAULT in ids]
    check_results(loop, kept, after)
    warps = num_warps(loop)
    with loop.location, ir.InsertionPoint(loop):
        types = [final_value(loop, number).type for number in kept]
        made = nvws.warp_group(types, [warps] * count, count)
        group = (made if isinstance(made, (ir.OpView, ir.Operation)) else made[0].owner).operation
    divided = {
        value
        for op in (loop, *after)
        for inner in operations_in(op)
        for value in (*inner.results, *arguments_in(inner))
    }
    try:
        for partition, region in enumerate(group.regions):
            fill(region.blocks.append(), loop, after, _Copies(partition, divided), kept)
    except PassError:
        group.erase()
        raise
    for number, result in zip(kept, group.results):
        final_value(loop, number).replace_all_uses_with(result)
    for op in [*reversed(after), loop]:
        op.erase()


def fill(block: ir.Block, loop: ir.Operation, after: list[ir.Operation], copies: "_Copies", kept: list[int]) -> None:
    """Copies what a partition computes of a loop, and after it, to its block.

    Raises:
        PassError: it uses what only another partition computes.
    """
    copies.add_all([loop, *after], block)
    with loop.location, ir.InsertionPoint(block):
        if copies.owner == DEFAULT:
            nvws.warp_group_yield([copies.value(final_value(loop, number), loop) for number in kept])
        elif copies.owner not in ids_of(loop):
            nvws.warp_group_yield([])  # as Triton ends empty ones
        else:
            nvws.warp_group_return()


def partition_count(loop: ir.Operation) -> int:
    """The number of partitions of a loop.

    Raises:
        PassError: the stages are invalid, or an operation in the loop belongs to another partition.
    """
    stages = loop.attributes[STAGES]
    elements = list(stages) if isinstance(stages, ir.ArrayAttr) else [stages]
    for stage in elements:
        if stages is stage or not isinstance(stage, ir.IntegerAttr) or stage.value < 0:
            fix = "give a list with the stage of each, from 0"
            raise PassError(loop, f"partition stages attribute '{STAGES}' has invalid element {stage}; {fix}")
    for op in operations_in(loop):
        for number in ids_of(op):
            if not 0 <= number < len(elements):
                fix = f"the loop's '{STAGES}' has {len(elements)} partitions, from 0"
                raise PassError(op, f"invalid partition index {number}; {fix}")
    return len(elements)


def following(loop: ir.Operation) -> list[ir.Operation]:
    """The operations after a loop in its block."""
    ops = [each.operation for each in loop.block.operations]
    return ops[ops.index(loop) + 1 :]


def check_results(loop: ir.Operation, kept: list[int], after: list[ir.Operation]) -> None:
    """Checks what comes after the loop.

    Raises:
        PassError: it uses a result that the default partition does not have.
    """
    for number, result in enumerate(loop.results):
        for user in (use.owner.operation for use in result.uses):
            if number not in kept and user not in after:
                raise PassError(
                    loop, f"result {number} is used after the loop, but the default partition does not compute it"
                )


class _Copies(Copies):
    """The operations of one partition.

    divided: the values of the loop, and of what comes after it, which partitions have copies of.
    """

    def __init__(self, partition: int, divided: set[ir.Value]) -> None:
        super().__init__(partition)
        self._divided = divided

    def value(self, value: ir.Value, user: ir.Operation) -> ir.Value:
        """The partition's copy of a value.

        Raises:
            PassError: the partition has no copy, as only another partition computes the value.
        """
        if value not in self.values and value in self._divided:
            fix = "run nvws-insert-aref before, which gives it a buffer"
            raise PassError(user, f"partition {self.owner} uses a value that only another partition computes; {fix}")
        return super().value(value, user)

    def owners(self, op: ir.Operation) -> Ids:
        """Its partitions."""
        return ids_of(op)

    def kept(self, op: ir.Operation) -> list[int]:
        """The results that belong to the partition."""
        return [number for number, ids in enumerate(outputs_of(op)) if self.owner in ids]

    def attributes(self, op: ir.Operation) -> dict[str, ir.Attribute]:
        """All but those about partitions."""
        return {name: op.attributes[name] for name in op.attributes if name not in NOTES}

    def finish(self, copy: ir.Operation, op: ir.Operation) -> None:
        """Forgets the partitions, but for those of what comes after the loop.

        Raises:
            PassError: the operation uses what only another partition computes.
        """
        for inner in operations_in(copy):
            for value in inner.operands:
                self.value(value, op)
            for name in NOTES:
                if TAG not in op.attributes and name in inner.attributes:
                    del inner.attributes[name]
