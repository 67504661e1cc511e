"""Check accesses to global memory against the bounds of the arguments, and note those that are outside.

    tt.func @k(%x: !tt.ptr<f32>, ...) { ... %v = tt.load %p, %mask : tensor<1024x!tt.ptr<f32>, #b>
  =>
    tt.func @k(%x: !tt.ptr<f32>, ..., %table: !tt.ptr<i64>) { %base, %size = table[0], table[1] ...
      %offset = tt.ptr_to_int %p - %base
      %inside = %mask and %offset >= 0 and %offset <= %size - 4 {tt.constancy = that of %mask}
      %outside = %mask and not %inside
      tt.atomic_rmw umin, table[the place of this access], %program << 40 | %offset, %outside
      %v = tt.load %p, %inside

The table is an argument after the others, of i64: base and size in bytes for each argument that is a pointer or a
tensor descriptor, whose base counts from the descriptor's; then one number for each access (`sites`), which the least
pair of program and offset replaces; -1 means no access.  Offsets have 40 bits and are moved by 2^39.  Elements outside
are not accessed, but a vector is accessed whole if its first element is inside: `tt.constancy` keeps accesses as wide
as they were.

A block that TMA copies is outside if a part of it is that the descriptor has; it is then moved past the shape, where
loads give zeros and stores do nothing:

    ttng.async_tma_copy_global_to_local %desc[%i, %j] ...
  =>
    %first = max(%i, 0) * stride0 + max(%j, 0) * stride1            // shape and strides: the arguments after %desc,
    %last = (min(%i + 64, shape0) - 1) * stride0 + ... + 2          // or those of the tensormap_create
    %ok = nothing is left of the block, or %first and %last are within table[0], table[1]
    %at = select %ok, %i, shape0
    ttng.async_tma_copy_global_to_local %desc[%at, %j] ...

Input:  ttg.      Output: ttg, with one more argument.
Order:  last, so that all accesses are there in their final form.
Skips:  pointers and descriptors that come from no argument (loaded from memory), or from one or another; arguments
        that are block pointers; gathers and scatters by descriptor, and elements of four bits; code of
        warp-specialized groups and of tt.map_elementwise, and functions that are called.
Test:   test/lit/passes/instrument_memory.mlir
"""

from __future__ import annotations

from mlir import ir

from ttkit.analysis.axis_analysis import AxisInfoAnalysis
from ttkit.analysis.control_flow import incoming_values
from ttkit.dialects import arith, tt
from ttkit.dialects._tt_types import PointerType, TensorDescType
from ttkit.inspection import enclosing, is_public
from ttkit.operation_sets import ALL_POINTER_ACCESSES, CONVERT_LAYOUT, MASKS, WARP_SPECIALIZE
from ttkit.passes.infra import Pass, collect
from ttkit.passes.infra.masks import access_mask, pointer_of, set_mask
from ttkit.passes.infra.value_flow import function_type
from ttkit.records import dataclass

COORDINATES = {
    "ttng.async_tma_copy_global_to_local": lambda op: slice(1, len(op.operands) - 3),
    "ttng.async_tma_copy_local_to_global": lambda op: slice(1, len(op.operands) - 1),
    "ttng.async_tma_reduce": lambda op: slice(1, len(op.operands) - 1),
}
"""Accesses by descriptor, the first operand; the positions of coordinates."""
THROUGH = (
    "tt.addptr",
    "tt.splat",
    "tt.broadcast",
    "tt.expand_dims",
    "tt.reshape",
    "tt.trans",
    "tt.bitcast",
    CONVERT_LAYOUT,
)
OFFSET_BITS = 40
LEFT_OUT = (WARP_SPECIALIZE, "tt.map_elementwise")
"""Operations in whose regions nothing is checked: a check stores, which those of tt.map_elementwise must not do."""


class InstrumentMemory(Pass):
    """Note accesses to global memory that are outside of the arguments"""

    name = "ttkit-instrument-memory"
    takes_launch_to_follow = "it passes the table of buffers"

    def run(self, op: ir.Operation) -> None:
        """Instruments the kernels that no code calls: callers would not pass the new arguments."""
        called = {call.attributes["callee"].value for call in collect(op, ["tt.call"])}
        for function in collect(op, ["tt.func"]):
            if is_kernel(function) and function.attributes["sym_name"].value not in called:
                Instrumentation(function).add(sites(function))


def is_kernel(function: ir.Operation) -> bool:
    """Whether a function is launched."""
    return is_public(function) and bool(function.regions[0].blocks)


def sites(function: ir.Operation) -> list[tuple[ir.Operation, int]]:
    """The accesses of a kernel that are checked, in order, and the number of the argument that each is of."""
    found = []
    for access in collect(function, [*ALL_POINTER_ACCESSES, *COORDINATES]):
        if access.name in COORDINATES:
            described = description(access.opview.desc)
            argument = described.argument if described is not None else None
        else:
            argument = argument_of(pointer_of(access))
        if argument is not None and not enclosing(access, *LEFT_OUT):
            found.append((access, argument))
    return found


def is_to_element(kind: ir.Type) -> bool:
    """Whether a type is that of pointers, and not of block pointers."""
    return isinstance(kind, PointerType) and not isinstance(kind.pointee_type, ir.RankedTensorType)


def argument_of(pointer: ir.Value) -> int | None:
    """The number of the argument that a pointer is computed from; None if it is unknown or not always the same."""
    found, left = set(), [pointer]
    seen: set[ir.Value] = set()
    while left:
        value = left.pop()
        if value in seen:
            continue
        seen.add(value)
        owner, sources = value.owner, incoming_values(value)
        if sources is not None:
            left += sources
        elif isinstance(owner, ir.Block):
            is_given = owner.owner.operation.name == "tt.func" and is_to_element(value.type)
            found.add(ir.BlockArgument(value).arg_number if is_given else None)
        elif owner.operation.name == "arith.select":
            left += [owner.true_value, owner.false_value]
        elif owner.operation.name in THROUGH:
            left.append(owner.ptr if owner.operation.name == "tt.addptr" else owner.src)
        else:
            return None
    return found.pop() if len(found) == 1 else None


@dataclass(frozen=True)
class Description:
    """A tensor descriptor: the argument that its memory is of, and its tensor, the outermost dimension first.

    base: a pointer to the first element; None for an argument, whose row of the table counts from there.
    shape: sizes in elements, i32.  steps: strides, i64, None for 1.  unit: bytes that steps count.
    """

    argument: int
    base: ir.Value | None
    shape: list[ir.Value]
    steps: list[ir.Value | None]
    unit: int


def description(descriptor: ir.Value) -> Description | None:
    """A descriptor that is an argument, or that the kernel makes of one; None if that is not known."""
    kind = TensorDescType(descriptor.type).block_type
    if "fp4Padded = true" in str(kind.encoding) or kind.element_type.width < 8:
        return None
    if TensorDescType(descriptor.type).is_im2col:  # TMA walks through the pixels, and stays inside by itself
        return None
    if isinstance(descriptor.owner, ir.Block):
        if descriptor.owner.owner.operation.name != "tt.func":
            return None
        first = ir.BlockArgument(descriptor).arg_number
        following = list(descriptor.owner.arguments)[first + 1 : first + 1 + 2 * kind.rank]
        widths = [32] * kind.rank + [64] * kind.rank
        if [getattr(value.type, "width", None) for value in following] != widths:
            return None
        return Description(first, None, following[: kind.rank], following[kind.rank :], kind.element_type.width // 8)
    if descriptor.owner.operation.name != "ttng.reinterpret_tensor_descriptor":
        return None
    place = descriptor.owner.rawDesc
    makers = [use.owner.operation for use in place.uses if use.owner.operation.name == "ttng.tensormap_create"]
    if len(makers) != 1 or makers[0].opview.desc_ptr != place:
        return None
    return _made_by(makers[0])


def _made_by(create: ir.Operation) -> Description | None:
    """The descriptor that ttng.tensormap_create makes: its strides are bytes, innermost first without that of 1."""
    operands, counts = list(create.operands), list(create.attributes["operandSegmentSizes"])
    parts = []
    for count in counts:
        parts.append(operands[:count])
        operands = operands[count:]
    (base,), shape, strides = parts[1], parts[3], parts[4]
    argument = argument_of(base)
    return None if argument is None else Description(argument, base, shape[::-1], [*strides[::-1], None], 1)


def pointer_arguments(function: ir.Operation) -> list[int]:
    """The numbers of the arguments that are pointers or tensor descriptors, in the order of the table."""
    kinds = [argument.type for argument in function.regions[0].blocks[0].arguments]
    return [number for number, kind in enumerate(kinds) if isinstance(kind, (PointerType, TensorDescType))]


class Instrumentation:
    """Adds the checks to one kernel."""

    def __init__(self, function: ir.Operation) -> None:
        self.function, self.analysis = function, AxisInfoAnalysis()
        self.pointers = pointer_arguments(function)
        self.i64, self.i1 = (ir.IntegerType.get_signless(width, function.context) for width in (64, 1))
        self.bounds: dict[int, tuple[ir.Value, ir.Value]] = {}

    def add(self, found: list[tuple[ir.Operation, int]]) -> None:
        """Checks the accesses of `sites`."""
        hints = [
            self.constancy(access) if access.name in ALL_POINTER_ACCESSES else None for access, _ in found
        ]  # before anything changes
        block = self.function.regions[0].blocks[0]
        with self.function.location, self.function.context:
            table_type = PointerType.get(self.i64, 1)
            self.table = block.add_argument(table_type, self.function.location)
            self._extend_signature(table_type)
            with ir.InsertionPoint.at_block_begin(block):
                for argument in sorted({argument for _, argument in found}):
                    row = 2 * self.pointers.index(argument)
                    self.bounds[argument] = tt.load(self.entry(row)), tt.load(self.entry(row + 1))
                self.program = self.shifted_program() if found else None
        for number, ((access, argument), constancy) in enumerate(zip(found, hints)):
            with access.location, ir.InsertionPoint(access):
                place = 2 * len(self.pointers) + number
                if access.name in COORDINATES:
                    self.check_block(access, place)
                else:
                    self.check(access, argument, place, constancy)

    def _extend_signature(self, kind: ir.Type) -> None:
        old = function_type(self.function)
        self.function.attributes["function_type"] = ir.TypeAttr.get(
            ir.FunctionType.get([*old.inputs, kind], old.results)
        )
        if "arg_attrs" in self.function.attributes:
            sixteen = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 16)
            attributes = [*self.function.attributes["arg_attrs"], ir.DictAttr.get({"tt.divisibility": sixteen})]
            self.function.attributes["arg_attrs"] = ir.ArrayAttr.get(attributes)

    def entry(self, number: int) -> ir.Value:
        """A pointer to a number of the table."""
        return tt.addptr(self.table, arith.i32(number))

    def shifted_program(self) -> ir.Value:
        """The linear index of the program, in the bits above the offset."""
        ids = [arith.extsi(self.i64, tt.get_program_id(axis)) for axis in "xyz"]
        counts = [arith.extsi(self.i64, tt.get_num_programs(axis)) for axis in "xy"]
        linear = arith.addi(ids[0], arith.muli(counts[0], arith.addi(ids[1], arith.muli(counts[1], ids[2]))))
        return arith.shli(linear, arith.constant(self.i64, OFFSET_BITS))

    def check(self, access: ir.Operation, argument: int, place: int, constancy: ir.Attribute | None) -> None:
        """Puts the check of an access before it."""
        pointer = pointer_of(access)
        size = max(1, _element_bytes(pointer.type))
        address = tt.ptr_to_int(pointer)
        kind = address.type
        base, bytes_ = self.bounds[argument]
        last = arith.subi(bytes_, arith.constant(self.i64, size))
        offset = arith.subi(address, self.like(base, kind))
        after_start = arith.cmpi("sge", offset, arith.constant(kind, 0))
        inside = arith.andi(after_start, arith.cmpi("sle", offset, self.like(last, kind)))
        outside = arith.xori(inside, arith.constant(inside.type, 1))
        mask = access_mask(access)
        if mask is not None:
            outside, inside = arith.andi(outside, mask), arith.andi(inside, mask)
        self.note(place, offset, outside)
        if access.name in MASKS:
            if constancy is not None:
                inside.owner.operation.attributes["tt.constancy"] = constancy
            set_mask(access, MASKS[access.name], inside)

    def note(self, place: int, offset: ir.Value, outside: ir.Value) -> None:
        """Notes the program and the offset in an entry of the table, where that is outside."""
        kind = offset.type
        low = arith.andi(
            arith.addi(offset, arith.constant(kind, 1 << (OFFSET_BITS - 1))),
            arith.constant(kind, (1 << OFFSET_BITS) - 1),
        )
        who = arith.ori(low, self.like(self.program, kind))
        where = self.entry(place)
        if isinstance(kind, ir.RankedTensorType):
            where = tt.splat(where, ir.RankedTensorType.get(kind.shape, where.type, kind.encoding))
        tt.atomic_rmw("umin", where, who, mask=outside, sem="relaxed")

    def check_block(self, access: ir.Operation, place: int) -> None:
        """Puts the check of an access by descriptor before it."""
        descriptor = access.opview.desc
        made = description(descriptor)
        assert made is not None
        positions = COORDINATES[access.name](access)
        block = TensorDescType(descriptor.type).block_type
        size = block.element_type.width // 8
        none = arith.constant(self.i1, 0)
        first = last = arith.constant(self.i64, 0)
        for at, extent, count, step in zip(
            access.operands[positions], block.shape, made.shape, made.steps, strict=True
        ):
            begin = arith.maxsi(arith.extsi(self.i64, at), arith.constant(self.i64, 0))
            end = arith.addi(arith.extsi(self.i64, at), arith.constant(self.i64, extent))
            end = arith.minsi(end, arith.extsi(self.i64, count))
            none = arith.ori(none, arith.cmpi("sle", end, begin))
            unit = arith.constant(self.i64, size if step is None else made.unit)
            bytes_ = unit if step is None else arith.muli(step, unit)
            first = arith.addi(first, arith.muli(begin, bytes_))
            last = arith.addi(last, arith.muli(arith.subi(end, arith.constant(self.i64, 1)), bytes_))
        base, total = self.bounds[made.argument]
        start = arith.constant(self.i64, 0) if made.base is None else tt.ptr_to_int(made.base)
        start = arith.subi(start, base)
        first, last = arith.addi(first, start), arith.addi(last, start)
        before = arith.cmpi("slt", first, arith.constant(self.i64, 0))
        past = arith.cmpi("sgt", last, arith.subi(total, arith.constant(self.i64, size)))
        inside = arith.ori(none, arith.xori(arith.ori(before, past), arith.constant(self.i1, 1)))
        outside = arith.xori(inside, arith.constant(self.i1, 1))
        if access.name.endswith("global_to_local"):
            outside = arith.andi(outside, access.opview.pred)
        self.note(place, arith.select(before, first, last), outside)
        access.operands[positions.start] = arith.select(inside, access.operands[positions.start], made.shape[0])

    def like(self, scalar: ir.Value, kind: ir.Type) -> ir.Value:
        """A scalar in every element of a tensor; as it is for a scalar type."""
        return tt.splat(scalar, kind) if isinstance(kind, ir.RankedTensorType) else scalar

    def constancy(self, access: ir.Operation) -> ir.Attribute | None:
        """The constancy of the new mask: that of the old mask, or without one the contiguity of the pointers."""
        pointer, mask = pointer_of(access), access_mask(access)
        if not isinstance(pointer.type, ir.RankedTensorType):
            return None
        info = self.analysis.info(pointer if mask is None else mask)
        dims = info.contiguity if mask is None else info.constancy
        i32 = ir.IntegerType.get_signless(32, access.context)
        sizes = [ir.IntegerAttr.get(i32, min(n, size)) for n, size in zip(dims, pointer.type.shape)]
        with access.location:
            return ir.DenseElementsAttr.get(sizes, ir.RankedTensorType.get([len(sizes)], i32))


def _element_bytes(kind: ir.Type) -> int:
    pointer = kind.element_type if isinstance(kind, ir.RankedTensorType) else kind
    pointee = PointerType(pointer).pointee_type
    return 8 if isinstance(pointee, PointerType) else pointee.width // 8
