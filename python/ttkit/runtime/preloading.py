"""Compilations as hooks are told of them, and compiling one in another process.

`specialization_data` is JSON with Triton's fields: name, signature, constant_keys, constant_vals, attrs_keys,
attrs_vals, options, key.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from ttkit.json_shapes import load, natural
from ttkit.language import types
from ttkit.language.constexpr import constexpr
from ttkit.language.jit_function import JITFunction
from ttkit.records import dataclass
from ttkit.runtime.specialization import Signature, is_constexpr

_DATA = {"name": str, "key": str, "signature": dict, "options": dict,
         **dict.fromkeys(("constant_vals", "attrs_vals"), list),
         **{name: [[natural]] for name in ("constant_keys", "attrs_keys")}}  # fmt: skip


class JitFunctionInfo(NamedTuple):
    """A function as hooks are told of it."""

    module: str
    name: str
    jit_function: JITFunction


@dataclass(frozen=True)
class Description:
    """A compilation as hooks see it."""

    function: JITFunction
    key: str
    signature: Signature
    device: int
    options: Any
    is_warmup: bool

    def call(self, hook: Callable[..., Any]) -> Any:
        """Calls `jit_cache_hook` or `jit_post_compile_hook`."""
        function, options = self.function, self.options
        arguments = ", ".join(f"{name}: {kind}" for name, kind in self.signature.types.items())
        shown = ("num_warps", "num_ctas", "num_stages", "enable_fp_fusion", "launch_cooperative_grid")
        settings = ", ".join(f"{name}={getattr(options, name)}" for name in shown)
        return hook(
            key=self.key,
            repr=f"{function.fn.__qualname__}[{settings}]({arguments})",
            fn=JitFunctionInfo(function.module, function.fn.__qualname__, function),
            compile={
                "key": self.key,
                "signature": self.signature.types,
                "device": self.device,
                "constants": self.signature.constants,
                **{name: getattr(options, name) for name in (*shown, "extern_libs")},
                "configs": [self.signature.attributes],
                "specialization_data": self.to_json(),
                "is_warmup": self.is_warmup,
            },
            is_manual_warmup=self.is_warmup,
            already_compiled=False,
        )

    def to_json(self) -> str:
        """The text that `parse` reads."""
        return serialize_specialization_data(self.function.full_name, *self.signature, self.options, self.key)


def serialize_specialization_data(
    name: str, signature: dict[str, Any], constants: dict[Any, Any], attrs: dict[Any, Any], options: Any, key: str
) -> str:
    """The text that `parse` reads: all that a compilation needs besides the function.

    Args:
        name: of the function, with its module.
        signature, constants, attrs: see `ttkit.runtime.specialization.Signature`.
        options: a `CompileOptions`.
        key: of the kernel in the function's own cache.
    """
    return json.dumps(
        {
            "name": name,
            "signature": signature,
            "constant_keys": [list(path) for path in constants],
            "constant_vals": [_to_json(value) for value in constants.values()],
            "attrs_keys": [list(path) for path in attrs],
            "attrs_vals": list(attrs.values()),
            "options": {name: value for name, value in options.as_dict().items() if name != "pipeline"},
            "key": key,
        }
    )


def _to_json(value: Any) -> Any:
    if type(value).__name__ == "dtype":
        return str(value)
    if is_constexpr(value):
        return {"constexpr": _to_json(value.value)}
    if hasattr(value, "cache_key"):  # a function, which has no text that could be read
        return {"jit_function": f"{value.full_name}:{value.cache_key}"}
    return value


def parse(function: JITFunction, text: str) -> tuple[str, Signature, dict[str, Any]]:
    """Key, signature and options of a compilation.

    Raises:
        RuntimeError: it is one of another function, or of functions given as constants.
        ValueError: it is not text of `Description.to_json`.
    """
    found = load(text, _DATA)
    if found["name"] != function.full_name:
        raise RuntimeError(f"Specialization data is for {found['name']} but trying to preload for {function.full_name}")
    constants = {path: _from_json(value) for path, value in _paired(found, "constant")}
    attributes = dict(_paired(found, "attrs"))
    types = {name: _tuples(kind) for name, kind in found["signature"].items()}
    options = {name: _tuples(value) for name, value in found["options"].items()}
    return found["key"], Signature(types, constants, attributes), options


def _paired(found: dict[str, Any], kind: str) -> list[tuple[tuple[int, ...], Any]]:
    """The values of a kind, each with the path of its parameter.  Raises ValueError: a path or a value is missing."""
    paths, values = found[f"{kind}_keys"], found[f"{kind}_vals"]
    if len(paths) != len(values) or not all(path and path[0] < len(found["signature"]) for path in paths):
        raise ValueError(f"{kind}_keys must have the path of a parameter for each of {kind}_vals")
    return [(tuple(path), value) for path, value in zip(paths, values)]


def _from_json(value: Any) -> Any:
    if isinstance(value, dict) and "constexpr" in value:
        return constexpr(_from_json(value["constexpr"]))
    if isinstance(value, dict) and "jit_function" in value:
        raise RuntimeError(f"can't preload a kernel whose constant is a function, {value['jit_function']}")
    if isinstance(value, str) and types.dtype.is_dtype(value):
        return types.dtype(value)
    return _tuples(value)


def _tuples(value: Any) -> Any:
    """JSON's lists as the tuples that they were."""
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value
