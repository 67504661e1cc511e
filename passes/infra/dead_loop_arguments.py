"""Values that loops carry around and nobody uses."""

from collections.abc import Iterator
from typing import Any

from mlir import ir

from ttkit._native import library, operation_handle
from ttkit.analysis.control_flow import incoming_values
from ttkit.inspection import collect, defining, has_uses, terminator
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
        if len(self.live) == len(self.loop.results):
            return False
        self.spread()
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

    def spread(self) -> None:
        """Marks all that is live."""
        native = library()
        for op in _nested(self.body):
            if op.name != "scf.yield" and not native.ttkitWouldBeTriviallyDead(operation_handle(op)):
                for operand in _always_used(op):
                    self.mark(operand)
        while self.stack:
            for value in _leading_to(self.stack.pop()):
                self.mark(value)


def _leading_to(value: ir.Value) -> list[ir.Value]:
    """Values that `value` is computed from."""
    op, sources = defining(value), incoming_values(value) or []
    return list(sources) if op is None else [*_always_used(op.operation), *sources]


def _always_used(op: ir.Operation) -> list[ir.Value]:
    """The operands that matter if anything does that an operation gives or holds: not what a loop carries."""
    return list(op.operands)[: 3 if op.name == "scf.for" else None]


def _nested(block: ir.Block) -> Iterator[ir.Operation]:
    for op in block.operations:
        yield op.operation
        for region in op.regions:
            for inner in region.blocks:
                yield from _nested(inner)
