"""Functions whose code a pass leaves alone: they are proved at once, whatever operations they have.

A module after such a pass differs in attributes that no meaning reads.  What meanings read is compared:

    of a module       its functions, constants, and attributes such as warps, CTAs and target
    of a function     arguments, results, promises about arguments (`tt.divisibility`), the blocks of its body
    of an operation   name, operands, results and their types, successors, regions, attributes

Left out are the attributes of `UNREAD`, and those that begin with the name of no dialect, such as notes of a pass.
"""

from __future__ import annotations

from typing import Any

import ttkit.dialects.defined as defined
from ttkit.interpreter.decode import Block, Function, Instruction, Module, Region
from ttkit.module_attributes import TOTAL_NUM_WARPS, USES_TWO_CTAS

UNREAD = frozenset(
    f"""
    {TOTAL_NUM_WARPS} allocation.offset ttg.shared ttg.tensor_memory_size tensor_memory_col_offset
    tensor_memory_row_offset ttg.global_scratch_memory_offset ttg.global_scratch_memory_size
    ttg.global_scratch_memory_alignment ttg.profile_scratch_memory_size ttg.profile_scratch_memory_alignment
    loop.stage loop.cluster ttg.partition async_task_id {USES_TWO_CTAS}
    """.split()
)
"""Attributes that only the lowering or other passes read: places and sizes of memory, schedules."""
DIALECTS = frozenset("arith cf gpu gluon math nvws proton scf tt ttg ttng ub".split())
"""Dialects of the operations that are compared.  Attributes of LLVM's do not show all that they promise."""
RESERVED = DIALECTS | frozenset("builtin func llvm nvgpu nvvm rocdl ttkit".split())
"""What attributes with a meaning begin with, besides the dialects of other packages."""


def same_code(before: Module, after: Module) -> bool:
    """Whether two modules have the same functions, but for attributes that no meaning reads."""
    return (
        _read(before.attributes, after.attributes)
        and (before.global_addresses, before.texts, before.tables)
        == (after.global_addresses, after.texts, after.tables)
        and before.functions.keys() == after.functions.keys()
        and all(_functions(one, after.functions[name]) for name, one in before.functions.items())
    )


def _functions(a: Function, b: Function) -> bool:
    if a.is_lowered or b.is_lowered or len(a.argument_attributes) != len(b.argument_attributes):
        return False
    same = _read(a.kept, b.kept) and (a.argument_types, a.result_types, a.private, a.slots) == (
        b.argument_types,
        b.result_types,
        b.private,
        b.slots,
    )
    same = same and all(map(_equal_attributes, a.argument_attributes, b.argument_attributes))
    if a.body is None or b.body is None:
        return same and a.body is b.body
    return same and _regions((a.body,), (b.body,))


def _regions(a: tuple[Region, ...], b: tuple[Region, ...]) -> bool:
    return len(a) == len(b) and all(
        len(one.blocks) == len(other.blocks) and all(map(_blocks, one.blocks, other.blocks))
        for one, other in zip(a, b, strict=True)
    )


def _blocks(a: Block, b: Block) -> bool:
    alike = a.arguments == b.arguments and len(a.instructions) == len(b.instructions)
    return alike and all(map(_instructions, a.instructions, b.instructions))


def _instructions(a: Instruction, b: Instruction) -> bool:
    """Slots are numbered in the order of the code, so that the same code has the same ones."""
    return (
        a.name.partition(".")[0] in DIALECTS
        and (a.name, a.operands, a.results, a.successors) == (b.name, b.operands, b.results, b.successors)
        and (a.operand_types, a.result_types) == (b.operand_types, b.result_types)
        and _read(_own(a), _own(b))
        and _regions(a.regions, b.regions)
    )


def _own(op: Instruction) -> dict[str, Any]:
    """The attributes of an operation, without what running it has noted beside them."""
    return {name: value for name, value in op.attributes.items() if not name.startswith("\0")}


def _read(a: dict[str, Any], b: dict[str, Any]) -> bool:
    """Whether those attributes are equal that a meaning may read."""
    return _equal_attributes(*({name: of[name] for name in of if not is_unread(name)} for of in (a, b)))


def is_unread(name: str) -> bool:
    """Whether no meaning reads an attribute."""
    dialect, dot, _ = name.partition(".")
    return name in UNREAD or bool(dot and dialect not in RESERVED and dialect not in defined.DIALECTS)


def _equal_attributes(a: dict[str, Any], b: dict[str, Any]) -> bool:
    return a.keys() == b.keys() and all(_equal(value, b[name]) for name, value in a.items())


def _equal(a: Any, b: Any) -> bool:
    """Whether two values of attributes are the same: 0.0 is not -0.0, and 1 is not true."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_equal, a, b))
    return type(a) is type(b) and bool(a == b) and (not isinstance(a, float) or str(a) == str(b))
