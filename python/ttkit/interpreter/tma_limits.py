"""Limits of TMA for a tensor and for the blocks that it copies (CUDA driver API, "Tensor Map Object Management").

The GPU stops with "illegal instruction" where a descriptor that was made in a kernel breaks this.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ttkit.interpreter.errors import InterpreterError, Misaligned
from ttkit.layout.hardware import TENSOR_MAP_ALIGNMENT, TENSOR_MAP_EXTENT
from ttkit.module_attributes import TARGET
from ttkit.target import Target

if TYPE_CHECKING:
    from ttkit.interpreter.decode import Instruction
    from ttkit.interpreter.machine import Machine
    from ttkit.interpreter.ops.descriptor import Descriptor

STRIDES_END = 1 << 40
"""Bytes that a stride stays below."""
_FIRST_WITH_TMA = Target.first_with("has_tma").capability


def check_tensor(address: int, sizes: Sequence[int], strides: Sequence[int], row: int) -> None:
    """Checks one tensor.

    Args:
        address: in bytes.
        sizes: of all dimensions, in elements.
        strides: of all dimensions but the innermost, in bytes; 0 repeats a row.
        row: bytes of an innermost row of a block.

    Raises:
        Misaligned: the address, a stride or the row is not a multiple of 16 bytes.
        InterpreterError: a size or a stride is out of range.
    """
    if address % TENSOR_MAP_ALIGNMENT:
        place = f"{address % TENSOR_MAP_ALIGNMENT} bytes past a multiple of {TENSOR_MAP_ALIGNMENT}"
        raise Misaligned(
            f"the descriptor's tensor begins {place}; TMA needs a multiple of {TENSOR_MAP_ALIGNMENT} bytes"
        )
    for stride in strides:
        if not 0 <= stride < STRIDES_END:
            raise InterpreterError(
                f"the descriptor has a stride of {stride} bytes; TMA takes 0 to 2^40 - {TENSOR_MAP_ALIGNMENT}"
            )
        if stride % TENSOR_MAP_ALIGNMENT:
            found = f"the descriptor has a stride of {stride} bytes"
            raise Misaligned(f"{found}; TMA needs multiples of {TENSOR_MAP_ALIGNMENT}: pad the rows, or use pointers")
    for size in sizes:
        if not 1 <= size <= TENSOR_MAP_EXTENT:
            raise InterpreterError(f"the descriptor's tensor has a dimension of size {size}; TMA takes 1 to 2^32")
    if row % TENSOR_MAP_ALIGNMENT:
        raise Misaligned(f"the rows of a block have {row} bytes; TMA needs multiples of {TENSOR_MAP_ALIGNMENT}")


def check_blocks(machine: Machine, op: Instruction, descriptor: Descriptor, enabled: np.ndarray | None = None) -> None:
    """Checks the descriptor of an access that TMA does, in all programs, or in those `enabled` [P].

    Raises:
        Misaligned, InterpreterError: as `check_tensor`; the innermost stride is not 1.
    """
    if not _is_by_tma(machine, op):
        return
    item = descriptor.block.element.itemsize
    parts = np.broadcast_arrays(descriptor.base, *descriptor.shape, *descriptor.strides)
    table = np.stack([part.astype(np.int64) for part in parts], axis=-1)
    on = np.ones(len(table), np.bool_) if enabled is None else enabled
    if len(table) == 1:
        table = np.broadcast_to(table, (on.size, table.shape[1]))
    on = np.broadcast_to(on, len(table))
    rank = len(descriptor.shape)
    kinds, first = np.unique(table[on], axis=0, return_index=True)
    for (address, *numbers), row in zip(kinds.tolist(), np.flatnonzero(on)[first]):
        sizes, steps = numbers[:rank], numbers[rank:]
        try:
            if steps[-1] != 1:
                raise InterpreterError(f"the descriptor's innermost stride is {steps[-1]} elements; TMA takes 1 alone")
            check_tensor(address, sizes, [step * item for step in steps[:-1]], descriptor.block.shape[-1] * item)
        except InterpreterError as error:
            program = machine.coordinates(int(machine.programs[row]))
            raise type(error)(error.what, op, program) from None


def _is_by_tma(machine: Machine, op: Instruction) -> bool:
    asked = machine.options.tma
    if asked is not None or op.name.startswith("ttng."):
        return asked is not False
    backend, _, capability = str(machine.module.attributes.get(TARGET, "")).partition(":")
    return backend == "cuda" and capability.isdecimal() and int(capability) >= _FIRST_WITH_TMA
