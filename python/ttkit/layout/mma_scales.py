"""Scales of products on tensor cores by mma.sync: which registers each instruction takes.

A scale is a byte for some consecutive elements along k of a row of a, or of a column of b.  A word has four; its
operands tell an instruction at which byte to begin.  Lane 4 r has the scales of row (or column) r of its tile; for a,
lane 4 r + 1 has those of row 8 + r (PTX ISA, "Block Scaling for mma.sync").
"""

from __future__ import annotations

import ttkit.layout.gf2 as gf2
from ttkit.layout.errors import UnsuitableLayout
from ttkit.layout.linear import LinearLayout
from ttkit.layout.mma_fragments import MmaPlan


def plan_scales(plan: MmaPlan, operand: LinearLayout, scales: LinearLayout, index: int, block: int) -> tuple[int, ...]:
    """For each step of a plan the register of the first scale that it takes of an operand.

    Args:
        operand: register, lane, warp, block -> m, k for operand 0, or k, n for operand 1.
        scales: likewise -> m (or n), number of the scale along k.
        index: of the operand, 0 or 1.
        block: elements of the operand that share a scale, a power of two.

    Raises:
        UnsuitableLayout: threads don't have the scales that instructions take from them.
    """
    along, across = operand.out_dims if index == 0 else reversed(operand.out_dims)
    rows, steps = operand.sublayout(operand.in_dims, [along]), operand.sublayout(operand.in_dims, [across])
    own_rows = scales.sublayout(scales.in_dims, ["dim0"])
    own_steps = scales.sublayout(scales.in_dims, ["dim1"])
    lanes = own_rows.columns_of("lane")
    # Rows of a: the lane with bit 0 set has the scale of the row eight further down, the second word's.
    second = [_row_of_second_word(plan, rows)] if index == 0 else []
    fits = (
        lanes[2:] == rows.columns_of("lane")[2:]
        and list(lanes[: len(second)]) == second
        and not any(own_steps.columns_of("lane")[bit] for bit in (*range(len(second)), 2, 3, 4))
        and all(own_rows.columns_of(name) == rows.columns_of(name) for name in ("warp", "block"))
        and not any(own_steps.columns_of("warp"))
    )
    if not fits:
        raise UnsuitableLayout("threads have other scales than those of their rows and columns; convert the scales")
    if _reach(plan, steps, index) >= plan.shape.k:
        raise UnsuitableLayout("an instruction has elements of several scales; choose a kWidth of 4 bytes")
    span = gf2.Span(scales.columns_of("register"))
    found = []
    for step in plan.steps:
        first = (step.a, step.b)[index][0]
        row = gf2.combine(rows.columns_of("register"), first)
        number = gf2.combine(steps.columns_of("register"), first) // block
        register = span.combination(row | number << scales.bits_out("dim0"))
        if register is None:
            raise UnsuitableLayout("a thread lacks scales of rows or columns that it computes; convert the scales")
        found.append(register)
    return tuple(found)


def _row_of_second_word(plan: MmaPlan, rows: LinearLayout) -> int:
    """Distance of the second word of a tile from the first, in rows."""
    first, second = plan.steps[0].a[:2]
    return gf2.combine(rows.columns_of("register"), first ^ second)


def _reach(plan: MmaPlan, steps: LinearLayout, index: int) -> int:
    """The last element along k that the first instruction takes."""
    words = (plan.steps[0].a, plan.steps[0].b)[index]
    registers = [gf2.combine(steps.columns_of("register"), word + plan.elements - 1) for word in words]
    return max(registers) | gf2.combine(steps.columns_of("lane"), 0b11)
