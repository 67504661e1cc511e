"""Whether addresses in loops should stay as they are: pointers that the loop counts up in place.

LLVM's strength reduction makes one offset that is counted up, and adds it to the pointers of all accesses.  Where that
takes as many instructions, pointers in place are better for ptxas, as long as they are few.  With registers for many of
them ptxas keeps the halves of a pointer apart, and moves both next to each other for each access: a loop with 42 has
392 instructions, with an offset 327.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ttkit.compiler.llvm_api import Opcode, c_api
from ttkit.tuning.llvm import LOOP_ADDRESSES, MOST_POINTERS

_POINTER = 12  # LLVMTypeKind


def addresses_stay(functions: Sequence[int]) -> bool:
    """Whether no block of these functions takes more pointers from its predecessors than MOST_POINTERS.

    Args:
        functions: addresses, of LLVM's C API; vectors are scalars already.
    """
    api = c_api()
    return LOOP_ADDRESSES.on and all(_most_pointers(api, function) <= MOST_POINTERS for function in functions)


def _most_pointers(api: Any, function: int) -> int:
    """The most pointers that a block takes from its predecessors."""
    most = 0
    block = api.LLVMGetFirstBasicBlock(function)
    while block:
        count = 0
        phi = api.LLVMGetFirstInstruction(block)
        while phi and api.LLVMGetInstructionOpcode(phi) == Opcode.PHI:
            count += api.LLVMGetTypeKind(api.LLVMTypeOf(phi)) == _POINTER
            phi = api.LLVMGetNextInstruction(phi)
        most = max(most, count)
        block = api.LLVMGetNextBasicBlock(block)
    return most
