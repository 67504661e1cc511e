"""Keys of the kernels that launches need, as text."""

from __future__ import annotations

from typing import Any

from ttkit.language.jit_callable import SOURCE_CHANGES, JITCallable
from ttkit.runtime.specialization import Specialized, is_constexpr


def compute_cache_key(kernel_key_cache: dict[Any, str], specialization: list[Specialized], options: Any) -> str:
    """The key of a kernel: all that its arguments and options decide, functions by their code.

    Args:
        kernel_key_cache: keys that were found, by what is cheaper to compare; the key is added.
        specialization: of all arguments.
        options: by name.
    """
    given = options.items() if isinstance(options, dict) else [("", str(options))]
    try:
        cheap = SOURCE_CHANGES["count"], comparable(specialization), comparable(given)
        found = kernel_key_cache.get(cheap)
    except TypeError:  # a list, say
        return _text(specialization, options)
    if found is None:
        found = kernel_key_cache[cheap] = _text(specialization, options)
    return found


def comparable(items: Any) -> tuple[Any, ...]:
    """Pairs so that equal ones mean the same: 1, 1.0 and True are different constants, and so are 0.0 and -0.0."""
    made = []
    for first, second in items:
        kind = type(second)
        if kind is tuple or kind is float or (isinstance(second, tuple) and first != "constexpr"):
            second = repr(second)
        made.append((first, second, kind))
    return tuple(made)


def _text(specialization: list[Specialized], options: Any) -> str:
    return str(_with_keys(specialization)) + str(options)


def _with_keys(value: Any) -> Any:
    """Functions as what identifies their code."""
    if isinstance(value, JITCallable):
        return value.cache_key
    if isinstance(value, list):
        return [_with_keys(item) for item in value]
    if isinstance(value, tuple):
        return tuple(_with_keys(item) for item in value)
    if is_constexpr(value):
        inner = _with_keys(value.value)
        return value if inner is value.value else ("constexpr", inner)
    return value
