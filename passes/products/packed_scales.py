"""Scales of tcgen05 that are packed in shared memory in the order of their copy to tensor memory.

A dot reads the scales of 128 rows and 4 blocks along K as one piece of 32 x 16 bytes.  Kernels load scales in this
order and unpack them by a reshape, a transposition and a reshape: the dot can read the packed buffer through a view.
"""

from collections.abc import Sequence
from typing import Any

from mlir import ir
from mlir.rewrite import PatternRewriter

from ttkit.dialects import ttg
from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.layout import LinearLayout, to_linear_layout
from ttkit.layout.encoding_base import Shared
from ttkit.layout.encodings import TensorMemoryScales
from ttkit.operation_sets import TMEM_ALLOC
from ttkit.passes.infra import MATCHED, NO_MATCH, Match, defining_op
from ttkit.passes.layouts.shared import reshaped
from ttkit.passes.products.operands import without_conversions

# The shape of a piece in shared memory: 32 x 4 rows, and 4 blocks along K.
PIECE = (32, 4, 4)
PIECE_ROWS, PIECE_BLOCKS = 128, 4
PIECE_BYTES = 512
# The transposition from (pieces along rows, pieces along K, 32 rows, 4 times 32 rows, 4 blocks) to rows and blocks.
UNPACKED = [0, 3, 2, 1, 4]


def read_scales_from_shared_memory(op: Any, rewriter: PatternRewriter) -> Match:
    """mma_scaled(tmem_alloc(unpacked(local_load(m)))) -> mma_scaled(unpacked view of m)"""
    matched: Match = NO_MATCH
    for name in ("a_scale", "b_scale"):
        scale = getattr(op, name)
        if not isinstance(layout_of(scale), TensorMemoryScales):
            continue
        packed = packed_scales(scale)
        if packed is not None:
            with ir.InsertionPoint(scale.owner), op.location:
                setattr(op, name, unpacked_view(packed, scale.type.shape))
            matched = MATCHED
    return matched


def unpacked_view(buffer: ir.Value, shape: Sequence[int]) -> ir.Value:
    """A view of a buffer of packed scales as (rows, blocks along K)."""
    rows, blocks = shape
    pieces = reshaped_view(buffer, (rows // PIECE_ROWS, blocks // PIECE_BLOCKS, *PIECE))
    return reshaped_view(ttg.memdesc_trans(pieces, UNPACKED), (rows, blocks))


def reshaped_view(buffer: ir.Value, shape: Sequence[int]) -> ir.Value:
    """A view of a buffer in another shape with as many elements."""
    type = buffer.type
    layout = layout_of(type)
    assert isinstance(layout, Shared)
    seen = reshaped(layout, type.shape, shape)
    return ttg.memdesc_reshape(MemDescType.get(shape, type.element_type, seen, type.memory_space, type.mutable), buffer)


def packed_scales(scale: ir.Value) -> ir.Value | None:
    """The buffer in shared memory with the packed form of scales in tensor memory; None if they are not packed."""
    rows, blocks = scale.type.shape
    alloc = defining_op(scale, TMEM_ALLOC)
    if alloc is None or alloc.src is None:
        return None
    matrix = _made_by(alloc.src, "tt.reshape")
    if matrix is None or list(matrix.result.type.shape) != [rows, blocks]:
        return None
    trans = _made_by(matrix.src, "tt.trans")
    if trans is None or list(trans.operation.attributes["order"]) != UNPACKED:
        return None
    pieces = _made_by(trans.src, "tt.reshape")
    if pieces is None or list(pieces.result.type.shape) != [rows // PIECE_ROWS, blocks // PIECE_BLOCKS, *PIECE]:
        return None
    load = _made_by(pieces.src, "ttg.local_load")
    return load.src if load is not None and is_whole_pieces(load.src) else None


def _made_by(value: ir.Value, name: str) -> Any:
    return defining_op(without_conversions(value), name)


def is_whole_pieces(buffer: ir.Value) -> bool:
    """Whether each piece is contiguous in shared memory, as the copy to tensor memory requires."""
    type = buffer.type
    layout = layout_of(buffer)
    if layout is None:
        return False
    places = to_linear_layout(type.shape, layout)
    row_major = LinearLayout.identity(1, "offset", places.out_dims[0])
    for dim, size in reversed(list(zip(places.out_dims, type.shape))):
        row_major = row_major * LinearLayout.identity(size, "offset", dim)
    row_major = row_major.transpose_outs(places.out_dims)
    count = PIECE_BYTES.bit_length() - 1
    if places.columns_of("offset")[:count] != row_major.columns_of("offset")[:count]:
        return False
    if _made_by_descriptor(buffer):
        return True
    return len(type.shape) == 2 and type.shape[-1] * type.element_type.width % (PIECE_BYTES * 8) == 0


def _made_by_descriptor(buffer: ir.Value) -> bool:
    alloc = defining_op(buffer, "ttg.local_alloc")
    return alloc is not None and alloc.src is not None and _made_by(alloc.src, "tt.descriptor_load") is not None
