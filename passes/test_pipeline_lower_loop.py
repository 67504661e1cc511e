"""Make scheduled loops ready for expansion, and stop there.

    %x = tt.load %p {loop.stage = 0 : i32, loop.cluster = 1 : i32}
    %y = arith.addf %acc, %x {loop.stage = 2 : i32, loop.cluster = 0 : i32}
  =>
    %part = ttg.memdesc_index %buffer[%insert] {loop.stage = 0 : i32, loop.cluster = 1 : i32}
    %copy = ttg.async_copy_global_to_local %p, %part {loop.stage = 0 : i32, loop.cluster = 1 : i32}
    ...
    %x = ttg.local_load %read token %done {loop.stage = 2 : i32, loop.cluster = 0 : i32}
    %y = arith.addf %acc, %x {loop.stage = 2 : i32, loop.cluster = 0 : i32}

The first step of tritongpu-pipeline, to look at it alone.

Input:  ttg with the attributes of tritongpu-schedule-loops.      Output: ttg and ttng, scheduled.
Order:  after tritongpu-schedule-loops.
Skips:  loops without a schedule; loads whose data is used in their own stage, or can't be copied 4 bytes at a time.
Test:   test/lit/passes/test_pipeline_lower_loop.mlir
"""

from mlir import ir

from ttkit.passes.infra import Pass
from ttkit.passes.pipelining.lower_loops import lower_loops


class TestPipelineLowerLoop(Pass):
    """Make loads of scheduled loops asynchronous"""

    name = "tritongpu-test-pipeline-lower-loop"
    dependent_dialects = ("arith", "ttg", "ttng")

    def run(self, op: ir.Operation) -> None:
        """Writes down the schedule of each lowered loop."""
        for loop, schedule in lower_loops(op):
            schedule.write(loop)
