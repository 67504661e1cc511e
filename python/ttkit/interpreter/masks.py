"""Which operand of an access says where, or whether, it happens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ttkit.operation_sets import MASKS, TMA_LOADS

if TYPE_CHECKING:
    from ttkit.interpreter.decode import Instruction


def mask_position(op: Instruction) -> int | None:
    """Which operand of an access through pointers is its mask; None if it has none."""
    if (position := MASKS.get(op.name)) is None:
        return None
    counts = op.attributes.get("operandSegmentSizes")
    has_mask = counts[position] if counts is not None else len(op.operands) > position
    return position if has_mask else None


def predicate_position(op: Instruction) -> int | None:
    """Which operand enables an access: the mask of one through pointers, the predicate of a copy by TMA; else None."""
    return len(op.operands) - 1 if op.name in TMA_LOADS else mask_position(op)
