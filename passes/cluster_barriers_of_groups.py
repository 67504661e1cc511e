"""Let groups of specialized warps synchronize with the same groups of the other CTAs of a cluster.

    ttg.warp_specialize(...)
    partition0(...) {
      ttng.cluster_barrier
      ttg.warp_return
    }
  =>
    %b = ttg.local_alloc : () -> !ttg.memdesc<2xi64, ...>     // an mbarrier in each CTA
    %p = ttg.local_alloc %zero : (tensor<1xi32>) -> ...       // the parity of the next phase
    ttng.init_barrier %b, 2
    ttg.warp_specialize(..., %b, %p)
    partition0(...) {
      ttg.local_barrier
      %phase = ...                                            // loaded from %p
      ttng.arrive_barrier %b, 1 {multicastCTA = 1 : i32}
      ttng.wait_barrier %b, %phase
      ttg.local_store ..., %p                                 // the other parity
      ttg.warp_return
    }

The cluster's barrier of the hardware counts all threads, and the other groups do not come to it.  A product by two CTAs
gets such a barrier for both before it, since each reads what the other has stored; outside of groups its lowering has
one.

Input:  ttg.      Output: ttg.
Order:  before shared memory is allocated, and before ttkit-cluster-barrier-insertion, for the mbarriers that it makes.
Skips:  clusters of one CTA; ttng.cluster_arrive and ttng.cluster_wait, which the lowering refuses in groups.
Test:   test/lit/passes/cluster_barriers_of_groups.mlir
"""

from collections.abc import Sequence
from typing import NamedTuple

from mlir import ir

from ttkit.analysis.control_flow import partitions
from ttkit.dialects import _layouts, arith, tt, ttg, ttng
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import collect, contains_any, enclosing
from ttkit.layout.blocked import default_blocked
from ttkit.layout.encodings import SwizzledShared
from ttkit.operation_sets import PARTITIONS, TCGEN5_MMAS, WARP_SPECIALIZE
from ttkit.passes.infra import Pass
from ttkit.passes.infra.mbarriers import one_element
from ttkit.passes.infra.transforms import set_operands
from ttkit.passes.layouts.thread_counts import num_ctas, regular_machine_of

BARRIER, TWO_CTAS = "ttng.cluster_barrier", "two_ctas"


class GroupBarrier(NamedTuple):
    """The mbarriers of a group of warps, one for each CTA, and the buffer of the phase that they wait for next."""

    barriers: ir.Value
    phase: ir.Value


class ClusterBarriersOfGroups(Pass):
    """Let groups of specialized warps synchronize with the same groups of other CTAs"""

    name = "ttkit-cluster-barriers-of-groups"
    dependent_dialects = ("arith", "tt", "ttg", "ttng")

    def run(self, op: ir.Operation) -> None:
        """Lowers the barriers of each group, and adds those of products by two CTAs."""
        if num_ctas(op) == 1 or not contains_any(op, (BARRIER, *TCGEN5_MMAS)):
            return
        for specialization in collect(op, [WARP_SPECIALIZE]):
            together: dict[tuple[int, int], list[ir.Operation]] = {}
            for each in barriers_in(specialization):
                together.setdefault((group_of(each, specialization), mask_of(each)), []).append(each)
            for number, mask in sorted(together):
                made = make_barrier(specialization, mask)
                if number:
                    made = captured(specialization, partitions(specialization.opview)[number - 1], made)
                for each in together[number, mask]:
                    synchronize(each, made, mask)


def barriers_in(specialization: ir.Operation) -> list[ir.Operation]:
    """The operations in its groups of warps for which CTAs must come together."""
    found = collect(specialization, (BARRIER, *TCGEN5_MMAS))
    found = [each for each in found if each.name == BARRIER or TWO_CTAS in each.attributes]
    return [each for each in found if enclosing(each, WARP_SPECIALIZE) == specialization]


def group_of(op: ir.Operation, specialization: ir.Operation) -> int:
    """0 in the default region, else the partition's number, from 1 on."""
    holder = enclosing(op, PARTITIONS)
    if holder is None or holder.parent.operation != specialization:
        return 0
    block = op.block
    regions = partitions(specialization.opview)
    while block.region not in regions:
        block = block.owner.operation.block
    return 1 + regions.index(block.region)


def mask_of(op: ir.Operation) -> int:
    """The bits in which the numbers of the CTAs differ that come together."""
    return num_ctas(op) - 1 if op.name == BARRIER else 1


def make_barrier(specialization: ir.Operation, mask: int) -> GroupBarrier:
    """Builds the buffers before the groups begin, and ends the mbarriers after."""
    ctas, context = num_ctas(specialization), specialization.context
    i64, i32 = (ir.IntegerType.get_signless(bits, context) for bits in (64, 32))
    each = SwizzledShared(1, 1, 1, (0,), tuple((1 << bit,) for bit in range(ctas.bit_length() - 1)))
    with specialization.location, ir.InsertionPoint(specialization):
        barriers = ttg.local_alloc(MemDescType.get([ctas], i64, each, mutable=True))
        ttng.init_barrier(barriers, 1 << mask.bit_count())
        zero = tt.splat(arith.i32(0), number_type(specialization))
        phase = ttg.local_alloc(MemDescType.get([1], i32, one_element(specialization), mutable=True), src=zero)
    with specialization.location, ir.InsertionPoint.after(specialization):
        ttng.inval_barrier(barriers)
    return GroupBarrier(barriers, phase)


def number_type(op: ir.Operation) -> ir.Type:
    """The type of a tensor of one i32 for the warps that run `op`.

    Raises:
        PassError: warps, threads of a warp or CTAs are not a power of two.
    """
    layout = default_blocked([1], *regular_machine_of(op))
    i32 = ir.IntegerType.get_signless(32, op.context)
    return ir.RankedTensorType.get([1], i32, _layouts.attribute(layout), loc=op.location)


def captured(specialization: ir.Operation, region: ir.Region, values: Sequence[ir.Value]) -> GroupBarrier:
    """The values as a partition sees them; the others capture them, too."""
    set_operands(specialization, [*specialization.operands, *values])
    found = GroupBarrier(*values)
    for each in partitions(specialization.opview):
        arguments = [each.blocks[0].add_argument(value.type, specialization.location) for value in values]
        if each == region:
            found = GroupBarrier(*arguments)
    return found


def synchronize(op: ir.Operation, made: GroupBarrier, mask: int) -> None:
    """Has the group come together with those of other CTAs before a product, or in place of a barrier."""
    with op.location, ir.InsertionPoint(op):
        kind = number_type(op)
        ttg.local_barrier()
        phase = tt.unsplat(ttg.local_load(made.phase, kind))
        arrival = ttng.arrive_barrier(made.barriers, 1)
        arrival.operation.attributes["multicastCTA"] = ir.IntegerAttr.get(
            ir.IntegerType.get_signless(32, op.context), mask
        )
        ttng.wait_barrier(made.barriers, phase, [])
        ttg.local_store(tt.splat(arith.xori(phase, arith.i32(1)), kind), made.phase)
    if op.name == BARRIER:
        op.erase()
