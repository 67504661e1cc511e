"""Give the loops over programs (launch control) the form in which warp specialization divides them.

    %r = scf.while (%p = %first, %more = %true) : (i32, i1) -> i32 {
      scf.condition(%more) %p
    } do {
    ^bb0(%p: i32):
      ttng.clc_try_cancel_sync
      scf.for {...} {tt.warp_specialize}
      ...
    }
  =>
    %r:2 = scf.while (%p = %first, %more = %true) : (i32, i1) -> (i32, i1) {
      scf.condition(%more) %p, %more
    } do {
    ^bb0(%p: i32, %more: i1):
      ttng.clc_try_cancel_sync
      scf.for {...}
      ...
    } attributes {tt.warp_specialize}

The loop over programs asks for specialization in place of those in it, so groups of warps live as long as the kernel.
While loops of specialized loops pass on all that they carry: `canonicalize` drops results that nobody uses.

Input:  ttg, of `triton-nvidia-gpu-to-clc`.      Output: ttg.
Order:  before the passes that divide while loops.  ttkit's own divide for loops alone, so no stage has this one.
Skips:  while loops whose condition passes on values that the loop computes before it.
Test:   test/lit/passes/normalize_ws_while_loops.mlir
"""

from mlir import ir

from ttkit.inspection import collect, holders, terminator
from ttkit.passes.infra import Pass
from ttkit.passes.infra.loop_attributes import DISALLOW_ACC_MULTI_BUFFER, WARP_SPECIALIZE_LOOP
from ttkit.passes.infra.transforms import recreate, replace_each

REQUEST = "ttng.clc_try_cancel_sync"


class NormalizeWSWhileLoops(Pass):
    """Give the loops over programs the form in which warp specialization divides them"""

    name = "tritongpu-normalize-ws-while-loops"

    def run(self, op: ir.Operation) -> None:
        """Moves the attributes first: they decide which loops are changed."""
        for request in collect(op, [REQUEST]):
            if request.parent.name == "scf.while":
                take_attributes(request.parent)
        for loop in collect(op, ["scf.while"]):
            if any(WARP_SPECIALIZE_LOOP in each.attributes for each in (loop, *holders(loop))):
                pass_on_everything(loop)


def take_attributes(loop: ir.Operation) -> None:
    """Asks for what the specialized loops right in the body ask for, in their place."""
    for inner in [each.operation for each in loop.regions[1].blocks[0].operations]:
        if inner.name == "scf.for" and WARP_SPECIALIZE_LOOP in inner.attributes:
            for name in (WARP_SPECIALIZE_LOOP, DISALLOW_ACC_MULTI_BUFFER):
                if name in inner.attributes:
                    del inner.attributes[name]
                    loop.attributes[name] = ir.UnitAttr.get()


def pass_on_everything(loop: ir.Operation) -> None:
    """Makes everything that the loop carries an argument of its body and a result."""
    before = loop.regions[0].blocks[0]
    carried = list(before.arguments)
    _, *passed = terminator(before).operation.operands
    if passed == carried or any(value not in carried for value in passed):
        return
    numbers = [carried.index(value) for value in passed]
    types = [value.type for value in carried]
    made = recreate(loop, types)
    for old, new, places in zip(loop.regions, made.regions, (range(len(types)), numbers)):
        block = new.blocks.append(*types, arg_locs=[loop.location] * len(types))
        move_body(old.blocks[0], block, [block.arguments[place] for place in places])
    block = made.regions[0].blocks[0]
    condition = terminator(block).operation
    recreate(condition, [], [condition.operands[0], *block.arguments])
    condition.erase()
    replace_each(loop.results, [made.results[number] for number in numbers])
    loop.erase()


def move_body(source: ir.Block, target: ir.Block, arguments: list[ir.Value]) -> None:
    """Moves all operations, whose arguments are those of another block from now on."""
    for op in list(source.operations):
        target.append(op.operation)
    replace_each(source.arguments, arguments)
