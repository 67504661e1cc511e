"""Arithmetic before a branch that only its arms need is done in the arms, before emission.

    addresses of c            if ...: addresses of c
    if ...: store to c   =>           store to c
    else:   add to c          else:   addresses of c
                                      add to c

A kernel that stores a tile, or adds it to one, has the addresses of its elements for both arms.  LLVM computes them
once, before the branch, where a thread keeps them all beside the elements.  In the arms each is computed at its use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ttkit.compiler.llvm_api import Opcode, c_api
from ttkit.tuning.llvm import BRANCH_ARMS, MANY_IN_ARMS

_VECTORS = (Opcode.EXTRACT_ELEMENT, Opcode.INSERT_ELEMENT, Opcode.SHUFFLE_VECTOR)
_MOVED = {*range(Opcode.ADD, Opcode.XOR + 1), *range(Opcode.GEP, Opcode.FCMP + 1), Opcode.SELECT, *_VECTORS}
"""Instructions that neither read nor write memory: arithmetic, addresses, casts, comparisons, views of vectors."""


def sink_into_arms(context: int, functions: Sequence[int]) -> None:
    """Moves instructions before a branch to its arms, where these alone need MANY_IN_ARMS of them or more.

    Args:
        context, functions: addresses, of LLVM's C API.
    """
    if not BRANCH_ARMS.on:
        return
    api = c_api()
    builder = api.LLVMCreateBuilderInContext(context)
    for function in functions:
        for block, arms in _branches(api, function):
            moved = _needed_in_arms(api, block, arms)
            if len(moved) >= MANY_IN_ARMS:
                orders = {arm: list(_instructions_of(api, arm)) for arm in arms}
                for each in moved:
                    _move(api, builder, each, orders)
    api.LLVMDisposeBuilder(builder)


def _branches(api: Any, function: int) -> Iterator[tuple[int, set[int]]]:
    """Blocks that branch to two arms, which nothing else leads to.

    What one arm needs LLVM has moved there already.
    """
    successors = dict[int, list[int]]()
    block = api.LLVMGetFirstBasicBlock(function)
    while block:
        end = api.LLVMGetBasicBlockTerminator(block)
        successors[block] = [api.LLVMGetSuccessor(end, i) for i in range(api.LLVMGetNumSuccessors(end))]
        block = api.LLVMGetNextBasicBlock(block)
    edges = Counter(after for found in successors.values() for after in found)
    for block, found in successors.items():
        if len(found) == 2 and all(edges[arm] == 1 for arm in found):
            yield block, set(found)


def _needed_in_arms(api: Any, block: int, arms: set[int]) -> list[int]:
    """The instructions of a block that only its arms need, not at their phis; the last one first."""
    found = dict[int, None]()
    for each in reversed(list(_instructions_of(api, block))):
        users = list(_users(api, each)) if api.LLVMGetInstructionOpcode(each) in _MOVED else []
        if users and all(user in found or _is_in(api, user, arms) for user in users):
            found[each] = None
    return list(found)


def _is_in(api: Any, instruction: int, blocks: set[int]) -> bool:
    """Whether an instruction that is not a phi belongs to one of some blocks."""
    if api.LLVMGetInstructionOpcode(instruction) == Opcode.PHI:
        return False
    return api.LLVMGetInstructionParent(instruction) in blocks


def _move(api: Any, builder: int, instruction: int, orders: dict[int, list[int]]) -> None:
    """Replaces an instruction by one in each block that uses it, right before its first use.

    Args:
        orders: the instructions of each block, which are kept up to date.
    """
    users = set(_users(api, instruction))
    for block, order in orders.items():
        place = next((i for i, each in enumerate(order) if each in users), None)
        if place is None:
            continue
        clone = api.LLVMInstructionClone(instruction)
        api.LLVMPositionBuilderBefore(builder, order[place])
        api.LLVMSetCurrentDebugLocation2(builder, api.LLVMInstructionGetDebugLoc(instruction))
        api.LLVMInsertIntoBuilder(builder, clone)
        for user in users:
            if api.LLVMGetInstructionParent(user) == block:
                _replace_operand(api, user, instruction, clone)
        order.insert(place, clone)
    api.LLVMInstructionEraseFromParent(instruction)


def _replace_operand(api: Any, user: int, before: int, after: int) -> None:
    """Has an instruction use one value in place of another."""
    for number in range(api.LLVMGetNumOperands(user)):
        if api.LLVMGetOperand(user, number) == before:
            api.LLVMSetOperand(user, number, after)


def _users(api: Any, value: int) -> Iterator[int]:
    """The instructions that use a value; those that use it twice are given twice."""
    use = api.LLVMGetFirstUse(value)
    while use:
        yield api.LLVMGetUser(use)
        use = api.LLVMGetNextUse(use)


def _instructions_of(api: Any, block: int) -> Iterator[int]:
    """The instructions of a block."""
    instruction = api.LLVMGetFirstInstruction(block)
    while instruction:
        yield instruction
        instruction = api.LLVMGetNextInstruction(instruction)
