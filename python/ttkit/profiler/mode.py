"""Modes in which a session measures: CUPTI's, and those of regions inside of kernels.

Modes may be written as text, options after colons, lists with commas: `pcsampling:interval=1000`,
`default:granularity=warp_group:buffer_size=4096`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Any, TypeVar


class MetricType(Enum):
    """Quantities that are counted."""

    CYCLE = "cycle"


class SamplingStrategy(Enum):
    """Which warps are timed: all, or those that `sampling_options` names."""

    NONE = "none"
    SELECTIVE = "selective"


class Granularity(Enum):
    """Which warps are timed together: one of each group writes."""

    CTA = "cta"
    WARP = "warp"
    WARP_2 = "warp_2"
    WARP_4 = "warp_4"
    WARP_8 = "warp_8"
    WARP_GROUP = "warp_group"
    WARP_GROUP_2 = "warp_group_2"
    WARP_GROUP_4 = "warp_group_4"
    WARP_GROUP_8 = "warp_group_8"


class BufferStrategy(Enum):
    """Answers to a full buffer: the oldest entries go, or it is written out."""

    CIRCULAR = "circular"
    FLUSH = "flush"


class BufferType(Enum):
    """The memory that a kernel writes its times to."""

    SHARED = "shared"
    GLOBAL = "global"


class Optimize(Enum):
    """Ways for measuring to disturb less."""

    TIMESHIFT = "time_shift"
    SCHED_STORES = "sched_stores"
    SCHED_BARRIERS = "sched_barriers"
    CLOCK32 = "clock32"


metric_types = {one.value: one for one in MetricType}
sampling_strategies = {one.value: one for one in SamplingStrategy}
granularities = {one.value: one for one in Granularity}
buffer_strategies = {one.value: one for one in BufferStrategy}
buffer_types = {one.value: one for one in BufferType}
optimizations = {one.value: one for one in Optimize}


@dataclass(frozen=True)
class BaseMode:
    """A mode by its name."""

    name: str


@dataclass(frozen=True)
class PCSampling(BaseMode):
    """Samples of where kernels are.

    interval: cycles between them; what is used is the largest power of two that is not above it, from 32 to 2^31.

    Raises:
        ValueError: it is not above zero.
    """

    name: str = field(default="pcsampling", init=False)
    interval: int = 1000

    def __post_init__(self) -> None:
        if not str(self.interval).isdigit() or int(self.interval) == 0:
            raise ValueError(f"interval must be a positive number of cycles; got {self.interval}")
        object.__setattr__(self, "interval", int(self.interval))

    def __str__(self) -> str:
        return f"{self.name}:interval={self.interval}"


OUTPUT_FORMATS = ("hatchet", "hatchet_msgpack", "chrome_trace")


@dataclass(frozen=True)
class PeriodicFlushing(BaseMode):
    """Files while the session lasts: `data.advance_phase` writes NAME.part_N.FORMAT, and keeps nothing of phase N.

    format: one of OUTPUT_FORMATS.

    Raises:
        ValueError: there is no such format.
    """

    name: str = field(default="periodic_flushing", init=False)
    format: str = "hatchet"

    def __post_init__(self) -> None:
        if self.format not in OUTPUT_FORMATS:
            raise ValueError(f"Unknown output format: {self.format}; use {', '.join(OUTPUT_FORMATS)}")

    def __str__(self) -> str:
        return f"{self.name}:format={self.format}"


Member = TypeVar("Member", bound=Enum)


def _member(kind: type[Member], value: Any, what: str) -> Member:
    if isinstance(value, kind):
        return value
    try:
        return kind(value)
    except ValueError:
        raise ValueError(f"Unknown {what}: {value}; use {', '.join(str(one.value) for one in kind)}") from None


@dataclass(frozen=True)
class InstrumentationMode(BaseMode):
    """Regions inside of kernels, timed by clocks that are read there.

    Values may be given as text.

    Args:
        sampling_options: for the selective strategy, the warps that are timed: "0,4".
        buffer_size: bytes of a program's buffer; 0 for what is free of shared memory, or 64 KiB in global memory.
        optimizations: SCHED_STORES writes the times of a region at its end; CLOCK32 reads 32 bits of the clock, which
            wrap around after two seconds; TIMESHIFT takes off what reading costs; SCHED_BARRIERS is for AMD's GPUs.

    Raises:
        ValueError: there is no such value.
    """

    metric_type: MetricType = MetricType.CYCLE
    sampling_strategy: SamplingStrategy = SamplingStrategy.NONE
    sampling_options: str = ""
    granularity: Granularity = Granularity.WARP
    buffer_strategy: BufferStrategy = BufferStrategy.CIRCULAR
    buffer_type: BufferType = BufferType.SHARED
    buffer_size: int = 0
    optimizations: list[Optimize] = field(default_factory=list)

    def __post_init__(self) -> None:
        for one in fields(self):
            if isinstance(one.default, Enum):
                member = _member(type(one.default), getattr(self, one.name), one.name.replace("_", " "))
                object.__setattr__(self, one.name, member)
        given = self.optimizations
        texts = given.split(",") if isinstance(given, str) else given
        object.__setattr__(self, "optimizations", [_member(Optimize, one, "optimization") for one in texts if one])
        try:
            object.__setattr__(self, "buffer_size", int(self.buffer_size))
        except ValueError:
            raise ValueError(f"buffer_size must be a number of bytes; got {self.buffer_size!r}") from None

    def __str__(self) -> str:
        parts = [self.name]
        for one in fields(self)[1:]:
            value = getattr(self, one.name)
            if isinstance(value, list):
                value = ",".join(each.value for each in value)
            parts.append(f"{one.name}={value.value if isinstance(value, Enum) else value}")
        return ":".join(parts)


@dataclass(frozen=True)
class Default(InstrumentationMode):
    """Every region that a kernel names."""

    name: str = field(default="default", init=False)


@dataclass(frozen=True)
class MMA(InstrumentationMode):
    """The same; Triton's name for timing products."""

    name: str = field(default="mma", init=False)


_INSTRUMENTATION: dict[str, type[InstrumentationMode]] = {"default": Default, "mma": MMA}


_CUPTI: dict[str, type[BaseMode]] = {
    "default": BaseMode,
    "periodic_flushing": PeriodicFlushing,
    "pcsampling": PCSampling,
}


def split(text: str) -> tuple[str, dict[str, str]]:
    """The name and the options of a mode that is written as text.

    Raises:
        ValueError: an option has no value.
    """
    name, *parts = text.split(":")
    options = {}
    for part in parts:
        key, equals, value = part.partition("=")
        if not equals:
            raise ValueError(f"mode '{text}': '{part}' has no value; write {part}=VALUE")
        options[key] = value
    return name, options


def cupti_mode(mode: str | BaseMode | None) -> BaseMode:
    """The mode of a session that measures kernels.

    Raises:
        ValueError: there is no such mode, option or value.
    """
    made = _parsed(mode, _CUPTI)
    if made.name not in _CUPTI:
        raise ValueError(f"Unknown mode: {made.name}; use {', '.join(_CUPTI)}")
    return made


def instrumentation_mode(mode: str | BaseMode | None) -> InstrumentationMode:
    """The mode of a session that times regions inside of kernels.

    Raises:
        ValueError: there is no such mode, option or value.
    """
    made = _parsed(mode, _INSTRUMENTATION)
    if not isinstance(made, InstrumentationMode):
        raise ValueError(f"backend 'instrumentation' has no mode {made.name}; use Default or MMA")
    return made


def _parsed(mode: str | BaseMode | None, kinds: Mapping[str, type[BaseMode]]) -> BaseMode:
    """A mode that is written as text, by default `default`, as one of `kinds`; others as they are."""
    if mode is not None and not isinstance(mode, str):
        return mode
    name, options = split(mode or "default")
    kind = kinds.get(name := name.lower())
    if kind is None:
        raise ValueError(f"Unknown mode: {name}; use {', '.join(kinds)}")
    known = [one.name for one in fields(kind) if one.init and one.name != "name"]
    if unknown := sorted(options.keys() - known):
        raise ValueError(f"mode '{name}' has no option {unknown[0]}; it has {', '.join(known) or 'none'}")
    given: dict[str, Any] = options if known else {"name": name}
    return kind(**given)
