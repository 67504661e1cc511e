"""Types as signatures spell them."""

from __future__ import annotations

import builtins
import re
from typing import Any

import ttkit.language.types as types
from ttkit.language.constexpr import constexpr_type
from ttkit.language.descriptor import tensor_descriptor_type
from ttkit.language.errors import UnknownType
from ttkit.language.tuples import tuple_type
from ttkit.language.types import block_type, int32, int64, pointer_type

_NUMBERS = [one for one in vars(types).values() if type(one) is types.dtype and one is not types.void]
_SCALARS = {"i1": types.int1, "B": types.int1} | {one.mangle(): one for one in _NUMBERS}

_DESCRIPTOR = re.compile(
    r"tensordesc(?:_im2col)?<(\w+)\[(\s*\d{1,18}\s*(?:,\s*\d{1,18}\s*)*)\]"
    r"(?:\s*,\s*input_rank=([345]))?(?:\s*,\s*(.+))?>$"
)


def str_to_ty(name: Any, c: Any = None) -> Any:
    """The type that a signature spells: "i32", "*fp32" (pointer), "*kfp32" (to constants), "constexpr" (of value `c`),
    "tensordesc<fp16[64, 64]>", in Gluon with a layout, "tensordesc<fp16[64, 64],NVMMASharedLayout(128, 16)>"; a tuple
    of these is a tuple.

    Raises:
        UnknownType: no such type.
    """
    if isinstance(name, builtins.tuple):
        return tuple_type([str_to_ty(item, c) for item in name], getattr(name, "_fields", None))
    if isinstance(name, str) and name.startswith("*"):
        is_const = name.startswith("*k")
        return pointer_type(str_to_ty(name[2 if is_const else 1 :], c), const=is_const)
    if described := _DESCRIPTOR.match(str(name)):
        sizes = [int(size) for size in described[2].split(",")]
        block = block_type(str_to_ty(described[1]), sizes)
        if described[4]:  # Gluon is not loaded for other kernels
            from ttkit.language.gluon.tensor_descriptor import spelled_type

            return spelled_type(block, described[4], int(described[3] or 0))
        return tensor_descriptor_type(block, tuple_type([int32] * len(sizes)), tuple_type([int64] * len(sizes)))
    if isinstance(name, str) and name.startswith("constexpr"):
        return constexpr_type(c)
    if not isinstance(name, str) or name not in _SCALARS:
        reason = f"Type {name} not supported; expected one of {', '.join(_SCALARS)}"
        raise UnknownType(function="signature", reason=reason)
    return _SCALARS[name]
