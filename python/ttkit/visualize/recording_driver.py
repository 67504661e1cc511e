"""Launches that are noted: they run on the CPU, in ttg with its layouts."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from ttkit.compiler.asm import AllLevels
from ttkit.compiler.compilation import Compilation
from ttkit.interpreter.python_mode.array_memory import KernelMemory
from ttkit.interpreter.python_mode.host_arrays import HostArray
from ttkit.interpreter.run_options import Options
from ttkit.options import CompileOptions
from ttkit.runtime.compiled_kernel import CompiledKernel
from ttkit.runtime.driver import driver
from ttkit.runtime.launcher import LaunchedKernel
from ttkit.runtime.stand_in import StandInDriver, StandInLauncher, target_of_knob
from ttkit.target import GPUTarget
from ttkit.visualize.record import Record
from ttkit.visualize.recording import LaunchRecord, Recorder

DEFAULT_PROGRAMS = 16
_numbers = itertools.count()


class RecordingDriver(StandInDriver):
    """A driver by the names of `CudaDriver`, which notes what launches access.

    Args:
        record: to fill.
        programs: the most of a launch that are noted, the first ones; all of them run.
        pipelined: whether loops are pipelined, so that copies are far from the products that need them.
    """

    def __init__(self, record: Record, programs: int, pipelined: bool) -> None:
        super().__init__(target_of_knob(), interprets=True)
        self.record, self.programs, self.pipelined = record, programs, pipelined
        self.compile_state = f"recording {next(_numbers)}"

    def compile_kernel(self, source: Any, target: GPUTarget, options: CompileOptions) -> CompiledKernel:
        """Compiles as far as ttg; levels after it are made when the script asks for them."""
        chosen = options if self.pipelined else replace(options, num_stages=1)
        made = Compilation(source, target, chosen, until="ttgir").run()
        kernel = CompiledKernel.from_compilation(made)
        kernel.asm = AllLevels(made.files, lambda: Compilation(source, target, options).run().asm)
        return kernel

    def launcher_of(self, kernel: LaunchedKernel) -> Callable[..., None]:
        """Launcher of a kernel."""
        return RecordingLauncher(kernel, self)


class ArgumentMemory(KernelMemory):
    """Memory in which each argument has addresses of its own, also where two are views of one allocation."""

    def add_array(self, name: str, array: HostArray) -> int:
        """Adds an array, and forgets those before: a view of one gets memory of its own."""
        self.passed.clear()
        return super().add_array(name, array)

    def copy_back(self) -> None:
        """Writes arrays back that live elsewhere, such as on a GPU."""
        for array in self.arrays:
            if array.copy_back is not None:
                array.copy_back()


class RecordingLauncher(StandInLauncher):
    """Runs one kernel on the CPU, and notes what it accesses."""

    def __init__(self, kernel: LaunchedKernel, recorder: RecordingDriver) -> None:
        super().__init__(kernel)
        self.recorder = recorder

    def _launch(self, grid: tuple[int, int, int], stream: int, function: int, arguments: tuple[Any, ...]) -> None:
        total = grid[0] * grid[1] * grid[2]
        noted = min(total, self.recorder.programs)
        record = LaunchRecord(self.name, grid, left_out=total - noted)
        self.recorder.record.launches.append(record)
        memory = ArgumentMemory()
        watching = Recorder(record, memory, self.runs.module, range(noted))
        self._run(grid, arguments, memory, None, Options(observer=watching))


@contextmanager
def recording(programs: int = DEFAULT_PROGRAMS, *, pipelined: bool = False) -> Iterator[Record]:
    """A `with` statement's scope, in which launches run on the CPU and what they access is noted.

    Args:
        programs: the most of a launch that are noted, the first ones.
        pipelined: whether loops are pipelined as for a GPU; without, a product is next to the loads that it needs.
    """
    record = Record()
    before = driver._active
    driver.set_active(RecordingDriver(record, programs, pipelined))
    try:
        yield record
    finally:
        driver.set_active(before) if before is not None else driver.reset_active()


class Traced:
    """A kernel whose launches are noted: `record` has them."""

    def __init__(self, kernel: Any, programs: int) -> None:
        self.kernel, self.programs, self.record = kernel, programs, Record()

    def __getitem__(self, grid: Any) -> Callable[..., Any]:
        def launch(*args: Any, **kwargs: Any) -> Any:
            """Launches, and adds what is noted to the record."""
            with recording(self.programs) as noted:
                kernel = self.kernel[grid](*args, **kwargs)
            self.record.launches += noted.launches
            return kernel

        return launch

    def __getattr__(self, name: str) -> Any:
        return getattr(self.kernel, name)


def trace(kernel: Any = None, *, programs: int = DEFAULT_PROGRAMS) -> Any:
    """A decorator above `@jit`: launches of the kernel run on the CPU, and what they access is noted.

    @ttkit.visualize.trace
    @ttkit.jit
    def add(...): ...

    add[grid](x, y, out, n)
    add.record.write("add.html")
    """
    if kernel is None:
        return lambda decorated: Traced(decorated, programs)
    return Traced(kernel, programs)
