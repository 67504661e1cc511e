"""Expressions and chains of integers that are so long that LLVM takes seconds for them are cut."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Callable, Sequence

from ttkit.compiler.llvm_api import Opcode, c_api, instructions
from ttkit.tuning import CUT_CHAINS, LONGEST_CHAIN, MANY_INTEGERS, MOST_TERMS

_ASSOCIATIVE = frozenset([Opcode.ADD, Opcode.MUL, Opcode.AND, Opcode.OR, Opcode.XOR])
_CHAINED = _ASSOCIATIVE | {Opcode.SUB, Opcode.SHL}
_Operand = tuple[int, int, int]
"""Opcode, number of uses and size of an operand."""


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
        kinds = {each: api.LLVMGetInstructionOpcode(each) for each in instructions(api, function)}
        if sum(kind in opcodes for kind in kinds.values()) < MANY_INTEGERS:
            continue
        builder = api.LLVMCreateBuilderInContext(context)
        operands = {each: [api.LLVMGetOperand(each, i) for i in range(api.LLVMGetNumOperands(each))] for each in kinds}
        uses = collections.Counter(itertools.chain.from_iterable(operands.values()))
        sizes: dict[int, int] = {}
        for each, following in itertools.pairwise(kinds):
            if kinds[each] not in opcodes:
                continue
            size = size_of(kinds[each], [(kinds[one], uses[one], sizes[one]) for one in operands[each] if one in sizes])
            if size >= limit:
                api.LLVMPositionBuilderBefore(builder, following)
                frozen = api.LLVMBuildFreeze(builder, each, b"")
                api.LLVMReplaceAllUsesWith(each, frozen)
                api.LLVMSetOperand(frozen, 0, each)
                size = 0
            sizes[each] = size
        api.LLVMDisposeBuilder(builder)


def _terms(opcode: int, operands: list[_Operand]) -> int:
    """The number of terms of an expression: operands of the same kind that nothing else uses belong to it."""
    return 2 + sum(size - 1 for kind, uses, size in operands if size and kind == opcode and uses == 1)


def _length(_: int, operands: list[_Operand]) -> int:
    """The number of operations in the longest chain that ends here."""
    return 1 + max((size for _, _, size in operands), default=0)
