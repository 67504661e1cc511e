"""ptxas: from PTX to a cubin, and what it says of registers and memory."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
from collections.abc import Sequence
from functools import cached_property

import ttkit.budget as budget
import ttkit.knobs as knobs
import ttkit.temporary as temporary
from ttkit.compiler import ptxas_server
from ttkit.compiler.ptxas_errors import located_errors
from ttkit.cuda_toolkit import toolkit_path
from ttkit.kernel_errors import TritonError
from ttkit.patterns import pattern
from ttkit.records import dataclass
from ttkit.target import Target

_TUNABLES = "GLIBC_TUNABLES"
_MEMORY = ":".join(
    f"glibc.malloc.{name}={value}"
    for name, value in (
        ("hugetlb", 1),
        ("top_pad", 16 << 20),
        ("mmap_threshold", 32 << 20),
        ("trim_threshold", 1 << 30),
    )
)
"""For the C library of ptxas: memory is taken from the system in large pieces, and in huge pages where they may be had.
Single pages took a quarter of its time for a small kernel: 12.2 ms with this, 15.9 without; 105 instead of 117 for a
large product (CPU time, least of 30, x86-64 with transparent_hugepage=madvise, 2026-11)."""


_SERIALIZED = pattern(r"wgmma\.mma_async instructions are serialized due to insufficient register resources")


class PTXASError(TritonError):
    """ptxas refused the PTX.

    error_message: its errors at the kernel's lines, its log, and the command that shows it again.
    """

    def __init__(self, error_message: str | None = None) -> None:
        super().__init__(error_message or "")
        self.error_message = error_message


@dataclass(frozen=True)
class Resources:
    """Resources that a kernel takes, as ptxas reports them.

    registers: per thread.  spill_stores, spill_loads: bytes per thread.  shared: bytes of shared memory whose size is
    known at compile time; a kernel's own is given at launch.  stack: bytes per thread.  barriers: named barriers.
    """

    registers: int = 0
    spill_stores: int = 0
    spill_loads: int = 0
    shared: int = 0
    stack: int = 0
    barriers: int = 0


class Cubin(bytes):
    """A compiled kernel, with ptxas's log."""

    log = ""

    @cached_property
    def is_serialized(self) -> bool:
        """Whether ptxas found too few registers to keep wgmma operations in flight, and waits for each one (C7512)."""
        return bool(_SERIALIZED.search(self.log))

    @cached_property
    def resources(self) -> Resources:
        """Resources in the log; of several functions, the largest figure of each kind."""

        def largest(pattern: str) -> int:
            """The largest number that the pattern finds in the log of ptxas; 0 without any."""
            return max((int(figure) for figure in re.findall(pattern, self.log)), default=0)

        return Resources(
            largest(r"Used (\d+) registers"),
            largest(r"(\d+) bytes spill stores"),
            largest(r"(\d+) bytes spill loads"),
            largest(r"(\d+) bytes smem"),
            largest(r"(\d+) bytes stack frame"),
            largest(r"used (\d+) barriers"),
        )


def libdevice_path() -> str:
    """NVIDIA's library of mathematical functions, in LLVM bitcode.

    Raises:
        FileNotFoundError: it is not installed.
    """
    return knobs.nvidia.libdevice_path or toolkit_path("nvvm", "libdevice", "libdevice.10.bc")


def assemble(
    ptx: str,
    target: Target,
    *,
    line_info: bool = True,
    fp_fusion: bool = True,
    optimize: bool = True,
    options: Sequence[str] = (),
    ptxas: str | os.PathLike[str] | None = None,
) -> Cubin:
    """Runs ptxas.

    Args:
        ptx: the text.
        line_info: keep the kernel's source lines, for profilers.
        fp_fusion: products and sums may be fused.
        optimize: False leaves out all optimization and keeps what a debugger needs.
        options: more of ptxas's own.
        ptxas: the program; by default TRITON_PTXAS_PATH, else the wheel's.

    Raises:
        PTXASError: ptxas refuses the text, which is kept for the command in the message.
        FileNotFoundError: there is no ptxas.
        OverBudget: it took more than a compilation may.
    """
    program = str(ptxas or knobs.nvidia.ptxas_path(target.capability))
    arguments = _arguments(target, line_info, fp_fusion, optimize, options)
    folder = temporary.new_folder()
    source, binary = (os.path.join(folder, name) for name in (ptxas_server.INPUT, ptxas_server.OUTPUT))
    command = [program, *arguments, source, "-o", binary]
    try:
        with open(source, "w") as file:
            file.write(ptx)
        # What users ask for may name files from where they are.
        code = None if options else _run_by_server(program, arguments, folder)
        log_file = os.path.join(folder, ptxas_server.LOG)
        if code is None:
            code = _run(command, log_file)
        with open(log_file, errors="replace") as file:
            log = file.read().replace(f"ptxas {ptxas_server.INPUT},", f"ptxas {source},")  # as a server names it
        if code:
            budget.check_memory(log)
        made = b""
        if code == 0:
            with open(binary, "rb") as binary_file:
                made = binary_file.read()
    except BaseException:
        temporary.remove(folder)
        raise
    if code:  # the PTX stays, for the command
        errors = located_errors(log, ptx, source) or ["error: ptxas gives no reason"]
        failed = f"PTXAS error: ptxas failed with exit code {code}"
        raise PTXASError("\n".join([*errors, failed, log, f"Repro command: {shlex.join(command)}"]))
    temporary.remove(folder)
    cubin = Cubin(made)
    cubin.log = log
    return cubin


def get_ready(
    target: Target,
    *,
    line_info: bool = True,
    fp_fusion: bool = True,
    optimize: bool = True,
    options: Sequence[str] = (),
) -> None:
    """Has a server for `assemble` with these arguments start, which gets ready while the caller makes the text."""
    with contextlib.suppress(OSError):  # `assemble` says it, if there is a text to assemble
        if _may_serve() and not options:
            arguments = _arguments(target, line_info, fp_fusion, optimize, options)
            ptxas_server.start(str(knobs.nvidia.ptxas_path(target.capability)), arguments, _environment)


def _arguments(target: Target, line_info: bool, fp_fusion: bool, optimize: bool, options: Sequence[str]) -> list[str]:
    debug = ["-g", "--opt-level", "0"] if not optimize else ["-lineinfo"]
    if not line_info:
        debug = ["-lineinfo", "-suppress-debug-info"]
    return [*debug, *([] if fp_fusion else ["--fmad=false"]), "-v", *options, f"--gpu-name={target.arch}"]


def _may_serve() -> bool:
    """Whether ptxas may be a server, whose processes can't be limited."""
    return knobs.nvidia.ptxas_server and not budget.is_limited() and hasattr(os, "posix_spawn")


def _run_by_server(program: str, arguments: Sequence[str], folder: str) -> int | None:
    """Runs ptxas by a server; None where there is none."""
    return ptxas_server.run(program, arguments, folder, _environment) if _may_serve() else None


def _environment() -> dict[str, str]:
    """The environment variables of ptxas."""
    users = os.environ.get(_TUNABLES)
    return {**os.environ, _TUNABLES: f"{_MEMORY}:{users}" if users else _MEMORY}  # the last one counts


def _run(command: list[str], log: str) -> int:
    """Runs a program, whose output goes to a file; its exit code, negative for the number of a signal.

    Raises:
        OSError: it can't be started.
        OverBudget: it took more than a compilation may.
    """
    environment = _environment()
    if budget.is_limited() or not hasattr(os, "posix_spawnp"):
        import subprocess

        with open(log, "wb") as file:
            done = budget.run_process(command, stdout=file, stderr=subprocess.STDOUT, env=environment)
            return int(done.returncode)
    output = (os.POSIX_SPAWN_OPEN, 1, log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    process = os.posix_spawnp(command[0], command, environment, file_actions=[output, (os.POSIX_SPAWN_DUP2, 1, 2)])
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
