"""Keep accumulators in tensor memory while a loop runs, instead of filling them in each iteration.

    scf.for ... iter_args(%x = %x0) {                        %acc, %t0 = ttng.tmem_alloc
      %acc, %t0 = ttng.tmem_alloc %x                         %t1 = ttng.tmem_store %x0, %acc[%t0], %true
      %t1 = ttng.tc_gen5_mma %a, %b, %acc[%t0]               %t3 = scf.for ... iter_args(%t = %t1) {
      %y, %t2 = ttng.tmem_load %acc[%t1]               =>      %t2 = ttng.tc_gen5_mma %a, %b, %acc[%t]
      scf.yield %y                                             scf.yield %t2
    }                                                        }
                                                             %y, %t4 = ttng.tmem_load %acc[%t3]

Loads and stores that undo each other go; those that a loop carries from one iteration to the next move out of it; loads
go down to their users.  With `hoist-out-of-if`, after pipelining, buffers move out of branches too.  Each file of
accumulators/ has one rewrite.

Differs from Triton: it ends the process where different accesses are the last ones of an iteration, or one in a branch
is, and where arith.select chooses elements of accumulators one by one; here these stay as they are.

Input:  ttg and ttng, with tokens.      Output: the same.
Order:  after accelerate-matmul and optimize-accumulator-init, before pipelining; again after it.
Skips:  mmas outside of scf.for; accesses without tokens.
Test:   test/lit/passes/hoist_tmem_alloc.mlir
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mlir import ir

from ttkit.dialects import arith, ttng
from ttkit.dialects._ttg_types import AsyncTokenType
from ttkit.inspection import collect, defining, name_of, users_of
from ttkit.operation_sets import ACCUMULATOR_USES, TCGEN5_MMAS, TMEM_ACCESSES, TMEM_ALLOC, TMEM_LOAD, TMEM_STORE
from ttkit.passes.accumulators.accesses import token_of
from ttkit.passes.accumulators.carried_tensors import load_in_next_iteration, store_in_iteration_before
from ttkit.passes.accumulators.forwarding import AFTER_PIPELINING, BEFORE_PIPELINING
from ttkit.passes.accumulators.load_sinking import sink
from ttkit.passes.infra import Pass, canonicalize_ops, clone_operations, option, set_operands
from ttkit.passes.infra.loops import carry_more, yield_also
from ttkit.passes.infra.nesting import is_above
from ttkit.passes.infra.rewriting import is_pure
from ttkit.passes.infra.slices import each_once
from ttkit.passes.partitioning.partitions import refuse_partitions
from ttkit.records import dataclass

Rewrite = Callable[[Any], bool]

ROTATIONS: Mapping[str, Sequence[Rewrite]] = {
    TMEM_STORE: (store_in_iteration_before,),
    TMEM_LOAD: (load_in_next_iteration, sink),
}


@dataclass(frozen=True)
class HoistTMEMAlloc(Pass):
    """Keep accumulators in tensor memory while a loop runs"""

    name = "tritongpu-hoist-tmem-alloc"
    dependent_dialects = ("arith", "scf", "ttng")
    hoist_out_of_if: bool = option(False, "move buffers out of scf.if, instead of out of loops")

    def run(self, op: ir.Operation) -> None:
        """Hoists the accumulators of mmas, then simplifies accesses, then replaces initial values by stores."""
        refuse_partitions(collect(op, ACCUMULATOR_USES))
        if not self.hoist_out_of_if:
            for product in collect(op, TCGEN5_MMAS):
                hoist_from_loop(product)
        sets = [ROTATIONS, BEFORE_PIPELINING, *([AFTER_PIPELINING] if self.hoist_out_of_if else [])]
        rewrite(
            op,
            {name: [one for rewrites in sets for one in rewrites.get(name, ())] for name in TMEM_ACCESSES},
        )
        for alloc in collect(op, [TMEM_ALLOC]):
            fill_by_store(alloc.opview)


def rewrite(root: ir.Operation, rewrites: Mapping[str, Sequence[Rewrite]]) -> None:
    """Applies rewrites, and cleans up loops, until nothing changes."""
    # Not by patterns: loops are replaced, which a pattern for another operation must not do.
    changed = True
    while changed:
        changed = canonicalize_ops(root, ["scf.for"])
        # From the end, as Triton does: a store then finds the load of the accumulator that it writes back.
        while any(one(op.opview) for op in reversed(collect(root, rewrites)) for one in rewrites[op.name]):
            changed = True


def hoist_from_loop(product: ir.Operation) -> None:
    """Moves the accumulator of an mma, and its loop-invariant operands, out of the loop."""
    loop = product.parent.operation
    if loop.name != "scf.for":
        return
    hoist_invariant_operands(product, loop)
    alloc: Any = defining(product.opview.d)
    if alloc is None or name_of(alloc) != TMEM_ALLOC or alloc.token is None:
        return
    if alloc.operation.block.region == product.block.region:
        hoist(alloc, loop)


def hoist_invariant_operands(product: ir.Operation, loop: ir.Operation) -> None:
    """Moves buffers in tensor memory that each iteration fills with the same tensor out of a loop."""
    for operand in product.operands:
        alloc: Any = defining(operand)
        if alloc is None or name_of(alloc) != TMEM_ALLOC or alloc.result.type.mutable or is_above(operand, loop):
            continue
        source, moved = alloc.src, [alloc.operation]
        # Operations with one operand may have been moved down to the buffer.
        while not is_above(source, loop) and (made := defining(source)) is not None:
            if len(made.operation.operands) != 1 or not is_pure(made):
                break
            moved.append(made.operation)
            (source,) = made.operation.operands
        if is_above(source, loop):
            for op in reversed(moved):
                op.move_before(loop)


def hoist(alloc: Any, loop: ir.Operation) -> None:
    """Replaces a buffer that each iteration makes and fills by one that it stores to."""
    last = last_access(alloc.token)
    if last is None:
        return
    with ir.InsertionPoint(loop), alloc.location:
        true = arith.true()
    (copy,) = clone_operations([alloc.operation], [], ir.InsertionPoint(alloc))
    set_operands(copy, [])
    copy.move_before(loop)
    hoisted: Any = copy.opview
    loop, (token,) = carry_more(loop, [hoisted.token])
    if last == alloc.token:
        last = token
    if alloc.src is not None:
        with ir.InsertionPoint(alloc), alloc.location:
            (token,) = ttng.tmem_store(AsyncTokenType.get(), hoisted.result, alloc.src, true, dep=token)
    yield_also(loop, [last])
    alloc.result.replace_all_uses_with(hoisted.result)
    alloc.token.replace_all_uses_with(token)
    alloc.operation.erase()


def last_access(token: ir.Value) -> ir.Value | None:
    """The token of the last access to a buffer; None if there are several, or it is in another block or unknown."""
    last: set[ir.Value] = set()
    waiting = [token]
    for found in each_once(waiting):
        following = [token_of(user) for user in users_of(found)]
        known = [value for value in following if value is not None]
        if len(known) < len(following):
            return None
        waiting += known
        if not following:
            last.add(found)
    if len(last) != 1:
        return None
    (only,) = last
    return only if only.owner.operation.block == token.owner.operation.block else None


def fill_by_store(alloc: Any) -> None:
    """alloc(x) -> alloc, store(x): later passes expect mutable buffers without initial values."""
    if alloc.src is None or not alloc.result.type.mutable:
        return
    source = alloc.src
    with ir.InsertionPoint.after(alloc.operation), alloc.location:
        true = arith.true()
        if alloc.token is None:
            ttng.tmem_store(None, alloc.result, source, true)
        else:
            (token,) = ttng.tmem_store(AsyncTokenType.get(), alloc.result, source, true, dep=alloc.token)
            alloc.token.replace_all_uses_except(token, token.owner.operation)
    set_operands(alloc, [])
