"""Make one loop of two nested ones, so that loads for the next tile are in flight while a tile is finished.

    scf.for %i = ... {                            %total = number of %i times number of %j
      prologue(%i)                                scf.for %n = 0 to %total step 1 {
      %r = scf.for %j = ... {                       scf.if (%j is at its start) { %i += its step; prologue(%i) }
        body(%i, %j)                     =>         body(%i, %j)
      }                                             scf.if (%j is at its end) { epilogue(%i, %r) }
      epilogue(%i, %r)                              the next %j
    } {tt.flatten}                                }

The trip count of the inner loop must be known before the outer one.  If it may be 0, an scf.if chooses between the
outer loop without the inner one and the fused loop.  Before that, loop-invariant operations leave the outer loop, and
operations that only the epilogue needs move there from the prologue.

A loop with ttg.always-fuse, which tests use, is fused with all loops in it at any depth, without these preparations.
Each of them that has results must run at least once.

Input:  tt or ttg.      Output: the same level, with more than canonicalize leaves.
Order:  after the passes that choose layouts, before canonicalize and licm.
Skips:  loops without tt.flatten; those with more than one loop in them, or one whose bounds change.
        Differs from Triton: a loop-carried value of the outer loop that the inner loop or the epilogue uses changes at
        the end of the inner loop; in Triton it changes after one iteration.  An inner loop whose upper bound is below
        the lower one is empty; in Triton its body runs once.
Test:   test/lit/passes/fuse_nested_loops.mlir
"""

from mlir import ir

from ttkit.dialects import arith, scf
from ttkit.inspection import collect, enclosing, terminator
from ttkit.passes.infra import Pass, clone_operations, replace_by, replace_each
from ttkit.passes.infra.loop_attributes import ALWAYS_FUSE, FLATTEN, WARP_SPECIALIZE_LOOP
from ttkit.passes.infra.loops import body_of, body_operations
from ttkit.passes.infra.nesting import block_of, is_above, nested_operands, runs_after
from ttkit.passes.infra.rewriting import is_memory_effect_free, is_pure
from ttkit.passes.pipelining.dependencies import is_scalar
from ttkit.passes.pipelining.fused_loop import fuse, num_iterations


class FuseNestedLoops(Pass):
    """Make one loop of two nested ones, where tt.flatten asks for it"""

    name = "tritongpu-fuse-nested-loops"

    def run(self, op: ir.Operation) -> None:
        """Fuses each outermost loop that asks for it with its only inner one, or with all loops in it."""
        for outer in [loop for loop in collect(op, ["scf.for"]) if enclosing(loop, "scf.for") is None]:
            if ALWAYS_FUSE in outer.attributes:
                fuse_all(outer)
            elif FLATTEN in outer.attributes and (inner := only_inner_loop(outer)) is not None:
                fuse_nest(outer, inner)


def fuse_all(outer: ir.Operation) -> ir.Operation:
    """Fuses a loop with the loops directly in its body, after fusing each of these in the same way.

    Each inner loop with results must run at least once.  Loops whose bounds change in `outer` stay in it.

    Returns:
        The operation that replaces `outer`.
    """
    inner = [fuse_all(op) for op in body_operations(outer) if op.name == "scf.for"]
    bounds = {loop: bound_computations(outer, list(loop.operands)[:3]) for loop in inner}
    fused = [loop for loop in inner if bounds[loop] is not None]
    if not fused:
        return outer
    hoisted = [op for loop in fused for op in bounds[loop] or ()]
    for op in [op for op in body_operations(outer) if op in hoisted]:
        op.move_before(outer)
    return fuse(outer, fused, run_once=False)


def only_inner_loop(outer: ir.Operation) -> ir.Operation | None:
    """The scf.for in a loop's body, if it is the only one in it and has none in its own."""
    inner = [op for op in body_operations(outer) if op.name == "scf.for"]
    if len(inner) != 1 or any(op.name == "scf.for" for op in body_operations(inner[0])):
        return None
    return inner[0]


def fuse_nest(outer: ir.Operation, inner: ir.Operation) -> None:
    """Makes one loop of two; leaves them alone where the inner bounds can't be known before the outer loop."""
    hoist_invariants(outer)
    if inner.block != body_of(outer):
        return  # it does the same every time, and without effects: once is enough
    sink_to_epilogue(outer, inner)
    bounds = bound_computations(outer, list(inner.operands)[:3])
    if bounds is None:
        return
    for op in bounds:
        op.move_before(outer)
    choose_by_length(outer, inner)
    fuse(outer, [inner])


def hoist_invariants(loop: ir.Operation) -> None:
    """Moves pure operations of a loop's body whose operands come from before it to there."""
    block = body_of(loop)
    for op in body_operations(loop):
        if is_pure(op) and not any(block_of(value) == block for value in nested_operands(op)):
            op.move_before(loop)


def sink_to_epilogue(outer: ir.Operation, inner: ir.Operation) -> None:
    """Moves pure operations from before the inner loop to after it, if only operations after it need them."""
    block = body_of(outer)
    body = body_operations(outer)
    position = body.index(inner)
    after = body[position + 1] if position + 1 < len(body) else terminator(block).operation
    sunk: list[ir.Operation] = []

    def is_below(user: ir.Operation) -> bool:
        """Whether a user goes to the epilogue too, or comes after the inner loop."""
        return user in sunk or runs_after(user, inner)

    for op in reversed(body[:position]):
        users = [use.owner.operation for result in op.results for use in result.uses]
        if is_pure(op) and all(map(is_below, users)):
            sunk.append(op)
    for op in reversed(sunk):
        op.move_before(after)


def bound_computations(outer: ir.Operation, bounds: list[ir.Value]) -> list[ir.Operation] | None:
    """The operations of a loop on numbers that compute values, in order; None if those change in the loop."""
    found: dict[ir.Value, ir.Operation] = {}
    waiting = list(bounds)
    while waiting:
        value = waiting.pop()
        if is_above(value, outer) or value in found:
            continue
        if isinstance(value.owner, ir.Block):
            return None
        op = value.owner.operation
        values = [*op.operands, *op.results]
        if not is_memory_effect_free(op) or not all(is_scalar(each.type) for each in values):
            return None
        found.update((result, op) for result in op.results)
        waiting += op.operands
    needed = list(found.values())
    return [op for op in body_operations(outer) if op in needed]


def choose_by_length(outer: ir.Operation, inner: ir.Operation) -> None:
    """Runs the nest in the else branch of an scf.if; in the other one the outer loop alone, for an empty inner one."""
    with ir.InsertionPoint(outer), outer.location:
        length = num_iterations(inner)
        is_empty = arith.cmpi("sle", length, arith.constant(length.type, 0))
        types = [result.type for result in outer.results]
        choice = scf.if_(is_empty, types, has_else=True)
    number = body_operations(outer).index(inner)
    (copy,) = clone_operations([outer], [], ir.InsertionPoint(choice.then_block))
    skipped = body_operations(copy)[number]
    replace_by(skipped, list(skipped.operands)[3:])  # which gives its initial values
    if WARP_SPECIALIZE_LOOP in copy.attributes:
        del copy.attributes[WARP_SPECIALIZE_LOOP]
    replace_each(outer.results, choice.operation.results)
    fused = choice.operation.regions[1].blocks[0]
    fused.append(outer)
    for block, loop in ((choice.then_block, copy), (fused, outer)):
        scf.yield_(loop.results, loc=outer.location, ip=ir.InsertionPoint(block))
