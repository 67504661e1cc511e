"""Print the place of every buffer in shared memory, as remarks: offsets and sizes in bytes.

    %0 = ttg.local_alloc : () -> !ttg.memdesc<16x16xf16, ...>    =>  remark: offset = 0, size = 512
    %1 = ttg.convert_layout %x : ...                             =>  remark: scratch offset = 512, size = 1024
    tt.call @f() : () -> ()                                      =>  remark: virtual offset = 512, size = 256

and of a function its name, and how much it needs in all: `size = 1536`.

Input:  ttg.      Output: the same.
Order:  anywhere; it is for looking at IR and for tests.
Skips:  tensor memory.
Test:   test/lit/passes/test_print_allocation.mlir
"""

from mlir import ir

from ttkit.analysis.scratch_sizes import ScratchTarget
from ttkit.passes.infra import Pass, PassError, option, remark
from ttkit.passes.infra.buffers_and_barriers import allocate_buffers
from ttkit.records import dataclass


@dataclass(frozen=True)
class TestPrintAllocation(Pass):
    """Print offset and size of each buffer in shared memory, as remarks."""

    name = "test-print-allocation"
    get_scratch_size_function: str = option(
        "None", "how much scratch memory operations need: None, each its own; ValidConstant, 128 bytes for every one"
    )

    def run(self, op: ir.Operation) -> None:
        """Remarks on each buffer, offset and size in bytes, and on each function.

        Raises:
            PassError: the option names no function of scratch sizes.
        """
        choice = self.get_scratch_size_function
        if choice not in ("None", "ValidConstant"):
            raise PassError(op, f"get-scratch-size-function is None or ValidConstant, not '{choice}'")
        target = ScratchTarget(bytes_of_each=128 if choice == "ValidConstant" else 0)
        for allocation in allocate_buffers(op, target).functions.values():
            remark(allocation.function, allocation.function.attributes["sym_name"].value)
            for buffer in sorted(allocation.buffers, key=lambda buffer: allocation.numbers[buffer.owner.operation]):
                kind = "" if buffer.kind == "explicit" else f"{buffer.kind} "
                remark(buffer.owner, f"{kind}offset = {buffer.offset}, size = {buffer.size}")
            remark(allocation.function, f"size = {allocation.size}")
