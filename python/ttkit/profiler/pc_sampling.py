"""Samples of where kernels are and what they wait for, by CUPTI: `mode="pcsampling"`.

The GPU looks at its warps every so many cycles.  CUPTI counts, for each instruction, what they waited for; a line of
the source has the counts of its instructions.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator, Mapping
from ctypes import POINTER, Structure, Union, byref, c_char_p, c_int, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p
from typing import TYPE_CHECKING, Any

import ttkit.profiler.cupti as cupti
from ttkit.notices import say_once
from ttkit.profiler.gpus import contexts_in_use
from ttkit.profiler.hook_manager import Hook
from ttkit.profiler.mode import PCSampling

if TYPE_CHECKING:
    from ttkit.profiler.table import Table

_INSTRUCTIONS = 4096  # that are read at once
_REASON_LENGTH = 128  # CUPTI_STALL_REASON_STRING_SIZE
_PREFIX, _NOT_ISSUED = "smsp__pcsamp_warps_issue_", "_not_issued"
# CUpti_PCSamplingConfigurationAttributeType
_PERIOD, _MODE, _START_STOP, _BUFFER = 1, 5, 6, 8
_CONTINUOUS = 1
_MANY = 1000  # intervals in which there must have been a sample, a cycle being half a nanosecond and more


class _Count(Structure):
    _fields_ = [("reason", c_uint32), ("samples", c_uint32)]


class _Instruction(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("cubin", c_uint64),
        ("offset", c_uint64),
        ("function", c_uint32),
        ("padding", c_uint32),
        ("name", c_char_p),
        ("count", c_size_t),
        ("counts", POINTER(_Count)),
        ("correlation", c_uint32),
    ]


class _Data(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("room", c_size_t),
        ("samples", c_uint64),
        ("dropped", c_uint64),
        ("taken", c_size_t),
        ("remaining", c_size_t),
        ("range", c_uint64),
        ("instructions", POINTER(_Instruction)),
        ("of_others", c_uint64),
        ("is_full", c_uint8),
    ]


class _Value(Union):
    _fields_ = [("number", c_uint32), ("pointer", c_void_p), ("all", c_uint64 * 3)]


class _Attribute(Structure):
    _fields_ = [("kind", c_int), ("status", c_int), ("value", _Value)]


class _OfContext(Structure):
    """The parameters that all functions begin with; what follows has a name of its own in each."""

    _fields_ = [
        ("size", c_size_t),
        ("private", c_void_p),
        ("context", c_void_p),
        ("first", c_void_p),
        ("second", c_void_p),
        ("third", c_void_p),
    ]


class _Line(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("cubin", c_char_p),
        ("name", c_char_p),
        ("bytes", c_size_t),
        ("line", c_uint32),
        ("offset", c_uint64),
        ("file", c_char_p),
        ("folder", c_char_p),
    ]


def _call(name: str, context: int, *values: Any) -> None:
    """Calls a function of CUPTI's on a context of CUDA."""
    given = _OfContext(8 * (3 + len(values)), None, context, *values)
    cupti.call(name, byref(given))


def _address(thing: Any) -> int:
    return ctypes.addressof(thing)


class SampledContext:
    """A context of CUDA whose kernels are sampled.

    Args:
        handle: the driver's.
        interval: cycles between two looks; what is used is a power of two from 32 on.

    Raises:
        CuptiError: CUPTI does not allow it.
    """

    def __init__(self, handle: int, interval: int) -> None:
        self.handle = handle
        self._counted = [0, 0, 0]
        _call("cuptiPCSamplingEnable", handle)
        try:
            self._reasons = self._names()
            self._make_buffer()
            self._configure(min(31, max(5, interval.bit_length() - 1)))
            _call("cuptiPCSamplingStart", handle)
        except BaseException:
            _call("cuptiPCSamplingDisable", handle)
            raise

    def _names(self) -> dict[int, str]:
        """Reasons for which warps wait, by CUPTI's numbers."""
        count = c_size_t()
        _call("cuptiPCSamplingGetNumStallReasons", self.handle, _address(count))
        numbers = (c_uint32 * count.value)()
        texts = [ctypes.create_string_buffer(_REASON_LENGTH) for _ in range(count.value)]
        pointers = (c_void_p * count.value)(*map(_address, texts))
        _call("cuptiPCSamplingGetStallReasons", self.handle, count.value, _address(numbers), _address(pointers))
        return {number: text.value.decode() for number, text in zip(numbers, texts)}

    def _make_buffer(self) -> None:
        room = len(self._reasons)
        self._counts = (_Count * (room * _INSTRUCTIONS))()
        self._instructions = (_Instruction * _INSTRUCTIONS)()
        for number, instruction in enumerate(self._instructions):
            instruction.size = ctypes.sizeof(_Instruction)
            at = _address(self._counts) + number * room * ctypes.sizeof(_Count)
            instruction.counts = ctypes.cast(at, POINTER(_Count))
        self._data = _Data(size=ctypes.sizeof(_Data), room=_INSTRUCTIONS)
        self._data.instructions = ctypes.cast(self._instructions, POINTER(_Instruction))

    def _configure(self, period: int) -> None:
        wanted = [(_MODE, _CONTINUOUS), (_PERIOD, period), (_START_STOP, 1), (_BUFFER, _address(self._data))]
        attributes = (_Attribute * len(wanted))()
        for attribute, (kind, value) in zip(attributes, wanted):
            attribute.kind = kind
            attribute.value.all[0] = value
        name = "cuptiPCSamplingSetConfigurationAttribute"
        _call(name, self.handle, len(wanted), _address(attributes))

    def stop(self) -> None:
        """Samples no more."""
        _call("cuptiPCSamplingDisable", self.handle)

    def told(self) -> str:
        """CUPTI's words on its samples: how many there are, were dropped, and of which kernels it knows nothing."""
        return "{} in all, {} dropped, {} of kernels that it does not know".format(*self._counted)

    def read(self) -> Iterator[tuple[str, int, dict[str, int]]]:
        """Samples since the last time, once the GPU has nothing to do: (kernel, place of an instruction in it,
        {metric: samples})."""
        _call("cuptiPCSamplingStop", self.handle)
        yield from self._taken()  # the buffer has some already
        while True:
            _call("cuptiPCSamplingGetData", self.handle, _address(self._data))
            yield from self._taken()
            if not self._data.remaining:
                break
        if self._data.is_full:
            print("ttkit: samples were lost: take a larger interval, pcsampling:interval=N", file=sys.stderr)
        _call("cuptiPCSamplingStart", self.handle)

    def _taken(self) -> Iterator[tuple[str, int, dict[str, int]]]:
        data = self._data
        self._counted = [
            sum(pair) for pair in zip(self._counted, (data.samples, data.dropped, data.of_others), strict=True)
        ]
        count, data.taken = data.taken, 0
        data.samples = data.dropped = data.of_others = 0
        for instruction in self._instructions[:count]:
            counts = [
                (self._reasons.get(one.reason, ""), one.samples) for one in instruction.counts[: instruction.count]
            ]
            yield (instruction.name or b"").decode(errors="replace"), instruction.offset, metrics_of(counts)


def _nanoseconds(table: Table) -> int:
    return sum(nanoseconds for _, nanoseconds in table.kernels.values())


def metrics_of(counts: list[tuple[str, int]]) -> dict[str, int]:
    """Metrics from CUPTI's counters: samples, samples of warps that waited, and those by what they waited for.

    A counter that ends in `_not_issued` is a part of the one without.
    """
    found: dict[str, int] = {"num_samples": 0, "num_stalled_samples": 0}
    for reason, samples in counts:
        name = reason.removeprefix(_PREFIX)
        if name.endswith(_NOT_ISSUED) or not samples:
            continue
        found["num_samples"] += samples
        if name != "selected" and name != "stalled_selected":
            found["num_stalled_samples"] += samples
        name = name if name.startswith("stalled_") else f"stalled_{name}"
        found[name] = found.get(name, 0) + samples
    return found


def line_of(cubin: bytes, kernel: str, offset: int) -> str | None:
    """`file:line@kernel` of an instruction; None if the cubin does not say."""
    asked = _Line(ctypes.sizeof(_Line), cubin, kernel.encode(), len(cubin), 0, offset)
    try:
        cupti.call("cuptiGetSassToSourceCorrelation", byref(asked))
    except cupti.CuptiError:
        return None
    if not asked.file:
        return None
    path = os.path.join((asked.folder or b"").decode(errors="replace"), asked.file.decode(errors="replace"))
    return f"{path}:{asked.line}@{kernel}"


class CubinHook(Hook):
    """Keeps the kernels that are launched, whose cubins say which line an instruction is of."""

    def __init__(self) -> None:
        self.kernels: dict[str, Any] = {}

    def enter(self, metadata: Any) -> None:
        """Keeps the kernel, by name: samples are of its cubin."""
        if metadata.kernel is not None:
            self.kernels[metadata.kernel.name] = metadata.kernel

    def cubins(self) -> Mapping[str, bytes]:
        """By the names of kernels."""
        return {name: kernel.asm["cubin"] for name, kernel in self.kernels.items() if "cubin" in kernel.asm}


class Sampler:
    """Samples the contexts of CUDA that are in use, for one session or several."""

    def __init__(self, mode: PCSampling) -> None:
        self.hook = CubinHook()
        self._interval = mode.interval
        self._samples = 0
        self._lines: dict[tuple[str, int], str | None] = {}
        self._contexts: list[SampledContext] = []
        try:
            for handle in contexts_in_use():
                self._contexts.append(SampledContext(handle, mode.interval))
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Samples no more."""
        for context in self._contexts:
            context.stop()
        self._contexts = []

    def read(self, tables: list[Table]) -> None:
        """Adds what was sampled to tables; the GPU has nothing to do."""
        cubins = self.hook.cubins()
        for context in self._contexts:
            for kernel, offset, metrics in context.read():
                line = self._line(kernel, offset, cubins)
                self._samples += metrics["num_samples"]
                for table in tables:
                    table.add_samples(kernel, line, metrics)
        if not self._samples and any(_nanoseconds(table) > _MANY * self._interval for table in tables):
            told = ", ".join(context.told() for context in self._contexts)
            say_once(
                f"no samples of program counters, though kernels ran: CUPTI allows them, and gives none ({told}). "
                "Sandboxes and virtual GPUs may keep the GPU's counters to themselves, and another tool that samples "
                "has them for itself: see whether ncu --section SourceCounters has samples here"
            )

    def _line(self, kernel: str, offset: int, cubins: Mapping[str, bytes]) -> str | None:
        if kernel not in cubins:
            return None
        if (kernel, offset) not in self._lines:
            self._lines[kernel, offset] = line_of(cubins[kernel], kernel, offset)
        return self._lines[kernel, offset]
