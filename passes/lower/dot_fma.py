"""Lower dots without tensor cores.

Each thread accumulates its elements of the result, one step of the inner dimension after the other.  It reads operands
in shared memory in slices of some steps, in a loop that is not unrolled:

    for first in 0, steps, 2 steps ...:
        held = all columns of b at these steps        (the operand that a thread needs less of)
        for each group of rows that one instruction loads:
            streamed = these rows of a at these steps
            for step in steps:
                total[row, column] = fma(streamed[row, step], held[column, step], total[row, column])

f16 and bf16 are accumulated in f32.  A thread has in registers its elements of the result, a slice of one operand and a
few numbers of the other.  Each load is as wide as the layout of the memory allows.

Ops: dialects/tt/dot_ops.td    Test: test/lit/lower/dot_fma.mlir
"""

from collections.abc import Sequence

from mlir import ir

from ttkit.inspection import element_bits
from ttkit.layout import LinearLayout
from ttkit.layout.product_operand import Slots
from ttkit.passes.lower.dot_operand import MemoryOperand, Operand, RegisterOperand
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.operations import STAYS_A_LOOP
from ttkit.passes.lower.packed import of_pairs
from ttkit.passes.lower.types import StoredOperand
from ttkit.passes.lower.unsupported import CannotLower
from ttkit.records import dataclass
from ttkit.tuning.lowering import FMA_SLICES, HELD_REGISTERS, PRODUCTS_AT_ONCE


def multiply(
    low: Lowering, op: ir.OpView, a: ir.Value | StoredOperand, b: ir.Value | StoredOperand, c: ir.Value
) -> ir.Value:
    """d[..., m, n] = c[..., m, n] + the sum over k of a[..., m, k] * b[..., k, n], k by k

    Raises:
        CannotLower: the result's elements can't hold the operands'.
    """
    emit, operation = low.emit, op.operation
    check_elements(*(value.type.element_type for value in (op.a, op.b, op.result)))
    target, result = low.layout(op.result), low.element_type(op.result)
    # Halves are rounded once, at the end.
    element = emit.f32 if result in (emit.f16, emit.bf16) else result
    if element != result:
        c = emit.cast("fpext", c, element)
    rank = len(target.outs)
    types = [operand.type for operand in operation.operands]
    operands = [
        operand_of(low, value, type, target, inner, element)
        for value, type, inner in zip((a, b), types, (rank - 1, rank - 2))
    ]
    schedule = Schedule.of(operands, target, types[0].shape[-1], element_bits(element))
    totals = [emit.pick(c, registers) for registers in schedule.registers]
    if not schedule.loops:
        for first in range(0, schedule.steps, schedule.at_once):
            totals = add_products(low, schedule, totals, first, None)
    elif schedule.steps == schedule.at_once:
        totals = add_products(low, schedule, totals, 0, None)
    else:
        totals = in_loop(low, schedule, totals)
    place = {register: i for i, register in enumerate(r for group in schedule.registers for r in group)}
    total = emit.pick(emit.concat(totals), [place[r] for r in range(target.in_size("register"))])
    return total if element == result else emit.cast("fptrunc", total, result)


def check_elements(a: ir.Type, b: ir.Type, result: ir.Type) -> None:
    """Raises CannotLower if `result` can't accumulate products of `a` and `b`."""
    is_integer = isinstance(result, ir.IntegerType)
    if any(isinstance(type, ir.IntegerType) != is_integer for type in (a, b)):
        problem = "integers and floats don't mix"
    elif max(a.width, b.width) > result.width:
        problem = "the result is narrower than the operands"
    elif not is_integer and result.width < 16:
        problem = "sums have 16 bits or more"
    else:
        return
    raise CannotLower(f"found {a} times {b} into {result}, and {problem}; convert the operands, or the result")


def operand_of(
    low: Lowering,
    value: ir.Value | StoredOperand,
    type: ir.RankedTensorType,
    target: LinearLayout,
    inner: int,
    element: ir.Type,
) -> Operand:
    """One operand, whose dimension `inner` is contracted."""
    slots = Slots.of(target, low.types.layout(type).outs, inner)
    if isinstance(value, StoredOperand):
        return MemoryOperand(low, value, type, slots, element)
    return RegisterOperand(low, value, type, slots, element)


@dataclass(frozen=True)
class Schedule:
    """The order in which a thread accumulates its products.

    streamed, held: the operands; is_left: whether the streamed one is the first.
    steps: of the inner dimension; at_once: of one slice.
    groups: slots of the streamed operand that are loaded together.
    registers: for each group the registers of the result that have these slots, the same number each.
    """

    streamed: Operand
    held: Operand
    is_left: bool
    steps: int
    at_once: int
    groups: Sequence[Sequence[int]]
    registers: Sequence[Sequence[int]]

    @classmethod
    def of(cls, operands: Sequence[Operand], target: LinearLayout, steps: int, element_bits: int) -> "Schedule":
        """The order of the steps of a dot; the operand with more slots is streamed."""
        left, right = operands
        is_left = left.slots.count >= right.slots.count
        streamed, held = (left, right) if is_left else (right, left)
        registers = target.in_size("register")
        words = max(1, element_bits // 32)
        most = min(HELD_REGISTERS // (held.slots.count * words), PRODUCTS_AT_ONCE // registers)
        at_once = min(steps, 1 << most.bit_length() - 1) if most and FMA_SLICES.on else 1
        groups = streamed.groups(at_once)
        of_slot: dict[int, list[int]] = {}
        for register in range(registers):
            of_slot.setdefault(streamed.slots.of_register(register), []).append(register)
        return cls(
            streamed,
            held,
            is_left,
            steps,
            at_once,
            groups,
            [[register for slot in group for register in of_slot[slot]] for group in groups],
        )

    @property
    def loops(self) -> bool:
        """Whether a loop reads the slices; registers can't be indexed by a loop."""
        return self.streamed.in_memory and self.held.in_memory


def add_products(
    low: Lowering, schedule: Schedule, totals: Sequence[ir.Value], first: int, outer: ir.Value | None
) -> list[ir.Value]:
    """The sums of each group after the products of one slice, which begins at step `first`, or at `outer` if given."""
    streamed, held, steps = schedule.streamed, schedule.held, schedule.at_once
    kept = held.slice(range(held.slots.count), first, steps, outer)
    sums = []
    for group, registers, total in zip(schedule.groups, schedule.registers, totals):
        passing = streamed.slice(group, first, steps, outer)
        for step in range(steps):
            x = passing.pick(low, [streamed.slots.of_register(register) for register in registers], step)
            y = kept.pick(low, [held.slots.of_register(register) for register in registers], step)
            total = fused(low, x, y, total) if schedule.is_left else fused(low, y, x, total)
        sums.append(total)
    return sums


def fused(low: Lowering, x: ir.Value, y: ir.Value, total: ir.Value) -> ir.Value:
    """x * y + total, element by element, rounded once."""
    emit, type = low.emit, total.type
    if isinstance(type.element_type, ir.IntegerType):
        return emit.add(total, emit.mul(x, y))
    return of_pairs(low, "fma.rn.f32x2", "llvm.intr.fma", x, y, total)


def in_loop(low: Lowering, schedule: Schedule, totals: Sequence[ir.Value]) -> list[ir.Value]:
    """The sums over all slices, one after the other."""
    emit = low.emit
    assert emit.place is not None
    types = [emit.i32, *(total.type for total in totals)]
    body = emit.place.block.create_after(*types, arg_locs=[emit.location] * len(types))
    after = body.create_after()
    emit.branch(body, emit.i32_constant(0), *totals)
    emit.place = ir.InsertionPoint(body)
    outer, *before = body.arguments
    sums = add_products(low, schedule, before, 0, outer)
    following = emit.add(outer, emit.i32_constant(schedule.at_once))
    again = emit.compare("ult", following, emit.i32_constant(schedule.steps))
    emit.branch_if(again, (body, [following, *sums]), (after, ()), loop_annotation=emit.attribute(STAYS_A_LOOP))
    emit.place = ir.InsertionPoint(after)
    return sums
