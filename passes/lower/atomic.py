"""Lower atomic operations on global memory.

One thread acts for each element: of those that hold copies the first.  If somebody looks at the result, the others get
it by way of shared memory.  Where a thread has neighbours, f16 numbers go in pairs, and sums of floats on GPUs since
sm_90 16 bytes at a time.  A scalar update that adds 0, as kernels poll locks, is a load.

Ops: dialects/tt/atomic_ops.td    Test: test/lit/lower/atomic.mlir
"""

from collections.abc import Callable

from mlir import ir

from ttkit.dialects.tt import MemSemantic, MemSyncScope, RMWOp
from ttkit.inspection import element_bits
from ttkit.layout.distribution import places_in_cta
from ttkit.passes.infra.constants import constant_splat
from ttkit.passes.lower.access_words import WORD_CONSTRAINT
from ttkit.passes.lower.assembly import Assembly, assembled, braced
from ttkit.passes.lower.cluster import in_cta, stored_by_all, synchronize_ctas
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.memory import access_width, both, operand_or_none
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.stored import element_type, load_each, store_each
from ttkit.passes.lower.unsupported import CannotLower
from ttkit.records import dataclass

# Values of the enumerations of tt -> PTX.
# LLVM's numbers of orderings and of the sum of floats, and its names of scopes.
ORDERINGS = {MemSemantic.RELAXED: 2, MemSemantic.ACQUIRE: 4, MemSemantic.RELEASE: 5, MemSemantic.ACQUIRE_RELEASE: 6}
LLVM_SCOPES = {MemSyncScope.GPU: "device", MemSyncScope.CTA: "block", MemSyncScope.SYSTEM: ""}
ADD_FLOATS = 11
# What an operation is called, and as which type it takes its operands: b(its), u(nsigned), s(igned), f(loat).
OPERATIONS = {
    RMWOp.AND: ("and", "b"),
    RMWOp.OR: ("or", "b"),
    RMWOp.XOR: ("xor", "b"),
    RMWOp.ADD: ("add", "u"),
    RMWOp.FADD: ("add", "f"),
    RMWOp.MAX: ("max", "s"),
    RMWOp.MIN: ("min", "s"),
    RMWOp.UMAX: ("max", "u"),
    RMWOp.UMIN: ("min", "u"),
    RMWOp.XCHG: ("exch", "b"),
}


@lowers("tt.atomic_rmw")
def atomic_rmw(low: Lowering, op: ir.OpView, pointer: ir.Value, value: ir.Value, *masked: ir.Value) -> ir.Value:
    """result[i] = *ptr[i]; *ptr[i] = f(result[i], val[i]), at once, where mask[i]"""
    element = low.element_type(op.val)
    name, kind = OPERATIONS[op.atomic_rmw_op]
    mask = operand_or_none(low, op.mask)
    if polls(op):
        return act(low, op, pointer, mask, 1, OrderedLoad(low, op, pointer))
    if kind == "f" and element == low.emit.bf16 and not low.target.has_bf16_atomic_sums:
        return act(low, op, pointer, mask, 1, Loop(low, op, pointer, value))
    type = ptx_type(low, element, kind)
    rounding = ".noftz" if kind == "f" and element.width == 16 else ""
    width, packed = neighbours(low, op, element, kind)
    suffix = f"{type}x{packed}" if packed > 1 else type if width == 1 else f"v{width}.{type}"
    text = f"atom.global.{op.scope!s}.{op.sem!s}.{name}{rounding}.{suffix}"
    return act(low, op, pointer, mask, width, Instruction(low, pointer, [value], text, width, packed))


def polls(op: ir.OpView) -> bool:
    """Whether an update is a load, as that of a lock: it adds a constant 0 to a scalar, and releases nothing.

    Where nobody uses the result, only its order counts; then it stays an update, which code motion leaves in place.
    """
    return (
        op.atomic_rmw_op in (RMWOp.ADD, RMWOp.FADD)
        and op.sem in (MemSemantic.ACQUIRE, MemSemantic.RELAXED)
        and not isinstance(op.val.type, ir.RankedTensorType)
        and constant_splat(op.val) == 0
        and bool(list(op.result.uses))
    )


@lowers("tt.atomic_cas")
def atomic_cas(low: Lowering, op: ir.OpView, pointer: ir.Value, compare: ir.Value, value: ir.Value) -> ir.Value:
    """result[i] = *ptr[i]; *ptr[i] = val[i] if that was cmp[i], at once

    Raises:
        CannotLower: other than 16, 32 or 64 bits.
    """
    element = low.element_type(op.val)
    bits = element_bits(element)
    if bits not in (16, 32, 64):
        raise CannotLower(f"found elements of {bits} bits; only 16, 32 and 64 can be exchanged atomically")
    exchange = Instruction(low, pointer, [compare, value], f"atom.global.{op.sem!s}.{op.scope!s}.cas.b{bits}")
    return act(low, op, pointer, None, 1, exchange)


@lowers("tt.atomic_load")
def atomic_load(low: Lowering, op: ir.OpView, pointer: ir.Value, *masked: ir.Value) -> ir.Value:
    """result[i] = *ptr[i], at once, where mask[i]"""
    return act(low, op, pointer, operand_or_none(low, op.mask), 1, OrderedLoad(low, op, pointer))


@lowers("tt.atomic_store")
def atomic_store(low: Lowering, op: ir.OpView, pointer: ir.Value, value: ir.Value, *masked: ir.Value) -> None:
    """*ptr[i] = val[i], at once, where mask[i]"""
    bits = element_bits(low.element_type(op.val))
    kind, type = WORD_CONSTRAINT[max(bits, 16)], ir.IntegerType.get_signless(bits, low.emit.context)
    owner, copies, mask = low.owners.owns(op.ptr), low.owners.register_copies(op.ptr), operand_or_none(low, op.mask)
    for register in range(low.elements.count(pointer)):
        if register & copies:
            continue
        operands = Assembly()
        address = operands.operand(low.elements.at(pointer, register), "l")
        word = as_integer(low, value, register, type)
        if bits == 8:
            word = low.emit.cast("zext", word, ir.IntegerType.get_signless(16, low.emit.context))
        stored = operands.operand(word, kind)
        chosen = both(low, owner, None if mask is None else low.elements.at(mask, register))
        guard = "" if chosen is None else f"@{operands.operand(chosen, 'b')} "
        text = f"{guard}st.{op.sem!s}.{op.scope!s}.global.b{bits} [ {address} + 0 ], {stored};"
        low.emit.inline_asm(text, ",".join(operands.kinds), None, *operands.operands)


@lowers("tt.atomic_poll")
def atomic_poll(low: Lowering, op: ir.OpView, pointer: ir.Value, expected: ir.Value, *timeout: ir.Value) -> ir.Value:
    """result[i] = whether *ptr[i] has become expected[i]; all threads wait, no longer than for `timeout` nanoseconds"""
    limit = (globaltimer(low), low.elements.at(timeout[0], 0)) if timeout else None
    found = act(low, op, pointer, None, 1, Poll(low, op, pointer, expected, limit))
    is_handed_around = bool(list(op.result.uses)) and low.owners.owns(op.ptr) is not None
    if low.num_ctas > 1 and not (is_handed_around and low.owners.free_blocks(op.ptr) == low.num_ctas - 1):
        synchronize_ctas(low)
    elif not is_handed_around:
        low.warps.synchronize()
    return found


def globaltimer(low: Lowering) -> ir.Value:
    """Nanoseconds of the GPU's timer, an i64."""
    [now] = assembled(low.emit, "mov.u64 $0, %globaltimer;", "=l", [low.emit.i64], [])
    return now


def neighbours(low: Lowering, op: ir.OpView, element: ir.Type, kind: str) -> tuple[int, int]:
    """Number of elements that one atomic instruction takes, and how many of them are in one of its registers."""
    if kind != "f" or element.width > 32 or not isinstance(op.val.type, ir.RankedTensorType):
        return 1, 1
    width = access_width(low, op.ptr, op.mask, element)
    if low.target.has_vector_atomic_sums:
        return width, 1
    packed = min(width, 2) if element.width == 16 else 1
    return packed, packed


def ptx_type(low: Lowering, element: ir.Type, kind: str) -> str:
    """The type of an operation's operands in PTX.

    Raises CannotLower if the hardware has no such operation.
    """
    bits = element_bits(element)
    if kind == "f":
        if bits not in (16, 32, 64):
            raise CannotLower(f"found elements of {bits} bits; only f16, bf16, f32 and f64 can be added atomically")
        return str(element)
    if bits not in (32, 64):
        raise CannotLower(f"found elements of {bits} bits; only those of 32 and 64 have this atomic operation")
    return f"{kind}{bits}"


@dataclass(frozen=True)
class Instruction:
    """The atomic instruction `text`, for `width` registers at a time, `packed` of them in one of PTX.

    address: the constraint of an address: 64 bits, or 32 in shared memory.
    """

    low: Lowering
    pointer: ir.Value
    operands: list[ir.Value]
    text: str
    width: int = 1
    packed: int = 1
    address: str = "l"

    def __call__(self, first: int, chosen: ir.Value | None) -> list[ir.Value]:
        """Run the atomic on the registers from `first` on and return the old values; 0, without it, if not `chosen`."""
        low, emit = self.low, self.low.emit
        element = element_type(self.operands[0])
        bits = element_bits(element) * self.packed
        kind, type = WORD_CONSTRAINT[bits], ir.IntegerType.get_signless(bits, emit.context)
        parts = range(first, first + self.width, self.packed)
        results, operands = [f"${number}" for number in range(len(parts))], Assembly(len(parts))
        address = operands.operand(low.elements.at(self.pointer, first), self.address)
        values = [
            braced([operands.operand(one_word(low, value, part, self.packed, type), kind) for part in parts])
            for value in self.operands
        ]
        guard = "" if chosen is None else f"@{operands.operand(chosen, 'b')} "
        # Where the mask does not hold the result is 0, as if it had been loaded.
        start = "".join(f"mov.b{bits} {result}, 0x0;\n\t" for result in results) if guard else ""
        old = assembled(
            low.emit,
            f"{start}{guard}{self.text} {braced(results)}, [ {address} + 0 ], {', '.join(values)};",
            ",".join([f"={'&' if guard else ''}{kind}"] * len(parts) + operands.kinds),
            [type] * len(parts),
            operands.operands,
        )
        vector = emit.vector(self.packed, element)
        return [one for word in old for one in emit.unpack(emit.bitcast(word, vector))]


@dataclass(frozen=True)
class OrderedLoad:
    """A load with the order and the scope of an update."""

    low: Lowering
    op: ir.OpView
    pointer: ir.Value

    def __call__(self, first: int, chosen: ir.Value | None) -> list[ir.Value]:
        """As Instruction, for one register."""
        low, attributes = self.low, self.op.operation.attributes
        address = low.elements.at(self.pointer, first)
        operands = [address] if chosen is None else [address, chosen]
        type = low.element_type(self.op.result)
        return [low.emit.op("nvg.ld_acquire", type, *operands, sem=attributes["sem"], scope=attributes["scope"])]


@dataclass(frozen=True)
class Poll:
    """A loop of ordered loads, in one piece of assembly: it ends when the number is there, or the time is over.

    limit: when it began, and for how many nanoseconds it waits.
    """

    low: Lowering
    op: ir.OpView
    pointer: ir.Value
    expected: ir.Value
    limit: tuple[ir.Value, ir.Value] | None

    def __call__(self, first: int, chosen: ir.Value | None) -> list[ir.Value]:
        """As Instruction, for one register."""
        low, emit, operands = self.low, self.low.emit, Assembly(1)
        bits = element_bits(low.element_type(self.op.expected))
        integer = ir.IntegerType.get_signless(bits, emit.context)
        address = operands.operand(low.elements.at(self.pointer, first), "l")
        wanted = operands.operand(as_integer(low, self.expected, first, integer), WORD_CONSTRAINT[bits])
        load = f"ld.{self.op.sem!s}.{self.op.scope!s}.global.b{bits} found, [ {address} + 0 ];"
        lines = [".reg .pred again;", f".reg .b{bits} found;", "mov.u32 $0, 0;"]
        if chosen is not None:
            lines.append(f"@!{operands.operand(chosen, 'b')} bra END_${{:uid}};")
        if self.limit is not None:
            lines.append(".reg .u64 now;")
        lines += ["AGAIN_${:uid}:", load, f"setp.eq.b{bits} again, found, {wanted};"]
        lines += ["@again mov.u32 $0, 1;", "@again bra END_${:uid};"]
        if self.limit is not None:
            start, limit = (operands.operand(value, "l") for value in self.limit)
            lines += ["mov.u64 now, %globaltimer;", f"sub.u64 now, now, {start};", f"setp.ge.u64 again, now, {limit};"]
            lines.append("@again bra END_${:uid};")
        lines += ["bra AGAIN_${:uid};", "END_${:uid}:"]
        text = "{\n\t" + "\n\t".join(lines) + "\n}"
        [seen] = assembled(emit, text, ",".join(["=&r", *operands.kinds]), [emit.i32], operands.operands)
        return [emit.compare("ne", seen, emit.i32_constant(0))]


@dataclass(frozen=True)
class Loop:
    """A sum for which there is no instruction: LLVM makes it a loop that compares and exchanges."""

    low: Lowering
    op: ir.OpView
    pointer: ir.Value
    value: ir.Value

    def __call__(self, first: int, chosen: ir.Value | None) -> list[ir.Value]:
        """As Instruction, for one register."""
        emit = self.low.emit
        if chosen is None:
            return [self._sum(first)]
        after = self.low.emit.begin_if(chosen, [emit.constant(element_type(self.value), 0.0)])
        return self.low.emit.end_if(after, [self._sum(first)])

    def _sum(self, first: int) -> ir.Value:
        low, emit = self.low, self.low.emit
        address, value = low.elements.at(self.pointer, first), low.elements.at(self.value, first)
        return emit.op(
            "llvm.atomicrmw",
            value.type,
            address,
            value,
            bin_op=emit.integer(ADD_FLOATS),
            ordering=emit.integer(ORDERINGS[self.op.sem]),
            syncscope=ir.StringAttr.get(LLVM_SCOPES[self.op.scope], emit.context),
        )


def act(
    low: Lowering,
    op: ir.OpView,
    pointer: ir.Value,
    mask: ir.Value | None,
    width: int,
    run: Callable[[int, ir.Value | None], list[ir.Value]],
    like: ir.Value | None = None,
) -> ir.Value:
    """Runs an atomic operation for each group of `width` registers, and hands the results around.

    like: the value whose layout is that of the elements, by default the pointers.
    """
    emit = low.emit
    like = op.ptr if like is None else like
    owner, copies = low.owners.owns(like), low.owners.register_copies(like)
    results: list[ir.Value] = []
    for first in range(0, low.elements.count(pointer), width):
        if first & copies:
            results += results[first & ~copies :][:width]
            continue
        results += run(first, both(low, owner, None if mask is None else low.elements.at(mask, first)))
    result = op.result
    vector = emit.pack(results)
    if not list(result.uses):
        return low.elements.result(result, vector)
    return low.elements.result(result, handed_around(low, op, vector, owner, like))


def one_word(low: Lowering, value: ir.Value, first: int, width: int, type: ir.Type) -> ir.Value:
    """`width` registers as one integer."""
    return (
        low.emit.bitcast(low.elements.slice(value, first, width), type)
        if width > 1
        else as_integer(low, value, first, type)
    )


def as_integer(low: Lowering, value: ir.Value, index: int, type: ir.Type) -> ir.Value:
    """A register as an integer of type `type`, with the same bits."""
    number = low.elements.at(value, index)
    if not isinstance(number.type, (ir.IntegerType, ir.FloatType)):
        return low.emit.cast("ptrtoint", number, type)
    return low.emit.bitcast(number, type)


def handed_around(low: Lowering, op: ir.OpView, vector: ir.Value, owner: ir.Value | None, like: ir.Value) -> ir.Value:
    """Broadcast the results of the threads that ran the atomic to the threads that hold copies, by shared memory."""
    if owner is None:
        return vector
    if vector.type.element_type == low.emit.i1:  # of a poll; a byte in memory
        bytes = low.emit.cast("zext", vector, low.emit.i8)
        found = handed_around(low, op, bytes, owner, like)
        return low.emit.compare("ne", found, low.emit.constant(found.type, 0))
    base, element = low.shared.scratch(op), vector.type.element_type
    places, copies = places_of(low, like), low.owners.free_blocks(like)
    store_each(low, base, places, vector, owner)
    with stored_by_all(low, bool(copies)):
        if copies:
            base = in_cta(low, base, low.emit.and_(low.index.block(), low.emit.i32_constant(~copies)))
        return load_each(low, base, places, element)


def places_of(low: Lowering, pointer: ir.Value) -> list[ir.Value]:
    """For each register an i32: where in the memory of its CTA the result is, in elements."""
    if not isinstance(pointer.type, ir.RankedTensorType):
        return low.owners.element_places(pointer)
    return low.emit.unpack(low.index.packed_coordinates(places_in_cta(low.layout(pointer))))
