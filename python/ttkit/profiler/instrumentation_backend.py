"""Regions inside of kernels: kernels are compiled with reads of the clock, and what they wrote is read back.

Metrics of a region are `cycles`, over all warps that are timed, `normalized_cycles`, by the number of these warps, and
`count`, its runs.  Runs that a warp's buffer had no room for are not among them.
"""

from __future__ import annotations

import sys
from ctypes import create_string_buffer
from typing import TYPE_CHECKING, Any, NamedTuple

import ttkit.knobs as knobs
import ttkit.locks as locks
import ttkit.profiler.contexts as contexts
from ttkit.cuda import libcuda
from ttkit.cuda.device import DeviceMemory, ordinal_of_current_context
from ttkit.options import TIMES_REGIONS
from ttkit.profiler.contexts import Context
from ttkit.profiler.gpus import properties, synchronize_all
from ttkit.profiler.hook_manager import Hook
from ttkit.profiler.mode import BufferStrategy, InstrumentationMode, Optimize, SamplingStrategy
from ttkit.profiler.regions import Program, decode, writing_warps
from ttkit.profiler.table import Event
from ttkit.runtime.global_scratch import set_profile_allocator

if TYPE_CHECKING:
    from ttkit.profiler.sessions import Session

CYCLES, NORMALIZED, COUNT = "cycles", "normalized_cycles", "count"
_MOST_BYTES = 256 << 20  # that wait to be read


class Memory(DeviceMemory):
    """Memory of the GPU for one launch, zeroed."""

    def __init__(self, nbytes: int) -> None:
        super().__init__(nbytes)
        libcuda.call("cuMemsetD8_v2", self._address, 0, nbytes)

    def read(self) -> bytes:
        """Its contents."""
        data = create_string_buffer(self.nbytes)
        libcuda.call("cuMemcpyDtoH_v2", data, self._address, self.nbytes)
        return data.raw


class Launch(NamedTuple):
    """A launch whose memory was not read yet."""

    memory: Memory
    kernel: Any
    place: Context
    device: int


class InstrumentationHook(Hook):
    """Compiles kernels with their regions, and gives each launch memory.

    Args:
        mode: how the regions are timed.
    """

    priority = 0

    def __init__(self, mode: InstrumentationMode) -> None:
        self.mode = mode
        self.session: Session | None = None
        self.launches: list[Launch] = []
        self._current: Any = None
        self._lock = locks.lock()
        self._before: Any = None

    def start(self, session: Session) -> None:
        """Kernels that are launched from now on have their regions timed."""
        self.session = session
        self._before = knobs.compilation.instrumentation_mode
        knobs.compilation.instrumentation_mode = mode_text(self.mode)
        set_profile_allocator(self.allocate)

    def stop(self) -> None:
        """Kernels are compiled as before."""
        knobs.compilation.instrumentation_mode = self._before
        set_profile_allocator(None)

    def enter(self, metadata: Any) -> None:
        """Notes the kernel, for `allocate`."""
        self._current = metadata.kernel

    def exit(self, metadata: Any) -> None:
        """Forgets it."""
        self._current = None

    def allocate(self, size: int, alignment: int, stream: int | None) -> Memory:
        """The memory of a launch."""
        with self._lock:
            if sum(launch.memory.nbytes for launch in self.launches) > _MOST_BYTES:
                self.collect()
            memory = Memory(size)
            if self._current is not None and self.session is not None:
                place = self.session.place(contexts.thread.current())
                self.launches.append(Launch(memory, self._current, place, ordinal_of_current_context()))
        return memory

    def collect(self) -> None:
        """Reads what the launches so far have written, once they have ended."""
        synchronize_all()
        with self._lock:
            taken, self.launches = self.launches, []
        for launch in taken:
            self._add(launch)

    def _add(self, launch: Launch) -> None:
        fields = launch.kernel.metadata
        session, mode = self.session, self.mode
        assert session is not None
        chosen = mode.sampling_options if mode.sampling_strategy is SamplingStrategy.SELECTIVE else ""
        selected = sorted({int(text) for text in chosen.split(",") if text})
        parts = writing_warps(fields.num_warps, mode.granularity.value, selected)
        shift = Optimize.TIMESHIFT in mode.optimizations
        programs = decode(launch.memory.read(), fields.profile_scratch_size, fields.num_warps, parts, shift)
        if lost := sum(program.lost for program in programs):
            print(
                f"ttkit: kernel {fields.name}: {lost} entries had no room, the oldest are gone: "
                "mode=Default(buffer_size=...) makes the buffer larger, sampling_strategy leaves warps out",
                file=sys.stderr,
            )
        places = self._places(launch)
        sums: dict[int, list[int]] = {}
        for program in programs:
            for region in program.regions:
                of_region = sums.setdefault(region.scope, [0, 0])
                of_region[0] += region.cycles
                of_region[1] += 1
        warps = max(1, len(programs) * len(parts))
        for scope, (cycles, count) in sums.items():
            session.table.add_values(places[scope], {CYCLES: cycles, NORMALIZED: cycles / warps, COUNT: count})
            session.table.devices[places[scope]] = launch.device
        if session.table.keeps_events:
            session.table.add_events(timeline(programs, launch, places))

    @staticmethod
    def _places(launch: Launch) -> list[Context]:
        """The place of each region: in the kernel, or in the region around it."""
        fields = launch.kernel.metadata
        kernel = launch.place.child(fields.name)
        places: list[Context] = []
        for name, parent in zip(fields.proton_scopes, fields.proton_parents):
            places.append((kernel if parent < 0 else places[parent]).child(name))
        return places


def timeline(programs: list[Program], launch: Launch, places: list[Context]) -> list[Event]:
    """The regions of a launch as intervals: a track for each warp of each program.

    Programs begin when the GPU's global clock says; within one, cycles are ns at the multiprocessors' highest clock.
    """
    clock_rate = properties().get(str(launch.device), {}).get("clock_rate") or 1_000_000
    events = []
    for program in programs:
        first = min((region.start for region in program.regions), default=0)
        for region in program.regions:
            start, end = (
                program.begun + round((clock - first) * 1e6 / clock_rate) for clock in (region.start, region.end)
            )
            place = places[region.scope]
            track = program.number << 8 | region.warp
            events.append(Event(place, place.name, start, end, launch.device, track, "region"))
    return events


def mode_text(mode: InstrumentationMode) -> str:
    """The value of the option `instrumentation_mode` for a mode: how kernels are compiled."""
    options = [
        f"sampling-strategy={mode.sampling_strategy.value}",
        f"granularity={mode.granularity.value}",
        f"buffer-strategy={mode.buffer_strategy.value}",
        f"buffer-type={mode.buffer_type.value}",
        f"buffer-size={mode.buffer_size}",
        f"clock-extension={str(Optimize.CLOCK32 not in mode.optimizations).lower()}",
    ]
    if mode.sampling_strategy is SamplingStrategy.SELECTIVE:
        options.append(f"sampling-options={mode.sampling_options.replace(' ', '')}")
    schedules = str(Optimize.SCHED_STORES in mode.optimizations).lower()
    return f"{TIMES_REGIONS};options:{' '.join(options)};schedules_stores:{schedules}"


class InstrumentationBackend:
    """Regions of ttkit's kernels.

    Raises:
        ValueError: the mode asks for what is not there.
    """

    device_type = "CUDA"

    def __init__(self, mode: InstrumentationMode) -> None:
        if mode.buffer_strategy is BufferStrategy.FLUSH:
            raise ValueError(
                "buffer_strategy 'flush' is not supported: use 'circular', with a large enough buffer_size"
            )
        self.hook = InstrumentationHook(mode)

    def start(self, session: Session) -> None:
        """Compiles kernels with the session's regions, and hooks their launches last."""
        self.hook.start(session)
        session.hooks[:] = [*(hook for hook in session.hooks if hook is not self.hook), self.hook]

    def stop(self, session: Session) -> None:
        """Compiles kernels as before."""
        self.hook.stop()

    def flush(self) -> None:
        """Waits for all GPUs, and counts the times of regions."""
        self.hook.collect()

    def devices(self) -> dict[str, dict[str, Any]]:
        """Properties of the GPUs, by their numbers."""
        return properties()
