"""Barriers between warps that access the same tensor memory.

Other warps may read tensor memory than those that wrote it, so a barrier ends each store.  No barrier ends a load: the
lowering of an operation that overwrites a buffer asks this module whether other warps may still read it.  Each of up to
four warps has its own rows.  With more warps, two share the same rows, and each has some of the columns.
"""

from collections.abc import Iterator

from mlir import ir

from ttkit.analysis.alias import TensorMemoryAliases
from ttkit.analysis.membar import SYNCHRONIZING
from ttkit.analysis.tmem_placement import HALVES, Place, size_of
from ttkit.inspection import defining, enclosing
from ttkit.layout import LinearLayout
from ttkit.layout.hardware import GROUP_WARPS
from ttkit.layout.tensor_memory_access import WARP_ROWS
from ttkit.operation_sets import TMEM_ALLOC, TMEM_LOAD
from ttkit.passes.lower.lowering import Lowering

SUBSLICE = "ttng.tmem_subslice"


def may_be_read(op: ir.Operation) -> bool:
    """Whether other warps may still read tensor memory when the first one reaches `op`, without a barrier before."""
    return any(True for _ in pending_loads(op))


def may_be_read_by_others(low: Lowering, op: ir.Operation, view: ir.Value, layout: LinearLayout) -> bool:
    """Whether `op` overwrites parts of a view that other warps than the writing ones may still read.

    Args:
        layout: the layout of the registers that it stores.
    """
    if low.num_warps <= GROUP_WARPS:
        return False
    aliases: TensorMemoryAliases | None = None
    for load in pending_loads(op):
        read = load.opview.src
        if are_parts(read, view) or (read == view and low.layout(load.opview.result) == layout):
            continue  # in the second case each warp overwrites only what it has read itself
        aliases = aliases or TensorMemoryAliases(enclosing(op, "tt.func") or op)
        written, pending = places_of(view, aliases), places_of(read, aliases)
        if not written or not pending or any(a.overlaps(b) for a in written for b in pending):
            return True
    return False


def pending_loads(op: ir.Operation) -> Iterator[ir.Operation]:
    """The loads before `op` without a barrier after them."""
    seen: set[ir.Block] = set()
    in_block = [one.operation for one in op.block.operations]
    before = [(op.block, in_block[: in_block.index(op)])]
    while before:
        block, operations = before.pop()
        for one in reversed(operations):
            if one.name in SYNCHRONIZING or (one.name == TMEM_ALLOC and len(one.operands)):
                break
            if one.name == TMEM_LOAD:
                yield one
        else:
            for other in block.region.blocks:
                end = other.operations[len(other.operations) - 1].operation
                if other not in seen and block in list(end.successors):
                    seen.add(other)
                    before.append((other, [one.operation for one in other.operations]))


def places_of(view: ir.Value, aliases: TensorMemoryAliases) -> list[Place]:
    """The places of the buffers to which a view may point; an empty list if they are unknown."""
    found = []
    for allocation in aliases.of.get(view, ()):
        given, step = allocation.owner.operation.attributes, WARP_ROWS // HALVES
        row, column = (ir.IntegerAttr(given[f"tensor_memory_{name}_offset"]).value for name in ("row", "col"))
        found.append(Place(row // step, column, size_of(allocation.type)))
    return found


def are_parts(one: ir.Value, other: ir.Value) -> bool:
    """Whether two views are parts of the same buffer without common columns."""
    parts = [made.operation for view in (one, other) if (made := defining(view)) is not None]
    if len(parts) < 2 or any(part.name != SUBSLICE for part in parts) or parts[0].opview.src != parts[1].opview.src:
        return False
    (_, end), (begin, _) = sorted(
        (first := ir.IntegerAttr(part.attributes["N"]).value, first + part.result.type.shape[1]) for part in parts
    )
    return end <= begin
