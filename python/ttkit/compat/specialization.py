"""Specialization of a kernel, argument by argument, with the arguments that Triton's functions take."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from ttkit.language.parameters import KernelParam
from ttkit.runtime.binder import Binder, create_binder
from ttkit.runtime.specialization import native_specialize_impl


def mangle_type(arg: Any, specialize: bool = False) -> Any:
    """The type of an argument, as signatures spell it.

    Args:
        specialize: whether 1 is a constant.
    """
    return native_specialize_impl(None, arg, False, specialize, specialize)[0]


def create_function_from_signature(sig: inspect.Signature, kparams: Sequence[KernelParam], backend: Any) -> Binder:
    """A function with a kernel's own parameters, see `ttkit.runtime.binder.create_binder`."""
    return create_binder(sig, kparams, backend=backend)


def get_full_name(fn: Any) -> str:
    """`module.function`."""
    return f"{fn.__module__}.{fn.__qualname__}"


def get_jit_fn_file_line(fn: Any) -> tuple[str, int]:
    """The file of a kernel, decorated or not, and the line of its `def`."""
    while not hasattr(fn, "location"):
        fn = fn.fn
    return fn.location
