"""Rewrite tensor descriptors into pointers to each element, with masks: for targets without TMA.

    %d = tt.make_tensor_descriptor %p, [%n], [%s] : <f32>, <tensor<64xf32>>
    %x = tt.descriptor_load %d[%i] : !tt.tensordesc<tensor<64xf32>> -> tensor<64xf32>
  =>
    %0 = arith.extsi %n : i32 to i64
    %1 = arith.extsi %i : i32 to i64
    %other = arith.select %false, %nan, %zero         // the padding of %d
    %2 = ...                                          // %1 + [0, ..., 63]
    %3 = ...                                          // %p + %2 * %s
    %4 = ...                                          // 0 <= %2 and %2 < %0
    %x = tt.load %3, %4, %other : tensor<64x!tt.ptr<f32>>

Stores and scatters become tt.store, gathers tt.load, and reductions tt.atomic_rmw.  A descriptor that is passed, also
to a kernel, becomes its base, its sizes and strides (i64), and an i1 that says whether its padding is NaN.

Input:  tt.      Output: tt, without descriptors.
Order:  before canonicalize, which simplifies the result.  Targets from sm_90 on keep descriptors.
Skips:  operations of other dialects: they get a descriptor cast from its parts.
Test:   test/lit/passes/rewrite_tensor_descriptor_to_pointer.mlir
"""

from collections.abc import Sequence

from mlir import ir

from ttkit.dialects import arith, tt
from ttkit.dialects._tt_types import PointerType, TensorDescType
from ttkit.operation_sets import BLOCK_DESCRIPTOR_ACCESSES, CHOSEN_ROWS, DESCRIPTOR_LOADS
from ttkit.passes.infra import Pass, PassError, collect, constant_attribute, defining_op
from ttkit.passes.infra.block_access import (
    Index,
    block_index,
    block_mask,
    block_pointers,
    expand_to_rank,
    nan_attribute,
    zero_attribute,
)
from ttkit.passes.infra.retyping import operation_names
from ttkit.passes.infra.transforms import fold_each
from ttkit.passes.infra.value_expansion import Parts, ValueExpansion

# Reduction -> its atomic operations for floats, signless, signed and unsigned integers.
ATOMICS = {
    tt.DescriptorReduceKind.ADD: {"float": "fadd", "signless": "add", "signed": "add", "unsigned": "add"},
    tt.DescriptorReduceKind.MIN: {"signed": "min", "unsigned": "umin"},
    tt.DescriptorReduceKind.MAX: {"signed": "max", "unsigned": "umax"},
    tt.DescriptorReduceKind.AND: {"signless": "and", "signed": "and", "unsigned": "and"},
    tt.DescriptorReduceKind.OR: {"signless": "or", "signed": "or", "unsigned": "or"},
    tt.DescriptorReduceKind.XOR: {"signless": "xor", "signed": "xor", "unsigned": "xor"},
}


class RewriteTensorDescriptorToPointer(Pass):
    """Rewrite tensor descriptors into pointers to each element, with masks"""

    name = "triton-rewrite-tensor-descriptor-to-pointer"
    dependent_dialects = ("arith", "scf")

    def run(self, op: ir.Operation) -> None:
        """Replaces all descriptors by their parts.

        Raises:
            PassError: an access can't go through pointers; the IR is unchanged.
        """
        for reduction in collect(op, ["tt.descriptor_reduce"]):
            atomic_operation(reduction)  # refuses before anything has changed
        for access in collect(op, BLOCK_DESCRIPTOR_ACCESSES):
            refuse_layouts(access)
        fold_each(foldable(op))
        Descriptors(op).expansion.run()


def refuse_layouts(access: ir.Operation) -> None:
    """Raises PassError at an access whose tensor has a layout that the block of the descriptor does not have."""
    value = access.result if access.name in DESCRIPTOR_LOADS else access.opview.src
    block = access.opview.desc.type.block_type
    if value.type.encoding is not None and block.encoding is None:
        raise PassError(access, f"found {value.type}, and a descriptor without a layout; this pass is for tt")
    if value.type.encoding is not None and value.type.encoding != block.encoding:
        raise PassError(access, f"found {value.type}, and a descriptor of another layout; this pass is for tt")


def foldable(module: ir.Operation) -> list[ir.Operation]:
    """The operations that Triton's conversion folds too: choices of a descriptor, and operations of other dialects."""
    names = [name for name in operation_names(module) if name.split(".")[0] not in ("arith", "scf", "tt", "ub")]
    ops = collect(module, [*names, "arith.select", "scf.if"])
    return [op for op in ops if op.name in names or any(isinstance(r.type, TensorDescType) for r in op.results)]


class Descriptors:
    """The rewriting of one module.

    The parts of a descriptor of rank r are the base, r sizes and r strides (i64), and whether the padding is NaN (i1).
    """

    def __init__(self, module: ir.Operation) -> None:
        self.i1, self.i64 = ir.IntegerType.get_signless(1), ir.IntegerType.get_signless(64)
        rules = {
            "tt.make_tensor_descriptor": self.make,
            "tt.descriptor_load": self.access_block,
            "tt.descriptor_store": self.access_block,
            "tt.descriptor_reduce": self.access_block,
            "tt.descriptor_gather": self.access_rows,
            "tt.descriptor_scatter": self.access_rows,
        }
        self.expansion = ValueExpansion(module, self.part_types, rules, seeds=list(rules), casts=True)

    def part_types(self, type: ir.Type) -> list[ir.Type] | None:
        """The types of the parts of a descriptor; None for other types."""
        if not isinstance(type, TensorDescType):
            return None
        block = type.block_type
        return [PointerType.get(signless(block.element_type)), *[self.i64] * 2 * block.rank, self.i1]

    def make(self, op: ir.Operation) -> Parts:
        """The parts of the descriptor from a tt.make_tensor_descriptor."""
        base, *rest = op.operands
        rank = len(rest) // 2
        sizes = [self.widen(size, op) for size in rest[:rank]]
        nan = "padding" in op.attributes and op.attributes["padding"].value == tt.PaddingOption.PAD_NAN
        with ir.InsertionPoint(op), op.location:
            return base, *sizes, *rest[rank:], arith.constant(self.i1, int(nan))

    def widen(self, value: ir.Value, user: ir.Operation) -> ir.Value:
        """An i32 as i64, before `user`: one operation for a constant, or an integer that was widened already."""
        with ir.InsertionPoint(user), value.location:
            if (constant := constant_attribute(value)) is not None:
                return arith.constant(self.i64, ir.IntegerAttr(constant).value)
            inner = defining_op(value, "arith.extsi")
            return arith.extsi(self.i64, value if inner is None else inner.in_)

    def access_block(self, op: ir.Operation) -> None:
        """Load, store and reduce: operands are the descriptor, what is stored, and an offset for each dimension.

        Raises:
            PassError: there are more offsets than dimensions.
        """
        stored = [] if op.name == "tt.descriptor_load" else [op.opview.src]
        offsets = [self.widen(offset, op) for offset in op.opview.indices]
        rank = op.opview.desc.type.block_type.rank
        if len(offsets) != rank:
            raise PassError(
                op, f"pointers need an index for each of the block's {rank} dimensions, found {len(offsets)}"
            )
        self.rewrite(op, [*offsets, *stored])

    def access_rows(self, op: ir.Operation) -> None:
        """Gather and scatter: operands are the descriptor, the rows, the first column, and what is stored."""
        _, rows, column, *stored = op.operands
        with ir.InsertionPoint(op), op.location:
            rows = expand_to_rank(rows, 2, 0)
        self.rewrite(op, [rows, self.widen(column, op), *stored])

    def rewrite(self, op: ir.Operation, operands: Sequence[ir.Value]) -> None:
        """Puts the replacement before `op`; `operands` come after the parts of the descriptor."""
        descriptor = op.opview.desc
        with ir.InsertionPoint(op), op.location:
            new = Access(op, descriptor.type.block_type).build(*self.expansion.parts(descriptor), *operands)
            for old, result in zip(op.results, new):
                fits = old.type == result.type or not any(old.uses)
                old.replace_all_uses_with(result if fits else tt.reshape(result, old.type))


class Access:
    """Rewriting of one descriptor operation to pointers, given the descriptor's parts and then its operands.

    Args:
        op: says what is built by its name, attributes and types.
        block: the block type of its descriptor.
    """

    def __init__(self, op: ir.Operation, block: ir.RankedTensorType) -> None:
        self.op, self.rank = op, block.rank
        self.element = signless(block.element_type)
        self.shape = block.shape

    def build(self, base: ir.Value, *values: ir.Value) -> list[ir.Value]:
        """Replaces the access by one through pointers, with a mask."""
        rank = self.rank
        sizes, strides = values[:rank], values[rank : 2 * rank]
        padding, *operands = values[2 * rank :]
        if self.op.name in CHOSEN_ROWS:
            return self.build_rows(base, sizes, strides, padding, *operands)
        offsets, stored = operands[:rank], operands[rank:]
        other = None if stored else self.other(padding)
        pointers = block_pointers(base, strides, self.indices(offsets), self.shape)
        # The indices again: CSE merges them.
        mask = block_mask(sizes, self.indices(offsets), self.shape, range(rank))
        if other is not None:
            return self.load(pointers, mask, other)
        value = stored[0] if stored[0].type.shape == self.shape else tt.reshape(stored[0], self.shape)
        finish = self.store if self.op.name == "tt.descriptor_store" else self.reduce
        return finish(pointers, value, mask)

    def build_rows(
        self,
        base: ir.Value,
        sizes: Sequence[ir.Value],
        strides: Sequence[ir.Value],
        padding: ir.Value,
        rows: ir.Value,
        column: ir.Value,
        *stored: ir.Value,
    ) -> list[ir.Value]:
        """Gather and scatter: rows anywhere, `column` and those after it."""
        self.shape = [rows.type.shape[0], self.shape[1]]
        i64 = ir.RankedTensorType.get(rows.type.shape, ir.IntegerType.get_signless(64))
        positions = [arith.extsi(i64, rows), block_index(column, self.shape, 1)]
        pointers = block_pointers(base, strides, positions.__getitem__, self.shape)
        mask = block_mask(sizes, positions.__getitem__, self.shape, range(2))
        return self.store(pointers, stored[0], mask) if stored else self.load(pointers, mask, self.other(padding))

    def indices(self, offsets: Sequence[ir.Value]) -> Index:
        """The index of each element along each dimension: the block's offset and a range."""
        return [block_index(offset, self.shape, dim) for dim, offset in enumerate(offsets)].__getitem__

    def other(self, padding: ir.Value) -> ir.Value:
        """Block of padding for elements outside of the tensor: zero, or NaN if `padding` holds and they are floats."""
        block = ir.RankedTensorType.get(self.shape, self.element)

        def constant(element: ir.Attribute) -> ir.Value:
            """A block of equal elements."""
            return arith.constant(block, element)

        if isinstance(self.element, ir.IntegerType):
            return constant(zero_attribute(self.element))
        return arith.select(padding, constant(nan_attribute(self.element)), constant(zero_attribute(self.element)))

    def load(self, pointers: ir.Value, mask: ir.Value, other: ir.Value) -> list[ir.Value]:
        """A masked load with the attributes of the access."""
        result = tt.load(pointers, mask=mask, other=other)
        self.keep_attributes(result.owner)
        return [result]

    def store(self, pointers: ir.Value, value: ir.Value, mask: ir.Value) -> list[ir.Value]:
        """A masked store with the attributes of the access."""
        self.keep_attributes(tt.store(pointers, value, mask=mask))
        return []

    def keep_attributes(self, access: ir.OpView) -> None:
        """Copies the operation's attributes to its replacement."""
        for name, attribute in dict(self.op.attributes).items():
            access.operation.attributes[name] = attribute

    def reduce(self, pointers: ir.Value, value: ir.Value, mask: ir.Value) -> list[ir.Value]:
        """A masked atomic operation for a reduction through a descriptor."""
        tt.atomic_rmw(atomic_operation(self.op), pointers, value, mask=mask, sem=tt.MemSemantic.RELEASE)
        return []


def atomic_operation(op: ir.Operation) -> str:
    """The kind of tt.atomic_rmw that does the same as a tt.descriptor_reduce.

    Raises:
        PassError: none does.
    """
    kind, element = op.opview.kind, op.opview.desc.type.block_type.element_type
    found = ATOMICS.get(kind, {}).get(signedness(element))
    if found is None:
        fixes = "make it one of signed (si32) or unsigned (ui32) integers for min and max, or use a target with TMA"
        refused = f"Cannot fallback on descriptor atomic op, unsupported for type {element}: there is no atomic"
        raise PassError(op, f"{refused} '{kind}' of it; {fixes}")
    return found


def signless(type: ir.Type) -> ir.Type:
    """The type as which elements are in memory: integers without a sign."""
    return ir.IntegerType.get_signless(type.width) if isinstance(type, ir.IntegerType) else type


def signedness(type: ir.Type) -> str:
    """ "float", "signed", "unsigned" or "signless"."""
    if not isinstance(type, ir.IntegerType):
        return "float"
    return "signed" if type.is_signed else "unsigned" if type.is_unsigned else "signless"
