"""Partitions of specialized warps, compared: do they compute alike, and where do numbers and buffers differ?

Operations that access memory, synchronize or have scratch memory must be the same, in the same order.  Those between
are compared by what they compute.  Constants, captured values and the beginnings of ranges may differ, and a sum may
have a constant more.  Barriers outside of loops may be missing.

Used by: equal_partitions.py
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mlir import ir

from ttkit.inspection import address_of
from ttkit.operation_sets import MEMDESC_VIEWS, NAMED_BARRIERS
from ttkit.passes.infra.rewriting import defining_name, is_memory_effect_free
from ttkit.passes.lower.lowering import loops_of, reachable_blocks

PLACES = ("allocation.offset", "ttg.global_scratch_memory_offset")
"""Attributes with the place of an operation's own memory."""
BARRIERS = (*NAMED_BARRIERS, "ttg.local_barrier")
OF_GROUPS = ("async_task_id", "ttg.partition")
COMPUTING = ("arith", "math")
"""Dialects whose operations neither access memory nor have scratch memory; some of tt do."""

Values = tuple[ir.Value, ...]
"""A value of each partition."""


class Found(NamedTuple):
    """The way in which values of the partitions correspond.

    kind: "same"; "captures", "constants", "ranges", which differ; "results" of operations that compute alike from
        `operands`; or "sums" of `operands` and of `numbers`.
    numbers: one of each partition: what is added, or where a range begins.
    """

    kind: str
    operands: tuple[Values, ...] = ()
    numbers: tuple[int, ...] = ()


class Comparison:
    """The code of regions, compared.

    Attributes:
        blocks: those of each region that run, in the same order.
        found: values that correspond, and how.
        steps: operations that must be the same, one of each region, by the address of the first one.
        barriers: that a region has alone: its number, the first region's operation that follows, the barrier.
    """

    def __init__(self, regions: Sequence[ir.Region]) -> None:
        self.regions = regions
        self.blocks = [reachable_blocks(region) for region in regions]
        self.numbers = [{block: number for number, block in enumerate(blocks)} for blocks in self.blocks]
        self.found: dict[Values, Found] = {}
        self.steps: dict[int, tuple[ir.Operation, ...]] = {}
        self.barriers: list[tuple[int, ir.Operation, ir.Operation]] = []
        self._pending: list[Values] = []

    def succeeds(self) -> bool:
        """Whether one copy can serve all."""
        if len({len(blocks) for blocks in self.blocks}) > 1:
            return False
        in_loops = loops_of(self.blocks[0])
        if not in_loops:
            return False  # it is short
        for blocks in zip(*self.blocks):
            if not self._blocks_agree(blocks, blocks[0] in in_loops):
                return False
        while self._pending:
            if not self._values_agree(self._pending.pop()):
                return False
        return True

    def _blocks_agree(self, blocks: tuple[ir.Block, ...], repeats: bool) -> bool:
        """Whether blocks have the same operations that must be the same; notes what their operands are."""
        if not all_equal([argument.type for argument in block.arguments] for block in blocks):
            return False
        listed = [list(fixed_steps(block)) for block in blocks]
        if not repeats:
            listed = self._without_barriers(listed)
        if not all_equal(map(len, listed)):
            return False
        return all(map(self._operations_agree, zip(*listed)))

    def _without_barriers(self, listed: list[list[ir.Operation]]) -> list[list[ir.Operation]]:
        """Operations without the barriers that only some of the blocks have at their place."""
        kept: list[list[ir.Operation]] = []
        gaps: list[list[list[ir.Operation]]] = []
        for steps in listed:
            kept.append([])
            gaps.append([[]])
            for op in steps:
                if op.name in BARRIERS and all(is_constant(operand) for operand in op.operands):
                    gaps[-1][-1].append(op)
                else:
                    kept[-1].append(op)
                    gaps[-1].append([])
        if not all_equal(map(len, kept)):
            return listed
        for at, gap in reversed(list(enumerate(zip(*gaps)))):
            if all_equal([op.name for op in barriers] for barriers in gap):
                for steps, barriers in zip(kept, gap):
                    steps[at:at] = barriers
            else:
                self.barriers += [(number, kept[0][at], op) for number, ops in enumerate(gap) for op in ops]
        return kept

    def _operations_agree(self, ops: tuple[ir.Operation, ...]) -> bool:
        """Whether operations do the same, if their operands agree."""
        if not self._do_the_same(ops):
            return False
        self.steps[address_of(ops[0])] = ops
        for results in zip(*(op.results for op in ops)):
            self.found[results] = Found("same")
        operands = list(zip(*(op.operands for op in ops)))
        if ops[0].name in NAMED_BARRIERS and all(map(is_constant, operands[0])):
            del operands[0]  # its number may differ
        self._pending += operands
        return True

    def _do_the_same(self, ops: tuple[ir.Operation, ...]) -> bool:
        """Whether operations have the same name, attributes, successors and regions, and as many operands."""
        first, *others = ops
        if any(other.name != first.name or len(other.operands) != len(first.operands) for other in others):
            return False
        if not all_equal(map(attributes_of, ops)) or not all_equal([r.type for r in op.results] for op in ops):
            return False
        targets = ([of[block] for block in op.successors] for op, of in zip(ops, self.numbers))
        return all_equal(targets) and (not len(first.regions) or all_equal(map(contents, ops)))

    def _values_agree(self, values: Values) -> bool:
        """Whether one value can stand for all; notes how, and which values it takes for that."""
        if values in self.found:
            return True
        if not all_equal([value.type for value in values]):
            return False
        found = self._of_arguments(values) or self._of_sums(values) or self._of_results(values)
        if found is None:
            return False
        self.found[values] = found
        self._pending += found.operands
        return True

    def _of_arguments(self, values: Values) -> Found | None:
        """Arguments of blocks that correspond, or captures."""
        if not all(isinstance(value.owner, ir.Block) for value in values):
            return None
        numbers = [ir.BlockArgument(value).arg_number for value in values]
        blocks = [of[value.owner] for value, of in zip(values, self.numbers)]
        if all_equal(zip(blocks, numbers)):
            return Found("same")
        return None if any(blocks) else Found("captures")

    def _of_sums(self, values: Values) -> Found | None:
        """Sums of what agrees and of constants that differ."""
        split = [sum_of(value) for value in values]
        if all_equal(offset for _, offset in split):
            return None
        return Found("sums", (tuple(core for core, _ in split),), tuple(offset for _, offset in split))

    def _of_results(self, values: Values) -> Found | None:
        """Results of operations that compute the same, or of constants and ranges."""
        if any(isinstance(value.owner, ir.Block) for value in values):
            return None
        ops = tuple(value.owner.operation for value in values)
        if not all(map(computes, ops)):
            return None
        if ops[0].name == "tt.make_range" and all(op.name == "tt.make_range" for op in ops):
            starts = tuple(op.attributes["start"].value for op in ops)
            return Found("same" if all_equal(starts) else "ranges", (), starts)
        if self._do_the_same(ops):
            return Found("results", tuple(zip(*(op.operands for op in ops))))
        is_scalar = isinstance(values[0].type, ir.IntegerType)
        return Found("constants") if is_scalar and all(map(is_constant, values)) else None


def fixed_steps(block: ir.Block) -> Iterator[ir.Operation]:
    """The operations of a block whose order matters, its last one too."""
    for op in block.operations:
        if not computes(op.operation) or op.operation.successors:
            yield op.operation


def computes(op: ir.Operation) -> bool:
    """Whether an operation only computes its one result from its operands."""
    name = op.name
    if len(op.results) != 1:
        return False
    if name in MEMDESC_VIEWS or name.partition(".")[0] in COMPUTING:
        return True
    return name.startswith("tt.") and "allocation.offset" not in op.attributes and is_memory_effect_free(op)


def attributes_of(op: ir.Operation) -> dict[str, ir.Attribute | None]:
    """The attributes of an operation without those that name its group, and without the places of its memory."""
    attributes = op.attributes
    return {name: None if name in PLACES else attributes[name] for name in attributes if name not in OF_GROUPS}


def contents(op: ir.Operation) -> list[object]:
    """The operations in the regions of an operation; equal for two that compute the same from the same values."""
    numbers: dict[ir.Value, int] = {}

    def listed(inner: ir.Operation) -> list[object]:
        """Blocks and operations in order, with numbers for what is defined there."""
        found: list[object] = []
        for region in inner.regions:
            for block in region.blocks:
                found.append([argument.type for argument in block.arguments])
                for argument in block.arguments:
                    numbers[argument] = len(numbers)
                for each in block.operations:
                    one = each.operation
                    operands = [numbers.get(operand, operand) for operand in one.operands]
                    found.append((one.name, attributes_of(one), operands, listed(one)))
                    for result in one.results:
                        numbers[result] = len(numbers)
        return found

    return listed(op)


def is_constant(value: ir.Value) -> bool:
    """Whether an arith.constant makes a value."""
    return defining_name(value) == "arith.constant"


def sum_of(value: ir.Value) -> tuple[ir.Value, int]:
    """A value as a sum with a constant, which is 0 where there is none."""
    if isinstance(value.type, ir.IntegerType) and not isinstance(value.owner, ir.Block):
        op = value.owner.operation
        if op.name == "arith.addi" and is_constant(op.operands[1]):
            return op.operands[0], op.operands[1].owner.operation.attributes["value"].value
    return value, 0


def all_equal(values: Iterable[object]) -> bool:
    """Whether all values are equal."""
    listed = list(values)
    return listed.count(listed[0]) == len(listed)
