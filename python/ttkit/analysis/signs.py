"""Whether integers are at least 0, by the operations that make them.

    %pid = tt.get_program_id x                            at least 0
    %r = tt.make_range {start = 0, end = 64}              at least 0
    %x = arith.addi %pid, %r                              at least 0
    %y = arith.subi %x, %c64                              not known

Sums and products are taken not to wrap, as in the facts of `axis_arithmetic`.
"""

from __future__ import annotations

from mlir import ir

from ttkit.analysis.axis_rules import of_each_element
from ttkit.inspection import defining, name_of
from ttkit.operation_sets import CONVERT_LAYOUT, TENSOR_VIEWS

_DEEPEST = 32
"""Operations on the way to a constant; with more, nothing is known."""
_ALWAYS = frozenset(("tt.get_program_id", "tt.get_num_programs", "arith.extui", "tt.histogram"))
_LIKE_ALL = frozenset(
    (
        "arith.addi",
        "arith.muli",
        "arith.divsi",
        "arith.minsi",
        "arith.select",
        "tt.splat",
        "tt.broadcast",
        *TENSOR_VIEWS,
    )
)
_LIKE_FIRST = frozenset(("arith.remsi", "arith.shrsi", "arith.shrui", "arith.extsi", CONVERT_LAYOUT))
_LIKE_ANY = frozenset(("arith.maxsi", "arith.andi"))


def is_at_least_zero(value: ir.Value) -> bool:
    """Whether an integer, or each element of a tensor of integers, is known to be at least 0, read as signed."""
    return _Signs().is_at_least_zero(value, _DEEPEST)


class _Signs:
    """Knowledge of the values on the way to one, each of which is looked at once."""

    def __init__(self) -> None:
        self.known: dict[ir.Value, bool] = {}

    def is_at_least_zero(self, value: ir.Value, depth: int) -> bool:
        """See above; `depth` operations may be looked at in a row."""
        found = self.known.get(value)
        if found is None:
            op = defining(value)
            found = self._is_induction_from_zero(value, depth) if op is None else self._of_result(op, depth)
            self.known[value] = found
        return found

    def _of_result(self, op: ir.OpView, depth: int) -> bool:
        name = name_of(op)
        if name in _ALWAYS or depth == 0:
            return name in _ALWAYS
        if name == "arith.constant":
            number = of_each_element(op.attributes["value"])
            return isinstance(number, ir.IntegerAttr) and number.value >= 0
        if name == "tt.make_range":
            return bool(op.attributes["start"].value >= 0)
        operands = list(op.operands)[1 if name == "arith.select" else 0 :]
        if name in _LIKE_ALL or name in _LIKE_ANY:
            combine = all if name in _LIKE_ALL else any
            return combine(self.is_at_least_zero(operand, depth - 1) for operand in operands)
        return name in _LIKE_FIRST and self.is_at_least_zero(operands[0], depth - 1)

    def _is_induction_from_zero(self, value: ir.Value, depth: int) -> bool:
        """Whether a block's argument counts the iterations of a loop that starts at 0 or above and goes up."""
        loop = value.owner.owner
        if value.arg_number != 0 or loop is None or loop.operation.name != "scf.for" or depth == 0:
            return False
        lower, _, step = list(loop.operation.operands)[:3]
        return all(self.is_at_least_zero(bound, depth - 1) for bound in (lower, step))
