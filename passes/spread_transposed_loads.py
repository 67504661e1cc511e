"""Load operands that are transposed through shared memory in whole sectors and without bank conflicts.

    %x = tt.load %p : tensor<32x128x!tt.ptr<f32>, #rows>    // sizePerThread = [1, 4], threadsPerWarp = [1, 32]
    %b = ttg.local_alloc %x : (tensor<32x128xf32, #rows>) -> !ttg.memdesc<32x128xf32, #columns, #smem>
  =>
    %q = ttg.convert_layout %p : ... -> tensor<32x128x!tt.ptr<f32>, #boxes>        // [1, 1], [4, 8], order = [1, 0]
    %y = tt.load %q : tensor<32x128x!tt.ptr<f32>, #boxes>
    %b = ttg.local_alloc %y : (tensor<32x128xf32, #boxes>) -> !ttg.memdesc<32x128xf32, #columns, #smem>

Wgmmas read elements of 8 and 32 bits only with K fastest.  So an operand with K slowest in global memory is transposed
in shared memory.  In the layout of `coalesce` all threads of a warp have the same k.  They write one column of a
swizzled tile in shared memory, 16 of them to the same bank, byte by byte.  In the layout of this pass, a warp has a
box: one sector of 32 bytes in global memory by one group of 16 bytes in shared memory, which any swizzle spreads over
the banks.  A thread has a square of 4 by 4 bytes, which it reads and writes as words.  On an H200 dots of 4096 with
loads through pointers are 2.2 to 3.7 times as fast.

Input:  ttg.      Output: ttg; conversions around the loads, for remove-layout-conversions to remove.
Order:  after accelerate-matmul, which makes the buffers; before remove-layout-conversions.
Skips:  loads outside of loops, whose instructions stay wide; elements wider than 32 bits; loads with other users;
        buffers that are not swizzled; dimensions smaller than a box.
Test:   test/lit/passes/spread_transposed_loads.mlir
"""

from collections.abc import Sequence
from math import prod

from mlir import ir

from ttkit.dialects._layouts import layout_of
from ttkit.inspection import element_bits, enclosing
from ttkit.layout.clusters import shape_per_cta
from ttkit.layout.encodings import Blocked, NvmmaShared
from ttkit.layout.hardware import REGISTER_BITS
from ttkit.operation_sets import CONVERT_LAYOUT, LOOPS
from ttkit.passes.coalesce import set_layout
from ttkit.passes.infra import Pass, collect
from ttkit.passes.layouts.assignment import tensor_layout
from ttkit.passes.layouts.thread_counts import num_warps

# Words of a sector of global memory, and of a group that swizzling keeps together.
SECTOR, GROUP = 8, 4


class SpreadTransposedLoads(Pass):
    """Load operands that are transposed through shared memory in boxes without bank conflicts"""

    name = "ttkit-spread-transposed-loads"

    def run(self, op: ir.Operation) -> None:
        """Sets the layout of each load that has a better one."""
        for load in collect(op, ["tt.load"]):
            layout = box_layout(load)
            if layout is not None:
                set_layout(load, layout)


def box_layout(load: ir.Operation) -> Blocked | None:
    """The layout of boxes for a load; None if its buffer has the order of global memory, or is unknown."""
    if enclosing(load, *LOOPS) is None:
        return None
    value = load.result
    type = value.type
    if not isinstance(type, ir.RankedTensorType) or type.rank < 2 or element_bits(type.element_type) > REGISTER_BITS:
        return None
    layout, along = tensor_layout(type), fastest_in_shared_memory(value)
    if along is None or not isinstance(layout, Blocked) or layout.order[0] == along:
        return None
    return boxes(type.shape, REGISTER_BITS // element_bits(type.element_type), layout, along, num_warps(load))


def fastest_in_shared_memory(value: ir.Value) -> int | None:
    """The dimension of a value that is contiguous in its only use, a swizzled buffer; None otherwise."""
    dims = list(range(value.type.rank))
    while True:
        uses = list(value.uses)
        if len(uses) != 1:
            return None
        user = uses[0].owner
        if user.name == "tt.trans":
            dims = [dims[d] for d in user.attributes["order"]]
        elif user.name == "ttg.local_alloc":
            break
        elif user.name != CONVERT_LAYOUT:
            return None
        value = user.result
    shared = layout_of(user.result)
    if not isinstance(shared, NvmmaShared) or shared.swizzling_byte_width == 0:
        return None
    return dims[-2 if shared.transposed else -1]


def boxes(shape: Sequence[int], square: int, layout: Blocked, along: int, warps: int) -> Blocked | None:
    """The layout in which a warp has a box of a sector by a group; None if a box is larger than the tensor.

    Args:
        square: the number of elements of a thread in either dimension of the box.
        layout: the layout of the load, with the fastest dimension of global memory.
        along: the dimension that is contiguous in shared memory.
    """
    rank, first = len(shape), layout.order[0]
    sizes, threads, per_dim = [1] * rank, [1] * rank, [1] * rank
    sizes[first] = sizes[along] = square
    threads[first], threads[along] = SECTOR, GROUP
    free = [size // (n * s) for size, n, s in zip(shape_per_cta(shape, layout), threads, sizes)]
    if not all(free) or prod(threads) != prod(layout.threads_per_warp):
        return None
    order = (first, along, *(d for d in layout.order if d not in (first, along)))
    for d in order:
        per_dim[d] = min(warps, free[d])
        warps //= per_dim[d]
    per_dim[first] *= warps
    return Blocked(tuple(sizes), tuple(threads), tuple(per_dim), order, layout.cga_layout)
