"""Stores by TMA that pass through the buffer of a tile which the same task has received, and reads no more.

    %q = a tile that task 1 has received once, before its loop
    scf.for ... { ttng.warp_group_dot %q, ... }                       scf.for ... { ... }
    tt.descriptor_store %d[%i], %o {1}                          =>    ttg.local_store %o, %q
                                                                      ttng.async_tma_copy_local_to_global %d[%i] %q

A buffer of its own would keep its memory while the loop runs, in which the tasks need all there is.
"""

from __future__ import annotations

from mlir import ir

from ttkit.dialects import arith, ttg, ttng
from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import collect
from ttkit.passes.infra.nesting import last_of
from ttkit.passes.partitioning.channels import Group
from ttkit.passes.partitioning.communication import Memory
from ttkit.passes.partitioning.tasks import TaskBuilder, tasks_of


def stage_stores(function: ir.Operation, groups: list[Group], memories: dict[int, Memory]) -> None:
    """Has stores pass through buffers of tiles that are received once, outside of loops.

    Args:
        function: before its tiles are sent, so that what is sent is known.
        groups: those that own buffers.
        memories: by the identity of groups.
    """
    stores = [store for store in collect(function, ["tt.descriptor_store"]) if store.parent.operation == function]
    once = [group for group in groups if group.channels[0].region == function and len(group.consumers) == 1]
    for group in once:
        for buffer in memories[id(group)].buffers:
            found = next((store for store in stores if can_stage(store, group, buffer)), None)
            if found is not None:
                stores.remove(found)
                stage(found, buffer)


def can_stage(store: ir.Operation, group: Group, buffer: ir.Value) -> bool:
    """Whether a store is of the only task that reads a buffer, after its last read, and of a tile as in the buffer."""
    tasks, source = tasks_of(store), store.opview.src.type
    return (
        tasks == group.consumers
        and list(buffer.type.shape) == [1, *source.shape]
        and buffer.type.element_type == source.element_type
        and layout_of(buffer) == layout_of(store.opview.desc.type)
        and last_of([store, group.last_use(tasks[0])]) == store
    )


def stage(store: ir.Operation, buffer: ir.Value) -> None:
    """Replaces a store by one through a buffer with one slot."""
    descriptor, source, *coordinates = store.operands
    build = TaskBuilder(ir.InsertionPoint(store), store.location, tasks_of(store))
    kind = buffer.type
    view_type = MemDescType.get(list(kind.shape)[1:], kind.element_type, kind.encoding, mutable=True)
    view = build(ir.Operation.create, "ttg.memdesc_index", [view_type], [buffer, build(arith.i32, 0)]).result
    build(ttg.local_store, source, view)
    build(ttng.fence_async_shared, False)
    build(ttng.async_tma_copy_local_to_global, descriptor, coordinates, view)
    build(ttng.async_tma_store_wait, 0)
    store.erase()
