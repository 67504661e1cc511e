"""Let tensor cores see what threads wrote to shared memory.

    %m = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    scf.for ... {
      %d = ttng.warp_group_dot %a, %m, %c
  =>
    %m = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    ttng.fence_async_shared {bCluster = false}
    scf.for ... {
      %d = ttng.warp_group_dot %a, %m, %c

wgmma and tcgen05 read shared memory through the asynchronous proxy, threads write it through the generic one; a fence
orders the two.  If threads write the operand outside a loop, the fence is outside too.

Differs from Triton: stores through all views of a buffer are found, where Triton follows those with a single user.

Input:  ttg.      Output: the same with fences.
Order:  after the passes that fill operand buffers by TMA.
Skips:  buffers that TMA fills; GPUs before sm_90.
Test:   test/lit/passes/fence_insertion.mlir
"""

from collections.abc import Iterator

from mlir import ir

from ttkit.analysis.control_flow import incoming_values
from ttkit.dialects import ttng
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import defining, enclosing, next_operation
from ttkit.operation_sets import ASYNC_MMAS, FENCE, LOOPS, TYPED_MEMDESC_VIEWS
from ttkit.passes.infra import Pass, collect, option
from ttkit.passes.infra.nesting import ancestor_in, blocks_in
from ttkit.passes.infra.slices import each_once
from ttkit.passes.infra.target import target_of
from ttkit.passes.partitioning.partitions import refuse_partitions
from ttkit.records import dataclass


@dataclass(frozen=True)
class FenceInsertion(Pass):
    """Let tensor cores see what threads wrote to shared memory"""

    name = "triton-nvidia-gpu-fence-insertion"
    dependent_dialects = ("ttng",)

    compute_capability: int = option(90, "device compute capability")

    def run(self, op: ir.Operation) -> None:
        """Puts a fence before each MMA that reads stores of threads, unless it has one."""
        if not target_of(op, self.compute_capability).has_tma:
            return
        fences = [fence for fence in collect(op, [FENCE]) if not fence.attributes["bCluster"].value]
        products = collect(op, ASYNC_MMAS)
        refuse_partitions(products)
        for product in products:
            writers = [writer for operand in list(product.operands)[:2] for writer in thread_writes(operand)]
            place = fence_place(product, writers)
            if writers and all(next_operation(fence) != place for fence in fences):
                made = ttng.fence_async_shared(False, loc=product.location, ip=ir.InsertionPoint(place))
                fences.append(made.operation)


def thread_writes(operand: ir.Value) -> list[ir.Operation]:
    """The operations by which threads write a buffer, as far as it can be followed."""
    found: list[ir.Operation] = []
    waiting = [operand]
    for value in each_once(waiting):
        if not isinstance(value.type, MemDescType):
            continue
        if (sources := incoming_values(value)) is not None:
            waiting += sources
            continue
        source = defining(value)
        if source is None:  # unknown
            found.append(value.owner.owner.operation)
            continue
        op = source.operation
        if op.name == "ttg.local_alloc":
            if len(op.operands):
                found.append(op)
            found += _stores(op.result)
        waiting += op.operands
    return found


def _stores(buffer: ir.Value) -> Iterator[ir.Operation]:
    """Every ttg.local_store to a buffer or a view of it."""
    for use in buffer.uses:
        user = use.owner.operation
        if user.name == "ttg.local_store":
            yield user
        elif user.name in TYPED_MEMDESC_VIEWS:
            yield from _stores(user.result)


def fence_place(product: ir.Operation, writers: list[ir.Operation]) -> ir.Operation:
    """The mma, or the outermost loop around it in which no thread writes: the fence goes before it."""
    place = product
    while (loop := enclosing(place, *LOOPS)) is not None and not any(_is_inside(writer, loop) for writer in writers):
        place = loop
    return place


def _is_inside(op: ir.Operation, loop: ir.Operation) -> bool:
    return any(ancestor_in(block, op) is not None for block in blocks_in(loop))
