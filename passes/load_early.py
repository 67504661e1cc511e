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

The registers of the tensors that are live at once bound this (`layouts/register_pressure.py`): a multiprocessor keeps
as many programs.

Input:  ttg.      Output: ttg.
Order:  late, when loops are pipelined and loads that become asynchronous copies are copies; while control flow has
        regions.
Skips:  functions without loops and dot operations, whose programs hide each other's latency; loops with wgmma, which
        their copies hide; volatile loads; loads that depend on what can't move; bodies of warp groups.
Test:   test/lit/passes/load_early.mlir
"""

from __future__ import annotations

from bisect import bisect_left

from mlir import ir

from ttkit.inspection import address_of, collect, contains_any, defining
from ttkit.layout.hardware import LANES
from ttkit.operation_sets import (
    ALL_DOTS,
    ASYNC_COMMIT,
    ASYNC_WAIT,
    CONTROL_FLOW,
    CONVERT_LAYOUT,
    FENCE,
    LOOPS,
    WGMMA,
    WGMMA_WAIT,
)
from ttkit.passes.infra import Pass
from ttkit.passes.infra.buffers_and_barriers import may_write_global
from ttkit.passes.infra.nesting import blocks_in
from ttkit.passes.infra.rewriting import is_pure
from ttkit.passes.layouts.register_pressure import Pressure, peak, pressures_of, programs_at_once, registers_of
from ttkit.passes.layouts.thread_counts import num_warps
from ttkit.target import NAMED_REGISTERS, REGISTERS
from ttkit.tuning.passes import EARLY_REGISTERS_OF_LOOPS, EARLY_WARPS

LOAD = "tt.load"
SYNCHRONIZING = (
    *("ttg.local_alloc", "ttg.local_load", "ttg.local_store", ASYNC_WAIT, WGMMA_WAIT, *ALL_DOTS, CONVERT_LAYOUT),
    *("tt.reduce", "tt.scan", "tt.gather", "tt.histogram"),
)
"""Operations for which warps synchronize, or which take long."""
ORDERS_BUFFERS = (ASYNC_COMMIT, ASYNC_WAIT, FENCE, WGMMA_WAIT)
"""Operations that order accesses of shared memory alone."""


class LoadEarly(Pass):
    """Load tiles before the warps synchronize for an earlier tile"""

    name = "ttkit-load-early"

    def run(self, op: ir.Operation) -> None:
        """Moves loads up in each block, outer blocks first."""
        for function in collect(op, ["tt.func"]):
            if may_gain(function):
                pressures = [one for block in blocks_in(function) for one in pressures_of(block)]
                registers = registers_of_a_thread(num_warps(function), peak(pressures))
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
    programs = programs_at_once(warps, most, EARLY_WARPS)
    return min(NAMED_REGISTERS, max(most, REGISTERS // (LANES * warps * programs)))


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
        more = registers_of(self.ops[number].result)
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
        self.pressure.lengthen(target, load, registers_of(self.ops[load].result))


def is_stop(op: ir.Operation, name: str) -> bool:
    """Whether no load moves over an operation: it may write global memory, or order what others write there."""
    if name == LOAD:
        return bool(op.attributes["isVolatile"].value)
    if name in ORDERS_BUFFERS:
        return False
    return name in CONTROL_FLOW or may_write_global(op)
