"""Choose the partition of each operation in loops that are to be divided among warp groups on Blackwell.

    %x = tt.descriptor_load %d[%i]            =>  ... {ttg.partition = array<i32: 2>}     // 2: loads
    %b = ttg.local_alloc %x                       ... {ttg.partition = array<i32: 2>}
    %t = ttng.tc_gen5_mma %b, ..., %acc           ... {ttg.partition = array<i32: 1>}     // 1: starts products
    %y = ttng.tmem_load %acc[%t]                  ... {ttg.partition = array<i32: 0>}     // 0: the rest
    } {tt.warp_specialize}                    =>  } {ttg.partition.stages = [0, 1, 0], ttg.warp_specialize.tag = 0, ...}

Users of the second and further mmas get their own partitions.  Operations between partitions go to the partition of
their operands.  A partition recomputes scalars, and values that must not be sent.

Differs from Triton: loops with others in them, and those where an operation finds no partition, are errors; its pass
aborts.  So are loops that write a tensor in global memory that another partition accesses.

Input:  ttg with tcgen05 mmas, scheduled.      Output: the same, with partitions.
Order:  first step of tritongpu-automatic-warp-specialization.
Skips:  loops that do not ask for it, and those without loads through descriptors and mmas.
Test:   test/lit/passes/partition_scheduling.mlir
"""

from mlir import ir

from ttkit.dialects._layouts import attribute
from ttkit.dialects._ttg_types import AsyncTokenType, MemDescType
from ttkit.inspection import address_of, collect, defining, terminator
from ttkit.operation_sets import BUFFER_VIEWS, CARRYING, DESCRIPTOR_LOADS, LOOPS, TCGEN5_MMAS, TMEM_ALLOC, TMEM_STORE
from ttkit.passes.infra import Pass, PassError, clone_operations
from ttkit.passes.infra.buffers_and_barriers import may_write_global
from ttkit.passes.infra.loop_attributes import WARP_SPECIALIZE_LOOP
from ttkit.passes.infra.loops import carried_argument, result_of_yield, yielded
from ttkit.passes.infra.nesting import operations_in
from ttkit.passes.infra.operation_attributes import set_integer
from ttkit.passes.infra.slices import each_once
from ttkit.passes.infra.tensor_bytes import elements_of
from ttkit.passes.infra.transforms import replace_uses
from ttkit.passes.layouts.load_buffers import loaded_layout
from ttkit.passes.partitioning.partitions import (
    PARTITION,
    STAGES,
    TAG,
    has_partition,
    ids_of,
    outputs_of,
    set_ids,
    set_outputs,
)
from ttkit.passes.partitioning.unassigned_operations import Clusters, Partition, Partitions
from ttkit.passes.pipelining.memory_order import conflicts
from ttkit.passes.pipelining.tcgen5_overlap import is_accumulator_modified

EXPENSIVE = ("math.exp2", "tt.elementwise_inline_asm")
# Least number of result elements for which an expensive operation begins a partition.
MANY = 256
ENDS = ("scf.yield", "tt.reduce.return", "tt.scan.return", "tt.map_elementwise.return")


class PartitionScheduling(Pass):
    """Choose the partition of each operation of loops that are to be divided"""

    name = "tritongpu-partition-scheduling"

    def run(self, op: ir.Operation) -> None:
        """Schedules the loops that ask for it, in the order of the text; each gets the number it has there."""
        loops = [loop for loop in reversed(operations_in(op)) if loop.name == "scf.for"]
        asking = [loop for loop in reversed(loops) if WARP_SPECIALIZE_LOOP in loop.attributes]
        for number, loop in enumerate(asking):
            schedule_partitions(loop, number)


def schedule_partitions(loop: ir.Operation, tag: int) -> None:
    """Chooses the partitions of a loop.

    Raises:
        PassError: the loop is of a kind that can't be divided.
    """
    partitions = Partitions(loop)
    if not _begin(partitions):
        return
    if collect(loop, LOOPS):
        raise PassError(
            loop, "a loop with another one in it can't be divided; tl.range(flatten=True) makes one of both"
        )
    Clusters(partitions).assign()
    _broadcast_again(partitions)
    _enter_regions(loop)
    _assign_missing(loop)
    _assign_outputs(loop)
    for op in operations_in(loop)[:-1]:
        if not has_partition(op) and op.name not in ENDS:
            raise PassError(op, f"{op.name} finds no partition, which nothing in the loop needs")
    _refuse_repeated(loop)
    _refuse_conflicts(loop)
    word = ir.IntegerType.get_signless(32, loop.context)
    set_integer(loop, TAG, tag)
    stages = [ir.IntegerAttr.get(word, partition.stage) for partition in partitions.all]
    loop.attributes[STAGES] = ir.ArrayAttr.get(stages, loop.context)


def _refuse_repeated(loop: ir.Operation) -> None:
    """Raises PassError if several partitions would write the same global memory, each for its own use of the result."""
    for op in operations_in(loop):
        is_repeated = not len(op.regions) and len(ids_of(op)) > 1 and op.name != "tt.assert"
        if is_repeated and may_write_global(op):
            raise PassError(op, f"several partitions use the result of {op.name}, which each of them would repeat")


def _refuse_conflicts(loop: ir.Operation) -> None:
    """Raises PassError if two partitions access the same global memory: nothing orders a write and an access there."""
    for first, second in conflicts([op for op in operations_in(loop) if not len(op.regions)]):
        if len({*ids_of(first), *ids_of(second)}) > 1:
            raise PassError(
                second,
                f"{first.name} and {second.name} may access the same tensor, which the loop writes; they would be in "
                "different partitions, which run at the same time",
            )


# --- Initial partitions -----------------------------------------------------------------------------------------------
def _begin(partitions: Partitions) -> bool:
    """Assigns loads, mmas and their users to partitions; returns whether there were any."""
    rest, starts, loads = partitions.add(0), partitions.add(1), partitions.add(0)
    ops = [each.operation for each in partitions.body.operations][:-1]
    loaded: list[ir.Operation] = []
    products: list[ir.Operation] = []
    for op in ops:
        if op.name in DESCRIPTOR_LOADS:
            loaded += _take_load(loads, op)
        elif op.name in TCGEN5_MMAS:
            products.append(op)
            _take_product(partitions, starts, op)
    if not loads.ops and not starts.ops:
        return False
    for op in ops:
        if op.name in EXPENSIVE and sum(map(elements_of, op.results)) > MANY:
            rest.take(op)
            partitions.take_sources(rest, op, is_tensor_or_buffer)
    for op in loaded:
        partitions.take_users(rest, op)
    users = [rest]
    while len(users) < len(products):
        users.append(partitions.add(len(users)))
    for product, user in reversed(list(zip(products, users))):
        partitions.take_users(user, product)
    return True


def _take_load(loads: Partition, op: ir.Operation) -> list[ir.Operation]:
    """Gives a load its partition, and the buffers that it fills as they are."""
    loads.take(op)
    taken = [op]
    for user in (use.owner.operation for use in op.result.uses):
        fits = user.name == "ttg.local_alloc" and user.result.type.encoding == layout_attribute(op)
        if fits or user.name == TMEM_ALLOC:
            loads.take(user)
            taken.append(user)
    return taken


def layout_attribute(load: ir.Operation) -> ir.Attribute:
    """The layout of the loaded tensor in shared memory."""
    return attribute(loaded_layout(load), load.context)


def _take_product(partitions: Partitions, starts: Partition, product: ir.Operation) -> None:
    """Gives an mma its partition, with views of its operands and the store that resets its accumulator."""
    loop = partitions.loop
    starts.take(product)
    store = _store_before(partitions, product)
    if store is not None and not is_accumulator_modified(product, loop) and partitions.top(store) is not None:
        source = defining(store.opview.src)
        if source is None or partitions.top(source.operation) is None:
            starts.take(store)
    waiting = [op.operation for value in product.operands if (op := defining(value)) is not None]
    while waiting:
        view = waiting.pop()
        if view.name not in BUFFER_VIEWS:
            continue
        users = [use.owner.operation for use in view.result.uses]
        if not all(user in starts.ops for user in users):
            (copy,) = clone_operations([view], [], ir.InsertionPoint(view))
            replace_uses(view.result, copy.result, starts.ops.__contains__)
            view = copy
        starts.take(view)
        source = defining(view.opview.src)
        if source is not None:
            waiting.append(source.operation)


def _store_before(partitions: Partitions, product: ir.Operation) -> ir.Operation | None:
    """The store to an accumulator just before an mma, in this iteration or at the end of the previous one."""
    tokens = [value for value in product.operands if isinstance(value.type, AsyncTokenType)]
    if not tokens:
        return None
    made = partitions.definition(tokens[0])
    return made if made is not None and made.name == TMEM_STORE else None


def is_tensor_or_buffer(value: ir.Value) -> bool:
    """Whether a value is a tensor, or a buffer in memory."""
    return isinstance(value.type, (ir.RankedTensorType, MemDescType))


# --- Remaining operations ---------------------------------------------------------------------------------------------
def _broadcast_again(partitions: Partitions) -> None:
    """Lets partitions broadcast values themselves that they would receive broadcast from others."""
    for partition in partitions.all:
        for use in [one for one in partitions.outputs_of(partition) if one.owner.operation.name != "scf.yield"]:
            user, number = use.owner.operation, use.operand_number
            made = defining(user.operands[number])
            while made is not None and made.operation.name in ("tt.broadcast", "tt.expand_dims"):
                (copy,) = clone_operations([made.operation], [], ir.InsertionPoint(made.operation))
                for one in ids_of(user):
                    set_ids(copy, [one])
                    partitions.all[one].ops.append(copy)
                user.operands[number] = copy.result
                user, number = copy, 0
                made = defining(copy.opview.src)


def _enter_regions(loop: ir.Operation) -> None:
    """Gives operations in branches and reductions the partitions of these, which lose theirs unless they hold none."""
    holders = [op for op in operations_in(loop)[:-1] if op.name != "scf.for" and _holds_operations(op)]
    for op in operations_in(loop)[:-1]:
        if op.name in CARRYING or has_partition(op):
            continue
        top = op
        while top.parent.operation != loop:
            top = top.parent.operation
        if has_partition(top):
            set_ids(op, ids_of(top))
    for op in holders:
        if has_partition(op):
            del op.attributes[PARTITION]
            for region in op.regions:
                for block in region.blocks:
                    last = terminator(block).operation
                    if last.name == "scf.yield" and PARTITION in last.attributes:
                        del last.attributes[PARTITION]


def _assign_missing(loop: ir.Operation) -> None:
    """Assigns operations without a partition to those of their users, then to those of their operands."""
    ops = [op for op in operations_in(loop)[:-1] if not len(op.regions)]
    _spread(ops, {address_of(op): users_through_control_flow(op) for op in ops if not _is_settled(op)})
    left = [op for op in ops if not has_partition(op) and op.name not in ENDS and _is_scalar(op)]
    sources = {address_of(op): [one.operation for v in op.operands if (one := defining(v)) is not None] for op in left}
    _spread(ops, sources)


def _is_settled(op: ir.Operation) -> bool:
    return has_partition(op) or op.name == "scf.yield"


def _is_scalar(op: ir.Operation) -> bool:
    return all(isinstance(result.type, (ir.FloatType, ir.IntegerType)) for result in op.results)


def _spread(ops: list[ir.Operation], neighbours: dict[int, list[ir.Operation]]) -> None:
    """Assigns operations to all partitions of their neighbours and of the regions of these."""
    found = {address_of(op): set(ids_of(op)) for op in ops}
    changed = True
    while changed:
        changed = False
        for address, others in neighbours.items():
            nested = [address_of(inner) for other in others for inner in operations_in(other) if inner.name not in ENDS]
            ids = found[address].union(*(found.get(one, set()) for one in nested))
            changed = changed or ids != found[address]
            found[address] = ids
    for op in ops:
        if found[address_of(op)]:
            set_ids(op, found[address_of(op)])


def users_through_control_flow(op: ir.Operation) -> list[ir.Operation]:
    """The operations that use results of one, after loops and branches have passed them on."""
    found: list[ir.Operation] = []
    waiting = list(op.results)
    for value in each_once(waiting):
        for use in value.uses:
            user, number = use.owner.operation, use.operand_number
            if user.name == "scf.for" and number >= 3:
                waiting.append(carried_argument(user, number - 3))
            elif user.name == "scf.yield":
                holder = user.parent.operation
                is_loop = holder.name == "scf.for"
                waiting.append(carried_argument(holder, number) if is_loop else result_of_yield(use))
            else:
                found.append(user)
    return found


# --- Loops, branches and reductions -----------------------------------------------------------------------------------
def _holds_operations(op: ir.Operation) -> bool:
    """Whether its regions have other operations than terminators; a reduction may just give one of its arguments."""
    return any(len(block.operations) > 1 for region in op.regions for block in region.blocks)


def _assign_outputs(op: ir.Operation) -> set[int]:
    """Sets the partitions of an operation with regions, all those in it, and of its results; returns the former."""
    blocks = [region.blocks[0] for region in op.regions if len(region.blocks)]
    ids = set[int]() if _holds_operations(op) else set(ids_of(op))
    for block in blocks:
        for inner in [each.operation for each in block.operations][:-1]:
            ids |= _assign_outputs(inner) if len(inner.regions) else set(ids_of(inner))
    if op.name == "tt.map_elementwise":  # its block may give several elements of each result
        ids_of_blocks = [[set[int]() for _ in op.results]]
    else:
        ids_of_blocks = [_yielded(op, block) for block in blocks]
    outputs = list(ids_of_blocks[0])
    for number in range(len(outputs)) if len(blocks) == 2 else ():
        value = yielded(blocks[0], number)
        if isinstance(value.type, AsyncTokenType):
            made = defining(value)
            is_inside = made is not None and any(made.operation.block == block for block in blocks[:1])
            outputs[number] = ids_of_blocks[is_inside][number]
        else:
            outputs[number] = ids_of_blocks[0][number] or ids_of_blocks[1][number]
    ids = ids.union(*outputs)
    set_ids(op, ids)
    set_outputs(op, [each or ids for each in outputs])  # values from outside belong to all
    return ids


def _yielded(holder: ir.Operation, block: ir.Block) -> list[set[int]]:
    """The partitions of the values that a block yields."""
    found = []
    for number, value in enumerate(terminator(block).operation.operands):
        made = defining(value)
        op = None if made is None else made.operation
        if holder.name == "scf.for" and isinstance(value.type, AsyncTokenType):
            uses = list(block.arguments[number + 1].uses)
            op = uses[0].owner.operation if uses else op
        if op is None:
            found.append(set[int]())
        elif len(op.regions):
            outputs = outputs_of(op)
            own = [index for index, result in enumerate(op.results) if result == value]
            found.append(set(outputs[own[0]]) if own else set(ids_of(op)))
        elif has_partition(op):
            found.append(set(ids_of(op)))
        else:
            tops = [use.owner.operation for result in op.results for use in result.uses]
            found.append({one for user in tops for one in ids_of(user)})
    return found
