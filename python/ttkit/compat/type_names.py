"""Spelling of types in signatures, by the names of `triton._utils`."""

from __future__ import annotations

import re
from typing import Any

from ttkit.language.parameters import canonical_type_name, is_type_name

_KNOWN = """
    bool int1 uint1 i1 half float16 bfloat16 float float32 double float64 int int8 int16 int32 int64 uint8 uint16 uint32
    uint64 float8e4nv float8_e4m3fn float8e5 float8_e5m2 float8e4b15 float8e4b8 float8_e4m3fnuz float8e5b16
    float8_e5m2fnuz void
""".split()

type_canonicalisation_dict: dict[str, str] = {name: canonical_type_name(name) for name in _KNOWN}
"""{what a type is called: its name in signatures}."""
type_canonicalisation_dict |= {name: name for name in set(type_canonicalisation_dict.values())}

_ODD_SIZES = {"bf16": 16, "void": 0}


def _bits(name: str) -> int:
    found = re.match(r"(?:fp|[iu])(8(?=e)|\d+)", name)
    return _ODD_SIZES[name] if name in _ODD_SIZES else int(found[1]) if found else 0


BITWIDTH_DICT: dict[str, int] = {name: _bits(spelled) for name, spelled in type_canonicalisation_dict.items()}
"""{what a type is called: bits of a number}."""


def canonicalize_dtype(dtype: Any) -> str:
    """The name in signatures of a dtype of torch, numpy or the language.

    Raises:
        KeyError: kernels have no such type.
    """
    return type_canonicalisation_dict[str(dtype).rpartition(".")[2]]


def canonicalize_ptr_dtype(dtype: Any, is_const: bool) -> str:
    """The name of a pointer to it.

    Raises:
        KeyError: kernels have no such type.
    """
    return f"{'*k' if is_const else '*'}{canonicalize_dtype(dtype)}"


def get_primitive_bitwidth(dtype: str) -> int:
    """Bits of a number of a type.

    Raises:
        KeyError: kernels have no such type.
    """
    return BITWIDTH_DICT[dtype]


def is_power_of_two(x: int) -> bool:
    """Whether it is one, or 0."""
    return x & (x - 1) == 0


__all__ = [
    "BITWIDTH_DICT",
    "canonicalize_dtype",
    "canonicalize_ptr_dtype",
    "get_primitive_bitwidth",
    "is_power_of_two",
    "is_type_name",
    "type_canonicalisation_dict",
]
