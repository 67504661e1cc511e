"""Give each partition of a specialized loop its own loop, in a region of an nvws.warp_group.

    scf.for ... iter_args(%x, %y) {                  nvws.warp_group
      %a = ... {ttg.partition = [1]}                 partition0 num_warps(4) { nvws.warp_group.yield }
      %b = ... {ttg.partition = [2]}            =>   partition1 num_warps(4) { scf.for ... iter_args(%x) { %a = ... } }
    } {ttg.partition.outputs = [[1], [2]]}           partition2 num_warps(4) { scf.for ... iter_args(%y) { %b = ... } }

What a loop, branch or reduction passes on belongs to the partitions that its outputs name.  Operations after the loop
that carry its tag go to their partition too.  The first region's results are those of the default partition.

Input:  ttg with partitions.      Output: ttg with nvws.warp_group.
Order:  after nvws-lower-aref, before nvws-lower-warp-group.
Skips:  loops without ttg.partition.stages.
Test:   test/lit/passes/partition_loops.mlir
"""

from typing import Any

from mlir import ir

from ttkit.dialects import nvws, scf
from ttkit.inspection import collect, terminator
from ttkit.passes.infra import Pass, PassError, clone_operations
from ttkit.passes.layouts.machine import num_warps
from ttkit.passes.partitioning.partitions import DEFAULT, OUTPUTS, PARTITION, STAGES, TAG, ids_of, outputs_of
from ttkit.passes.partitioning.tasks import operations_in
from ttkit.passes.pipelining.attributes import integer
from ttkit.passes.pipelining.loops import body_of


class PartitionLoops(Pass):
    """Give each partition of a specialized loop its own loop"""

    name = "tritongpu-partition-loops"
    dependent_dialects = ("scf", "nvws")

    def run(self, op: ir.Operation) -> None:
        for loop in collect(op, ["scf.for"]):
            if STAGES in loop.attributes:
                partition_loop(loop)


def partition_loop(loop: ir.Operation) -> None:
    """Divides a loop among the regions of a group of warps.

    Raises:
        PassError: code after the loop uses what another than the default partition computes.
    """
    count = len(ir.ArrayAttr(loop.attributes[STAGES]))
    after = [op for op in following(loop) if TAG in op.attributes and integer(op, TAG) == integer(loop, TAG)]
    kept = [number for number, ids in enumerate(outputs_of(loop)) if DEFAULT in ids]
    check_results(loop, kept, after)
    warps = num_warps(loop)
    with loop.location, ir.InsertionPoint(loop):
        types = [loop.results[number].type for number in kept]
        made = nvws.warp_group(types, [warps] * count, count)
        group = (made if isinstance(made, (ir.OpView, ir.Operation)) else made[0].owner).operation
    for partition, region in enumerate(group.regions):
        block = region.blocks.append()
        copies = _Copies(partition)
        copies.add_all([loop, *after], block)
        with loop.location, ir.InsertionPoint(block):
            if partition == DEFAULT:
                nvws.warp_group_yield([copies.values[loop.results[number]] for number in kept])
            elif partition not in ids_of(loop):
                nvws.warp_group_yield([])  # as Triton ends empty ones
            else:
                nvws.warp_group_return()
    for number, result in zip(kept, group.results):
        loop.results[number].replace_all_uses_with(result)
    for op in [*reversed(after), loop]:
        op.erase()


def following(loop: ir.Operation) -> list[ir.Operation]:
    """The operations after a loop in its block."""
    ops = [each.operation for each in loop.block.operations]
    return ops[ops.index(loop) + 1 :]


def check_results(loop: ir.Operation, kept: list[int], after: list[ir.Operation]) -> None:
    for number, result in enumerate(loop.results):
        for user in (use.owner.operation for use in result.uses):
            if number not in kept and user not in after:
                raise PassError(loop, f"result {number} is used after the loop, and the default partition has it not")


class _Copies:
    """The operations of one partition.

    Args:
        partition: operations of others are left out.
    """

    def __init__(self, partition: int) -> None:
        self.partition = partition
        self.values: dict[ir.Value, ir.Value] = {}

    def add_all(self, ops: list[ir.Operation], block: ir.Block) -> None:
        """Copies operations, with what is in them, to the end of a block."""
        for op in ops:
            if self.partition not in ids_of(op):
                continue
            if op.name == "scf.for":
                self._add_loop(op, block)
            elif op.name == "scf.if":
                self._add_branch(op, block)
            else:
                mapping = [(value, self.values[value]) for value in op.operands if value in self.values]
                (copy,) = clone_operations([op], mapping, ir.InsertionPoint(block))
                if TAG not in op.attributes:
                    forget_partitions(copy)
                self.values.update(zip(op.results, copy.results))

    def _of(self, value: ir.Value) -> ir.Value:
        return self.values.get(value, value)

    def _kept(self, op: ir.Operation) -> list[int]:
        return [number for number, ids in enumerate(outputs_of(op)) if self.partition in ids]

    def _add_loop(self, loop: ir.Operation, block: ir.Block) -> None:
        body, kept = body_of(loop), self._kept(loop)
        operands = list(loop.operands)
        taken = [*operands[:3], *(operands[number + 3] for number in kept)]
        new = ir.Operation.create(
            "scf.for",
            [loop.results[number].type for number in kept],
            [self._of(value) for value in taken],
            {name: loop.attributes[name] for name in loop.attributes},
            regions=1,
            loc=loop.location,
            ip=ir.InsertionPoint(block),
        )
        forget_partition(new)
        types = [body.arguments[0].type, *(loop.results[number].type for number in kept)]
        inside = new.regions[0].blocks.append(*types, arg_locs=[loop.location] * len(types))
        old = [body.arguments[0], *(body.arguments[number + 1] for number in kept)]
        self.values.update(zip(old, inside.arguments))
        self._fill(body, inside, kept)
        self.values.update(zip([loop.results[number] for number in kept], new.results))

    def _add_branch(self, branch: ir.Operation, block: ir.Block) -> None:
        kept = self._kept(branch)
        types = [branch.results[number].type for number in kept]
        has_else = len(branch.regions[1].blocks) > 0
        with branch.location, ir.InsertionPoint(block):
            made: Any = scf.if_(self._of(branch.operands[0]), types, has_else=has_else)
        new = made.operation
        for name in branch.attributes:
            new.attributes[name] = branch.attributes[name]
        forget_partition(new)
        for old, region in zip(branch.regions, new.regions):
            if len(old.blocks):
                self._fill(old.blocks[0], region.blocks[0], kept)
        self.values.update(zip([branch.results[number] for number in kept], new.results))

    def _fill(self, source: ir.Block, block: ir.Block, kept: list[int]) -> None:
        """Copies the operations of a block, and yields what is kept."""
        ops = [each.operation for each in source.operations]
        self.add_all(ops[:-1], block)
        with ops[-1].location, ir.InsertionPoint(block):
            scf.yield_([self._of(ops[-1].operands[number]) for number in kept])
        last = terminator(block).operation
        for name in ops[-1].attributes:
            if name != PARTITION:
                last.attributes[name] = ops[-1].attributes[name]


def forget_partitions(op: ir.Operation) -> None:
    """Removes what is noted about partitions on an operation and in it."""
    for inner in operations_in(op):
        forget_partition(inner)


def forget_partition(op: ir.Operation) -> None:
    for name in (PARTITION, OUTPUTS, STAGES):
        if name in op.attributes:
            del op.attributes[name]
