"""Divide blocks of functions that hold very many branches and loops.

    ^entry: scf.if ... {}  (a thousand of them)   =>   ^entry: scf.if ... {}  (a hundred) cf.br ^next
                                                       ^next:  scf.if ... {}  (a hundred) cf.br ...

`convert-scf-to-cf` moves all that follows a branch in its block to a block of its own, once for each branch: for 5,000
one after the other that took 3.7 s, 23 times as long as for a quarter of them (CPU, 2026-11).  In short blocks there is
little to move.

Input:  ttg.      Output: the same, in more blocks.
Order:  right before `convert-scf-to-cf`; the branches that this one adds go when blocks are merged.
Skips:  blocks with fewer branches and loops; what is inside of loops, whose body is one block.
Test:   test/lit/passes/divide_long_blocks.mlir
"""

import itertools

from mlir import ir

from ttkit.inspection import collect, count
from ttkit.operation_sets import CONTROL_FLOW
from ttkit.passes.infra import Pass
from ttkit.tuning.passes import BRANCHES_OF_A_BLOCK, LONG_BLOCK


class DivideLongBlocks(Pass):
    """Divide blocks of functions that hold very many branches and loops"""

    name = "ttkit-divide-long-blocks"

    def run(self, op: ir.Operation) -> None:
        """Divides blocks in the bodies of all functions under `op`."""
        if count(op, CONTROL_FLOW) >= LONG_BLOCK:
            for function in collect(op, ["tt.func"]):
                for block in list(function.regions[0].blocks):
                    divide(block)


def divide(block: ir.Block) -> None:
    """Leaves BRANCHES_OF_A_BLOCK branches and loops at most in a block; the others follow in new ones."""
    blocks, passed = [block], 0
    for op in [op.operation for op in block.operations]:
        if blocks[-1] != block:
            blocks[-1].append(op)
        if op.name in CONTROL_FLOW:
            passed += 1
            if passed % BRANCHES_OF_A_BLOCK == 0:
                blocks.append(blocks[-1].create_after())
    for here, following in itertools.pairwise(blocks):
        with ir.InsertionPoint(here), ir.Location.unknown():
            ir.Operation.create("cf.br", successors=[following])
