"""ptxas: from PTX to a cubin, and what it says of registers and memory."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ttkit import knobs
from ttkit.compiler.target import Target
from ttkit.cuda_toolkit import toolkit_path
from ttkit.frontend.errors import TritonError
from ttkit.lazy_dataclass import dataclass


class PTXASError(TritonError):
    """ptxas refused the PTX: its log, and the command that shows it again."""


@dataclass(frozen=True)
class Resources:
    """What a kernel takes, as ptxas reports it.

    registers: per thread.  spill_stores, spill_loads: bytes per thread.  shared: bytes of shared memory whose size is
    known at compile time; a kernel's own is given at launch.  stack: bytes per thread.  barriers: named barriers.
    """

    registers: int = 0
    spill_stores: int = 0
    spill_loads: int = 0
    shared: int = 0
    stack: int = 0
    barriers: int = 0


@dataclass(frozen=True)
class Cubin:
    """A compiled kernel and ptxas's log."""

    data: bytes
    log: str

    @property
    def resources(self) -> Resources:
        """What the log says, the largest figure where it names several functions."""

        def largest(pattern: str) -> int:
            return max((int(figure) for figure in re.findall(pattern, self.log)), default=0)

        return Resources(
            largest(r"Used (\d+) registers"),
            largest(r"(\d+) bytes spill stores"),
            largest(r"(\d+) bytes spill loads"),
            largest(r"(\d+) bytes smem"),
            largest(r"(\d+) bytes stack frame"),
            largest(r"used (\d+) barriers"),
        )


def libdevice_path() -> Path:
    """NVIDIA's library of mathematical functions, in LLVM bitcode.

    Raises:
        FileNotFoundError: it is not installed.
    """
    return Path(knobs.nvidia.libdevice_path or toolkit_path("nvvm", "libdevice", "libdevice.10.bc"))


def assemble(
    ptx: str,
    target: Target,
    *,
    line_info: bool = True,
    fp_fusion: bool = True,
    optimize: bool = True,
    options: Sequence[str] = (),
    ptxas: Path | None = None,
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
    """
    program = str(ptxas or knobs.nvidia.ptxas_path(target.capability))
    debug = ["-g", "--opt-level", "0"] if not optimize else ["-lineinfo"]
    if not line_info:
        debug = ["-lineinfo", "-suppress-debug-info"]
    arguments = [*debug, *([] if fp_fusion else ["--fmad=false"]), "-v", *options, f"--gpu-name={target.arch}"]
    folder = Path(tempfile.mkdtemp(prefix="ttkit-"))
    source, binary = folder / "kernel.ptx", folder / "kernel.cubin"
    command = [program, *arguments, str(source), "-o", str(binary)]
    try:
        source.write_text(ptx)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        made = binary.read_bytes() if done.returncode == 0 else b""
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    log = done.stderr + done.stdout
    if done.returncode:  # the PTX stays, for the command
        raise PTXASError(f"ptxas failed with exit code {done.returncode}\n{log}\nRepro command: {shlex.join(command)}")
    shutil.rmtree(folder, ignore_errors=True)
    return Cubin(made, log)
