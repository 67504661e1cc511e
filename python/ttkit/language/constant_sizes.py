"""Limits of constants: an operator whose result would take Python minutes, or all memory, is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ttkit.language.errors import LanguageError

MOST_BITS = 1 << 16
"""Bits of an integer; tensors hold 64.  Python multiplies two such integers in 0.3 ms (x86-64, 2026-11)."""
MOST_ITEMS = 1 << 18
"""Items of a tuple, or characters of a text."""


class ConstantTooLarge(LanguageError, ValueError):
    template = "the constant would have {found} {unit}; at most {most} are allowed"
    hint = "compute it outside the kernel, or with tensors"


def check_size(operator: str, left: Any, right: Any) -> None:
    """Raises ConstantTooLarge if `left <operator> right` would be too large.

    Args:
        operator: as in `__pow__`, without underscores.
    """
    if check := _CHECKS.get(operator):
        check(left, right)


def check_bits(bits: int) -> None:
    """Raises ConstantTooLarge for an integer of so many bits if they are too many."""
    if bits > MOST_BITS:
        raise ConstantTooLarge(found=_readable(bits), unit="bits", most=MOST_BITS)


def check_items(items: int) -> None:
    """Raises ConstantTooLarge for a tuple or a text of so many items if they are too many."""
    if items > MOST_ITEMS:
        raise ConstantTooLarge(found=_readable(items), unit="items", most=MOST_ITEMS)


def check_format(text: str) -> None:
    """Raises ConstantTooLarge for a format, such as `>10`, whose width or precision is too large."""
    for number in re.findall(r"\d+", text):
        check_items(int(number[:20]))


def _readable(count: int) -> str:
    """A count, or that it is beyond all numbers that anybody would read."""
    return str(count) if count.bit_length() < 64 else "over 2**63"


def _power(left: Any, right: Any) -> None:
    if isinstance(left, int) and isinstance(right, int) and right > 0:
        check_bits((abs(left).bit_length() - 1) * right)


def _shifted(left: Any, right: Any) -> None:
    if isinstance(left, int) and isinstance(right, int) and left and right > 0:
        check_bits(left.bit_length() + right)


def _product(left: Any, right: Any) -> None:
    if isinstance(left, int) and isinstance(right, int):
        check_bits(left.bit_length() + right.bit_length())
    for sequence, count in ((left, right), (right, left)):
        if isinstance(sequence, (str, bytes, list, tuple)) and isinstance(count, int):
            check_items(len(sequence) * count)


def _joined(left: Any, right: Any) -> None:
    if isinstance(left, (str, bytes, list, tuple)) and isinstance(right, (str, bytes, list, tuple)):
        check_items(len(left) + len(right))


def _formatted(left: Any, right: Any) -> None:
    if isinstance(left, str):
        check_format(left)
        numbers = right if isinstance(right, tuple) else (right,)
        if "*" in left:
            check_items(max((abs(number) for number in numbers if isinstance(number, int)), default=0))


_CHECKS: dict[str, Callable[[Any, Any], None]] = {
    "pow": _power,
    "lshift": _shifted,
    "mul": _product,
    "add": _joined,
    "mod": _formatted,
}
