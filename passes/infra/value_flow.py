"""Flow of values of some types through functions, calls, branches and loops."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeAlias

from mlir import ir

from ttkit.inspection import address_of, collect, terminator
from ttkit.operation_sets import MEMDESC_VIEWS, YIELDING
from ttkit.passes.infra.base import PassError
from ttkit.passes.infra.nesting import yields_of
from ttkit.passes.infra.rewriting import defining_name

BRANCHES = ("cf.br", "cf.cond_br")
# Dialects whose other operations are refused: no later pass could remove casts around them.
KNOWN_DIALECTS = ("tt", "arith", "scf", "cf", "ub")


class MergePoint:
    """A merge point of control flow: each of `merged` is one of `sources`, all of one type, before the rewriting.

    Attributes:
        op: the operation with that control flow.
        merged: for example, the iteration argument and the result of a loop.
        sources: for example, its initial value and the yielded one.
        types: the types of the parts.
        carried: the numbers of the parts that control flow passes along its edges.
        fixed: number of each other part -> (value, number): the part of that value that it is on all edges.
    """

    def __init__(self, op: ir.Operation, merged: list[ir.Value], sources: list[ir.Value], types: list[ir.Type]) -> None:
        self.op, self.merged, self.sources, self.types = op, merged, sources, types
        self.carried = list(range(len(types)))
        self.fixed: dict[int, tuple[ir.Value, int]] = {}

    def carried_types(self) -> list[ir.Type]:
        """Types of the parts that have to be carried."""
        return [self.types[number] for number in self.carried]


Place: TypeAlias = MergePoint | list[ir.Type] | None
"""The replacement of an operand, result or argument: a merge point, the types of its parts, or None if it stays."""


class ValueFlow:
    """The operations with values to be expanded, found before anything changes.

    Args:
        root: an operation that contains functions.
        part_types: gives the types of the parts that replace a value of a type; None for ordinary types.
        rewritten: names of the operations that may have such values, in addition to control flow.
        seeds: names of the operations from which values are followed, in addition to functions and calls.
        casts: whether operations of other dialects may have such values too.

    Attributes:
        found: the operations by address, since their hashes change with their operands.
        merge_points: the merge points of such values.
        operand_places: address of an operation -> the replacement of each operand.

    Raises:
        PassError: another operation has such a value.
    """

    def __init__(
        self,
        root: ir.Operation,
        part_types: Callable[[ir.Type], list[ir.Type] | None],
        rewritten: Collection[str],
        seeds: Sequence[str],
        casts: bool,
    ) -> None:
        self.found: dict[int, ir.Operation] = {}
        self.merge_points: list[MergePoint] = []
        self._part_types, self._rewritten, self._casts = part_types, rewritten, casts
        self._types: dict[ir.Type, list[ir.Type] | None] = {}
        self._merge_of: dict[ir.Value, MergePoint] = {}
        self._waiting: list[ir.Value] = []
        for op in collect(root, [*seeds, "tt.func", "tt.call", "ub.poison"]):
            if self._has_expanded(op):
                self._visit(op)
                self._follow()
        self.operand_places = {address: self._operand_places(op) for address, op in self.found.items()}

    def types_of(self, type: ir.Type) -> list[ir.Type] | None:
        """The types of the parts of a value of that type; None for ordinary types."""
        if type not in self._types:
            self._types[type] = self._part_types(type)
        return self._types[type]

    def place(self, value: ir.Value) -> Place:
        """Place of a result or an argument: its merge point, or else the types that replace it."""
        return self._merge_of.get(value) or self.types_of(value.type)

    # --- Following values --------------------------------------------------------------------------------------------
    def _is_expanded(self, value: ir.Value) -> bool:
        return self.types_of(value.type) is not None

    def _has_expanded(self, op: ir.Operation) -> bool:
        if op.name == "tt.func":
            signature = function_type(op)
            return any(self.types_of(type) is not None for type in [*signature.inputs, *signature.results])
        return any(map(self._is_expanded, op.results)) or any(map(self._is_expanded, op.operands))

    def _follow(self) -> None:
        while self._waiting:
            for use in list(self._waiting.pop().uses):
                self._visit(use.owner.operation)

    def _visit(self, op: ir.Operation) -> None:
        if address_of(op) in self.found:
            return
        self.found[address_of(op)] = op
        name = op.name
        if name in self._rewritten or name in ("tt.call", "ub.poison"):
            self._waiting += filter(self._is_expanded, op.results)
        elif name in ("scf.yield", "scf.condition"):
            self._visit_parent(op)
        elif name == "tt.func":
            self._visit_function(op)
        elif name == "scf.for":
            self._visit_for(op)
        elif name == "scf.while":
            self._visit_while(op)
        elif name in YIELDING:
            self._visit_yielding(op)
        elif name in BRANCHES:
            for block in op.successors:
                self._visit_block(op, block)
        elif name == "arith.select":
            self._merge(op, [op.result], [op.opview.true_value, op.opview.false_value])
        elif name != "tt.return" and (not self._casts or name.split(".")[0] in KNOWN_DIALECTS):
            self._refuse(op)

    def _refuse(self, op: ir.Operation) -> None:
        types = [value.type for value in [*op.operands, *op.results] if self._is_expanded(value)]
        text = f"a value of type {types[0]}" if types else "such a value"
        allowed = ", ".join(self._rewritten)
        raise PassError(op, f"'{op.name}' can't have {text}; only {allowed}, calls, and scf and cf control flow can")

    def _merge(self, op: ir.Operation, merged: list[ir.Value], sources: list[ir.Value]) -> None:
        types = self.types_of(merged[0].type)
        if types is None:
            return
        point = MergePoint(op, merged, sources, types)
        self.merge_points.append(point)
        for value in merged:
            self._merge_of[value] = point
        self._waiting += merged

    def _visit_parent(self, op: ir.Operation) -> None:
        parent = op.parent.operation
        if parent.name not in (*YIELDING, "scf.for", "scf.while"):
            self._refuse(op)
        self._visit(parent)

    def _visit_function(self, op: ir.Operation) -> None:
        blocks = list(op.regions[0].blocks)
        for block in blocks[:1]:
            self._waiting += filter(self._is_expanded, block.arguments)
        for last in [terminator(block).operation for block in blocks]:
            if last.name == "tt.return":
                self._visit(last)

    def _visit_for(self, op: ir.Operation) -> None:
        block = op.regions[0].blocks[0]
        last = terminator(block).operation
        self._visit(last)
        carried = zip(list(block.arguments)[1:], op.results, op.opview.initArgs, last.operands)
        for argument, result, initial, following in carried:
            self._merge(op, [argument, result], [initial, following])

    def _visit_while(self, op: ir.Operation) -> None:
        before, after = (region.blocks[0] for region in op.regions)
        condition, last = terminator(before).operation, terminator(after).operation
        self._visit(condition)
        self._visit(last)
        for argument, initial, following in zip(before.arguments, op.operands, last.operands):
            self._merge(op, [argument], [initial, following])
        for argument, result, passed in zip(after.arguments, op.results, condition.opview.args):
            self._merge(op, [argument, result], [passed])

    def _visit_yielding(self, op: ir.Operation) -> None:
        lasts = yields_of(op)
        for last in lasts:
            self._visit(last)
        for result, *values in zip(op.results, *(last.operands for last in lasts)):
            self._merge(op, [result], values)

    def _visit_block(self, op: ir.Operation, block: ir.Block) -> None:
        """The arguments of a block that `op` branches to, if this is the first branch to it."""
        expanded = [argument for argument in block.arguments if self._is_expanded(argument)]
        if not expanded or expanded[0] in self._merge_of:
            return
        for argument in expanded:
            # Without sources: what reaches a block need not be visible there, so all parts are carried.
            self._merge(op, [argument], [])
        for predecessor in block.predecessors:
            last = terminator(predecessor).operation
            if last.name not in BRANCHES:
                self._refuse(last)
            self._visit(last)

    # --- Places ------------------------------------------------------------------------------------------------------
    def _operand_places(self, op: ir.Operation) -> list[Place]:
        """Place of each operand of an operation, before anything has changed."""
        name, parent = op.name, op.parent.operation
        if name == "scf.for":
            return [None] * 3 + [self.place(argument) for argument in list(op.regions[0].blocks[0].arguments)[1:]]
        if name == "scf.while" or (name == "scf.yield" and parent.name == "scf.while"):
            loop = op if name == "scf.while" else parent
            return [self.place(argument) for argument in loop.regions[0].blocks[0].arguments]
        if name in ("scf.yield", "scf.condition"):
            return [None] * (name == "scf.condition") + [self.place(result) for result in parent.results]
        if name in BRANCHES:
            arguments = [argument for block in op.successors for argument in block.arguments]
            return [None] * (name == "cf.cond_br") + [self.place(argument) for argument in arguments]
        return [self.types_of(operand.type) for operand in op.operands]


def function_type(op: ir.Operation) -> ir.FunctionType:
    """Types of the parameters and results of a tt.func."""
    return ir.FunctionType(ir.TypeAttr(op.attributes["function_type"]).value)


def spread_types(types: Sequence[ir.Type], places: Sequence[Place]) -> list[ir.Type]:
    """The types, with those of the parts in place of expanded values."""
    spread: list[ir.Type] = []
    for type, place in zip(types, places):
        spread += [type] if place is None else place.carried_types() if isinstance(place, MergePoint) else place
    return spread


def spread_size(place: Place) -> int:
    """The number of values that replace one."""
    return 1 if place is None else len(place.carried) if isinstance(place, MergePoint) else len(place)


def viewed(value: ir.Value, views: Collection[str] = MEMDESC_VIEWS) -> ir.Value:
    """The memory of which a value is a view, through operations of these names; the value itself if it is not one."""
    while defining_name(value) in views:
        value = value.owner.src
    return value
