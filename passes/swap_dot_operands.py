"""Swap the operands of dots in loops whose b wgmma cannot read as it lies in memory, and transpose their results.

    %y = tt.load %q : tensor<32x128x!tt.ptr<f32>, #rows>                 // rows of b are contiguous
    %b = ttg.convert_layout %y : ... -> tensor<32x128xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>   // %a likewise
    %d = tt.dot %a, %b, %c : ... -> tensor<64x128xf32, #blocked>         // %c and %d are carried
    scf.yield %d
  =>
    %v = tt.trans %y {order = array<i32: 1, 0>} : ... -> tensor<128x32xf32, #columns>     // %w likewise of %a
    %u = ttg.convert_layout %v : ... -> tensor<128x32xf32, #ttg.dot_op<{opIdx = 0, parent = #turned}>>
    %d = tt.dot %u, %w, %c : ... -> tensor<128x64xf32, #turned>          // tt.trans of %d comes after the loop
    scf.yield %d

Wgmmas read f32 from shared memory only with K contiguous.  So b with contiguous rows is written there once more, in
columns.  As operand a, it may be in registers instead: each thread reads its elements right from the buffer that the
load fills, and nothing is written.  `accelerate-matmul` with `transposed-a-in-registers` chooses that.  On an H200,
dots of 4096 with loads through pointers are 1.2 to 1.9 times as fast.

The accumulator stays transposed as long as loops carry it and branches return it.

Input:  ttg.      Output: ttg.
Order:  after coalesce, which orders the dimensions of loads; before accelerate-matmul.
Skips:  GPUs without wgmma; clusters; operands that are computed; dots that feed other dots; accumulators that something
        else than a dot changes in a loop.
Test:   test/lit/passes/swap_dot_operands.mlir
"""

from typing import Any

from mlir import ir

from ttkit.dialects import arith, tt, ttg
from ttkit.inspection import collect, defining, enclosing, has_uses
from ttkit.layout import inference
from ttkit.operation_sets import ALL_DOTS, CONVERT_LAYOUT, FOR_AND_IF, LOOPS
from ttkit.passes.infra import Pass, constant_splat_attribute, defining_name
from ttkit.passes.infra.loops import carried_argument, final_value, initial_value, result_of_yield, yielded_by
from ttkit.passes.infra.nesting import is_above, point_after
from ttkit.passes.infra.slices import forward_slice
from ttkit.passes.infra.target import modules_with_target, target_of
from ttkit.passes.infra.transforms import replace_use
from ttkit.passes.layouts.assignment import tensor_layout, with_layout
from ttkit.passes.products.instruction import DotFacts
from ttkit.passes.products.operands import load_of, loaded_along, without_conversions
from ttkit.target import Target

ACCUMULATOR = 2
TURNED = (1, 0)


class SwapDotOperands(Pass):
    """Swap the operands of dots whose b wgmma cannot read as it lies in memory"""

    name = "ttkit-swap-dot-operands"
    may_change = "the order of floating-point sums"  # numpy sums a transposed product in another order

    def run(self, op: ir.Operation) -> None:
        """Works on the module, or on each in it that has a target of its own."""
        for module in modules_with_target(op):
            target = target_of(module)
            if 3 not in target.mma_versions:
                continue
            left = [dot for dot in collect(module, ["tt.dot"]) if gains(dot.opview, target)]
            while left:
                accumulator = Accumulator(left)
                accumulator.follow(left[0].result)
                if accumulator.may_turn():
                    accumulator.turn()
                followed = accumulator.dots
                left = [dot for dot in left if dot not in followed]


def gains(dot: Any, target: Target) -> bool:
    """Whether wgmma computes a dot and its transpose, and reads both operands from memory but b only transposed."""
    loop = enclosing(dot.operation, *LOOPS)
    facts = DotFacts.of(dot, target)
    if loop is None or not facts.is_f32 or len(facts.part) != 2:
        return False
    turned = facts._replace(part=facts.part[::-1])
    if tuple(dot.result.type.shape) != facts.part or not (facts.is_supported(3) and turned.is_supported(3)):
        return False
    load = load_of(dot.b)
    is_transposed = loaded_along(dot.a) == loaded_along(dot.b) == 1
    return is_transposed and load is not None and enclosing(load, *LOOPS) == loop and not is_multiplied_later(dot)


def is_multiplied_later(dot: Any) -> bool:
    """Whether another dot of the same iteration multiplies a value computed from the result."""
    made = [dot.operation, *forward_slice(dot.operation)]
    later = [op for op in made if op.name in ALL_DOTS]
    return any(
        source is not None and source.operation in made for op in later for source in map(defining, op.operands[:2])
    )


class Accumulator:
    """The values through which an accumulator goes: results of dots and of control flow, and what loops carry.

    Attributes:
        candidates: the dots whose operands may be swapped.
        values: these values.
        starts: the values of other operations with which it starts.
    """

    def __init__(self, candidates: list[ir.Operation]) -> None:
        self.candidates = candidates
        self.values: list[ir.Value] = []
        self.starts: list[ir.Value] = []

    @property
    def dots(self) -> list[ir.Operation]:
        """The candidates that add to the accumulator."""
        return [dot for dot in self.candidates if dot.result in self.values]

    def follow(self, value: ir.Value) -> None:
        """Adds a value and all those that are connected with it as an accumulator."""
        pending = [value]
        while pending:
            value = pending.pop()
            if value in self.values or value in self.starts:
                continue
            sources = self.sources(value)
            if sources is None:
                self.starts.append(value)
                continue
            self.values.append(value)
            pending += sources
            pending += [result for use in value.uses if (result := self.result(use)) is not None]

    def sources(self, value: ir.Value) -> list[ir.Value] | None:
        """The accumulators that become a value; None if another operation makes it."""
        if isinstance(value.owner, ir.Block):
            holder = value.owner.owner.operation
            number = ir.BlockArgument(value).arg_number - 1
            return carried(holder, number) if holder.name == "scf.for" and number >= 0 else None
        made = value.owner.operation
        if made in self.candidates:
            return [made.operands[ACCUMULATOR]]
        if made.name not in FOR_AND_IF:
            return None
        number = ir.OpResult(value).result_number
        return carried(made, number) if made.name == "scf.for" else yielded_by(made, number)

    def result(self, use: ir.OpOperand) -> ir.Value | None:
        """The accumulator that a use of one becomes; None if the use only reads it."""
        user, number = use.owner.operation, use.operand_number
        if user in self.candidates and number == ACCUMULATOR:
            return user.result
        if user.name == "scf.yield" and user.parent.name in FOR_AND_IF:
            return result_of_yield(use)
        first = len(user.operands) - len(user.results)
        return final_value(user, number - first) if user.name == "scf.for" and number >= first else None

    def stays(self, use: ir.OpOperand) -> bool:
        """Whether what a use makes of the accumulator is one of its values."""
        result = self.result(use)
        return result is not None and result in self.values

    def may_turn(self) -> bool:
        """Whether it starts from a constant, or before the innermost loop of each dot."""
        loops = [enclosing(dot, *LOOPS) for dot in self.dots]
        return all(
            constant_splat_attribute(start) is not None or all(is_above(start, loop) for loop in loops if loop)
            for start in self.starts
        )

    def turn(self) -> None:
        """Transposes all values, swaps the operands of the dots, and transposes what other operations read."""
        for start in self.starts:
            uses = [use for use in start.uses if self.stays(use)]
            transpose = turned_start(start)
            for use in uses:
                replace_use(use, transpose)
        for dot in self.dots:
            swap(dot)
        for value in self.values:
            with value.location:
                value.set_type(turned(value.type))
        for value in self.values:
            self.turn_for_readers(value)

    def turn_for_readers(self, value: ir.Value) -> None:
        """Has operations that only read the accumulator read its transpose, which is as the accumulator was."""
        readers = [use for use in value.uses if not self.stays(use)]
        if readers:
            with point_after(value), value.location:
                as_before = tt.trans(value, TURNED)
            for use in readers:
                replace_use(use, as_before)


def carried(loop: ir.Operation, number: int) -> list[ir.Value]:
    """All values of an scf.for for number `number` of those that it carries."""
    around = [initial_value(loop, number), carried_argument(loop, number), final_value(loop, number)]
    return [*around, *yielded_by(loop, number)]


def swap(dot: ir.Operation) -> None:
    """Gives a dot the transposes of its operands; the accumulator and the result are transposed apart."""
    a, b = dot.opview.a, dot.opview.b
    with ir.InsertionPoint(dot), dot.location:
        type = turned(dot.result.type)
        dot.operands[0] = turned_operand(b, 0, type)
        dot.operands[1] = turned_operand(a, 1, type)
    for operand in (a, b):
        if not has_uses(operand) and defining_name(operand) == CONVERT_LAYOUT:
            operand.owner.operation.erase()


def turned(type: Any) -> ir.RankedTensorType:
    """The type of a matrix's transpose."""
    layout = inference.trans(tensor_layout(type), tuple(type.shape), TURNED)
    return with_layout(ir.RankedTensorType.get(list(type.shape)[::-1], type.element_type), layout)


def turned_operand(operand: ir.Value, op_idx: int, result: ir.RankedTensorType) -> ir.Value:
    """The transpose of an operand, as operand `op_idx` of a dot with a result of a type."""
    value = tt.trans(without_conversions(operand), TURNED)
    layout = inference.dot_operand(tensor_layout(result), op_idx, value.type.element_type.width)
    return ttg.convert_layout(value, with_layout(value.type, layout))


def turned_start(start: ir.Value) -> ir.Value:
    """The transpose of the value with which an accumulator starts."""
    element = constant_splat_attribute(start)
    with point_after(start), start.location:
        if element is None:
            return tt.trans(start, TURNED)
        type = turned(start.type)
        return arith.constant(type, ir.DenseElementsAttr.get_splat(type, element))
