"""Loads that can be started early, and the layouts of their data in shared memory."""

import math
from functools import lru_cache

from mlir import ir

from ttkit.analysis.axis_analysis import AxisInfoAnalysis
from ttkit.analysis.vector_width import alignment, mask_alignment
from ttkit.dialects._layouts import layout_of
from ttkit.dialects._tt_types import PointerType
from ttkit.inspection import element_bits, users_of
from ttkit.layout import to_linear_layout
from ttkit.layout.clusters import cga_layout, shape_per_cta
from ttkit.layout.distribution import contiguous_per_thread, order
from ttkit.layout.encodings import Layout, NvmmaShared, SwizzledShared
from ttkit.operation_sets import DESCRIPTOR_LOADS
from ttkit.passes.infra import PassError, constant_splat, remark
from ttkit.passes.infra.masks import access_mask
from ttkit.passes.infra.mbarriers import one_element
from ttkit.passes.layouts.assignment import tensor_layout
from ttkit.passes.layouts.operand_layouts import layout_for_operands
from ttkit.passes.layouts.shared import of_rank, swizzled_of_rank
from ttkit.records import dataclass

# The least number of bytes that cp.async copies.
MIN_COPY_BYTES = 4


@dataclass
class EarlyLoad:
    """A load that is started stages before its data is used.

    Attributes:
        op: tt.load, tt.descriptor_load or tt.descriptor_gather.
        layout: the layout of the data in shared memory.
        slots: the number of tensors that fit into the buffer.
        contiguity: the number of contiguous elements that one thread can copy at once.
        buffer: in shared memory; None before it is allocated.
        barrier, wait: for TMA, the mbarrier at which the copy arrives, and the operation that waits for it.
    """

    op: ir.Operation
    layout: Layout
    slots: int = 1
    contiguity: int = 1
    buffer: ir.Value | None = None
    barrier: ir.Value | None = None
    wait: ir.Operation | None = None

    @property
    def is_tma(self) -> bool:
        """Whether it becomes a copy by TMA."""
        return self.op.name in DESCRIPTOR_LOADS


def early_load(op: ir.Operation, analysis: AxisInfoAnalysis) -> EarlyLoad | None:
    """The load, if it can be asynchronous."""
    type = op.result.type
    if not isinstance(type, ir.RankedTensorType):
        wide = not isinstance(type, PointerType) and type.width >= 8 * MIN_COPY_BYTES
        return EarlyLoad(op, one_element(op)) if wide else None
    layout = buffer_layout(op.result)
    if op.name in DESCRIPTOR_LOADS:
        return EarlyLoad(op, layout)
    if isinstance(op.opview.ptr.type, PointerType):  # a block pointer, which triton-rewrite-tensor-pointer removes
        return None
    width = copied_at_once(op, analysis)
    if width * element_bits(type.element_type) < 8 * MIN_COPY_BYTES or piece_bytes(type, layout) < MIN_COPY_BYTES:
        return None
    return EarlyLoad(op, layout, contiguity=width)


# --- What can be copied -----------------------------------------------------------------------------------------------
def copied_at_once(load: ir.Operation, analysis: AxisInfoAnalysis) -> int:
    """Number of contiguous elements of a tt.load that a thread can copy at once, given its addresses and mask."""
    width = contiguity(analysis, load.opview.ptr)
    mask = access_mask(load)
    if mask is None:
        return width
    fastest, _ = _fastest(tuple(mask.type.shape), tensor_layout(mask.type))
    return min(width, mask_alignment(analysis, mask, fastest))


def piece_bytes(type: ir.RankedTensorType, layout: Layout) -> int:
    """Bytes of neighbours in a thread's registers that are also neighbours in shared memory."""
    return _neighbours_in_both(tuple(type.shape), tensor_layout(type), layout) * element_bits(type.element_type) // 8


@lru_cache(maxsize=1024)
def _neighbours_in_both(shape: tuple[int, ...], registers: Layout, memory: Layout) -> int:
    places = to_linear_layout(shape, registers).invert_and_compose(to_linear_layout(shape, memory))
    return places.num_consecutive_in_out()


def contiguity(analysis: AxisInfoAnalysis, pointer: ir.Value) -> int:
    """Number of contiguous elements that a thread can access at once through a tensor of pointers."""
    fastest, neighbours = _fastest(tuple(pointer.type.shape), tensor_layout(pointer.type))
    return min(alignment(analysis, pointer, fastest), neighbours)


@lru_cache(maxsize=1024)
def _fastest(shape: tuple[int, ...], layout: Layout) -> tuple[int, int]:
    """The fastest dimension of a thread's registers, and the number of neighbours along it that a thread has."""
    linear = to_linear_layout(shape, layout)
    fastest = order(linear)[0]
    return fastest, contiguous_per_thread(linear)[fastest]


# --- Layouts of the buffers -------------------------------------------------------------------------------------------
def buffer_layout(tensor: ir.OpResult) -> Layout:
    """The best layout in shared memory for all users of a loaded tensor, or of one that another operation makes."""
    source = tensor.owner.operation
    if source.name in DESCRIPTOR_LOADS:
        return loaded_layout(source)
    allocated = [user for user in users_of(tensor) if user.name == "ttg.local_alloc"]
    layouts = [layout for user in allocated if (layout := layout_of(user.result)) is not None]
    for other in layouts[1:]:
        if other != layouts[0]:
            remark(
                source,
                "Pipelining load with different use encodings. This will lead to layout conversions and performance "
                "degradation.",
            )
    if layouts:
        return layouts[0]
    return layout_for_operands(tensor) or plain_layout(tensor.type)


def plain_layout(type: ir.RankedTensorType) -> SwizzledShared:
    """Without swizzling, in the order of the registers' dimensions."""
    layout = tensor_layout(type)
    return SwizzledShared(1, 1, 1, tuple(order(to_linear_layout(type.shape, layout))), cga_layout(layout))


def loaded_layout(load: ir.Operation) -> Layout:
    """The layout in which TMA loads."""
    return descriptor_layout(load, load.result.type.rank)


def descriptor_layout(access: ir.Operation, rank: int) -> Layout:
    """The layout of the block of an access's descriptor, in the dimensions of the loaded or stored tensor.

    Raises:
        PassError: the block has no layout, or one that TMA does not support.
    """
    layout = layout_of(access.opview.desc)
    if isinstance(layout, NvmmaShared):
        return of_rank(layout, rank)
    # As in Triton, only tt.descriptor_load requires #ttg.nvmma_shared here; the lowering requires it of all.
    if isinstance(layout, SwizzledShared) and access.name != "tt.descriptor_load":
        return swizzled_of_rank(layout, rank)
    found = "none" if layout is None else layout
    raise PassError(
        access,
        f"the block of the descriptor needs a layout #ttg.nvmma_shared, found {found}; "
        "triton-nvidia-optimize-descriptor-encoding chooses one",
    )


# --- Users of the data ------------------------------------------------------------------------------------------------
def must_be_in_registers(load: ir.Operation) -> bool:
    """Whether the loaded tensor has to be read to registers: it has other uses than one ttg.local_alloc."""
    if has_other_values(load):
        return True
    users = users_of(load.result)
    if len(users) != 1 or users[0].name != "ttg.local_alloc":
        return True
    if load.name not in DESCRIPTOR_LOADS:
        return False
    return loaded_layout(load) != layout_of(users[0].result)


def fills(load: ir.Operation, buffer: ir.Operation) -> bool:
    """Whether an early load fills a buffer itself: the buffer has the layout of the load, or of its first buffer.

    Otherwise the iteration of `buffer` fills it from registers.
    """
    if has_other_values(load):
        return False
    if load.name in DESCRIPTOR_LOADS:
        wanted = layout_of(load.opview.desc) and loaded_layout(load)
    else:
        wanted = layout_of(next(user for user in users_of(load.result) if user.name == buffer.name).result)
    return wanted in (None, layout_of(buffer.opview.result))


def has_other_values(load: ir.Operation) -> bool:
    """Whether a load returns other values than zero where its mask is false."""
    return load.name == "tt.load" and (other := other_of(load)) is not None and not is_zero(other)


def other_of(load: ir.Operation) -> ir.Value | None:
    """The value of a tt.load where its mask is false; None if it has none."""
    return load.opview.other


def is_zero(value: ir.Value) -> bool:
    """Whether all elements are known to be zero."""
    return constant_splat(value) == 0


def bytes_of(load: ir.Operation) -> int:
    """Bytes that TMA copies into the buffer of one CTA.

    The layout in registers may divide the tensor among CTAs while that of the buffer does not.  Each CTA then gets the
    whole tensor.
    """
    type = load.result.type
    return math.prod(shape_per_cta(type.shape, loaded_layout(load))) * type.element_type.width // 8
