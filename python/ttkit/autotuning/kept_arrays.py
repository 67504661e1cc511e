"""Elements of arrays that a kernel being tuned overwrites: zeroed, copied and written back.

Arguments may be tensors of any framework, so what each offers is used: methods of torch, assignment to all elements
of numpy and CuPy, copies through the host for `DeviceArray`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ttkit.runtime.pointers import ArgumentError


def set_to_zero(arguments: Mapping[str, Any], names: Iterable[str]) -> None:
    """Makes all elements of the named arguments zero.

    Raises:
        ArgumentError: the elements of one cannot be assigned.
    """
    for name in names:
        array = _elements(arguments[name])
        if hasattr(array, "zero_"):
            array.zero_()
        elif hasattr(array, "copy_from"):
            contents = array.numpy()
            contents[...] = 0
            array.copy_from(contents)
        elif hasattr(type(array), "__setitem__"):
            array[...] = 0
        else:
            raise _not_written(array, name, "reset_to_zero")


def copies_of(arguments: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Copies of the elements of the named arguments, by name, for `write_back`.

    Raises:
        ArgumentError: the elements of one cannot be copied or assigned.
    """
    return {name: _copied(_elements(arguments[name]), name) for name in names}


def write_back(arguments: Mapping[str, Any], copies: Mapping[str, Any]) -> None:
    """Overwrites the elements of arguments with those of the copies that `copies_of` made."""
    for name, copy in copies.items():
        array = _elements(arguments[name])
        if hasattr(array, "copy_"):
            array.copy_(copy)
        elif hasattr(array, "copy_from"):
            array.copy_from(copy)
        else:
            array[...] = copy


def _copied(array: Any, name: str) -> Any:
    if hasattr(array, "clone"):
        return array.clone()
    if hasattr(array, "copy_from"):
        return array.numpy()
    if hasattr(array, "copy") and hasattr(type(array), "__setitem__"):
        return array.copy()
    raise _not_written(array, name, "restore_value")


def _elements(array: Any) -> Any:
    """The array that `reinterpret` was given, else the array itself: zeros and copies are the same bytes in both."""
    return array.base if type(array).__name__ == "TensorWrapper" else array


def _not_written(array: Any, name: str, option: str) -> ArgumentError:
    return ArgumentError(
        f"{option} of autotune names '{name}', whose elements cannot be assigned: found {type(array).__name__}; "
        "pass a tensor of torch, an array of numpy or CuPy, or a DeviceArray, or give pre_hook= and post_hook="
    )
