"""Lower output and checks of a kernel that runs: vprintf and __assertfail, which the driver provides.

Every thread prints each of its elements on a line of its own, copies too:

    pid (3, 0, 0) idx ( 5) x: 1.000000

Ops: dialects/tt/debug_ops.td    Test: test/lit/lower/debug.mlir
"""

import functools
from collections.abc import Sequence

from mlir import ir

from ttkit.dialects._tt_types import PointerType
from ttkit.operation_sets import ASSERTIONS
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.program import program_id
from ttkit.passes.lower.registry import lowers

PRINTED_BITS = 32  # of an integer: C's promotion of arguments
UNKNOWN = "unknown"


@lowers("tt.print")
def print_(low: Lowering, op: ir.OpView, *values: ir.Value) -> None:
    """A line for each register of each argument; without arguments one line."""
    emit, operation = low.emit, op.operation
    prefix = op.prefix.replace("%", "%%")
    program = [program_id(low, axis) for axis in range(3)]
    start = "pid (%u, %u, %u)"
    if not values:
        print_line(low, f"{start}{prefix}\n", program)
        return
    is_hex = op.hex
    signs = op.isSigned
    for number, (value, source, is_signed) in enumerate(zip(values, operation.operands, signs, strict=True)):
        kind, vector = printed(low, value, source.type, is_hex, bool(is_signed))
        widths, coordinates = [], []
        if isinstance(source.type, ir.RankedTensorType):
            layout = low.layout(source)
            widths = [decimal_digits(size) for size in source.type.shape]
            coordinates = [emit.unpack(one) for one in low.index.coordinates(layout)]
        index = ", ".join(f"%{width}u" for width in widths)
        which = f"(operand {number}) " if len(values) > 1 else ""
        text = f"{start} idx ({index}){prefix}{which}{kind}\n"
        for register, item in enumerate(low.elements.all(vector)):
            print_line(low, text, [*program, *(one[register] for one in coordinates), item])


def decimal_digits(size: int) -> int:
    """Digits (columns) in which an index below `size`, a power of two, is printed: log10 of the size, rounded up."""
    return len(str(size)) if size > 1 else 0


def printed(low: Lowering, value: ir.Value, type: ir.Type, is_hex: bool, is_signed: bool) -> tuple[str, ir.Value]:
    """The conversion of printf for numbers of a type, and the numbers as printf takes them."""
    emit = low.emit
    if isinstance(type, ir.RankedTensorType):
        type = type.element_type
    if isinstance(type, PointerType):
        return "%p", value
    is_float = isinstance(type, ir.FloatType) and type.width > 8
    width = 32 if isinstance(type, ir.IndexType) else type.width
    kind = f"0x%0{width // 4}{'ll' if width > PRINTED_BITS else ''}x"
    if is_float:
        return kind if is_hex else "%f", value if width == 64 else emit.cast("fpext", value, emit.f64)
    if not is_hex:
        kind = ("%lli" if is_signed else "%llu") if width > PRINTED_BITS else ("%i" if is_signed else "%u")
    if width < PRINTED_BITS:
        value = emit.cast("sext" if is_signed else "zext", value, emit.i32)
    return kind, value


def print_line(low: Lowering, text: str, arguments: Sequence[ir.Value]) -> None:
    """vprintf(text, arguments), which lie in a struct on the stack."""
    emit = low.emit
    type = emit.struct(argument.type for argument in arguments)
    frame = low.index.once(
        ("frame", type),
        lambda: emit.op("llvm.alloca", emit.pointers[0], emit.i32_constant(1), elem_type=ir.TypeAttr.get(type)),
    )
    for number, argument in enumerate(arguments):
        place = emit.op(
            "llvm.getelementptr",
            emit.pointers[0],
            frame,
            rawConstantIndices=ir.DenseI32ArrayAttr.get([0, number], emit.context),
            elem_type=ir.TypeAttr.get(type),
        )
        emit.effect("llvm.store", argument, place)
    low.symbols.call("vprintf", emit.i32, low.symbols.text(text, "printfFormat"), frame)


@lowers(*ASSERTIONS)
def assert_(low: Lowering, op: ir.OpView, condition: ir.Value) -> None:
    """Lower an assertion: each thread that holds a false element reports it, and the launch fails."""
    emit, operation = low.emit, op.operation
    message = operation.attributes["message" if operation.name == "tt.assert" else "msg"].value
    holds = functools.reduce(emit.and_, low.elements.all(condition))
    after = low.emit.begin_if(emit.xor(holds, emit.constant(emit.i1, 1)))
    file, line = place_of(operation.location)
    low.symbols.call(
        "__assertfail",
        emit.void,
        low.symbols.text(message, "assertMessage"),
        low.symbols.text(file, "assertFile"),
        emit.i32_constant(line),
        low.symbols.text(UNKNOWN, "assertFunc"),
        emit.constant(emit.i64, 1),
        returns=False,
    )
    low.emit.end_if(after)
    if isinstance(condition.type, ir.VectorType):
        # So that no thread goes on with what another has found wrong.
        low.warps.synchronize()


def place_of(location: ir.Location) -> tuple[str, int]:
    """File and line of the innermost place in the source."""
    while not location.is_a_file():
        if location.is_a_callsite():
            location = location.callee
        elif location.is_a_name():
            location = location.child_loc
        elif location.is_a_fused() and len(location.locations):
            location = location.locations[0]
        else:
            return UNKNOWN, 0
    return location.filename.value if hasattr(location.filename, "value") else location.filename, location.start_line
