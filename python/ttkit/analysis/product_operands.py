"""Which products read their operands from shared memory themselves, where a ttg.local_load stands in front of them.

A product without tensor cores needs whole rows and columns: more than a thread has registers for.  So where nothing
can change the memory in between, the load only says where the operand is.
"""

from __future__ import annotations

from typing import Any

from mlir import ir

from ttkit.analysis.scratch_sizes import SCRATCH_OPS
from ttkit.dialects._layouts import layout_of
from ttkit.inspection import defining, memory_effects, next_operation
from ttkit.layout import to_linear_layout
from ttkit.layout.encodings import Blocked, DotOperand, PaddedShared
from ttkit.layout.holders import stays_in_cta

LOAD = "ttg.local_load"
BARRIERS = ("ttg.local_barrier", "ttg.barrier", "gpu.barrier")


def is_operand_load(op: Any) -> bool:
    """Whether an operation loads an operand for products without tensor cores, and for nothing else, from the
    CTA's own memory."""
    operation = op.operation
    if operation.name != LOAD:
        return False
    encoding = layout_of(operation.operands[0])
    if encoding is None or isinstance(encoding, PaddedShared):
        return False
    layout = layout_of(operation.results[0])
    if not isinstance(layout, DotOperand) or not isinstance(layout.parent, Blocked):
        return False
    memory, result = operation.operands[0].type, operation.results[0].type
    buffer = to_linear_layout(memory.alloc_shape[-len(memory.shape) :], encoding)
    if not stays_in_cta(buffer, to_linear_layout(result.shape, layout)):
        return False
    uses = list(operation.results[0].uses)
    return bool(uses) and all(use.owner.operation.name == "tt.dot" for use in uses)


def read_by_products(load: Any) -> bool:
    """Whether products read what a ttg.local_load loads: the memory stays as it is up to the last of them."""
    operation = load.operation
    if not is_operand_load(operation):
        return False
    waiting = {use.owner.operation for use in operation.results[0].uses}
    following = next_operation(operation)
    while waiting and following is not None:
        waiting.discard(following)
        if waiting and not leaves_memory(following):
            return False
        following = next_operation(following)
    return not waiting


def leaves_memory(op: ir.Operation) -> bool:
    """Whether an operation certainly writes no shared memory."""
    if op.name == LOAD or op.name in BARRIERS:
        return True
    return op.name not in SCRATCH_OPS and not len(op.regions) and memory_effects(op) == []


def memory_operands(product: ir.Operation) -> list[ir.Value]:
    """The views of shared memory that a tt.dot reads itself."""
    loads = [defining(product.operands[index]) for index in (0, 1)]
    return [load.operands[0] for load in loads if load is not None and read_by_products(load)]
