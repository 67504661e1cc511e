"""Mistakes planted in lowered products and pipelined loops: matrices, descriptors, copies, slots, shuffles, waits."""

from __future__ import annotations

from mlir import ir
from planted_in_passes import Change, Mistake, attribute, erased, swapped
from planted_in_protocols import lost, text

from ttkit.inspection import terminator

MATRIX = ("llvm.call_intrinsic",)


def intrinsic_changed(old: str, new: str) -> Change:
    """Another intrinsic is called, if a part of its name fits."""

    def change(op: ir.Operation) -> bool:
        """Changes the name."""
        name = op.attributes["intrin"].value
        op.attributes["intrin"] = ir.StringAttr.get(name.replace(old, new))
        return old in name

    return change


def of_intrinsic(part: str, change: Change) -> Change:
    """A change of calls of some intrinsics alone."""
    return lambda op: part in op.attributes["intrin"].value and change(op)


def number(value: int, kind: ir.Type) -> ir.Value:
    """A constant in front of the current place."""
    return ir.Operation.create("llvm.mlir.constant", [kind], [], {"value": ir.IntegerAttr.get(kind, value)}).result


def address_moved(position: int, count: int, space: int = 3) -> Change:
    """An address in memory of a space, 3 for shared memory, is some bytes further."""

    def change(op: ir.Operation) -> bool:
        """Adds to the address."""
        address = op.operands[position]
        if str(address.type) != f"!llvm.ptr<{space}>":
            return False
        with ir.InsertionPoint(op), op.location:
            i32, i8 = ir.IntegerType.get_signless(32), ir.IntegerType.get_signless(8)
            attributes = {
                "elem_type": ir.TypeAttr.get(i8),
                "rawConstantIndices": ir.DenseI32ArrayAttr.get([-(2**31)]),
                "noWrapFlags": ir.IntegerAttr.get(i32, 0),
            }
            operands = [address, number(count, i32)]
            op.operands[position] = ir.Operation.create(
                "llvm.getelementptr", [address.type], operands, attributes
            ).result
        return True

    return change


def constant_of(value: ir.Value) -> int | None:
    """The number that a value is known to be."""
    made = value.owner
    if not isinstance(made, ir.Operation | ir.OpView) or made.operation.name != "llvm.mlir.constant":
        return None
    found = made.operation.attributes["value"]
    return found.value if isinstance(found, ir.IntegerAttr) else None


def operand_changed(position: int, bits: int = 0, more: int = 0) -> Change:
    """An operand that is a constant has some bits negated, and a number added to it."""

    def change(op: ir.Operation) -> bool:
        """Gives the operation a constant of its own."""
        old = constant_of(op.operands[position])
        if old is None:
            return False
        with ir.InsertionPoint(op), op.location:
            kind = op.operands[position].type
            new = ((old ^ bits) + more) & (1 << kind.width) - 1
            op.operands[position] = number(new - (1 << kind.width) * (new >> (kind.width - 1)), kind)
        return True

    return change


def descriptor(bits: int) -> Change:
    """Bits of the fields that a descriptor of shared memory has beside its address."""
    in_operand = operand_changed(1, bits)

    def change(op: ir.Operation) -> bool:
        """Changes a constant of 64 bits."""
        return str(op.results[0].type) == "i64" and in_operand(op)

    return change


def slots(more: int) -> Change:
    """A number of slots, after which a counter begins again, is another one."""
    in_operand = operand_changed(1, more=more)

    def change(op: ir.Operation) -> bool:
        """Changes the bound of `slot >= slots`."""
        return op.attributes["predicate"].value == 5 and in_operand(op)

    return change


def late(op: ir.Operation) -> bool:
    """An operation comes at the end of its block."""
    end = terminator(op.operation.block).operation
    op.operation.move_before(end)
    return True


def early(op: ir.Operation) -> bool:
    """An operation comes at the beginning of its block, with no operands to wait for."""
    first = next(iter(op.operation.block.operations)).operation
    if len(op.operands) or first == op.operation:
        return False
    op.operation.move_before(first)
    return True


def shuffled(kind: str) -> Change:
    """Lanes are counted in another way."""

    def change(op: ir.Operation) -> bool:
        """Sets the kind of a shuffle."""
        new = ir.Attribute.parse(f"#nvvm<shfl_kind {kind}>")
        old, op.attributes["kind"] = op.attributes["kind"], new
        return old != new

    return change


WAITS = ("nvvm.cp.async.wait.group",)
COMMITS = ("nvvm.cp.async.commit.group",)
BARRIERS = ("nvvm.barrier0",)
SHUFFLES = ("nvvm.shfl.sync",)
COPY = r"(cp\.async\.c[ag]\.shared\.global )"
SUM = r"(wgmma\.mma_async[^{]*)"
PRODUCT = SUM + r"(\{[^}]*\}), (\$\d+), (\$\d+), (\S+), (\S+), (\S+)"
MISTAKES = (
    Mistake("matrix turned", MATRIX, intrinsic_changed(".x4.b16", ".x4.trans.b16")),
    Mistake("matrix not turned", MATRIX, intrinsic_changed(".x4.trans.b16", ".x4.b16")),
    Mistake("matrix of another row", MATRIX, of_intrinsic("ldmatrix", address_moved(0, 128))),
    Mistake("matrix of another column", MATRIX, of_intrinsic("ldmatrix", address_moved(0, 16))),
    Mistake("matrix out of line", MATRIX, of_intrinsic("ldmatrix", address_moved(0, 4))),
    Mistake("first operand's registers swapped", MATRIX, of_intrinsic("mma.", swapped(0, 1))),
    Mistake("first operand's halves swapped", MATRIX, of_intrinsic("mma.", swapped(1, 2))),
    Mistake("second operand's registers swapped", MATRIX, of_intrinsic("mma.", swapped(4, 5))),
    Mistake("registers of both operands swapped", MATRIX, of_intrinsic("mma.", swapped(3, 4))),
    Mistake("sums swapped", MATRIX, of_intrinsic("mma.", swapped(6, 7))),
    Mistake("leading distance of a descriptor", ("llvm.or",), descriptor(1 << 16)),
    Mistake("distance of eight rows of a descriptor", ("llvm.or",), descriptor(1 << 34)),
    Mistake("no swizzle of a descriptor", ("llvm.or",), descriptor(1 << 62)),
    Mistake("another swizzle of a descriptor", ("llvm.or",), descriptor(1 << 63)),
    Mistake("no swizzle of a descriptor, or another", ("llvm.or",), descriptor(3 << 62)),
    text("next tile elsewhere", r"(add\.s64 \$0, \$1, )(\d+)", r"\g<1>6"),
    text("previous tile again", r"(add\.s64 \$0, \$1, )(\d+)", r"\g<1>0"),
    text("operands of a product swapped", PRODUCT, r"\1\2, \4, \3, \5, \6, \7"),
    text("operand twice", PRODUCT, r"\1\2, \3, \3, \5, \6, \7"),
    text("product that does not add", PRODUCT, r"\1\2, \3, \4, 0, \6, \7"),
    text("negative product", PRODUCT, r"\1\2, \3, \4, \5, -1, \7"),
    text("an operand turned", PRODUCT + r", 0", r"\1\2, \3, \4, \5, \6, \7, 1"),
    text("an operand not turned", PRODUCT + r", (\d), 1", r"\1\2, \3, \4, \5, \6, \7, \8, 0"),
    text("sums of a product swapped", SUM + r"\{(\$\d+), (\$\d+)", r"\1{\3, \2"),
    text("dropped fence of registers", r"wgmma\.fence\S*;", ""),
    text("dropped end of a group of products", r"wgmma\.commit_group\S*;", ""),
    text("wait for one group of products fewer", r"(wgmma\.wait_group\S*) 0", r"\1 1"),
    text("lost product", r"wgmma\.mma_async[^;]*;", ""),
    text("product twice", r"(wgmma\.mma_async[^;]*;)", r"\1 \1"),
    text("copy to another place", COPY + r"\[ \$0 \+ 0", r"\1[ $0 + 16"),
    text("copy from another place", COPY + r"\[ (\S+) \+ 0 \], \[ \$1 \+ 0", r"\1[ \2 + 0 ], [ $1 + 16"),
    text("copy without its mask", COPY + r"(.*0x10), \$2", r"\1\2, 0x10"),
    text("copy of half of its bytes", COPY + r"(.*0x10), \S+;", r"\1\2, 0x8;"),
    lost("lost copy", r"cp\.async\.c[ag]"),
    Mistake("dropped wait for copies", WAITS, erased),
    Mistake("wait for one group of copies fewer", WAITS, attribute("n", lambda old: old + 1)),
    Mistake("wait for two groups of copies fewer", WAITS, attribute("n", lambda old: old + 2)),
    Mistake("wait after the read", WAITS, late),
    Mistake("dropped end of a group of copies", COMMITS, erased),
    Mistake("end of a group before its copies", COMMITS, early),
    Mistake("dropped barrier", BARRIERS, erased),
    Mistake("barrier after the read", BARRIERS, late),
    Mistake("barrier before the write", BARRIERS, early),
    Mistake("one slot too few", ("llvm.icmp",), slots(-1)),
    Mistake("one slot too many", ("llvm.icmp",), slots(1)),
    Mistake("load elsewhere in shared memory", ("llvm.load",), address_moved(0, 16)),
    Mistake("store elsewhere in shared memory", ("llvm.store",), address_moved(1, 16)),
    Mistake("the lane beside", SHUFFLES, operand_changed(2, bits=1)),
    Mistake("a lane further away", SHUFFLES, operand_changed(2, bits=16)),
    Mistake("lanes within a part of the warp", SHUFFLES, operand_changed(3, bits=16 << 8)),
    Mistake("lanes below", SHUFFLES, shuffled("up")),
    Mistake("lanes above", SHUFFLES, shuffled("down")),
    Mistake("lanes by their number", SHUFFLES, shuffled("idx")),
    Mistake("half of the lanes", SHUFFLES, operand_changed(0, bits=-(1 << 16))),
)  # fmt: skip
