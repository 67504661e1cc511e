"""Values that a kernel must not use, as they flow through it: what a masked load without `other` gives where the mask
is false, what is gathered from outside of a tensor, and quotients by 0.

Such a value has a shadow, a bool for each element.  Shadows of results follow from those of operands (`flow`).  An
undefined value is an error once it is stored, decides a branch or is part of an address.  What is masked off, or
replaced (`tl.where`), is none.  Most values have no shadow, and cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.masks import mask_position
from ttkit.interpreter.memory.global_memory import Access, place
from ttkit.interpreter.ops.block_pointer import BlockPointer
from ttkit.interpreter.values import align_rank
from ttkit.operation_sets import ALONG_AXIS, DIVISIONS, POINTER_ACCESSES, UNSCALED_DOTS
from ttkit.sanitizer.checked_memory import CheckedMemory
from ttkit.sanitizer.findings import Finding
from ttkit.sanitizer.index_arithmetic import VIEWS
from ttkit.sanitizer.source_lines import sites

ONLY_READ, ONLY_WRITE = ("tt.load", "tt.atomic_load"), ("tt.store", "tt.atomic_store")
ELEMENTWISE = (
    *("arith.", "math.", "tt.addptr", "tt.fp_to_fp", "tt.bitcast", "tt.int_to_ptr", "tt.ptr_to_int", "tt.clampf"),
    *("tt.precise_", "tt.mulhiui", "tt.extern_elementwise", "tt.elementwise_inline_asm"),
)
"""Operations, by the start of their names, that make each element of elements at the same place."""
FIXES = {
    "tt.load": (
        "a masked load without `other` has no value where its mask is false",
        "give the load other=..., such as other=0.0, or mask what is computed from it (tl.where)",
    ),
    "tt.gather": (
        "tl.gather has no value for an index outside of the tensor",
        "keep each index between 0 and the size of the axis, or mask what is gathered (tl.where)",
    ),
    **dict.fromkeys(
        DIVISIONS,
        ("division by the integer 0 has no value", "mask what is computed from it (tl.where), or skip it there"),
    ),
}
"""Operation whose result may be undefined -> where it is, and what to do."""
BRANCHES = frozenset(["scf.if", "scf.index_switch", "cf.cond_br", "cf.switch"])


@dataclass
class Shadow:
    """marked: bool, of the shape of the value (it broadcasts to it); origin: the operation that they came from."""

    marked: np.ndarray
    origin: Instruction


class Shadows:
    """Watches a launch, see `Options.observer`.

    Args:
        memory: of the launch, which reports.
    """

    def __init__(self, memory: CheckedMemory) -> None:
        self.memory = memory
        self.finds_undefined = "uninitialized" in memory.kinds
        self.undefined: dict[int, tuple[Any, Shadow]] = {}

    def start(self) -> None:
        """A new batch of programs: all values are new."""
        self.undefined.clear()

    # --- before and after each operation

    def before(self, machine: Machine, op: Instruction, operands: list[Any]) -> None:
        """Looks at what an operation is about to use."""
        if not self.undefined:
            return
        if op.name in POINTER_ACCESSES and isinstance(operands[0], np.ndarray):
            self._check_access(machine, op, operands)
        elif op.name in BRANCHES and (found := self._of(operands[0])) is not None:
            self._tell_undefined(machine, op, operands[0], None, found, "decides a branch")

    def after(self, machine: Machine, op: Instruction, operands: list[Any], results: tuple[Any, ...]) -> None:
        """Gives results their shadows."""
        if self.finds_undefined and results and op.name in FIXES:
            self._mark(op, operands, results[0])
        if self.undefined:
            self._flow(machine, op, operands, results)

    def taken(self, value: Any, taken: Any, lanes: np.ndarray) -> None:
        """Programs of a batch part: `taken` is for some of them."""
        if (found := self._of(value)) is not None:
            marked = np.broadcast_to(found.marked, value.shape)[lanes]
            if marked.any():
                self._put(taken, Shadow(marked, found.origin))

    def merged(self, target: Any, value: Any, merged: Any, lanes: np.ndarray) -> None:
        """Programs of a batch are together again: `merged` is `target`, with `value` for the programs `lanes`."""
        first, second = self._of(target), self._of(value)
        some = first or second
        if some is None:
            return
        marked = np.zeros(merged.shape, np.bool_)
        if first is not None and target.shape[1:] == merged.shape[1:]:
            marked[:] = np.broadcast_to(first.marked, target.shape)
        marked[lanes] = False if second is None else np.broadcast_to(second.marked, value.shape)
        if marked.any():
            self._put(merged, Shadow(marked, some.origin))

    def _of(self, value: Any) -> Shadow | None:
        found = self.undefined.get(id(value))
        return None if found is None else found[1]

    def _put(self, value: Any, shadow: Shadow) -> None:
        known = self._of(value)
        if known is not None:
            shadow = Shadow(known.marked | shadow.marked, known.origin)
        self.undefined[id(value)] = value, shadow  # holds the value, so that its id stays its own

    # --- where shadows come from

    def _mark(self, op: Instruction, operands: list[Any], result: np.ndarray) -> None:
        if op.name == "tt.load":
            self._mark_masked_off(op, operands, result)
            return
        if op.name == "tt.gather":
            source, index = operands
            bad = (index < 0) | (index >= source.shape[op.attributes["axis"] + 1])
        else:
            bad = operands[1] == 0
        if bad.any():
            self._put(result, Shadow(np.broadcast_to(bad, result.shape), op))

    def _mark_masked_off(self, op: Instruction, operands: list[Any], result: np.ndarray) -> None:
        counts = op.attributes["operandSegmentSizes"]
        if isinstance(operands[0], BlockPointer):
            mask = None if op.attributes.get("padding") else operands[0].elements(op)[1]
        else:
            mask = operands[1] if counts[1] and not counts[2] else None
        if mask is not None and not mask.all():
            self._put(result, Shadow(~np.broadcast_to(mask, result.shape), op))

    # --- how they flow

    def _flow(
        self,
        machine: Machine,
        op: Instruction,
        operands: list[Any],
        results: tuple[Any, ...],
    ) -> None:
        shadows = [self._of(operand) for operand in operands]
        first = next((shadow for shadow in shadows if shadow is not None), None)
        if first is None or not results:
            return
        for result, marked in zip(results, flow(machine, op, operands, results, shadows)):
            if marked is not None and isinstance(result, np.ndarray) and marked.any():
                self._put(result, Shadow(marked, first.origin))

    # --- where they are errors

    def _check_access(self, machine: Machine, op: Instruction, operands: list[Any]) -> None:
        position = mask_position(op)
        mask = None if position is None else operands[position]
        access = Access(machine, op, operands[0], mask, "uses")
        if mask is not None and (found := self._of(mask)) is not None:
            self._tell_undefined(machine, op, mask, None, found, "is in the mask of an access")
        if (found := self._of(operands[0])) is not None:
            self._tell_undefined(machine, op, operands[0], mask, found, "is in the address of an access")
        values = operands[1:] if op.name == "tt.atomic_cas" else () if op.name in ONLY_READ else operands[1:2]
        for value in values:
            if (found := self._of(value)) is not None:
                what = "is stored" if op.name in ONLY_WRITE else "updates memory"
                self._tell_undefined(machine, op, np.broadcast_to(value, access.shape), mask, found, what)

    def _tell_undefined(
        self, machine: Machine, op: Instruction, value: np.ndarray, mask: Any, shadow: Shadow, what: str
    ) -> None:
        shape = value.shape if mask is None else np.broadcast_shapes(value.shape, mask.shape)
        enabled = _enabled(shadow, shape, mask)
        if enabled.any():
            undefined, fix = FIXES[shadow.origin.name]
            text = f"{undefined}, and that {what}"
            program, element = place(machine, np.unravel_index(int(np.argmax(enabled)), enabled.shape), enabled.shape)
            where, used = (list(sites(one.location, one.name)) for one in (shadow.origin, op))
            others, count = [("used at", used)], int(enabled.sum())
            self.memory.tell(
                Finding(
                    "uninitialized",
                    self.memory.kernel,
                    text,
                    where,
                    program,
                    element,
                    others=others,
                    fix=fix,
                    count=count,
                )
            )


def _enabled(shadow: Shadow, shape: tuple[int, ...], mask: np.ndarray | None) -> np.ndarray:
    """Elements that have the shadow, of those that a mask lets through."""
    marked = np.broadcast_to(shadow.marked, shape)
    return marked if mask is None else marked & mask


def flow(
    machine: Machine, op: Instruction, operands: list[Any], results: tuple[Any, ...], shadows: list[Shadow | None]
) -> Iterator[np.ndarray | None]:
    """The marks of each result; None for none."""
    marks = [None if shadow is None else shadow.marked for shadow in shadows]
    if op.name in VIEWS:
        given = [
            np.zeros((1, *value.shape[1:]), np.bool_) if mark is None else np.broadcast_to(mark, value.shape)
            for value, mark in zip(operands, marks)
        ]
        made = op.handler(machine, op, *given) if op.handler is not None else None
        yield from made if isinstance(made, tuple) else (made,)
    elif op.name == "arith.select":
        yield _select(operands, marks)
    elif op.name in ("arith.andi", "arith.ori") and operands[0].dtype == np.bool_:
        yield _logical(operands, marks, decides=op.name == "arith.ori")
    elif op.name in ALONG_AXIS:
        yield from _along_axis(op, operands, results, marks)
    elif op.name in UNSCALED_DOTS:
        yield _product(marks)
    elif op.name.startswith(ELEMENTWISE):
        shape = np.broadcast_shapes(*(mark.shape for mark in marks if mark is not None))
        marked = np.zeros(shape, np.bool_)
        for mark in marks:
            if mark is not None:
                marked |= mark
        yield from (marked for _ in results)


def _select(operands: list[Any], marks: list[Any]) -> np.ndarray:
    condition = operands[0]
    shape = np.broadcast_shapes(condition.shape, operands[1].shape, operands[2].shape)
    if condition.ndim < len(shape):
        condition = align_rank(condition, len(shape) - 1)
    first, second = (np.False_ if mark is None else mark for mark in marks[1:3])
    chosen = np.where(condition, first, second)
    if marks[0] is not None:
        decides = align_rank(marks[0], len(shape) - 1) if marks[0].ndim < len(shape) else marks[0]
        chosen = chosen | decides
    return np.broadcast_to(chosen, shape)


def _logical(operands: list[Any], marks: list[Any], decides: bool) -> np.ndarray:
    """Of `and` and `or`: a defined operand that decides the result makes the other one's value irrelevant."""
    first, second = (np.False_ if mark is None else mark for mark in marks[:2])
    settles = [(value == decides) & ~mark for value, mark in zip(operands, (first, second))]
    return (first & ~settles[1]) | (second & ~settles[0])


def _along_axis(op: Instruction, operands: list[Any], results: tuple[Any, ...], marks: list[Any]) -> Iterator[Any]:
    axis = op.attributes["axis"] + 1
    marked = np.zeros(np.broadcast_shapes(*(value.shape for value in operands)), np.bool_)
    for mark in marks:
        if mark is not None:
            marked = marked | mark
    if axis == marked.ndim:  # a scan along an axis of one element, after the last
        found = marked
    elif op.name == "tt.reduce":
        found = marked.any(axis=axis)
    elif op.attributes["reverse"]:
        found = np.flip(np.logical_or.accumulate(np.flip(marked, axis), axis=axis), axis)
    else:
        found = np.logical_or.accumulate(marked, axis=axis)
    for result in results:
        yield np.broadcast_to(found.reshape(-1) if result.ndim == 1 and found.ndim != 1 else found, found.shape)


def _product(marks: list[Any]) -> np.ndarray:
    marked = np.zeros(1, np.bool_)
    if marks[0] is not None:
        marked = marked | marks[0].any(axis=-1, keepdims=True)
    if marks[1] is not None:
        marked = marked | marks[1].any(axis=-2, keepdims=True)
    if len(marks) > 2 and marks[2] is not None:
        marked = marked | marks[2]
    return marked
