"""Loops that go on while a condition holds: what their last iteration leaves."""

from __future__ import annotations

from typing import Any

from ttkit.interpreter.decode import Instruction
from ttkit.validation.booleans import truth
from ttkit.validation.loops import Closed, Iteration, final, replaced, solve
from ttkit.validation.moving_views import carried_parts, may_move, places_of, with_carried
from ttkit.validation.terms import Term
from ttkit.validation.values import NotModelled, Value, View


def while_loop(walk: Any, op: Instruction, frame: dict[int, Any]) -> tuple[Value, ...]:
    """The results of scf.while."""
    loop = Iteration(walk, op, op.operand_types, [frame[slot] for slot in op.operands])
    condition, *passed = walk.region(op.regions[0], frame, loop.symbols)
    assert isinstance(condition, Term)
    stops = walk.state.copy()
    walk.path = condition
    loop.finish(walk.region(op.regions[1], frame, list(passed)))
    last = Last(loop, condition)
    walk.state = last.state(stops)
    return tuple(last.value(value, kind.shape) for kind, value in zip(op.result_types, passed))


class Last:
    """The last iteration of a loop that goes on while a condition holds: what it leaves."""

    def __init__(self, loop: Iteration, goes_on: Term) -> None:
        self.loop = loop
        system = loop.system()
        self.solved = solve(system, loop.level, None)
        self.closed = Closed(system, loop.level, "while")
        self.goes_on = self.of_iteration(goes_on)
        loop.keep_reads(lambda one: self.closed.of(self.goes_on, self.of_iteration(one)), truth(True), loop.level)

    def of_iteration(self, term: Term) -> Term:
        """A term without what needs no equation."""
        return replaced(term, self.loop.level, self.solved)

    def term(self, term: Term, shape: tuple[int, ...]) -> Term:
        """A term of the last iteration, after the loop."""
        term = self.of_iteration(term)
        if self.loop.level not in term.loops:
            return term
        return final(self.closed.of(self.goes_on, term), term.sort, shape)

    def value(self, value: Value, shape: tuple[int, ...]) -> Value:
        """A value of the last iteration, after the loop.

        Raises:
            NotModelled: a view of a buffer that is followed by itself, and that the loop chooses.
        """
        if isinstance(value, View):
            moves = any(self.loop.level in place.loops for place in places_of(value))
            if moves and not may_move(value):
                raise NotModelled("a view that a loop chooses", self.loop.op)
            if not moves:
                return value
            shape = value.shape
        elif not isinstance(value, Term):
            shape = ()
        made = tuple(self.term(part, shape) for part in carried_parts(value))
        return with_carried(value, made) if made else value

    def state(self, stops: Any) -> Any:
        """The state after the loop, of the one in which its last iteration leaves it."""
        state = self.loop.state.copy()
        state.memory = self.term(stops.memory, ())
        for buffer in self.loop.buffers:
            state.contents[buffer] = self.term(stops.contents[buffer], buffer.shape)
        return state
