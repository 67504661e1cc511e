"""Places that a pass gives to buffers and to groups of warps: those in use at one time must not overlap.

Terms do not have them: a buffer is itself, wherever it is.  So they are looked at here, where a pass has changed them.
A buffer is in use from its allocation to the last use of it or of a view of it, on all ways through the function.
Buffers that regions allocate, and memory of an operation while it runs, are not looked at.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from ttkit.interpreter.decode import Block, Function, Instruction, Module, Region
from ttkit.operation_sets import BUFFER_VIEWS
from ttkit.validation.differences import places_of
from ttkit.validation.opaque import PARALLEL

OFFSET = "allocation.offset"
STARTS, COUNTS = "warpGroupStartIds", "partitionNumWarps"
WARPS, ALL_WARPS = "ttg.num-warps", "ttg.total-num-warps"


def overlap(module: Module, function: Function) -> str:
    """Buffers or groups of warps that overlap, in words; empty if there are none."""
    for op in function.operations():
        if op.name == PARALLEL and (found := overlapping_warps(module, op)):
            return found
    if function.body is None:
        return ""
    top = (op for block in function.body.blocks for op in block.instructions)
    buffers = [Buffer(op) for op in top if op.name == "ttg.local_alloc" and OFFSET in op.attributes]
    return overlapping_buffers(function.body, buffers)


def overlapping_warps(module: Module, op: Instruction) -> str:
    """Groups of warps of one operation that share a warp, or that have one after the last."""
    starts, counts = op.attributes.get(STARTS), op.attributes.get(COUNTS)
    if starts is None or counts is None:
        return ""
    taken = set(range(int(module.attributes.get(WARPS, 0))))
    for start, count in zip(starts, counts):
        warps = set(range(start, start + count))
        if warps & taken:
            return f"{op.name}: two groups have warp {min(warps & taken)}{places_of(op)}"
        taken |= warps
    total = module.attributes.get(ALL_WARPS)
    if total is not None and max(taken, default=0) >= int(total):
        return f"{op.name}: a group has warp {max(taken)}, and a program has {total} warps{places_of(op)}"
    return ""


@dataclass(eq=False)
class Buffer:
    """A buffer in shared memory that has a place.

    op: its allocation.
    """

    op: Instruction

    def __post_init__(self) -> None:
        kind = self.op.result_types[0]
        size = math.prod(kind.shape) * (kind.element.itemsize if kind.element is not None else 1)
        start = int(self.op.attributes[OFFSET])
        self.bytes = range(start, start + size)

    def shares_bytes(self, other: Buffer) -> bool:
        """Whether two buffers have a byte in common."""
        return self.bytes.start < other.bytes.stop and other.bytes.start < self.bytes.stop


def overlapping_buffers(body: Region, buffers: list[Buffer]) -> str:
    """Two buffers of a function that share bytes while both are in use, in words; empty if there are none."""
    pairs = [(a, b) for a, b in combinations(buffers, 2) if a.shares_bytes(b)]
    if not pairs:
        return ""
    roots = roots_of(body, buffers)
    used = [Uses(block, roots) for block in body.blocks]
    later: list[set[Buffer]] = [set() for _ in used]
    while True:  # what is in use at the end of a block is so at the beginning of one that follows it
        now = [set().union(*(used[n].before(later[n]) for n in of.successors)) for of in used]
        if now == later:
            break
        later = now
    for of, after in zip(used, later):
        for alive in of.moments(after):
            for a, b in pairs:
                if a in alive and b in alive:
                    shared = max(a.bytes.start, b.bytes.start)
                    return (
                        f"{a.op.name}: two buffers are at byte {shared} of shared memory while both are in use"
                        f"{places_of(a.op, b.op)}"
                    )
    return ""


def roots_of(body: Region, buffers: list[Buffer]) -> dict[int, set[Buffer]]:
    """By slot, the buffers that a value may be or be a view of."""
    found: dict[int, set[Buffer]] = {of.op.results[0]: {of} for of in buffers}
    while True:
        before = sum(map(len, found.values()))
        for target, source in passed_on(body):
            if source in found:
                found.setdefault(target, set()).update(found[source])
        if sum(map(len, found.values())) == before:
            return found


def passed_on(region: Region) -> Iterator[tuple[int, int]]:
    """Slots of views, of results and of arguments of blocks, each with a slot that it may come from."""
    for block in region.blocks:
        for op in block.instructions:
            if op.name in BUFFER_VIEWS or op.name == "arith.select":
                yield from ((op.results[0], source) for source in op.operands)
            for inner in op.regions:
                yield from passed_on(inner)
                entry, lasts = inner.blocks[0], [one.instructions[-1] for one in inner.blocks if one.instructions]
                skipped = 2 if op.name == "scf.for" else 0  # of a loop the index stands for three bounds
                yield from zip(entry.arguments, op.operands[skipped:])
                for last in lasts:
                    yield from zip(op.results, last.operands)
                    yield from zip(entry.arguments[bool(skipped) :], last.operands)
            yield from to_successors(region, op)


def to_successors(region: Region, op: Instruction) -> Iterator[tuple[int, int]]:
    """Arguments of the blocks that an operation goes to, each with what it gets."""
    given, start = op.attributes.get("operandSegmentSizes", (0, len(op.operands))), 0
    for place, number in enumerate(op.successors):
        counts = given[1:] if len(given) > 1 else (len(op.operands),)
        start = given[0] + sum(counts[:place])
        yield from zip(region.blocks[number].arguments, op.operands[start : start + counts[place]])


class Uses:
    """The buffers that each operation of a block makes and uses, those in its regions included.

    successors: numbers of the blocks that may follow.
    """

    def __init__(self, block: Block, roots: dict[int, set[Buffer]]) -> None:
        self.made: list[set[Buffer]] = []
        self.uses: list[set[Buffer]] = []
        for op in block.instructions:
            everything = [op, *(one for region in op.regions for one in region.operations())]
            self.made.append({of for of in roots.get(op.results[0], ()) if of.op is op} if op.results else set())
            self.uses.append({of for one in everything for slot in one.operands for of in roots.get(slot, ())})
        self.successors = block.instructions[-1].successors if block.instructions else ()

    def before(self, later: set[Buffer]) -> set[Buffer]:
        """The buffers in use at the beginning, of those at the end."""
        for made, uses in zip(reversed(self.made), reversed(self.uses)):
            later = (later | uses) - made
        return later

    def moments(self, later: set[Buffer]) -> Iterator[set[Buffer]]:
        """The buffers in use while each operation runs, the last one first."""
        for made, uses in zip(reversed(self.made), reversed(self.uses)):
            yield later | uses | made
            later = (later | uses) - made
