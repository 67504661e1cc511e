"""Functions from outside: library functions by name, assembly, scalar code for each element."""

from __future__ import annotations

from typing import Any

import numpy as np

import ttkit.interpreter.lowered.ptx_arithmetic  # noqa: F401  for assembly that computes
from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.errors import InterpreterError, NotInterpretable
from ttkit.interpreter.lowered.ptx import Assembly
from ttkit.interpreter.machine import Frame, Machine, structured
from ttkit.interpreter.numerics import library_functions
from ttkit.interpreter.ops.element_regions import ElementRegion
from ttkit.interpreter.ops.registry import interprets
from ttkit.interpreter.values import align_rank

Array = np.ndarray


@interprets("tt.extern_elementwise")
def extern_elementwise(machine: Machine, op: Instruction, *srcs: Array) -> Array:
    """result[i] = symbol(srcs[0][i], srcs[1][i], ...)."""
    symbol = op.attributes["symbol"]
    function = library_functions.find(symbol)
    if function is None:
        raise NotInterpretable(f"no meaning is known of the library function '{symbol}'", op)
    kind = op.result_types[0]
    result = function(kind.element, *(align_rank(src, kind.rank) if src.ndim == 1 else src for src in srcs))
    if result is None:
        types = ", ".join(operand.text for operand in op.operand_types)
        raise NotInterpretable(f"'{symbol}' is not defined on ({types}) -> {kind.text}", op)
    return result


@interprets("tt.elementwise_inline_asm")
def elementwise_inline_asm(machine: Machine, op: Instruction, *args: Array) -> tuple[Array, ...]:
    """The assembly for each `packed_element` elements that follow each other in row-major order.

    Elements of less than 32 bits share a register, as many as fit.  Where threads hold elements in another order,
    others are neighbours: code that mixes the elements of a register means something else there.

    Raises:
        NotInterpretable: it has an instruction that is not known.
    """
    pack = op.attributes["packed_element"]
    shape = op.result_types[0].shape
    rows = ElementRows(machine, op, int(np.prod(shape, dtype=np.int64)) // pack)
    inputs: list[Array] = []
    for arg in args:
        full = np.broadcast_to(align_rank(arg, len(shape)) if arg.ndim == 1 else arg, (machine.programs.size, *shape))
        inputs += registers_of(np.ascontiguousarray(full).reshape(rows.count, pack))
    found = iter(Assembly(rows, op, tuple(inputs)).outcome())
    results = []
    for kind in op.result_types:
        share = per_register(kind.element, pack)
        words = [rows.full(next(found)) for _ in range(pack // share)]
        size = share * kind.element.itemsize
        raw = [np.ascontiguousarray(word.astype(f"u{size}"))[:, None].view(np.uint8) for word in words]
        results.append(np.concatenate(raw, 1).view(kind.element).reshape(machine.programs.size, *kind.shape))
    return tuple(results)


class ElementRows:
    """Groups of elements in the place of threads, each of which runs a piece of assembly.

    Args:
        groups: of one program.

    Raises:
        NotInterpretable: the assembly asks for what only threads have, such as a barrier.
    """

    def __init__(self, machine: Machine, op: Instruction, groups: int) -> None:
        self.op, self.memory, self.coordinates = op, machine.memory, machine.coordinates
        self.programs = np.repeat(machine.programs, groups)
        self.count = self.programs.size

    def __getattr__(self, name: str) -> Any:
        text = self.op.attributes["asm_string"]
        raise NotInterpretable(f"inline assembly is of threads, and elements belong to no thread here: {text}", self.op)

    def full(self, value: Array) -> Array:
        """The value with a row for each group."""
        return np.broadcast_to(value, (self.count, *value.shape[1:]))


def per_register(element: np.dtype, pack: int) -> int:
    """Number of elements that share a register of the assembly."""
    return min(max(1, 4 // element.itemsize), pack)


def registers_of(elements: Array) -> list[Array]:
    """Registers that hold the elements [rows, pack]: unsigned integers [rows], or truths."""
    share = per_register(elements.dtype, elements.shape[1])
    parts = [np.ascontiguousarray(elements[:, i : i + share]) for i in range(0, elements.shape[1], share)]
    if elements.dtype == np.bool_:
        return [part[:, 0] for part in parts]
    return [part.view(f"u{share * elements.dtype.itemsize}")[:, 0] for part in parts]


@structured("tt.map_elementwise")
def map_elementwise(machine: Machine, op: Instruction, frame: Frame) -> tuple[Array, ...]:
    """Runs the region for groups of `pack` elements that follow each other in row-major order."""
    pack = op.attributes["pack"]
    if pack < 1 or op.operand_types[0].size % pack:
        count = op.operand_types[0].size
        raise InterpreterError(f"pack = {pack}, but {count} elements are not a multiple of {pack}", op)
    region = ElementRegion(machine, op, frame)
    operands = [frame[slot] for slot in op.operands]
    programs = region.programs(operands)
    grouped = [
        np.broadcast_to(operand, (programs, *operand.shape[1:])).reshape(programs, -1, pack) for operand in operands
    ]
    arguments = [group[..., position] for group in grouped for position in range(pack)]
    values = region.run(arguments, axis=0)
    results = []
    for number, kind in enumerate(op.result_types):
        parts = values[number * pack : (number + 1) * pack]
        results.append(np.stack(parts, axis=-1).reshape(programs, *kind.shape))
    return tuple(results)
