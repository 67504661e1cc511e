"""Let programs with the most work start first, where the work grows with the place in the grid.

    %m = tt.get_program_id x                       module attributes {ttkit.longest-first =
    %end = (%m + 1) * 128                            {axis = 0, axes = [0, 1], together = 512, ...}}
    scf.for %n = 0 to %end step 64 {      =>       ...
      tt.load ...                                  %m = tt.get_program_id x
    }

Attention with a causal mask is an example.  CTAs start in the order of their number, so that the programs that take
longest would start last, and most multiprocessors would wait for them in the end.  The lowering of tt.get_program_id
gives programs other numbers (`python/ttkit/analysis/program_order.py`): each place in the grid still has one program,
and only the time differs.

Input:  tt.      Output: tt; the attribute says how the lowering numbers programs.
Order:  before loops are changed: their bounds tell the work.
Skips:  modules with several kernels, and those of cluster launch control; kernels that may wait for other programs,
        which takes a loop without bounds or assembly, or that ask for the number of their CTA; work that grows along
        two axes, or differs little or otherwise.
Test:   test/lit/passes/run_longest_first.mlir
"""

from fractions import Fraction

from mlir import ir

from ttkit.analysis.program_order import LONGEST_FIRST, ProgramOrder
from ttkit.inspection import collect, is_public
from ttkit.passes.infra import Pass, remark
from ttkit.passes.infra.program_growth import PROGRAM_ID, growth_along
from ttkit.tuning.passes import CACHED_BYTES, LAST_PROGRAMS

MAY_NOTICE = ("scf.while", "tt.elementwise_inline_asm", "tt.atomic_poll", "tt.extern_elementwise")
PLACES = ("ctaid", "clusterid")
AXES = "xyz"
LEAST_GROWTH, LEAST_SHRINKING = Fraction(1, 4), 1
"""Iterations from one program to the next."""


class RunLongestFirst(Pass):
    """Let programs with the most work start first"""

    name = "ttkit-run-longest-first"

    def run(self, op: ir.Operation) -> None:
        """Sets the attribute of a module with one kernel whose work grows along one axis of the grid."""
        functions = collect(op, ["tt.func"])
        kernels = [function for function in functions if is_public(function)]
        if len(kernels) != 1 or any(map(may_notice, collect(op, MAY_NOTICE))):
            return
        axes = tuple(sorted({place.opview.axis for place in collect(op, [PROGRAM_ID])}))
        grown = [(axis, growth_along(kernels[0], axis)) for axis in axes]
        growing = [(axis, growth) for axis, growth in grown if growth is not None and growth.iterations]
        if len(growing) != 1 or differs_little(growing[0][1].iterations):
            return
        ((axis, growth),) = growing
        shrinks = growth.iterations < 0
        cached = int(CACHED_BYTES / abs(growth.bytes)) if growth.bytes else LAST_PROGRAMS
        together = max(min(LAST_PROGRAMS, cached), 1)
        op.attributes[LONGEST_FIRST] = ProgramOrder(axis, axes, together, shrinks).attribute(op.context)
        changes = f"{'shrinks' if shrinks else 'grows'} by {abs(float(growth.iterations)):g} iterations"
        remark(kernels[0], f"programs start in the order of their work, which {changes} along {AXES[axis]}")


def differs_little(iterations: Fraction) -> bool:
    """Whether programs that are neighbours have about as many iterations.

    That of n programs which share a loop, each from its own start on in steps of n tiles, shrinks by 1 / n.
    """
    return iterations > -LEAST_SHRINKING if iterations < 0 else iterations < LEAST_GROWTH


def may_notice(op: ir.Operation) -> bool:
    """Whether an operation may wait for what another program does, or ask for the number of its CTA."""
    attributes = op.attributes
    is_pure = "pure" in attributes and bool(attributes["pure"])
    text = str(attributes.get("asm_string", ""))
    return not is_pure or any(place in text for place in PLACES)
