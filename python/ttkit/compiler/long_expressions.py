"""Expressions and chains of integers that are so long that LLVM takes seconds for them are cut."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from ttkit.compiler.llvm_api import Opcode, c_api, instructions
from ttkit.tuning.llvm import CUT_CHAINS, LONGEST_CHAIN, MANY_INTEGERS, MOST_TERMS

_ASSOCIATIVE = frozenset([Opcode.ADD, Opcode.MUL, Opcode.AND, Opcode.OR, Opcode.XOR])
_CHAINED = _ASSOCIATIVE | {Opcode.SUB, Opcode.SHL}
_Operand = tuple[int, int, int]
"""Opcode, address and size of an operand."""


def cut_expressions(context: int, functions: Sequence[int]) -> None:
    """Puts a `freeze`, which changes no value, into sums and products of very many integers.

    LLVM compares all terms of an expression with each other, in the vectorizer of straight-line code most of all.
    """
    _freeze(context, functions, _ASSOCIATIVE, MOST_TERMS, _terms)


def cut_chains(context: int, functions: Sequence[int]) -> None:
    """Puts a `freeze` into long chains of integer arithmetic.

    LLVM walks the whole chain at each of its members, in assertions that its libraries here are built with.
    """
    if not CUT_CHAINS.on:
        return
    _freeze(context, functions, _CHAINED, LONGEST_CHAIN, _length)


def _freeze(
    context: int,
    functions: Sequence[int],
    opcodes: frozenset[int],
    limit: int,
    size_of: Callable[[int, list[_Operand]], int],
) -> None:
    """Freezes the results of operations whose size reaches a limit; from there it is counted anew.

    Args:
        size_of: the size for an opcode and the operands that are such operations.
    """
    api = c_api()
    for function in functions:
        found = list(instructions(api, function))
        if len(found) < MANY_INTEGERS:
            continue
        kinds = list(map(api.LLVMGetInstructionOpcode, found))
        if sum(map(opcodes.__contains__, kinds)) < MANY_INTEGERS:
            continue
        builder = api.LLVMCreateBuilderInContext(context)
        sizes: dict[int, _Operand] = {}
        for kind, (each, following) in zip(kinds, itertools.pairwise(found)):
            if kind not in opcodes:
                continue
            operands = (api.LLVMGetOperand(each, i) for i in range(api.LLVMGetNumOperands(each)))
            size = size_of(kind, [sizes[one] for one in operands if one in sizes])
            if size >= limit:
                api.LLVMPositionBuilderBefore(builder, following)
                frozen = api.LLVMBuildFreeze(builder, each, b"")
                api.LLVMReplaceAllUsesWith(each, frozen)
                api.LLVMSetOperand(frozen, 0, each)
                size = 0
            sizes[each] = kind, each, size
        api.LLVMDisposeBuilder(builder)


def _terms(opcode: int, operands: list[_Operand]) -> int:
    """The number of terms of an expression: operands of the same kind that nothing else uses belong to it."""
    return 2 + sum(size - 1 for kind, each, size in operands if size and kind == opcode and _has_one_use(each))


def _has_one_use(each: int) -> bool:
    use = c_api().LLVMGetFirstUse(each)
    return bool(use) and not c_api().LLVMGetNextUse(use)


def _length(_: int, operands: list[_Operand]) -> int:
    """The number of operations in the longest chain that ends here."""
    return 1 + max((size for _, _, size in operands), default=0)
