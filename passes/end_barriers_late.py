"""Keep the barriers of divided loops valid until the last products in tensor memory have arrived at them.

    ttg.warp_specialize(...)                 ttg.warp_specialize(...)
    ttng.inval_barrier %empty         =>     ttng.wait_barrier %done
    ttng.wait_barrier %done                  ttng.inval_barrier %empty

A product that is committed arrives when it is done, which only the wait after the loop ensures.  Triton leaves
the barriers of the loop invalid until then, and what arrives at such a one is undefined.

Input:  ttg.      Output: ttg.
Order:  when tritongpu-automatic-warp-specialization has written both, before shared memory is allocated.
Skips:  what ends barriers elsewhere.
Test:   test/lit/passes/end_barriers_late.mlir
"""

from mlir import ir

from ttkit.inspection import collect
from ttkit.operation_sets import WAIT_BARRIER, WARP_SPECIALIZE
from ttkit.passes.infra import Pass


class EndBarriersLate(Pass):
    """Keep the barriers of divided loops valid until the last products have arrived at them"""

    name = "ttkit-end-barriers-late"

    def run(self, op: ir.Operation) -> None:
        """Moves the end of barriers after each divided loop."""
        for specialization in collect(op, [WARP_SPECIALIZE]):
            after = following(specialization)
            waits = [each for each in after if each.name == WAIT_BARRIER]
            if not waits:
                continue
            last = waits[-1]
            for each in after[: after.index(last)]:
                if ends_barriers(each):
                    each.move_after(last)
                    last = each


def following(specialization: ir.Operation) -> list[ir.Operation]:
    """The operations after it in its block, up to the next of its kind."""
    found: list[ir.Operation] = []
    operations = [each.operation for each in specialization.block.operations]
    for op in operations[operations.index(specialization) + 1 :]:
        if op.name == WARP_SPECIALIZE:
            break
        found.append(op)
    return found


def ends_barriers(op: ir.Operation) -> bool:
    """Whether the operation ends a barrier, or the memory of some."""
    is_freed = op.name == "ttg.local_dealloc" and str(op.opview.src.type.element_type) == "i64"
    return op.name == "ttng.inval_barrier" or is_freed
