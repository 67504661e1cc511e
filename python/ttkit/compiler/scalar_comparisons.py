"""Comparisons of integer vectors become comparisons of their elements, before LLVM optimizes.

LLVM simplifies `base + a <= base + b` to `a <= b` for scalars alone.  A mask like `rows[:, None] >= columns[None, :]`
has an element for each of a tile, but few of them differ.  Integer arithmetic that makes the vectors is done for their
elements again; LLVM finds what is equal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ttkit.compiler.llvm_api import c_api, instructions
from ttkit.tuning import DEEPEST_COMPARED, MOST_COMPARED, SCALAR_COMPARISONS

# Values of LLVMOpcode and LLVMTypeKind.
_BINARY = frozenset([8, 10, 12, 20, 21, 22, 23, 24, 25])  # add, sub, mul, shl, lshr, ashr, and, or, xor
_CASTS = frozenset([30, 31, 32])  # trunc, zext, sext
_ICMP, _PHI, _EXTRACT, _INSERT, _SHUFFLE = 42, 44, 50, 51, 52
_INTEGER, _VECTOR = 8, 13


def split_comparisons(context: int, functions: Sequence[int]) -> None:
    """Replaces each comparison of vectors of integers, of a length up to MOST_COMPARED, by those of its elements.

    Comparisons of scalars that are elements of vectors are of what makes these elements.
    """
    if not SCALAR_COMPARISONS.on:
        return
    api = c_api()
    builder = api.LLVMCreateBuilderInContext(context)
    for function in functions:
        comparisons = [each for each in instructions(api, function) if api.LLVMGetInstructionOpcode(each) == _ICMP]
        elements = _Elements(api, builder, api.LLVMInt32TypeInContext(context))
        for comparison in comparisons:
            if _compares_integers(api, comparison):
                elements.replace(comparison)
            else:
                elements.look_through(comparison)
    api.LLVMDisposeBuilder(builder)


def _compares_integers(api: Any, comparison: int) -> bool:
    """Whether a comparison is one of vectors of integers that are not too long."""
    type = api.LLVMTypeOf(api.LLVMGetOperand(comparison, 0))
    return (
        api.LLVMGetTypeKind(type) == _VECTOR
        and api.LLVMGetTypeKind(api.LLVMGetElementType(type)) == _INTEGER
        and api.LLVMGetVectorSize(type) <= MOST_COMPARED
    )


class _Elements:
    """Elements of the vectors of a function, each made once, right before or after what makes the vector."""

    def __init__(self, api: Any, builder: int, i32: int) -> None:
        self.api, self.builder, self.i32 = api, builder, i32
        self.known: dict[tuple[int, int], int] = {}

    def replace(self, comparison: int) -> None:
        """Compares element by element, and makes a vector of the results in the comparison's place."""
        api, builder = self.api, self.builder
        type = api.LLVMTypeOf(comparison)
        predicate = api.LLVMGetICmpPredicate(comparison)
        operands = [api.LLVMGetOperand(comparison, side) for side in (0, 1)]
        pairs = [[self.of(vector, i) for vector in operands] for i in range(api.LLVMGetVectorSize(type))]
        api.LLVMPositionBuilderBefore(builder, comparison)
        packed = api.LLVMGetPoison(type)
        for i, (a, b) in enumerate(pairs):
            bit = api.LLVMBuildICmp(builder, predicate, a, b, b"")
            packed = api.LLVMBuildInsertElement(builder, packed, bit, self.number(i), b"")
        api.LLVMReplaceAllUsesWith(comparison, packed)
        api.LLVMInstructionEraseFromParent(comparison)

    def look_through(self, comparison: int) -> None:
        """Has a comparison of scalars that are elements of vectors compare what the elements are computed from."""
        api = self.api
        for side in (0, 1):
            operand = api.LLVMGetOperand(comparison, side)
            if not api.LLVMIsAInstruction(operand) or api.LLVMGetInstructionOpcode(operand) != _EXTRACT:
                continue
            vector, at = (api.LLVMGetOperand(operand, i) for i in (0, 1))
            is_integer = api.LLVMGetTypeKind(api.LLVMTypeOf(operand)) == _INTEGER
            if is_integer and api.LLVMIsAConstantInt(at):
                api.LLVMSetOperand(comparison, side, self.of(vector, api.LLVMConstIntGetZExtValue(at)))

    def number(self, value: int) -> int:
        """An i32 constant."""
        constant: int = self.api.LLVMConstInt(self.i32, value, 0)
        return constant

    def of(self, vector: int, index: int, depth: int = 0) -> int:
        """An element of a vector, `depth` operations before the comparison."""
        key = vector, index
        if key not in self.known:
            self.known[key] = self.made(vector, index, depth + 1)
        return self.known[key]

    def made(self, vector: int, index: int, depth: int) -> int:
        """An element of a vector, which is not known yet."""
        api = self.api
        if depth > DEEPEST_COMPARED:
            return self.extracted(vector, index)
        if not api.LLVMIsAInstruction(vector):
            constant: int | None = api.LLVMGetAggregateElement(vector, index) if api.LLVMIsConstant(vector) else None
            return constant or self.extracted(vector, index)
        opcode = api.LLVMGetInstructionOpcode(vector)
        if opcode == _INSERT:
            at = api.LLVMGetOperand(vector, 2)
            if not api.LLVMIsAConstantInt(at):
                return self.extracted(vector, index)
            hit = api.LLVMConstIntGetZExtValue(at) == index
            inserted: int = api.LLVMGetOperand(vector, 1)
            return inserted if hit else self.of(api.LLVMGetOperand(vector, 0), index, depth)
        if opcode == _SHUFFLE:
            return self.shuffled(vector, index, depth)
        if opcode in _BINARY:
            a, b = (self.of(api.LLVMGetOperand(vector, side), index, depth) for side in (0, 1))
            return self.before(vector, lambda builder: api.LLVMBuildBinOp(builder, opcode, a, b, b""))
        if opcode in _CASTS:
            inner = self.of(api.LLVMGetOperand(vector, 0), index, depth)
            type = api.LLVMGetElementType(api.LLVMTypeOf(vector))
            return self.before(vector, lambda builder: api.LLVMBuildCast(builder, opcode, inner, type, b""))
        return self.extracted(vector, index)

    def shuffled(self, vector: int, index: int, depth: int) -> int:
        """An element of a shufflevector: that of the operand which it comes from."""
        api = self.api
        source = api.LLVMGetMaskValue(vector, index)
        if source < 0:  # poison
            return self.extracted(vector, index)
        length = api.LLVMGetVectorSize(api.LLVMTypeOf(api.LLVMGetOperand(vector, 0)))
        return self.of(api.LLVMGetOperand(vector, source // length), source % length, depth)

    def before(self, instruction: int, build: Callable[[int], int]) -> int:
        """Has `build` make an instruction, before another one."""
        self.api.LLVMPositionBuilderBefore(self.builder, instruction)
        return build(self.builder)

    def extracted(self, vector: int, index: int) -> int:
        """An extractelement, after the vector: at the beginning of the function if it is an argument."""
        api, builder = self.api, self.builder
        if not api.LLVMIsAInstruction(vector):
            block = api.LLVMGetEntryBasicBlock(api.LLVMGetParamParent(vector))
            following = api.LLVMGetFirstInstruction(block)
        else:
            following = api.LLVMGetNextInstruction(vector)
        while api.LLVMGetInstructionOpcode(following) == _PHI:
            following = api.LLVMGetNextInstruction(following)
        api.LLVMPositionBuilderBefore(builder, following)
        element: int = api.LLVMBuildExtractElement(builder, vector, self.number(index), b"")
        return element
