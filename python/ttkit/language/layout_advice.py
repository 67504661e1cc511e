"""Advice about two layouts that differ: both drawn, and the conversion from one to the other with its cost."""

from __future__ import annotations

from typing import Any

from ttkit.layout.conversion_plan import Conversion, Movement, plan_conversion
from ttkit.layout.drawing.triton_text import layout_text
from ttkit.layout.gluon.base import DistributedLayout
from ttkit.layout.linear import LinearLayout
from ttkit.layout.to_linear import to_linear_layout

_MOST_ROWS, _MOST_COLUMNS = 4, 8


def conversion_advice(wanted: DistributedLayout, found: Any) -> str:
    """The conversion of a tensor of type `found` to the layout `wanted`, with its cost, and pictures of both.

    found: a type with shape, element type and layout.
    """
    try:
        plan = cost_of(found, wanted)
    except ValueError:  # an open layout, or a rank that differs
        return "set the layout of both tensors, by ttgl.convert_layout or where they are made"
    shape = "x".join(map(str, found.shape))
    return "\n".join(
        [
            f"convert one of them: ttgl.convert_layout(x, {wanted}) {_cost(plan, found.element_ty.primitive_bitwidth)}",
            f"threads and registers (T<thread>:<register>) of a {shape} tensor in {wanted}:",
            _drawn(plan.target),
            f"and in {found.layout}:",
            _drawn(plan.source),
        ]
    )


def cost_of(type: Any, layout: DistributedLayout) -> Conversion:
    """The conversion of a tensor to another layout.

    type: its type, with shape and layout.

    Raises:
        ValueError: one of the layouts is open, or not one of tensors of this shape.
    """
    source, target = (to_linear_layout(type.shape, each.encoding) for each in (type.layout, layout))
    return plan_conversion(source, target)


def _cost(plan: Conversion, bits: int) -> str:
    source, target = plan.source, plan.target
    if plan.is_no_op:
        return "costs nothing: each thread keeps its registers"
    if plan.movement == Movement.REGISTERS:
        return "costs no instruction: each thread renames its registers"
    registers = source.remove_zero_bases("register").in_size("register")
    if plan.uses_shuffles:
        return f"moves elements among the lanes of a warp, by about {max(registers * bits // 32, 1)} shuffles a thread"
    where = {Movement.LANES: "lanes", Movement.WARPS: "warps", Movement.BLOCKS: "CTAs of the cluster"}[plan.movement]
    elements = 1
    for size in target.shape:
        elements *= size
    return (
        f"moves elements among {where} through shared memory: {registers} registers' values a thread, "
        f"{max(elements * bits // 8, 1)} bytes, and a barrier"
    )


def _drawn(layout: LinearLayout) -> str:
    """The corner of the picture that fits into an error."""
    rows = layout_text(layout).splitlines()
    shown = []
    for row in rows[:_MOST_ROWS]:
        cells = row.split(", ")
        shown.append(", ".join(cells[:_MOST_COLUMNS]) + (", ..." if len(cells) > _MOST_COLUMNS else ""))
    return "\n".join(["  " + row for row in shown] + ["  ..."] * (len(rows) > _MOST_ROWS))
