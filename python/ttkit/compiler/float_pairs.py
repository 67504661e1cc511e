"""Whether the search for pairs of f32, which some GPUs multiply and add at once, is worth its time.

LLVM's SLP vectorizer tries groups of all values that a block takes from its predecessors.  Its time is quadratic in
their number: 11 s for two loops that carry 512 each.  A thread that carries more values than it has registers keeps
most of them in memory, and pairs gain nothing there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ttkit.compiler.llvm_api import Opcode, c_api
from ttkit.target import NAMED_REGISTERS

_VECTOR = 13  # LLVMTypeKind


def searches_pairs(functions: Sequence[int]) -> bool:
    """Whether no block of these functions takes more values than a thread has registers.

    Args:
        functions: addresses, of LLVM's C API; before vectors become scalars, or later.
    """
    api = c_api()
    return all(sum(sizes) <= NAMED_REGISTERS for function in functions for sizes in _taken_by_blocks(api, function))


def _taken_by_blocks(api: Any, function: int) -> Iterator[list[int]]:
    """The numbers of elements of what each block of a function takes from its predecessors."""
    block = api.LLVMGetFirstBasicBlock(function)
    while block:
        sizes = list[int]()
        phi = api.LLVMGetFirstInstruction(block)
        while phi and api.LLVMGetInstructionOpcode(phi) == Opcode.PHI:
            type = api.LLVMTypeOf(phi)
            sizes.append(api.LLVMGetVectorSize(type) if api.LLVMGetTypeKind(type) == _VECTOR else 1)
            phi = api.LLVMGetNextInstruction(phi)
        yield sizes
        block = api.LLVMGetNextBasicBlock(block)
