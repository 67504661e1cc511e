"""Values that loops carry around and nobody uses."""

from collections.abc import Iterator
from typing import Any

from mlir import ir

from ttkit._native import library, operation_handle
from ttkit.inspection import collect, defining, has_uses, name_of, terminator
from ttkit.passes.infra.nesting import is_above


def drop_dead_loop_arguments(root: ir.Operation) -> bool:
    """Lets loops yield unchanged what only leads to itself; canonicalization of scf.for then drops it.

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
    """Which values in a loop matter: they lead to a used result of the loop, or to an effect."""

    def __init__(self, loop: Any) -> None:
        self.loop = loop
        self.body = loop.regions[0].blocks[0]
        self.live: set[ir.Value] = set()
        self.stack: list[ir.Value] = []

    def drop_dead(self) -> bool:
        """Has the loop yield its own arguments in place of dead values; whether there were any."""
        end = terminator(self.body)
        for result, value in zip(self.loop.results, end.operands):
            if has_uses(result):
                self.mark(value)
        if len(self.live) == len(self.loop.results) or not self.spread():
            return False
        dead = [index for index, value in enumerate(end.operands) if self.is_dead(index, value)]
        for index in dead:
            end.operands[index] = self.body.arguments[index + 1]
        return bool(dead)

    def is_dead(self, index: int, value: ir.Value) -> bool:
        """Whether a yielded value, number `index`, matters to nobody."""
        if value in self.live or value == self.body.arguments[index + 1]:
            return False
        # What comes from outside is what the loop gives if it runs, else the initial value: no difference only if they
        # are the same.
        return not is_above(value, self.loop.operation) or value == self.loop.operands[index + 3]

    def mark(self, value: ir.Value) -> None:
        """Notes that a value is live, for `spread` to go on from."""
        if value not in self.live and not is_above(value, self.loop.operation):
            self.live.add(value)
            self.stack.append(value)

    def spread(self) -> bool:
        """Marks all that is live; false if there is a structure in the way that this doesn't look into."""
        native = library()
        for op in _nested(self.body):
            if op.name not in ("scf.yield", "scf.for") and not native.ttkitWouldBeTriviallyDead(operation_handle(op)):
                for operand in op.operands:
                    self.mark(operand)
        while self.stack:
            before = _leading_to(self.stack.pop())
            if before is None:
                return False
            for value in before:
                self.mark(value)
        return True


def _leading_to(value: ir.Value) -> list[ir.Value] | None:
    """Values that `value` is computed from; None if it comes out of an scf.while."""
    op = defining(value)
    if op is None:
        block = value.owner
        loop, number = block.owner, value.arg_number - 1
        if name_of(loop) != "scf.for" or number < 0:
            return []
        return [terminator(block).operands[number], loop.operands[number + 3]]
    name = name_of(op)
    if name == "scf.for":
        number = value.result_number
        return [op.operands[number + 3], terminator(op.regions[0].blocks[0]).operands[number]]
    if name == "scf.if":
        return [op.operands[0], *(terminator(region.blocks[0]).operands[value.result_number] for region in op.regions)]
    return None if name == "scf.while" else list(op.operands)


def _nested(block: ir.Block) -> Iterator[ir.Operation]:
    for op in block.operations:
        yield op.operation
        for region in op.regions:
            for inner in region.blocks:
                yield from _nested(inner)
