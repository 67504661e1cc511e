"""Load tiles before the warps synchronize for an earlier tile, as far as registers allow.

    %a = tt.load %pa                                        %a = tt.load %pa
    %sa = ttg.local_alloc %a                                %pb = tt.addptr ...
    %pb = tt.addptr ...                                     %b = tt.load %pb
    %b = tt.load %pb                                 =>     %sa = ttg.local_alloc %a
    %sb = ttg.local_alloc %b                                %sb = ttg.local_alloc %b
    %d = tt.dot (ttg.local_load %sa), ...                   %d = tt.dot (ttg.local_load %sa), ...

An operation on shared memory needs barriers, over which neither LLVM nor ptxas moves a load.  It waits for its own
operand first, so each load after it adds its latency to the time of the kernel.  Source code often loads an operand
right before its use.  The pass moves a load, with the pure operations on which it depends, before the first such
operation that it can pass.  It stays after whatever may write global memory, barriers of the kernel, and loops.

The registers of the tensors that are live at once bound this: a multiprocessor keeps as many programs.  Views,
addresses, masks and what is computed from the index of an element count nothing: ptxas makes these where they are used.

Input:  ttg.      Output: ttg.
Order:  late, when loops are pipelined and loads that become asynchronous copies are copies; while control flow has
        regions.
Skips:  functions without loops and dot operations, whose programs hide each other's latency; loops with wgmma, which
        their copies hide; volatile loads; loads that depend on what can't move; bodies of warp groups.
Test:   test/lit/passes/load_early.mlir
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from mlir import ir

from ttkit.inspection import address_of, collect, contains_any, defining, element_bits
from ttkit.layout.encodings import DotOperand
from ttkit.operation_sets import (
    ALL_DOTS,
    ASYNC_COMMIT,
    ASYNC_WAIT,
    CONTROL_FLOW,
    CONVERT_LAYOUT,
    FENCE,
    LOOPS,
    TENSOR_VIEWS,
    WGMMA,
    WGMMA_WAIT,
)
from ttkit.passes.infra import Pass
from ttkit.passes.infra.nesting import ancestor_in
from ttkit.passes.infra.rewriting import is_pure
from ttkit.passes.infra.shared_memory import may_write_global
from ttkit.passes.layouts.assignment import elements_per_thread, tensor_layout
from ttkit.passes.layouts.machine import num_warps
from ttkit.tuning import EARLY_REGISTERS_OF_LOOPS, EARLY_WARPS

LOAD, LOCAL_LOAD = "tt.load", "ttg.local_load"
SYNCHRONIZING = (
    *("ttg.local_alloc", LOCAL_LOAD, "ttg.local_store", ASYNC_WAIT, WGMMA_WAIT, *ALL_DOTS, CONVERT_LAYOUT),
    *("tt.reduce", "tt.scan", "tt.gather", "tt.histogram"),
)
"""Operations for which warps synchronize, or which take long."""
VIEWS = ("tt.broadcast", "tt.splat", *TENSOR_VIEWS)
COMPUTED = (LOAD, LOCAL_LOAD, CONVERT_LAYOUT, "tt.reduce", *ALL_DOTS)
"""Operations whose integers are data, not what follows from the index of an element."""
ORDERS_BUFFERS = (ASYNC_COMMIT, ASYNC_WAIT, FENCE, WGMMA_WAIT)
"""Operations that order accesses of shared memory alone."""
ELEMENTWISE = ("arith.", "math.")
LANES, REGISTER_BITS, WIDE_BITS = 32, 32, 32
ALL_REGISTERS, MOST_REGISTERS = 1 << 16, 255


class LoadEarly(Pass):
    """Load tiles before the warps synchronize for an earlier tile"""

    name = "ttkit-load-early"

    def run(self, op: ir.Operation) -> None:
        """Moves loads up in each block, outer blocks first."""
        for function in list(op.regions[0].blocks[0]):
            if function.operation.name == "tt.func" and may_gain(function.operation):
                blocks = [block for region in function.operation.regions for block in region.blocks]
                pressures = [one for block in blocks for one in pressures_of(block)]
                registers = registers_of_a_thread(num_warps(op), max(max(one.at, default=0) for one in pressures))
                for pressure in pressures:
                    move_loads(pressure, registers)


def may_gain(function: ir.Operation) -> bool:
    """Whether a function has loops or dot operations, and loads that follow operations for which warps synchronize."""
    if not contains_any(function, (*LOOPS, *ALL_DOTS)):
        return False
    blocks: list[ir.Block] = []
    for load in collect(function, [LOAD]):
        if not blocks or blocks[-1] != load.block:
            blocks.append(load.block)
    return any(follows([op.name for op in block]) for block in blocks)


def follows(names: list[str]) -> bool:
    """Whether a load follows an operation for which warps synchronize, by the names of a block's operations."""
    if LOAD not in names:
        return False
    last = len(names) - names[::-1].index(LOAD)
    return any(name in SYNCHRONIZING for name in names[:last])


def registers_of_a_thread(warps: int, most: int) -> int:
    """The registers of a thread that leave a multiprocessor as many programs at once as tensors leave it now.

    Args:
        warps: of a program.
        most: registers of tensors that are live at once now.
    """
    threads = LANES * warps
    programs = min(ALL_REGISTERS // (threads * max(most, 1)), EARLY_WARPS // warps)
    return min(MOST_REGISTERS, max(most, ALL_REGISTERS // (threads * max(programs, 1))))


def move_loads(pressure: Pressure, registers: int) -> None:
    """Moves the loads of a block.

    Args:
        registers: those of a thread for tensors.
    """
    names = [op.name for op in pressure.ops]
    if pressure.is_repeated:
        registers = min(registers, EARLY_REGISTERS_OF_LOOPS)
    if follows(names) and not (pressure.is_repeated and WGMMA in names):
        Mover(names, pressure, registers).run()


# --- Registers --------------------------------------------------------------------------------------------------------


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
                if root not in seen and not is_here(root, block) and registers_of(root):
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
        if not is_here(value, block) and isinstance(block.owner.operation, ir.Operation):
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


def is_here(value: ir.Value, block: ir.Block) -> bool:
    """Whether a value is an argument or a result in this block itself."""
    owner = value.owner
    return (owner if isinstance(owner, ir.Block) else owner.operation.block) == block


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
    return -(-elements_per_thread(type) * bits // REGISTER_BITS)


# --- Moves ------------------------------------------------------------------------------------------------------------


class Mover:
    """Moves the loads of one block, in order.

    Args:
        names: of the operations.
        registers: those of a thread for tensors.
    """

    def __init__(self, names: list[str], pressure: Pressure, registers: int) -> None:
        self.ops, self.pressure, self.registers = pressure.ops, pressure, registers
        self.synchronizing = [number for number, name in enumerate(names) if name in SYNCHRONIZING]
        self.stops = [number for number, name in enumerate(names) if is_stop(self.ops[number], name)]
        self.loads = [number for number, name in enumerate(names) if name == LOAD]
        # Where each operation stands now: a moved one at the number of that before which it is.
        self.place = list(range(len(names)))

    def run(self) -> None:
        """Moves each load as far up as it can go."""
        for number in self.loads:
            load = self.ops[number]
            if load.attributes["isVolatile"].value:
                continue
            before = bisect_left(self.stops, number)
            first = self.stops[before - 1] + 1 if before else 0
            if not self.gains(first, number):
                continue
            moved, first = self.sources(number, first)
            target = self.target(first, number, moved)
            if target is not None:
                self.move([*moved, number], target)

    def gains(self, first: int, number: int) -> bool:
        """Whether a load may gain by standing before operation `first`, in place of `number`."""
        return bisect_left(self.synchronizing, first) < bisect_left(self.synchronizing, number)

    def sources(self, number: int, first: int) -> tuple[list[int], int]:
        """The operations that move with a load, in order, and the first place where it may be."""
        found, waiting = set(), [number]
        while waiting:
            for operand in self.ops[waiting.pop()].operands:
                op = defining(operand)
                source = None if op is None else self.pressure.numbers.get(address_of(op.operation))
                if source is None or source in found or self.place[source] < first:
                    continue
                if self.can_move(source):
                    found.add(source)
                    waiting.append(source)
                else:
                    is_moved = self.place[source] != source
                    first = max(first, self.place[source] + (not is_moved))
        return sorted(n for n in found if self.place[n] >= first), first

    def can_move(self, number: int) -> bool:
        """Whether an operation can move with a load that depends on it."""
        op = self.ops[number]
        return op.name not in SYNCHRONIZING and not len(op.regions) and is_pure(op)

    def target(self, first: int, number: int, sources: list[int]) -> int | None:
        """Before which operation a load goes: the first one for which warps synchronize from where registers fit.

        Args:
            sources: the operations that move with the load.
        """
        more = registers_of(self.ops[number].results[0])
        fits = self.pressure.fits(first, number, more, self.registers)
        if fits is None:
            return None
        place = bisect_left(self.synchronizing, fits)
        return self.synchronizing[place] if place < bisect_left(self.synchronizing, number) else None

    def move(self, numbers: list[int], target: int) -> None:
        """Moves operations before another one, in order."""
        for number in numbers:
            if self.place[number] > target:
                self.ops[number].move_before(self.ops[target])
                self.place[number] = target
        load = numbers[-1]
        self.pressure.lengthen(target, load, registers_of(self.ops[load].results[0]))


def is_stop(op: ir.Operation, name: str) -> bool:
    """Whether no load moves over an operation: it may write global memory, or order what others write there."""
    if name == LOAD:
        return bool(op.attributes["isVolatile"].value)
    if name in ORDERS_BUFFERS:
        return False
    return name in CONTROL_FLOW or may_write_global(op)
