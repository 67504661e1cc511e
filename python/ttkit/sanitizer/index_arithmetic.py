"""Integer operations whose results may reach an address, a mask or the bounds of a loop.

The search goes backwards from these uses, through calls, loops and branches.  The use decides whether an operation is
read as signed or unsigned: IR has one addition for both.  Remainders, shifts to the right and bitwise operations end
the search: hashes and random generators use these, and wrap on purpose.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from ttkit.interpreter.decode import Function, Instruction, Module, Region
from ttkit.interpreter.machine import MAX_CALLS
from ttkit.interpreter.masks import mask_position
from ttkit.operation_sets import ALONG_AXIS, BLOCK_POINTERS, MASKS

Reading = Literal["signed", "unsigned"]
"""How the bits of an integer are read."""
Wanted = dict[Reading, set[int]]

VIEWS = frozenset(
    "tt.splat tt.unsplat tt.expand_dims tt.reshape tt.broadcast tt.trans tt.split tt.join tt.cat "
    "ttg.convert_layout".split()
)
SAME_IN_BOTH = (
    frozenset("arith.addi arith.subi arith.muli arith.shli arith.select".split())
    | VIEWS
    | {"arith.bitcast", "tt.bitcast"}
)
SIGNED = frozenset("arith.divsi arith.floordivsi arith.ceildivsi arith.maxsi arith.minsi".split())
UNSIGNED = frozenset("arith.divui arith.ceildivui arith.maxui arith.minui".split())
LOGICAL = frozenset(["arith.andi", "arith.ori", "arith.xori"])
"""Of i1: masks."""
COMBINED = {"arith.addi": "both", "arith.maxsi": "signed", "arith.minsi": "signed"}
"""What the region of a reduction or scan may do to be followed, and how it reads integers."""
SIGNED_ORDER = range(2, 6)
"""Predicates of arith.cmpi: slt, sle, sgt, sge.  Hashes and random numbers are compared too, but as unsigned or for
equality."""
POSITIONS = {
    "tt.make_tensor_ptr": slice(1, None),
    "tt.make_tensor_descriptor": slice(1, None),
    "tt.advance": slice(1, None),
    "tt.descriptor_load": slice(1, None),
    "tt.descriptor_store": slice(2, None),
    "tt.descriptor_reduce": slice(2, None),
    "tt.descriptor_gather": slice(1, 3),
    "tt.descriptor_scatter": slice(1, 3),
}
"""Sizes, strides and offsets: which operands."""
ACCESSES = frozenset([*MASKS, "tt.atomic_cas"])
GUARDED = frozenset([*ACCESSES, *POSITIONS])


def index_arithmetic(module: Module) -> dict[Instruction, frozenset[Reading]]:
    """The operations to follow, and how their results are read."""
    found: dict[Instruction, frozenset[Reading]] = {}
    for function in module.functions.values():
        if function.body is not None:
            for op in function.operations():
                if op.name in ALONG_AXIS:
                    op.attributes["\0combined"] = _combination(op, module)
            found |= _of_function(function)
    return found


def guards_accesses(op: Instruction) -> bool:
    """Whether a branch only decides if something is accessed: its condition is a mask then."""
    if op.name == "cf.cond_br":
        return True
    return (
        op.name == "scf.if"
        and not op.results
        and any(inner.name in GUARDED for region in op.regions for inner in region.operations())
    )


def combined_by(op: Instruction) -> str:
    """The one operation, of COMBINED, by which a reduction or a scan of one operand combines two elements; else empty.
    `index_arithmetic` has found it."""
    found: str = op.attributes.get("\0combined", "")
    return found


def _combination(op: Instruction, module: Module) -> str:
    """The value of `combined_by`: the operation in the region, or in the function that the region calls."""
    blocks = op.regions[0].blocks
    if len(op.operands) != 1 or len(blocks) != 1:
        return ""
    for _ in range(MAX_CALLS):
        if len(blocks[0].instructions) != 2:
            return ""
        first, last = blocks[0].instructions
        if set(first.operands) != set(blocks[0].arguments) or last.operands != first.results:
            return ""
        callee = module.functions.get(first.attributes.get("callee", ""))
        if callee is None or callee.body is None:
            return first.name if first.name in COMBINED else ""
        blocks = callee.body.blocks
    return ""


def _of_function(function: Function) -> dict[Instruction, frozenset[Reading]]:
    assert function.body is not None
    ops = list(_operations(function.body))
    wanted: Wanted = {"signed": set(), "unsigned": set()}
    for op in ops:
        wanted["signed"].update(_used_by(op))
    around = [op for op in ops if op.regions and op.results and op.name not in ALONG_AXIS]
    jumps = [op for op in ops if op.successors]
    arguments = {slot for block in function.body.blocks[1:] for slot in block.arguments}
    before = -1
    while before < (before := sum(map(len, wanted.values()))):
        for op in reversed(ops):
            for reading, slots in wanted.items():
                if slots.intersection(op.results):
                    for position, operand_reading in _operands_of(op, reading):
                        wanted[operand_reading].add(op.operands[position])
        for slots in wanted.values():
            for op in around:
                _through_regions(op, slots)
            if slots & arguments:
                slots.update(slot for op in jumps for slot in op.operands)
    readings: dict[Instruction, frozenset[Reading]] = {}
    for op in ops:
        of_op = [reading for reading, slots in wanted.items() if slots.intersection(op.results)]
        followed = frozenset(reading for reading in of_op if any(_operands_of(op, reading)))
        if followed or op.name in BLOCK_POINTERS:
            readings[op] = followed or frozenset(["signed"])
    return readings


def _operations(region: Region) -> Iterator[Instruction]:
    """All operations, without those that combine two elements of a reduction or a scan."""
    for block in region.blocks:
        for op in block.instructions:
            yield op
            for inner in () if op.name in ALONG_AXIS else op.regions:
                yield from _operations(inner)


def _used_by(op: Instruction) -> Iterator[int]:
    """The slots that an operation uses as address, mask, bound of a loop, size, stride or offset."""
    if op.name in ACCESSES:
        yield op.operands[0]
        if (mask := mask_position(op)) is not None:
            yield op.operands[mask]
    elif op.name in POSITIONS:
        yield from op.operands[POSITIONS[op.name]]
    elif op.name == "scf.for":
        yield from op.operands[:3]
    elif op.name == "scf.condition" or guards_accesses(op):
        yield op.operands[0]
    elif op.name in ("tt.call", "tt.return"):
        yield from op.operands


def _through_regions(op: Instruction, slots: set[int]) -> None:
    """Follows values around a loop, and out of a region."""
    inside = {slot for region in op.regions for block in region.blocks for slot in block.arguments}
    if slots.intersection(op.results) or slots & inside:
        slots.update(op.operands)
        for region in op.regions:
            for block in region.blocks:
                slots.update(block.instructions[-1].operands)


def _operands_of(op: Instruction, reading: Reading) -> list[tuple[int, Reading]]:
    """The operands that a result read so is made of, and how they are read; none where the search ends."""
    every: list[tuple[int, Reading]] = [(position, reading) for position in range(len(op.operands))]
    name, kinds = op.name, op.operand_types
    if name == "arith.select":
        return every[1:]
    if name in SAME_IN_BOTH or name in (SIGNED if reading == "signed" else UNSIGNED):
        return every
    if name in LOGICAL and kinds[0].element == np.bool_:
        return every
    if name in ALONG_AXIS and COMBINED.get(combined_by(op), "") in ("both", reading):
        return every
    if name in ("arith.extsi", "arith.index_cast"):
        return [(0, "signed")]
    if name == "arith.extui" and kinds[0].element != np.bool_:
        return [(0, "unsigned")]
    if name == "tt.addptr" or (name == "arith.cmpi" and op.attributes.get("predicate") in SIGNED_ORDER):
        return [(0, "signed"), (1, "signed")]
    return []
