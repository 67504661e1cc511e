"""The order of instructions in kernels that test many bits of a word: element by element, not operation by operation.

A kernel that decodes 4-bit numbers by a tree of selects tests each bit of a byte.  ptxas moves up to seven bits of a
register to predicates by one instruction, R2P, but only where their tests stand together.  The lowering computes one
operation for all elements of a thread, then the next one: there, each bit is tested by an instruction of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from mlir import ir

from ttkit.compiler.llvm_api import Opcode, c_api
from ttkit.inspection import collect
from ttkit.tuning.llvm import EXPRESSION_ORDER, TESTED_BITS

_EQ_NE = (0, 1)
"""Predicates of llvm.icmp."""
_BINARY = range(Opcode.ADD, Opcode.XOR + 1)
_CASTS = range(Opcode.TRUNC, Opcode.BITCAST + 1)
_COMPUTES = frozenset(_BINARY) | frozenset(_CASTS) | {Opcode.ICMP, Opcode.FCMP, Opcode.SELECT}
_VECTORS = frozenset([Opcode.EXTRACT_ELEMENT, Opcode.INSERT_ELEMENT, Opcode.SHUFFLE_VECTOR])
_MOVED = _COMPUTES | _VECTORS
"""Instructions that neither read nor write memory, and may be anywhere between their operands and their users."""


def tests_many_bits(module: ir.Operation) -> bool:
    """Whether a module of the llvm dialect tests TESTED_BITS or more single bits of the elements of one vector."""
    if not EXPRESSION_ORDER.on:
        return False
    bits: dict[ir.Value, set[int]] = {}
    for comparison in collect(module, ("llvm.icmp",)):
        predicate = ir.IntegerAttr(comparison.attributes["predicate"]).value
        if predicate not in _EQ_NE or not isinstance(comparison.operands[0].type, ir.VectorType):
            continue
        masked, other = comparison.operands
        if _splat(other) != 0 or not _is_made_by(masked, "llvm.and"):
            continue
        value, mask = masked.owner.operands
        bit = _splat(mask) or 0
        if bit.bit_count() == 1:
            bits.setdefault(value, set()).add(bit)
            if len(bits[value]) >= TESTED_BITS:
                return True
    return False


def _is_made_by(value: ir.Value, name: str) -> bool:
    return not isinstance(value, ir.BlockArgument) and value.owner.name == name


def _splat(value: ir.Value) -> int | None:
    """The integer that all elements of a constant vector are."""
    if not _is_made_by(value, "llvm.mlir.constant"):
        return None
    attribute = value.owner.attributes["value"]
    if not isinstance(attribute, ir.DenseIntElementsAttr) or not attribute.is_splat:
        return None
    return ir.IntegerAttr(attribute.get_splat_value()).value


def order_expressions(context: int, functions: Sequence[int]) -> None:
    """Moves each instruction that only computes to right before the first one of its block that needs it.

    Values that another block uses, too, stay where they are.

    Args:
        context, functions: addresses, of LLVM's C API; vectors are scalars already.
    """
    api = c_api()
    builder = api.LLVMCreateBuilderInContext(context)
    for function in functions:
        block = api.LLVMGetFirstBasicBlock(function)
        while block:
            _order_block(api, builder, block)
            block = api.LLVMGetNextBasicBlock(block)
    api.LLVMDisposeBuilder(builder)


def _order_block(api: Any, builder: int, block: int) -> None:
    """Moves the instructions of a block."""
    before = list(_instructions_of(api, block))
    members = set(before)
    moved = {each for each in before if _may_move(api, each, members)}
    after = list(_by_need(api, before, moved))
    if after == before:
        return
    for each in after:
        api.LLVMInstructionRemoveFromParent(each)
    # Unlike a position before an instruction, the end has no location in the source that the builder would give on.
    api.LLVMPositionBuilderAtEnd(builder, block)
    for each in after:
        api.LLVMInsertIntoBuilder(builder, each)


def _instructions_of(api: Any, block: int) -> Iterator[int]:
    """The instructions of a block."""
    instruction = api.LLVMGetFirstInstruction(block)
    while instruction:
        yield instruction
        instruction = api.LLVMGetNextInstruction(instruction)


def _may_move(api: Any, instruction: int, members: set[int]) -> bool:
    """Whether an instruction only computes, and only for others of its block, after it.

    One that nothing uses would come after no user: it stays, so that what it needs comes before it.
    """
    use = api.LLVMGetFirstUse(instruction)
    if not use or api.LLVMGetInstructionOpcode(instruction) not in _MOVED:
        return False
    while use:
        user = api.LLVMGetUser(use)
        if user not in members or api.LLVMGetInstructionOpcode(user) == Opcode.PHI:
            return False
        use = api.LLVMGetNextUse(use)
    return True


def _by_need(api: Any, instructions: Iterable[int], moved: set[int]) -> Iterator[int]:
    """Instructions in a new order: each that stays comes after those that it needs, directly or not, and that move."""
    done = set[int]()
    for root in instructions:
        waiting = [] if root in moved else [(root, False)]
        while waiting:
            each, is_ready = waiting.pop()
            if each in done:
                continue
            if is_ready:
                done.add(each)
                yield each
                continue
            waiting.append((each, True))
            operands = [api.LLVMGetOperand(each, i) for i in range(api.LLVMGetNumOperands(each))]
            waiting += [(one, False) for one in reversed(operands) if one in moved and one not in done]
