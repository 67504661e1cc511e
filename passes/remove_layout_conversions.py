"""Remove layout conversions by computing values in the layout that their users need.

    #a makes the load fast, all other tensors start with #b:

    %p = tt.splat %arg0 : #b
    %0 = ttg.convert_layout %p : #b -> #a             %p = tt.splat %arg0 : #a
    %1 = tt.load %0 : #a                              %1 = tt.load %p : #a
    %2 = ttg.convert_layout %1 : #a -> #b       =>    %2 = math.exp %1 : #a
    %3 = math.exp %2 : #b                             tt.store %p, %2 : #a
    %4 = ttg.convert_layout %3 : #b -> #a
    tt.store %0, %4 : #a

Input:  ttg, any layouts.      Output: ttg; loads, stores, atomics and matrix products keep their layouts.
Order:  after coalesce, accelerate-matmul and all that chooses the layout of an operation and converts around it.
Skips:  tensors without a layout; values that a loop results in are not computed a second time.
Test:   test/lit/passes/remove_layout_conversions.mlir

A conversion usually goes through shared memory and waits for all warps, so computing a value twice is often cheaper.
The pass works in four steps; `passes/layout_propagation` has a file for each part:

1. *Forward* (forward.py, assignment.py).  Some operations have a layout that is worth keeping: loads with work for
   every thread, matrix products, atomics, descriptors.  From these *anchors* layouts spread to all that is computed
   from them, through loops and conditionals.  A value that several reach takes the tensor cores' layout, or the first;
   an operation that needs another one gets a conversion.
2. *Backward* (backward_slice.py, rematerialization.py).  For each conversion that is left: what has to be computed in
   the layout of its result so that it is not needed?  That is the *slice* of its operand, back to operations that give
   any layout (constants, ranges, splats) and to values that exist in that layout.  If there is no load worth keeping,
   no atomic and no product in it, and what of it is needed in both layouts costs less than the conversion (cost.py),
   it is computed in the new layout (slice_rewriting.py).  Again and again, until no conversion disappears.
3. *Hoisting* (hoisting.py).  A conversion that has to stay moves to where it moves fewer bytes, before extensions
   and broadcasts; into the branch of a conditional that needs it; or next to the load of a dot operand.
4. *Cleanup*.  Canonicalization folds conversions into operations that can do without; loops drop unused values.

The steps, their order, costs and the choice among layouts are those of Triton 3.6, so that the same conversions remain.
Where they differ:

- Triton takes an existing copy of a value also where it does not dominate the use, which can leave invalid IR.  Here
  the value is computed once more.
- Its estimates count copies that it makes without need.
- It never ends on a conversion of a constant of different elements, which is made in the other layout here, and on
  conversions that move around a loop, which are left after a few rounds.
- Results of scf.while take layouts from the condition only, not from what goes back to the start; results of one
  warp_group_dot_wait may have different layouts; attributes of scf.if and scf.while stay.

A sum of floats may be computed in another layout, so in another order of its terms, but never in two.
"""

from mlir import ir

from ttkit.operation_sets import ALL_DOTS as DOTS
from ttkit.operation_sets import CONVERT_LAYOUT as CONVERT
from ttkit.operation_sets import TMEM_STORE
from ttkit.passes.infra import Pass, canonicalize_ops, collect, contains_any
from ttkit.passes.infra.dead_loop_arguments import drop_dead_loop_arguments
from ttkit.passes.infra.layout_inference import LayoutInference
from ttkit.passes.layout_propagation.assignment import assign_layouts
from ttkit.passes.layout_propagation.forward import pick_layouts
from ttkit.passes.layout_propagation.function_state import for_each_conversion
from ttkit.passes.layout_propagation.hoisting import (
    hoist_above_extension,
    hoist_dot_operand,
    hoist_into_conditional,
)
from ttkit.passes.layout_propagation.operations import EXTENSIONS
from ttkit.passes.layout_propagation.rematerialization import rematerialize

HOISTS = ((hoist_above_extension, EXTENSIONS), (hoist_into_conditional, ["scf.if"]), (hoist_dot_operand, DOTS))
"""What is hoisted in which order, and the operations without which there is nothing to hoist."""

PATIENCE = 8
"""Rounds without fewer conversions after which there will not be fewer: a conversion that leaves one end of a loop may
come back at the other, for ever.  Of 2,200 kernels and variants none took more than one such round (2026-11)."""

CLEANED_UP = ["scf.for", "scf.if", CONVERT, TMEM_STORE]


class RemoveLayoutConversions(Pass):
    """Remove layout conversions, by computing values in the layout that their users need"""

    name = "tritongpu-remove-layout-conversions"

    def run(self, op: ir.Operation) -> None:
        """Forwards layouts, rematerializes backwards, hoists what is left, then cleans up loops."""
        if not contains_any(op, [CONVERT]):  # then all layouts agree
            clean_up(op)
            return
        layouts = LayoutInference()
        functions = [function.opview for function in collect(op, ["tt.func"])]
        functions = [function for function in functions if len(function.regions[0].blocks)]
        for function in functions:
            assign_layouts(function, pick_layouts(function, layouts), layouts)
        canonicalize_ops(op, [CONVERT])
        rematerialize_all(op, functions, layouts)
        for function in functions:
            for hoist, names in HOISTS:
                if contains_any(function.operation, names):
                    for_each_conversion(function, layouts, hoist)
        clean_up(op)


def clean_up(root: ir.Operation) -> None:
    """Folds conversions into operations that can do without, and drops carried values without users."""
    canonicalize_ops(root, CLEANED_UP)
    while drop_dead_loop_arguments(root):
        canonicalize_ops(root, CLEANED_UP)


def rematerialize_all(root: ir.Operation, functions: list[ir.OpView], layouts: LayoutInference) -> None:
    """Removes conversions backward, until none disappears any more."""
    fewest, patience = len(collect(root, [CONVERT])), PATIENCE
    while patience:
        changed = [for_each_conversion(function, layouts, rematerialize) for function in functions]
        if not any(changed):
            return
        canonicalize_ops(root, [CONVERT])
        count = len(collect(root, [CONVERT]))
        fewest, patience = (count, PATIENCE) if count < fewest else (fewest, patience - 1)
