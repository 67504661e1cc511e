"""Hints that a kernel gives the compiler, checked on the values: `tl.multiple_of`, `max_contiguous`, `max_constancy`,
and those that a kernel was compiled with on its arguments.

A hint about divisibility is one about the first element of each run of elements that count up by one: of
`offsets = start + tl.arange(0, N)` that is what makes a wide access possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from mlir import ir

from ttkit.analysis.axis_analysis import HINTS
from ttkit.interpreter.broken_hints import broken
from ttkit.interpreter.decode import Function, Instruction
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.memory.global_memory import place
from ttkit.interpreter.values import ValueType
from ttkit.sanitizer.checked_memory import CheckedMemory
from ttkit.sanitizer.findings import Finding
from ttkit.sanitizer.source_lines import Site, call_at, sites

NAMES = {"tt.contiguity": "tl.max_contiguous", "tt.divisibility": "tl.multiple_of", "tt.constancy": "tl.max_constancy"}


class Hints:
    """Watches a launch, see `Options.observer`."""

    def __init__(self, memory: CheckedMemory) -> None:
        self.memory = memory
        self.known: dict[int, dict[str, list[int]]] = {}

    def begin(self, function: Function, arguments: Sequence[Any]) -> None:
        """Checks what the kernel was compiled for: arguments that are multiples of a number."""
        for position, (value, attributes) in enumerate(zip(arguments, function.argument_attributes)):
            number = attributes.get("tt.divisibility")
            if not isinstance(number, int) or number <= 0 or not isinstance(value, np.ndarray):
                continue
            if (value % number).any():
                name, kind = function.argument_names[position], function.argument_types[position]
                found = _said(int(value.flat[0]), kind, number)
                text = f"the kernel was compiled for {name} being a multiple of {number}, but there is {found}"
                where = list(sites(function.argument_locations[position]))
                fix = "launch the kernel by its function, which compiles it for the arguments, or leave the hint out"
                self.memory.tell(Finding("hint", self.memory.kernel, text, where, argument=name, fix=fix))

    def after(self, machine: Machine, op: Instruction, operands: list[Any], results: tuple[Any, ...]) -> None:
        """Checks the hints on an operation's result."""
        if not any(name in op.attributes for name in HINTS) or not results or not isinstance(results[0], np.ndarray):
            return
        if id(op) not in self.known:
            stated = {name: _numbers(op.attributes[name]) for name in HINTS if name in op.attributes}
            self.known[id(op)] = {name: numbers for name, numbers in stated.items() if numbers}
        kind = op.result_types[0]
        unit = kind.pointee.element.itemsize if kind.pointee is not None and kind.pointee.element is not None else 1
        hints = self.known[id(op)]
        for name, numbers in hints.items():
            wrong = broken(name, numbers, results[0], unit, hints.get("tt.contiguity"))
            if wrong is not None and wrong.any():
                self._tell(machine, op, name, numbers, results[0], wrong)

    def _tell(
        self, machine: Machine, op: Instruction, name: str, numbers: list[int], value: np.ndarray, wrong: np.ndarray
    ) -> None:
        bad = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
        program, element = place(machine, bad, wrong.shape)
        number = int(np.broadcast_to(value, wrong.shape)[bad])
        kind = op.result_types[0]
        shown, start = _said(number, kind, max(numbers)), str(number) if kind.pointee is None else "an address"
        says = f"{NAMES[name]}(..., {numbers[0] if len(numbers) == 1 else numbers})"
        text = {
            "tt.divisibility": f"{says}, but there is {shown}",
            "tt.contiguity": f"{says}, but elements do not count up by one from {start} on",
            "tt.constancy": f"{says}, but elements are not all equal to {start}",
        }[name]
        fix = "take the hint away, or give a smaller number: the compiler makes wide accesses of it"
        self.memory.tell(
            Finding(
                "hint",
                self.memory.kernel,
                text,
                list(sites_of_hint(op, NAMES[name])),
                program,
                element,
                fix=fix,
                count=int(wrong.sum()),
            )
        )


def _said(number: int, kind: ValueType, divisor: int) -> str:
    """A number that should be a multiple of another; of an address only what it leaves."""
    return (
        f"{number}" if kind.pointee is None else f"an address that leaves {number % divisor} when divided by {divisor}"
    )


def sites_of_hint(op: Instruction, function: str) -> tuple[Site, ...]:
    """The place of the call that gave the hint: the IR has that of the value, which is at the same line or before."""
    where = sites(op.location, op.name)
    call = call_at(where[0], function.removeprefix("tl.")) if where else None
    return (call, *where[1:]) if call is not None else where


def _numbers(attribute: Any) -> list[int]:
    """The numbers that an attribute states; none if it is not a hint, whatever its name."""
    if isinstance(attribute, ir.DenseElementsAttr) and not isinstance(attribute.type.element_type, ir.IntegerType):
        return []
    if isinstance(attribute, ir.DenseElementsAttr):
        if attribute.is_splat:
            return [int(attribute.get_splat_value().value)] * attribute.type.shape[0]
        return [int(number) for number in attribute]
    return [attribute] if isinstance(attribute, int) else []
