"""Operations of the llvm and nvvm dialects by their names: any, branches, calls, inline assembly.

All end in MLIR's own `ir.Operation.create`, as the builders of `ttkit.dialects` do, which cost no more; but tables say
which operation takes the place of another, so names are known at run time only.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mlir import ir

from ttkit.dialects._operation import create_unchecked

STAYS_A_LOOP = "#llvm.loop_annotation<unroll = <disable = true>>"
"""What a branch says that LLVM is not to unroll."""


class Operations:
    """Builds at `place` with `location`.

    Attributes:
        place: where operations go; None outside of a function.
        location: what they come from.
    """

    def __init__(self, context: ir.Context) -> None:
        self.context = context
        self.place: ir.InsertionPoint | None = None
        self.location = ir.Location.unknown(context)
        self.i1, self.i8, self.i16, self.i32, self.i64 = (
            ir.IntegerType.get_signless(bits, context) for bits in (1, 8, 16, 32, 64)
        )
        with context:
            self.f16, self.bf16, self.f32, self.f64 = (
                kind.get() for kind in (ir.F16Type, ir.BF16Type, ir.F32Type, ir.F64Type)
            )
            self.void = ir.Type.parse("!llvm.void")
            self.pointers = {space: ir.Type.parse(f"!llvm.ptr<{space}>") for space in (1, 3, 6, 7)}
            self.pointers[0] = ir.Type.parse("!llvm.ptr")
        self._vectors: dict[tuple[int, ir.Type], ir.Type] = {}
        self._attributes: dict[Any, ir.Attribute] = {}
        self._assembly: dict[tuple[str, str, bool], dict[str, ir.Attribute]] = {}

    # --- Types and attributes -----------------------------------------------------------------------------------------
    def vector(self, length: int, element: ir.Type) -> ir.Type:
        """The type of `length` elements."""
        key = (length, element)
        found = self._vectors.get(key)
        if found is None:
            found = self._vectors[key] = ir.VectorType.get([length], element, loc=ir.Location.unknown(self.context))
        return found

    def like(self, value: ir.Value, element: ir.Type) -> ir.Type:
        """The type with the shape of `value`, a scalar or vector, and another element type."""
        type = value.type
        return self.vector(type.shape[0], element) if isinstance(type, ir.VectorType) else element

    def struct(self, types: Iterable[ir.Type]) -> ir.Type:
        """The struct of these types."""
        return self._parsed(f"!llvm.struct<({', '.join(map(str, types))})>", ir.Type.parse)

    def attribute(self, text: str) -> ir.Attribute:
        """The attribute with this text, parsed once."""
        return self._parsed(text, ir.Attribute.parse)

    def _parsed(self, text: str, parse: Any) -> Any:
        if text not in self._attributes:
            self._attributes[text] = parse(text, self.context)
        return self._attributes[text]

    def integer(self, value: int, bits: int = 64) -> ir.Attribute:
        """An integer attribute."""
        key = (value, bits)
        if key not in self._attributes:
            type = ir.IntegerType.get_signless(bits, self.context)
            self._attributes[key] = ir.IntegerAttr.get(type, value)
        return self._attributes[key]

    def position(self, index: int) -> ir.Attribute:
        """The place of a field in a struct, as an attribute."""
        key = ("position", index)
        if key not in self._attributes:
            self._attributes[key] = ir.DenseI64ArrayAttr.get([index], self.context)
        return self._attributes[key]

    def constant_index(self, index: int) -> ir.Attribute:
        """The one index of an address computation, as an attribute."""
        key = ("index", index)
        if key not in self._attributes:
            self._attributes[key] = ir.DenseI32ArrayAttr.get([index], self.context)
        return self._attributes[key]

    def type_attribute(self, type: ir.Type) -> ir.Attribute:
        """A type as an attribute."""
        if type not in self._attributes:
            self._attributes[type] = ir.TypeAttr.get(type, self.context)
        return self._attributes[type]

    # --- Any operation ------------------------------------------------------------------------------------------------
    def create(
        self,
        name: str,
        results: Sequence[ir.Type],
        operands: Sequence[ir.Value],
        attributes: dict[str, Any] | None = None,
    ) -> ir.Operation:
        """An operation at the current place, with the current location."""
        return create_unchecked(name, results, operands, attributes, loc=self.location, ip=self.place)

    def op(self, name: str, type: ir.Type, *operands: ir.Value, **attributes: Any) -> ir.Value:
        """The result of operation `name` with one result."""
        return create_unchecked(name, (type,), operands, attributes or None, loc=self.location, ip=self.place).result

    def effect(self, name: str, *operands: ir.Value, **attributes: Any) -> None:
        """An operation without results."""
        create_unchecked(name, (), operands, attributes or None, loc=self.location, ip=self.place)

    def effect_with_successors(
        self, name: str, operands: Sequence[ir.Value], successors: Sequence[ir.Block], **attributes: Any
    ) -> None:
        """A terminator that goes on with one of several blocks."""
        create_unchecked(
            name, (), operands, attributes or None, successors=successors, loc=self.location, ip=self.place
        )

    def same(self, name: str, *operands: ir.Value, **attributes: Any) -> ir.Value:
        """An operation whose result has the type of its first operand."""
        return self.op(name, operands[0].type, *operands, **attributes)

    def branch(self, block: ir.Block, *values: ir.Value, **attributes: Any) -> None:
        """Goes on with a block, whose arguments get the values."""
        self.effect_with_successors("llvm.br", values, [block], **attributes)

    def branch_if(
        self,
        condition: ir.Value,
        then: tuple[ir.Block, Sequence[ir.Value]],
        otherwise: tuple[ir.Block, Sequence[ir.Value]],
        **attributes: Any,
    ) -> None:
        """Goes on with the first block where an i1 holds, else with the second; each has values for its arguments."""
        segments = self.attribute(f"array<i32: 1, {len(then[1])}, {len(otherwise[1])}>")
        values, successors = [condition, *then[1], *otherwise[1]], [then[0], otherwise[0]]
        self.effect_with_successors("llvm.cond_br", values, successors, operandSegmentSizes=segments, **attributes)

    def switch(self, number: ir.Value, default: ir.Block, cases: Mapping[int, ir.Block]) -> None:
        """Goes on with the block that an i8 stands for, else with the default one; none has arguments."""
        self.effect_with_successors(
            "llvm.switch",
            [number],
            [default, *cases.values()],
            case_operand_segments=self.attribute(f"array<i32: {', '.join('0' for _ in cases)}>"),
            case_values=self.attribute(f"dense<{list(cases)}> : vector<{len(cases)}xi8>"),
            operandSegmentSizes=self.attribute("array<i32: 1, 0, 0>"),
        )

    def begin_if(self, condition: ir.Value, otherwise: Sequence[ir.Value] = ()) -> ir.Block:
        """Has all that is made up to `end_if`, which takes the block that this gives, run where an i1 holds.

        otherwise: the results where it does not.
        """
        assert self.place is not None
        then = self.place.block.create_after()
        types = [value.type for value in otherwise]
        after = then.create_after(*types, arg_locs=[self.location] * len(types))
        self.branch_if(condition, (then, ()), (after, otherwise))
        self.place = ir.InsertionPoint(then)
        return after

    def end_if(self, after: ir.Block, results: Sequence[ir.Value] = ()) -> list[ir.Value]:
        """The results of `begin_if`, given those of what runs."""
        self.branch(after, *results)
        self.place = ir.InsertionPoint(after)
        return list(after.arguments)

    def intrinsic(self, name: str, type: ir.Type, *operands: ir.Value) -> ir.Value:
        """A call of an LLVM intrinsic such as llvm.nvvm.ex2.approx; its result."""
        return self._intrinsic(name, (type,), operands).result

    def intrinsic_effect(self, name: str, *operands: ir.Value) -> None:
        """A call of an LLVM intrinsic that has no result, such as llvm.nvvm.membar.cta."""
        self._intrinsic(name, (), operands)

    def named_barrier(self, number: ir.Value, threads: ir.Value) -> None:
        """So many threads wait for each other at a barrier of the hardware.

        It is what nvvm.barrier becomes, whose text with a location MLIR 22 can't read again.
        """
        self.intrinsic_effect("llvm.nvvm.barrier.cta.sync.aligned.count", number, threads)

    def _intrinsic(self, name: str, types: Sequence[ir.Type], operands: Sequence[ir.Value]) -> ir.Operation:
        return self._call("llvm.call_intrinsic", types, operands, intrin=ir.StringAttr.get(name, self.context))

    def call(self, callee: ir.Attribute, types: Sequence[ir.Type], operands: Sequence[ir.Value]) -> ir.Operation:
        """A call of a function."""
        return self._call("llvm.call", types, operands, callee=callee)

    def _call(
        self, name: str, types: Sequence[ir.Type], operands: Sequence[ir.Value], **callee: ir.Attribute
    ) -> ir.Operation:
        bundles, segments = self.attribute("array<i32>"), self.attribute(f"array<i32: {len(operands)}, 0>")
        return self.create(
            name, types, operands, {**callee, "op_bundle_sizes": bundles, "operandSegmentSizes": segments}
        )

    def inline_asm(
        self, text: str, constraints: str, type: ir.Type | None, *operands: ir.Value, effects: bool = True
    ) -> ir.Value | None:
        """Inline PTX; `type` is a struct where there are several outputs."""
        key = text, constraints, effects  # each of an access's instructions has the same
        attributes = self._assembly.get(key)
        if attributes is None:
            attributes = self._assembly[key] = {
                "asm_string": ir.StringAttr.get(text, self.context),
                "constraints": ir.StringAttr.get(constraints, self.context),
                "asm_dialect": self.integer(0),
                "operand_attrs": self.attribute("[]"),
            }
            if effects:
                attributes["has_side_effects"] = ir.UnitAttr.get(self.context)
        created = self.create("llvm.inline_asm", () if type is None else (type,), operands, attributes)
        return created.result if type is not None else None
