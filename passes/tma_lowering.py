"""Lower accesses through tensor descriptors to copies by the tensor memory accelerator (TMA).

    %x = tt.descriptor_load %d[%i] : !tt.tensordesc<tensor<64xf16, #shared>> -> tensor<64xf16, #blocked>
  =>
    %buffer = ttg.local_alloc : () -> !ttg.memdesc<64xf16, #shared, #smem, mutable>
    %barrier = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #barrier, #smem, mutable>
    ttng.init_barrier %barrier, 1
    ttng.barrier_expect %barrier, 128, %true                  // bytes
    ttng.async_tma_copy_global_to_local %d[%i] %buffer, %barrier, %true
    ttng.wait_barrier %barrier, %c0_i32
    ttng.inval_barrier %barrier
    %x = ttg.local_load %buffer : ... -> tensor<64xf16, #blocked>

A store copies from a buffer with the tensor, and waits until the buffer has been read.  tt.make_tensor_descriptor
writes a tensor map to global scratch memory.

Input:  ttg.      Output: ttg and ttng.
Order:  after optimize-descriptor-encoding, which chooses the layouts of blocks in shared memory, and after pipelining,
        which starts copies early; before the last remove-layout-conversions.
Skips:  nothing.
Test:   test/lit/passes/tma_lowering.mlir
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from mlir import ir

from ttkit.dialects import arith, tt, ttg, ttng
from ttkit.dialects._layouts import layout_of
from ttkit.dialects._tt_types import PointerType, TensorDescType
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import defining, users_of
from ttkit.layout.clusters import shape_per_cta
from ttkit.layout.encodings import Layout, NvmmaShared, SwizzledShared
from ttkit.layout.hardware import TENSOR_MAP_ALIGNMENT, TENSOR_MAP_BYTES
from ttkit.layout.shared_to_linear import tma_block_shape
from ttkit.layout.tensor_map import element_type
from ttkit.operation_sets import ASYNC_COPY, MEMDESC_VIEWS, TYPED_MEMDESC_VIEWS, WARP_SPECIALIZE, WGMMA_WAIT
from ttkit.passes.infra import Pass, PassError, canonicalize_ops, collect, contains_any, replace_by
from ttkit.passes.infra.constants import constant_splat
from ttkit.passes.infra.peeling import or_folded
from ttkit.passes.infra.placed_builder import direct
from ttkit.passes.layouts.gather import divided_as
from ttkit.passes.layouts.shared import of_rank

SWIZZLES = (0, 32, 64, 128)
# Operations after which a buffer may have other contents than those of a load by TMA: writes, and views to write to.
WRITERS = ("ttg.local_store", "ttg.local_scatter", "ttg.local_atomic_scatter_rmw", ASYNC_COPY, *MEMDESC_VIEWS)
BARRIER = SwizzledShared(1, 1, 1, (0,))


class TMALowering(Pass):
    """Lower accesses through tensor descriptors to copies by the tensor memory accelerator"""

    name = "triton-nvidia-tma-lowering"
    dependent_dialects = ("arith", "ttg", "ttng")

    def run(self, op: ir.Operation) -> None:
        """Replaces each live access by the operations of its rule, then merges constants."""
        if not contains_any(op, self.rules):
            return
        canonicalize_ops(op, ())  # dead accesses are not lowered
        for access in collect(op, self.rules):
            with access.location, ir.InsertionPoint(access):
                results = self.rules[access.name](access)
            replace_by(access, results)
        canonicalize_ops(op, ())  # merges equal constants, at the beginning

    rules: ClassVar[dict[str, Callable[[ir.Operation], list[ir.Value]]]]


# --- Accesses ---------------------------------------------------------------------------------------------------------
def load(op: ir.Operation) -> list[ir.Value]:
    """Lowers a load or gather; builds nothing if it is dead."""
    for user in users_of(op.result):
        if user.name == "ttg.local_alloc" and not users_of(user.result):
            user.erase()
    if not users_of(op.result):
        return []
    type = op.result.type
    layout = buffer_layout(op, type)
    buffer = ttg.local_alloc(MemDescType.get(type.shape, type.element_type, layout, mutable=True))
    i64 = ir.IntegerType.get_signless(64)
    barrier = ttg.local_alloc(MemDescType.get([1], i64, BARRIER, mutable=True))
    yes = arith.true()
    size = math.prod(shape_per_cta(type.shape, layout)) * type.element_type.width // 8
    ttng.init_barrier(barrier, 1)
    ttng.barrier_expect(barrier, size, yes)
    descriptor, *coordinates = op.operands
    if op.name == "tt.descriptor_gather":
        rows, column = coordinates
        ttng.async_tma_gather(descriptor, divided_as(layout, rows), column, barrier, buffer, yes)
    else:
        ttng.async_tma_copy_global_to_local(descriptor, coordinates, barrier, buffer, yes)
    ttng.wait_barrier(barrier, arith.i32(0), [])
    ttng.inval_barrier(barrier)
    for user in users_of(op.result):
        share(user, buffer)
    return [ttg.local_load(buffer, type)]


def share(user: ir.Operation, buffer: ir.Value) -> None:
    """Replaces `user` by `buffer` if it allocates a buffer for the same tensor in the same layout."""
    if user.name != "ttg.local_alloc" or layout_of(user.result) != layout_of(buffer):
        return
    allocated = user.result
    if not user.result.type.mutable and can_be_mutable(allocated):
        make_mutable(allocated)
        allocated.replace_all_uses_with(buffer)
        user.erase()


def can_be_mutable(memory: ir.Value) -> bool:
    """Whether all users of a buffer and of its views are reads."""
    return all(
        can_be_mutable(user.result) if user.name in TYPED_MEMDESC_VIEWS else user.name.split(".")[0] in ("ttg", "ttng")
        for user in users_of(memory)
    )


def make_mutable(memory: ir.Value) -> None:
    """Makes the types of a buffer and of its views mutable."""
    type = memory.type
    element, shape = type.element_type, type.alloc_shape
    memory.set_type(MemDescType.get(type.shape, element, type.encoding, type.memory_space, True, shape))
    for use in memory.uses:
        user = use.owner.operation
        if user.name in TYPED_MEMDESC_VIEWS:
            make_mutable(user.result)
        elif user.name == WARP_SPECIALIZE:  # each partition has an argument for it
            for region in user.regions[1].blocks[0].operations[0].regions:
                make_mutable(region.blocks[0].arguments[use.operand_number])
        elif user.name == WGMMA_WAIT:  # holds the operands of wgmmas
            make_mutable(user.results[use.operand_number])


def store(op: ir.Operation) -> list[ir.Value]:
    """Lowers a store or reduction."""
    descriptor, source, *coordinates = op.operands
    buffer = filled_buffer(op, source)
    if op.name == "tt.descriptor_reduce":
        ttng.async_tma_reduce(op.attributes["kind"], descriptor, coordinates, buffer)
    else:
        ttng.async_tma_copy_local_to_global(descriptor, coordinates, buffer)
    ttng.async_tma_store_wait(0)
    return []


def scatter(op: ir.Operation) -> list[ir.Value]:
    """Lowers a scatter: copies rows from a buffer to the rows with given numbers, and waits."""
    descriptor, rows, column, source = op.operands
    buffer = filled_buffer(op, source)
    ttng.async_tma_scatter(descriptor, divided_as(buffer_layout(op, source.type), rows), column, buffer)
    ttng.async_tma_store_wait(0)
    return []


def filled_buffer(op: ir.Operation, source: ir.Value) -> ir.Value:
    """A buffer in shared memory with the tensor `source`, which TMA may read."""
    type, layout = source.type, buffer_layout(op, source.type)
    loaded = defining(source)
    if loaded is not None and loaded.operation.name == "ttg.local_load" and can_serve(loaded.src, type, layout):
        buffer = loaded.src
    else:
        buffer = ttg.local_alloc(MemDescType.get(type.shape, type.element_type, layout), src=source)
    ttng.fence_async_shared(False)
    return buffer


def can_serve(memory: ir.Value, type: ir.RankedTensorType, layout: Layout) -> bool:
    """Whether the buffer from which a tensor was read still has it, in this layout: a buffer of a load by TMA."""
    made = defining(memory)
    return (
        made is not None
        and made.operation.name == "ttg.local_alloc"
        and all(user.name not in WRITERS for user in users_of(memory))
        and layout_of(memory) == layout
        and list(memory.type.shape) == list(type.shape)
    )


def buffer_layout(op: ir.Operation, type: ir.RankedTensorType) -> Layout:
    """The layout of the descriptor's block, in the dimensions of the loaded or stored tensor."""
    return of_rank(block_layout(op, op.opview.desc.type), type.rank)


def block_layout(op: ir.Operation, descriptor: TensorDescType) -> NvmmaShared:
    """The layout in shared memory of a descriptor's block.

    Raises:
        PassError: the layout is not #ttg.nvmma_shared without padding, or elements are not whole bytes.
    """
    layout, element = layout_of(descriptor), descriptor.block_type.element_type
    if element.width % 8:
        raise PassError(op, f"TMA moves whole bytes, found elements of type {element}: describe them as i8")
    if not isinstance(layout, NvmmaShared) or layout.fp4_padded:
        found = "none" if layout is None else layout
        raise PassError(
            op,
            f"the block of the descriptor needs a layout #ttg.nvmma_shared without padding, found {found}; "
            "triton-nvidia-optimize-descriptor-encoding chooses one",
        )
    return layout


# --- Descriptors ------------------------------------------------------------------------------------------------------
def make(op: ir.Operation) -> list[ir.Value]:
    """Writes the tensor map to global scratch memory."""
    i8_pointer = PointerType.get(ir.IntegerType.get_signless(8))
    memory = ttg.global_scratch_alloc(i8_pointer, TENSOR_MAP_BYTES, TENSOR_MAP_BYTES)
    create_map(op, memory, folded)
    ttng.tensormap_fenceproxy_acquire(memory)
    return [ttng.reinterpret_tensor_descriptor(op.result.type, memory)]


def folded(build: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Builds an operation, and folds a multiplication, so that constants have the order of Triton's rewriting."""
    made = direct(build, *args, **kwargs)
    return or_folded(made) if build is arith.muli else made


def create_map(op: ir.Operation, place: ir.Value, build: Callable[..., Any] = direct) -> None:
    """Writes the tensor map of a descriptor.

    Args:
        place: gets it, in global memory.
        build: calls the builders.

    Raises:
        PassError: TMA has no such descriptors.
    """
    type = op.result.type
    block, layout = type.block_type, block_layout(op, type)
    base, *rest = op.operands
    sizes, strides = rest[: block.rank], rest[block.rank :]
    i64 = ir.IntegerType.get_signless(64, op.context)
    width = block.element_type.width // 8
    check_strides(op, strides, width)
    box = tma_block_shape(layout, shape_per_cta(block.shape, layout))
    if box is None:
        raise PassError(op, "rows of the block are narrower than its swizzling; choose a narrower one")
    box_sizes = [build(arith.i32, size) for size in reversed(box)]
    element_bytes, one = build(arith.constant, i64, width), build(arith.i32, 1)
    byte_strides = [build(arith.muli, stride, element_bytes) for stride in strides[-2::-1]]
    build(
        ttng.tensormap_create,
        *(place, base, box_sizes, sizes[::-1], byte_strides, [one] * block.rank),
        elem_type=element_type(str(block.element_type), 8 * width),
        interleave_layout=0,
        swizzle_mode=SWIZZLES.index(layout.swizzling_byte_width),
        fill_mode=int(op.opview.padding == tt.PaddingOption.PAD_NAN),
    )


def check_strides(op: ir.Operation, strides: Sequence[ir.Value], width: int) -> None:
    """Refuses strides that are known to be invalid for TMA; the kernel is responsible for others.

    Args:
        strides: in elements of `width` bytes, the innermost last.

    Raises:
        PassError: the elements of a row are not side by side, or rows don't begin at multiples of 16 bytes.
    """
    remedy = "a kernel with pointers takes any strides"
    *outer, inner = (constant_splat(stride) for stride in strides)
    if inner not in (None, 1):
        raise PassError(op, f"TMA needs the last dimension's stride to be 1, found {inner}; {remedy}")
    for stride in outer:
        if stride is not None and stride * width % TENSOR_MAP_ALIGNMENT:
            found = f"{stride * width} bytes"
            raise PassError(
                op, f"TMA needs strides that are multiples of {TENSOR_MAP_ALIGNMENT} bytes, found {found}; {remedy}"
            )


TMALowering.rules = {
    "tt.descriptor_load": load,
    "tt.descriptor_gather": load,
    "tt.descriptor_store": store,
    "tt.descriptor_reduce": store,
    "tt.descriptor_scatter": scatter,
    "tt.make_tensor_descriptor": make,
}
