"""The blocks of a region as a graph, and the loops that branches make in it."""

from __future__ import annotations

from dataclasses import dataclass

from ttkit.interpreter.decode import Region
from ttkit.validation.values import NotModelled


@dataclass(frozen=True)
class Graph:
    """The blocks of a region.

    order: so that a block comes after all that branch to it, but for those that begin another iteration.
    bodies: by the block in which iterations of a loop begin, its blocks.
    """

    order: tuple[int, ...]
    bodies: dict[int, frozenset[int]]


def graph_of(region: Region) -> Graph:
    """The graph of a region's blocks.

    Raises:
        NotModelled: a loop has several entries.
    """
    after = [block.instructions[-1].successors for block in region.blocks]
    order: list[int] = []
    seen, stack = {0}, [(0, iter(after[0]))]
    while stack:
        number, rest = stack[-1]
        following = next((one for one in rest if one not in seen), None)
        if following is None:
            order.append(number)
            stack.pop()
        else:
            seen.add(following)
            stack.append((following, iter(after[following])))
    order.reverse()
    place = {number: n for n, number in enumerate(order)}
    before: dict[int, list[int]] = {number: [] for number in order}
    for number in order:
        for target in after[number]:
            before[target].append(number)
    bodies: dict[int, set[int]] = {}
    for number in order:
        for target in after[number]:
            if place[target] <= place[number]:
                body = bodies.setdefault(target, {target})
                _reach(number, body, before)
    for head, body in bodies.items():
        if any(one != head and not body.issuperset(before[one]) for one in body):
            raise NotModelled("a loop with several entries")
    return Graph(tuple(order), {head: frozenset(body) for head, body in sorted(bodies.items())})


def _reach(number: int, body: set[int], before: dict[int, list[int]]) -> None:
    """Adds a block to a loop, and all from which it is reached."""
    queue = [number]
    while queue:
        one = queue.pop()
        if one not in body:
            body.add(one)
            queue += before[one]


def used_behind(region: Region, body: frozenset[int]) -> set[int]:
    """The slots that blocks of a loop set and that others use."""
    others = [op for n, block in enumerate(region.blocks) if n not in body for op in block.instructions]
    return made_in(region, body) & {slot for op in others for slot in (*op.operands, *op.captures)}


def made_in(region: Region, body: frozenset[int]) -> set[int]:
    """The slots that blocks of a loop set: what an iteration before has set is gone when they are reached again."""
    blocks = [region.blocks[number] for number in body]
    results = {slot for block in blocks for op in block.instructions for slot in op.results}
    return results.union(*(block.arguments for block in blocks))
