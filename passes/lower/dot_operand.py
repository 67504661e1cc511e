"""Operands of products without tensor cores: slices of them along the inner dimension, from registers or from memory.

`ttkit.layout.product_operand` says what slots and steps are.
"""

from collections.abc import Sequence

from mlir import ir

from ttkit.inspection import element_bits
from ttkit.layout import gf2
from ttkit.layout.holders import stays_in_cta
from ttkit.layout.product_operand import THREAD_DIMS, SliceAccess, Slots
from ttkit.passes.lower.buffer_places import memory_layout, view_offset
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.thread_index import address_at, all_bits, bits_of_thread, linear_sum
from ttkit.passes.lower.type_conversion import convert
from ttkit.passes.lower.types import StoredOperand
from ttkit.passes.lower.unsupported import CannotLower
from ttkit.records import dataclass


@dataclass(frozen=True)
class Slice:
    """Some slots of an operand at some steps.

    numbers: a vector in the type that is added up.
    index: of a slot and a step, counted from the first one of the slice, in the vector.
    """

    numbers: ir.Value
    index: dict[tuple[int, int], int]

    def pick(self, low: Lowering, slots: Sequence[int], step: int) -> ir.Value:
        """A vector with the number of each slot at one step."""
        return low.emit.pick(self.numbers, [self.index[slot, step] for slot in slots])


class RegisterOperand:
    """An operand that each thread holds in registers.

    Raises CannotLower if a thread needs elements that others hold.
    """

    in_memory = False

    def __init__(self, low: Lowering, value: ir.Value, type: ir.RankedTensorType, slots: Slots, element: ir.Type):
        self.low, self.slots = low, slots
        operand = low.types.layout(type)
        places = slots.layout.invert_and_compose(operand)
        count = operand.in_size("register")
        moved = places.columns_of("register") + places.columns_of("step")
        threads = [column for name in THREAD_DIMS for column in places.columns_of(name)]
        if any(column >= count for column in moved) or any(column & count - 1 for column in threads):
            raise CannotLower("a row or column is spread over threads; convert the operand to a dot_op layout")
        self.rows, self.steps = places.values("register"), places.values("step")
        self.numbers = widened(low, value, type, element)

    def groups(self, steps: int) -> list[list[int]]:
        """The slots that are read together: here all, which are there already."""
        return [list(range(self.slots.count))]

    def slice(self, slots: Sequence[int], first: int, steps: int, outer: ir.Value | None) -> Slice:
        """These slots at `steps` steps from `first` on."""
        picks = [self.rows[slot] ^ self.steps[first + step] for slot in slots for step in range(steps)]
        index = {(slot, step): i * steps + step for i, slot in enumerate(slots) for step in range(steps)}
        return Slice(self.low.emit.pick(self.numbers, picks), index)


class MemoryOperand:
    """An operand in shared memory, loaded slice by slice.

    Raises CannotLower if other CTAs have a part of it.
    """

    in_memory = True

    def __init__(
        self, low: Lowering, stored: StoredOperand, type: ir.RankedTensorType, slots: Slots, element: ir.Type
    ) -> None:
        self.low, self.slots, self.type, self.element = low, slots, type, element
        self.stored_as = low.types.element(stored.type.element_type)
        memory = memory_layout(low, stored.type)
        places = slots.layout.invert_and_compose(memory)
        if not stays_in_cta(memory, slots.layout):
            raise CannotLower("found a buffer spread over CTAs, which products can't reach; choose num_ctas=1")
        self.places = places.sublayout(places.in_dims, ["offset"])
        self.base, self.begin = stored.view.base, view_offset(low, stored.view, stored.type)

    def groups(self, steps: int) -> list[list[int]]:
        """The slots that are loaded together."""
        return self._access(steps).groups()

    def _access(self, steps: int) -> SliceAccess:
        return SliceAccess(self.places, steps, element_bits(self.stored_as))

    def slice(self, slots: Sequence[int], first: int, steps: int, outer: ir.Value | None) -> Slice:
        """These slots at `steps` steps from `first` on, both multiples of `steps`; from `outer` on if that is given."""
        low, emit = self.low, self.low.emit
        start, fixed, mixed = self._start(first, steps, outer)
        index: dict[tuple[int, int], int] = {}
        loaded: list[ir.Value] = []
        for members, offset in self._access(steps).loads(slots):
            address = address_at(emit, self.base, start, offset ^ fixed, mixed, self.stored_as)
            for position, member in enumerate(members):
                index[member] = len(loaded) * len(members) + position
            loaded.append(low.shared.load(address, emit.vector(len(members), self.stored_as)))
        return Slice(widened(low, emit.concat(loaded), self.type, self.element), index)

    def _start(self, first: int, steps: int, outer: ir.Value | None) -> tuple[ir.Value, int, int]:
        """i32, where this thread's slice begins but for a constant; that, and the bits to which it can't be added."""
        emit, columns = self.low.emit, self.places.columns_of("step")
        start = self.low.index.of_thread(self.places)
        mixed = bits_of_thread(self.places)
        if self.begin is not None:
            start, mixed = emit.xor(start, self.begin), -1
        if outer is not None:
            step_bits = steps.bit_length() - 1
            start = emit.xor(start, linear_sum(emit, [(outer, (0,) * step_bits + columns[step_bits:])]))
            mixed |= all_bits(columns[step_bits:])
        return start, gf2.combine(columns, first), mixed


Operand = RegisterOperand | MemoryOperand


def widened(low: Lowering, numbers: ir.Value, type: ir.RankedTensorType, element: ir.Type) -> ir.Value:
    """Numbers of an operand of the tensor type `type`, in the type that is added up."""
    if isinstance(element, ir.IntegerType):
        return numbers if numbers.type.element_type == element else low.emit.cast("sext", numbers, element)
    return convert(low, numbers, type, element, "rtne")
