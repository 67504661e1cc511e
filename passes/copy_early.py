"""Copy tiles that are loaded for shared memory there in the background, as early as shared memory allows.

    %a = tt.load %pa                                    %sa = ttg.local_alloc
    %sa = ttg.local_alloc %a                            ttg.async_copy_global_to_local %pa, %sa; commit
    %d = tt.dot (ttg.local_load %sa), ...               %sb = ttg.local_alloc
    %b = tt.load %pb                             =>     ttg.async_copy_global_to_local %pb, %sb; commit
    %sb = ttg.local_alloc %b                            ttg.async_wait {num = 1}
    %e = tt.dot (ttg.local_load %sb), ...               %d = tt.dot (ttg.local_load %sa), ...
                                                        ttg.async_wait {num = 0}
                                                        %e = tt.dot (ttg.local_load %sb), ...

A load waits for its data before it stores them to shared memory, and each tile on the way takes registers.  Copies by
cp.async take none, and all of them are in flight at once.

Input:  ttg.      Output: ttg.
Order:  late, when loops are pipelined; before load-early, which then moves the loads that are left.
Skips:  loops with copies, and those whose tensors fit into registers; volatile loads; loads with other users than one
        buffer, or that cp.async can't do: less than four bytes at once, other values than zero where the mask is false;
        buffers that loops, branches or selects pass on; more buffers than keep as many programs at once, or than shared
        memory has room for at once.
Test:   test/lit/passes/copy_early.mlir
"""

from __future__ import annotations

from mlir import ir

from ttkit.analysis.allocation import explicit_buffer
from ttkit.analysis.axis_analysis import AxisInfoAnalysis
from ttkit.analysis.scratch_sizes import ScratchTarget, scratch_bytes, scratch_operations
from ttkit.dialects import ttg
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import address_of, collect, contains_any, has_uses, next_operation, users_of
from ttkit.operation_sets import ALL_DOTS, ASYNC_COMMIT, COPIES_TO_SHARED, FENCE, WGMMA_WAIT
from ttkit.passes.infra import Pass
from ttkit.passes.infra.masks import access_mask
from ttkit.passes.infra.nesting import blocks_in, first_user
from ttkit.passes.infra.target import target_of
from ttkit.passes.layouts.load_buffers import EarlyLoad, early_load, must_be_in_registers, other_of
from ttkit.passes.layouts.register_pressure import Pressure, peak, pressures_of, programs_at_once, registers_of
from ttkit.passes.layouts.thread_counts import num_warps
from ttkit.passes.load_early import LOAD, Mover
from ttkit.passes.pipelining.buffers import can_be_replaced, replace_buffer
from ttkit.passes.pipelining.waits import groups_after
from ttkit.target import NAMED_REGISTERS
from ttkit.tuning.passes import COPIED_ABOVE, EARLY_WARPS


class CopyEarly(Pass):
    """Copy tiles that are loaded for shared memory there in the background"""

    name = "ttkit-copy-early"
    dependent_dialects = ("ttg",)

    def run(self, op: ir.Operation) -> None:
        """Starts the copies of each function with dot operations."""
        for function in collect(op, ["tt.func"]):
            if collect(function, ALL_DOTS):
                copy_early(function)


def copy_early(function: ir.Operation) -> None:
    """Moves the loads of a function that fill buffers, and makes copies of them."""
    if not any(map(fills_a_buffer, collect(function, [LOAD]))):
        return  # most functions: the registers of their tensors need not be known
    blocks = [one for block in blocks_in(function) for one in pressures_of(block)]
    analysis = AxisInfoAnalysis()
    found = [(block, loads) for block in blocks if (loads := loads_of(block, analysis))]
    if not found or not all_fits(function):
        return
    left, waits = bytes_for(function, peak(blocks)), []
    for block, loads in found:
        chosen, left = fitting(loads, left)
        move(block, chosen)
        waits += [copy(load) for load in chosen]
    commits = collect(function, [ASYNC_COMMIT])
    for wait in waits:
        wait.opview.num = groups_after(wait, commits)
    for block, _ in found:
        erase_covered_waits(block.ops[-1].block, {address_of(wait) for wait in waits})


def loads_of(block: Pressure, analysis: AxisInfoAnalysis) -> list[EarlyLoad]:
    """The loads of a block that become copies."""
    if any(op.name in COPIES_TO_SHARED for op in block.ops):
        return []
    # A copy arrives later than a load, which counts in each iteration if nothing is spilled.
    if block.is_repeated and most_registers(block) <= COPIED_ABOVE:
        return []
    return [load for op in block.ops if (load := copied(op, analysis)) is not None]


def most_registers(block: Pressure) -> int:
    """The most registers for tensors at an operation of a block."""
    return max((at - shared_registers(op) for op, at in zip(block.ops, block.at)), default=0)


def shared_registers(op: ir.Operation) -> int:
    """The registers that results share with operands: accumulators, and what a wait passes on."""
    if op.name == WGMMA_WAIT:
        return sum(map(registers_of, op.results))
    return registers_of(op.operands[2]) if op.name in ALL_DOTS else 0


def all_fits(function: ir.Operation) -> bool:
    """Whether shared memory has room for all buffers at once, since copies begin while others are in use."""
    target = target_of(function)
    buffers = sum(explicit_buffer(op).size for op in collect(function, ["ttg.local_alloc"]))
    scratch = (scratch_bytes(op.opview, ScratchTarget(target)) for op in collect(function, scratch_operations()))
    return not contains_any(function, ["tt.call"]) and buffers + max(scratch, default=0) <= target.shared_bytes


def bytes_for(function: ir.Operation, most: int) -> int:
    """Bytes of shared memory that leave a multiprocessor as many programs at once as registers do.

    Args:
        most: registers of tensors that are live at once.
    """
    programs = programs_at_once(num_warps(function), min(most, NAMED_REGISTERS), EARLY_WARPS)
    return int(target_of(function).shared_bytes) // programs


def fitting(loads: list[EarlyLoad], left: int) -> tuple[list[EarlyLoad], int]:
    """The first loads whose buffers fit into so many bytes, and the bytes that are left."""
    found = []
    for load in loads:
        (filled,) = users_of(load.op.result)
        size = explicit_buffer(filled).size
        if size > left:
            break
        left -= size
        found.append(load)
    return found, left


def copied(op: ir.Operation, analysis: AxisInfoAnalysis) -> EarlyLoad | None:
    """The load that an operation is, if cp.async can do it and one buffer of its layout is its only user."""
    return early_load(op, analysis) if op.name == LOAD and fills_a_buffer(op) else None


def fills_a_buffer(load: ir.Operation) -> bool:
    """Whether the only user of a loaded tensor is a buffer of its block, which is used."""
    if load.attributes["isVolatile"].value or not isinstance(load.result.type, ir.RankedTensorType):
        return False
    if must_be_in_registers(load):
        return False
    (filled,) = users_of(load.result)
    return bool(filled.block == load.block and has_uses(filled.result) and can_be_replaced(filled.result))


class FreeMover(Mover):
    """Moves loads as far up as they can go: as copies they take no registers."""

    def gains(self, first: int, number: int) -> bool:
        """Whether a load may stand further up."""
        return first < number

    def target(self, first: int, number: int, sources: list[int]) -> int | None:
        """The first operation that does not move, with this load or with another one."""
        return next((n for n in range(first, number) if self.place[n] == n and n not in sources), None)


def move(block: Pressure, loads: list[EarlyLoad]) -> None:
    """Moves the loads of a block."""
    mover = FreeMover([op.name for op in block.ops], block, 0)
    mover.loads = [block.ops.index(load.op) for load in loads]
    mover.run()


def copy(load: EarlyLoad) -> ir.Operation:
    """Copies in place of a load, and waits before the first use of its buffer.  Returns the wait."""
    op = load.op
    (filled,) = users_of(op.result)
    old = filled.result
    type = old.type
    at, place = op.location, ir.InsertionPoint(op)
    shape = type.shape
    mutable = MemDescType.get(shape, type.element_type, type.encoding, type.memory_space, True, type.alloc_shape)
    buffer = ttg.local_alloc(mutable, loc=filled.location, ip=place)
    given = op.attributes
    copied = ttg.async_copy_global_to_local(
        *(op.opview.ptr, buffer),
        mask=access_mask(op),
        other=other_of(op),
        contiguity=load.contiguity,
        cache=given["cache"],
        evict=given["evict"],
        is_volatile=given["isVolatile"],
        loc=at,
        ip=place,
    )
    group = ttg.async_commit_group([copied], loc=at, ip=place)
    user = place_of_wait(filled)
    done = ttg.async_wait([group], 0, loc=user.location, ip=ir.InsertionPoint(user))
    replace_buffer(old, buffer)
    filled.erase()
    op.erase()
    return done.owner.operation


def erase_covered_waits(block: ir.Block, own: set[int]) -> None:
    """Erases waits for copies that an earlier wait, or the next operation, waits for too: each costs a barrier.

    Args:
        own: addresses of the waits of this pass; others may wait for copies of other blocks.
    """
    started = ended = 0
    for op in [op.operation for op in block]:
        started += op.name == ASYNC_COMMIT
        if address_of(op) not in own:
            continue
        arrived, following = started - op.attributes["num"].value, next_operation(op)
        next_arrived = 0
        if following is not None and address_of(following) in own:
            next_arrived = started - following.attributes["num"].value
        if arrived <= max(ended, next_arrived):
            op.erase()
        else:
            ended = arrived


def place_of_wait(buffer: ir.Operation) -> ir.Operation:
    """The first operation that uses a buffer, in itself or in its regions, or the fence right before it."""
    first = first_user(buffer)
    assert first is not None
    operations = [op.operation for op in first.block]
    number = operations.index(first)
    return operations[number - 1] if number and operations[number - 1].name == FENCE else first
