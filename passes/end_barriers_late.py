"""Keep the barriers of divided loops valid until the last products in tensor memory have arrived at them.

    ttg.warp_specialize(...)                 ttg.warp_specialize(...)
    ttng.inval_barrier %empty         =>     ttng.wait_barrier %done
    ttng.wait_barrier %done                  ttng.inval_barrier %empty

A commit arrives in the background, after all earlier ones.  If the last commit of the loop arrives at %done, the wait
after the loop ensures that all commits have arrived.  Otherwise the partition ends with a commit of its own, for which
it waits:

    partition0(...) {                        partition0(...) {
      scf.for ... {                            scf.for ... {
        ttng.tc_gen5_commit %done                ttng.tc_gen5_commit %done
        ttng.tc_gen5_commit %empty    =>         ttng.tc_gen5_commit %empty
      }                                        }
      ttg.warp_return                          ttng.tc_gen5_commit %last;  ttng.wait_barrier %last, 0
                                               ttg.warp_return

Triton leaves the barriers of the loop invalid before.  An arrival there is undefined: it may count for the barrier that
the next loop sets up in the same place.

Input:  ttg.      Output: ttg.
Order:  when tritongpu-automatic-warp-specialization has written both, before shared memory is allocated.
Skips:  what ends barriers elsewhere.
Test:   test/lit/passes/end_barriers_late.mlir
"""

from mlir import ir

from ttkit.analysis.control_flow import partitions
from ttkit.dialects import arith, ttg, ttng
from ttkit.inspection import collect, terminator
from ttkit.operation_sets import ARRIVE_BARRIER, TCGEN5_MMAS, WAIT_BARRIER, WARP_SPECIALIZE
from ttkit.passes.infra import Pass
from ttkit.passes.infra.mbarriers import make_barriers
from ttkit.passes.infra.value_flow import viewed

COMMIT, INVAL = "ttng.tc_gen5_commit", "ttng.inval_barrier"


class EndBarriersLate(Pass):
    """Keep the barriers of divided loops valid until the last products have arrived at them"""

    name = "ttkit-end-barriers-late"
    dependent_dialects = ("arith", "ttg", "ttng")

    def run(self, op: ir.Operation) -> None:
        """Has commits arrive in each divided loop, or moves the end of barriers after it."""
        for specialization in collect(op, [WARP_SPECIALIZE]):
            after = following(specialization)
            ended = {viewed(each.opview.alloc) for each in after if each.name == INVAL}
            waits = [each for each in after if each.name == WAIT_BARRIER]
            for region in [specialization.regions[0], *partitions(specialization.opview)]:
                commits = commits_in(region)
                arrives = any(barrier in ended for each in commits for barrier in barriers_of(each, specialization))
                if arrives and not is_waited_for(commits, specialization, waits):
                    wait_at_end(region)
            if not waits:
                continue
            last = waits[-1]
            for each in after[: after.index(last)]:
                if ends_barriers(each):
                    each.move_after(last)
                    last = each


def following(specialization: ir.Operation) -> list[ir.Operation]:
    """The operations after it in its block, up to the next of its kind."""
    found: list[ir.Operation] = []
    operations = [each.operation for each in specialization.block.operations]
    for op in operations[operations.index(specialization) + 1 :]:
        if op.name == WARP_SPECIALIZE:
            break
        found.append(op)
    return found


def ends_barriers(op: ir.Operation) -> bool:
    """Whether the operation ends a barrier, or the memory of some."""
    is_freed = op.name == "ttg.local_dealloc" and str(op.opview.src.type.element_type) == "i64"
    return op.name == INVAL or is_freed


# --- Commits ----------------------------------------------------------------------------------------------------------
def commits_in(region: ir.Region) -> list[ir.Operation]:
    """The operations of a region that arrive at barriers when products are done, in the order of the text."""
    ops = [op for block in region.blocks for each in block.operations for op in collect(each.operation, KINDS)]
    return [op for op in ops if op.name == COMMIT or len(op.opview.barriers)]


KINDS = (COMMIT, *TCGEN5_MMAS)
"""What commits: mmas do if they have barriers."""


def barriers_of(commit: ir.Operation, specialization: ir.Operation) -> list[ir.Value]:
    """The buffers outside of the divided loop with the barriers that a commit arrives at."""
    values = [commit.opview.barrier] if commit.name == COMMIT else commit.opview.barriers
    return [captured(value, specialization) for value in values]


def captured(value: ir.Value, specialization: ir.Operation) -> ir.Value:
    """The buffer of a view, as it is known outside of partitions."""
    buffer = viewed(value)
    if isinstance(buffer.owner, ir.Block) and buffer.owner.owner.operation.parent.operation == specialization:
        return viewed(specialization.operands[ir.BlockArgument(buffer).arg_number])
    return buffer


def is_waited_for(commits: list[ir.Operation], specialization: ir.Operation, waits: list[ir.Operation]) -> bool:
    """Whether waits after a divided loop are for the last of some commits: nothing else arrives at its barrier."""
    last = commits[-1]
    arrivals = {captured(op.opview.alloc, specialization) for op in collect(specialization, [ARRIVE_BARRIER])}
    waited = {viewed(wait.opview.alloc) for wait in waits}
    return any(barrier in waited and barrier not in arrivals for barrier in barriers_of(last, specialization))


def wait_at_end(region: ir.Region) -> None:
    """Has a region end when all of its commits have arrived."""
    end = terminator(region.blocks[0]).operation
    with end.location, ir.InsertionPoint(end):
        barriers = make_barriers(end, 1)
        barrier = ttg.memdesc_index(barriers, arith.i32(0))
        ttng.tc_gen5_commit(barrier)
        ttng.wait_barrier(barrier, arith.i32(0), [])
        ttng.inval_barrier(barrier)
        ttg.local_dealloc(barriers)
