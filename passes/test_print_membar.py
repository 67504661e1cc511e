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

from ttkit.passes.infra import Pass
from ttkit.passes.infra.buffers_and_barriers import allocate_buffers, insert_barriers


class TestPrintMembar(Pass):
    """Insert the barriers that accesses to shared memory need."""

    name = "test-print-membar"
    dependent_dialects = ("ttg",)

    def run(self, op: ir.Operation) -> None:
        """Allocates, and puts barriers where they are needed."""
        insert_barriers(allocate_buffers(op))
