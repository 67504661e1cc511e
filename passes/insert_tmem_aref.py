"""Send accumulators and other buffers in tensor memory between partitions through asynchronous references.

    %m, %t = ttng.tmem_alloc                        %a = nvws.aref.create %slots
    scf.for ... iter_args(%u = %t) {                %b, %t = nvws.aref.put.enter %a
      %v = tc_gen5_mma ..., %m[%u] {1}          =>  scf.for ... iter_args(%u = %t) {
      %x, %w = tmem_load %m[%v] {0}                   tc_gen5_mma ..., (aref.buffer %a, %u) {1};  put.exit %a, %u {1}
      scf.yield %w                                    get.enter %a {0};  %x = tmem_load (aref.buffer ...);  get.exit {0}
    }                                                 %w = put.enter %a {1};  scf.yield %w

The tokens of accesses give their order.  Where the next access is by another partition, the buffer passes from the
side that puts to the side that gets, or back.  If mmas put, loads get and the accumulator starts anew, there are two
buffers.

Differs from Triton: accesses on which Triton's pass aborts are errors.

Input:  ttg and ttng with partitions and tokens.      Output: the same, without these tokens' order.
Order:  after nvws-insert-aref.
Skips:  functions without specialized loops; buffers that one partition alone uses.
Test:   test/lit/passes/insert_tmem_aref.mlir
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mlir import ir

from ttkit.dialects import arith, nvws, scf, ttng, ub
from ttkit.dialects._ttg_types import AsyncTokenType, MemDescType
from ttkit.inspection import collect, enclosing, terminator
from ttkit.operation_sets import ACCUMULATOR_USES, TCGEN5_MMAS, TMEM_ALLOC, TMEM_LOAD
from ttkit.passes.assign_stage_phase import PUT
from ttkit.passes.infra import Pass, PassError
from ttkit.passes.infra.loop_attributes import (
    STAGE,
    WARP_SPECIALIZE_LOOP,
    disallows_acc_multi_buffer,
    specialized_loops,
)
from ttkit.passes.infra.loops import body_of, set_yielded, yielded
from ttkit.passes.infra.nesting import ancestor_in, loop_with
from ttkit.passes.infra.operation_attributes import set_integer
from ttkit.passes.infra.placed_builder import PlacedBuilder
from ttkit.passes.insert_aref import kinds_attribute
from ttkit.passes.partitioning.hand_over_places import enter_late, stage_between
from ttkit.passes.partitioning.partitions import OUTPUTS, TAG, Place, ids_of, outputs_of, place_of, set_ids, set_outputs
from ttkit.passes.partitioning.reference_slots import create_reference
from ttkit.passes.partitioning.tensor_memory_accesses import Access, Owner, alternates, chain, history_of, owners_of
from ttkit.passes.pipelining.accumulators import forget_order
from ttkit.passes.pipelining.tcgen5_overlap import accesses, can_have_more_buffers, is_accumulator_modified, starts_anew
from ttkit.records import dataclass


class InsertTmemAref(Pass):
    """Send buffers in tensor memory between partitions through references"""

    name = "nvws-insert-tmem-aref"
    dependent_dialects = ("arith", "scf", "ttng", "nvws", "ub")

    def run(self, op: ir.Operation) -> None:
        """Gives an aref to each buffer that two partitions use, then splits branches that hold puts and gets.

        Raises:
            PassError: more than two partitions use a buffer.
        """
        for function in collect(op, ["tt.func"]):
            if not specialized_loops(function):
                continue
            histories = [history_of(alloc) for alloc in collect(function, [TMEM_ALLOC])]
            for history in histories:
                owners, is_shared = owners_of(history)
                if len(owners) > 2:
                    raise PassError(history.op, f"{len(owners)} partitions use a buffer in tensor memory; two can")
                if len(owners) + is_shared > 1:
                    _Insertion(history).run()
            for enter in collect(function, [PUT]):
                enter_late(enter)
            for branch in collect(function, ["scf.if"]):
                split_branch(branch)


# --- Changing hands ---------------------------------------------------------------------------------------------------
@dataclass
class State:
    """The ownership of the buffer by a partition.

    Attributes:
        token, buffer: the token of the last enter, and the view of the buffer if there is one.
        puts: whether the owner fills the buffer.
        owner: the partition that entered.
        work: the last operation, as a name of nvws.async_op.
    """

    token: ir.Value | None = None
    buffer: ir.Value | None = None
    puts: bool = True
    owner: Owner | None = None
    work: str = "none"


class _Insertion:
    """Makes a reference of one buffer.

    Args:
        root: its history.
    """

    def __init__(self, root: Access) -> None:
        self.root, self.alloc = root, root.op
        self.context = root.op.context

    def run(self) -> None:
        """Creates the aref, follows the buffer's tokens from its allocation, and gives it back after the last one."""
        alloc, root = self.alloc, self.root
        loop = loop_with(alloc, WARP_SPECIALIZE_LOOP)
        self._create(alloc if loop is None else loop, 1 + self._can_have_two())
        has_source = len(alloc.operands) > 0
        owner = root.owner
        if not has_source and loop is not None:
            assert root.after is not None
            owner = root.after.owner
        state = State()
        schedule = place_of(alloc).schedule
        self._acquire(state, ir.InsertionPoint(alloc), alloc.location, owner, schedule)
        if state.owner is None:
            state.owner = next((one.owner for one in chain(root.after) if one.owner is not None), None)
        if has_source:
            self._store_source(state, owner, schedule)
        last = self._walk(root.after, owner, state)
        if loop is None:
            place = ancestor_in(self.reference.block, last.op)
            at, schedule = ir.InsertionPoint.after(place if place is not None else last.op), None
        else:
            at, schedule = ir.InsertionPoint.after(last.op), place_of(last.op).schedule
        self._release(state, at, last.op.location, schedule)
        if not state.puts:
            others = [one for one in owners_of(root)[0] if one != state.owner]
            self._acquire(state, at, last.op.location, others[0] if others else None, None)
            self._release(state, at, last.op.location)

    def _can_have_two(self) -> bool:
        """Whether a second buffer can be filled while the first is read."""
        if not alternates(self.root):
            return False
        for use in self.alloc.opview.result.uses:
            product = use.owner.operation
            loop = product.parent.operation
            if product.name in TCGEN5_MMAS and loop.name == "scf.for":
                outer = loop
                while (
                    WARP_SPECIALIZE_LOOP not in outer.attributes and (found := enclosing(outer, "scf.for")) is not None
                ):
                    outer = found
                if is_accumulator_modified(product, loop) or not can_have_more_buffers(product, loop):
                    return False
                if not all(starts_anew(product, read, loop) for read in accesses(self.alloc, loop, TMEM_LOAD)):
                    return False
                if disallows_acc_multi_buffer(outer):
                    return False
        return True

    def _create(self, at: ir.Operation, parts: int) -> None:
        type: Any = self.alloc.opview.result.type
        slots = MemDescType.get([parts, *type.shape], type.element_type, type.encoding, type.memory_space, True)
        with self.alloc.location, ir.InsertionPoint(at):
            made = ttng.tmem_alloc(slots, None)
            buffer = made if isinstance(made, ir.Value) else made[0]
        self.reference = create_reference([buffer], at, self.alloc.location)
        shape = list(slots.shape)
        self.view = MemDescType.get(shape[1:], slots.element_type, slots.encoding, slots.memory_space, True, shape)
        with self.alloc.location, ir.InsertionPoint(at):
            self.no_token = ub.poison(AsyncTokenType.get(self.context))

    def _builder(
        self, at: ir.InsertionPoint, location: ir.Location, owner: Owner | None, schedule: tuple[int, int] | None
    ) -> PlacedBuilder:
        """Builds for a partition; outside of its loop with the loop's tag."""
        outside = True
        block = at.block
        holder = terminator(block).operation.parent.operation
        while holder.name != "tt.func":
            outside = outside and not (holder.name == "scf.for" and TAG in holder.attributes)
            holder = holder.parent.operation
        if owner is None:
            return PlacedBuilder(at, location, Place(None, None, schedule))
        return PlacedBuilder(at, location, Place((owner[0],), owner[1] if outside else None, schedule))

    def _acquire(
        self,
        state: State,
        at: ir.InsertionPoint,
        location: ir.Location,
        owner: Owner | None,
        schedule: tuple[int, int] | None,
    ) -> None:
        enter = nvws.aref_put_enter if state.puts else nvws.aref_get_enter
        build = self._builder(at, location, owner, schedule)
        made = build(enter, [self.view], AsyncTokenType.get(self.context), self.reference.result)
        results = list(made[0].owner.operation.results)
        state.token, state.buffer, state.owner = results[-1], None, owner

    def _release(
        self, state: State, at: ir.InsertionPoint, location: ir.Location, schedule: tuple[int, int] | None = None
    ) -> None:
        leave = nvws.aref_put_exit if state.puts else nvws.aref_get_exit
        build = self._builder(at, location, state.owner, schedule)
        build(leave, self.reference.result, state.token, kinds_attribute([state.work], self.context))
        state.puts = not state.puts

    def _buffer(self, state: State, owner: Owner | None, op: ir.Operation) -> ir.Value:
        if state.buffer is None:
            build = self._builder(ir.InsertionPoint(op), op.location, owner, place_of(op).schedule)
            made = build(nvws.aref_buffer, [self.view], self.reference.result, state.token)
            state.buffer = made if isinstance(made, ir.Value) else made[0]
        return state.buffer

    def _store_source(self, state: State, owner: Owner | None, schedule: tuple[int, int] | None) -> None:
        buffer = self._buffer(state, owner, self.alloc)
        state.work = "none"
        build = self._builder(ir.InsertionPoint(self.alloc), self.alloc.location, owner, schedule)
        build(ttng.tmem_store, None, buffer, self.alloc.opview.src, build(arith.true))

    def _walk(self, access: Access | None, owner: Owner | None, state: State) -> Access:
        """Has accesses in order use the reference; returns the last one."""
        assert access is not None
        while True:
            if owner is not None and access.owner != owner:
                self._hand_over(access, state)
            for first in access.inside:
                inner = replace(state)
                if access.op.name == "scf.for" and access.operand is not None:
                    inner.token, inner.buffer = body_of(access.op).arguments[access.operand - 2], None
                self._walk(first, access.owner, inner)
                state.work, state.owner = inner.work, inner.owner
            self._use(access, state)
            if access.after is None:
                return access
            access, owner = access.after, access.owner

    def _hand_over(self, access: Access, state: State) -> None:
        if access.before is not None:
            previous = access.before.op
            at, schedule = ir.InsertionPoint.after(previous), place_of(previous).schedule
        else:
            assert access.holder is not None
            previous = access.holder.op
            at, schedule = ir.InsertionPoint.at_block_begin(access.op.block), place_of(access.op).schedule
        self._release(state, at, previous.location, schedule)
        current = access.op
        if current.name == "scf.yield" and access.holder is not None:
            current = access.holder.op
        at = ir.InsertionPoint(access.op)
        self._acquire(state, at, current.location, access.owner, place_of(current).schedule)

    def _use(self, access: Access, state: State) -> None:
        op = access.op
        if op.name in ACCUMULATOR_USES:
            state.work = "tc5mma" if op.name in TCGEN5_MMAS else "none"
            self._use_buffer(op, access, state)
        elif op.name == "scf.yield":
            assert access.operand is not None and state.token is not None
            op.operands[access.operand] = state.token
        elif access.result is not None:
            if op.name == "scf.for":
                assert access.operand is not None and state.token is not None
                op.operands[access.operand] = state.token
            state.token, state.buffer = op.results[access.result], None

    def _use_buffer(self, op: ir.Operation, access: Access, state: State) -> None:
        old = self.alloc.opview.result
        buffer = self._buffer(state, access.owner, op)
        is_accumulator = op.name not in TCGEN5_MMAS or op.opview.d == old
        op.operation.replace_uses_of_with(old, buffer)
        if is_accumulator and access.operand is not None:
            forget_order(op, self.no_token)


# --- Branches ---------------------------------------------------------------------------------------------------------
def split_branch(branch: ir.Operation) -> None:
    """Divides a branch that ends one access and begins another into three: each runs at a stage of its own.

    scf.if %c { put.exit; ...; %t = put.enter; yield %x, %t }
      =>  scf.if %c { put.exit };  scf.if %c { ...; yield %x, ... };  %t = scf.if %c { put.enter; yield }
    """
    block = branch.regions[0].blocks[0]
    ops = [each.operation for each in block.operations]
    if len(ops) < 3 or ops[0].name != "nvws.aref.put.exit" or ops[-2].name != "nvws.aref.put.enter":
        return
    if not len(branch.regions[1].blocks):
        return
    leave, enter, last = ops[0], ops[-2], ops[-1]
    condition, outputs = branch.opview.condition, outputs_of(branch)
    token = enter.opview.token
    number = list(last.operands).index(token)
    otherwise = branch.regions[1].blocks[0]
    stage = stage_between(branch, leave.opview.aref, outputs[number])
    with branch.location, ir.InsertionPoint(branch):
        before = scf.if_(condition, has_else=False).operation
        poison = ub.poison(token.type)
    with branch.location, ir.InsertionPoint(before.regions[0].blocks[0]):
        scf.yield_([])
    leave.move_before(terminator(before.regions[0].blocks[0]).operation)
    with branch.location, ir.InsertionPoint.after(branch):
        after = scf.if_(condition, [token.type]).operation
    after.regions[0].blocks[0].append(enter)
    with branch.location:
        scf.yield_([token], ip=ir.InsertionPoint(after.regions[0].blocks[0]))
        scf.yield_([yielded(otherwise, number)], ip=ir.InsertionPoint(after.regions[1].blocks[0]))
    branch.results[number].replace_all_uses_with(after.result)
    for each in (block, otherwise):
        set_yielded(each, number, poison)
    for made in (before, after):
        for name in branch.attributes:
            if name != OUTPUTS:
                made.attributes[name] = branch.attributes[name]
        set_integer(made, STAGE, stage)
    middle = tuple(one for one in ids_of(branch) if one not in outputs[number]) or ids_of(branch)
    set_ids(before, outputs[number])
    set_ids(after, outputs[number])
    of_branch = [*outputs[:number], middle, *outputs[number + 1 :]]
    set_ids(branch, set(middle).union(*of_branch))
    set_outputs(after, [outputs[number]])
    set_outputs(branch, of_branch)
