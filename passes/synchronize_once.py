"""Have the warp groups of attention that copy their operands synchronize once in an iteration, not twice.

                                                            ttg.async_wait {num = 2}
    scf.for %i {                                            scf.for %i {
      ttg.async_wait {num = 2}        // and a barrier        %s = ttng.warp_group_dot %q, %k[i] {isAsync}
      %s = ttng.warp_group_dot %q, %k[i] {isAsync}            %w = ttng.warp_group_dot_wait %s {pendings = 0}
      %w = ttng.warp_group_dot_wait %s {pendings = 0}   =>    %p = softmax(%w)
      %p = softmax(%w)                                        %o = ttng.warp_group_dot %p, %v[i], %sum {isAsync}
      %o = ttng.warp_group_dot %p, %v[i], %sum {isAsync}      ttg.async_wait {num = 0}        // and a barrier
      copies to %k[i + 2], %v[i + 2]  // after a barrier      copies to %k[i + 2], %v[i + 2]
    }                                                       }

One barrier ensures that the next iteration's operands have arrived for all threads, and that all have read the buffers
that copies overwrite.  Between such barriers one group can compute while the other's wgmmas run.  Copies start when
those of the previous iteration have arrived, for which the time between two wgmmas was enough.  Loops with one wgmma
become slower, down to 0.79 times as fast on an H200; those of one warp group do not change (docs/pipelining.md).

Input:  ttg.      Output: ttg.
Order:  late, after loops are pipelined and while they are scf.for.
Skips:  loops of fewer than eight warps; loops without two wgmmas with a wait for the first; loops that do not leave the
        copies of a whole iteration in flight at their only wait, or with reads that use its token.
Test:   test/lit/passes/synchronize_once.mlir
"""

from mlir import ir

from ttkit.dialects import ttg
from ttkit.inspection import collect, has_uses
from ttkit.layout.hardware import GROUP_WARPS
from ttkit.operation_sets import ASYNC_COMMIT, ASYNC_COPY, ASYNC_WAIT, WGMMA, WGMMA_WAIT
from ttkit.passes.infra import Pass
from ttkit.passes.infra.loops import body_operations
from ttkit.passes.layouts.thread_counts import num_warps


class SynchronizeOnce(Pass):
    """Have warp groups of attention that copy their operands synchronize once in an iteration"""

    name = "ttkit-synchronize-once"
    dependent_dialects = ("ttg",)

    def run(self, op: ir.Operation) -> None:
        """Moves the wait of each such loop right before its copies."""
        for loop in collect(op, ["scf.for"]):
            if num_warps(loop) >= 2 * GROUP_WARPS:
                synchronize_once(loop)


def synchronize_once(loop: ir.Operation) -> None:
    """Moves the wait of a loop before its copies, if it has one that can be there."""
    names = [op.name for op in body_operations(loop)]
    waits = collect(loop, [ASYNC_WAIT])
    if len(waits) != 1 or ASYNC_COPY not in names or names.count(ASYNC_WAIT) != 1 or has_uses(waits[0].result):
        return
    wait, ops = waits[0], body_operations(loop)
    copies, groups = [op for op in ops if op.name == ASYNC_COPY], names.count(ASYNC_COMMIT)
    first = ops.index(copies[0])
    between = ops[ops.index(wait) : first]
    done = any(op.name == WGMMA_WAIT and op.attributes["pendings"].value == 0 for op in between)
    done &= sum(op.name == WGMMA for op in between) > 1
    left = wait.attributes["num"].value
    if not done or left < groups or len(collect(loop, [ASYNC_COPY, ASYNC_COMMIT])) != len(copies) + groups:
        return
    ttg.async_wait([], left, loc=wait.location, ip=ir.InsertionPoint(loop))
    ttg.async_wait([], left - groups, loc=wait.location, ip=ir.InsertionPoint(copies[0]))
    wait.erase()
