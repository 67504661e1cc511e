"""Lower copies from global to shared memory that go on while the program does (cp.async, sm_80).

Ops: dialects/ttg/async_ops.td    Test: test/lit/lower/async_copy.mlir
"""

from mlir import ir

from ttkit.operation_views import part
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.memory import access_width, operand_or_none
from ttkit.passes.lower.pointer import pointee
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.shared_memory import accesses
from ttkit.passes.lower.stored import bits_of
from ttkit.passes.lower.types import SharedView

# Bytes that one copy moves: 16 may go past the first-level cache.
SIZES = (4, 8, 16)
CACHE_GLOBAL = 3
COPIES = "asynchronous copies"


@lowers("ttg.async_copy_global_to_local")
def async_copy_global_to_local(
    low: Lowering, op: ir.OpView, pointer: ir.Value, view: SharedView, *rest: ir.Value
) -> ir.Value:
    """result[i] = mask[i] ? *src[i] : other[i], some time before the group of copies is waited for."""
    low.require(80, COPIES)
    emit = low.emit
    element = pointee(low, op.src)
    mask, other = operand_or_none(low, op.mask), operand_or_none(low, op.other)
    width = access_width(low, op.src, op.mask, element)
    for registers, address in accesses(low, view, part(op, "result").type, low.layout(op.src), limit=width):
        size = len(registers) * bits_of(element) // 8
        if size not in SIZES:
            raise ValueError(
                f"a copy moves {size} bytes here; only {', '.join(map(str, SIZES))} are possible; "
                "choose a layout, or a mask, by which a thread has more consecutive elements"
            )
        caching = ".cg" if size == 16 and op.operation.attributes["cache"].value in (1, CACHE_GLOBAL) else ".ca"
        source = low.register(pointer, registers[0])
        text = f"cp.async{caching}.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x{size:x}"
        if mask is None:
            emit.inline_asm(f"{text}, 0x{size:x};", "r,l", None, address, source)
            continue
        chosen = low.register(mask, registers[0])
        count = emit.select(chosen, emit.i32_constant(size), emit.i32_constant(0))
        emit.inline_asm(f"{text}, $2;", "r,l,r", None, address, source, count)
        if other is not None:
            low.store_shared(address, emit.pick(other, registers), emit.xor(chosen, emit.constant(emit.i1, 1)))
    return emit.i32_constant(0)


@lowers("ttg.async_commit_group")
def async_commit_group(low: Lowering, op: ir.OpView, *tokens: ir.Value) -> ir.Value:
    """The copies since the last one are a group."""
    low.require(80, COPIES)
    low.emit.effect("nvvm.cp.async.commit.group")
    return low.emit.i32_constant(0)


@lowers("ttg.async_wait")
def async_wait(low: Lowering, op: ir.OpView, *tokens: ir.Value) -> ir.Value:
    """All groups but the last `num` are complete, for this thread."""
    low.require(80, COPIES)
    low.emit.effect("nvvm.cp.async.wait.group", n=op.operation.attributes["num"])
    return low.emit.i32_constant(0)
