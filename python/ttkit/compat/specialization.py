"""Specialization of a kernel, argument by argument, with the arguments that Triton's functions take."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from ttkit.language.parameters import KernelParam
from ttkit.runtime.binder import Binder, create_binder
from ttkit.runtime.specialization import specialize


def native_specialize_impl(
    backend: Any, arg: Any, is_const: bool = False, specialize_value: bool = True, align: bool = True
) -> tuple[Any, Any]:
    """The type of an argument and the key of what its value tells, see `ttkit.runtime.specialization.specialize`.

    Args:
        backend: what keys of tensors and integers are, where it says that it knows better (`HIPBackend`).
        is_const: a pointer to what the kernel does not change.
        specialize_value: whether the value counts.
        align: whether divisibility by 16 counts.
    """
    type, key = specialize(arg, is_const, specialize_value, align)
    if not getattr(backend, "supports_native_tensor_specialization", True) and specialize_value:
        if hasattr(arg, "data_ptr"):
            return type, backend.get_tensor_specialization(arg, align=align)
        if isinstance(arg, int) and not isinstance(arg, bool) and type != "constexpr":
            return type, backend.get_int_specialization(arg, align=align)
    return type, key


def mangle_type(arg: Any, specialize: bool = False) -> Any:
    """The type of an argument, as signatures spell it.

    Args:
        specialize: whether 1 is a constant.
    """
    return native_specialize_impl(None, arg, False, specialize, specialize)[0]


def create_function_from_signature(sig: inspect.Signature, kparams: Sequence[KernelParam], backend: Any) -> Binder:
    """A function with a kernel's own parameters, see `ttkit.runtime.binder.create_binder`.

    Args:
        backend: not looked at.
    """
    return create_binder(sig, kparams)


def get_full_name(fn: Any) -> str:
    """`module.function`."""
    return f"{fn.__module__}.{fn.__qualname__}"


def get_jit_fn_file_line(fn: Any) -> tuple[str, int]:
    """The file of a kernel, decorated or not, and the line of its `def`."""
    while not hasattr(fn, "location"):
        fn = fn.fn
    return fn.location
