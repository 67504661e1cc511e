"""Passes that change what a kernel does, each in one small way."""

from mlir import ir

from ttkit.passes.infra import Pass, collect


class DropMask(Pass):
    """Store everywhere."""

    name = "drop-mask"

    def run(self, op: ir.Operation) -> None:
        for store in collect(op, ["tt.store"]):
            pointer, value, *_ = store.operands
            with ir.InsertionPoint(store), store.location:
                ir.Operation.create("tt.store", operands=[pointer, value])
            store.erase()


class SwapOperands(Pass):
    """a - b becomes b - a."""

    name = "swap-operands"
    anchor = "tt.func"

    def run(self, op: ir.Operation) -> None:
        for subtraction in collect(op, ["arith.subf"]):
            a, b = subtraction.operands
            subtraction.operands[0], subtraction.operands[1] = b, a


class ShiftIndex(Pass):
    """Ranges start one later."""

    name = "shift-index"

    def run(self, op: ir.Operation) -> None:
        for found in collect(op, ["tt.make_range"]):
            for name in ("start", "end"):
                attribute = found.attributes[name]
                found.attributes[name] = ir.IntegerAttr.get(attribute.type, attribute.value + 1)


class RoundTrip(Pass):
    """Values of f32 pass through f16 on their way to memory."""

    name = "round-trip"

    def run(self, op: ir.Operation) -> None:
        for store in collect(op, ["tt.store"]):
            value = store.operands[1]
            with ir.InsertionPoint(store), store.location:
                narrow = ir.RankedTensorType.get(value.type.shape, ir.F16Type.get())
                half = ir.Operation.create("arith.truncf", results=[narrow], operands=[value]).result
                store.operands[1] = ir.Operation.create("arith.extf", results=[value.type], operands=[half]).result


class DeclaredRoundTrip(RoundTrip):
    """The same, and it says so."""

    name = "declared-round-trip"
    may_change = "rounding to f16"
