"""The allocations of shared or tensor memory into which a descriptor may point.

Only `ttg.local_alloc` and `ttng.tmem_alloc` make a buffer.  A view points into the buffer of its operand, and control
flow passes descriptors on.  The analysis follows each allocation to its uses, so it costs nothing without allocations.
"""

from typing import Any

from mlir import ir

from ttkit.analysis.control_flow import outgoing_values
from ttkit.inspection import collect
from ttkit.operation_sets import BUFFER_VIEWS, TMEM_ALLOC


class Aliases:
    """Descriptor under an operation -> the allocations into which it may point, in the order of the text.

    Args:
        root: the operation.
        kind: the name of the operations that allocate.
    """

    def __init__(self, root: ir.Operation, kind: str) -> None:
        self.allocations: list[ir.Value] = [op.opview.result for op in collect(root, [kind])]
        self.of: dict[ir.Value, list[ir.Value]] = {}
        for allocation in self.allocations:
            self._follow(allocation)

    def _follow(self, allocation: ir.Value) -> None:
        pending = [allocation]
        while pending:
            value = pending.pop()
            known = self.of.setdefault(value, [])
            if known and known[-1] == allocation:
                continue
            known.append(allocation)
            for use in value.uses:
                pending += _passed_on(use.owner, use.operand_number)


class SharedMemoryAliases(Aliases):
    """Descriptor -> the buffers in shared memory into which it may point."""

    def __init__(self, root: ir.Operation) -> None:
        super().__init__(root, "ttg.local_alloc")


class TensorMemoryAliases(Aliases):
    """Descriptor -> the buffers in tensor memory into which it may point."""

    def __init__(self, root: ir.Operation) -> None:
        super().__init__(root, TMEM_ALLOC)


def _passed_on(op: Any, number: int) -> list[ir.Value]:
    name = op.operation.name
    if name in BUFFER_VIEWS:
        return [op.result] if number == 0 else []
    if name == "arith.select":
        return [op.result] if number > 0 else []
    return outgoing_values(op, number)
