"""Let products without tensor cores read their operands from shared memory, without bank conflicts.

    %m = ttg.local_alloc %x : ... -> !ttg.memdesc<128x64xf16, #ttg.swizzled_shared<{vec = 1, ... maxPhase = 1}>, #smem>
    %a = ttg.local_load %m : ... -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>
    scf.for ... {
      %d = tt.dot %a, %b, ...
  =>
    %m = ttg.local_alloc %x : ... -> !ttg.memdesc<128x64xf16, #ttg.swizzled_shared<{vec = 8, ... maxPhase = 8}>, #smem>
    scf.for ... {
      %a = ttg.local_load %m : ...
      %d = tt.dot %a, %b, ...

The lowering of a product loads slices of an operand as it needs them, if nothing can change the memory between the
ttg.local_load and the product (ttkit.analysis.product_operands).  So loads of buffers that never change go to their
products; and buffers that nothing else reads are swizzled for the slices.

Input:  ttg.      Output: ttg.
Order:  right before allocate-shared-memory-nv: the buffers live up to the products.
Skips:  operands of tensor cores; buffers that are written after their allocation, which keep their layout.
Test:   test/lit/passes/place_dot_operands.mlir
"""

from mlir import ir

from ttkit.analysis.product_operands import is_operand_load
from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import defining
from ttkit.layout import to_linear_layout
from ttkit.layout.encodings import DotOperand, SwizzledShared
from ttkit.layout.packing import Dims, log2
from ttkit.layout.product_operand import Slots, best_swizzle
from ttkit.passes.infra import Pass, collect

LOAD = "ttg.local_load"
READERS = (LOAD, "ttng.async_tma_copy_local_to_global", "ttng.async_tma_reduce")


class PlaceDotOperands(Pass):
    """Let products without tensor cores read their operands from shared memory, without bank conflicts"""

    name = "ttkit-place-dot-operands"

    def run(self, op: ir.Operation) -> None:
        for load in collect(op, [LOAD]):
            if is_operand_load(load) and never_changes(load.operands[0]):
                move_to_products(load)
        for allocation in collect(op, ["ttg.local_alloc"]):
            if len(allocation.operands) == 1:
                swizzle(allocation)


def never_changes(memory: ir.Value) -> bool:
    """Whether a view is a whole buffer that has its elements from its allocation on, or from one copy by TMA on."""
    allocation = defining(memory)
    if allocation is None or allocation.operation.name != "ttg.local_alloc":
        return False
    if len(allocation.operands) == 1:
        return True
    writers = [user for use in memory.uses if (user := use.owner.operation).name not in READERS]
    return (
        len(writers) == 1
        and writers[0].name == "ttng.async_tma_copy_global_to_local"
        and writers[0].block == allocation.operation.block  # again only with a new buffer
    )


def move_to_products(load: ir.Operation) -> None:
    """Loads right in front of each product instead."""
    result = load.results[0]
    for use in list(result.uses):
        product, index = use.owner.operation, use.operand_number
        copy = load.clone(ir.InsertionPoint(product))
        product.operands[index] = copy.results[0]
    load.erase()


def swizzle(allocation: ir.Operation) -> None:
    """The best layout for a buffer that only products read."""
    memory = allocation.results[0]
    type, shared = memory.type, layout_of(memory)
    loads = [use.owner.operation for use in memory.uses]
    if not loads or not isinstance(shared, SwizzledShared) or not all(is_operand_load(load) for load in loads):
        return
    source, shape = layout_of(allocation.operands[0]), tuple(type.shape)
    if source is None or tuple(type.alloc_shape) != shape:
        return
    readers = {slots_of(load) for load in loads}
    best = best_swizzle(
        shared, shape, type.element_type.width, to_linear_layout(shape, source), tuple(sorted(readers, key=repr))
    )
    if best == shared:
        return
    with allocation.location, ir.InsertionPoint(allocation):
        better = MemDescType.get(shape, type.element_type, best, mutable=type.mutable)
        changed = ir.Operation.create("ttg.local_alloc", results=[better], operands=[allocation.operands[0]])
    memory.replace_all_uses_with(changed.results[0])
    allocation.erase()


def slots_of(load: ir.Operation) -> Slots:
    """What the products of a ttg.local_load need of it."""
    result = load.results[0]
    product = next(iter(result.uses)).owner.operation.results[0].type
    operand = layout_of(result)
    assert isinstance(operand, DotOperand)
    shape = tuple(product.shape)
    dims: Dims = tuple((f"dim{i}", log2(size)) for i, size in enumerate(result.type.shape))
    layout = layout_of(product)
    assert layout is not None
    return Slots.of(to_linear_layout(shape, layout), dims, len(shape) - 1 - operand.op_idx)
