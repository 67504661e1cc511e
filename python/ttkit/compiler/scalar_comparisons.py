"""Comparisons of integer vectors become comparisons of their elements, before LLVM optimizes.

LLVM simplifies `base + a <= base + b` to `a <= b` for scalars alone.  A mask like `rows[:, None] >= columns[None, :]`
has an element for each of a tile, but few of them differ.  Integer arithmetic that makes the vectors is done for their
elements again; LLVM finds what is equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ttkit.compiler.llvm_api import Opcode, c_api, instructions
from ttkit.tuning.llvm import DEEPEST_COMPARED, MOST_COMPARED, SCALAR_COMPARISONS

_CASTS = frozenset([Opcode.TRUNC, Opcode.ZEXT, Opcode.SEXT])
_BINARY = frozenset(range(Opcode.SHL, Opcode.XOR + 1)) | {Opcode.ADD, Opcode.SUB, Opcode.MUL}
_INTEGER, _VECTOR = 8, 13  # LLVMTypeKind


def split_comparisons(context: int, functions: Sequence[int]) -> None:
    """Replaces each comparison of vectors of integers, of a length up to MOST_COMPARED, by those of its elements.

    Comparisons of scalars that are elements of vectors are of what makes these elements.

    Args:
        context, functions: addresses, of LLVM's C API.
    """
    if not SCALAR_COMPARISONS.on:
        return
    api = c_api()
    builder = api.LLVMCreateBuilderInContext(context)
    for function in functions:
        comparisons = [
            each for each in instructions(api, function) if api.LLVMGetInstructionOpcode(each) == Opcode.ICMP
        ]
        elements = _Elements(api, builder, api.LLVMInt32TypeInContext(context), function)
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

    def __init__(self, api: Any, builder: int, i32: int, function: int) -> None:
        self.api, self.builder, self.i32, self.function = api, builder, i32, function
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
            if not api.LLVMIsAInstruction(operand) or api.LLVMGetInstructionOpcode(operand) != Opcode.EXTRACT_ELEMENT:
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
        if opcode == Opcode.INSERT_ELEMENT:
            at = api.LLVMGetOperand(vector, 2)
            if not api.LLVMIsAConstantInt(at):
                return self.extracted(vector, index)
            hit = api.LLVMConstIntGetZExtValue(at) == index
            inserted: int = api.LLVMGetOperand(vector, 1)
            return inserted if hit else self.of(api.LLVMGetOperand(vector, 0), index, depth)
        if opcode == Opcode.SHUFFLE_VECTOR:
            return self.shuffled(vector, index, depth)
        if opcode in _BINARY:
            a, b = (self.of(api.LLVMGetOperand(vector, side), index, depth) for side in (0, 1))
            api.LLVMPositionBuilderBefore(self.builder, vector)
            result: int = api.LLVMBuildBinOp(self.builder, opcode, a, b, b"")
            return result
        if opcode in _CASTS:
            inner = self.of(api.LLVMGetOperand(vector, 0), index, depth)
            type = api.LLVMGetElementType(api.LLVMTypeOf(vector))
            api.LLVMPositionBuilderBefore(self.builder, vector)
            cast: int = api.LLVMBuildCast(self.builder, opcode, inner, type, b"")
            return cast
        return self.extracted(vector, index)

    def shuffled(self, vector: int, index: int, depth: int) -> int:
        """An element of a shufflevector: that of the operand which it comes from."""
        api = self.api
        source = api.LLVMGetMaskValue(vector, index)
        if source < 0:  # poison
            return self.extracted(vector, index)
        length = api.LLVMGetVectorSize(api.LLVMTypeOf(api.LLVMGetOperand(vector, 0)))
        return self.of(api.LLVMGetOperand(vector, source // length), source % length, depth)

    def extracted(self, vector: int, index: int) -> int:
        """An extractelement, after the vector; at the beginning of the function if no instruction makes it."""
        api, builder = self.api, self.builder
        if api.LLVMIsAInstruction(vector):
            following = api.LLVMGetNextInstruction(vector)
        else:
            following = api.LLVMGetFirstInstruction(api.LLVMGetEntryBasicBlock(self.function))
        while api.LLVMGetInstructionOpcode(following) == Opcode.PHI:
            following = api.LLVMGetNextInstruction(following)
        api.LLVMPositionBuilderBefore(builder, following)
        element: int = api.LLVMBuildExtractElement(builder, vector, self.number(index), b"")
        return element
