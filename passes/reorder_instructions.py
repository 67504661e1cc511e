"""Shorten the time that values spend in registers and buffers in shared memory.

    %x = ttg.convert_layout %a -> #ttg.dot_op<...>       scf.for ... {
    scf.for ... {                                          %x = ttg.convert_layout %a -> #ttg.dot_op<...>
      tt.dot %x, ...                             =>        tt.dot %x, ...
    }                                                    }

Conversions move after deallocations that precede their use, and into the loop that alone uses them, if they
copy data (operands of dots, loads from shared memory).  Buffers are filled as soon as the data is there, transpositions
follow their source, and a dot's second operand is loaded after the first.

Input:  ttg.      Output: ttg.
Order:  after the passes that make or remove conversions, before shared memory is allocated.
Skips:  buffers filled with a constant or splat, which would only live longer; loads of shared memory that may be
        written on the way.
Test:   test/lit/passes/reorder_instructions.mlir
"""

from collections.abc import Iterator

from mlir import ir

from ttkit.analysis.alias import SharedMemoryAliases
from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import enclosing
from ttkit.layout.encodings import DotOperand
from ttkit.operation_sets import CONVERT_LAYOUT, TRANSPOSITIONS
from ttkit.passes.infra import Pass, collect
from ttkit.passes.infra.effects import may_write, memory_effects
from ttkit.passes.infra.nesting import ancestor_in, first_user

SHARED_MEMORY = "<SharedMemory>"


class ReorderInstructions(Pass):
    """Shorten the lifetime of values in registers and of buffers in shared memory"""

    name = "tritongpu-reorder-instructions"

    def run(self, op: ir.Operation) -> None:
        """Sinks conversions and loads, then hoists allocations and transpositions, then delays second operands."""
        conversions = collect(op, [CONVERT_LAYOUT])
        if conversions:
            sink_after_deallocs(conversions, collect(op, ["ttg.local_dealloc"]))
        sink_into_loops(collect(op, [CONVERT_LAYOUT, "ttg.local_load"]))
        for alloc in collect(op, ["ttg.local_alloc"]):
            hoist_alloc(alloc)
        for transposition in collect(op, TRANSPOSITIONS):
            move_to_definition(transposition)
        for load in collect(op, ["ttg.local_load"]):
            load_second_operand_late(load)


def sink_after_deallocs(conversions: list[ir.Operation], deallocs: list[ir.Operation]) -> None:
    """Moves each conversion after the last deallocation before its use."""
    for conversion in conversions if deallocs else []:
        used = first_user(conversion)
        last = conversion
        for dealloc in deallocs:
            if dealloc.block != conversion.block or not last.is_before_in_block(dealloc):
                continue
            if used is None or dealloc.is_before_in_block(used):
                last = dealloc
        if last != conversion:
            conversion.move_after(last)


def sink_into_loops(candidates: list[ir.Operation]) -> None:
    """Moves loads and dot operand conversions before their only user, if that is in another loop."""
    moves = []
    for op in candidates:
        uses = list(op.result.uses)
        if len(uses) != 1 or not copies_data(op):
            continue
        user = uses[0].owner.operation
        if in_further_loop(user, op) and not is_written_before(op, user):
            moves.append((op, user))
    for op, user in moves:
        op.move_before(user)


def in_further_loop(user: ir.Operation, op: ir.Operation) -> bool:
    """Whether a user is in an scf.for that does not hold `op`."""
    loop, own = enclosing(user, "scf.for"), enclosing(op, "scf.for")
    return loop is not None and (own is None or loop != own)


def copies_data(op: ir.Operation) -> bool:
    """Whether the operation only copies data into registers."""
    return op.name == "ttg.local_load" or isinstance(layout_of(op.result), DotOperand)


def is_written_before(op: ir.Operation, user: ir.Operation) -> bool:
    """Whether shared memory that `op` reads may be written between it and its user, a loop around the user included."""
    if op.name != "ttg.local_load" or not MemDescType(op.opview.src.type).mutable:
        return False
    outer = ancestor_in(op.block, user)
    if outer is None:
        return True
    writes: list[ir.Operation | None] = [between for between in (*after(op, outer), outer) if may_change(between)]
    if not writes:
        return False
    writers = writers_of(op.opview.src, op)
    return writers is None or any(ancestor_in(op.block, writer) in writes for writer in writers)


def writers_of(buffer: ir.Value, load: ir.Operation) -> list[ir.Operation] | None:
    """The operations of a load's function that may write or free its buffer; None if that is not known."""
    function = enclosing(load, "tt.func")
    assert function is not None
    aliases = SharedMemoryAliases(function).of
    allocations = aliases.get(buffer)
    if allocations is None:
        return None
    same = [value for value, sources in aliases.items() if any(source in allocations for source in sources)]
    users = [use.owner.operation for value in same for use in value.uses]
    return [user for user in users if not len(user.regions) and may_change(user)]


def may_change(op: ir.Operation) -> bool:
    """Whether the operation, or any in its regions, may write to or free shared memory."""
    effects = memory_effects(op)
    return effects is None or any(kind in ("write", "free") and on == SHARED_MEMORY for kind, on in effects)


def after(op: ir.Operation, end: ir.Operation) -> Iterator[ir.Operation]:
    """The operations after `op` and before `end`, in the same block."""
    started = False
    for view in op.block.operations:
        current = view.operation
        if current == end:
            return
        if started:
            yield current
        started = started or current == op


def hoist_alloc(alloc: ir.Operation) -> None:
    """Fills the buffer where its content is made."""
    if not len(alloc.operands) or isinstance(source := alloc.opview.src.owner, ir.Block):
        return
    if source.operation.name not in ("arith.constant", "tt.splat"):
        alloc.move_after(source.operation)


def move_to_definition(op: ir.Operation) -> None:
    """Moves the operation right after the one that makes its operand."""
    source = op.opview.src.owner
    if not isinstance(source, ir.Block):
        op.move_after(source.operation)


def load_second_operand_late(load: ir.Operation) -> None:
    """Moves the load of a dot's second operand after that of its first."""
    layout = layout_of(load.result)
    uses = list(load.result.uses)
    if not isinstance(layout, DotOperand) or layout.op_idx != 1 or len(uses) != 1:
        return
    dot = uses[0].owner.operation
    if dot.name != "tt.dot" or isinstance(first := dot.opview.a.owner, ir.Block):
        return
    first = first.operation
    if first.name != "ttg.local_load":
        return
    outer = ancestor_in(load.block, first)
    if outer is None or not load.is_before_in_block(outer):
        return
    if not any(may_write(between) for between in (*after(load, outer), outer)):
        load.move_after(first)
