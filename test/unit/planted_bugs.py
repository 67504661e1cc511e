"""Passes with a mistake that shows only where operations come together in a certain way: what reducers are for."""

import os
import time

from mlir import ir

from ttkit.passes.infra import Pass, PassError, collect, defining_name


def made_by(value: ir.Value, *names: str) -> bool:
    return defining_name(value) in names


class Planted(Pass):
    """Acts on operations of a kind that `matches`."""

    anchor = None
    acts = ""

    def run(self, op: ir.Operation) -> None:
        for found in collect(op, [self.acts]):
            if self.matches(found):
                self.act(found)

    def matches(self, op: ir.Operation) -> bool:
        return True

    def act(self, op: ir.Operation) -> None:
        raise NotImplementedError


# --- wrong code ------------------------------------------------------------------------------------------------------


class SwapsSubtractionOfSums(Planted):
    """(a + b) - c becomes c - (a + b)."""

    name, acts = "planted-swap", "arith.subi"

    def matches(self, op):
        return made_by(op.operands[0], "arith.addi")

    def act(self, op):
        op.operands[0], op.operands[1] = op.operands[1], op.operands[0]


class ForgetsElse(Planted):
    """A select whose condition is a comparison gives its first value."""

    name, acts = "planted-select", "arith.select"

    def matches(self, op):
        return made_by(op.operands[0], "arith.cmpi", "arith.cmpf")

    def act(self, op):
        op.result.replace_all_uses_with(op.operands[1])


class DropsScanDirection(Planted):
    """Scans run the other way."""

    name, acts = "planted-scan", "tt.scan"

    def act(self, op):
        op.attributes["reverse"] = ir.BoolAttr.get(not op.attributes["reverse"].value, op.context)


class ReducesLoopTrips(Planted):
    """A loop that carries a tensor starts one iteration later."""

    name, acts = "planted-loop", "scf.for"

    def matches(self, op):
        return any(isinstance(value.type, ir.RankedTensorType) for value in op.results)

    def act(self, op):
        with ir.InsertionPoint(op), ir.Location.unknown(op.context):
            lower = ir.Operation.create("arith.addi", [op.operands[0].type], [op.operands[0], op.operands[2]]).result
        op.operands[0] = lower


class NegatesMinimum(Planted):
    """Signed minima become unsigned."""

    name, acts = "planted-minimum", "arith.minsi"

    def act(self, op):
        with ir.InsertionPoint(op), ir.Location.unknown(op.context):
            other = ir.Operation.create("arith.minui", [op.result.type], list(op.operands)).result
        op.result.replace_all_uses_with(other)
        op.erase()


class TransposesJoins(Planted):
    """What a split gives is exchanged."""

    name, acts = "planted-split", "tt.split"

    def act(self, op):
        first, second = op.results
        with ir.InsertionPoint.after(op), ir.Location.unknown(op.context):
            copy = op.clone()
        first.replace_all_uses_with(copy.results[1])
        second.replace_all_uses_with(copy.results[0])


class DropsAbsolute(Planted):
    """Absolute values of what is not a constant are the values."""

    name, acts = "planted-absolute", "math.absf"

    def matches(self, op):
        return not made_by(op.operands[0], "arith.constant")

    def act(self, op):
        op.result.replace_all_uses_with(op.operands[0])


class TakesOther(Planted):
    """A load with a mask and another value reads everywhere."""

    name, acts = "planted-load", "tt.load"

    def matches(self, op):
        return len(op.operands) == 3

    def act(self, op):
        op.result.replace_all_uses_with(op.operands[2])


# --- crashes ---------------------------------------------------------------------------------------------------------


class Aborts(Planted):
    """Ends the process at a reduction of a broadcast or a select."""

    name, acts = "planted-abort", "tt.reduce"

    def matches(self, op):
        return made_by(op.operands[0], "tt.broadcast", "arith.select", "arith.addf", "arith.mulf")

    def act(self, op):
        os.abort()


class Asserts(Planted):
    """Breaks an assertion of MLIR's: a type taken for another."""

    name, acts = "planted-assertion", "tt.trans"

    def act(self, op):
        from ttkit._native import handle, library

        library().ttkitTensorDescTypeGetBlockType(handle(op.result.type, "Type").pointer)


class RaisesOnNestedLoops(Planted):
    """Raises an exception at an operation in a branch in a loop, or a loop in a branch."""

    name, acts = "planted-nesting", "scf.if"

    def matches(self, op):
        return op.parent is not None and op.parent.name in ("scf.for", "scf.if")

    def act(self, op):
        raise KeyError("no schedule")


class DividesByCount(Planted):
    """Raises ZeroDivisionError where a loop carries nothing that is a tensor."""

    name, acts = "planted-division", "scf.for"

    def act(self, op):
        return 1 / sum(isinstance(value.type, ir.RankedTensorType) for value in op.results)


class RecursesOnChains(Planted):
    """Recurses without end on a sum of a product."""

    name, acts = "planted-recursion", "arith.addf"

    def matches(self, op):
        return any(made_by(value, "arith.mulf", "arith.subf", "arith.divf", "math.fma") for value in op.operands)

    def act(self, op):
        self.act(op)


class ExitsOnJoins(Planted):
    """Ends the process with code 3 at a join."""

    name, acts = "planted-exit", "tt.join"

    def act(self, op):
        os._exit(3)


# --- diagnostics, output, time ---------------------------------------------------------------------------------------


class RefusesUnsigned(Planted):
    """Does not know unsigned conversions."""

    name, acts = "planted-refusal", "arith.uitofp"

    def act(self, op):
        raise PassError(op, "can't convert from unsigned integers")


class LeavesInvalid(Planted):
    """Leaves an operand before its definition."""

    name, acts = "planted-invalid", "arith.xori"

    def act(self, op):
        op.operands[0] = op.result


class Marks(Planted):
    """Marks stores of what was loaded or selected."""

    name, acts = "planted-mark", "tt.store"

    def matches(self, op):
        return not made_by(op.operands[1], "arith.constant")

    def act(self, op):
        op.attributes["marked"] = ir.UnitAttr.get(op.context)


class Duplicates(Planted):
    """Writes every comparison of floats twice."""

    name, acts = "planted-duplicate", "arith.cmpf"

    def act(self, op):
        with ir.InsertionPoint(op), ir.Location.unknown(op.context):
            ir.Operation.create(
                "arith.cmpf",
                [op.result.type],
                list(op.operands),
                {"predicate": op.attributes["predicate"], "again": ir.UnitAttr.get(op.context)},
            )


class SlowOnReshapes(Planted):
    """Takes a fifth of a second where something is reshaped."""

    name, acts = "planted-slow", "tt.reshape"

    def act(self, op):
        time.sleep(0.2)


class SlowOnFolds(Planted):
    """Takes a fifth of a second for a square root of an absolute value, or of a negated one."""

    name, acts = "planted-slow-root", "math.sqrt"

    def act(self, op):
        time.sleep(0.2)
