"""Accumulators in tensor memory with several slots: one is read while the next MMA fills another.

  %acc, %t0 = ttng.tmem_alloc : memdesc<128x128xf32>
  scf.for ... {
    %t1 = ttng.tc_gen5_mma %a, %b, %acc[%t0], %use, %true
    %x, %t2 = ttng.tmem_load %acc[%t1]
  }
=>
  %acc, %t0 = ttng.tmem_alloc : memdesc<2x128x128xf32>
  scf.for ... iter_args(%n = %minus_one) {
    %next = arith.select %use, %n, ((%n + 1) mod 2)
    %slot = ttg.memdesc_index %acc[%next]
    %t1 = ttng.tc_gen5_mma %a, %b, %slot[], %use, %true
    %x, %t2 = ttng.tmem_load %slot[]
  }

An MMA that does not add to the accumulator goes on to the next slot; so does a store.  %minus_one is zero where an
access may read a value that was stored before the loop.
"""

from typing import Any

from mlir import ir

from ttkit.dialects import arith, ttg, ttng, ub
from ttkit.dialects._ttg_types import AsyncTokenType, MemDescType
from ttkit.inspection import defining, users_of
from ttkit.operation_sets import TCGEN5_MMAS, TMEM_LOAD, TMEM_STORE
from ttkit.passes.infra import constant_splat
from ttkit.passes.infra.loops import body_of, carried_number, final_value, initial_value
from ttkit.passes.infra.nesting import ancestor_in, runs_after
from ttkit.passes.infra.segments import drop_operand
from ttkit.passes.infra.transforms import replace_uses
from ttkit.passes.pipelining.buffers import next_number
from ttkit.passes.pipelining.schedule import Schedule
from ttkit.passes.pipelining.scheduled_builder import ScheduledBuilder


def can_be_multibuffered(alloc: ir.Operation, loop: ir.Operation) -> bool:
    """Whether each use of an accumulator can take a slot of it, and one use goes on to the next slot."""
    goes_on = False
    for user in users_of(alloc.opview.result):
        inside = ancestor_in(body_of(loop), user) is not None
        if user.name in TCGEN5_MMAS and inside:
            goes_on = goes_on or constant_splat(user.opview.useD) != 1
        elif user.name not in (TMEM_LOAD, TMEM_STORE):
            return False
        goes_on = goes_on or (inside and user.name == TMEM_STORE)
    return goes_on


def first_slot(alloc: ir.Operation, loop: ir.Operation) -> int:
    """The number of the slot in use when the loop begins: 0 or -1.

    It is 0 if an access may read a value that was stored before the loop: an access of the first iteration, or one
    after the loop, if no iteration runs.  Otherwise it is -1, so that the first MMA writes slot 0.

    Differs from Triton, where it is always -1: such accesses are to columns below the accumulator's.
    """
    body, users = body_of(loop), users_of(alloc.opview.result)
    inside = [user for user in users if ancestor_in(body, user) is not None]
    outside = [user for user in users if user not in inside]
    if not any(user.name == TMEM_STORE for user in outside):
        return -1
    if any(user.name == TMEM_LOAD for user in outside):
        return 0
    sure = [user for user in inside if advances_first(user, loop)]
    first_reads = (user for user in inside if user not in sure and not any(runs_after(user, op) for op in sure))
    return 0 if any(True for _ in first_reads) else -1


def advances_first(op: ir.Operation, loop: ir.Operation) -> bool:
    """Whether an access certainly goes on to another slot in the first iteration."""
    view: Any = op.opview
    if op.name == TMEM_STORE:
        return constant_splat(view.pred) == 1
    if op.name not in TCGEN5_MMAS:
        return False
    number = carried_number(view.useD, body_of(loop))
    return constant_splat(view.useD if number is None else initial_value(loop, number)) == 0


def multibuffer(alloc: ir.Operation, loop: ir.Operation, schedule: Schedule, slots: int, number: ir.Value) -> None:
    """Replaces an accumulator by one with several slots.

    Args:
        alloc: a ttng.tmem_alloc before the loop.
        number: the argument of the loop's body for the slot in use.  So far the loop passes it on unchanged.
    """
    MultiBuffering(alloc, loop, schedule, slots, number).replace()


class MultiBuffering:
    """The replacement of an accumulator by one with several slots.

    Attributes:
        current: (operation before which a slot is chosen, its number), in the order of the choices.
    """

    def __init__(
        self, alloc: ir.Operation, loop: ir.Operation, schedule: Schedule, slots: int, number: ir.Value
    ) -> None:
        self.alloc, self.loop, self.body = alloc, loop, body_of(loop)
        self.builder = ScheduledBuilder(schedule, alloc)
        self.number = number
        self.result = final_value(loop, ir.BlockArgument(number).arg_number - 1)
        type: Any = alloc.opview.result.type
        shape = [slots, *type.shape]
        wider = MemDescType.get(shape, type.element_type, type.encoding, type.memory_space, True)
        token = AsyncTokenType.get(loop.context)
        with alloc.location, ir.InsertionPoint(alloc):
            self.buffer, self.token = ttng.tmem_alloc(wider, token)
        self.limit, self.zero, self.one = (self.builder(arith.i32, n) for n in (slots, 0, 1))
        with loop.location, ir.InsertionPoint(loop):
            self.no_token = ub.poison(token)
        self.current: list[tuple[ir.Operation | None, ir.Value]] = [(None, number)]

    def replace(self) -> None:
        """Gives each access of the accumulator its slot."""
        for user in users_of(self.alloc.opview.result):
            inside = ancestor_in(self.body, user) is not None
            if inside:
                self.builder.run_like(user)
            forget_order(user, self.no_token)
            self.builder.at = ir.InsertionPoint(user)
            if not inside:
                slot = self.zero if user.name == TMEM_STORE else self.result
            elif user.name == TMEM_LOAD:
                slot = self.slot_at(user)
            else:
                slot = self.advance_at(user)
            buffer = self.builder(ttg.memdesc_index, self.buffer, slot)
            setattr(user.opview, {TMEM_LOAD: "src", TMEM_STORE: "dst"}.get(user.name, "d"), buffer)
        old_token = list(self.alloc.results)[1:]
        for token in old_token:
            token.replace_all_uses_with(self.token)
        self.alloc.erase()
        last = self.current[-1][1]
        made = defining(last)
        if made is not None:
            replace_after(made.operation, self.number, last)

    def slot_at(self, op: ir.Operation) -> ir.Value:
        """The number of the slot that is in use at an operation."""
        for place, number in reversed(self.current):
            if place is None or runs_after(op, place):
                return number
        return self.number

    def advance_at(self, op: ir.Operation) -> ir.Value:
        """The number of the slot that a store or an MMA writes: the next one, unless it adds to the current one."""
        now = self.slot_at(op)
        view: Any = op.opview
        following = next_number(now, self.limit, self.zero, self.one, self.builder).number
        cases = (view.pred, following, now) if op.name == TMEM_STORE else (view.useD, now, following)
        slot: ir.Value = self.builder(arith.select, *cases)
        replace_after(op, now, slot)
        self.current.append((op, slot))
        return slot


def replace_after(place: ir.Operation, old: ir.Value, new: ir.Value) -> None:
    """Replaces a number in the operations that run after another one."""
    replace_uses(old, new, lambda user: runs_after(user, place))


def forget_order(access: ir.Operation, no_token: ir.Value) -> None:
    """Removes the token operand of an access; users of its token result get `no_token`."""
    index = next((n for n, value in enumerate(access.operands) if isinstance(value.type, AsyncTokenType)), None)
    if index is not None:
        drop_operand(access, index)
    for result in access.results:
        if isinstance(result.type, AsyncTokenType):
            result.replace_all_uses_with(no_token)
