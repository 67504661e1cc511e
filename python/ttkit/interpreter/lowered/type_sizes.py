"""Sizes of LLVM's types, and places of the fields of structs (64-bit targets: everything at multiples of its size)."""

from __future__ import annotations

import re
from typing import Any

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.errors import NotInterpretable
from ttkit.interpreter.lowered.ptx_text import split_outside

DYNAMIC = -(1 << 31)
"""An index of llvm.getelementptr that is an operand."""
SCALARS = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8, "ptr": 8, "!llvm.ptr": 8, "ptr<3>": 4, "!llvm.ptr<3>": 4}


def dynamic(index: int) -> bool:
    """Whether an index of llvm.getelementptr is an operand."""
    return index == DYNAMIC


def size_of(op: Instruction, type: Any) -> int:
    """Bytes of a type, by its text.

    Raises:
        NotInterpretable: it is not known here.
    """
    text = str(type)
    if text in SCALARS:
        return SCALARS[text]
    if found := re.fullmatch(r"i(\d+)", text):
        return max(1, int(found[1]) // 8)
    if re.fullmatch(r"(!llvm\.)?ptr<\d+>", text):
        return 8
    if found := re.fullmatch(r"vector<(\d+)x(.+)>|(?:!llvm\.)?array<(\d+) x (.+)>", text):
        count, element = (found[1], found[2]) if found[1] else (found[3], found[4])
        return int(count) * size_of(op, element)
    return fields_of(op, text)[1]


def fields_of(op: Instruction, text: str) -> tuple[list[tuple[str, int]], int]:
    """The types of a struct's fields with their places, and the size of the struct.

    Raises:
        NotInterpretable: it is not a struct.
    """
    found = re.fullmatch(r"(?:!llvm\.)?struct<\((.*)\)>", text)
    if found is None:
        raise NotInterpretable(f"a type {text}", op)
    fields, end, widest = [], 0, 1
    for field in split_outside(found[1], "<(", ">)"):
        size = size_of(op, field)
        place = -(-end // size) * size
        fields.append((field, place))
        end, widest = place + size, max(widest, size)
    return fields, -(-end // widest) * widest


def offset_of(op: Instruction, type: Any, indices: list[Any]) -> Any:
    """Bytes from a pointer to what indices choose: elements of `type`, then fields of it.  Indices are numbers or
    arrays."""
    first, *rest = indices
    offset = _as_wide(first) * size_of(op, type)
    text = str(type)
    for index in rest:
        if found := re.fullmatch(r"(?:!llvm\.)?array<\d+ x (.+)>|vector<\d+x(.+)>", text):
            text = found[1] or found[2]
            offset = offset + _as_wide(index) * size_of(op, text)
            continue
        text, place = fields_of(op, text)[0][index]
        offset = offset + place
    return offset


def _as_wide(index: Any) -> Any:
    return index if isinstance(index, int) else index.astype("int64")
