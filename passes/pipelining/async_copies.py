"""Loads through pointers, started early: cp.async into a buffer, a wait, and a read.

    %x = tt.load %p, %mask, %other
  =>
    %slot = ttg.memdesc_index %buffer[%insert]                              // stage of the load
    %copy = ttg.async_copy_global_to_local %p, %slot mask %mask other %other
    %group = ttg.async_commit_group tokens %copy
    %done = ttg.async_wait %group {num = 0}                                 // stage of the first use
    %read = ttg.memdesc_index %buffer[%extract]
    %y = ttg.local_load %read token %done
    %x = arith.select %mask, %y, %other                                     // unless %other is zero

A slot of the buffer also replaces each ttg.local_alloc of the loaded tensor in the same layout.
"""

from mlir import ir

from ttkit.dialects import arith, ttg
from ttkit.dialects._layouts import layout_of
from ttkit.inspection import users_of
from ttkit.passes.infra.masks import access_mask
from ttkit.passes.layouts.load_buffers import EarlyLoad, is_zero, other_of
from ttkit.passes.pipelining.buffers import replace_buffer
from ttkit.passes.pipelining.schedule import Schedule
from ttkit.passes.pipelining.scheduled_builder import ScheduledBuilder
from ttkit.passes.pipelining.uses import first_user


def copy_by_threads(
    load: EarlyLoad, loop: ir.Operation, insert: ir.Value, extract: ir.Value, schedule: Schedule
) -> None:
    """Replaces a tt.load by cp.async, a wait and a read.

    Args:
        insert, extract: the numbers of the slot that is written, and of the slot that is read.
    """
    op = load.op
    assert load.buffer is not None
    user = first_user([op], loop, schedule)
    assert user is not None
    builder = ScheduledBuilder(schedule, op)
    mask, other = access_mask(op), other_of(op)
    slot = builder(ttg.memdesc_index, load.buffer, insert)
    given = op.attributes
    hints = {"cache": given["cache"], "evict": given["evict"], "is_volatile": given["isVolatile"]}
    copy = builder(
        ttg.async_copy_global_to_local,
        *(op.opview.ptr, slot),
        mask=mask,
        other=other,
        contiguity=load.contiguity,
        **hints,
    )
    group = builder(ttg.async_commit_group, [copy])
    builder.run_like(user)
    done = builder(ttg.async_wait, [group], 0)
    slot = builder(ttg.memdesc_index, load.buffer, extract)
    if other is None or is_zero(other):
        share_buffer(op.result, slot, builder)
        other = None
    if users_of(op.result):
        result = builder(ttg.local_load, slot, op.result.type, token=done)
        if other is not None:
            assert mask is not None
            result = builder(arith.select, mask, result, other)
        op.result.replace_all_uses_with(result)
    schedule.erase(op)
    op.erase()


def share_buffer(loaded: ir.Value, slot: ir.Value, builder: ScheduledBuilder) -> None:
    """Replaces buffers that were allocated for the loaded tensor, in the same layout, by a slot of its buffer."""
    for user in users_of(loaded):
        if user.name == "ttg.local_alloc" and layout_of(user.result) == layout_of(slot):
            replace_buffer(user.result, slot, builder)
            builder.schedule.erase(user)
            user.erase()
