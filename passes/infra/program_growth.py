"""The growth of a program's work with its place in the grid, by the bounds of its loops.

    %m = tt.get_program_id x
    %end = (%m + 1) * 128                    grows by 128 a program along x
    scf.for %n = 0 to %end step 64           grows by 2 iterations
      tt.load : tensor<64x128xf16>           and by 32,768 bytes

Attention with a causal mask is such.  Numbers are estimates: what is cut off, as by `min(end, n)`, grows like the part
that grows, and remainders by a constant do not grow.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from mlir import ir

from ttkit.inspection import collect, contains_any, defining, name_of, terminator
from ttkit.operation_sets import DOTS, LOADS
from ttkit.passes.infra.constants import constant_splat
from ttkit.passes.infra.tensor_bytes import bytes_of

PROGRAM_ID = "tt.get_program_id"
LEAST_BYTES = 256
"""Loops that load less in an iteration, and do not multiply, do not count as work."""
_NEVER = frozenset(("arith.constant", "tt.get_num_programs"))
_SAME_AS_FIRST = frozenset(f"arith.{name}" for name in "extsi extui trunci index_cast index_castui".split())
_CUT_OFF = frozenset(f"arith.{name}" for name in "minsi minui maxsi maxui select".split())
_DIVISIONS = frozenset(("arith.divsi", "arith.divui"))
_REMAINDERS = frozenset(("arith.remsi", "arith.remui"))
_MASKS = frozenset(("arith.extui", "arith.select"))


class Growth(NamedTuple):
    """The work that a program has more than the one before it: iterations of loops, and bytes that these load."""

    iterations: Fraction
    bytes: Fraction


def growth_along(function: ir.Operation, axis: int) -> Growth | None:
    """The growth of a kernel's loops that load or multiply tensors, along an axis of the grid.

    Args:
        function: a `tt.func` whose calls are inlined.
        axis: 0 to 2.

    Returns:
        None where the place has an effect on a loop's bounds that nobody knows, or where one grows and another shrinks.
    """
    values = _Values(axis)
    iterations = size = Fraction(0)
    signs = set[bool]()
    for loop in collect(function, ["scf.for"]):
        loaded = sum(bytes_of(load.results[0]) for load in collect(loop, LOADS))
        if loaded < LEAST_BYTES and not contains_any(loop, DOTS):
            continue
        more = values.more_iterations(loop.opview)
        if more is None:
            return None
        if more:
            signs.add(more > 0)
            iterations += more
            size += more * loaded
    return Growth(iterations, size) if len(signs) < 2 else None


class _Values:
    """The growth of integers along an axis; each is looked at once."""

    def __init__(self, axis: int) -> None:
        self.axis = axis
        self.known: dict[ir.Value, Fraction | None] = {}

    def more_iterations(self, loop: ir.OpView) -> Fraction | None:
        """The iterations that a loop has more in the next program; None if nobody knows."""
        first, last, width = self.of(loop.lowerBound), self.of(loop.upperBound), constant_splat(loop.step)
        if first is None or last is None:
            return None
        if first == last:
            return Fraction(0)
        return (last - first) / width if isinstance(width, int) and width else None

    def of(self, value: ir.Value) -> Fraction | None:
        """The growth of an integer; None if nobody knows."""
        if value not in self.known:
            self.known[value] = None  # of a cycle
            op = defining(value)
            self.known[value] = self._of_argument(value) if op is None else self._of_result(value, op)
        return self.known[value]

    def _of_argument(self, value: ir.Value) -> Fraction | None:
        """Those of kernels do not grow."""
        function = value.owner.owner
        is_given = function.operation.name == "tt.func" and value.owner == function.operation.regions[0].blocks[0]
        return Fraction(0) if is_given else None

    def _of_result(self, value: ir.Value, op: ir.OpView) -> Fraction | None:
        name = name_of(op)
        if name == PROGRAM_ID:
            return Fraction(int(op.axis == self.axis))
        if name in _NEVER:
            return Fraction(0)
        if name == "scf.if":
            place = list(op.operation.results).index(value)
            yielded = [terminator(region.blocks[0]).operation for region in op.operation.regions]
            return joined([self.of(last.operands[place]) for last in yielded])
        if len(op.operation.regions) > 0:
            return None
        operands = list(op.operation.operands)
        if name in _CUT_OFF:
            chosen = [op.true_value, op.false_value] if name == "arith.select" else operands
            return joined([self.of(value) for value in chosen])
        grown = [self.of(operand) for operand in operands]
        if all(one == 0 for one in grown):
            return Fraction(0)
        return self._computed(name, operands, grown)

    def _computed(self, name: str, operands: list[ir.Value], grown: list[Fraction | None]) -> Fraction | None:
        """That of arithmetic on integers, one of which grows."""
        if name == "arith.muli":
            return self._product(operands, grown)
        known = [one for one in grown if one is not None]
        if len(known) < len(grown):
            return None
        first = known[0]
        if name in _SAME_AS_FIRST:
            return first
        if name in ("arith.addi", "arith.subi"):
            return first + known[1] if name == "arith.addi" else first - known[1]
        number = constant_splat(operands[1]) if len(operands) == 2 else None
        if not isinstance(number, int) or number <= 0:
            return None
        if name in _DIVISIONS:
            return first / number
        if name in _REMAINDERS:
            return Fraction(0)
        return first * (1 << number) if name == "arith.shli" and number < 32 else None

    def _product(self, operands: list[ir.Value], grown: list[Fraction | None]) -> Fraction | None:
        """A product with a constant, or with a mask of 0 or 1."""
        for (factor, _), (_, more) in zip(pairs := list(zip(operands, grown)), reversed(pairs)):
            if more is None:
                continue
            if isinstance(number := constant_splat(factor), int):
                return number * more
            if is_mask(factor):
                return more
        return None


def is_mask(value: ir.Value) -> bool:
    """Whether a number is 0 or 1 by a comparison."""
    op = defining(value)
    if op is None or name_of(op) not in _MASKS:
        return False
    if name_of(op) == "arith.extui":
        return op.in_.type == ir.IntegerType.get_signless(1, value.context)
    return {constant_splat(op.true_value), constant_splat(op.false_value)} == {0, 1}


def joined(grown: list[Fraction | None]) -> Fraction | None:
    """The growth of a value that is one of several: theirs, where those that grow do so alike."""
    if any(one is None for one in grown):
        return None
    different = {one for one in grown if one != 0}
    return next(iter(different), Fraction(0)) if len(different) < 2 else None
