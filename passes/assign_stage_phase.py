"""Give each access to an asynchronous reference its buffer slot (stage) and the phase of that slot.

    %b, %t = nvws.aref.put.enter %a              %next = (%stage + 1) mod depth; %flip = not %phase if it wraps around
    ...                                    =>    %b, %t = nvws.aref.put.enter %a[%next, %flip]
    nvws.aref.put.exit %a, %t [...]              nvws.aref.put.exit %a[%next], %t [...]

Loops and branches pass on the last stage and phase; each partition that enters a reference has its own.  Scalars that a
specialized loop computes for operations after it belong to the default partition too.

Input:  ttg with nvws references.      Output: the same; all accesses have a stage.
Order:  in nvws-lower-aref.
Skips:  functions without references.
Test:   test/lit/passes/assign_stage_phase.mlir
"""

from dataclasses import replace
from typing import Any

from mlir import ir

from ttkit.dialects import arith
from ttkit.inspection import address_of, collect, defining, terminator
from ttkit.operation_sets import FOR_AND_IF
from ttkit.passes.infra import Pass, PassError, set_operands
from ttkit.passes.infra.loop_attributes import WARP_SPECIALIZE_LOOP, specialized_loops
from ttkit.passes.infra.loops import (
    body_of,
    branch_with_more,
    carried_argument,
    carry_more,
    final_value,
    initial_value,
    result_of_yield,
    yield_also,
    yield_more,
    yielded,
    yielded_by,
)
from ttkit.passes.infra.nesting import ancestor_in, blocks_in, controls, holder_of
from ttkit.passes.infra.placed_builder import PlacedBuilder
from ttkit.passes.infra.slices import each_once
from ttkit.passes.partitioning.partitions import (
    DEFAULT,
    TAG,
    has_partition,
    ids_of,
    ids_of_value,
    outputs_of,
    place_of,
    set_ids,
    set_outputs,
)
from ttkit.records import dataclass

PUT, GET = "nvws.aref.put.enter", "nvws.aref.get.enter"
BUFFER = "nvws.aref.buffer"
WITH_STAGE = (BUFFER, "nvws.aref.put.exit", "nvws.aref.get.exit")


class AssignStagePhase(Pass):
    """Give accesses to asynchronous references their stage and phase"""

    name = "nvws-assign-stage-phase"
    dependent_dialects = ("arith", "scf")

    def run(self, op: ir.Operation) -> None:
        """Assigns to the puts, then to the gets of each reference; then sees to scalars of specialized loops."""
        for function in collect(op, ["tt.func"]):
            for reference in collect(function, ["nvws.aref.create"]):
                for kind, phase in ((PUT, 0), (GET, 1)):
                    assign(reference, kind, phase)
            for loop in specialized_loops(function):
                give_scalars_to_default(loop)


def depth_of(reference: ir.Operation) -> int:
    """Buffer slots of an nvws.aref.create."""
    type: Any = reference.opview.buffers[0].type
    return int(type.shape[0])


def assign(reference: ir.Operation, kind: str, phase: int) -> None:
    """Gives all accesses of a kind their stages.

    Args:
        phase: before the first one.
    """
    aref = reference.result
    users = [use.owner.operation for use in aref.uses]
    ids = sorted({one for op in users if op.name == kind for one in ids_of(op)}) or [DEFAULT]
    with reference.location, ir.InsertionPoint.after(reference):
        start = _Position(arith.i32(depth_of(reference) - 1), arith.i32(phase), None)
    for partition in ids:
        stages = _Stages(aref, kind, partition)
        stages.in_block(reference.block, start)
        for op in [use.owner.operation for use in aref.uses]:
            if op.name == kind and (not has_partition(op) or ids_of(op)[0] == partition):
                stages.pass_to_exits(op.opview.token, op.opview.stage)


@dataclass
class _Position:
    """The stage, phase and token of the last access."""

    stage: ir.Value
    phase: ir.Value
    token: ir.Value | None


class _Stages:
    """Stages of the accesses of one kind by one partition to a reference."""

    def __init__(self, aref: ir.Value, kind: str, partition: int) -> None:
        self.aref, self.kind, self.partition = aref, kind, partition
        # The number of a token's stage among the carried values: by the argument, or by the yield and the token.
        self._of_argument: dict[ir.Value, ir.Value] = {}
        self._of_yield: dict[tuple[int, ir.Value | None], int] = {}

    def _is_mine(self, op: ir.Operation) -> bool:
        mine = op.name == self.kind and op.opview.aref == self.aref
        return mine and (not has_partition(op) or self.partition in ids_of(op))

    def _used_in(self, block: ir.Block, token: ir.Value | None) -> bool:
        for op in (each.operation for each in block.operations):
            if self._is_mine(op) or (token is not None and op.name == BUFFER and self._is_view(op, token)):
                return True
            if op.name == "scf.for" and self._used_in(body_of(op), argument_for(op, token)):
                return True
            if op.name == "scf.if" and any(self._used_in(block, token) for block in blocks_in(op)):
                return True
        return False

    def _is_view(self, op: ir.Operation, token: ir.Value) -> bool:
        view = op.opview
        return view.aref == self.aref and view.token == token

    def in_block(self, block: ir.Block, position: _Position) -> _Position:
        """Assigns stages to the accesses in a block; gives the position at its end."""
        for op in [each.operation for each in block.operations]:
            if self._is_mine(op):
                position = self._at(op, position)
            elif op.name == "scf.for":
                position = self._in_loop(op, position)
            elif op.name == "scf.if":
                position = self._in_branch(op, position)
        return position

    def _at(self, op: ir.Operation, position: _Position) -> _Position:
        build = PlacedBuilder(ir.InsertionPoint(op), op.location, place_of(op))
        following = build(arith.addi, position.stage, build(arith.i32, 1))
        depth = depth_of(self.aref.owner.operation)
        starts_over = build(arith.cmpi, "eq", following, build(arith.i32, depth))
        stage = build(arith.select, starts_over, build(arith.i32, 0), following)
        flipped = build(arith.xori, position.phase, build(arith.i32, 1))
        phase = build(arith.select, starts_over, flipped, position.phase)
        set_operands(op, [self.aref, stage, phase])
        op.attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get([1, 1, 1], op.context)
        return _Position(stage, phase, op.opview.token)

    def _in_loop(self, loop: ir.Operation, position: _Position) -> _Position:
        token = argument_for(loop, position.token)
        if not self._used_in(body_of(loop), token):
            return position
        number = None if token is None else ir.BlockArgument(token).arg_number - 1
        count, ids, outputs = len(loop.results), ids_of(loop), outputs_of(loop)
        loop, arguments = carry_more(loop, [position.stage, position.phase])
        inside = _Position(arguments[0], arguments[1], position.token if token is None else token)
        end = self.in_block(body_of(loop), inside)
        yield_also(loop, [end.stage, end.phase])
        if token is not None:
            self._of_argument[token] = arguments[0]
        self._of_yield[address_of(terminator(body_of(loop)).operation), end.token] = count
        made = [self._ids_of_carried(loop, value) for value in (end.stage, end.phase)]
        set_ids(loop, [*ids, *made[0], *made[1]])
        set_outputs(loop, [*outputs, *made])
        after = position.token if number is None else final_value(loop, number)
        return _Position(final_value(loop, count), final_value(loop, count + 1), after)

    def _ids_of_carried(self, loop: ir.Operation, value: ir.Value) -> tuple[int, ...]:
        """The partitions of a value that a loop yields."""
        if defining(value) is not None:
            return ids_of_value(value)
        users = [use.owner.operation for use in value.uses]
        found = tuple(one for user in users if user.name != "scf.yield" for one in ids_of(user))
        return found or ids_of_value(initial_value(loop, ir.BlockArgument(value).arg_number - 1))

    def _in_branch(self, branch: ir.Operation, position: _Position) -> _Position:
        blocks = [region.blocks[0] for region in branch.regions if len(region.blocks)]
        if not any(self._used_in(block, position.token) for block in blocks):
            return position
        count, ids, outputs = len(branch.results), ids_of(branch), outputs_of(branch)
        new = branch_with_more(branch, [position.stage.type, position.phase.type])
        results = list(new.results)
        ends = [self.in_block(region.blocks[0], replace(position)) for region in new.regions]
        after = position.token
        for region, end in zip(new.regions, ends):
            last = terminator(region.blocks[0]).operation
            for number, value in enumerate(last.operands):
                if end.token is not None and value == end.token:
                    after = results[number]
            self._of_yield[address_of(last), end.token] = len(last.operands)
            yield_more(region.blocks[0], [end.stage, end.phase])
        made = [ids_of_value(value) for value in (ends[0].stage, ends[0].phase)]
        set_ids(new, [*ids, *made[0], *made[1]])
        set_outputs(new, [*outputs, *made])
        return _Position(results[count], results[count + 1], after)

    def pass_to_exits(self, token: ir.Value, stage: ir.Value, seen: set[int] | None = None) -> None:
        """Gives each access that ends another the stage of the token that began it.

        Raises:
            PassError: a loop takes a token from before the loop.
        """
        seen = set() if seen is None else seen
        for use in list(token.uses):
            user = use.owner.operation
            if address_of(user) in seen:
                continue
            seen.add(address_of(user))
            if user.name in WITH_STAGE:
                self._share_carried(user, stage)
                set_stage(user, stage)
            elif user.name == "scf.for":
                argument = body_of(user).arguments[use.operand_number - 2]
                if argument not in self._of_argument:
                    raise PassError(user, "found a token from before the loop; enter in the loop what is left in it")
                self.pass_to_exits(argument, self._of_argument[argument], seen)
            elif user.name == "scf.yield":
                number = self._of_yield[address_of(user), token]
                holder = user.parent.operation
                self.pass_to_exits(result_of_yield(use), holder.results[number], seen)

    def _share_carried(self, user: ir.Operation, stage: ir.Value) -> None:
        """Lets a partition have a stage that its loop carries."""
        if defining(stage) is not None:
            return
        loop, number = holder_of(stage), ir.BlockArgument(stage).arg_number - 1
        ids = ids_of(user)
        set_ids(loop, [*ids_of(loop), *ids])
        outputs = outputs_of(loop)
        for one in (number, number + 1):
            outputs[one] += ids
        set_outputs(loop, outputs)


def argument_for(loop: ir.Operation, value: ir.Value | None) -> ir.Value | None:
    """The argument of a loop's body that is a value at first."""
    for number, initial in enumerate(list(loop.operands)[3:]) if value is not None else ():
        if initial == value:
            return carried_argument(loop, number)
    return None


def set_stage(op: ir.Operation, stage: ir.Value) -> None:
    """Sets the stage of an access that ends another, or of a view."""
    access = op.opview
    set_operands(op, [access.aref, access.token, stage])


def give_scalars_to_default(loop: ir.Operation) -> None:
    """Has the default partition compute the numbers of a loop that code after it uses, too."""
    seen: set[ir.Value] = set()
    for number, result in enumerate(loop.results):
        if not isinstance(result.type, (ir.IntegerType, ir.FloatType)):
            continue
        users = [use.owner.operation for use in result.uses]
        if any(not has_partition(user) or (user.name == "scf.for" and TAG in user.attributes) for user in users):
            _add_default_output(loop, number)
            _add_default(loop, yielded(body_of(loop), number), seen)


def _add_default_output(op: ir.Operation, number: int) -> None:
    """Gives a result to the default partition too.

    Raises:
        PassError: the operation does not say which partitions its results belong to.
    """
    set_ids(op, [*ids_of(op), DEFAULT])
    outputs = outputs_of(op)
    if number >= len(outputs):
        raise PassError(
            op, f"found {len(outputs)} partitions of results, and {len(op.results)} results: name each one's"
        )
    outputs[number] += (DEFAULT,)
    set_outputs(op, outputs)


def _add_default(loop: ir.Operation, value: ir.Value, seen: set[ir.Value]) -> None:
    waiting = [value]
    for value in each_once(waiting, seen):
        op = defining(value)
        if op is None:
            holder = holder_of(value)
            number = ir.BlockArgument(value).arg_number
            if holder.name == "scf.for" and WARP_SPECIALIZE_LOOP not in holder.attributes and number > 0:
                waiting.append(initial_value(holder, number - 1))
        elif op.operation.name in FOR_AND_IF:
            number = ir.OpResult(value).result_number
            _add_default_output(op.operation, number)
            waiting += [*yielded_by(op.operation, number), *controls(op.operation)]
        elif ancestor_in(body_of(loop), op.operation) is not None:
            set_ids(op.operation, [*ids_of(op.operation), DEFAULT])
            waiting += op.operation.operands
