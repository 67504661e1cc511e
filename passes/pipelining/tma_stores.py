"""Asynchronous stores of loops through tensor descriptors, by TMA.

    tt.descriptor_store %d[%i], %x
  =>
    ttng.async_tma_store_wait {pendings = 0 : i32}        // until the previous store has read the buffer
    ttg.local_store %x, %buffer
    ttng.fence_async_shared
    ttng.async_tma_copy_local_to_global %d[%i] %buffer

The buffer is allocated before the loop.  Stores of tensors of one type share it, since each waits for the previous one.
"""

from typing import Any

from mlir import ir

from ttkit.dialects import ttg, ttng
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import collect, enclosing
from ttkit.operation_sets import DESCRIPTOR_STORES
from ttkit.passes.infra import defining_name
from ttkit.passes.layouts.load_buffers import descriptor_layout
from ttkit.passes.pipelining.loop_tensor_maps import MAKE, lower_descriptors
from ttkit.passes.pipelining.schedule import Schedule


def pipeline_stores(loop: ir.Operation) -> None:
    """Makes the stores of a loop asynchronous, except those of inner loops."""
    stores = [store for store in collect(loop, DESCRIPTOR_STORES) if enclosing(store, "scf.for") == loop]
    if not stores:
        return
    made_here = any(defining_name(store.opview.desc) == MAKE for store in stores)
    buffers: dict[MemDescType, ir.Value] = {}
    used = []
    for store in stores:
        type = buffer_type(store)
        if type not in buffers:
            with store.location, ir.InsertionPoint(loop):
                buffers[type] = ttg.local_alloc(type)
        used.append(buffers[type])
    for store, buffer in zip(stores, used):
        with store.location, ir.InsertionPoint(store):
            start_store(store, buffer)
        store.erase()
    with loop.location, ir.InsertionPoint.after(loop):
        ttng.async_tma_store_wait(0)
        for buffer in used:
            ttg.local_dealloc(buffer)
    if made_here:
        # Two maps for each: the loop writes one while a store still reads the other.
        lower_descriptors(loop, Schedule(3))


def buffer_type(store: ir.Operation) -> MemDescType:
    """A buffer in the layout of the descriptor's block."""
    type = store.opview.src.type
    return MemDescType.get(type.shape, type.element_type, descriptor_layout(store, type.rank), mutable=True)


def start_store(store: ir.Operation, buffer: ir.Value) -> None:
    """Builds the asynchronous store at the current insertion point."""
    view: Any = store.opview
    ttng.async_tma_store_wait(0)
    ttg.local_store(view.src, buffer)
    ttng.fence_async_shared(False)
    if store.name == "tt.descriptor_scatter":
        ttng.async_tma_scatter(view.desc, view.x_offsets, view.y_offset, buffer)
    elif store.name == "tt.descriptor_reduce":
        ttng.async_tma_reduce(store.attributes["kind"], view.desc, list(view.indices), buffer)
    else:
        ttng.async_tma_copy_local_to_global(view.desc, list(view.indices), buffer)
