"""Since sm_100: tensor memory, and products that accumulate in it."""

from __future__ import annotations

import re
from typing import Any

from mlir import ir

from ttkit.dialects._tt_enums import ScaleDotElemType
from ttkit.lift.buffers import described
from ttkit.lift.registry import writes
from ttkit.lift.values import condition, constant_of, element_text, refuse

_BLACKWELL = "gl.nvidia.blackwell"
_REDUCTIONS = (("abs", "abs", "True"), ("NaN", "propagate_nan", "tl.PropagateNan.ALL"))
"""Attributes of a load that reduces, and arguments of `load_max`."""


def is_true(op: Any, name: str) -> bool:
    """Whether an operation has a flag that is set."""
    return name in op.attributes and ir.BoolAttr(op.attributes[name]).value


@writes("ttng.tmem_alloc")
def allocate(writer: Any, op: Any) -> str:
    """A buffer in tensor memory."""
    type = described(op.results[0])
    element, layout = element_text(type.element_type), writer.layout(op.results[0])
    value = "".join(f", {writer.ref(each)}" for each in op.operands)
    return f"{_BLACKWELL}.allocate_tensor_memory({element}, {list(type.shape)}, {layout}{value})"


@writes("ttng.tmem_load")
def load(writer: Any, op: Any) -> str:
    """Loads, which may reduce each row."""
    if "redOp" not in op.attributes:
        return f"{writer.ref(op.operands[0])}.load({writer.layout(op.results[0])})"
    kind = re.search(r"<(\w+)>", str(op.attributes["redOp"]))[1]  # type: ignore[index]
    given = [f"{name}={text}" for key, name, text in _REDUCTIONS if is_true(op, key)]
    return f"{writer.ref(op.operands[0])}.load_{kind}({', '.join([writer.layout(op.results[0]), *given])})"


@writes("ttng.tmem_store")
def store(writer: Any, op: Any) -> None:
    """Stores."""
    buffer, *_, value, predicate = op.operands
    writer.line(f"{writer.ref(buffer)}.store({writer.ref(value)}{condition(writer, 'pred', [predicate])})")


@writes("ttng.tmem_subslice")
def subslice(writer: Any, op: Any) -> str:
    """Some columns or rows."""
    dim = writer.integer(op, "dim") if "dim" in op.attributes else 1
    option = "" if dim == 1 else f", dim={dim}"
    return f"{writer.ref(op.operands[0])}.slice({writer.integer(op, 'N')}, {described(op.result).shape[dim]}{option})"


@writes("ttng.tmem_copy")
def copy(writer: Any, op: Any) -> None:
    """A copy from shared memory."""
    if len(op.operands) > 2:
        refuse(op, "a copy to tensor memory has no barrier of its own")
    writer.line(f"{_BLACKWELL}.tcgen05_copy({', '.join(map(writer.ref, op.operands))})")


@writes("ttng.tc_gen5_mma", "ttng.tc_gen5_mma_scaled")
def product(writer: Any, op: Any) -> None:
    """Products."""
    segments, operands = writer.segments(op), list(op.operands)
    groups = []
    for size in segments:
        groups.append(operands[:size])
        operands = operands[size:]
    a, b, acc, _, *scales, use, predicate, barriers, conditions = groups
    arguments = [writer.ref(value) for group in (a, b, acc, *scales) for value in group]
    if scales:
        kinds = (ScaleDotElemType(writer.integer(op, name)).name.lower() for name in ("a_type", "b_type"))
        arguments += [f'"{kind}"' for kind in kinds]
    text = ", ".join(arguments) + condition(writer, "use_acc", use) + condition(writer, "pred", predicate)
    if barriers:
        text += f", mbarriers=[{', '.join(map(writer.ref, barriers))}]"
        if any(constant_of(each) is not True for each in conditions):
            text += f", mbarrier_preds=[{', '.join(map(writer.ref, conditions))}]"
    elif "is_async" in op.attributes:
        text += ", mbarriers=[]"
    text += ", multicast=True" if "multicast" in op.attributes else ""
    writer.line(f"{_BLACKWELL}.{op.name.replace('ttng.tc_gen5', 'tcgen05')}({text})")


@writes("ttng.tc_gen5_commit")
def commit(writer: Any, op: Any) -> None:
    """An arrival when products have ended."""
    if "two_ctas" in op.attributes:
        refuse(op, "tcgen05_commit commits products of one CTA")
    view = op.opview
    text = writer.ref(view.barrier) + condition(writer, "pred", [] if view.pred is None else [view.pred])
    text += f", descs=[{', '.join(map(writer.ref, view.descs))}]" if view.descs else ""
    writer.line(f"{_BLACKWELL}.tcgen05_commit({text})")
