"""Put a barrier wherever threads must wait for each other because of shared memory.

    ttg.local_store %x, %buffer : ...
    %y = ttg.local_load %buffer : ...
 =>
    ttg.local_store %x, %buffer : ...
    ttg.local_barrier
    %y = ttg.local_load %buffer : ...

Input:  ttg, with control flow of scf or cf.      Output: the same with barriers.
Order:  anywhere; it is for looking at IR and for tests.  Offsets of buffers are found anew.
Skips:  barriers inside of operations: those are up to the lowering.
Test:   test/lit/passes/test_print_membar.mlir
"""

from mlir import ir

from ttkit.analysis.allocation import ModuleAllocation
from ttkit.analysis.membar import Filter, needed_barriers
from ttkit.layout import UnsuitableShape
from ttkit.passes.infra import Pass, PassError


class TestPrintMembar(Pass):
    """Insert the barriers that accesses to shared memory need."""

    name = "test-print-membar"
    dependent_dialects = ("ttg",)

    def run(self, op: ir.Operation) -> None:
        try:
            allocation = ModuleAllocation(op)
        except UnsuitableShape as error:
            raise PassError(op, str(error)) from error
        insert_barriers(allocation)


def insert_barriers(allocation: ModuleAllocation, can_skip: Filter | None = None) -> None:
    """Puts a ttg.local_barrier wherever one is needed."""
    for op, is_after in needed_barriers(allocation, can_skip):
        point = ir.InsertionPoint.after(op) if is_after else ir.InsertionPoint(op)
        ir.Operation.create("ttg.local_barrier", loc=op.location, ip=point)
