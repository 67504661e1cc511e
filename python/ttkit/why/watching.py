"""Kernels of a script, compiled for a GPU and run on the CPU, with their accesses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ttkit.compiler.compilation import Compilation
from ttkit.options import CompileOptions
from ttkit.runtime.compiled_kernel import CompiledKernel
from ttkit.runtime.driver import driver
from ttkit.target import GPUTarget
from ttkit.visualize.record import Record
from ttkit.visualize.recording_driver import DEFAULT_PROGRAMS, RecordingDriver


@dataclass
class Seen:
    """A kernel as it is compiled for a GPU.

    asm: its levels, {"ttgir": text, ...}.
    """

    name: str
    capability: int
    options: CompileOptions
    asm: dict[str, Any]
    metadata: dict[str, Any]


@dataclass
class Watched:
    """The kernels of a script, in the order in which it launched them, and its launches."""

    kernels: list[Seen] = field(default_factory=list)
    record: Record = field(default_factory=Record)


class WatchingDriver(RecordingDriver):
    """Compiles each kernel down to a cubin, too, before its launches are noted."""

    def __init__(self, watched: Watched, programs: int) -> None:
        super().__init__(watched.record, programs, pipelined=False)
        self.watched = watched

    def compile_kernel(self, source: Any, target: GPUTarget, options: CompileOptions) -> CompiledKernel:
        """Compiles it as for a GPU, and as far as ttg to be run here."""
        made = Compilation(source, target, options).run()
        name = made.metadata["name"]
        self.watched.kernels.append(Seen(name, int(target.arch), options, dict(made.asm), dict(made.metadata)))
        return super().compile_kernel(source, target, options)


@contextmanager
def watching(programs: int = DEFAULT_PROGRAMS) -> Iterator[Watched]:
    """A `with` statement's scope, in which kernels are compiled for the GPU of TTKIT_DEVICE, and run on the CPU.

    Args:
        programs: the most of a launch whose accesses are noted, the first ones.
    """
    watched, before = Watched(), driver._active
    driver.set_active(WatchingDriver(watched, programs))
    try:
        yield watched
    finally:
        driver.set_active(before) if before is not None else driver.reset_active()
