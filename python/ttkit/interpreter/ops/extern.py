"""Functions from outside: library functions by name, scalar code for each element; assembly is not interpretable."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.errors import NotInterpretable
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


def round_to_tf32(x: Array) -> Array:
    """To nearest, ties away from zero; NaN and infinity stay."""
    rounded = (np.ascontiguousarray(x).view(np.uint32) + np.uint32(0x1000) & np.uint32(0xFFFFE000)).view(np.float32)
    return np.where(np.isfinite(x), rounded, x)


ASSEMBLY: dict[str, Callable[..., Array]] = {
    "cvt.rna.tf32.f32 $0, $1;": round_to_tf32,
    "mov.u64 $0, %globaltimer;": lambda: np.array([time.time_ns()]),
    "mov.u32 $0, %smid;": lambda: np.zeros(1, np.int32),
    "griddepcontrol.wait; // dummy $0": lambda: np.zeros(1, np.int32),
    "griddepcontrol.launch_dependents; // dummy $0": lambda: np.zeros(1, np.int32),
}
"""What the assembly of the language's own functions means.  The interpreter has one multiprocessor and one launch."""


@interprets("tt.elementwise_inline_asm")
def elementwise_inline_asm(machine: Machine, op: Instruction, *args: Array) -> Array:
    """The interpreter knows no assembly but what the language itself writes.

    Raises:
        NotInterpretable: with the text.
    """
    known = ASSEMBLY.get(op.attributes["asm_string"])
    if known is not None:
        return known(*args).astype(op.result_types[0].element)
    raise NotInterpretable(f"inline assembly can't be interpreted: {op.attributes['asm_string']}", op)


@structured("tt.map_elementwise")
def map_elementwise(machine: Machine, op: Instruction, frame: Frame) -> tuple[Array, ...]:
    """Runs the region for groups of `pack` elements that follow each other in row-major order."""
    pack = op.attributes["pack"]
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
