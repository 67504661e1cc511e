"""Let the programs of a kernel have more shared memory than they use.

    module attributes {ttg.shared = 1024 : i32}
  =>
    module attributes {ttg.shared = 65536 : i32}          // bytes=65536

Fewer programs then run at the same time on a multiprocessor.

Input:  any module after shared memory was allocated.      Output: the same, `ttg.shared` raised.
Order:  after allocate-shared-memory-nv.
Skips:  kernels that use as much.
Test:   test/lit/passes/set_minimum_shared_memory.mlir
"""

from mlir import ir

from ttkit.module_attributes import module_number
from ttkit.passes.infra import Pass, option
from ttkit.passes.infra.constants import i32_attribute
from ttkit.records import dataclass

SHARED = "ttg.shared"


@dataclass(frozen=True)
class SetMinimumSharedMemory(Pass):
    """Let the programs of a kernel have more shared memory than they use"""

    name = "set-minimum-shared-memory"

    bytes: int = option(0, "bytes of shared memory of a program at least")

    def run(self, op: ir.Operation) -> None:
        """Raises the number that launches read."""
        if self.bytes > module_number(op, SHARED, 0):
            op.attributes[SHARED] = i32_attribute(self.bytes)
