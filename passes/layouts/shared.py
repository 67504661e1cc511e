"""Layouts of tensors in shared memory, chosen for the instructions that read them."""

import contextlib
import math
from collections.abc import Sequence
from dataclasses import replace

from ttkit.analysis.allocation import default_alignment
from ttkit.dialects._layouts import linear_layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.layout import UnsuitableShape, to_linear_layout
from ttkit.layout.clusters import cta_splits
from ttkit.layout.encoding_base import Shared
from ttkit.layout.encodings import (
    AmdMfma,
    AmdWmma,
    Bases,
    DotOperand,
    Ints,
    NvidiaMma,
    NvmmaShared,
    SharedLinear,
    SwizzledShared,
)

# Bits that the banks of shared memory deliver at once.
BANKS_BITS = 1024
# Rows of a matrix that one ldmatrix reads.
LDMATRIX_ROWS = 8
# Rows after which a swizzle of nvmma_shared repeats.
SWIZZLED_ROWS = 8
# Lanes that access shared memory at once on AMD's GPUs, and the bits that one of them reads at most.
AMD_LANES, AMD_READ_BITS = 16, 128


def swizzled_for_operand(
    operand: DotOperand,
    shape: Sequence[int],
    memory_order: Ints,
    element_bits: int,
    cga_layout: Bases,
    transposed: bool = False,
) -> SwizzledShared:
    """The layout from which lanes read a dot's operand without bank conflicts.

    Args:
        shape: elements per dimension of the whole tensor.
        memory_order: dimensions, fastest first.
        transposed: whether the operand is the transpose of the stored tensor.
    """
    rank = len(memory_order)
    part = [size // split for size, split in zip(shape, cta_splits(cga_layout, rank))]
    reduced_dim = rank - 1 if operand.op_idx == 0 else rank - 2
    reduced_first = (memory_order[0] == reduced_dim) != transposed
    parent = operand.parent
    if isinstance(parent, NvidiaMma):
        vec, per_phase, max_phase = _nvidia(operand.k_width, part[memory_order[0]], element_bits, reduced_first)
    elif isinstance(parent, AmdMfma):
        vec, per_phase, max_phase = _mfma(operand, parent, shape[memory_order[0]], element_bits, reduced_first)
    elif isinstance(parent, AmdWmma) and reduced_first:
        vec = min(operand.k_width * element_bits, AMD_READ_BITS) // element_bits
        per_phase, max_phase = _amd_phases(shape[memory_order[0]], vec, element_bits, parent.instr_shape[0], BANKS_BITS)
    else:
        vec, per_phase, max_phase = 1, 1, 1
    return SwizzledShared(vec, per_phase, max_phase, memory_order, cga_layout)


def _nvidia(k_width: int, row: int, element_bits: int, reduced_first: bool) -> tuple[int, int, int]:
    """Vectors of 4 lanes times `k_width` elements, over 8 rows; the other way round if K is not fastest."""
    vec, stride = (4 * k_width, LDMATRIX_ROWS) if reduced_first else (LDMATRIX_ROWS, 4 * k_width)
    per_phase = max(BANKS_BITS // (element_bits * row), 1)
    max_phase = max(min(stride, BANKS_BITS // (vec * element_bits)), 1)
    return vec, per_phase, max(max_phase // per_phase, 1)


def _mfma(
    operand: DotOperand, parent: AmdMfma, row: int, element_bits: int, reduced_first: bool
) -> tuple[int, int, int]:
    is_gfx950 = parent.version == 4
    if not reduced_first and not (is_gfx950 and element_bits in (8, 16)):
        return 1, 1, 1  # lanes access different banks anyway
    banks = 2 * BANKS_BITS if is_gfx950 else BANKS_BITS
    per_phase, max_phase = _amd_phases(row, operand.k_width, element_bits, AMD_LANES, banks)
    return operand.k_width, per_phase, 4 if parent.instr_shape[0] == 4 else max_phase


def _amd_phases(row: int, vec: int, element_bits: int, lanes: int, banks_bits: int) -> tuple[int, int]:
    """The number of rows that share a phase, because they fit into the banks at once; and the number of phases."""
    per_phase = max(1, banks_bits // element_bits // row)
    return per_phase, max(min(lanes // per_phase, row // vec), 1)


def nvmma_for(
    shape: Sequence[int],
    element_bits: int,
    cga_layout: Bases = (),
    order: Sequence[int] | None = None,
    fp4_padded: bool = False,
) -> NvmmaShared:
    """The layout for TMA, wgmma and tcgen05, with the widest swizzle that divides a row.

    Args:
        shape: elements per dimension of the whole tensor.
        order: dimensions, fastest first; by default the last one is.
        fp4_padded: 8 unused bytes follow every 8 bytes.
    """
    rank = len(shape)
    order = tuple(range(rank))[::-1] if order is None else order
    element_bits = max(element_bits, 8)
    part = [max(1, size // split) for size, split in zip(shape, cta_splits(cga_layout, rank))]
    row = part[order[0]] * (2 if fp4_padded else 1) * element_bits // 8
    swizzle = next((width for width in (128, 64, 32) if row % width == 0), 0)
    if math.prod(part[dim] for dim in order[1:]) < SWIZZLED_ROWS or rank == 1:
        swizzle = 0
    return NvmmaShared(swizzle, order[0] == 0, element_bits, fp4_padded, rank, cga_layout)


def of_rank(layout: NvmmaShared, rank: int) -> NvmmaShared:
    """The layout for `rank` dimensions: first dimensions of size 1 are removed or added."""
    return replace(layout, rank=rank, cga_layout=_of_rank(layout.cga_layout, rank - layout.rank))


def swizzled_of_rank(layout: SwizzledShared, rank: int) -> SwizzledShared:
    """The same for a swizzled layout: the new dimensions are the slowest ones."""
    more = rank - layout.rank
    order = (*(dim + more for dim in layout.order if dim + more >= 0), *range(more - 1, -1, -1))
    return replace(layout, order=order, cga_layout=_of_rank(layout.cga_layout, more))


def _of_rank(bases: Bases, more: int) -> Bases:
    """Bases with `more` further dimensions at the front; if `more` is negative, with fewer."""
    return tuple((*(0,) * more, *basis[max(0, -more) :]) for basis in bases)


def has_slices(buffer: MemDescType, dim: int, size: int) -> bool:
    """Whether a buffer can be cut into views of `size` along a dimension: not inside of a swizzled block."""
    try:
        linear = linear_layout_of(buffer)
    except (TypeError, ValueError):
        return False
    if (linear.has_in_dim("block") and linear.bits_in("block")) or len(linear.out_dims) != len(buffer.shape):
        return False
    cuts = [size << bit for bit in range((buffer.shape[dim] // size - 1).bit_length())]
    steps = {tuple(cut if other == dim else 0 for other in range(len(buffer.shape))) for cut in cuts}
    return steps <= {*linear.bases("offset")}


def reshaped(layout: Shared, shape: Sequence[int], result: Sequence[int]) -> NvmmaShared | SharedLinear:
    """The layout of a view of a buffer in another shape, with elements in row-major order.

    Args:
        layout: of the buffer.
        shape: of the buffer.
        result: shape of the view, with as many elements.

    Raises:
        ttkit.layout.UnsuitableShape: the layout does not suit the shape, or a size is not a power of two.
    """
    before, after = ([f"dim{dim}" for dim in reversed(range(len(sizes)))] for sizes in (shape, result))
    places = to_linear_layout(shape, layout).transpose_outs(before)
    places = places.reshape_outs(dict(zip(after, reversed(result)))).transpose_outs(reversed(after))
    if isinstance(layout, NvmmaShared):
        is_same_row = shape[0] == result[0] if layout.transposed else shape[-1] == result[-1]
        if not layout.cga_layout and is_same_row:
            candidate = replace(layout, rank=len(result))
            with contextlib.suppress(UnsuitableShape):
                if to_linear_layout(result, candidate) == places:
                    return candidate
    return SharedLinear(places.bases("offset"), default_alignment(layout), places.bases("block"))
