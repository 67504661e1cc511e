"""Loads that are worth starting early, and the number of loads between each and the dot.

%i = tt.load %indices            // level 1: another load uses it
%p = tt.addptr %base, %i
%b = tt.load %p                  // level 0
%d = tt.dot %a, %b, %c
"""

from mlir import ir

from ttkit.analysis.axis_analysis import AxisInfoAnalysis
from ttkit.dialects._layouts import layout_of
from ttkit.inspection import element_bits
from ttkit.operation_sets import ALL_DOTS, DESCRIPTOR_LOADS, LOADS, TCGEN5_MMAS, TMEM_STORE
from ttkit.passes.infra.nesting import defining_in, nested_operands
from ttkit.passes.layouts.load_buffers import MIN_COPY_BYTES, copied_at_once, piece_bytes
from ttkit.passes.layouts.operand_layouts import operands_disagree


def load_levels(
    body: list[ir.Operation], num_stages: int, others_too: bool, analysis: AxisInfoAnalysis
) -> list[tuple[ir.Operation, int]]:
    """The loads of a loop that are worth starting early, in the order in which they are found.

    Args:
        body: the operations of the loop's body.
        num_stages: iterations in flight.
        others_too: whether to include loads that feed no dot.
        analysis: axis facts of the module.

    Returns:
        Each load with its level: the number of loads that depend on it, one after the other, up to the dot.  Loads for
        which there are not enough stages are left out, and so are loads with different levels.
    """
    levels = _Levels(analysis)
    roots = [op for op in body if op.name in ALL_DOTS or op.name == TMEM_STORE]
    for root in roots:
        levels.seen.clear()
        levels.follow(root)
    if others_too:
        for op in body:
            if op.name not in LOADS:
                levels.follow(op)
    return [(load, level) for load, level in levels.found.values() if level < num_stages - 1]


class _Levels:
    """The search of `load_levels`, backwards from dots."""

    def __init__(self, analysis: AxisInfoAnalysis) -> None:
        self.analysis = analysis
        self.found: dict[ir.Value, tuple[ir.Operation, int]] = {}  # by the loaded value
        self.excluded: set[ir.Value] = set()
        self.seen: set[ir.Value | ir.Operation] = set()

    def follow(self, root: ir.Operation) -> None:
        """Finds the loads on which an operation depends within an iteration; the first path to an operation counts."""
        waiting = [(root, 0)]
        while waiting:
            op, level = waiting.pop()
            if not self._is_first_visit(op):
                continue
            if op.name in LOADS:
                if not is_worth_pipelining(op, self.analysis) or not self._note(op, level):
                    continue
                level += 1
            values = nested_operands(op)
            if op.name in ALL_DOTS:
                # Only loads of A and B count.
                accumulator = op.opview.d if op.name in TCGEN5_MMAS else op.opview.c
                values = [value for value in values if value != accumulator]
            sources = [defining_in(op.block, value) for value in reversed(values)]
            waiting += [(source, level) for source in sources if source is not None]

    def _is_first_visit(self, op: ir.Operation) -> bool:
        # Values stay valid as keys when operations change.  Operations without results are only roots.
        results = op.results
        if len(results) == 0:
            return True
        value = results[0]
        if value in self.seen or value in self.excluded:
            return False
        self.seen.add(value)
        return True

    def _note(self, load: ir.Operation, level: int) -> bool:
        value = load.result
        if value in self.found and self.found[value][1] != level:
            # Used at two levels: neither fits all uses.
            del self.found[value]
            self.excluded.add(value)
            return False
        self.found.setdefault(value, (load, level))
        return True


def is_worth_pipelining(load: ir.Operation, analysis: AxisInfoAnalysis) -> bool:
    """Whether a load can become a copy to shared memory from which all its users can read."""
    if load.name in DESCRIPTOR_LOADS:
        return True
    if not can_be_async(load, analysis):
        return False
    value = load.result
    if operands_disagree(value):
        return False
    buffers = [use.owner.operation.result for use in value.uses if use.owner.operation.name == "ttg.local_alloc"]
    layouts = {layout for buffer in buffers if (layout := layout_of(buffer)) is not None}
    return len(layouts) <= 1 and all(piece_bytes(value.type, layout) >= MIN_COPY_BYTES for layout in layouts)


def can_be_async(load: ir.Operation, analysis: AxisInfoAnalysis) -> bool:
    """Whether a thread loads enough contiguous bytes at once for cp.async."""
    pointer = load.opview.ptr
    if not isinstance(pointer.type, ir.RankedTensorType):
        return element_bits(pointer.type.pointee_type) >= 8 * MIN_COPY_BYTES
    return copied_at_once(load, analysis) * element_bits(pointer.type.element_type.pointee_type) >= 8 * MIN_COPY_BYTES
