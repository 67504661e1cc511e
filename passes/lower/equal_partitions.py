"""Partitions of specialized warps whose code is equal but for numbers: one copy of the code serves them all.

A dot operation that is divided among groups of warps has its loop once for each group.  The loops differ in the buffers
and mbarriers, the numbers of barriers, and the rows.  LLVM and ptxas take half the time for one loop.

    partition0(%q0, %q1) { dot %q0 }          partition0(%q0, %q1, %is_1) {
    partition1(%q0, %q1) { dot %q1 }    =>      %q = arith.select %is_1, %q1, %q0
                                                dot %q
                                              }

The copy is the first partition.  Its last arguments tell which of the others runs it.  What differs is chosen once,
where the copy begins, so that the loop has no instruction more.

Operations that access memory, synchronize or have scratch memory must be the same, in the same order.  Those between
are compared by what they compute.  Barriers outside of loops that only some partitions have are in branches.
Partitions whose loops carry many registers keep their own code: they have no free registers for choices.

Used by: convert-triton-gpu-to-llvm    Test: test/lit/lower/equal_partitions.mlir
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from mlir import ir

from ttkit.analysis.control_flow import partitions
from ttkit.dialects import arith, cf, tt
from ttkit.inspection import address_of, collect
from ttkit.operation_sets import NAMED_BARRIERS, WARP_SPECIALIZE
from ttkit.passes.infra.constants import constant_splat
from ttkit.passes.infra.tensor_bytes import bytes_of, registers
from ttkit.passes.infra.transforms import set_operands, update_operands
from ttkit.passes.lower.function_memory import of_all
from ttkit.passes.lower.lowering import loops_of, reachable_blocks
from ttkit.passes.lower.partition_comparison import PLACES, Comparison, Found, Values, all_equal
from ttkit.passes.lower.warps import BARRIER_NUMBERS
from ttkit.tuning.lowering import MOST_CARRIED

CODE_OF = "ttkit.code_of"
"""On ttg.warp_specialize: for each partition the number of the one whose code it runs."""


def share_equal_partitions(module: ir.Operation) -> None:
    """Makes partitions that are equal but for numbers run the code of the first of them."""
    for specialized in collect(module, [WARP_SPECIALIZE]):
        regions = partitions(specialized.opview)
        code_of = list(range(len(regions)))
        for numbers in alike(specialized, regions):
            first, *others = numbers
            pairs = {other: Comparison([regions[first], regions[other]]) for other in others}
            found = [other for other, pair in pairs.items() if pair.succeeds()]
            if not found:
                continue
            comparison = pairs[found[0]]
            if len(found) > 1:
                comparison = Comparison([regions[number] for number in (first, *found)])
                if not comparison.succeeds():
                    continue
            Merging(comparison).run()
            for number in found:
                code_of[number] = first
        if code_of != list(range(len(regions))):
            specialized.attributes[CODE_OF] = ir.DenseI32ArrayAttr.get(code_of, module.context)


def alike(specialized: ir.Operation, regions: Sequence[ir.Region]) -> list[list[int]]:
    """Numbers of partitions with as many warps, registers and blocks, whose loops leave registers for choices.

    Before each of them is a multiple of its warps, so that a thread's number there is part of that in the CTA.
    """
    attributes = specialized.attributes
    counts, starts = attributes["partitionNumWarps"], attributes["warpGroupStartIds"]
    shares = list(attributes["actualRegisters"])[1:] if "actualRegisters" in attributes else [0] * len(counts)
    found: dict[object, list[int]] = defaultdict(list)
    for number, (region, warps, start, share) in enumerate(zip(regions, counts, starts, shares)):
        if start % warps == 0 and carried_registers(region, warps) <= MOST_CARRIED:
            found[warps, share, len(region.blocks)].append(number)
    return [numbers for numbers in found.values() if len(numbers) > 1]


def carried_registers(region: ir.Region, warps: int) -> int:
    """Registers of a thread for the tensors that a loop of a partition carries, of the loop that carries most."""
    heads = set(loops_of(reachable_blocks(region)).values())
    return max((registers(sum(map(bytes_of, head.arguments)), warps) for head in heads), default=0)


# --- One copy ---------------------------------------------------------------------------------------------------------
class Merging:
    """Makes the first region of a comparison compute what each of them computes.

    Attributes:
        is_other: arguments that are added to the region, i1: whether the second one's warps run it, the third one's...
    """

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self.entry = comparison.blocks[0][0]
        self.is_other: list[ir.Value] = []
        self.made: dict[Values, ir.Value] = {}
        self.of_first: dict[ir.Value, list[Values]] = defaultdict(list)
        for values in comparison.found:
            self.of_first[values[0]].append(values)

    def run(self) -> None:
        """Adds the arguments, chooses what differs, and puts other partitions' barriers in branches."""
        location = self.entry.operations[0].location
        bit = ir.IntegerType.get_signless(1, location.context)
        captures = list(self.entry.arguments)
        with location:
            self.is_other = [self.entry.add_argument(bit, location) for _ in self.comparison.regions[1:]]
            ops = [(block, [op.operation for op in block.operations]) for block in self.comparison.blocks[0]]
            self.place = ir.InsertionPoint.at_block_begin(self.entry)
            self._make(captures)
            for block, operations in ops:
                if block != self.entry:
                    self.place = ir.InsertionPoint.at_block_begin(block)
                    self._make(block.arguments)
                for op in operations:
                    self._merge(op)
            self._branch()

    def _make(self, firsts: Iterable[ir.Value]) -> None:
        """Chooses what corresponds to each of the values of the first region, at the present place."""
        for first in firsts:
            listed = self.of_first.get(first, ())
            for values in sorted(listed, key=lambda values: self.comparison.found[values].kind == "sums"):
                self.made[values] = self._chosen(values, self.comparison.found[values])

    def _chosen(self, values: Values, found: Found) -> ir.Value:
        """The value that stands for all of them."""
        first = values[0]
        if found.kind == "captures":
            arguments = [self.entry.arguments[ir.BlockArgument(value).arg_number] for value in values]
            return self._select(arguments)
        if found.kind == "constants":
            return self._select([self._copied(value) for value in values])
        if found.kind == "ranges":
            start = self._of_numbers([number - found.numbers[0] for number in found.numbers], first.type.element_type)
            return arith.addi(first, tt.splat(start, first.type, ip=self.place), ip=self.place)
        if found.kind == "sums":
            core = self.made[found.operands[0]]
            return arith.addi(core, self._of_numbers(found.numbers, core.type), ip=self.place)
        if found.kind == "results" and (operands := [self.made[each] for each in found.operands]):
            op = first.owner.operation
            if len(self.of_first[first]) == 1:
                update_operands(op, operands)
            elif operands != list(op.operands):
                copy = op.clone(self.place)
                set_operands(copy, operands)
                return copy.operation.results[0]
        return first

    def _merge(self, op: ir.Operation) -> None:
        """Makes an operation of the first region do what those of all do."""
        self.place = ir.InsertionPoint.after(op) if not op.successors else self.place
        self._make(op.results)
        ops = self.comparison.steps.get(address_of(op))
        if ops is None:
            return
        update_operands(op, [self.made.get(each, each[0]) for each in zip(*(each.operands for each in ops))])
        if op.name in NAMED_BARRIERS:
            numbers = [constant_splat(each.operands[0]) for each in ops]
            if not all_equal(numbers):
                op.attributes[BARRIER_NUMBERS] = ir.DenseI32ArrayAttr.get(numbers)
        for name in PLACES:
            if name in op.attributes and not all_equal(each.attributes[name] for each in ops):
                places = [each.attributes[name].value for each in ops]
                op.attributes[of_all(name)] = ir.DenseI32ArrayAttr.get(places)

    def _select(self, values: Sequence[ir.Value]) -> ir.Value:
        """That of the values, one of each partition, whose warps run the code."""
        chosen = values[0]
        for is_this, value in zip(self.is_other, values[1:], strict=True):
            chosen = arith.select(is_this, value, chosen, results=[value.type], ip=self.place)
        return chosen

    def _of_numbers(self, numbers: Sequence[int], type: ir.Type) -> ir.Value:
        """`_select` of constants."""
        return self._select([arith.constant(type, number, ip=self.place) for number in numbers])

    def _branch(self) -> None:
        """Puts barriers of single partitions into branches."""
        for number, following, barrier in self.comparison.barriers:
            block = following.block
            rest = block.create_after()
            alone = block.create_after()
            self.place = ir.InsertionPoint(following)
            condition = self.is_other[number - 1] if number else self._is_first()
            here = [op.operation for op in block.operations]
            for op in here[here.index(following) :]:
                rest.append(op)
            self.place = ir.InsertionPoint(alone)
            operands = [self._copied(operand) for operand in barrier.operands]
            set_operands(barrier.clone(self.place), operands)
            if not number:
                barrier.erase()
            cf.br([], rest, ip=self.place)
            cf.cond_br(condition, [], [], alone, rest, ip=ir.InsertionPoint(block))

    def _is_first(self) -> ir.Value:
        """i1: whether the warps of the first partition run the code."""
        is_other = self.is_other[0]
        for another in self.is_other[1:]:
            is_other = arith.ori(is_other, another, ip=self.place)
        return arith.xori(is_other, arith.true(ip=self.place), ip=self.place)

    def _copied(self, constant: ir.Value) -> ir.Value:
        """A constant, at the present place."""
        return constant.owner.operation.clone(self.place).operation.results[0]
