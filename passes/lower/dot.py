"""Lower matrix products without tensor cores.

Each thread has whole rows of A and columns of B for its elements of the result, and adds up one step of the inner
dimension after the other, for all of its elements at once.

Ops: dialects/tt/dot_ops.td    Test: test/lit/lower/dot.mlir
"""

from mlir import ir

from ttkit.layout import LinearLayout
from ttkit.layout.packing import repack
from ttkit.passes.lower.conversion import convert
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.view import registers_at


@lowers("tt.dot")
def dot(low: Lowering, op: ir.OpView, a: ir.Value, b: ir.Value, c: ir.Value) -> ir.Value:
    """d[..., m, n] = c[..., m, n] + the sum over k of a[..., m, k] * b[..., k, n], k by k"""
    operation = op.operation
    target = low.layout(operation.results[0])
    rank = len(target.outs)
    steps = operation.operands[0].type.shape[-1]
    rows, row_steps = along(low.layout(operation.operands[0]), target, inner=rank - 1)
    columns, column_steps = along(low.layout(operation.operands[1]), target, inner=rank - 2)
    emit, element = low.emit, low.element_type(operation.results[0])
    a, b = (widened(low, value, operand.type, element) for value, operand in zip((a, b), operation.operands))
    total = c
    for k in range(steps):
        left = emit.pick(a, [register ^ row_steps[k] for register in rows])
        right = emit.pick(b, [register ^ column_steps[k] for register in columns])
        if isinstance(element, ir.IntegerType):
            total = emit.add(total, emit.mul(left, right))
        else:
            total = emit.same("llvm.intr.fma", left, right, total)
    return total


def along(operand: LinearLayout, target: LinearLayout, inner: int) -> tuple[list[int], list[int]]:
    """Where an operand's elements are, in registers: those of each register of the result at step 0, and of each step.

    The register of a result's element at step k is the XOR of both.

    Args:
        inner: the operand's dimension that is summed over.

    Raises:
        ValueError: some of them are in another thread.
    """
    name = f"dim{inner}"
    # The result's coordinates with 0 in the inner dimension.
    mask = target.mask([name])
    columns = [column & ~mask for column in target.columns]
    at_start = LinearLayout(target.ins, operand.outs, tuple(repack(columns, target.outs, operand.outs)))
    registers = registers_at(operand, at_start)
    shift = sum(bits for dim, bits in operand.outs if int(dim[3:]) < inner)
    steps = [operand.place_of(k << shift) for k in range(operand.out_size(name))]
    if any(step >= operand.in_size("register") for step in steps):
        raise ValueError("the inner dimension is spread over threads; convert the operand to a dot_op layout")
    return registers, steps


def widened(low: Lowering, value: ir.Value, type: ir.RankedTensorType, element: ir.Type) -> ir.Value:
    """An operand's numbers, of the tensor type `type`, in the type of the result."""
    if isinstance(element, ir.IntegerType):
        return value if value.type.element_type == element else low.emit.cast("sext", value, element)
    return convert(low, value, type, element, "rtne")
