"""Lower copies of chosen rows by the tensor memory accelerator, from sm_100 on: four rows in a message.

Ops: dialects/ttng/tma_ops.td    Test: test/lit/lower/tma_rows.mlir
"""

from collections.abc import Iterator

from mlir import ir

from ttkit.dialects._ttg_types import MemDescType
from ttkit.layout import LinearLayout
from ttkit.layout.encodings import NvmmaShared
from ttkit.layout.tma_messages import Messages, message_place, plan_messages
from ttkit.passes.lower.buffer_places import first_element, view_offset
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.memory import both
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.shuffle import uniform_warp
from ttkit.passes.lower.thread_index import linear_sum
from ttkit.passes.lower.tma import buffer_of, cache_hint, for_all_copies, message, moved_by, stores_part
from ttkit.passes.lower.types import SharedView
from ttkit.passes.lower.unsupported import CannotLower

ROWS = "copies of chosen rows by the tensor memory accelerator"
ROWS_OF_MESSAGE = 4


@lowers("ttng.async_tma_gather")
def async_tma_gather(
    low: Lowering,
    op: ir.OpView,
    descriptor: ir.Value,
    rows: ir.Value,
    column: ir.Value,
    barrier: SharedView,
    view: SharedView,
    condition: ir.Value,
) -> None:
    """result[i, j] = matrix[x_offsets[i], y_offset + j]; its bytes count at the barrier."""
    low.require("has_tma_gathers", ROWS)
    signal = first_element(low, barrier, op.barrier.type)
    name = "cp.async.bulk.tensor.2d.tile::gather4.shared::{}.global.mbarrier::complete_tx::bytes{}"
    type = op.result.type
    condition, extra = for_all_copies(low, op, condition)
    if extra:
        low.require("has_tma_gathers_for_clusters", f"{ROWS} for several CTAs")
    name = name.format("cluster", ".multicast::cluster") if extra else name.format("cta", "")
    hint, policy = cache_hint(low, op)
    for chosen, pointer, place in row_messages(low, type, view, low.layout(op.x_offsets), rows, column, condition):
        message(low, name + hint, chosen, [[pointer], [descriptor, place], [signal], *extra, *policy])


@lowers("ttng.async_tma_scatter")
def async_tma_scatter(
    low: Lowering, op: ir.OpView, descriptor: ir.Value, rows: ir.Value, column: ir.Value, view: SharedView
) -> None:
    """matrix[x_offsets[i], y_offset + j] = src[i, j]"""
    low.require("has_tma_scatters", ROWS)
    name = "cp.async.bulk.tensor.2d.tile::scatter4.global.shared::cta.bulk_group"
    condition, (hint, policy) = stores_part(low, op.src.type), cache_hint(low, op)
    for chosen, pointer, place in row_messages(
        low, op.src.type, view, low.layout(op.x_offsets), rows, column, condition
    ):
        message(low, name + hint, chosen, [[descriptor, place], [pointer], *policy])
    low.emit.effect("nvvm.cp.async.bulk.commit.group")


def row_messages(
    low: Lowering,
    type: MemDescType,
    view: SharedView,
    layout: LinearLayout,
    rows: ir.Value,
    column: ir.Value,
    condition: ir.Value | None,
) -> Iterator[tuple[ir.Value, ir.Value, list[ir.Value]]]:
    """For each message of four rows: whether this thread starts it, its pointer to shared memory, its column and rows.

    layout: the layout of the row numbers.

    Raises:
        CannotLower: no thread has four consecutive row numbers, or CTAs divide them differently from the buffer.
    """
    emit = low.emit
    memory, encoding = buffer_of(low, type)
    plan = plan_messages(encoding, list(type.shape), memory)
    registers = layout.columns_of("register")
    if not {1, 2} <= set(registers):
        raise CannotLower(
            "found row numbers in a layout where no thread holds four in a row; choose sizePerThread = [..., 4]"
        )
    if layout.columns_of("block") != tuple(step[0] for step in memory.bases("block")):
        raise CannotLower("found numbers of rows that are divided among CTAs otherwise than the buffer")
    start = place_columns(layout, memory, encoding)
    begin, free = view_offset(low, view, type), layout.free_variable_masks()
    alone = not any(layout.columns_of("lane"))
    thread = warp_place(low, start) if alone else low.index.of_thread(start)
    # One lane starts a row for all that hold copies of its number; the hardware may choose it if all do.
    owner = low.owners.is_first({"lane": 0 if alone else free["lane"], "warp": free["warp"]})
    chosen = both(low, both(low, emit.op("nvvm.elect.sync", emit.i1) if alone else None, owner), condition)
    chosen = emit.constant(emit.i1, 1) if chosen is None else chosen
    element, numbers = low.types.element(type.element_type), layout.values("register")
    for register, row in enumerate(numbers):
        if row % ROWS_OF_MESSAGE or register & free.get("register", 0):
            continue
        four = [emit.extract(rows, numbers.index(row + i)) for i in range(ROWS_OF_MESSAGE)]
        for number in range(1 << sum(step > 0 for step in plan.coordinates[1])):
            across, moved = column_step(plan, number)
            fixed = start.values("register")[register] ^ across
            offset = emit.flip(thread, fixed)
            offset = offset if begin is None else emit.xor(offset, begin)
            step = moved_by(low, (moved,), 0, 1, plan.of_ctas[1])
            y = column if step is None else emit.add(column, step)
            yield chosen, emit.gep(view.base, offset, element), [y, *four]


def warp_place(low: Lowering, start: LinearLayout) -> ir.Value:
    """The place of register 0 of this warp, i32, if all lanes have the same."""
    terms = [(start.columns_of("warp"), lambda: uniform_warp(low)), (start.columns_of("block"), low.index.block)]
    return linear_sum(low.emit, [(index(), columns) for columns, index in terms if any(columns)])


def place_columns(layout: LinearLayout, memory: LinearLayout, encoding: NvmmaShared) -> LinearLayout:
    """register, lane, warp, block -> offset in memory of the row with that number."""
    columns = tuple(message_place(memory, encoding, [row, 0]) for row in layout.columns)
    return LinearLayout(layout.ins, (("offset", memory.bits_in("offset")),), columns)


def column_step(plan: Messages, number: int) -> tuple[int, int]:
    """Offsets in elements of message `number` of a row: in shared memory (to be xored), and along the row."""
    offset = moved = 0
    bits = [(o, c) for o, c in zip(plan.offsets, plan.coordinates[1], strict=True) if c]
    for bit, (place, step) in enumerate(bits):
        if number >> bit & 1:
            offset, moved = offset ^ place, moved + step
    return offset, moved
