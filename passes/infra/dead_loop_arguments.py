"""Loop-carried values without uses."""

from typing import Any

from mlir import ir

from ttkit._native import library, operation_handle
from ttkit.analysis.control_flow import outgoing_values
from ttkit.inspection import collect, has_uses, terminator
from ttkit.passes.infra.loops import body_of, carried_argument, final_value, initial_value, set_yielded
from ttkit.passes.infra.nesting import is_above


def drop_dead_loop_arguments(root: ir.Operation) -> bool:
    """Makes loops yield the arguments of dead carried values unchanged; canonicalization of scf.for then drops them.

        %0:2 = scf.for iter_args(%x = %a, %y = %b) {       %0:2 = scf.for iter_args(%x = %a, %y = %b) {
          %1 = arith.addf %y, %x                      =>     %1 = arith.addf %y, %x
          scf.yield %x, %1                                   scf.yield %x, %y
        }                        // %0#1 is not used       }

    Returns:
        Whether anything changed.
    """
    changed = [_Liveness(loop).drop_dead() for loop in collect(root, ["scf.for"])]
    return any(changed)


class _Liveness:
    """The live values of a loop: those that lead to a used result of the loop, or to an effect."""

    def __init__(self, loop: Any) -> None:
        self.loop = loop
        self.body = body_of(loop)

    def drop_dead(self) -> bool:
        """Makes the loop yield its own arguments in place of dead values; returns whether there were any."""
        end = terminator(self.body)
        dead = [index for index, value in enumerate(end.operands) if self.is_dead(index, value)]
        for index in dead:
            set_yielded(self.body, index, carried_argument(self.loop, index))
        return bool(dead)

    def is_dead(self, index: int, value: ir.Value) -> bool:
        """Whether the yielded value number `index` is dead."""
        if value == carried_argument(self.loop, index):
            return False
        # A loop that runs returns a value from outside, one that does not run the initial value: they have to be equal.
        if is_above(value, self.loop.operation):
            return value == initial_value(self.loop.operation, index)
        return not has_uses(final_value(self.loop, index)) and not self.matters(value)

    def matters(self, value: ir.Value) -> bool:
        """Whether a value leads to a used result of the loop, or to an effect."""
        seen, stack = {value}, [value]
        while stack:
            for use in stack.pop().uses:
                following = self.following(use.owner, use.operand_number)
                if following is None:
                    return True
                stack += (new := [each for each in following if each not in seen])
                seen.update(new)
        return False

    def following(self, user: ir.OpView, number: int) -> list[ir.Value] | None:
        """The values that depend on an operand; None if the operand is live by itself."""
        operation = user.operation
        if operation.name == "scf.yield" and operation.parent.operation == self.loop.operation:
            return None if has_uses(final_value(self.loop, number)) else [carried_argument(self.loop, number)]
        carried = outgoing_values(user, number)
        if operation.name == "scf.yield" or (operation.name == "scf.for" and number >= 3):
            return carried
        is_pure = library().ttkitWouldBeTriviallyDead(operation_handle(operation))
        return [*operation.results, *carried] if is_pure else None
