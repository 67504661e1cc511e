"""Barriers between warps that access the same tensor memory.

Whoever reads tensor memory may be of other warps than those that wrote it, so stores end in a barrier.  Loads don't:
what overwrites a buffer asks here whether other warps may still read it.  Of at most four warps each has rows of its
own; of more, two and two share theirs, and each has some of the columns.
"""

from collections.abc import Iterator

from mlir import ir

from ttkit.analysis.alias import TensorMemoryAliases
from ttkit.analysis.membar import MEETINGS
from ttkit.analysis.tmem_placement import HALVES, Place, size_of
from ttkit.inspection import defining, enclosing
from ttkit.layout import LinearLayout
from ttkit.layout.tensor_memory_access import GROUP_WARPS, WARP_ROWS
from ttkit.operation_sets import TMEM_ALLOC, TMEM_LOAD
from ttkit.passes.lower.lowering import Lowering

SUBSLICE = "ttng.tmem_subslice"


def may_be_read(op: ir.Operation) -> bool:
    """Whether other warps may still read tensor memory when the first one comes to `op`: no barrier stands between."""
    return any(True for _ in pending_loads(op))


def may_be_read_by_others(low: Lowering, op: ir.Operation, view: ir.Value, layout: LinearLayout) -> bool:
    """Whether `op` writes to a view what warps may still read that do not write it.

    Args:
        layout: of the registers that it stores.
    """
    if low.num_warps <= GROUP_WARPS:
        return False
    aliases: TensorMemoryAliases | None = None
    for load in pending_loads(op):
        read = load.opview.src
        if are_parts(read, view) or (read == view and low.layout(load.opview.result) == layout):
            continue  # in the second case each warp writes just what it has read
        aliases = aliases or TensorMemoryAliases(enclosing(op, "tt.func") or op)
        written, pending = places_of(view, aliases), places_of(read, aliases)
        if not written or not pending or any(a.overlaps(b) for a in written for b in pending):
            return True
    return False


def pending_loads(op: ir.Operation) -> Iterator[ir.Operation]:
    """The loads before `op` that no barrier follows."""
    seen: set[ir.Block] = set()
    in_block = [one.operation for one in op.block.operations]
    before = [(op.block, in_block[: in_block.index(op)])]
    while before:
        block, operations = before.pop()
        for one in reversed(operations):
            if one.name in MEETINGS or (one.name == TMEM_ALLOC and len(one.operands)):
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
    """The places of the buffers that a view may be of; none if that is not known."""
    found = []
    for allocation in aliases.of.get(view, ()):
        given, step = allocation.owner.operation.attributes, WARP_ROWS // HALVES
        row, column = (ir.IntegerAttr(given[f"tensor_memory_{name}_offset"]).value for name in ("row", "col"))
        found.append(Place(row // step, column, size_of(allocation.type)))
    return found


def are_parts(one: ir.Value, other: ir.Value) -> bool:
    """Whether two views are parts of the same buffer that share no columns."""
    parts = [made.operation for view in (one, other) if (made := defining(view)) is not None]
    if len(parts) < 2 or any(part.name != SUBSLICE for part in parts) or parts[0].opview.src != parts[1].opview.src:
        return False
    (_, end), (begin, _) = sorted(
        (first := ir.IntegerAttr(part.attributes["N"]).value, first + part.result.type.shape[1]) for part in parts
    )
    return end <= begin
