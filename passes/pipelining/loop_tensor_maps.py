"""Tensor descriptors that a loop makes in each iteration: tensor maps in a circular buffer in global memory.

    %d = tt.make_tensor_descriptor %base, [%m, %k], [%s, %c1]
  =>
    %offset = arith.muli %c128, %slot : i32                      // %slot counts iterations modulo the size
    %map = tt.addptr %maps, %offset
    ttng.tensormap_create %map, %base, ...
    ttng.tensormap_fenceproxy_acquire %map
    %d = ttng.reinterpret_tensor_descriptor %map

Copies in flight still read the map of their iteration while the loop writes the next one.
"""

from functools import partial

from mlir import ir

from ttkit.dialects import arith, tt, ttg, ttng
from ttkit.dialects._tt_types import PointerType
from ttkit.inspection import collect, users_of
from ttkit.layout.hardware import TENSOR_MAP_BYTES
from ttkit.operation_sets import DESCRIPTOR_STORES, WAIT_BARRIER, WGMMA
from ttkit.passes.infra import PassError
from ttkit.passes.infra.loops import body_of, body_operations, carry_more, give_also, while_carrying, yield_also
from ttkit.passes.infra.nesting import ancestor_in
from ttkit.passes.infra.transforms import replace_uses
from ttkit.passes.pipelining.buffers import next_number
from ttkit.passes.pipelining.schedule import Schedule
from ttkit.passes.pipelining.scheduled_builder import ScheduledBuilder
from ttkit.passes.tma_lowering import create_map

MAKE = "tt.make_tensor_descriptor"
GIVE_ONE_MORE = {"scf.if": give_also, "scf.while": while_carrying}


def lower_descriptors(loop: ir.Operation, schedule: Schedule) -> ir.Operation:
    """Gives each descriptor that a loop makes a circular buffer of maps; returns the loop, which may be a new one.

    Args:
        schedule: the schedule to which the new operations are added, if the operation that they replace has a place.
    """
    made = collect(loop, [MAKE])
    if not made:
        return loop
    # A wgmma of the previous iteration may be in flight too.
    size = schedule.num_stages - 1 + any(op.name == WGMMA for op in body_operations(loop))
    size = max([size, *(maps_in_use(op, loop, schedule) for op in made)])
    pointer = PointerType.get(ir.IntegerType.get_signless(8, loop.context))
    buffers = []
    for op in made:
        with op.location, ir.InsertionPoint(loop):
            buffers.append(ttg.global_scratch_alloc(pointer, size * TENSOR_MAP_BYTES, TENSOR_MAP_BYTES))
    with loop.location, ir.InsertionPoint(loop):
        zero, one, limit = map(arith.i32, (0, 1, size))
    loop, slots = carry_more(loop, [zero] * len(made))
    for op, maps, slot in zip(made, buffers, slots):
        builder = ScheduledBuilder(schedule, op)
        write_map(op, maps, slot, builder)
        next_slot = next_number(slot, limit, zero, one, builder).number
        # Yield each value now: passing the next one outwards may replace the operation that defines this one.
        yield_also(loop, [pass_outwards(next_slot, slot, op.block, loop, schedule)])
    return loop


def maps_in_use(made: ir.Operation, loop: ir.Operation, schedule: Schedule) -> int:
    """The least number of maps with which the loop overwrites no map that a copy may still read.

    A copy to shared memory reads its map until the wait for the copy; others read it until the next copy starts.
    """
    body = body_of(loop)
    place = ancestor_in(body, made)
    if place is None or place not in schedule:
        return 1
    ends = [(op, 0) for op in body_operations(loop) if op.name == WAIT_BARRIER and op in schedule]
    users = [(ancestor_in(body, user), user.name) for user in users_of(made.result)]
    ends += [(user, 1) for user, name in users if name in DESCRIPTOR_STORES and user is not None and user in schedule]
    first = schedule[place].stage
    return max((schedule[op].stage + later - first + schedule.runs_before(place, op) for op, later in ends), default=1)


def write_map(op: ir.Operation, maps: ir.Value, slot: ir.Value, builder: ScheduledBuilder) -> None:
    """Builds the map of this iteration, and replaces a descriptor by it."""
    offset = builder(arith.muli, builder(arith.i32, TENSOR_MAP_BYTES), slot)
    place = builder(tt.addptr, maps, offset)
    create_map(op, place, builder)
    builder(ttng.tensormap_fenceproxy_acquire, place)
    descriptor = builder(ttng.reinterpret_tensor_descriptor, op.result.type, place)
    op.result.replace_all_uses_with(descriptor)


# --- Values of nested blocks ------------------------------------------------------------------------------------------
def pass_outwards(
    value: ir.Value, otherwise: ir.Value, block: ir.Block, loop: ir.Operation, schedule: Schedule
) -> ir.Value:
    """Makes a value of a nested block available at the end of the loop's body.

    Args:
        value: defined in `block`.
        otherwise: the value if control does not reach the block; an argument of the loop's body.

    Raises:
        PassError: the block is in another operation than an scf.if, scf.for or scf.while.
    """
    while block != body_of(loop):
        holder = block.owner.operation
        if holder.name in GIVE_ONE_MORE:
            new = with_result(holder, block, value, otherwise, schedule)
        elif holder.name == "scf.for":
            new, (argument,) = carry_more(holder, [otherwise])
            replace_uses(otherwise, argument, partial(ancestor_in, body_of(new)))
            yield_also(new, [value])
        else:
            raise PassError(
                holder, f"a pipelined loop can't make tensor descriptors in '{holder.name}'; make them outside"
            )
        value, block = list(new.results)[-1], new.block
    return value


def with_result(
    old: ir.Operation, block: ir.Block, value: ir.Value, otherwise: ir.Value, schedule: Schedule
) -> ir.Operation:
    """Replaces an scf.if or scf.while by one that also gives `value` from one of its blocks, or else `otherwise`."""
    give = GIVE_ONE_MORE[old.name]
    if old not in schedule:
        return give(old, block, value, otherwise)
    _, stage, cluster = schedule[old]
    schedule.erase(old)
    new = give(old, block, value, otherwise)
    schedule.insert(new, stage, cluster)
    return new
