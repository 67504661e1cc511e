"""Remove layout conversions by computing values in the layout that their users need.

    #a makes the load fast, all other tensors start with #b:

    %p = tt.splat %arg0 : #b
    %0 = ttg.convert_layout %p : #b -> #a             %p = tt.splat %arg0 : #a
    %1 = tt.load %0 : #a                              %1 = tt.load %p : #a
    %2 = ttg.convert_layout %1 : #a -> #b       =>    %2 = math.exp %1 : #a
    %3 = math.exp %2 : #b                             tt.store %p, %2 : #a
    %4 = ttg.convert_layout %3 : #b -> #a
    tt.store %0, %4 : #a

Input:  ttg, any layouts.      Output: ttg; loads, stores, atomics and dots keep their layouts.
Order:  after coalesce, accelerate-matmul and other passes that choose the layout of an operation.
Skips:  tensors without a layout; results of loops are not computed a second time.
Test:   test/lit/passes/remove_layout_conversions.mlir

A conversion usually goes through shared memory and waits for all warps, so computing a value twice is often cheaper.
The pass works in four steps; `passes/layout_propagation` has a file for each part:

1. *Forward* (forward.py, assignment.py).  Some operations have a layout that is worth keeping: loads with work for
   every thread, dots, atomics, descriptors.  Layouts spread from these *anchors* to all dependent values, through loops
   and conditionals.  A value that several layouts reach takes that of the tensor cores, or the first.  An operation
   that needs another layout gets a conversion.
2. *Backward* (backward_slice.py, rematerialization.py).  For each remaining conversion the pass finds the *slice* of
   its operand: the operations that it would have to compute in the new layout.  The slice ends at operations that give
   any layout (constants, ranges, splats) and at values that exist in the new layout.  It must contain no load worth
   keeping, no atomic and no dot.  If its operations that are needed in both layouts cost less than the conversion
   (cost.py), the slice is computed in the new layout (slice_rewriting.py).  This repeats until no conversion
   disappears.
3. *Hoisting* (hoisting.py).  A remaining conversion moves to where it moves fewer bytes: before extensions and
   broadcasts, into the branch of a conditional that needs it, or next to the load of a dot operand.
4. *Cleanup*.  Canonicalization folds conversions into operations that accept any layout; loops drop unused values.

The steps, their order, the costs and the choice among layouts are those of Triton 3.6, so that the same conversions
remain.  The differences are:

- Triton uses an existing copy of a value even if it does not dominate the use, which can leave invalid IR.  Here the
  value is computed again.
- Triton's estimates count unnecessary copies.
- Triton does not terminate on a conversion of a constant with different elements; here the constant is built in the
  other layout.
- Triton does not terminate on conversions that move around a loop; here the pass gives up after some rounds.
- Results of scf.while get layouts only from the condition, not from the values passed back to the start.
- Results of one warp_group_dot_wait may have different layouts; scf.if and scf.while keep their attributes.

A sum of floats may be computed in another layout, and so in another order, but never in two layouts.
"""

from mlir import ir

from ttkit.operation_sets import ALL_DOTS, CONVERT_LAYOUT, TMEM_STORE
from ttkit.passes.infra import Pass, canonicalize_ops, collect, contains_any
from ttkit.passes.infra.dead_loop_arguments import drop_dead_loop_arguments
from ttkit.passes.infra.layout_inference import LayoutInference
from ttkit.passes.layout_propagation.forward import pick_layouts
from ttkit.passes.layout_propagation.function_state import for_each_conversion
from ttkit.passes.layout_propagation.hoisting import hoist_above_extension, hoist_dot_operand, hoist_into_conditional
from ttkit.passes.layout_propagation.layout_anchors import EXTENSIONS
from ttkit.passes.layout_propagation.layout_rewriting import assign_layouts
from ttkit.passes.layout_propagation.rematerialization import rematerialize

HOISTS = ((hoist_above_extension, EXTENSIONS), (hoist_into_conditional, ["scf.if"]), (hoist_dot_operand, ALL_DOTS))
"""The ways to hoist in their order, each with the operations that it needs."""

PATIENCE = 8
"""Rounds without progress after which the pass stops: a conversion that leaves one end of a loop may come back at the
other, forever.  None of 2,200 kernels and variants needed more than one such round (2026-11)."""

CLEANED_UP = ["scf.for", "scf.if", CONVERT_LAYOUT, TMEM_STORE]


class RemoveLayoutConversions(Pass):
    """Remove layout conversions, by computing values in the layout that their users need"""

    name = "tritongpu-remove-layout-conversions"

    def run(self, op: ir.Operation) -> None:
        """Propagates layouts forward, rematerializes backward, hoists remaining conversions, then cleans up loops."""
        if not contains_any(op, [CONVERT_LAYOUT]):  # then all layouts agree
            clean_up(op)
            return
        layouts = LayoutInference()
        functions = [function.opview for function in collect(op, ["tt.func"])]
        functions = [function for function in functions if len(function.regions[0].blocks)]
        for function in functions:
            assign_layouts(function, pick_layouts(function, layouts), layouts)
        canonicalize_ops(op, [CONVERT_LAYOUT])
        rematerialize_all(op, functions, layouts)
        for function in functions:
            for hoist, names in HOISTS:
                if contains_any(function.operation, names):
                    for_each_conversion(function, layouts, hoist)
        clean_up(op)


def clean_up(root: ir.Operation) -> None:
    """Folds conversions into operations that accept any layout, and drops loop-carried values without users."""
    canonicalize_ops(root, CLEANED_UP)
    while drop_dead_loop_arguments(root):
        canonicalize_ops(root, CLEANED_UP)


def rematerialize_all(root: ir.Operation, functions: list[ir.OpView], layouts: LayoutInference) -> None:
    """Removes conversions backward until no more disappear."""
    fewest, patience = len(collect(root, [CONVERT_LAYOUT])), PATIENCE
    while patience:
        changed = [for_each_conversion(function, layouts, rematerialize) for function in functions]
        if not any(changed):
            return
        canonicalize_ops(root, [CONVERT_LAYOUT])
        count = len(collect(root, [CONVERT_LAYOUT]))
        fewest, patience = (count, PATIENCE) if count < fewest else (fewest, patience - 1)
