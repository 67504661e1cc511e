"""Choose parts and layouts for accesses to tensor memory that suit their users.

    %x = ttng.tmem_load %acc : ... -> tensor<128x128xf32>           %left = ttng.tmem_subslice %acc {N = 0}
    %y = tt.reshape %x : ... -> tensor<128x2x64xf32>                %a = ttng.tmem_load %left
    %z = tt.trans %y {order = array<i32: 0, 2, 1>}           =>     %right = ttng.tmem_subslice %acc {N = 64}
    %a, %b = tt.split %z                                            %b = ttng.tmem_load %right

The halves of an accumulator are loaded one by one, and stored one by one where they are joined.  A load whose rows are
reduced gets a layout with all of a row in one warp.  Accesses next to 8-bit and 16-bit accesses to shared memory that
could not move two elements at once get the layout of mma.sync fragments, which ldmatrix and stmatrix move.

Input:  ttg and ttng without tokens.      Output: the same, with more layout conversions.
Order:  after remove-tmem-tokens, before the last remove-layout-conversions.
Skips:  splitting blocks with other than 128 rows a CTA, and parts of fewer than 8 columns.
Test:   test/lit/passes/optimize_tmem_layouts.mlir
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from mlir import ir
from mlir.rewrite import PatternRewriter

from ttkit.dialects import arith, ttg, ttng
from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import name_of
from ttkit.layout import to_linear_layout
from ttkit.layout.clusters import cga_layout
from ttkit.layout.encodings import Bases, TensorMemory
from ttkit.operation_sets import CONVERT_LAYOUT, TMEM_LOAD, TMEM_STORE
from ttkit.passes.infra import MATCHED, NO_MATCH, Match, Pass, apply_greedily, defining_op
from ttkit.passes.infra.layout_inference import LayoutInference, has_trait
from ttkit.passes.infra.rewriting import Pattern
from ttkit.passes.infra.slices import forward_slice
from ttkit.passes.layout_propagation.backward_slice import Use, backward_slice
from ttkit.passes.layouts.assignment import tensor_layout, with_layout
from ttkit.passes.layouts.thread_counts import num_warps
from ttkit.passes.layouts.tmem_access_layouts import access_layout, row_access_layout, tile_access_layout
from ttkit.passes.products.operands import without_conversions

ROWS, MIN_COLUMNS = 128, 8


class OptimizeTMemLayouts(Pass):
    """Choose parts and layouts for accesses to tensor memory that suit their users"""

    name = "triton-nvidia-optimize-tmem-layouts"
    dependent_dialects = ("arith", "ttg", "ttng")

    def run(self, op: ir.Operation) -> None:
        """Applies the patterns until nothing changes."""
        patterns: dict[str, Pattern | Sequence[Pattern]] = {
            "tt.split": split_load,
            TMEM_STORE: (join_store, store_tiles),
            TMEM_LOAD: (load_rows, load_tiles),
        }
        apply_greedily(op, patterns)


# --- Halves -----------------------------------------------------------------------------------------------------------
def split_load(op: Any, rewriter: PatternRewriter) -> Match:
    """split(trans(reshape(load(buffer)))) -> load(left half of buffer), load(right half)"""
    trans = defining_op(without_conversions(op.src), "tt.trans")
    reshape = None if trans is None else between_halves(trans, "tt.reshape", trans.src)
    if reshape is None:
        return NO_MATCH
    load = defining_op(without_conversions(reshape.src), TMEM_LOAD)
    if load is None or reshape.result.type.shape[0] != load.result.type.shape[0]:
        return NO_MATCH
    columns = reshape.result.type.shape[2]
    if not is_divisible(load.src, columns):
        return NO_MATCH
    part = op.outLHS.type
    warps, cga = num_warps(load.operation), cga_layout(tensor_layout(part))
    halves = []
    with ir.InsertionPoint(load.operation), load.location:
        for start in (0, columns):
            half = columns_of(load.src, start, columns)
            (loaded,) = ttng.tmem_load(with_layout(part, access_layout(half.type, warps, cga)), None, half)
            halves.append(ttg.convert_layout(loaded, part))
    rewriter.replace_op(op, halves)
    return MATCHED


def join_store(op: Any, rewriter: PatternRewriter) -> Match:
    """store(reshape(trans(join(x, y))), buffer) -> store(x, left half of buffer), store(y, right half)"""
    reshape = defining_op(without_conversions(op.src), "tt.reshape")
    if reshape is None or reshape.result.type.shape[0] != reshape.src.type.shape[0]:
        return NO_MATCH
    trans = defining_op(reshape.src, "tt.trans")
    join = None if trans is None else between_halves(trans, "tt.join", trans.src)
    if join is None:
        return NO_MATCH
    columns = reshape.src.type.shape[2]
    if not is_divisible(op.dst, columns):
        return NO_MATCH
    warps, cga = num_warps(op.operation), cga_layout(tensor_layout(join.lhs.type))
    with rewriter.ip, op.location:
        true = arith.true()
        for value, start in ((join.lhs, 0), (join.rhs, columns)):
            half = columns_of(op.dst, start, columns)
            wanted = with_layout(value.type, access_layout(half.type, warps, cga))
            ttng.tmem_store(None, half, ttg.convert_layout(value, wanted), true)
    rewriter.erase_op(op.operation)
    return MATCHED


def between_halves(trans: Any, name: str, source: ir.Value) -> Any:
    """The operation of a name that gives the operand of a tt.trans between [M, 2, N / 2] and [M, N / 2, 2]."""
    return defining_op(source, name) if list(trans.order) == [0, 2, 1] else None


def is_divisible(buffer: ir.Value, columns: int) -> bool:
    """Whether a buffer can be accessed in parts of a number of columns."""
    layout = layout_of(buffer)
    if not isinstance(layout, TensorMemory) or columns < MIN_COLUMNS:
        return False
    return buffer.type.shape[0] // layout.cta_split_m == ROWS


def columns_of(buffer: ir.Value, start: int, columns: int) -> ir.Value:
    """Builds the view of some columns of a buffer, at the current insertion point."""
    type, layout = buffer.type, layout_of(buffer)
    assert isinstance(layout, TensorMemory)
    part = replace(layout, block_n=min(layout.block_n, columns))
    shape = [*list(type.shape)[:-1], columns]
    view = MemDescType.get(shape, type.element_type, part, type.memory_space, type.mutable, type.alloc_shape)
    return ttng.tmem_subslice(view, buffer, start)


# --- Whole rows -------------------------------------------------------------------------------------------------------
def load_rows(op: Any, rewriter: PatternRewriter) -> Match:
    """load -> convert_layout(load), with a row in one warp, if rows are reduced"""
    type = op.result.type
    if num_warps(op.operation) != 8 or not are_rows_reduced(op):
        return NO_MATCH
    wanted = row_access_layout(op.src.type, num_warps(op.operation), cga_layout(tensor_layout(type)))
    if wanted is None or wanted == tensor_layout(type):
        return NO_MATCH
    load_as(op, with_layout(type, wanted))
    return MATCHED


def are_rows_reduced(load: Any) -> bool:
    """Whether a tt.reduce along rows follows, after elementwise operations."""
    reduced = False

    def keep(op: ir.Operation) -> bool:
        """Follows conversions and elementwise operations; notes whether a reduction along axis 1 comes."""
        nonlocal reduced
        if op.name == "tt.reduce":
            reduced = op.attributes["axis"].value == 1
        return op.name == CONVERT_LAYOUT or has_trait(op.opview, b"Elementwise")

    list(forward_slice(load.operation, keep))  # to its end, for what `keep` notes
    return reduced


def load_as(load: Any, type: ir.Type) -> None:
    """Gives a load another layout, which is converted back for its users."""
    before = load.result.type
    load.result.set_type(type)
    with ir.InsertionPoint.after(load.operation), load.location:
        converted = ttg.convert_layout(load.result, before)
    load.result.replace_all_uses_except(converted, converted.owner.operation)


# --- Tiles, for shared memory -----------------------------------------------------------------------------------------
def load_tiles(op: Any, rewriter: PatternRewriter) -> Match:
    """load -> convert_layout(load), in tiles, if that is stored to shared memory element by element"""
    wanted = type_of_tiles(op.result.type, op.src, num_warps(op.operation))
    if wanted is None or not any(
        is_scattered(store.src.type, store.dst.type, range(32)) for store in stores_of(op, wanted)
    ):
        return NO_MATCH
    load_as(op, wanted)
    return MATCHED


def store_tiles(op: Any, rewriter: PatternRewriter) -> Match:
    """store(x) -> store(convert_layout(x)), in tiles, if x is loaded from shared memory element by element"""
    wanted = type_of_tiles(op.src.type, op.dst, num_warps(op.operation))
    if wanted is None:
        return NO_MATCH
    source = Use(op.operation, [*op.operation.operands].index(op.src))
    found = backward_slice(source, wanted.encoding, LayoutInference(), lambda *_: None)
    if found is None:
        return NO_MATCH
    loads = [load for value in found.values if (load := defining_op(value, "ttg.local_load")) is not None]
    if not loads or not all(is_scattered(load.result.type, load.src.type, (16,)) for load in loads):
        return NO_MATCH
    with rewriter.ip, op.location:
        op.src = ttg.convert_layout(op.src, wanted)
    return MATCHED


def type_of_tiles(type: Any, buffer: ir.Value, warps: int) -> Any:
    """The type of a tensor in tiles, for accesses to a buffer; None if it is that already, or there is none."""
    if not isinstance(layout_of(buffer), TensorMemory):
        return None
    cga: Bases = cga_layout(tensor_layout(type))
    layout = tile_access_layout(buffer.type, warps, cga)
    return None if layout is None or layout == tensor_layout(type) else with_layout(type, layout)


def stores_of(load: Any, wanted: Any) -> Iterator[Any]:
    """The stores of a loaded value to shared memory, as far as the layout `wanted` can be followed to them."""
    layouts = LayoutInference()
    waiting = [(load.result, wanted.encoding)]
    seen = set(waiting)
    while waiting:
        value, encoding = waiting.pop()
        for use in value.uses:
            user = use.owner.operation.opview
            name = name_of(user)
            if name == "ttg.local_store":
                yield user
            if (len(user.operation.regions) and name != "tt.reduce") or name == "scf.yield":
                continue
            following = encoding if name == CONVERT_LAYOUT else layouts.result_layout(user, encoding)
            if following is None:
                continue
            for pair in ((result, following) for result in user.operation.results):
                if pair not in seen:
                    seen.add(pair)
                    waiting.append(pair)


def is_scattered(tensor: Any, memory: Any, widths: Any) -> bool:
    """Whether elements, of one of some widths in bits, are moved one by one between registers and shared memory."""
    if tensor.element_type.width not in widths:
        return False
    shape, layout, other = tuple(tensor.shape), tensor_layout(tensor), layout_of(memory)
    assert other is not None
    places = to_linear_layout(shape, layout).invert_and_compose(to_linear_layout(shape, other))
    return places.num_consecutive_in_out() == 1
