"""Passes that change what a kernel does, each in one small way."""

from mlir import ir

from ttkit.passes.infra import Pass, collect


class DropMask(Pass):
    """Store everywhere."""

    name = "drop-mask"

    def run(self, op: ir.Operation) -> None:
        for store in collect(op, ["tt.store"]):
            pointer, value, *mask = store.operands
            if mask:
                with ir.InsertionPoint(store), store.location:
                    ir.Operation.create("tt.store", operands=[pointer, value])
                store.erase()


class SwapOperands(Pass):
    """a - b becomes b - a, and a / b becomes b / a."""

    name = "swap-operands"
    anchor = None

    def run(self, op: ir.Operation) -> None:
        for subtraction in collect(op, ["arith.subf", "arith.subi", "arith.divf"]):
            a, b = subtraction.operands
            subtraction.operands[0], subtraction.operands[1] = b, a


class ShiftIndex(Pass):
    """Ranges start one later."""

    name = "shift-index"

    def run(self, op: ir.Operation) -> None:
        for found in collect(op, ["tt.make_range"]):
            for name in ("start", "end"):
                attribute = found.attributes[name]
                found.attributes[name] = ir.IntegerAttr.get(attribute.type, ir.IntegerAttr(attribute).value + 1)


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


class DropElement(Pass):
    """Reductions forget what they have so far."""

    name = "drop-element"

    def run(self, op: ir.Operation) -> None:
        for end in collect(op, ["tt.reduce.return"]):
            end.operands[0] = end.operation.block.arguments[1]


class SwapSelect(Pass):
    """A select takes the other side."""

    name = "swap-select"

    def run(self, op: ir.Operation) -> None:
        for select in collect(op, ["arith.select"]):
            _, a, b = select.operands
            select.operands[1], select.operands[2] = b, a


class SignedCompare(Pass):
    """Unsigned comparisons become signed, and the other way round."""

    name = "signed-compare"

    def run(self, op: ir.Operation) -> None:
        for compare in collect(op, ["arith.cmpi"]):
            attribute = ir.IntegerAttr(compare.attributes["predicate"])
            if attribute.value >= 2:
                value = attribute.value + 4 if attribute.value < 6 else attribute.value - 4
                compare.attributes["predicate"] = ir.IntegerAttr.get(attribute.type, value)


class SkipIteration(Pass):
    """Loops stop one iteration early."""

    name = "skip-iteration"

    def run(self, op: ir.Operation) -> None:
        for loop in collect(op, ["scf.for"]):
            end = loop.operands[1]
            with ir.InsertionPoint(loop), loop.location:
                one = ir.IntegerAttr.get(end.type, 1)
                step = ir.Operation.create("arith.constant", results=[end.type], attributes={"value": one}).result
                fewer = ir.Operation.create("arith.subi", results=[end.type], operands=[end, step]).result
            loop.operands[1] = fewer


class ForgetStore(Pass):
    """The last store goes."""

    name = "forget-store"

    def run(self, op: ir.Operation) -> None:
        stores = collect(op, ["tt.store"])
        if stores:
            stores[-1].erase()


class WrongTranspose(Pass):
    """Square tensors are not transposed."""

    name = "wrong-transpose"

    def run(self, op: ir.Operation) -> None:
        for transpose in collect(op, ["tt.trans"]):
            if transpose.operands[0].type == transpose.results[0].type:
                transpose.results[0].replace_all_uses_with(transpose.operands[0])


class SwapFactors(Pass):
    """a . b becomes b . a, where the shapes allow it."""

    name = "swap-factors"

    def run(self, op: ir.Operation) -> None:
        for dot in collect(op, ["tt.dot"]):
            a, b, _ = dot.operands
            if a.type == b.type:
                dot.operands[0], dot.operands[1] = b, a
