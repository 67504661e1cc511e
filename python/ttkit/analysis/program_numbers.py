"""Scalars of a program in the middle of a grid, as far as they are known: sizes, bounds of loops, programs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from mlir import ir

from ttkit.inspection import defining

UNKNOWN_TRIPS = 16
"""Iterations of a loop whose bounds nobody knows."""


class ProgramNumbers:
    """The numbers of a function's scalars; None for those that nobody knows.

    Args:
        function: a `tt.func`.
        arguments: its arguments that are numbers; None for others.
        grid: programs along each axis.
    """

    def __init__(self, function: ir.Operation, arguments: Sequence[float | None], grid: Sequence[int]) -> None:
        self.grid = [*grid, 1, 1, 1][:3]
        self.known: dict[ir.Value, float | None] = {}
        for number, argument in enumerate(function.regions[0].blocks[0].arguments):
            self.known[argument] = arguments[number] if number < len(arguments) else None

    def of(self, value: ir.Value) -> float | None:
        """A scalar, as far as it is known."""
        if value not in self.known:
            self.known[value] = None  # of a cycle
            op = defining(value)
            self.known[value] = None if op is None else self._computed(op.operation)
        return self.known[value]

    def _computed(self, op: ir.Operation) -> float | None:
        if op.name == "arith.constant":
            held = op.attributes["value"]
            return held.value if isinstance(held, (ir.IntegerAttr, ir.FloatAttr)) else None
        if op.name in ("tt.get_program_id", "tt.get_num_programs"):
            count = self.grid[int(ir.IntegerAttr(op.attributes["axis"]).value)]
            return count // 2 if op.name == "tt.get_program_id" else count
        rule = _RULES.get(op.name)
        if rule is None:
            return None
        given = [self.of(operand) for operand in op.operands]
        known = [one for one in given if one is not None]
        if len(known) < len(given):
            # A bound that is cut off, as by min(end, n): the part that is known.
            return known[0] if known and op.name in _LIMITS else None
        try:
            return rule(*known)
        except (ZeroDivisionError, TypeError, OverflowError):
            return None

    def programs_with(self, value: ir.Value) -> float:
        """The number of programs that compute the same value: those along axes whose numbers it does not depend on; one
        where it depends on what is loaded."""
        axes, seen, waiting = set(range(3)), {value}, [value]
        while waiting:
            found = waiting.pop()
            if isinstance(found.owner, ir.Block):
                loop = found.owner.owner
                place = ir.BlockArgument(found).arg_number
                needs = list(loop.operands)[3 if place == 0 else 2 + place :][:1] if loop.name == "scf.for" else []
            elif found.owner.name == "tt.load":
                return 1.0
            else:
                needs = list(found.owner.operands)
                if found.owner.name == "tt.get_program_id":
                    axes.discard(int(ir.IntegerAttr(found.owner.attributes["axis"]).value))
            waiting += [one for one in needs if one not in seen]
            seen.update(needs)
        return float(math.prod(self.grid[axis] for axis in axes))

    def trips(self, loop: ir.Operation) -> float:
        """Iterations of a `scf.for`, whose index is from now on that of the iteration in the middle."""
        lower, upper, step = (self.of(loop.operands[place]) for place in range(3))
        if lower is None or upper is None or not step:
            return UNKNOWN_TRIPS
        found = max(0.0, math.ceil((upper - lower) / step))
        self.known[loop.regions[0].blocks[0].arguments[0]] = lower + step * (max(found, 1.0) - 1) / 2
        return float(found)


def _divided(a: float, b: float) -> float:
    return math.trunc(a / b)


_RULES: dict[str, Callable[..., float]] = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.divsi": _divided,
    "arith.divui": _divided,
    "arith.floordivsi": lambda a, b: a // b,
    "arith.ceildivsi": lambda a, b: -(-a // b),
    "arith.remsi": lambda a, b: a - b * _divided(a, b),
    "arith.remui": lambda a, b: a - b * _divided(a, b),
    "arith.minsi": min,
    "arith.minui": min,
    "arith.maxsi": max,
    "arith.maxui": max,
    "arith.extsi": lambda a: a,
    "arith.extui": lambda a: a,
    "arith.trunci": lambda a: a,
    "arith.index_cast": lambda a: a,
}
_LIMITS = ("arith.minsi", "arith.minui", "arith.maxsi", "arith.maxui")
