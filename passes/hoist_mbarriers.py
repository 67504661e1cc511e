"""Begin and end mbarriers outside of loops whose iterations wait for one copy by TMA.

    scf.for %i ... {                                        %bar = ttg.local_alloc
      %bar = ttg.local_alloc                                ttng.init_barrier %bar, 1
      ttng.init_barrier %bar, 1                             scf.for %i ... iter_args(%phase = 0) {
      ttng.barrier_expect %bar, 8192, %true                   ttng.barrier_expect %bar, 8192, %true
      ttng.async_tma_copy_global_to_local ... %bar     =>     ttng.async_tma_copy_global_to_local ... %bar
      ttng.wait_barrier %bar, 0                               ttng.wait_barrier %bar, %phase
      ttng.inval_barrier %bar                                 scf.yield %phase xor 1
      %x = ttg.local_load %buffer                           }
    }                                                       ttng.inval_barrier %bar

An iteration then synchronizes its threads twice less: all see the barrier before the copy begins, and all have left it
before it ends.  One arrival, and so one phase, is in each iteration.

Threads that are still waiting would miss a phase if the next one ended meanwhile.  So the buffer is read in the
iteration, after the wait: threads synchronize before the next copy writes it.

Input:  ttg and ttng.      Output: the same.
Order:  when copies by TMA have their barriers.
Skips:  loops of groups of warps; clusters; barriers of several copies in buffers of which one is not read; mmas.
Test:   test/lit/passes/hoist_mbarriers.mlir
"""

from __future__ import annotations

from mlir import ir

from ttkit.dialects import arith, ttng
from ttkit.inspection import collect, enclosing, users_of
from ttkit.operation_sets import MEMDESC_VIEWS, TMA_LOADS, WAIT_BARRIER, WARP_SPECIALIZE
from ttkit.passes.infra import Pass, canonicalize_ops
from ttkit.passes.infra.constants import constant_splat
from ttkit.passes.infra.loops import carry_more, yield_also
from ttkit.passes.infra.nesting import ancestor_in, comes_before
from ttkit.passes.layouts.thread_counts import num_ctas
from ttkit.records import dataclass

INIT, END, EXPECT = "ttng.init_barrier", "ttng.inval_barrier", "ttng.barrier_expect"


class HoistMbarriers(Pass):
    """Begin and end mbarriers outside of loops whose iterations wait for one copy by TMA"""

    name = "ttkit-hoist-mbarriers"
    dependent_dialects = ("arith", "ttng")

    def run(self, op: ir.Operation) -> None:
        """Rewrites the loops, the innermost first."""
        if num_ctas(op) > 1:
            return
        changed = False
        for loop in reversed(collect(op, ["scf.for"])):
            if enclosing(loop, WARP_SPECIALIZE) is None:
                changed |= hoist(loop)
        if changed:
            canonicalize_ops(op, ())


@dataclass(frozen=True)
class Barrier:
    """A barrier that an iteration begins and ends.

    allocation, begin, wait, end: of it.
    """

    allocation: ir.Operation
    begin: ir.Operation
    wait: ir.Operation
    end: ir.Operation


def hoist(loop: ir.Operation) -> bool:
    """Moves the barriers of a loop out of it; says whether it has some."""
    block = loop.regions[0].blocks[0]
    found = [one for op in block.operations if (one := barrier_of(op.operation, block)) is not None]
    for barrier in found:
        barrier.allocation.move_before(loop)
        barrier.begin.move_before(loop)
    if not found:
        return False
    with loop.location, ir.InsertionPoint(loop):
        zero = arith.i32(0)
    made, phases = carry_more(loop, [zero] * len(found))
    flipped = []
    for barrier, phase in zip(found, phases):
        with barrier.wait.location, ir.InsertionPoint.after(barrier.wait):
            flipped.append(arith.xori(phase, arith.i32(1)))
        barrier.wait.operands[1] = phase
        barrier.end.erase()
        with made.location, ir.InsertionPoint.after(made):
            ttng.inval_barrier(barrier.allocation.results[0])
    yield_also(made, flipped)
    return True


def barrier_of(op: ir.Operation, block: ir.Block) -> Barrier | None:
    """The barrier that `op` allocates, if each iteration begins it, waits for one phase, and ends it."""
    if op.name != "ttg.local_alloc" or op.operands:
        return None
    users = users_of(op.results[0])
    by_name: dict[str, list[ir.Operation]] = {}
    for user in users:
        if user.block != block:
            return None
        by_name.setdefault(user.name, []).append(user)
    copies = [user for user in users if user.name in TMA_LOADS]
    if not copies or {*by_name} - {INIT, END, EXPECT, WAIT_BARRIER, *TMA_LOADS}:
        return None
    if any(len(by_name.get(name, [])) != 1 for name in (INIT, END, EXPECT, WAIT_BARRIER)):
        return None
    (begin,), (wait,), (end,), (expect,) = (by_name[name] for name in (INIT, WAIT_BARRIER, END, EXPECT))
    if int(ir.IntegerAttr(begin.attributes["count"]).value) != 1 or not is_for_each(wait, expect):
        return None
    is_ordered = all(comes_before(begin, copy) and comes_before(copy, wait) for copy in (expect, *copies))
    if not is_ordered or not comes_before(wait, end) or not all(is_read_after(wait, copy) for copy in copies):
        return None
    return Barrier(op, begin, wait, end)


def is_for_each(wait: ir.Operation, expect: ir.Operation) -> bool:
    """Whether all iterations wait for the first phase, and arrive."""
    conditions = [*list(wait.opview.operands)[2:3]] if wait.opview.pred is not None else []
    return constant_splat(wait.operands[1]) == 0 and all(
        constant_splat(each) == 1 for each in (*conditions, expect.operands[1])
    )


def is_read_after(wait: ir.Operation, copy: ir.Operation) -> bool:
    """Whether the buffer that a copy fills is one of its own, and read in the iteration after the wait."""
    buffer = copy.opview.result
    if isinstance(buffer.owner, ir.Block) or buffer.owner.name != "ttg.local_alloc":
        return False
    readers, open_values = [], [buffer]
    while open_values:
        for user in users_of(open_values.pop()):
            if user.name in MEMDESC_VIEWS:
                open_values += list(user.results)
            elif user != copy:
                readers.append(user)
    places = [ancestor_in(wait.block, reader) for reader in readers]
    return any(place is not None and comes_before(wait, place) for place in places)
