"""Carry a value in one layout where a loop carries it in two, one of them for its result alone.

    %r:2 = scf.for ... iter_args(%x = %a, %y = %b) -> (tensor<128xi64, #other>, tensor<128xi64, #used>)
    use(%r#0)
  =>
    %r = scf.for ... iter_args(%y = %b) -> (tensor<128xi64, #used>)
    %c = ttg.convert_layout %r : tensor<128xi64, #used> -> tensor<128xi64, #other>
    use(%c)

where %y always equals %x but for its layout.  Removal of layout conversions makes such copies: it computes pointers
again in the layout of the access, and a loop that starts from the pointers of an earlier one keeps the first layout
alive in both.  Attention has two such loops, for the blocks below the diagonal and for those on it; the pointers in the
other layout take up to half of the registers.  Once the copy is gone, conversions in the later loop can be removed too.
Triton 3.6 keeps them.

Two carried values are equal up to their layouts if they start so and the loop yields such values for them: the same
operations, without effects, of values that are equal up to layouts (`infra/carried_equality.py`).

Input:  ttg.      Output: ttg.
Order:  after the removal of layout conversions, which makes the copies; before pipelining, which copies their uses.
Skips:  loops other than scf.for; reductions, whose order of operations depends on the layout; loads.
Test:   test/lit/passes/reuse_carried_layouts.mlir
"""

from mlir import ir

from ttkit.dialects import ttg
from ttkit.inspection import collect, has_uses
from ttkit.operation_sets import CONVERT_LAYOUT, TENSOR_VIEWS
from ttkit.passes.infra import Pass, canonicalize_ops, constant_splat_attribute, is_memory_effect_free
from ttkit.passes.infra.carried_equality import CarriedEquality, Pair
from ttkit.passes.infra.dead_loop_arguments import drop_dead_loop_arguments
from ttkit.passes.infra.loops import body_of, carried_argument, final_value, initial_value, yielded
from ttkit.passes.remove_layout_conversions import RemoveLayoutConversions

DIALECTS_OF_ELEMENTS = ("arith", "math")
SAME_IN_EACH_LAYOUT = frozenset(
    {*TENSOR_VIEWS, "tt.addptr", "tt.bitcast", "tt.broadcast", "tt.int_to_ptr", "tt.make_range", "tt.ptr_to_int"}
    | {"tt.splat", "tt.fp_to_fp", "tt.clampf", "tt.mulhiui", "tt.precise_divf", "tt.precise_sqrt"}
)
"""Operations whose result at an index depends on the operands' elements alone, beside those of DIALECTS_OF_ELEMENTS."""


class ReuseCarriedLayouts(Pass):
    """Carry a value in one layout where loops carry it in two"""

    name = "ttkit-reuse-carried-layouts"

    def run(self, op: ir.Operation) -> None:
        """Drops copies, then conversions that a later loop has for them, which can make a copy there."""
        for _ in collect(op, ["scf.for"]):
            replaced = [take_result_from_copy(loop) for loop in collect(op, ["scf.for"])]
            if not any(replaced):
                return
            drop_dead_loop_arguments(op)
            canonicalize_ops(op, ["scf.for"])
            RemoveLayoutConversions().run(op)


def take_result_from_copy(loop: ir.Operation) -> bool:
    """Replaces results that the loop carries for their own sake by conversions of copies; whether there were any."""
    numbers = range(len(loop.results))
    alone = [number for number in numbers if has_uses(final_value(loop, number)) and feeds_itself_alone(loop, number)]
    replaced = False
    for number in alone:
        result = final_value(loop, number)
        for other in numbers:
            copy = final_value(loop, other)
            if other in alone or copy.type == result.type or not same_but_for_layout(result.type, copy.type):
                continue
            if EqualButForLayouts().carried_equal(loop, number, other):
                with ir.InsertionPoint.after(loop), loop.location:
                    result.replace_all_uses_with(ttg.convert_layout(copy, result.type))
                replaced = True
                break
    return replaced


def feeds_itself_alone(loop: ir.Operation, number: int) -> bool:
    """Whether an iteration uses a tensor that the loop carries for its next value alone."""
    argument = carried_argument(loop, number)
    seen, pending = {argument}, [argument]
    while pending:
        for use in pending.pop().uses:
            user = use.owner.operation
            if user.name == "scf.yield" and user.parent == loop and use.operand_number == number:
                continue
            if len(user.regions) or not len(user.results) or not is_memory_effect_free(user):
                return False
            new = [result for result in user.results if result not in seen]
            seen.update(new)
            pending += new
    return isinstance(argument.type, ir.RankedTensorType)


def same_but_for_layout(first: ir.Type, second: ir.Type) -> bool:
    """Whether two types are equal, or tensors of one shape and type of elements."""
    if not isinstance(first, ir.RankedTensorType) or not isinstance(second, ir.RankedTensorType):
        return first == second
    return first.shape == second.shape and first.element_type == second.element_type


class EqualButForLayouts(CarriedEquality):
    """Equality of elements, in any layout, along all loops."""

    def carried_equal(self, loop: ir.Operation, first: int, second: int) -> bool:
        """Whether two values that an scf.for carries have the same elements in every iteration and after the last."""
        return self.hold([(final_value(loop, first), final_value(loop, second))])

    def source(self, value: ir.Value) -> ir.Value:
        """The value that conversions of layouts were made from."""
        while not isinstance(value.owner, ir.Block) and value.owner.operation.name == CONVERT_LAYOUT:
            value = value.owner.opview.src
        return value

    def same_type(self, first: ir.Type, second: ir.Type) -> bool:
        """See `same_but_for_layout`."""
        return same_but_for_layout(first, second)

    def causes_of_carried(self, loop: ir.Operation, first: int, second: int) -> list[Pair] | None:
        """The values that an scf.for starts with, and those that it yields."""
        body = body_of(loop)
        return [
            (initial_value(loop, first), initial_value(loop, second)),
            (yielded(body, first), yielded(body, second)),
        ]

    def alike(self, first: ir.Operation, second: ir.Operation) -> bool:
        """Whether two operations give the same elements for the same elements of their operands, in any layout."""
        if first.name != second.name or len(first.operands) != len(second.operands):
            return False
        if first.name == "arith.constant":
            numbers = [constant_splat_attribute(op.result) or op.attributes["value"] for op in (first, second)]
            return numbers[0] == numbers[1]
        by_element = first.name in SAME_IN_EACH_LAYOUT or first.name.partition(".")[0] in DIALECTS_OF_ELEMENTS
        return (
            by_element
            and not len(first.regions)
            and is_memory_effect_free(first)
            and "allow_reorder" not in first.attributes
            and dict(first.attributes) == dict(second.attributes)
            and all(same_but_for_layout(a.type, b.type) for a, b in zip(first.results, second.results))
        )
