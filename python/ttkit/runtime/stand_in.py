"""A driver for machines without a GPU: TTKIT_DEVICE says which GPU kernels are compiled for, and whether they run.

    TTKIT_DEVICE=sm_90                a launch compiles the kernel and ends there
    TTKIT_DEVICE=interpret:sm_90      and then the interpreter runs its ttg, on the arrays that the launch was given

Everything that comes before the GPU is as with one: the cache, `MLIR_ENABLE_DUMP`, hooks, `ttkit.pipelines`, errors
in kernels, too much shared memory.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import ttkit.knobs as knobs
from ttkit.cuda.libcuda import DEVICE_ATTRIBUTES, DriverMissing
from ttkit.kernel_breakpoints import INTERPRET
from ttkit.notices import say_once
from ttkit.runtime.arguments import c_type
from ttkit.runtime.cuda_utils import Loaded
from ttkit.runtime.launcher import HookedLauncher, LaunchedKernel
from ttkit.runtime.parameters import argument_names, argument_types
from ttkit.runtime.pointers import ArgumentError
from ttkit.target import GPUTarget, Target, parse_capability

if TYPE_CHECKING:
    from ttkit.interpreter.compiled_kernels import CompiledRuns

# Capability -> multiprocessors of a GPU that has it, such as the H100 (SXM): what persistent kernels size grids by.
MULTIPROCESSORS = {75: 40, 80: 108, 86: 84, 87: 16, 89: 142, 90: 132, 100: 148, 103: 148, 110: 20, 120: 188, 121: 48}


def target_of_knob() -> GPUTarget:
    """The GPU that TTKIT_DEVICE names; sm_90 without.  Raises ValueError if it names none."""
    try:
        capability = parse_capability((knobs.runtime.device or "sm_90").removeprefix(INTERPRET))
    except ValueError as error:
        raise ValueError(f"TTKIT_DEVICE must be like sm_90 or {INTERPRET}sm_90: {error}") from None
    return GPUTarget("cuda", capability, 32)


class StandInDriver:
    """A driver by the names of `CudaDriver`, of one GPU that is not there.

    target: what kernels are compiled for.
    interprets: whether launches run them.
    """

    def __init__(self, target: GPUTarget, interprets: bool) -> None:
        self.target, self.interprets = target, interprets
        self.utils = StandInUtils(Target(int(target.arch)))

    @classmethod
    def of_knob(cls) -> StandInDriver | None:
        """The driver that TTKIT_DEVICE asks for; None if it is not set.

        Raises:
            ValueError: it names no GPU.
        """
        text = knobs.runtime.device
        return cls(target_of_knob(), text.startswith(INTERPRET)) if text else None

    def launcher_of(self, kernel: LaunchedKernel) -> Callable[..., None]:
        """Launcher of a compiled kernel."""
        return StandInLauncher(kernel, self.interprets)

    @staticmethod
    def is_active() -> bool:
        """Whether launches go through it: always."""
        return True

    def synchronize(self) -> None:
        """Launches have ended when they return."""

    def get_current_device(self) -> int:
        """The only device, 0."""
        return 0

    def set_current_device(self, device: int) -> None:
        """Accepts the only device.

        Raises:
            DriverMissing: it is another.
        """
        if device:
            raise DriverMissing(f"TTKIT_DEVICE stands in for one GPU, number 0; there is no {device}")

    def get_current_stream(self, device: int | None = None) -> int:
        """The default stream, 0."""
        return 0

    def get_device_capability(self, device: int | None = None) -> tuple[int, int]:
        """(9, 0) for sm_90."""
        return divmod(int(self.target.arch), 10)

    def get_current_target(self) -> GPUTarget:
        """The GPU that TTKIT_DEVICE names."""
        return self.target

    def get_active_torch_device(self) -> Any:
        """The CPU: arrays lie there."""
        import torch

        return torch.device("cpu")

    def get_device_interface(self) -> Any:
        """Events and synchronization on the host, as `torch.cuda` has them."""
        return HostInterface

    def get_benchmarker(self) -> Callable[..., Any]:
        """Times one run, and says that what autotuning chooses by says nothing of a GPU."""
        what = "runs of the interpreter" if self.interprets else "launches that compute nothing"
        say_once(f"no GPU: autotuning times {what}, so its choice of a configuration says nothing of a GPU")
        return time_once

    def get_empty_cache_for_benchmark(self) -> None:
        """None: there is no cache to clear."""
        return

    def clear_cache(self, cache: None) -> None:
        """There is none."""

    def map_python_to_cpp_type(self, ty: str) -> str:
        """As `CudaDriver`."""
        return c_type(ty)


class StandInUtils:
    """`driver.active.utils` without a driver."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def load_binary(self, name: str, data: bytes, shared: int, device: int) -> Loaded:
        """Registers and spilled ones are those that the cubin has, nothing else is known."""
        return Loaded(0, 0, registers_of(data), stack_bytes_of(data) // 4, 1024)

    def get_device_properties(self, device: int) -> dict[str, int]:
        """Those of a GPU with this capability; clock rates and the width of the bus are made up."""
        major, minor = divmod(self._target.capability, 10)
        known = {
            "max_shared_mem": self._target.shared_bytes,
            "max_num_regs": 65536,
            "multiprocessor_count": MULTIPROCESSORS[self._target.capability],
            "warpSize": 32,
            "capability_major": major,
            "capability_minor": minor,
            "max_threads_per_multiprocessor": 2048,
        }
        return {name: known.get(name, 1) for name in DEVICE_ATTRIBUTES}

    def set_printf_fifo_size(self, size: int) -> None:
        """Prints are not lost."""


class StandInLauncher(HookedLauncher):
    """Runs one compiled kernel, if it is to run."""

    def __init__(self, kernel: LaunchedKernel, interprets: bool = True) -> None:
        self.kernel, self.interprets = kernel, interprets
        self.name, self.num_ctas = kernel.name, kernel.metadata.num_ctas

    def _launch(self, grid: tuple[int, int, int], stream: int, function: int, arguments: tuple[Any, ...]) -> None:
        if self.interprets:
            self._run(grid, arguments)
        else:
            say_once(
                f"TTKIT_DEVICE={knobs.runtime.device}: kernels are compiled but do not run; to get their results, "
                f"set TTKIT_DEVICE={INTERPRET}{knobs.runtime.device}"
            )

    def _run(self, grid: tuple[int, int, int], arguments: Sequence[Any], *how: Any) -> None:
        try:
            self.runs.run(grid, arguments, *how)
        except TypeError as error:
            raise ArgumentError(f"kernel {self.name}: {error}") from error

    @cached_property
    def runs(self) -> CompiledRuns:
        """The kernel in the interpreter.  Raises ArgumentError if it comes without its ttg."""
        kernel = self.kernel
        if argument_types(kernel.src) is None or "ttgir" not in kernel.asm:
            bundle = knobs.runtime.bundle
            origin = f"the bundle {bundle} has" if bundle else "a cubin is"
            target = (knobs.runtime.device or "").removeprefix(INTERPRET) or "sm_90"
            raise ArgumentError(
                f"kernel {kernel.name} has no ttg, which TTKIT_DEVICE={INTERPRET}... runs: "
                f"{origin} code for GPUs alone. "
                f"{'Unset TTKIT_BUNDLE' if bundle else 'Compile it'} to run it on the CPU, or set "
                f"TTKIT_DEVICE={target} to launch without results"
            )
        return self.runs_of(kernel.asm["ttgir"])

    def runs_of(self, module: Any) -> CompiledRuns:
        """The kernel in the interpreter, of a module or its text."""
        from ttkit.interpreter.compiled_kernels import CompiledRuns

        types = argument_types(self.kernel.src) or []
        return CompiledRuns(module, argument_names(self.kernel.src, len(types)), types)


class HostEvent:
    """A point in time, by the name of an event on a GPU."""

    def __init__(self, enable_timing: bool = False, blocking: bool = False) -> None:
        self._time = 0.0

    def record(self, stream: Any = None) -> None:
        """Notes the host's clock."""
        self._time = time.perf_counter()

    def synchronize(self) -> None:
        """Launches have ended when they return."""

    def query(self) -> bool:
        """Launches have ended when they return."""
        return True

    def elapsed_time(self, end_event: HostEvent) -> float:
        """Milliseconds to another."""
        return 1e3 * (end_event._time - self._time)


class HostInterface:
    """The part of `torch.cuda` that timing uses."""

    Event = HostEvent

    @staticmethod
    def synchronize(device: int | None = None) -> None:
        """Launches have ended when they return."""

    @staticmethod
    def current_device() -> int:
        """The only device, 0."""
        return 0


def time_once(fn: Callable[[], Any], *, quantiles: Sequence[float] | None = None, **options: Any) -> Any:
    """Milliseconds that one run takes on this machine, for each quantile, as `do_bench` gives them."""
    started = time.perf_counter()
    fn()
    found = 1e3 * (time.perf_counter() - started)
    return found if quantiles is None else [found] * len(quantiles)


FRAME_SIZE = 0x1104  # EIATTR_FRAME_SIZE, in the same form
REGISTERS = 0x2F04  # EIATTR_REGCOUNT with a sized value: a symbol and a number, of 4 bytes each


def registers_of(cubin: bytes) -> int:
    """Registers of a thread: the most that the section `.nv.info` of a cubin says of a function; 0 if there is none.

    Raises:
        ValueError: the cubin is damaged.
    """
    return _most_of(cubin, REGISTERS)


def stack_bytes_of(cubin: bytes) -> int:
    """Bytes of local memory that a thread has for spills and arrays: the most of a function; 0 if there is none.

    Raises:
        ValueError: the cubin is damaged.
    """
    return _most_of(cubin, FRAME_SIZE)


def _most_of(cubin: bytes, kind: int) -> int:
    """The largest value of a kind in the section `.nv.info`; 0 for what is not a cubin."""
    if cubin[:4] != b"\x7fELF":
        return 0
    try:
        return _largest(cubin, kind)
    except (struct.error, IndexError, OverflowError, ValueError):
        raise ValueError("the cubin is damaged: its header does not match its sections") from None


def _largest(cubin: bytes, wanted: int) -> int:
    (table,) = struct.unpack_from("<Q", cubin, 0x28)
    size, count, of_names = struct.unpack_from("<HHH", cubin, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", cubin, table + size * place) for place in range(count)]
    names = headers[of_names][4] if count else 0
    found = 0
    for name, _, _, _, start, length in headers:
        if cubin[names + name : cubin.index(b"\0", names + name)] != b".nv.info":
            continue
        place = start
        while place < start + length:
            kind, amount = struct.unpack_from("<HH", cubin, place)
            if kind == wanted:
                found = max(found, struct.unpack_from("<I", cubin, place + 8)[0])
            place += 4 + (amount if kind & 0xFF == 4 else 0)  # other formats keep their value in the size
    return found
