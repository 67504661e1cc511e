"""Write the times of a region at its end: nothing but the clock is read where it begins.

    %0 = proton_gpu.read_counter : i32
    proton_gpu.circular_store start %segment, %0 {scopeId = 0 : i32}
    %x = tt.load %p
    %1 = proton_gpu.read_counter : i32
    proton_gpu.circular_store end %segment, %1 {scopeId = 0 : i32}
  =>
    %0 = proton_gpu.read_counter : i32
    %x = tt.load %p
    %1 = proton_gpu.read_counter : i32
    proton_gpu.circular_store start %segment, %0 {scopeId = 0 : i32}
    proton_gpu.circular_store end %segment, %1 {scopeId = 0 : i32}

Input:  ttg with proton_gpu.      Output: the same.
Order:  after convert-proton-to-protongpu.
Skips:  regions that begin and end in different blocks.
Test:   test/lit/passes/schedule_buffer_store.mlir
"""

from mlir import ir

from ttkit.passes.infra import Pass, collect

STORE = "proton_gpu.circular_store"


class ScheduleBufferStore(Pass):
    """Write the times of a region at its end"""

    name = "proton-schedule-buffer-store"

    def run(self, op: ir.Operation) -> None:
        """Moves each region's first store before its last, if both are in one block."""
        starts: dict[int, ir.Operation] = {}
        for store in collect(op, [STORE]):
            scope = store.attributes["scopeId"].value
            if "isStart" in store.attributes:
                starts[scope] = store
            elif (start := starts.pop(scope, None)) is not None and start.block == store.block:
                start.move_before(store)
