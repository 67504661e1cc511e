"""Specialize the warps of loops that ask for it on Blackwell: some load by TMA, some start MMAs, some compute.

    scf.for ... {                                ttg.warp_specialize(...)
      %x = tt.descriptor_load %d[%i]             default { scf.for ... { wait for the product; ... } }
      %b = ttg.local_alloc %x                =>  partition0(...) num_warps(4) { scf.for ... { ttng.tc_gen5_mma } }
      ttng.tc_gen5_mma %a, %b, %c                partition1(...) num_warps(4) { scf.for ... { wait for room; copy } }
    } {tt.warp_specialize}

Each step is a pass with its own documentation.  After them, the loops are scheduled again, partition by partition, for
tritongpu-pipeline.  Modules without such loops are folded and scheduled again.

Differs from Triton: if a step can't handle a loop, Triton's compilation fails.  Here all warps run the whole loop,
which is pipelined like others, and a remark gives the reason.

Input:  ttg.      Output: ttg with ttg.warp_specialize.
Order:  after schedule-loops, whose stages and order the steps follow.
Skips:  loops that do not ask, or without the tcgen05 operations or loads that start a partition; fewer than four warps;
        reductions and scans of elements that several CTAs hold, which have to synchronize.
Test:   test/lit/passes/automatic_warp_specialization.mlir
"""

from mlir import ir
from mlir.passmanager import PassManager

from ttkit.inspection import collect, enclosing
from ttkit.layout import to_linear_layout
from ttkit.layout.hardware import GROUP_WARPS
from ttkit.operation_sets import WARP_SPECIALIZE
from ttkit.passes.assign_latencies import assign_in
from ttkit.passes.infra import Pass, PassError, option, remark
from ttkit.passes.infra.loop_attributes import (
    CLUSTER,
    SCHEDULED_MAX_STAGE,
    SELF_LATENCY,
    STAGE,
    WARP_SPECIALIZE_LOOP,
    specialized_loops,
    take_latencies,
)
from ttkit.passes.infra.nesting import operations_in
from ttkit.passes.insert_aref import InsertAref
from ttkit.passes.insert_tmem_aref import InsertTmemAref
from ttkit.passes.layouts.assignment import tensor_layout
from ttkit.passes.layouts.thread_counts import num_warps
from ttkit.passes.lower_aref import LowerAref
from ttkit.passes.nvws_lower_warp_group import NVWSLowerWarpGroup
from ttkit.passes.partition_loops import PartitionLoops
from ttkit.passes.partition_scheduling import PartitionScheduling
from ttkit.passes.schedule_loops import ScheduleLoops, nested_operations, schedule_loop
from ttkit.records import dataclass


@dataclass(frozen=True)
class AutomaticWarpSpecialization(Pass):
    """Divide loops that ask for it among groups of warps on Blackwell"""

    name = "tritongpu-automatic-warp-specialization"
    dependent_dialects = ("arith", "scf", "ttg", "ttng", "nvws")
    takes_pointers_apart = "one group of warps loads while another one stores"
    num_stages: int = option(3, "parts of the buffers that are loaded")

    def run(self, op: ir.Operation) -> None:
        """Divides a copy of the module, and takes it if all goes well; a loop that can't be divided is left out.

        Then a remark says why, and the rest is tried again from the beginning.
        """
        if not specialized_loops(op) or num_warps(op) < GROUP_WARPS:
            merge(op)
            schedule(op)
            return
        attempt = op.clone()
        while specialized_loops(attempt):
            try:
                self._divide(attempt)
                break
            except PassError as error:
                number = function_of(attempt, error.operation)
                function = collect(op, ["tt.func"])[number]
                loops = specialized_loops(function)
                remark(
                    same_place(loops, error.operation),
                    f"{error.message}: all warps run the whole loop, which is pipelined",
                )
                for loop in loops:
                    del loop.attributes[WARP_SPECIALIZE_LOOP]
                    schedule_for_all_warps(loop, self.num_stages)
                attempt.erase()
                attempt = op.clone()
        else:
            attempt.erase()
            merge(op)
            schedule(op)
            return
        for old, new in zip(collect(op, ["tt.func"]), collect(attempt, ["tt.func"])):
            new.move_before(old)
            old.erase()
        attempt.erase()

    def _divide(self, module: ir.Operation) -> None:
        PartitionScheduling().run(module)
        InsertAref().run(module)
        InsertTmemAref().run(module)
        merge(module)
        LowerAref(self.num_stages).run(module)
        PartitionLoops().run(module)
        schedule(module)
        check_captures(module)
        check_exchanges(module)


def merge(module: ir.Operation) -> None:
    """Folds constants and merges equal operations."""
    PassManager.parse(f"{module.name}(sccp,cse)", module.context).run(module)


def schedule(module: ir.Operation) -> None:
    """The last steps, which also change modules without partitions: they fold, and schedule loops anew."""
    NVWSLowerWarpGroup().run(module)
    ScheduleLoops().run(module)


def schedule_for_all_warps(loop: ir.Operation, stages: int) -> None:
    """Schedules a loop anew that is not divided, and the loops in it.

    In a divided loop, users of a product may run in a later stage than the next product, since other warps run them.
    """
    loops = [each for each in (loop, *collect(loop, ["scf.for"])) if SCHEDULED_MAX_STAGE in each.attributes]
    for each in loops:
        del each.attributes[SCHEDULED_MAX_STAGE]
        for op in operations_in(each)[:-1]:
            for name in (STAGE, CLUSTER, SELF_LATENCY):
                if name in op.attributes:
                    del op.attributes[name]
    assign_in(loops, stages)
    for each in loops:
        schedule_loop(each, take_latencies(nested_operations(each)))


def check_captures(module: ir.Operation) -> None:
    """Refuses partitions that take tensors.

    Raises:
        PassError: there is one.
    """
    for specialization in collect(module, [WARP_SPECIALIZE]):
        if any(isinstance(value.type, ir.RankedTensorType) for value in specialization.operands):
            raise PassError(specialization, "a partition needs a tensor that is computed before the loop")


def check_exchanges(module: ir.Operation) -> None:
    """Refuses partitions that combine elements of several CTAs: the CTAs would have to synchronize, and their barrier
    counts the threads of all partitions.

    Raises:
        PassError: there is one.
    """
    for op in collect(module, ["tt.reduce", "tt.scan"]):
        type = op.operands[0].type
        layout = to_linear_layout(type.shape, tensor_layout(type))
        axis = layout.out_dims[op.attributes["axis"].value]
        if enclosing(op, WARP_SPECIALIZE) is not None and not layout.is_zero(["block"], [axis]):
            raise PassError(op, f"a partition has a {op.name} of elements that several CTAs hold")


def function_of(module: ir.Operation, op: ir.Operation) -> int:
    """The number of the function that an operation is, or is in."""
    function = op if op.name == "tt.func" else enclosing(op, "tt.func")
    return collect(module, ["tt.func"]).index(function)


def same_place(loops: list[ir.Operation], op: ir.Operation) -> ir.Operation:
    """The loop in the place of a copied operation or of a loop around it; else the first loop."""
    while op.name != "tt.func":
        for loop in loops:
            if loop.location == op.location:
                return loop
        op = op.parent.operation
    return loops[0]
