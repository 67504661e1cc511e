"""Integers as they would be if their types had no limits, beside those that a kernel computes.

Where the two differ, arithmetic has wrapped.  That is an error once an address that is accessed, the mask of an access
or a loop's trip count is not what the exact integers give.  So a sum that wraps and comes back is none.
Exact integers are int64, so arithmetic in 64 bits is taken to be exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ttkit.interpreter.decode import Instruction, Module
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.masks import mask_position
from ttkit.interpreter.memory.global_memory import place
from ttkit.interpreter.ops.arith import COMPARE, divide, divide_down, divide_up
from ttkit.interpreter.ops.block_pointer import BlockPointer
from ttkit.interpreter.values import align_rank, put, take, unsigned
from ttkit.operation_sets import BLOCK_POINTERS
from ttkit.sanitizer.checked_memory import CheckedMemory
from ttkit.sanitizer.findings import Finding
from ttkit.sanitizer.index_arithmetic import (
    ACCESSES,
    ALONG_AXIS,
    POSITIONS,
    VIEWS,
    Reading,
    combined_by,
    guards_accesses,
    index_arithmetic,
)
from ttkit.sanitizer.source_lines import sites

Array = np.ndarray
NARROW = (np.int8, np.int16, np.int32)
MOST_WRAPS = 8
"""Operations that are remembered for one value, the first: in a loop each turn may add one."""
SIGNS = {"arith.addi": "+", "arith.subi": "-", "arith.muli": "*", "arith.shli": "<<", "tt.advance": "+"}
"""Operations that may wrap, besides sums along an axis."""


def shifted(a: Array, b: Array) -> Array:
    """a * 2^b; shifts by more than int64 has are cut."""
    return np.left_shift(a, np.clip(b, 0, 62))


EXACT: dict[str, Callable[[Array, Array], Array]] = {
    "arith.addi": np.add,
    "arith.subi": np.subtract,
    "arith.muli": np.multiply,
    "arith.shli": shifted,
    "tt.advance": np.add,
    "arith.divsi": divide,
    "arith.divui": divide,
    "arith.floordivsi": divide_down,
    "arith.ceildivsi": divide_up,
    "arith.ceildivui": divide_up,
    "arith.maxsi": np.maximum,
    "arith.maxui": np.maximum,
    "arith.minsi": np.minimum,
    "arith.minui": np.minimum,
    "arith.andi": np.bitwise_and,
    "arith.ori": np.bitwise_or,
    "arith.xori": np.bitwise_xor,
}


@dataclass(frozen=True)
class Wrap:
    """An operation that has wrapped: its operands, exact result and result; programs: int64 [P], of a row each."""

    op: Instruction
    operands: tuple[Array, ...]
    exact: Array
    result: Array
    programs: Array

    def at(self, program: int, element: Sequence[int]) -> str:
        """Text about what has wrapped in a program, at an element if it is one of these; empty if nothing has."""
        wrong = self.exact != self.result
        if wrong.shape[0] > 1:
            rows = np.flatnonzero(self.programs == program)
            if not rows.size:
                return ""
            row = int(rows[0])
        else:
            row = 0
        if not wrong[row].any():
            return ""
        where = tuple(element)
        if wrong.ndim - 1 != len(where) or any(i >= n for i, n in zip(where, wrong.shape[1:])) or not wrong[row][where]:
            where = tuple(int(i) for i in np.unravel_index(int(np.argmax(wrong[row])), wrong.shape[1:]))
        exact, result = int(self.exact[(row, *where)]), int(self.result[(row, *where)])
        bits = 8 * self.op.result_types[0].element.itemsize if self.op.name != "tt.advance" else 32
        return f"{self._text(row, where)} is {exact}, which wraps to {result} in {bits} bits"

    def _text(self, row: int, where: tuple[int, ...]) -> str:
        if self.op.name in ALONG_AXIS:
            count = self.operands[0].shape[self.op.attributes["axis"] + 1]
            return f"the sum of {count} elements" if self.op.name == "tt.reduce" else "a sum of tl.cumsum"
        numbers = [int(np.broadcast_to(value, self.exact.shape)[(row, *where)]) for value in self.operands]
        return f" {SIGNS[self.op.name]} ".join(map(str, numbers))


@dataclass(frozen=True)
class Exact:
    """value: int64, or bool for masks, of the shape of what it stands beside; wraps: why it is another."""

    value: Array
    wraps: tuple[Wrap, ...]


Table = dict[int, tuple[Any, Any]]


class ExactIntegers:
    """Watches a launch, see `Options.observer`.

    Args:
        memory: of the launch, which reports.
        module: that runs.
    """

    def __init__(self, memory: CheckedMemory, module: Module) -> None:
        self.memory = memory
        self.followed = index_arithmetic(module) if "overflow" in memory.kinds else {}
        self.tables: dict[Reading, Table] = {"signed": {}, "unsigned": {}}
        self.offsets: Table = {}
        """The exact offset of a block pointer in each dimension, or None."""

    def start(self) -> None:
        """A new batch of programs: all values are new."""
        for table in (*self.tables.values(), self.offsets):
            table.clear()

    # --- what is known of values --------------------------------------------------------------------------------------

    def known(self, value: Any, reading: Reading = "signed") -> Exact | None:
        """The exact integers beside a value, if they differ from it."""
        found = self.tables[reading].get(id(value))
        return None if found is None else found[1]

    def exact(self, value: Array, reading: Reading = "signed") -> Array:
        """The exact integers for a value."""
        known = self.known(value, reading)
        return read(value, reading) if known is None else np.broadcast_to(known.value, value.shape)

    def note(self, value: Array, exact: Array, reading: Reading, wraps: Sequence[Wrap]) -> None:
        """Remembers the exact integers for a value, if they differ from it."""
        if not (exact != read(value, reading)).any():
            return
        kept = tuple({id(wrap): wrap for wrap in wraps}.values())[:MOST_WRAPS]
        self.tables[reading][id(value)] = value, Exact(exact, kept)  # holds the value, so that its id stays its own

    def taken(self, value: Any, taken: Any, lanes: Array) -> None:
        """Programs of a batch part: `taken` is for some of them."""
        for reading, table in self.tables.items():
            if id(value) in table:
                known = table[id(value)][1]
                self.note(taken, np.broadcast_to(known.value, value.shape)[lanes], reading, known.wraps)
        if id(value) in self.offsets:
            parts = self.offsets[id(value)][1]
            rows = [part and Exact(np.asarray(take(part.value, lanes)), part.wraps) for part in parts]
            self.offsets[id(taken)] = taken, rows

    def merged(self, target: Any, value: Any, merged: Any, lanes: Array) -> None:
        """Programs of a batch are together again: `merged` is `target`, with `value` for the programs `lanes`."""
        for reading in self.tables:
            first, second = self.known(target, reading), self.known(value, reading)
            if first is not None or second is not None:
                exact = read(merged, reading).copy()
                if first is not None and target.shape[1:] == merged.shape[1:]:
                    exact[:] = np.broadcast_to(first.value, target.shape)
                exact[lanes] = self.exact(value, reading)
                self.note(merged, exact, reading, [*(first.wraps if first else ()), *(second.wraps if second else ())])
        if id(value) in self.offsets and isinstance(merged, BlockPointer):
            parts = self.offsets[id(value)][1]
            exacts = [
                part and Exact(put(offset.astype(np.int64), part.value, lanes, offset.shape[0]), part.wraps)
                for part, offset in zip(parts, merged.offsets)
            ]
            self.offsets[id(merged)] = merged, exacts

    # --- after an operation -------------------------------------------------------------------------------------------

    def after(self, machine: Machine, op: Instruction, operands: list[Any], results: tuple[Any, ...]) -> None:
        """Works out the exact results."""
        readings = self.followed.get(op)
        if readings is None or not results:
            return
        if isinstance(results[0], BlockPointer):
            self._block_pointer(machine, op, operands, results[0])
        elif isinstance(results[0], np.ndarray):
            for reading in readings:
                self._follow(machine, op, operands, results, reading)

    def _follow(
        self, machine: Machine, op: Instruction, operands: list[Any], results: tuple[Any, ...], reading: Reading
    ) -> None:
        source: Reading = {"arith.extsi": "signed", "arith.extui": "unsigned"}.get(op.name, reading)  # type: ignore[assignment]
        wraps = [wrap for value in operands if (known := self.known(value, source)) for wrap in known.wraps]
        may_wrap = op.result_types[0].element in NARROW and (op.name in SIGNS or op.name in ALONG_AXIS)
        if not wraps and not may_wrap:
            return
        if may_wrap:
            values = [read(value, reading) for value in operands]
            exact = compute(machine, op, values, results)[0]
            result = np.broadcast_to(read(results[0], reading), exact.shape)
            if (exact != result).any():
                wraps.append(Wrap(op, tuple(values), exact, result, machine.programs))
        if not wraps:
            return
        exacts = compute(machine, op, [self.exact(value, source) for value in operands], results)
        for result, exact in zip(results, exacts):
            self.note(result, exact, reading, wraps)

    def _block_pointer(self, machine: Machine, op: Instruction, operands: list[Any], result: BlockPointer) -> None:
        count = len(result.offsets)
        if op.name == "tt.make_tensor_ptr":
            found = [self.known(offset) for offset in operands[-count:]]
            if any(found):
                self.offsets[id(result)] = result, found
            return
        before = self.offsets.get(id(operands[0]), (None, [None] * count))[1]
        parts: list[Exact | None] = []
        for known, old, step, new in zip(before, operands[0].offsets, operands[1:], result.offsets):
            wraps = [*(known.wraps if known else ()), *(more.wraps if (more := self.known(step)) else ())]
            exact = read(old, "signed") + read(step, "signed")
            if (exact != new).any():
                wraps.append(Wrap(op, (old, step), exact, np.broadcast_to(new, exact.shape), machine.programs))
            exact = (known.value if known else read(old, "signed")) + self.exact(step)
            parts.append(Exact(exact, tuple(wraps)) if (exact != new).any() else None)
        if any(parts):
            self.offsets[id(result)] = result, parts

    # --- before an operation: where it is an error --------------------------------------------------------------------

    def before(self, machine: Machine, op: Instruction, operands: list[Any]) -> None:
        """Looks at what an operation is about to use."""
        if not any(self.tables.values()) and not self.offsets:
            return
        if op.name in ACCESSES:
            self._check_access(machine, op, operands)
        elif op.name in POSITIONS and op.name not in BLOCK_POINTERS:
            for value in operands[POSITIONS[op.name]]:
                self._check_value(machine, op, value, "is a size, a stride or an offset of a descriptor")
        elif op.name == "tt.make_tensor_ptr":
            for value in operands[1 : -operands_per_dimension(op)]:
                self._check_value(machine, op, value, "is a size or a stride of a block pointer")
        elif op.name == "scf.for":
            self._check_loop(machine, op, operands)
        elif op.name == "scf.condition":
            self._check_value(machine, op, operands[0], "decides whether a loop goes on")
        elif operands and self.known(operands[0]) is not None and guards_accesses(op):
            self._check_value(machine, op, operands[0], "decides a branch")

    def _check_access(self, machine: Machine, op: Instruction, operands: list[Any]) -> None:
        pointer, position = operands[0], mask_position(op)
        if isinstance(pointer, BlockPointer):
            for known, offset in zip(self.offsets.get(id(pointer), (None, ()))[1], pointer.offsets):
                if known is not None:
                    self._tell(machine, op, known, known.value != offset, "is an offset of a block pointer")
            return
        mask = None if position is None else operands[position]
        if isinstance(pointer, np.ndarray) and (known := self.known(pointer)) is not None:
            wrong = known.value != pointer
            wrong = wrong if mask is None else wrong & mask
            if wrong.any():
                self.memory.said = np.broadcast_to(pointer, wrong.shape)[wrong]
                self._tell(machine, op, known, wrong, "is part of an address")
                return
        if mask is not None:
            self._check_value(machine, op, mask, "decides the mask of an access")

    def _check_value(self, machine: Machine, op: Instruction, value: Any, what: str) -> None:
        if (known := self.known(value)) is not None:
            self._tell(machine, op, known, known.value != value, what)

    def _check_loop(self, machine: Machine, op: Instruction, operands: list[Any]) -> None:
        bounds = operands[:3]
        wraps = [wrap for value in bounds if (known := self.known(value)) for wrap in known.wraps]
        if wraps:
            exact, given = (trips(*map(of, bounds)) for of in (self.exact, read))
            self._tell(machine, op, Exact(exact, tuple(wraps)), exact != given, "is part of a loop's bounds")

    def _tell(self, machine: Machine, op: Instruction, known: Exact, wrong: Array, what: str) -> None:
        """Reports elements that are not what they would be."""
        if not wrong.any():
            return
        index = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
        program, element = place(machine, index, wrong.shape)
        x, y, _ = machine.grid
        linear = program[0] + x * (program[1] + y * program[2])
        told = ((wrap, wrap.at(linear, element)) for wrap in known.wraps)
        found = next(((wrap, text) for wrap, text in told if text), None)
        if found is None:
            return
        where, used = (list(sites(one.location, one.name)) for one in (found[0].op, op))
        kernel, fix = self.memory.kernel, "compute it in 64 bits: x.to(tl.int64) on one of the operands"
        text, others = f"{found[1]}, and {what}", [("used at", used)]
        self.memory.tell(
            Finding("overflow", kernel, text, where, program, element, others=others, fix=fix, count=int(wrong.sum()))
        )


def operands_per_dimension(op: Instruction) -> int:
    """The number of offsets of a tt.make_tensor_ptr."""
    return len(op.operands) // 3


def read(value: Array, reading: Reading = "signed") -> Array:
    """An integer array as int64; bool stays."""
    if value.dtype == np.bool_:
        return value
    return (unsigned(value) if reading == "unsigned" else value).astype(np.int64)


def trips(lower: Array, upper: Array, step: Array) -> Array:
    """The trip count of a loop."""
    return np.maximum(0, divide_up(upper - lower, step))


def compute(machine: Machine, op: Instruction, values: list[Array], results: tuple[Any, ...]) -> list[Array]:
    """The results of an operation on exact values."""
    if op.name in EXACT:
        return [EXACT[op.name](values[0], values[1])]
    if op.name in VIEWS and op.handler is not None:
        made = op.handler(machine, op, *values)
        return list(made) if isinstance(made, tuple) else [made]
    if op.name == "tt.addptr":
        return [values[0] + values[1] * op.result_types[0].pointee.element.itemsize]
    if op.name == "arith.cmpi":
        return [COMPARE[op.attributes["predicate"]](values[0], values[1])]
    if op.name == "arith.select":
        condition, first, second = values
        rank = max(first.ndim, second.ndim) - 1
        return [np.where(align_rank(condition, rank) if condition.ndim <= rank else condition, first, second)]
    if op.name in ALONG_AXIS:
        return [along_axis(op, values[0], results[0])]
    return [values[0]]


def along_axis(op: Instruction, value: Array, result: Array) -> Array:
    """A reduction or a scan of exact values."""
    function = EXACT[combined_by(op)]
    axis = op.attributes["axis"] + 1
    if axis == value.ndim:  # a scan along an axis of one element, after the last
        return value
    if op.name == "tt.reduce":
        return function.reduce(value, axis=axis).reshape(-1, *result.shape[1:])
    if op.attributes["reverse"]:
        return np.flip(function.accumulate(np.flip(value, axis), axis=axis), axis)
    return function.accumulate(value, axis=axis)
