"""From the arguments of a launch to the values that a kernel takes, in order.

Constants drop out, tuples are taken apart, and a tensor descriptor becomes what the kernel was compiled for: a tensor
map, or a pointer with shape and strides; then its shape and strides once more, which the front end asks for.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from ttkit.notices import say_once
from ttkit.patterns import pattern
from ttkit.runtime.pointers import ArgumentError, pointer
from ttkit.runtime.tensor_maps import TensorMapObject, encode_descriptor

DESCRIPTOR = pattern(r"tensordesc(_im2col)?<(?P<element>[^[>]*)\[(?P<block>[^]]*)\](,input_rank=(?P<rank>\d))?")


class Parameters:
    """The parameters of a compiled kernel.

    Args:
        types: of the arguments, as a signature has them.
        descriptors: for each tensor descriptor what its tensor map needs, or None where the kernel takes a pointer;
            empty if all take pointers.

    kinds: types of the values that the kernel takes.
    is_plain: whether every argument is one value, or none.
    """

    def __init__(self, types: Sequence[Any], descriptors: Sequence[Any] = ()) -> None:
        self.types = list(types)
        self._descriptors = list(descriptors or ())
        self.kinds: list[str] = []
        self._taken: list[int] = []
        self.is_plain = True
        remaining = iter(self._descriptors or itertools.repeat(None))
        self._metas: dict[int, Any] = {}
        for index, kind in enumerate(self.types):
            self._add(index, kind, remaining)

    def _add(self, index: int, kind: Any, remaining: Any) -> None:
        if isinstance(kind, tuple):
            self.is_plain = False
            inner = flat_types(kind)
            if any(DESCRIPTOR.match(item) for item in inner):
                raise ArgumentError(
                    "a tensor descriptor in a tuple can't be launched: pass it as an argument of its own"
                )
            self.kinds += [item for item in inner if item != "constexpr"]
        elif kind.startswith("tensordesc"):
            self.is_plain = False
            self._metas[index] = meta = next(remaining)
            self.kinds += descriptor_kinds(kind, meta)
        elif kind != "constexpr":
            self._taken.append(index)
            self.kinds.append(kind)

    def values(self, arguments: Sequence[Any]) -> list[Any]:
        """The values that the kernel takes, of the arguments of a launch.

        Raises:
            ArgumentError: there are too many or too few; a tensor descriptor that has no tensor map.
        """
        if len(arguments) != len(self.types):
            raise ArgumentError(f"it takes {len(self.types)} arguments, found {len(arguments)}")
        if self.is_plain:
            return [arguments[index] for index in self._taken]
        found: list[Any] = []
        for index, kind in enumerate(self.types):
            value = arguments[index]
            if isinstance(kind, tuple):
                _flatten_values(kind, value, found)
            elif index in self._metas:
                found += descriptor_values(value, self._metas[index])
            elif kind == "nvTmaDesc":
                found.append(_tensor_map_bytes(value))
            elif kind != "constexpr":
                found.append(value)
        return found


def flat_types(kind: Any) -> list[str]:
    """The types in a tuple and in those inside it; of anything else, itself."""
    if not isinstance(kind, tuple):
        return [kind]
    return [inner for item in kind for inner in flat_types(item)]


def _flatten_values(kind: Any, value: Any, out: list[Any]) -> None:
    for inner, item in zip(kind, value):
        if isinstance(inner, tuple):
            _flatten_values(inner, item, out)
        elif inner != "constexpr":
            out.append(item)


def descriptor_kinds(kind: str, meta: Any) -> list[str]:
    """Types of the values that a tensor descriptor becomes."""
    match = DESCRIPTOR.match(kind)
    assert match is not None, kind
    rank = int(match["rank"] or match["block"].count(",") + 1)  # images have more dimensions than blocks
    first = ["nvTmaDesc"] if meta is not None else ["*" + match["element"], *["i64"] * (2 * rank), "i1"]
    return [*first, *["i32"] * rank, *["i64"] * rank]


def descriptor_values(descriptor: Any, meta: Any) -> list[Any]:
    """The values whose types `descriptor_kinds` names."""
    shape, strides = descriptor.shape, descriptor.strides
    if meta is None:
        if getattr(descriptor, "round_f32_to_tf32", False):
            say_once("round_f32_to_tf32 of tensor descriptors has no effect where the GPU has no TMA")
        padding = descriptor.padding == "nan"
        return [descriptor.base, *shape, *strides, padding, *shape, *strides]
    tensor_map = encode_descriptor(pointer(descriptor.base), descriptor, meta)
    return [tensor_map.data, *shape, *strides]


def _tensor_map_bytes(value: Any) -> bytes:
    if not isinstance(value, TensorMapObject):
        raise ArgumentError(f"a tensor map is made by fill_tma_descriptor; found {type(value).__name__}")
    return value.data


def argument_types(src: Any) -> list[Any] | None:
    """Types of all arguments of a source, in order; "constexpr" for constants.  None if they are not known."""
    function = getattr(src, "fn", None)
    if function is not None:
        return [src.signature.get(name, "constexpr") for name in function.arg_names]
    if hasattr(src, "argument_types"):  # its signature is written for somebody else
        return list(src.argument_types)
    return None if src.signature is None else list(src.signature.values())


def argument_names(src: Any, count: int) -> list[str]:
    """Names of all arguments of a source; `arg0` and so on where they are not known."""
    return getattr(getattr(src, "fn", None), "arg_names", None) or [f"arg{place}" for place in range(count)]
