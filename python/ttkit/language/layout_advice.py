"""Advice about two layouts that differ: both drawn, and the conversion from one to the other with its cost."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from ttkit.layout.conversion_plan import Conversion, Movement, plan_conversion
from ttkit.layout.drawing.triton_text import layout_text
from ttkit.layout.gluon.base import DistributedLayout
from ttkit.layout.linear import LinearLayout
from ttkit.layout.to_linear import to_linear_layout

_MOST_ROWS, _WIDTH = 4, 110


def conversion_advice(wanted: DistributedLayout, found: Any) -> str:
    """The conversion of a tensor of type `found` to the layout `wanted`, with its cost, and pictures of both.

    found: a type with shape, element type and layout.
    """
    try:
        plan = cost_of(found, wanted)
    except ValueError:  # an open layout, or a rank that differs
        return "set the layout of both tensors, by ttgl.convert_layout or where they are made"
    shape = "x".join(map(str, found.shape))
    lines = [
        f"threads and registers (T<thread>:<register>) of a {shape} tensor, in one layout and in the other:",
        *_wrapped(str(wanted)),
        _drawn(plan.target),
        *_wrapped(str(found.layout)),
        _drawn(plan.source),
        *_wrapped(f"convert one of them: this {_cost(plan, found.element_ty.primitive_bitwidth)}"),
        *_wrapped(f"  ttgl.convert_layout(x, {wanted})"),
    ]
    return "\n".join(lines)


def _wrapped(text: str) -> list[str]:
    return wrap(text, _WIDTH, subsequent_indent="      ", break_long_words=False)


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
    shown = [row if len(row) <= _WIDTH else row[: row.rindex(":", 0, _WIDTH - 8) + 3] + " ..." for row in rows]
    shown = shown[:_MOST_ROWS]
    return "\n".join(["  " + row for row in shown] + ["  ..."] * (len(rows) > _MOST_ROWS))
