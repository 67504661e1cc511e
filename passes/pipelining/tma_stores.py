"""Stores of loops through tensor descriptors, which TMA goes on with while the loop does.

    tt.descriptor_store %d[%i], %x
  =>
    ttng.async_tma_store_wait {pendings = 0 : i32}        // until the store before has read the buffer
    ttg.local_store %x, %buffer
    ttng.fence_async_shared
    ttng.async_tma_copy_local_to_global %d[%i] %buffer

The buffer is allocated before the loop.  Stores of tensors of one type share it: each waits for the one before anyhow.
"""

from mlir import ir

from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import collect
from ttkit.passes.infra import defining_name
from ttkit.passes.infra.building import build, i32
from ttkit.passes.infra.nesting import enclosing
from ttkit.passes.pipelining.load_buffers import descriptor_layout
from ttkit.passes.pipelining.schedule import Schedule
from ttkit.passes.pipelining.tensor_maps import MAKE, lower_descriptors

# Operation -> what TMA does for it; the number of the operand that is the tensor.
STORES = {
    "tt.descriptor_store": ("ttng.async_tma_copy_local_to_global", 1),
    "tt.descriptor_reduce": ("ttng.async_tma_reduce", 1),
    "tt.descriptor_scatter": ("ttng.async_tma_scatter", 3),
}


def pipeline_stores(loop: ir.Operation) -> None:
    """Has the stores of a loop, those of inner loops aside, go on in the background."""
    stores = [store for store in collect(loop, STORES) if enclosing(store, "scf.for") == loop]
    if not stores:
        return
    made_here = any(defining_name(store.operands[0]) == MAKE for store in stores)
    buffers: dict[MemDescType, ir.Value] = {}
    used = []
    for store in stores:
        type = buffer_type(store)
        if type not in buffers:
            with store.location, ir.InsertionPoint(loop):
                buffers[type] = build("ttg.local_alloc", type)
        used.append(buffers[type])
    for store, buffer in zip(stores, used):
        with store.location, ir.InsertionPoint(store):
            start_store(store, buffer)
        store.erase()
    with loop.location, ir.InsertionPoint.after(loop):
        effect("ttng.async_tma_store_wait", pendings=i32(0))
        for buffer in used:
            effect("ttg.local_dealloc", buffer)
    if made_here:
        # Two maps for each: one is written while a store still reads the other.
        lower_descriptors(loop, Schedule(3))


def buffer_type(store: ir.Operation) -> MemDescType:
    """A buffer in the layout of the descriptor's block."""
    type = store.operands[STORES[store.name][1]].type
    return MemDescType.get(type.shape, type.element_type, descriptor_layout(store.operands[0], type.rank), mutable=True)


def start_store(store: ir.Operation, buffer: ir.Value) -> None:
    """Builds what a store becomes, at the current insertion point."""
    name, number = STORES[store.name]
    operands = list(store.operands)
    tensor = operands.pop(number)
    effect("ttng.async_tma_store_wait", pendings=i32(0))
    effect("ttg.local_store", tensor, buffer)
    effect("ttng.fence_async_shared", bCluster=ir.BoolAttr.get(False))
    kind = {"kind": store.attributes["kind"]} if "kind" in store.attributes else {}
    effect(name, *operands, buffer, **kind)


def effect(name: str, *operands: ir.Value, **attributes: ir.Attribute) -> None:
    """An operation without results."""
    ir.Operation.create(name, operands=operands, attributes=attributes or None)
