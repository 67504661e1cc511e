"""Which allocations may get the same memory: those whose lives don't overlap.

An allocation lives from its operation to the last one, in its block, that uses it or a view of it, with all that is
inside of that one.  One that a block passes on to the operation around it lives on there: in all of a loop, and as long
as its result is used.  What still goes on in its memory afterwards, a copy by TMA that nobody has waited for, meets
whatever is allocated next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ttkit.operation_sets import ALLOCATIONS, LOOPS

if TYPE_CHECKING:
    from ttkit.interpreter.decode import Block, Function, Instruction, Module, Region

VIEWS = ("ttg.memdesc_", "ttng.tmem_subslice", "ttng.warp_group_dot_wait")
TOGETHER = "ttg.warp_specialize"  # its regions run at the same time


def may_share(module: Module) -> dict[Instruction, tuple[Instruction, ...]]:
    """For each allocation the others of its kind of memory that are dead whenever it lives."""
    found: dict[Instruction, tuple[Instruction, ...]] = {}
    for function in module.functions.values():
        lives = _Lives(function).found
        for one, (start, end) in lives.items():
            found[one] = tuple(
                other for other, (s, e) in lives.items() if other.name == one.name and (e < start or end < s)
            )
    return found


class _Lives:
    """The lives of a function's allocations: first and last position, operations counted in their order."""

    def __init__(self, function: Function) -> None:
        self.found: dict[Instruction, tuple[int, int]] = {}
        self.position = 0
        # Jumps between blocks could lead anywhere.
        if function.body is not None and len(function.body.blocks) == 1:
            self.walk(function.body.blocks[0], is_shared=False)

    def walk(self, block: Block, is_shared: bool) -> list[_Passed]:
        """Counts a block, and returns the allocations that it passes on.

        is_shared: whether other code runs beside it, so that nothing in it is known to be dead.
        """
        spans: list[tuple[int, int]] = []
        made: list[tuple[int, _Passed]] = []
        for number, instruction in enumerate(block.instructions):
            start = self.position
            self.position += 1
            for region in instruction.regions:
                passed = self.walk_region(region, is_shared or instruction.name.startswith(TOGETHER))
                begins = start if instruction.name in LOOPS else None
                made += [(number, one._replace(start=one.start if begins is None else begins)) for one in passed]
            spans.append((start, self.position - 1))
            if instruction.name in ALLOCATIONS and not is_shared:
                made.append((number, _Passed(instruction, start, range(len(instruction.results)))))
        onward: list[_Passed] = []
        for number, one in made:
            results = block.instructions[number].results
            last, names = last_use(block, number, {results[i] for i in one.indices if i < len(results)})
            self.found[one.allocation] = one.start, max(spans[last][1], self.found.get(one.allocation, (0, 0))[1])
            if last == len(block.instructions) - 1:
                operands, skipped = block.instructions[last].operands, block.instructions[last].name == "scf.condition"
                onward.append(one._replace(indices=[i - skipped for i, name in enumerate(operands) if name in names]))
        return onward

    def walk_region(self, region: Region, is_shared: bool) -> list[_Passed]:
        """Counts the blocks of a region."""
        return [one for block in region.blocks for one in self.walk(block, is_shared or len(region.blocks) > 1)]


class _Passed(NamedTuple):
    """An allocation, where its life begins, and the numbers of the results or yielded values that are its memory."""

    allocation: Instruction
    start: int
    indices: Sequence[int]


def last_use(block: Block, number: int, names: set[Any]) -> tuple[int, set[Any]]:
    """The number in its block of the last instruction that uses some memory or a view of it, and the names of these."""
    last = number
    for later, instruction in enumerate(block.instructions[number + 1 :], number + 1):
        if names.isdisjoint(instruction.operands) and names.isdisjoint(instruction.captures):
            continue
        last = later
        if instruction.regions or instruction.name.startswith(VIEWS):
            names |= set(instruction.results)
    return last, names
