"""Policies of caches for an access: `cache_policy` of loads and stores in Gluon, as Triton has it since 3.9."""

from __future__ import annotations

from dataclasses import fields
from math import isfinite
from typing import Any

from ttkit.language.constexpr import constexpr, unwrap
from ttkit.language.memory import load_options
from ttkit.records import dataclass

_PRIORITIES = ("evict_normal", "evict_unchanged", "evict_first", "evict_last")
_MODIFIERS = ("ca", "cg", "wb", "cs", "wt", "cv")
_PREFETCHED = (64, 128, 256)


class _Constant:
    """A policy is a constexpr: its fields are plain values."""

    def _unwrap_fields(self) -> None:
        for field in fields(self):  # type: ignore[arg-type]
            object.__setattr__(self, field.name, unwrap(getattr(self, field.name)))

    @property
    def type(self) -> Any:
        """That of a constexpr with this value."""
        return constexpr(self).type

    def mangle(self) -> str:
        """Text for names of functions that are compiled for this policy."""
        return "".join(each if each.isalnum() else "_" for each in repr(self))


@dataclass(frozen=True)
class CachePolicy(_Constant):
    """A policy for every GPU.

    Args:
        cache_modifier: as of `gl.load`, with or without its dot, or "none".
        eviction_policy: as of `gl.load`, or "evict_normal".

    Raises:
        ValueError: another spelling.
        UnknownOption: when it is used, for a modifier that the access does not have.

    Example:
        >>> x = pointer(np.arange(128, dtype=np.float32))
        >>> gl.load(x + 3, cache_policy=gl.CachePolicy(cache_modifier=".cg"))
        fp32[] 3.0
    """

    cache_modifier: Any = "none"
    eviction_policy: Any = "evict_normal"

    def __post_init__(self) -> None:
        self._unwrap_fields()
        object.__setattr__(self, "cache_modifier", str(self.cache_modifier or "none").removeprefix("."))
        object.__setattr__(self, "eviction_policy", self.eviction_policy or "evict_normal")
        _one_of("cache_modifier", self.cache_modifier, ("none", *_MODIFIERS))
        _one_of("eviction_policy", self.eviction_policy, ("evict_normal", "evict_first", "evict_last"))

    @property
    def _given(self) -> tuple[str, str]:
        """The modifier and the policy as `gl.load` takes them; empty for none."""
        modifier = "" if self.cache_modifier == "none" else f".{self.cache_modifier}"
        return modifier, "" if self.eviction_policy == "evict_normal" else self.eviction_policy

    def attributes(self) -> dict[str, str]:
        """The attributes of an access in the IR."""
        return load_options(*self._given)

    def copy_attributes(self) -> dict[str, str]:
        """The attribute of a copy by TMA."""
        if not self._given[1]:
            return {}
        return {"cachePolicy": f"#tt.cache_policy<cache_modifier = none, eviction_policy = {self.eviction_policy}>"}


@dataclass(frozen=True)
class FractionalEvictionPolicy(_Constant):
    """When the second-level cache evicts a share of the lines.

    Args:
        primary: "evict_normal", "evict_unchanged", "evict_first" or "evict_last".
        fraction: of the lines that get it, above 0 and at most 1.
        secondary: of the other lines, "evict_unchanged" or "evict_first".

    Raises:
        ValueError: other values.

    Example:
        >>> half = ampere.FractionalEvictionPolicy("evict_first", 0.5)
        >>> ampere.CachePolicy(l2=half).l2.secondary
        'evict_unchanged'
    """

    primary: Any
    fraction: Any
    secondary: Any = "evict_unchanged"

    def __post_init__(self) -> None:
        self._unwrap_fields()
        _one_of("primary", self.primary, _PRIORITIES)
        _one_of("secondary", self.secondary, ("evict_unchanged", "evict_first"))
        number = self.fraction
        if not isinstance(number, (int, float)) or not isfinite(number) or not 0 < number <= 1:
            raise ValueError(f"fraction must be above 0 and at most 1, found {number!r}")


@dataclass(frozen=True)
class NvidiaCachePolicy(_Constant):
    """`nvidia.ampere.CachePolicy` and those of later generations: what GPUs of NVIDIA have.

    Args:
        cache_modifier: as of `gl.load`, with or without its dot; not with `l1`.
        l1: when the first-level cache evicts a line, as `primary` of `FractionalEvictionPolicy`, or "no_allocate".
        l2: a `FractionalEvictionPolicy`.
        l2_prefetch_size: 64, 128 or 256 bytes that the second-level cache reads ahead.

    Raises:
        ValueError: other values, none at all, or both `cache_modifier` and `l1`.

    Example:
        >>> x = pointer(np.arange(128, dtype=np.float32))
        >>> gl.load(x + 3, cache_policy=ampere.CachePolicy(l1="evict_last", l2_prefetch_size=128))
        fp32[] 3.0
    """

    cache_modifier: Any = None
    l1: Any = None
    l2: Any = None
    l2_prefetch_size: Any = None

    def __post_init__(self) -> None:
        self._unwrap_fields()
        if self.cache_modifier is not None:
            object.__setattr__(self, "cache_modifier", str(self.cache_modifier).removeprefix("."))
            _one_of("cache_modifier", self.cache_modifier, _MODIFIERS)
        if self.l1 is not None:
            _one_of("l1", self.l1, (*_PRIORITIES, "no_allocate"))
        if self.l2 is not None and not isinstance(self.l2, FractionalEvictionPolicy):
            raise ValueError(f"l2 must be a FractionalEvictionPolicy, found {self.l2!r}")
        if self.l2_prefetch_size not in (None, *_PREFETCHED):
            raise ValueError(f"l2_prefetch_size must be 64, 128 or 256, found {self.l2_prefetch_size!r}")
        if self.cache_modifier is not None and self.l1 is not None:
            raise ValueError("an access has a cache_modifier or l1, not both; leave one out")
        if not any(getattr(self, field.name) for field in fields(self)):
            raise ValueError("a CachePolicy needs a cache_modifier, l1, l2 or l2_prefetch_size")

    def attributes(self) -> dict[str, str]:
        """The attributes of an access in the IR."""
        found = [f"{name} = {value}" for name in ("cache_modifier", "l1") if (value := getattr(self, name)) is not None]
        if self.l2 is not None:
            found += [f"l2_primary = {self.l2.primary}", f"l2_secondary = {self.l2.secondary}"]
            found.append(f"l2_fraction = {float(self.l2.fraction):e} : f32")
        if self.l2_prefetch_size is not None:
            found.append(f"l2_prefetch_size = {self.l2_prefetch_size} : i32")
        return {"cachePolicy": f"#ttng.cache_policy<{', '.join(found)}>"}

    copy_attributes = attributes


def _one_of(name: str, value: Any, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ValueError(f"{name} must be one of {', '.join(known)}, found {value!r}")
