"""Mistakes that are planted, by a rule, in the IR that a pass left: each is one change of one operation."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from mlir import ir

from ttkit.context import parse_text
from ttkit.inspection import collect, terminator

Change = Callable[[ir.Operation], bool]
"""Changes an operation; gives whether there was something to change."""


@dataclass(frozen=True)
class Mistake:
    """A rule by which IR becomes wrong.

    kind: the mistake in words.
    operations: those that it may be planted in.
    """

    kind: str
    operations: tuple[str, ...]
    change: Change


def swapped(first: int, second: int) -> Change:
    """Two operands change places."""

    def change(op: ir.Operation) -> bool:
        """Swaps them, if they are of one type and not one value."""
        a, b = op.operands[first], op.operands[second]
        if a.type != b.type or a == b:
            return False
        op.operands[first], op.operands[second] = b, a
        return True

    return change


def attribute(name: str, values: dict[int, int] | Callable[[int], int | None]) -> Change:
    """An integer attribute gets another value."""

    def change(op: ir.Operation) -> bool:
        """Sets it, if it has one that has another."""
        if name not in op.attributes:
            return False
        old = op.attributes[name]
        new = values.get(old.value) if isinstance(values, dict) else values(old.value)
        if new is None:
            return False
        op.attributes[name] = ir.IntegerAttr.get(old.type, new)
        return True

    return change


def other_operation(names: dict[str, str]) -> Change:
    """Another operation of the same operands and types."""

    def change(op: ir.Operation) -> bool:
        """Puts it in the place of the operation."""
        kept = {name: op.attributes[name] for name in op.attributes if name not in ("fastmath", "overflowFlags")}
        with ir.InsertionPoint(op), op.location:
            types = [result.type for result in op.results]
            new = ir.Operation.create(names[op.name], types, list(op.operands), kept)
        for old, result in zip(op.results, new.results):
            old.replace_all_uses_with(result)
        op.erase()
        return True

    return change


def mask_dropped(position: int) -> Change:
    """The mask is true everywhere."""

    def change(op: ir.Operation) -> bool:
        """Sets it, if there is one."""
        if "operandSegmentSizes" in op.attributes:
            sizes = list(op.attributes["operandSegmentSizes"])
            if not sizes[position]:
                return False
            place = sum(sizes[:position])
        else:
            place = position
            if len(op.operands) <= place:
                return False
        mask = op.operands[place]
        with ir.InsertionPoint(op), op.location:
            one = ir.IntegerAttr.get(ir.IntegerType.get_signless(1), 1)
            value = ir.DenseElementsAttr.get_splat(mask.type, one) if isinstance(mask.type, ir.ShapedType) else one
            op.operands[place] = ir.Operation.create("arith.constant", [mask.type], [], {"value": value}).result
        return True

    return change


def constant_moved(op: ir.Operation) -> bool:
    """A constant is one more; a float twice as large."""
    value, kind = op.attributes["value"], op.results[0].type
    element = kind.element_type if isinstance(kind, ir.ShapedType) else kind
    if isinstance(value, ir.DenseElementsAttr):
        if not value.is_splat or not isinstance(element, (ir.IntegerType, ir.F32Type)):
            return False
        value = value.get_splat_value()
    if isinstance(element, ir.IntegerType) and element.width > 1:
        moved = -1 if value.value == LARGEST else 1
        new = ir.IntegerAttr.get(element, value.value + moved)
    elif isinstance(element, ir.F32Type) and value.value == value.value:
        new = ir.FloatAttr.get(element, value.value * 2 + 1 if abs(value.value) < 1e30 else 0.0)
    else:
        return False
    op.attributes["value"] = ir.DenseElementsAttr.get_splat(kind, new) if isinstance(kind, ir.ShapedType) else new
    return True


LARGEST = (1 << 63) - 1
"""A number after which MLIR's bindings take none."""


def erased(op: ir.Operation) -> bool:
    """An effect is lost."""
    if any(True for result in op.results for _ in result.uses):
        return False
    op.erase()
    return True


def carried_stale(op: ir.Operation) -> bool:
    """A loop goes on with the value it had, and not with the new one."""
    block = op.regions[0].blocks[0]
    end = terminator(block)
    for place, value in enumerate(end.operands):
        argument = block.arguments[place + 1]
        if value != argument:
            end.operation.operands[place] = argument
            return True
    return False


def carried_swapped(op: ir.Operation) -> bool:
    """Two values that a loop carries change places."""
    end = terminator(op.regions[0].blocks[0]).operation
    for a in range(len(end.operands)):
        for b in range(a):
            if end.operands[a].type == end.operands[b].type and end.operands[a] != end.operands[b]:
                end.operands[a], end.operands[b] = end.operands[b], end.operands[a]
                return True
    return False


def bound_moved(place: int) -> Change:
    """A bound of a loop is one more."""

    def change(op: ir.Operation) -> bool:
        """Adds one."""
        bound = op.operands[place]
        with ir.InsertionPoint(op), op.location:
            one = ir.Operation.create(
                "arith.constant", [bound.type], [], {"value": ir.IntegerAttr.get(bound.type, 1)}
            ).result
            op.operands[place] = ir.Operation.create("arith.addi", [bound.type], [bound, one]).result
        return True

    return change


def other_value(op: ir.Operation) -> bool:
    """The first operand is the value that was made before the right one, of the same type."""
    value = op.operands[0]
    found = None
    for before in op.operation.block.operations:
        if before.operation == op:
            break
        for result in before.operation.results:
            if result.type == value.type and result != value:
                found = result
    if found is None:
        return False
    op.operands[0] = found
    return True


def order_kept(op: ir.Operation) -> bool:
    """A square tensor is not transposed."""
    if op.operands[0].type != op.results[0].type:
        return False
    op.results[0].replace_all_uses_with(op.operands[0])
    return True


def scales_swapped(op: ir.Operation) -> bool:
    """The scales of both operands of a product change places."""
    first = 3 + op.attributes["operandSegmentSizes"][3]
    return swapped(first, first + 1)(op)


COMPARISONS = {0: 1, 1: 0, 2: 3, 3: 2, 4: 5, 5: 4, 6: 7, 7: 6, 8: 9, 9: 8}
MISTAKES = (
    Mistake("swapped operands", ("arith.subf", "arith.subi", "arith.divf", "arith.divsi"), swapped(0, 1)),
    Mistake("swapped operands", ("tt.dot", "ttng.warp_group_dot"), swapped(0, 1)),
    Mistake("swapped operands", ("ttng.tc_gen5_mma", "ttng.tc_gen5_mma_scaled"), swapped(0, 1)),
    Mistake("swapped scales", ("ttng.tc_gen5_mma_scaled",), scales_swapped),
    Mistake("another type of elements", ("ttng.tc_gen5_mma_scaled",), attribute("a_type", {0: 1, 1: 0})),
    Mistake("swapped choices", ("arith.select",), swapped(1, 2)),
    Mistake("wrong comparison", ("arith.cmpi",), attribute("predicate", COMPARISONS)),
    Mistake("wrong sign of a comparison", ("arith.cmpi",), attribute("predicate", {2: 6, 3: 7, 4: 8, 5: 9, 6: 2})),
    Mistake("wrong comparison", ("arith.cmpf",), attribute("predicate", {2: 3, 3: 2, 4: 5, 5: 4, 8: 11, 1: 6})),
    Mistake("wrong extension", ("arith.extsi", "arith.extui"), other_operation(
        {"arith.extsi": "arith.extui", "arith.extui": "arith.extsi"})),
    Mistake("wrong operation", ("arith.addi", "arith.subi", "arith.addf", "arith.mulf", "arith.maxnumf"),
            other_operation(
        {"arith.addi": "arith.subi", "arith.subi": "arith.addi", "arith.addf": "arith.subf", "arith.mulf": "arith.addf",
         "arith.maxnumf": "arith.minnumf"})),
    Mistake("wrong number", ("arith.constant",), constant_moved),
    Mistake("dropped mask of a load", ("tt.load",), mask_dropped(1)),
    Mistake("dropped mask of a store", ("tt.store",), mask_dropped(2)),
    Mistake("dropped mask of an update", ("tt.atomic_rmw",), mask_dropped(2)),
    Mistake("dropped mask of a copy", ("ttg.async_copy_global_to_local",), mask_dropped(2)),
    Mistake("lost effect", ("tt.store", "ttg.local_store", "ttg.async_wait",
                            "ttng.async_tma_reduce", "ttng.async_tma_scatter", "ttng.wait_barrier"), erased),
    Mistake("stale value in a loop", ("scf.for",), carried_stale),
    Mistake("swapped values of a loop", ("scf.for",), carried_swapped),
    Mistake("loop begins late", ("scf.for",), bound_moved(0)),
    Mistake("loop ends late", ("scf.for",), bound_moved(1)),
    Mistake("another value", ("tt.addptr", "arith.mulf", "arith.addf", "arith.truncf", "tt.reduce", "tt.expand_dims",
                              "ttg.local_load", "ttg.convert_layout", "arith.muli"), other_value),
    Mistake("another axis of the grid", ("tt.get_program_id",), attribute("axis", {0: 1, 1: 0, 2: 0})),
    Mistake("another update", ("tt.atomic_rmw",), attribute("atomic_rmw_op", {5: 4, 4: 5, 6: 7, 7: 6, 1: 2, 2: 1})),
    Mistake("another update", ("ttng.async_tma_reduce",), attribute("kind", {1: 2, 2: 3, 3: 2, 6: 7, 7: 8, 8: 6})),
    Mistake("one group too many in flight", ("ttg.async_wait",), attribute("num", lambda value: value + 1)),
    Mistake("one product too many in flight", ("ttng.warp_group_dot_wait",), attribute("pendings", lambda v: v + 1)),
    Mistake("lost transpose", ("tt.trans", "ttg.memdesc_trans"), order_kept),
)  # fmt: skip


def planted(
    text: str, context: ir.Context, seed: int, each: int = 1, mistakes: Sequence[Mistake] = MISTAKES
) -> Iterator[tuple[str, str, str]]:
    """Copies of a module, each with one mistake: its kind, the operation, and the text of the copy.

    Args:
        each: at most so many of each mistake, at places that the seed chooses.
    """
    choose = random.Random(seed)
    for mistake in mistakes:
        count = len(collect(parse_text(text, context).operation, mistake.operations))
        places = choose.sample(range(count), count)
        made = 0
        for place in places:
            if made == each:
                break
            module = parse_text(text, context)
            op = collect(module.operation, mistake.operations)[place]
            name = op.name
            with context, op.location:
                if not mistake.change(op):
                    continue
                try:
                    module.operation.verify()
                except ir.MLIRError:
                    continue
            made += 1
            yield mistake.kind, name, module.operation.get_asm(print_generic_op_form=True)
