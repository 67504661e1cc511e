"""Tensor descriptors that a loop makes anew in each iteration: tensor maps in a ring in global memory.

    %d = tt.make_tensor_descriptor %base, [%m, %k], [%s, %c1]
  =>
    %offset = arith.muli %c128, %turn : i32                      // %turn counts iterations around
    %map = tt.addptr %ring, %offset
    ttng.tensormap_create %map, %base, ...
    ttng.tensormap_fenceproxy_acquire %map
    %d = ttng.reinterpret_tensor_descriptor %map

Copies that are in flight still read the map of their iteration while the next one is written.
"""

from functools import partial

from mlir import ir

from ttkit.dialects import arith, tt, ttg, ttng
from ttkit.dialects._tt_types import PointerType
from ttkit.inspection import collect, users_of
from ttkit.operation_sets import DESCRIPTOR_STORES, WAIT_BARRIER, WGMMA
from ttkit.passes.infra import PassError
from ttkit.passes.infra.loops import body_of, body_operations, carry_more, give_also, yield_also
from ttkit.passes.infra.nesting import ancestor_in
from ttkit.passes.infra.transforms import replace_uses
from ttkit.passes.pipelining.buffers import next_number
from ttkit.passes.pipelining.schedule import Schedule
from ttkit.passes.pipelining.scheduled_builder import ScheduledBuilder
from ttkit.passes.tma_lowering import MAP_BYTES, create_map

MAKE = "tt.make_tensor_descriptor"


def lower_descriptors(loop: ir.Operation, schedule: Schedule) -> ir.Operation:
    """Gives each descriptor that a loop makes a ring of maps; the loop, which may be another one then.

    Args:
        schedule: gets what is new; operations that it does not have are not scheduled.
    """
    made = collect(loop, [MAKE])
    if not made:
        return loop
    # A wgmma of the iteration before may be in flight too.
    size = schedule.num_stages - 1 + any(op.name == WGMMA for op in body_operations(loop))
    size = max([size, *(maps_in_use(op, loop, schedule) for op in made)])
    pointer = PointerType.get(ir.IntegerType.get_signless(8, loop.context))
    rings = []
    for op in made:
        with op.location, ir.InsertionPoint(loop):
            rings.append(ttg.global_scratch_alloc(pointer, size * MAP_BYTES, MAP_BYTES))
    with loop.location, ir.InsertionPoint(loop):
        zero, one, limit = map(arith.i32, (0, 1, size))
    loop, turns = carry_more(loop, [zero] * len(made))
    for op, ring, turn in zip(made, rings, turns):
        builder = ScheduledBuilder(schedule, op)
        write_map(op, ring, turn, builder)
        next_turn = next_number(turn, limit, zero, one, builder).number
        # At once: passing the next one outwards may replace the operation that gives this one.
        yield_also(loop, [pass_outwards(next_turn, turn, op.block, loop, schedule)])
    return loop


def maps_in_use(made: ir.Operation, loop: ir.Operation, schedule: Schedule) -> int:
    """The least number of maps with which none is written anew that a copy may still read.

    Copies to shared memory read it until they have been waited for, others until the next one is started.
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


def write_map(op: ir.Operation, ring: ir.Value, turn: ir.Value, builder: ScheduledBuilder) -> None:
    """Builds the map of this iteration, and gives the users of a descriptor that."""
    offset = builder(arith.muli, builder(arith.i32, MAP_BYTES), turn)
    place = builder(tt.addptr, ring, offset)
    create_map(op, place, builder)
    builder(ttng.tensormap_fenceproxy_acquire, place)
    descriptor = builder(ttng.reinterpret_tensor_descriptor, op.result.type, place)
    op.result.replace_all_uses_with(descriptor)


# --- Out of branches --------------------------------------------------------------------------------------------------
def pass_outwards(
    value: ir.Value, otherwise: ir.Value, block: ir.Block, loop: ir.Operation, schedule: Schedule
) -> ir.Value:
    """Makes a value of a block within a loop known at the end of its body.

    Args:
        value: made in `block`.
        otherwise: what stands for it where control does not come to the block; an argument of the loop's body.

    Raises:
        PassError: the block lies in something else than an scf.if or scf.for.
    """
    while block != body_of(loop):
        holder = block.owner.operation
        if holder.name == "scf.if":
            new = if_with_result(holder, block, value, otherwise, schedule)
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


def if_with_result(
    old: ir.Operation, block: ir.Block, value: ir.Value, otherwise: ir.Value, schedule: Schedule
) -> ir.Operation:
    """Replaces an scf.if by one that also gives `value`, of one of its blocks, or `otherwise`."""
    if old not in schedule:
        return give_also(old, block, value, otherwise)
    _, stage, cluster = schedule[old]
    schedule.erase(old)
    new = give_also(old, block, value, otherwise)
    schedule.insert(new, stage, cluster)
    return new
