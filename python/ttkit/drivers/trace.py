"""`tt-run --trace`: what each operation results in, by the names of the file; addresses as buffers with offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from mlir import ir

import ttkit
from ttkit.analysis.value_names import result_names, without_locations
from ttkit.interpreter.decode import Instruction, Module, decode_module
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.memory.global_memory import REGION_BITS, Memory

WIDTH = 100
_PLACE = re.compile(r":(\d+):(\d+)$")


class Trace:
    """Prints the results of operations.

    Args:
        module: what runs.
        text: of its file.
    """

    def __init__(self, module: Module, text: bytes) -> None:
        self.names = _names(module, text)

    def __call__(self, machine: Machine, op: Instruction, results: Any) -> None:
        """One line for each result of an operation: where it is, its name and type, the first and last elements."""
        values = results if isinstance(results, tuple) else (results,)
        names = self.names.get(id(op), [])
        for place, (kind, value) in enumerate(zip(op.result_types, values)):
            name = f"{names[place]} = " if place < len(names) else ""
            if isinstance(value, np.ndarray):
                programs = value.shape[0] if value.shape[0] > 1 else "all"
                text = f"{kind.text} in programs: {programs}  {_elements(machine.memory, kind, value)}"
            else:
                text = str(value)
            print(f"{op.location}: {name}{op.name}: {shorten(text)}")


def shorten(text: str) -> str:
    """A text in one line of limited length."""
    text = " ".join(text.split())
    return text if len(text) <= 2 * WIDTH else text[: 2 * WIDTH] + "..."


def _elements(memory: Memory, kind: Any, value: np.ndarray) -> str:
    """The first and last elements."""
    pointers = kind.pointee is not None and value.dtype.kind == "i"
    formatter: Any = {"int_kind": lambda address: _address(memory, int(address))} if pointers else None
    flat = value.reshape(-1)
    return np.array2string(flat, threshold=8, edgeitems=4, max_line_width=10 * WIDTH, formatter=formatter)


def _address(memory: Memory, address: int) -> str:
    """`x+64`: bytes from the beginning of a buffer; the number alone for what is in none."""
    buffer = memory.in_region(address >> REGION_BITS)
    if buffer is None:
        return f"{address:#x}" if address else "null"
    offset = address - buffer.base
    return f"{buffer.name}{offset:+d}" if offset else buffer.name


def _names(module: Module, text: bytes) -> dict[int, list[str]]:
    """The names of each instruction's results in a file, by its id; none if the file is bytecode."""
    try:
        blanked = without_locations(text.decode())
        with ttkit.Context():
            located = decode_module(ttkit.parse(blanked))
    except (UnicodeDecodeError, ir.MLIRError):
        return {}
    lines = blanked.split("\n")
    found = {}
    for op, same in zip(_instructions(module), _instructions(located)):
        place = _PLACE.search(same.location)
        if place is not None and op.name == same.name and op.results:
            found[id(op)] = result_names(lines, int(place[1]), int(place[2]))
    return found


def _instructions(module: Module) -> Iterator[Instruction]:
    """All instructions, in an order that depends on the module alone."""
    for function in module.functions.values():
        yield from function.operations()
