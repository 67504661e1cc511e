"""Unroll the loops that ask for it.

    scf.for %i = %lb to %ub step %s {        %main = ...                            // a multiple of 2 * %s
      use(%i)                                scf.for %i = %lb to %main step %2s {
    } {tt.loop_unroll_factor = 2 : i32}        use(%i)
                                       =>      use(%i + %s)
                                             }
                                             scf.for %i = %main to %ub step %s {
                                               use(%i)
                                             } {tt.num_stages = 1 : i32}

Input:  tt or ttg.      Output: the same level.
Order:  last at tt: only loops of their final form are worth copying, and the copies are to be scheduled separately.
Skips:  factors of 1 and less, which stay; the loop that is left for the rest is not pipelined.  A loop that would
        exceed MOST_OPERATIONS is refused.

Differs from Triton: with a step other than 1, the upper bound becomes at least the lower one.  MLIR divides the
difference of both as a number without sign, so that Triton's loop runs once or more where it must not run.
Test:   test/lit/passes/loop_unroll.mlir
"""

from mlir import ir

from ttkit.dialects import arith
from ttkit.passes.infra import Pass, PassError, collect, replace_by, unroll_loop
from ttkit.passes.infra.constants import constant_splat, i32_attribute
from ttkit.passes.infra.preconditions import operations
from ttkit.passes.infra.rewriting import defining_name

MOST_OPERATIONS = 1 << 18
"""Most operations that one unrolled loop may have: more take too much memory and time."""
FACTOR = "tt.loop_unroll_factor"
STAGES = "tt.num_stages"


def hide_count(loop: ir.Operation) -> ir.Operation | None:
    """Replaces a loop's upper bound, if that is an addition with flags, by one without, and returns it.

    From `%n + 4 nsw` MLIR derives the trip count of a loop that starts at %n, and asserts that such loops start at a
    constant.
    """
    lower, upper = loop.opview.lowerBound, loop.opview.upperBound
    if defining_name(upper) != "arith.addi" or constant_splat(lower) is not None:
        return None
    add = upper.owner
    if "overflowFlags" in add.attributes and "none" not in str(add.attributes["overflowFlags"]):
        with loop.location, ir.InsertionPoint(loop):
            loop.opview.upperBound = arith.addi(add.lhs, add.rhs)
            return loop.opview.upperBound.owner.operation
    return None


def raise_upper_bound(loop: ir.Operation) -> None:
    """Gives a loop the larger one of its bounds as upper bound, unless the number of iterations has the right sign.

    MLIR rounds the number of steps between the bounds up, and has no step for a negative difference if the step is 1.
    """
    lower, upper, step = loop.opview.lowerBound, loop.opview.upperBound, loop.opview.step
    first, last = constant_splat(lower), constant_splat(upper)
    if constant_splat(step) == 1 or (first is not None and last is not None and first <= last):
        return
    larger = arith.maxui if loop.opview.unsignedCmp else arith.maxsi
    with loop.location, ir.InsertionPoint(loop):
        loop.opview.upperBound = larger(lower, upper)


class LoopUnroll(Pass):
    """Unroll loops by their attribute tt.loop_unroll_factor"""

    name = "triton-loop-unroll"

    def run(self, op: ir.Operation) -> None:
        """Unrolls each loop that is marked; the loop of the rest runs in one stage.

        Raises:
            PassError: a loop would become too large to compile, or does not count up.
        """
        # Inner loops first: an outer one then copies the unrolled loops.
        for loop in reversed(collect(op, ["scf.for"])):
            factor = loop.attributes.get(FACTOR)
            if not isinstance(factor, ir.IntegerAttr) or factor.value <= 1:
                continue
            count = sum(1 for _ in operations(loop)) * factor.value
            if count > MOST_OPERATIONS:
                found = f"the loop is to be unrolled {factor.value} times, which makes {count} operations"
                raise PassError(loop, f"{found}; at most {MOST_OPERATIONS} can be compiled: use a smaller {FACTOR}")
            if (step := constant_splat(loop.opview.step)) is not None and step <= 0:
                raise PassError(loop, f"the loop's step is {step}; only loops that count up can be unrolled")
            del loop.attributes[FACTOR]
            if loop.opview.lowerBound == loop.opview.upperBound:
                continue  # it never runs
            raise_upper_bound(loop)
            upper = loop.opview.upperBound
            bound = hide_count(loop)
            _, rest = unroll_loop(loop, factor.value)
            if bound is not None:
                replace_by(bound, [upper])
            if rest is not None:
                rest.attributes[STAGES] = i32_attribute(1)
