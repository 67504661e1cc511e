"""Variants of a kernel: their keys in bundles, what they assume of arguments, and how they are told.

A variant is a source with options.  It assumes facts of values that its types do not have: that a pointer or an integer
is divisible by 16, that an integer is 1.  Without these it is general: right for all values of its types.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from enum import IntEnum
from typing import Any

from ttkit.frontend.source import ASTSource
from ttkit.options import CompileOptions
from ttkit.runtime.specialization import Path, is_constexpr

OF_THE_GPU = frozenset(
    "arch supported_fp8_dtypes deprecated_fp8_dot_operand_dtypes max_num_imprecise_acc_default".split()
)
"""Options that follow from the GPU."""
# Changes of the pipeline, and paths: what only the machine that compiles knows.
_NOT_IN_KEYS = OF_THE_GPU | {"pipeline", "extern_libs"}

VARIANT = {"name": str, "source": str, "family": str, "assumes": [str], "described": {str: str}}
"""The shape of what an index has of a variant."""
_LONGEST = 60  # letters of a constant that are shown


def key_of(source: Any, options: CompileOptions) -> str:
    """Identifies a kernel in bundles, as hexadecimal digits."""
    kept = sorted((name, value) for name, value in options.as_dict().items() if name not in _NOT_IN_KEYS)
    return hashlib.sha256(f"{source.ext} {plain(source).hash()} {kept}".encode()).hexdigest()


def plain(source: Any) -> Any:
    """The source without what makes no difference: empty lists of attributes, constants within a constexpr, names of
    members of an IntEnum."""
    if not isinstance(source, ASTSource):
        return source
    constants = {path: value.value if is_constexpr(value) else value for path, value in source.constants.items()}
    constants = {path: int(value) if isinstance(value, IntEnum) else value for path, value in constants.items()}
    return ASTSource(source.fn, source.signature, constants, {path: of for path, of in source.attrs.items() if of})


# --- what a variant assumes -------------------------------------------------------------------------------------------


def assumptions(source: Any) -> list[str]:
    """A text for each fact that a source assumes of values, such as `0: tt.divisibility 16` and `3 = 1`."""
    if not isinstance(source, ASTSource):
        return []
    attributes = [_fact(path, item) for path, items in source.attrs.items() for item in items]
    return sorted([*attributes, *(_one(path) for path in _ones(source))])


def _ones(source: ASTSource) -> list[Path]:
    """Paths of integers that are known to be 1, though the kernel does not declare them constants."""
    params = source.fn.params
    found = [path for path, value in source.constants.items() if type(value) is int and value == 1]
    return [path for path in found if not params[path[0]].is_constexpr]


def _fact(path: Path, item: Any) -> str:
    return f"{_text(path)}: {' '.join(map(str, item))}"


def _one(path: Path) -> str:
    return f"{_text(path)} = 1"


def _text(path: Path) -> str:
    return ".".join(map(str, path))


def with_assumptions(source: Any, kept: Iterable[str]) -> Any:
    """The source with only those of its assumptions."""
    if not isinstance(source, ASTSource):
        return source
    wanted = set(kept)
    dropped = [path for path in _ones(source) if _one(path) not in wanted]
    types = dict(source.signature)
    for path in dropped:
        name = source.fn.arg_names[path[0]]
        types[name] = _as_integer(types[name], path[1:])
    constants = {path: value for path, value in source.constants.items() if path not in dropped}
    attributes = {path: [item for item in items if _fact(path, item) in wanted] for path, items in source.attrs.items()}
    return ASTSource(source.fn, types, constants, attributes)


def _as_integer(kind: Any, path: Path) -> Any:
    """The type with the constant at the path as an integer: 1 has 32 bits."""
    if not path:
        return "i32"
    items = [_as_integer(item, path[1:]) if index == path[0] else item for index, item in enumerate(kind)]
    return type(kind)(*items) if hasattr(kind, "_fields") else tuple(items)


def generalized(source: Any) -> Any:
    """The source without assumptions."""
    return with_assumptions(source, ())


# --- how it is told ---------------------------------------------------------------------------------------------------


def describe(source: Any, options: CompileOptions) -> dict[str, Any]:
    """The facts that an index has of a variant, as VARIANT."""
    function = getattr(source, "fn", None)
    found: dict[str, Any] = {
        "name": source.name,
        "source": getattr(function, "cache_key", ""),
        "family": key_of(generalized(source), options),
        "assumes": assumptions(source),
        "described": described(source, options),
    }
    if function is not None:
        found["function"] = f"{function.__module__}:{function.__qualname__}"
    return found


def described(source: Any, options: CompileOptions) -> dict[str, str]:
    """The facts that tell variants of a kernel apart, by the names of parameters and options: `*fp32 divisible by 16`,
    `512`; and options that have another value than by default."""
    found = {name: str(kind) for name, kind in (source.signature or {}).items()}
    if isinstance(source, ASTSource):
        names = source.fn.arg_names
        for path, items in source.attrs.items():
            hints = [
                f"divisible by {value}" if name == "tt.divisibility" else f"{name} {value}" for name, value in items
            ]
            _add(found, names, path, " ".join(hints))
        for path, value in source.constants.items():
            text = repr(value.value if is_constexpr(value) else value)[:_LONGEST]
            if len(path) == 1:
                found[names[path[0]]] = text
            else:
                _add(found, names, path, text)
    return found | {name: str(value) for name, value in chosen_options(options).items()}


def _add(found: dict[str, str], names: list[str], path: Path, text: str) -> None:
    if text:
        inside = f"{_text(path[1:])} " if len(path) > 1 else ""
        found[names[path[0]]] += f" {inside}{text}"


def chosen_options(options: CompileOptions) -> dict[str, Any]:
    """The options that are not as by default, and do not follow from the GPU."""
    default = CompileOptions().as_dict()
    found = options.as_dict()
    return {
        name: value
        for name, value in found.items()
        if name not in OF_THE_GPU and name != "pipeline" and (name not in default or value != default[name])
    }


def title(source: Any) -> str:
    """A kernel with the types of its parameters: `add(x: *fp32, n: i32)`."""
    types = ", ".join(f"{name}: {kind}" for name, kind in (source.signature or {}).items())
    return f"{source.name}({types})"
