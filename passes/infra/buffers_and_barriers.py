"""Buffers of a module in shared memory, and the barriers between their accesses."""

from mlir import ir

from ttkit.analysis.allocation import ModuleAllocation
from ttkit.analysis.membar import needed_barriers
from ttkit.analysis.pending_accesses import Filter
from ttkit.analysis.scratch_sizes import GENERIC, ScratchTarget
from ttkit.dialects import ttg
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import memory_effects
from ttkit.layout import UnsuitableShape
from ttkit.operation_sets import WGMMA_WAIT
from ttkit.passes.infra.base import PassError
from ttkit.passes.infra.nesting import operations_in


def allocate_buffers(
    module: ir.Operation, target: ScratchTarget = GENERIC, is_placed: bool = False
) -> ModuleAllocation:
    """Allocates shared memory: the offset of each buffer in bytes; does not change the IR.

    Args:
        is_placed: whether to take the offsets from the IR.

    Raises:
        NotPlaced: `is_placed`, and the IR has none.
        PassError: a tensor's layout does not fit its shape.
    """
    try:
        return ModuleAllocation(module, target, is_placed)
    except UnsuitableShape as error:
        raise PassError(module, str(error)) from error


def insert_barriers(allocation: ModuleAllocation, can_skip: Filter | None = None, keeps_phases: bool = False) -> None:
    """Inserts each ttg.local_barrier that `needed_barriers` asks for."""
    for op, is_after in needed_barriers(allocation, can_skip, keeps_phases):
        point = ir.InsertionPoint.after(op) if is_after else ir.InsertionPoint(op)
        ttg.local_barrier(loc=op.location, ip=point)


def is_buffer(value: ir.Value) -> bool:
    """Whether a value is a buffer in shared or tensor memory."""
    return isinstance(value.type, MemDescType)


def may_write_global(op: ir.Operation) -> bool:
    """Whether an operation or its regions may write other memory than the kernel's buffers, or order such writes."""
    for inner in operations_in(op):
        effects = memory_effects(inner)
        if effects is None and inner.name != WGMMA_WAIT and not len(inner.regions):
            return True
        if any(kind == "write" and (value is None or not is_buffer(value)) for kind, _, value in effects or ()):
            return True
    return False
