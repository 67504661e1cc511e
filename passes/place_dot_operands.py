"""Let dots without tensor cores read their operands from shared memory, without bank conflicts.

    %m = ttg.local_alloc %x : ... -> !ttg.memdesc<128x64xf16, #ttg.swizzled_shared<{vec = 1, ... maxPhase = 1}>, #smem>
    %a = ttg.local_load %m : ... -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>
    scf.for ... {
      %d = tt.dot %a, %b, ...
  =>
    %m = ttg.local_alloc %x : ... -> !ttg.memdesc<128x64xf16, #ttg.swizzled_shared<{vec = 8, ... maxPhase = 8}>, #smem>
    scf.for ... {
      %a = ttg.local_load %m {ttg.read_by_products} : ...
      %d = tt.dot %a, %b, ...

A dot that reads an operand itself loads slices when it needs them, if nothing can change the memory between the
ttg.local_load and the dot.  So loads of buffers that never change move to their dots; the attribute marks loads whose
dots read the buffer; and buffers that nothing else reads are swizzled for the slices.

Input:  ttg.      Output: ttg.
Order:  right before allocate-shared-memory-nv: the buffers live up to the products, and nobody moves what the
        attribute is about.
Skips:  operands of tensor cores; buffers that are written after their allocation, which keep their layout.
Test:   test/lit/passes/place_dot_operands.mlir
"""

from mlir import ir

from ttkit.analysis.dot_attributes import LOAD, READ_BY_PRODUCTS
from ttkit.analysis.scratch_sizes import scratch_operations
from ttkit.dialects import ttg
from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import defining, memory_effects, next_operation
from ttkit.layout import to_linear_layout
from ttkit.layout.encodings import Blocked, DotOperand, PaddedShared, SwizzledShared
from ttkit.layout.holders import stays_in_cta
from ttkit.layout.packing import Dims, log2
from ttkit.layout.product_operand import Slots, best_swizzle
from ttkit.operation_sets import ALLOCATIONS, BLOCK_BARRIERS, TYPED_MEMDESC_VIEWS
from ttkit.passes.infra import Pass, collect
from ttkit.passes.infra.transforms import replace_use
from ttkit.passes.infra.value_flow import viewed

READERS = (LOAD, "ttng.async_tma_copy_local_to_global", "ttng.async_tma_reduce")


class PlaceDotOperands(Pass):
    """Let dots without tensor cores read their operands from shared memory, without bank conflicts"""

    name = "ttkit-place-dot-operands"

    def run(self, op: ir.Operation) -> None:
        """Moves loads to their dots, marks those whose dots read the buffer, then swizzles buffers."""
        for load in collect(op, [LOAD]):
            if is_operand_load(load) and never_changes(load.opview.src):
                move_to_products(load)
        for load in collect(op, [LOAD]):
            if is_operand_load(load) and stays_until_products(load):
                load.attributes[READ_BY_PRODUCTS] = ir.UnitAttr.get(load.context)
        for allocation in collect(op, ["ttg.local_alloc"]):
            if len(allocation.operands) == 1:
                swizzle(allocation)


def is_operand_load(load: ir.Operation) -> bool:
    """Whether a ttg.local_load is of operands for products without tensor cores, and for nothing else, from the CTA's
    own memory."""
    encoding = layout_of(load.opview.src)
    if encoding is None or isinstance(encoding, PaddedShared):
        return False
    layout = layout_of(load.result)
    if not isinstance(layout, DotOperand) or not isinstance(layout.parent, Blocked):
        return False
    memory, result = load.opview.src.type, load.result.type
    buffer = to_linear_layout(memory.alloc_shape[-len(memory.shape) :], encoding)
    if not stays_in_cta(buffer, to_linear_layout(result.shape, layout)):
        return False
    uses = list(load.result.uses)
    return bool(uses) and all(use.owner.operation.name == "tt.dot" for use in uses)


def stays_until_products(load: ir.Operation) -> bool:
    """Whether the memory stays as it is from a ttg.local_load up to the last product that uses it, in its block."""
    waiting = {use.owner.operation for use in load.result.uses}
    following = next_operation(load)
    while waiting and following is not None:
        waiting.discard(following)
        if waiting and not leaves_memory(following):
            return False
        following = next_operation(following)
    return not waiting


def leaves_memory(op: ir.Operation) -> bool:
    """Whether an operation is known not to write shared memory, nor to get memory that a buffer has had."""
    if op.name == LOAD or op.name in BLOCK_BARRIERS:
        return True
    may_write = op.name in scratch_operations() or op.name in ALLOCATIONS
    return not may_write and not len(op.regions) and memory_effects(op) == []


def never_changes(memory: ir.Value) -> bool:
    """Whether a buffer has its elements from its allocation on, or, if it is not a view, from one copy by TMA on."""
    allocation = defining(viewed(memory, TYPED_MEMDESC_VIEWS))
    if allocation is None or allocation.operation.name != "ttg.local_alloc":
        return False
    if len(allocation.operands) == 1 and not allocation.result.type.mutable:
        return True
    if defining(memory) != allocation:
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
    """Loads right before each dot instead."""
    result = load.result
    for use in list(result.uses):
        copy = load.clone(ir.InsertionPoint(use.owner.operation))
        replace_use(use, copy.result)
    load.erase()


def swizzle(allocation: ir.Operation) -> None:
    """The best layout for a buffer that only dots read."""
    memory = allocation.result
    type, shared = memory.type, layout_of(memory)
    loads = [use.owner.operation for use in memory.uses]
    if (
        not loads
        or not isinstance(shared, SwizzledShared)
        or not all(load.name == LOAD and is_operand_load(load) for load in loads)
    ):
        return
    source, shape = layout_of(allocation.opview.src), tuple(type.shape)
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
        changed = ttg.local_alloc(better, src=allocation.opview.src)
    memory.replace_all_uses_with(changed)
    allocation.erase()


def slots_of(load: ir.Operation) -> Slots:
    """Elements of a ttg.local_load that the result registers of the dot that reads it need."""
    result = load.result
    product = next(iter(result.uses)).owner.operation.result.type
    operand = layout_of(result)
    assert isinstance(operand, DotOperand)
    shape = tuple(product.shape)
    dims: Dims = tuple((f"dim{i}", log2(size)) for i, size in enumerate(result.type.shape))
    layout = layout_of(product)
    assert layout is not None
    return Slots.of(to_linear_layout(shape, layout), dims, len(shape) - 1 - operand.op_idx)
