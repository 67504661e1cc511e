"""Fat binaries: the cubins of several targets in one image, of which the driver takes what suits a device."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ttkit.cuda_toolkit import toolkit_path
from ttkit.target import Target


def fat_binary(cubins: Mapping[int, bytes]) -> bytes:
    """The cubins in one image, as `fatbinary` of the CUDA toolkit writes it; the wheel of ptxas has it.

    Args:
        cubins: {compute capability: cubin}.

    Raises:
        FileNotFoundError: `fatbinary` is not installed.
        RuntimeError: it fails, with what it says.
    """
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "made.fatbin")
        command = [toolkit_path("bin", "fatbinary"), "--create", made, "-64", "--compress-all"]
        for capability, cubin in cubins.items():
            path = os.path.join(folder, f"{capability}.cubin")
            Path(path).write_bytes(cubin)
            command.append(f"--image3=kind=elf,sm={Target(capability).arch.removeprefix('sm_')},file={path}")
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"fatbinary failed: {(done.stderr or done.stdout).strip()}")
        return Path(made).read_bytes()
