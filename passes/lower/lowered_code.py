"""Lower what is lowered already: operations of llvm and nvvm stay, and casts between both sides take values apart.

A value of one side is one of the other through builtin.unrealized_conversion_cast:

tensor                !llvm.struct of its registers, in their order
!tt.ptr<T, space>     !llvm.ptr<space>
anything else         the type that it is lowered to

Test: test/lit/lower/lowered_code.mlir
"""

from mlir import ir

from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.unsupported import CannotLower


@lowers("builtin.unrealized_conversion_cast")
def unrealized_conversion_cast(low: Lowering, op: ir.OpView, *operands: ir.Value) -> ir.Value:
    """The same bits: a struct of registers from a tensor, a tensor from such a struct, or the value as it is.

    Raises:
        CannotLower: several values, or types that do not belong together.
    """
    if len(operands) != 1 or len(op.operation.results) != 1:
        raise CannotLower("it is a cast of several values; only one to one is known here")
    emit, value = low.emit, operands[0]
    (source,), (target,) = ([value.type for value in values] for values in (op.inputs, op.outputs))
    if isinstance(target, ir.RankedTensorType):
        vector = low.types.vector(target)
        fields = [str(vector.element_type)] * vector.shape[0]
        if str(source) != f"!llvm.struct<({', '.join(fields)})>":
            raise CannotLower(f"a thread holds {vector.shape[0]} registers of {target}, not {source}")
        return emit.pack([emit.field(value, index, vector.element_type) for index in range(len(fields))])
    if isinstance(source, ir.RankedTensorType):
        registers = emit.unpack(value)
        expected = emit.struct([register.type for register in registers])
        if target != expected:
            raise CannotLower(f"a thread holds {expected} of {source}, not {target}")
        return emit.packed_struct(target, registers)
    lowered = low.types.parts(target)
    if list(lowered) != [value.type]:
        raise CannotLower(f"{source} was lowered to {value.type}, not to {target}")
    return value


@lowers("llvm", "nvvm")
def keep(low: Lowering, op: ir.OpView, *operands: ir.Value) -> list[ir.Value] | ir.Value | None:
    """The operation as it stands, on what its operands became.  Raises CannotLower if it has regions or successors."""
    operation = op.operation
    if len(operation.regions) or len(operation.successors):
        raise CannotLower("operations of llvm with regions or successors can't stand among those of tt")
    attributes = {name: operation.attributes[name] for name in operation.attributes}
    made = low.emit.create(operation.name, [result.type for result in operation.results], operands, attributes)
    return made.result if len(made.results) == 1 else list(made.results)
