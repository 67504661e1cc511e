"""Binding a call to a kernel's parameters: arguments by position and name, defaults, options."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from ttkit.language.parameters import KernelParam
from ttkit.runtime.specialization import Specialized, specialize_parameter

Binder = Callable[..., tuple[dict[str, Any], list[Specialized], dict[str, Any]]]


def create_binder(
    signature: inspect.Signature, params: Sequence[KernelParam], name: str = "kernel", backend: Any = None
) -> Binder:
    """A function with the kernel's own parameters, so that Python binds and complains as for any function.

    backend: what keys of tensors are, see `ttkit.runtime.specialization.native_specialize_impl`.

    What it returns: {name: argument} of all parameters, (type, key) of each, {name: value} of other keywords: options.
    """
    names = list(signature.parameters)
    scope: dict[str, Any] = {}
    declared, specialized = [], []
    for parameter, param in zip(names, params):
        scope[f"__specialize_{parameter}"] = specialize_parameter(param, backend)
        if param.has_default:
            scope[f"__default_{parameter}"] = param.default
        declared.append(f"{parameter}=__default_{parameter}" if param.has_default else parameter)
        specialized.append(f"__specialize_{parameter}({parameter})")
    bound = ", ".join(f"{parameter!r}: {parameter}" for parameter in names)
    source = (
        f"def {name}({', '.join([*declared, '**__options'])}):\n"
        f"    return {{{bound}}}, [{', '.join(specialized)}], __options\n"
    )
    exec(source, scope)
    return scope[name]
