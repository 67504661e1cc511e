"""Registers that products in the background read: wgmma may take its first operand out of registers.

It reads them until threads have waited for it.  An operation that writes such a register earlier, in the next iteration
of a loop, changes the operand, although each value has a name of its own in the IR.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from mlir import ir

from ttkit.context import Context
from ttkit.dialects._layouts import linear_layout_of
from ttkit.interpreter.decode import Function, Instruction
from ttkit.layout.conversion_plan import plan_conversion
from ttkit.validation.values import NotModelled

Sources = dict[int, set[int]]
"""By the slot of a value, those whose registers it is in."""
PASSED_ON = ("tt.trans", "tt.reshape", "ttng.warp_group_dot_wait")


def sources_of(function: Function) -> Sources:
    """The sources of registers that operations and loops of a function leave as they are."""
    found: Sources = {}

    def pass_on(sources: tuple[int, ...], targets: tuple[int, ...]) -> None:
        """Registers of the sources are those of the targets."""
        for source, target in zip(sources, targets):
            found.setdefault(target, set()).add(source)

    for op in function.operations() if function.body is not None else ():
        if op.name in PASSED_ON or (op.name == "ttg.convert_layout" and moves_nothing(op)):
            pass_on(op.operands, op.results)
        elif op.name == "scf.for":
            [block] = op.regions[0].blocks
            for values in (op.operands[3:], block.instructions[-1].operands):
                pass_on(values, block.arguments[1:])
                pass_on(values, op.results)
        elif op.name == "scf.if":
            for region in op.regions:
                for block in region.blocks:
                    pass_on(block.instructions[-1].operands, op.results)
    return found


def moves_nothing(op: Instruction) -> bool:
    """Whether a change of layout leaves each element in its register."""
    return leaves_registers(op.operand_types[0].text, op.result_types[0].text)


@lru_cache(maxsize=256)
def leaves_registers(source: str, result: str) -> bool:
    """The same of two types."""
    with Context() as context:
        layouts = [linear_layout_of(ir.Type.parse(text, context)) for text in (source, result)]
    return plan_conversion(*layouts).is_no_op


def read_in_background(sources: Sources, slot: int) -> frozenset[int]:
    """Values that are written to the registers of an operand, by their slots."""
    seen, queue = {slot}, [slot]
    for one in queue:
        queue += sources.get(one, set()) - seen
        seen |= sources.get(one, set())
    return frozenset(one for one in seen if one not in sources)


def check_written(walk: Any, op: Instruction) -> None:
    """Raises NotModelled if an operation writes registers that a product in the background may still read."""
    if any(slot in registers for *_, registers in walk.state.products for slot in op.results):
        raise NotModelled("registers with an operand of a product in the background are written before its end", op)
