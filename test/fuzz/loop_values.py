"""What random loops compute with: tiles, what is known of them, and expressions over them.

Numbers are small integers, kept so small that every type and every sum is exact: each value knows a bound of its
magnitudes.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

NAMES = {
    "fp16": "tl.float16",
    "bf16": "tl.bfloat16",
    "fp32": "tl.float32",
    "fp8e4nv": "tl.float8e4nv",
    "fp8e5": "tl.float8e5",
    "i8": "tl.int8",
    "i32": "tl.int32",
}
EXACT = {"fp16": 2048, "bf16": 256, "fp32": 1 << 24, "fp8e4nv": 16, "fp8e5": 8, "i8": 127, "i32": 1 << 31}
"""Integers up to which a type has all."""
EXACT_OPERANDS = {**EXACT, "fp32": 2048}
"""The same of operands of products: f32 is multiplied as tf32."""
LOADED = 2
"""Bound of what arrays hold."""


@dataclass(frozen=True)
class Value:
    """A tile, vector or number: its expression, shape, type, and a bound of its magnitudes."""

    text: str
    shape: tuple[int, ...]
    kind: str
    bound: int = LOADED

    @property
    def is_float(self) -> bool:
        return self.kind[0] != "i"

    @property
    def is_fp8(self) -> bool:
        return self.kind.startswith("fp8")


def cast(value: Value, kind: str, limit: int | None = None) -> Value:
    """The value in another type, clamped if it may be too large for it."""
    text, bound = value.text, value.bound
    limit = EXACT[kind] if limit is None else limit
    if bound > limit:
        if value.is_fp8:
            value = cast(value, "fp16")
            text = value.text
        small = "2.0" if value.is_float else "2"  # of 16-bit floats the minimum is f32
        text, bound = f"tl.minimum(tl.maximum({text}, -{small}), {small})", 2
        value = Value(text, value.shape, "" if value.kind in ("fp16", "bf16") else value.kind)
    if value.kind != kind:
        middle = ""
        if kind.startswith("fp8") and value.kind[:1] == "i":
            middle = ".to(tl.float32)"
        if value.is_fp8 and kind[0] == "i":
            middle = ".to(tl.float32)"
        text = f"({text}){middle}.to({NAMES[kind]})" if not text.isidentifier() else f"{text}{middle}.to({NAMES[kind]})"
    return Value(text, value.shape, kind, min(bound, limit))


def has_descriptors(shape: tuple[int, ...], kind: str) -> bool:
    """Whether descriptors may have blocks of a shape: of matrices with rows of 16 bytes."""
    size = 4 if kind.endswith("32") else 2 if kind.endswith("16") else 1
    return len(shape) == 2 and shape[1] * size >= 16


def kind_of_sums(kind: str) -> str:
    """The type of sums of elements of a type."""
    return "i32" if kind[0] == "i" else "fp32"


def turned(value: Value) -> Value:
    """The tile transposed."""
    return Value(f"tl.trans({value.text})", value.shape[::-1], value.kind, value.bound)


def elementwise(rng: random.Random, value: Value, other: Value | None) -> Value:
    """The value after some operation in registers; `other` has its shape and type."""
    if value.is_fp8:
        return cast(elementwise(rng, cast(value, "fp16"), other and cast(other, "fp16")), value.kind)
    text, bound, zero = value.text, value.bound, "0.0" if value.is_float else "0"
    second = other or value
    made = [
        (f"({text} + {second.text})", bound + second.bound),
        (f"({text} + {text})", 2 * bound),
        (f"({text} - {second.text})", bound + second.bound),
        (f"({text} * 2)", 2 * bound),
        (f"tl.where({second.text} > {zero}, {text}, {zero})", bound),
        (f"tl.maximum({text}, {second.text})", max(bound, second.bound)),
        (f"(-{text})", bound),
        (f"tl.abs({text})", bound),
    ]
    found, bound = rng.choice(made)
    if value.kind == "bf16" and found.startswith("tl.maximum"):
        found += ".to(tl.bfloat16)"
    if bound > EXACT[value.kind]:
        return value
    return Value(found, value.shape, value.kind, bound)


@dataclass
class Scope:
    """What can be used at a place of the kernel.

    values: what may be used by name; carried: those of them that the loop around carries, which may be assigned.
    """

    values: list[Value] = field(default_factory=list)

    def of(self, shape: tuple[int, ...], kind: str | None = None) -> list[Value]:
        return [one for one in self.values if one.shape == shape and kind in (None, one.kind)]
