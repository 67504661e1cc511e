"""Pipeline scheduled loops: loads of later iterations run while an iteration computes.

    scf.for ... {                                      ttg.async_copy_global_to_local ...     // of iterations 0 and 1
      %x = tt.load %p {loop.stage = 0}                 scf.for ... {
      %y = tt.dot ... %x {loop.stage = 2}      =>        ttg.async_wait {num = 2}
    }                                                    %x = ttg.local_load ...              // of this iteration
                                                         %y = tt.dot ... %x
                                                         ttg.async_copy_global_to_local ...   // two iterations ahead
                                                       }

Its steps, each in a file of pipelining/:

- Loads become asynchronous (lower_loops.py).
- Loops are expanded, so that stages of several iterations run at once (expansion.py).
- Wgmmas of two iterations overlap (async_wgmmas.py).
- Waits are merged, and get the number of copies that may still be in flight (waits.py).
- Stores by TMA become asynchronous (tma_stores.py).

The last three are for loops without a schedule too.

Input:  ttg with the attributes of tritongpu-schedule-loops.      Output: ttg and ttng, without them.
Order:  after tritongpu-schedule-loops; before the passes that clean up: it leaves constants to fold and dead values.
Skips:  expanding loops without a schedule, and those whose schedule can't be kept; stores of loops with one stage.
Test:   test/lit/passes/software_pipeline.mlir
"""

import sys
from collections.abc import Sequence

from mlir import ir

from ttkit.operation_sets import DESCRIPTOR_STORES, WARP_SPECIALIZE, WGMMA
from ttkit.passes.infra import Pass, canonicalize_ops, collect, contains_any, option
from ttkit.passes.infra.loop_attributes import num_stages
from ttkit.passes.pipelining.async_wgmmas import launch_wgmmas
from ttkit.passes.pipelining.expansion import expand
from ttkit.passes.pipelining.lower_loops import lower_loops
from ttkit.passes.pipelining.schedule import Schedule, remove_schedule
from ttkit.passes.pipelining.tma_stores import pipeline_stores
from ttkit.passes.pipelining.waits import merge_waits
from ttkit.records import dataclass


@dataclass(frozen=True)
class Pipeline(Pass):
    """Pipeline scheduled loops"""

    name = "tritongpu-pipeline"
    dependent_dialects = ("arith", "scf", "ttg", "ttng", "ub")
    may_change = "the order of floating-point sums"  # of wgmmas that are split along K
    takes_pointers_apart = "loads start before what earlier iterations store"

    num_stages: int = option(3, "iterations in flight, for loops that do not say")
    dump_intermediate_steps: bool = option(False, "print the IR after each step to standard error")

    def run(self, op: ir.Operation) -> None:
        """Lowers asynchronous operations, expands the loops, then makes wgmmas and stores asynchronous."""
        loops = lower_loops(op)
        self.dump(op, "LowerLoops", loops)
        # Not after the expansion, which copies operations with their attributes.
        # In partitions of warps, constants have moved out of loops.
        for scheduled in [op] if contains_any(op, [WARP_SPECIALIZE]) else collect(op, ["scf.for"]):
            remove_schedule(scheduled)
        for loop, schedule in loops:
            expand(loop, schedule.in_order(loop))
        self.dump(op, "ExpandLoops")
        if contains_any(op, [WGMMA]):
            canonicalize_ops(op, ())  # dead wgmmas must not get waits, which would keep them alive
            for loop in reversed(collect(op, ["scf.for"])):
                if num_stages(loop, self.num_stages) >= 1:  # 0: warp specialization handles the loop
                    launch_wgmmas(loop)
        merge_waits(op)
        canonicalize_ops(op, ())
        if contains_any(op, DESCRIPTOR_STORES):
            for loop in reversed(collect(op, ["scf.for"])):
                if num_stages(loop, self.num_stages) > 1:
                    pipeline_stores(loop)

    def dump(self, op: ir.Operation, step: str, loops: Sequence[tuple[ir.Operation, Schedule]] = ()) -> None:
        """Prints the IR, with the schedules of loops, if the option asks for it."""
        if self.dump_intermediate_steps:
            for loop, schedule in loops:
                schedule.write(loop)
            print(f"// -----// SoftwarePipeliner internal IR Dump After: {step}\n{op}\n\n", file=sys.stderr)
