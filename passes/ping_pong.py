"""Alternate warp groups at starting wgmmas (ping-pong): each computes while the tensor cores run the other's.

    partition0 {                                partition0 {
      scf.for %i {                                scf.for %i {
        %s = ttng.warp_group_dot {isAsync}          wait at barrier 15
        %o = ttng.warp_group_dot {isAsync}          %s = ttng.warp_group_dot {isAsync}
        %p = softmax(%s)                            %o = ttng.warp_group_dot {isAsync}
      }                                             arrive at barrier 14
    }                                               %p = softmax(%s)
    partition1 {                                  }
      scf.for %i { ... }            =>            wait at barrier 15
    }                                           }
                                                partition1 {
                                                  arrive at barrier 15
                                                  scf.for %i {
                                                    wait at barrier 14
                                                    ...
                                                    arrive at barrier 15
                                                  }
                                                }

Without the pass, the groups of attention start wgmmas at the same time.  They then compute softmax at the same time,
while the tensor cores are idle (FlashAttention-3, section 3.1).  There may be more than two groups: each arrives at the
barrier of the next one.  The last group arrives at the barrier of the first one when it begins.  The first group waits
once more when it ends, so that no group waits forever.

All groups must reach their loops equally often and run the same number of iterations.  The pass knows this for loops
with the same bounds in the same branches and loops, if partitions compute these alike from the same captured values.

Input:  ttg.      Output: ttg; uses named barriers, which the surrounding code must leave free.
Order:  after ttkit-overlap-products, which makes such loops; after tritongpu-allocate-warp-groups, since each partition
        may use a barrier.
Skips:  loops without two asynchronous wgmmas that start together, or with small ones; groups whose loops may not run
        equally often.
Test:   test/lit/passes/ping_pong.mlir
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mlir import ir

from ttkit.analysis.control_flow import partitions
from ttkit.dialects import arith, ttng
from ttkit.inspection import collect, memory_effects, terminator
from ttkit.layout.hardware import GROUP_WARPS
from ttkit.operation_sets import NAMED_BARRIERS, PARTITIONS, WARP_SPECIALIZE, WGMMA, WGMMA_WAIT
from ttkit.passes.infra import Pass
from ttkit.passes.infra.constants import constant_splat
from ttkit.passes.infra.loops import body_operations
from ttkit.passes.infra.nesting import holder_of
from ttkit.passes.infra.value_flow import viewed
from ttkit.passes.lower.worker_warps import BARRIERS as NUMBERS
from ttkit.passes.lower.worker_warps import FIRST_PARTITION_BARRIER
from ttkit.tuning.passes import PING_PONG_BUFFERED, PING_PONG_DEPTH, PING_PONG_WORK

THREADS = 2 * GROUP_WARPS * 32
"""The threads of a barrier: those of one group and of the previous one."""
DECIDING = {"scf.for": 3, "scf.if": 1}
"""Operation -> the number of its first operands that determine how often a region runs."""
OF_GROUPS = ("async_task_id", "ttg.partition")
"""Attributes that name the group of an operation."""


class PingPong(Pass):
    """Alternate warp groups at starting their wgmmas (ping-pong)"""

    name = "ttkit-ping-pong"
    dependent_dialects = ("arith", "ttng")

    def run(self, op: ir.Operation) -> None:
        """Adds barriers to the partitions of each ttg.warp_specialize that have such loops."""
        taken = {constant_splat(barrier.opview.bar) for barrier in collect(op, NAMED_BARRIERS)}
        for specialized in collect(op, [WARP_SPECIALIZE]):
            groups = alternating_groups(specialized)
            first = FIRST_PARTITION_BARRIER + len(partitions(specialized))
            free = [number for number in reversed(range(first, NUMBERS)) if number not in taken]
            if 1 < len(groups) <= len(free) and None not in taken and are_even(groups):
                for place, group in enumerate(groups):
                    alternate(group, place, free[: len(groups)])


# --- Finding the groups -----------------------------------------------------------------------------------------------
class Group(NamedTuple):
    """A partition of one warp group, its loops whose iterations start wgmmas together and then compute, and these."""

    block: ir.Block
    loops: list[ir.Operation]
    wgmmas: list[list[ir.Operation]]


def alternating_groups(specialized: ir.Operation) -> list[Group]:
    """The partitions of one warp group that have loops to alternate."""
    counts = specialized.attributes["partitionNumWarps"]
    regions = zip(partitions(specialized), counts, strict=True)
    groups = [group_of(region) for region, warps in regions if warps == GROUP_WARPS]
    return [group for group in groups if group.loops]


def group_of(region: ir.Region) -> Group:
    """A partition with its loops to alternate, perhaps none."""
    tops = [op.operation for op in region.blocks[0].operations if len(op.regions)]
    found = [loop for op in tops for loop in (op, *collect(op, ["scf.for"]))]
    wgmmas = [(loop, started) for loop in found if loop.name == "scf.for" and (started := wgmmas_of(loop))]
    return Group(region.blocks[0], [loop for loop, _ in wgmmas], [started for _, started in wgmmas])


def wgmmas_of(loop: ir.Operation) -> list[ir.Operation]:
    """The wgmmas of an iteration; none if they do not start together, are not asynchronous, or are too small."""
    ops = [op for op in body_operations(loop) if op.name in (WGMMA, WGMMA_WAIT)]
    wgmmas = [op for op in ops if op.name == WGMMA]
    together = len(wgmmas) > 1 and ops[: len(wgmmas)] == wgmmas and all(op.opview.isAsync for op in wgmmas)
    if not together or wgmmas[0].opview.a.type.shape[-1] < PING_PONG_DEPTH or not are_loaded_ahead(wgmmas[0]):
        return []
    return wgmmas if sum(map(work_of, wgmmas)) >= PING_PONG_WORK else []


def are_loaded_ahead(wgmma: ir.Operation) -> bool:
    """Whether enough columns of B are loaded ahead, in slots of one buffer; a B without slots is always loaded."""
    right = wgmma.opview.b
    part, whole = right.type.shape, viewed(right).type.shape
    return len(whole) == len(part) or whole[0] * part[-1] >= PING_PONG_BUFFERED


def work_of(wgmma: ir.Operation) -> int:
    """Columns times depth of a wgmma."""
    return wgmma.result.type.shape[-1] * wgmma.opview.a.type.shape[-1]


def are_even(groups: Sequence[Group]) -> bool:
    """Whether the alternating loops of all partitions correspond in order, and run equally often."""
    first, *others = (group.loops for group in groups)
    alike = Alike()
    return all(len(first) == len(loops) and all(map(alike.run, first, loops)) for loops in others)


class Alike:
    """Compares what two partitions compute; each pair of values once."""

    def __init__(self) -> None:
        self.known: dict[tuple[ir.Value, ir.Value], bool] = {}

    def run(self, op: ir.Operation, other: ir.Operation) -> bool:
        """Whether two loops or branches, each in its partition, run equally often, and those around them too."""
        if op.name != other.name or op.name not in DECIDING or not all(map(self.same, deciding(op), deciding(other))):
            return False
        outer, others = op.parent.operation, other.parent.operation
        if outer.name == others.name == PARTITIONS:
            return True
        return branch_of(op) == branch_of(other) and self.run(outer, others)

    def same(self, value: ir.Value, other: ir.Value) -> bool:
        """Whether values of two partitions are computed alike, and so are equal."""
        pair = value, other
        if pair not in self.known:
            are_arguments = [isinstance(one.owner, ir.Block) for one in pair]
            if any(are_arguments):
                self.known[pair] = all(are_arguments) and self.same_argument(value, other)
            else:
                self.known[pair] = self.same_result(value, other)
        return self.known[pair]

    def same_argument(self, value: ir.Value, other: ir.Value) -> bool:
        """Whether arguments are one captured value, or induction variables of corresponding loops."""
        number, holder, second = ir.BlockArgument(value).arg_number, holder_of(value), holder_of(other)
        if number != ir.BlockArgument(other).arg_number or holder.name != second.name:
            return False
        return holder.name == PARTITIONS or (number == 0 and self.run(holder, second))

    def same_result(self, value: ir.Value, other: ir.Value) -> bool:
        """Whether results are those of the same operation on the same values."""
        op, second = value.owner.operation, other.owner.operation
        if (
            op.name != second.name
            or len(op.regions)
            or memory_effects(op) != []
            or attributes_of(op) != attributes_of(second)
        ):
            return False
        number, operands, others = ir.OpResult(value).result_number, list(op.operands), list(second.operands)
        same = number == ir.OpResult(other).result_number and len(operands) == len(others)
        return same and all(map(self.same, operands, others))


def deciding(op: ir.Operation) -> list[ir.Value]:
    """The values that determine how often a region of a loop or branch runs."""
    return list(op.operands)[: DECIDING[op.name]]


def branch_of(op: ir.Operation) -> int:
    """The number of an operation's region in its parent."""
    return list(op.parent.regions).index(op.block.region)


def attributes_of(op: ir.Operation) -> dict[str, ir.Attribute]:
    """The attributes of an operation without those that name its group."""
    return {name: op.attributes[name] for name in op.attributes if name not in OF_GROUPS}


# --- Alternating ------------------------------------------------------------------------------------------------------
def alternate(group: Group, place: int, numbers: Sequence[int]) -> None:
    """Makes the group number `place` wait at its barrier in each iteration, and arrive at that of the next group."""
    block, last = group.block, len(numbers) - 1
    with group.loops[0].location:
        begin = ir.InsertionPoint.at_block_begin(block)
        own, following, threads = (
            arith.i32(number, ip=begin) for number in (numbers[place], numbers[place - last], THREADS)
        )
        if place == last:
            ttng.arrive_barrier_named(following, threads, ip=begin)
        for wgmmas in group.wgmmas:
            ttng.wait_barrier_named(own, threads, ip=ir.InsertionPoint(wgmmas[0]))
            ttng.arrive_barrier_named(following, threads, ip=ir.InsertionPoint.after(wgmmas[-1]))
        if place == 0:
            ttng.wait_barrier_named(own, threads, ip=ir.InsertionPoint(terminator(block)))
