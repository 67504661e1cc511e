"""The registers that tensors take: those that are live at each operation of a block.

An estimate, before ptxas.  Views, addresses, masks and what is computed from the index of an element count nothing:
ptxas makes these where they are used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate

from mlir import ir

from ttkit.inspection import address_of, defining, element_bits
from ttkit.layout.encodings import DotOperand
from ttkit.layout.hardware import LANES, REGISTER_BITS
from ttkit.operation_sets import ALL_DOTS, CONTROL_FLOW, CONVERT_LAYOUT, LOOPS, TENSOR_VIEWS
from ttkit.passes.infra.nesting import ancestor_in, block_of
from ttkit.passes.layouts.assignment import elements_per_thread, tensor_layout
from ttkit.records import dataclass
from ttkit.target import REGISTERS

LOCAL_LOAD = "ttg.local_load"
VIEWS = ("tt.broadcast", "tt.splat", *TENSOR_VIEWS)
COMPUTED = ("tt.load", LOCAL_LOAD, CONVERT_LAYOUT, "tt.reduce", *ALL_DOTS)
"""Operations whose integers are data, not what follows from the index of an element."""
ELEMENTWISE = ("arith.", "math.")
WIDE_BITS = 32


@dataclass(frozen=True)
class Life:
    """The registers of a tensor, and the numbers of the first and the last operation of a block where it is live."""

    registers: int
    first: int
    last: int
    used_inside: frozenset[int]


def pressures_of(block: ir.Block, around: int = 0, is_repeated: bool = False) -> Iterator[Pressure]:
    """Those of a block and of the blocks of loops and branches in it; arguments as for Pressure."""
    pressure = Pressure(block, around, is_repeated)
    yield pressure
    for number, op in enumerate(pressure.ops):
        if op.name in CONTROL_FLOW:
            for region in op.regions:
                for inner in region.blocks:
                    yield from pressures_of(inner, pressure.across(number), is_repeated or op.name in LOOPS)


class Pressure:
    """The registers of the tensors that are live at each operation of a block.

    Args:
        around: those of tensors that live through the whole block and are not used in it.
        is_repeated: whether a loop is around the block.
    """

    def __init__(self, block: ir.Block, around: int, is_repeated: bool) -> None:
        self.ops, self.around, self.is_repeated = [op.operation for op in block], around, is_repeated
        self.numbers = {address_of(op): number for number, op in enumerate(self.ops)}
        self.lives = [self.life_of(block, value) for value in self.values(block)]
        changes = [0] * (len(self.ops) + 1)
        for life in self.lives:
            changes[life.first] += life.registers
            changes[life.last + 1] -= life.registers
        self.at = [around + registers for registers in accumulate(changes[:-1])]

    def values(self, block: ir.Block) -> Iterator[ir.Value]:
        """Tensors that take registers: arguments, results, and those from outside that are used here."""
        seen = set()
        for op in self.ops:
            for value in op.operands:
                root = viewed(value)
                if root not in seen and block_of(root) != block and registers_of(root):
                    seen.add(root)
                    yield root
        for value in (*block.arguments, *(result for op in self.ops for result in op.results)):
            if viewed(value) == value and registers_of(value):
                yield value

    def life_of(self, block: ir.Block, value: ir.Value) -> Life:
        """From where a tensor is computed to its last use, or that of a view; to the end if it is used outside."""
        owner = value.owner
        first = self.numbers.get(address_of(owner.operation), 0) if not isinstance(owner, ir.Block) else 0
        last, inside = first, set()
        if block_of(value) != block and isinstance(block.owner.operation, ir.Operation):
            # A loop needs it in each iteration; what a branch needs may be needed after it.
            last = len(self.ops) - 1
        for user in users(value):
            place = ancestor_in(block, user)
            number = len(self.ops) - 1 if place is None else self.numbers[address_of(place)]
            if place is not None and place == user and number > first and is_elementwise(user):
                number -= 1  # the result takes the registers
            last = max(last, number)
            if place is not None and place != user:
                inside.add(number)
        return Life(registers_of(value), first, last, frozenset(inside))

    def across(self, number: int) -> int:
        """The registers of tensors that live through an operation and are not used in its regions."""
        return self.around + sum(
            life.registers for life in self.lives if life.first < number < life.last and number not in life.used_inside
        )

    def fits(self, first: int, last: int, more: int, limit: int) -> int | None:
        """The first number from `first` on, from which to `last` so many more registers fit; None if none."""
        found = None
        for number in range(last, first - 1, -1):
            if self.at[number] + more > limit:
                break
            found = number
        return found

    def lengthen(self, first: int, last: int, registers: int) -> None:
        """A tensor lives from `first` on, rather than from `last` on."""
        for number in range(first, last):
            self.at[number] += registers


def is_elementwise(op: ir.Operation) -> bool:
    """Whether an operation computes each element of its result from the same elements of its operands."""
    return op.name.startswith(ELEMENTWISE) and bool(len(op.results))


def viewed(value: ir.Value) -> ir.Value:
    """The tensor whose registers a view shows."""
    while (op := defining(value)) is not None and op.operation.name in VIEWS:
        value = op.operation.operands[0]
    return value


def users(value: ir.Value) -> Iterator[ir.Operation]:
    """The users of a tensor and of its views, without the views."""
    for use in value.uses:
        user = use.owner.operation
        if user.name in VIEWS:
            for result in user.results:
                yield from users(result)
        else:
            yield user


def registers_of(value: ir.Value) -> int:
    """The registers of a thread for a tensor; 0 for scalars, addresses, masks and what follows from an index.

    Operands that a dot operation takes from shared memory count nothing either: their parts are read when needed.
    """
    type = value.type
    if not isinstance(type, ir.RankedTensorType):
        return 0
    element = type.element_type
    if not isinstance(element, (ir.FloatType, ir.IntegerType)):
        return 0
    bits, op = element_bits(element), defining(value)
    name = "" if op is None else op.operation.name
    if name == LOCAL_LOAD and isinstance(tensor_layout(type), DotOperand):
        return 0
    if isinstance(element, ir.IntegerType):
        if bits == 1 or (bits >= WIDE_BITS and name not in COMPUTED):
            return 0
    elif name == "arith.constant":
        return 0
    return registers_of_type(type)


def registers_of_type(type: ir.RankedTensorType) -> int:
    """The registers of a thread that the elements of a tensor fill, all of them in registers."""
    return -(-elements_per_thread(type) * element_bits(type.element_type) // REGISTER_BITS)


def peak(pressures: Iterable[Pressure]) -> int:
    """The most registers at an operation of these blocks."""
    return max((registers for pressure in pressures for registers in pressure.at), default=0)


def programs_at_once(warps: int, registers: int, enough: int) -> int:
    """The programs that a multiprocessor has registers for, at least 1.

    Args:
        warps: of a program.
        registers: of a thread.
        enough: warps of a multiprocessor, beyond which more programs do not count.
    """
    return max(min(REGISTERS // (LANES * warps * max(registers, 1)), enough // warps), 1)
