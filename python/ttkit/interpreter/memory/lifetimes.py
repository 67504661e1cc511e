"""Which allocations may get the same memory: those whose lives don't overlap.

An allocation lives from its operation to the last one, in its block, that uses it or a view of it, with all that is
inside of that one.  What still goes on in its memory afterwards, a copy by TMA that nobody has waited for, meets
whatever is allocated next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ttkit.interpreter.decode import Block, Function, Instruction, Module, Region

ALLOCATIONS = ("ttg.local_alloc", "ttng.tmem_alloc")
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

    def walk(self, block: Block, is_shared: bool) -> None:
        """Counts a block.  is_shared: whether other code runs beside it, so that nothing in it is known to be dead."""
        spans: list[tuple[int, int]] = []
        for instruction in block.instructions:
            start = self.position
            self.position += 1
            for region in instruction.regions:
                self.walk_region(region, is_shared or instruction.name.startswith(TOGETHER))
            spans.append((start, self.position - 1))
        for number, instruction in enumerate(block.instructions):
            if instruction.name in ALLOCATIONS and not is_shared:
                self.found[instruction] = spans[number][0], spans[last_use(block, number)][1]

    def walk_region(self, region: Region, is_shared: bool) -> None:
        """Counts the blocks of a region."""
        for block in region.blocks:
            self.walk(block, is_shared or len(region.blocks) > 1)


def last_use(block: Block, number: int) -> int:
    """The number in its block of the last instruction that uses an allocation or a view of it."""
    last, names = number, set(block.instructions[number].results)
    for later, instruction in enumerate(block.instructions[number + 1 :], number + 1):
        if names.isdisjoint(instruction.operands) and names.isdisjoint(instruction.captures):
            continue
        last = later
        if instruction.regions or instruction.name.startswith(VIEWS):
            names |= set(instruction.results)
    return last
