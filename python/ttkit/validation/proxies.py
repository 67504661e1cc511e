"""Which operations read shared memory by another proxy than the one that wrote it, with no fence between.

Threads write shared memory through the generic proxy.  TMA, wgmma and tcgen05 read it through the asynchronous one, and
see what threads wrote only after a fence: the writers fence, then all synchronize.  Values have no part in that, so it
is followed beside the terms, on all ways through a function and for all trip counts:

    unseen   of each allocation, the operations of threads that wrote to it, and no fence has come since

What loops carry and branches give stands for each allocation that it may be.  A fence ends all entries.  A write of a
whole allocation, by threads or by TMA, takes the place of those before it.

Triton puts no fence after ttg.async_copy_global_to_local, so that is no such write.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ttkit.interpreter.decode import Block, Function, Instruction, Region
from ttkit.operation_sets import (
    ASYNC_MMAS,
    CFG_BRANCHES,
    FENCE,
    LOOPS,
    MEMDESC_VIEWS,
    TMA_LOADS,
    TMA_STORES,
    WARP_SPECIALIZE,
    WGMMA_WAIT,
)

WRITERS = ("ttg.local_alloc", "ttg.local_store", "ttg.local_scatter", "ttg.local_atomic_scatter_rmw")
"""Operations by which threads write to shared memory."""
READERS = (*ASYNC_MMAS, "ttng.tmem_copy", *TMA_STORES)
"""Operations that read shared memory through the asynchronous proxy."""
PLACES = {"ttg.local_store": 1, "ttg.local_scatter": 0, "ttg.local_atomic_scatter_rmw": 0}
"""The operand that a writer writes to."""

Write = tuple[Instruction, bool]
"""An operation, and whether it was in an earlier iteration than the read."""
Unseen = dict[int, frozenset[Write]]


@dataclass(frozen=True)
class Unfenced:
    """A read of what a thread wrote, with no fence between.

    is_earlier: the write is in an earlier iteration of a loop.
    """

    read: Instruction
    write: Instruction
    is_earlier: bool

    def __str__(self) -> str:
        when = "in an earlier iteration" if self.is_earlier else "in the same iteration, or before"
        return (
            f"{self.read.name} at {self.read.location} reads what {self.write.name} at {self.write.location} wrote "
            f"{when}, with no {FENCE} between"
        )


@dataclass
class Reads:
    """Reads of a function by the asynchronous proxy.

    unfenced: those of what no fence has made visible.
    kinds: the operations that read at all.
    fences, cluster_fences: how many there are of a block, and of a cluster.
    """

    unfenced: list[Unfenced] = field(default_factory=list)
    kinds: set[str] = field(default_factory=set)
    fences: int = 0
    cluster_fences: int = 0

    def missing(self, kind: str) -> list[Unfenced]:
        """Those of one kind of operation."""
        return [one for one in self.unfenced if one.read.name == kind]


def lost_fence(before: Function, after: Function) -> str:
    """The first read that is too early after a pass and not before it, in words; empty if there is none.

    Products get their fences late in the pipeline.  So one that reads what threads wrote is right if the function
    had none of its kind, or one without a fence; copies to global memory always have theirs.  What a fence of a cluster
    orders besides, such as the beginning of mbarriers, is not followed.
    """
    if not (before.names | after.names) & {FENCE, *READERS}:
        return ""
    old, new = reads_of(before), reads_of(after)
    if new.cluster_fences < old.cluster_fences:
        return "a fence of the cluster is gone, and what it orders is not modelled"
    for kind in sorted(new.kinds):
        if not (missing := new.missing(kind)):
            continue
        if not old.missing(kind) and (kind in old.kinds or kind in TMA_STORES):
            return str(missing[0])
        if new.fences < old.fences:
            return f"a fence is gone, and {missing[0]}"
    return ""


def unfenced_read(function: Function) -> str:
    """The first read that needs a fence, in words; empty if there is none."""
    return str(found[0]) if function.names & set(READERS) and (found := reads_of(function).unfenced) else ""


def reads_of(function: Function) -> Reads:
    """The reads by the asynchronous proxy."""
    flow = Flow(function)
    if function.body is not None:
        flow.region(function.body, {})
    fences = [op for op in function.operations() if op.name == FENCE]
    return Reads(
        [Unfenced(read, write, earlier) for read, write, earlier in flow.unfenced],
        {op.name for op in function.operations() if op.name in READERS},
        *(sum(op.attributes["bCluster"] == of_cluster for op in fences) for of_cluster in (False, True)),
    )


class Flow:
    """Follows what is unseen through a function.

    unfenced: (read, write, whether that is earlier), in the order in which they are found.
    """

    def __init__(self, function: Function) -> None:
        self.allocations = allocations(function)
        self.unfenced: dict[tuple[Instruction, Instruction, bool], None] = {}

    def region(self, region: Region, unseen: Unseen) -> Unseen:
        """The unseen writes at the end of a region."""
        arrivals = {0: unseen}
        waiting: list[int]
        ends: list[Unseen]
        waiting, ends = ([0], []) if region.blocks else ([], [unseen])
        while waiting:
            number = waiting.pop()
            block = region.blocks[number]
            left = self.block(block, arrivals[number])
            successors = block.instructions[-1].successors if block.instructions else ()
            if not successors:
                ends.append(left)
            for target in successors:
                known = arrivals.get(target)
                joined = union([left if target > number else carried(left), *([known] if known is not None else [])])
                if joined != known:
                    arrivals[target] = joined
                    waiting.append(target)
        return union(ends)

    def block(self, block: Block, unseen: Unseen) -> Unseen:
        """The unseen writes at the end of a block."""
        for op in block.instructions:
            unseen = self.operation(op, unseen)
        return unseen

    def operation(self, op: Instruction, unseen: Unseen) -> Unseen:
        """The unseen writes after an operation."""
        if op.regions:
            return self.regions(op, unseen)
        if op.name == FENCE:
            return {}
        if op.name in READERS:
            for slot in op.operands:
                for place in self.allocations.get(slot, ()):
                    for write, is_earlier in sorted(unseen.get(place, ()), key=lambda one: one[1]):
                        self.unfenced[op, write, is_earlier] = None
        if op.name in TMA_LOADS:
            return {place: ops for place, ops in unseen.items() if place not in op.operands}
        if op.name not in WRITERS:
            return unseen
        if op.name == "ttg.local_alloc":
            written = frozenset({(op, False)} if op.operands else ())
            return {**unseen, op.results[0]: written}
        slot = op.operands[PLACES[op.name]]
        found = {(op, False)}
        return unseen | {
            place: frozenset(
                found if place == slot and op.name == "ttg.local_store" else found | unseen.get(place, set())
            )
            for place in self.allocations.get(slot, ())
        }

    def regions(self, op: Instruction, unseen: Unseen) -> Unseen:
        """The unseen writes after an operation with regions: any of them may have been the last."""
        again = op.name in (*LOOPS, WARP_SPECIALIZE)  # groups of warps run at the same time
        ends = [unseen] if again or len(op.regions) < 2 or not all(one.blocks for one in op.regions) else []
        while True:
            before = unseen
            for region in op.regions:
                ends.append(self.region(region, unseen))
                if again:
                    unseen = union([unseen, carried(ends[-1])])
            if not again or unseen == before:
                return union(ends)


def carried(unseen: Unseen) -> Unseen:
    """The same in the next iteration of a loop."""
    return {place: frozenset((op, True) for op, _ in ops) for place, ops in unseen.items()}


def union(parts: Iterable[Unseen]) -> Unseen:
    """The unseen writes of one way or another."""
    found: Unseen = {}
    for part in parts:
        for place, ops in part.items():
            found[place] = found.get(place, frozenset()) | ops
    return found


def allocations(function: Function) -> dict[int, frozenset[int]]:
    """The allocations of shared memory that each descriptor of memory may be a part of, by the slots of their results.

    An argument of the function is one of its own.
    """
    sources: dict[int, set[int]] = {}
    if function.body is None:
        return {}
    own = set(function.body.blocks[0].arguments) if function.body.blocks else set()
    own |= {op.results[0] for op in function.operations() if op.name == "ttg.local_alloc"}
    for op in function.operations():
        if op.name in MEMDESC_VIEWS:
            sources.setdefault(op.results[0], set()).add(op.operands[0])
        elif op.name == WGMMA_WAIT:
            for result, operand in zip(op.results, op.operands):
                sources.setdefault(result, set()).add(operand)
        for target, source in passed_on(op):
            sources.setdefault(target, set()).add(source)
    found = {slot: frozenset({slot}) for slot in own}
    changed = True
    while changed:
        changed = False
        for target, places in sources.items():
            joined = frozenset().union(*(found.get(place, ()) for place in places)) | found.get(target, frozenset())
            if joined and joined != found.get(target):
                found[target], changed = joined, True
    return found


def passed_on(op: Instruction) -> Iterable[tuple[int, int]]:
    """(slot, slot that it may be) of what an operation with regions passes in, around and out."""
    if op.name == "arith.select":
        yield from ((op.results[0], operand) for operand in op.operands[1:])
    if op.name == WARP_SPECIALIZE:
        for region in op.regions[1].blocks[0].instructions[-1].regions:
            yield from zip(region.blocks[0].arguments, op.operands)
    for region in op.regions:
        arguments = region.blocks[0].arguments if region.blocks else ()
        given = op.operands[3:] if op.name == "scf.for" else op.operands
        inner = arguments[1:] if op.name == "scf.for" else arguments
        yield from zip(inner, given)
        for block in region.blocks:
            last = block.instructions[-1] if block.instructions else None
            if last is None:
                continue
            if last.name in CFG_BRANCHES:
                yield from branched(region, last)
                continue
            passed = last.operands[1:] if last.name == "scf.condition" else last.operands
            yield from zip(op.results, passed)
            if op.name in LOOPS:
                for other in op.regions:
                    entry = other.blocks[0].arguments
                    yield from zip(entry[1:] if op.name == "scf.for" else entry, passed)


def branched(region: Region, last: Instruction) -> Iterable[tuple[int, int]]:
    """(argument of a block, slot that it may be) of a terminator between blocks."""
    for target in last.successors:
        arguments = region.blocks[target].arguments
        if last.name == "cf.cond_br":
            first = last.attributes["operandSegmentSizes"][1]
            values = last.operands[1 : 1 + first], last.operands[1 + first :]
            for given in (values[place] for place, one in enumerate(last.successors) if one == target):
                yield from zip(arguments, given)
        else:
            yield from zip(arguments, last.operands)
