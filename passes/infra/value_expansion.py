"""Replacing each value of some types by several values, through functions, calls, branches and loops.

A pass has rules for the operations that define, change and use such values.  The functions, calls and control flow
between these operations are rewritten here, in the same way for every pass:

    %r = scf.for ... iter_args(%a = %x) -> (T)       %r:2 = scf.for ... iter_args(%a0 = %x0, %a1 = %x1) -> (A, B)
      ...                                       =>     ...
      scf.yield %y : T                                 scf.yield %y0, %y1 : A, B

Likewise tt.func (also without a body), tt.call, tt.return, scf.while, scf.if, scf.index_switch, scf.execute_region,
cf.br, cf.cond_br, arith.select (which becomes an scf.if) and ub.poison.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from mlir import ir

from ttkit.dialects import builtin, scf
from ttkit.inspection import address_of, collect
from ttkit.operation_sets import LOOPS
from ttkit.passes.infra.nesting import point_after
from ttkit.passes.infra.transforms import set_operands
from ttkit.passes.infra.value_flow import (
    BRANCHES,
    YIELDING,
    MergePoint,
    Place,
    ValueFlow,
    function_type,
    spread_size,
    spread_types,
)

Parts: TypeAlias = tuple[ir.Value, ...]
Rule: TypeAlias = Callable[[ir.Operation], Parts | None]
"""Builds the new operations in front of the old one.  Returns the parts of its result if that is expanded; the rule
itself replaces any other result.  The old operation is erased later."""


class ValueExpansion:
    """Replaces every value of some types, in `root`, by its parts.

        expansion = ValueExpansion(module, part_types, {"my.make": make, "my.use": use}, seeds=["my.make"])
        expansion.run()     # rules call expansion.parts(value)

    Args:
        root: an operation that contains functions.
        part_types: gives the types of the parts that replace a value of a type; None for ordinary types.
        rules: operation name -> rule for operations with such an operand or result.
        seeds: names of the operations from which such values are followed, in addition to functions and calls.
        casts: whether to keep operations of other dialects that have such values, between casts; otherwise they are
            refused.

    Attributes:
        merge_points: the merge points of such values; their `carried` and `fixed` may be changed until `run`.

    Raises:
        PassError: an operation with such a value can't be rewritten.  The IR is unchanged.
    """

    def __init__(
        self,
        root: ir.Operation,
        part_types: Callable[[ir.Type], list[ir.Type] | None],
        rules: Mapping[str, Rule],
        seeds: Sequence[str],
        casts: bool = False,
    ) -> None:
        self._root, self._rules = root, rules
        self._flow = ValueFlow(root, part_types, rules, seeds, casts)
        self.merge_points = self._flow.merge_points
        self._converted: set[int] = set()
        self._parts: dict[ir.Value, Parts] = {}
        # The values passed for a value.  Its parts are collected on first use, since fixed ones may be defined later.
        self._carried: dict[ir.Value, tuple[MergePoint, list[ir.Value]]] = {}
        self._dead: list[ir.Operation] = []
        self._dead_arguments: list[tuple[ir.Block, int, int]] = []

    def run(self) -> None:
        """Rewrites the operations that were found."""
        if not self._flow.found:
            return
        for op in collect(self._root, {op.name for op in self._flow.found.values()}):
            if address_of(op) in self._flow.found:
                self._convert(op)
        # Users first: an operation is converted after those that define its operands.
        for op in reversed(self._dead):
            op.erase()
        for block, first, count in self._dead_arguments:
            for _ in range(count):
                block.erase_argument(first)

    def parts(self, value: ir.Value) -> Parts:
        """Parts that replace an expanded value."""
        if value not in self._parts:
            if value not in self._carried:
                self._convert_owner(value)
            if value not in self._parts:
                point, carried = self._carried[value]
                given = dict(zip(point.carried, carried))
                fixed = {number: self.parts(source)[part] for number, (source, part) in point.fixed.items()}
                self._parts[value] = tuple((given | fixed)[number] for number in range(len(point.types)))
        return self._parts[value]

    def _convert_owner(self, value: ir.Value) -> None:
        owner = value.owner
        if isinstance(owner, ir.Block):
            if self._flow.place(value) in self.merge_points:  # a block that is asked for before the branches to it
                self._convert_arguments(owner)
                return
        elif address_of(owner.operation) in self._flow.found:
            self._convert(owner.operation)
            if value in self._parts or value in self._carried:
                return
        types = self._flow.types_of(value.type)
        assert types is not None
        place = point_after(value)
        self._parts[value] = tuple(builtin.unrealized_conversion_cast(types, [value], loc=value.location, ip=place))

    def _convert(self, op: ir.Operation) -> None:
        if address_of(op) in self._converted:
            return
        self._converted.add(address_of(op))
        name = op.name
        if name in self._rules:
            parts = self._rules[name](op)
            if parts is not None:
                self._parts[op.result] = parts
            self._dead.append(op)
        elif name == "tt.func":
            self._convert_function(op)
        elif name == "arith.select":
            self._convert_select(op)
        elif name == "ub.poison":
            types = self._flow.types_of(op.result.type) or []
            self._parts[op.result] = tuple(self._build(op, name, [type]).result for type in types)
            self._dead.append(op)
        elif name in (*YIELDING, "scf.for", "scf.while", "tt.call"):
            self._rebuild(op)
        elif name in BRANCHES:
            self._convert_branch(op)
        elif name in ("scf.yield", "scf.condition", "tt.return"):
            set_operands(op, self._spread(op.operands, self._flow.operand_places[address_of(op)]))
        else:
            self._cast_operands(op)

    def _rebuild(self, op: ir.Operation) -> None:
        """Replaces an operation by one with more operands and results and the same regions."""
        for block in [region.blocks[0] for region in op.regions if op.name in LOOPS]:
            self._convert_arguments(block)
        places = [self._flow.place(result) for result in op.results]
        operands = self._spread(op.operands, self._flow.operand_places[address_of(op)])
        types = spread_types([result.type for result in op.results], places)
        new = self._build(op, op.name, types, operands, regions=len(op.regions))
        for old_region, region in zip(op.regions, new.regions):
            for block in list(old_region.blocks):
                block.append_to(region)
        if op.name == "tt.call":
            self._spread_attributes(new, "arg_attrs", self._flow.operand_places[address_of(op)])
            self._spread_attributes(new, "res_attrs", places)
        self._register(list(op.results), places, list(new.results))
        self._dead.append(op)

    def _build(
        self, op: ir.Operation, name: str, types: Sequence[ir.Type], operands: Sequence[ir.Value] = (), regions: int = 0
    ) -> ir.Operation:
        """An operation in front of `op`, with its attributes and location."""
        where = {"loc": op.location, "ip": ir.InsertionPoint(op)}
        attributes = dict(op.attributes)
        return ir.Operation.create(
            name, results=types, operands=operands, attributes=attributes, regions=regions, **where
        )

    def _register(self, values: list[ir.Value], places: Sequence[Place], new: list[ir.Value]) -> None:
        """Records the parts in `new` of the expanded `values`, and replaces the others."""
        position = 0
        for value, place in zip(values, places):
            if place is None:
                value.replace_all_uses_with(new[position])
                position += 1
                continue
            given = new[position : position + spread_size(place)]
            position += len(given)
            if isinstance(place, MergePoint):
                self._carried[value] = (place, given)
            else:
                self._parts[value] = tuple(given)

    def _convert_arguments(self, block: ir.Block) -> None:
        """Replaces all arguments from the first expanded one on, since arguments can only be appended."""
        arguments = list(block.arguments)
        places = [self._flow.place(argument) for argument in arguments]
        first = next((number for number, place in enumerate(places) if place is not None), None)
        if first is None or arguments[first] in self._parts or arguments[first] in self._carried:
            return
        new: list[ir.Value] = []
        for argument, place in zip(arguments[first:], places[first:]):
            types = spread_types([argument.type], [place])
            new += [block.add_argument(type, argument.location) for type in types]
        self._register(arguments[first:], places[first:], new)
        self._dead_arguments.append((block, first, len(arguments) - first))

    def _convert_function(self, op: ir.Operation) -> None:
        signature = function_type(op)
        inputs = [self._flow.types_of(type) for type in signature.inputs]
        results = [self._flow.types_of(type) for type in signature.results]
        new = ir.FunctionType.get(spread_types(signature.inputs, inputs), spread_types(signature.results, results))
        op.attributes["function_type"] = ir.TypeAttr.get(new)
        self._spread_attributes(op, "arg_attrs", inputs)
        self._spread_attributes(op, "res_attrs", results)
        for block in list(op.regions[0].blocks)[:1]:
            self._convert_arguments(block)

    @staticmethod
    def _spread_attributes(op: ir.Operation, name: str, places: Sequence[Place]) -> None:
        """Attributes of an expanded argument or result go to its first part."""
        if name not in op.attributes:
            return
        spread: list[ir.Attribute] = []
        for attributes, place in zip(op.attributes[name], places):
            spread += [attributes] + [ir.DictAttr.get({})] * (spread_size(place) - 1)
        op.attributes[name] = ir.ArrayAttr.get(spread)

    def _convert_select(self, op: ir.Operation) -> None:
        """select(c, x, y) -> if c then x else y: one condition for several values."""
        point = self._flow.place(op.result)
        assert isinstance(point, MergePoint)
        sources = [self._spread([source], [point]) for source in point.sources]
        new = self._build(op, "scf.if", point.carried_types(), [op.opview.condition], regions=2)
        for region, source in zip(new.regions, sources):
            ip = ir.InsertionPoint(region.blocks.append())
            scf.yield_(source, loc=op.location, ip=ip)
        self._carried[op.result] = (point, list(new.results))
        self._dead.append(op)

    def _convert_branch(self, op: ir.Operation) -> None:
        for block in op.successors:
            self._convert_arguments(block)
        places = self._flow.operand_places[address_of(op)]
        set_operands(op, self._spread(op.operands, places))
        if op.name == "cf.cond_br":
            _, first, _ = op.attributes["operandSegmentSizes"]
            parts = places[:1], places[1 : 1 + first], places[1 + first :]
            sizes = [sum(map(spread_size, group)) for group in parts]
            op.attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get(sizes)

    def _cast_operands(self, op: ir.Operation) -> None:
        places = self._flow.operand_places[address_of(op)]
        if any(place is not None for place in places):
            pairs = zip(op.operands, places)
            set_operands(op, [value if place is None else self._cast(op, value) for value, place in pairs])

    def _cast(self, user: ir.Operation, value: ir.Value) -> ir.Value:
        """A cast of an expanded value back to one value, in front of its user."""
        where = {"loc": user.location, "ip": ir.InsertionPoint(user)}
        return builtin.unrealized_conversion_cast([value.type], self.parts(value), **where)[0]

    def _spread(self, values: Sequence[ir.Value], places: Sequence[Place]) -> list[ir.Value]:
        """The values, with the parts in place of expanded ones."""
        spread: list[ir.Value] = []
        for value, place in zip(values, places):
            if place is None:
                spread.append(value)
            elif isinstance(place, MergePoint):
                parts = self.parts(value)
                spread += (parts[number] for number in place.carried)
            else:
                spread += self.parts(value)
        return spread
