"""Specialize the warps of loops that ask for it on Hopper: one group loads, one or two compute.

    scf.for ... {                                ttg.warp_specialize(...)
      %x = tt.descriptor_load %d[%i]             default { scf.for ... { wait for room; copy } }
      %b = ttg.local_alloc %x                =>  partition0(...) { scf.for ... { wait for data; warp_group_dot } }
      %r = ttng.warp_group_dot %a, %b, %c        partition1(...) { scf.for ... }      // the other half of the rows
    } {tt.warp_specialize}

The steps are those of partitioning/.  If the dots can't be divided in two, one group computes.  The loops then have
tt.num_stages = 0, so that the pipeliner skips them: the groups overlap their work themselves.

Differs from Triton: if dots can't be divided, both of its groups compute all of them.  For loads through pointers and
for atomics it aborts; here the group that loads copies by cp.async, and loops with atomics are not specialized, with a
remark, and are pipelined.  So are loops that write the tensors that they load for dots.

Input:  ttg.      Output: ttg with ttg.warp_specialize.
Order:  before assign-latencies.
Skips:  functions without loops that ask; those with other than four warps, or a branch with an else.
Test:   test/lit/passes/warp_specialization.mlir
"""

import sys
from collections.abc import Iterable

from mlir import ir

from ttkit.analysis.allocation import Buffer, allocate_function, place, required_buffers
from ttkit.analysis.scratch_sizes import ScratchTarget
from ttkit.inspection import collect, enclosing, holders
from ttkit.layout.hardware import GROUP_WARPS
from ttkit.module_attributes import WARPS_OF_GROUPS
from ttkit.operation_sets import ALONG_AXIS, BLOCK_STORES, LOADS, WGMMA
from ttkit.passes.code_partition import partition_code
from ttkit.passes.data_partition import partition_data
from ttkit.passes.infra import Pass, PassError, clone_operations, option, remark
from ttkit.passes.infra.loop_attributes import NUM_STAGES, specialized_loops
from ttkit.passes.infra.nesting import operations_in
from ttkit.passes.infra.operation_attributes import set_integer
from ttkit.passes.infra.rewriting import only_reads
from ttkit.passes.infra.target import target_of
from ttkit.passes.layouts.thread_counts import num_ctas, num_warps
from ttkit.passes.partitioning.tasks import NotDivisible, tasks_of
from ttkit.passes.partitioning.token_lowering import lower_tokens
from ttkit.passes.pipelining.memory_order import conflicts
from ttkit.passes.task_partition import partition_tasks
from ttkit.passes.task_propagation import propagate_tasks
from ttkit.records import dataclass

# The numbers of warp groups to try, in this order, with the one that loads.
GROUPS = (3, 2)
# Operations with regions that may hold or be held by others.
STRUCTURES = ("tt.func", "scf.for", "scf.if", "tt.reduce", "tt.scan")


@dataclass(frozen=True)
class WarpSpecialization(Pass):
    """Divide loops that ask for it among groups of warps on Hopper"""

    name = "nvgpu-warp-specialization"
    dependent_dialects = ("arith", "scf", "gpu", "ttg", "ttng", "nvws")
    may_change = "the order of floating-point sums"  # numpy sums a slice of a product in another order
    takes_pointers_apart = "one group of warps loads while another one stores"
    takes_launch_to_follow = "it makes tensor maps with the blocks that the compiled kernel asks for"
    num_stages: int = option(3, "parts of the buffers of loops that do not say")
    dump_intermediate_steps: bool = option(False, "print the module after each step")

    def run(self, op: ir.Operation) -> None:
        """Specializes functions on four warps whose loops ask for it; a remark gives the reason if it can't."""
        for function in collect(op, ["tt.func"]):
            if (
                not specialized_loops(function)
                or num_warps(function) != GROUP_WARPS
                or any(map(has_else, collect(function, ["scf.if"])))
            ):
                continue
            try:
                check(function)
                self._specialize(function)
            except NotDivisible as error:
                remark(error.operation, f"{error}: all warps run the whole loop, which is pipelined")

    def _specialize(self, function: ir.Operation) -> None:
        """Divides a function, or raises and leaves it as it was."""
        failure: NotDivisible | None = None
        is_chosen = WARPS_OF_GROUPS in function.parent.operation.attributes
        for groups in GROUPS[:1] if is_chosen else GROUPS:
            (attempt,) = clone_operations([function], [], ir.InsertionPoint(function))
            try:
                self._divide(attempt, groups)
                if is_chosen:
                    check_memory(attempt)
            except NotDivisible as error:
                where = _same_place(function, error.operation)
                failure = NotDivisible(where, error.message)
                attempt.erase()
            else:
                function.erase()
                return
        assert failure is not None
        raise failure

    def _divide(self, function: ir.Operation, groups: int) -> None:
        partition_tasks(function, groups)
        self._dump("doTaskPartition", function)
        propagate_tasks(function)
        self._dump("doTaskIdPropagate", function)
        check_conflicts(function)
        partition_data(function)
        check_repeated(function)
        self._dump("doDataPartition", function)
        try:
            partition_code(function, self.num_stages)
        except NotDivisible:
            raise
        except PassError as error:  # of tasks that these steps have chosen, not the user
            raise NotDivisible(error.operation, error.message) from error
        self._dump("doCodePartition", function)
        lower_tokens(function)
        for loop in collect(function, ["scf.for"]):
            set_integer(loop, NUM_STAGES, 0)

    def _dump(self, step: str, function: ir.Operation) -> None:
        if self.dump_intermediate_steps:
            print(f"// -----// WarpSpec internal IR Dump After: {step}\n{function}\n\n", file=sys.stderr)


def has_else(branch: ir.Operation) -> bool:
    """Whether a branch has an else."""
    return len(branch.regions[1].blocks) > 0


def check(function: ir.Operation) -> None:
    """Refuses functions that the steps don't know how to divide.

    Raises:
        NotDivisible: such a function.
    """
    if num_ctas(function) != 1 or len(function.regions[0].blocks) != 1:
        raise NotDivisible(function, "it runs in clusters, or has several blocks")
    if collect(function, [WGMMA]):
        check_effects(function)


def check_effects(function: ir.Operation) -> None:
    """Refuses operations that only one of the groups may run.

    Raises:
        NotDivisible: such an operation, or one with regions that is not known.
    """
    for op in operations_in(function)[:-1]:
        parent = op.parent.operation
        if len(op.regions) and op.name not in STRUCTURES:
            raise NotDivisible(op, f"{op.name} can't be divided among groups of warps")
        if parent.name in ALONG_AXIS or len(op.regions) or op.name in BLOCK_STORES:
            continue
        if not only_reads(op) and not is_allocation(op):
            raise NotDivisible(op, f"{op.name} has effects that must happen once")


def check_conflicts(function: ir.Operation) -> None:
    """Refuses functions where one task writes global memory that another one may read too early or too late.

    Raises:
        NotDivisible: such a function.
    """
    for first, second in conflicts([op for op in operations_in(function) if not len(op.regions)]):
        reads_later = first.name in BLOCK_STORES and second.name in LOADS
        if {*tasks_of(first)} != {*tasks_of(second)} and (reads_later or share_loop(first, second)):
            names = f"{first.name} and {second.name} may access the same tensor, which the kernel writes"
            raise NotDivisible(
                second, f"{names}; they would be in different groups of warps, which run at the same time"
            )


def check_repeated(function: ir.Operation) -> None:
    """Refuses functions where several tasks store the same elements, which one of them may load after another's store.

    Raises:
        NotDivisible: such a function.
    """
    for first, second in conflicts([op for op in operations_in(function) if not len(op.regions)]):
        is_repeated = max(len(tasks_of(first)), len(tasks_of(second))) > 1
        if is_repeated and (first.name in LOADS or second.name in LOADS):
            names = f"{first.name} and {second.name} may access the same tensor"
            raise NotDivisible(second, f"{names}; several groups of warps would run them, at the same time")


def check_memory(function: ir.Operation) -> None:
    """Refuses a function that takes more shared memory than there is, though nobody asked to divide it.

    Raises:
        NotDivisible: such a function.
    """
    target = target_of(function)
    scratch = ScratchTarget(target)
    # Side by side they take most, and to place them is a seventh of the stage's time for attention.
    apart = sum(buffer.size + buffer.alignment for buffer in lasting(required_buffers(function, scratch, {})))
    if apart <= target.shared_bytes:
        return
    size = place(lasting(allocate_function(function, scratch, {}, is_placed=False).buffers))
    if size > target.shared_bytes:
        raise NotDivisible(function, f"its buffers would take {size} bytes of shared memory, of {target.shared_bytes}")


def lasting(buffers: Iterable[Buffer]) -> list[Buffer]:
    """The buffers without copies of tiles in loops, which go: what reads these will read the tiles themselves."""
    return [buffer for buffer in buffers if enclosing(buffer.owner.operation, "scf.for") is None]


def share_loop(first: ir.Operation, second: ir.Operation) -> bool:
    """Whether a loop holds two operations."""
    return any(holder.name == "scf.for" and holder in holders(second) for holder in holders(first))


def is_allocation(op: ir.Operation) -> bool:
    """Whether all that an operation does to memory is to make some."""
    return op.name == "ttg.local_alloc"


def _same_place(function: ir.Operation, op: ir.Operation) -> ir.Operation:
    """The operation of a function with the location of an operation of its copy; else the function."""
    return next((one for one in operations_in(function) if one.location == op.location), function)
