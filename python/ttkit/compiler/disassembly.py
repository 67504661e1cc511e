"""SASS, the instructions of a GPU, from cubins."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import ttkit.knobs as knobs
import ttkit.temporary as temporary

MOST_SECONDS = 60
"""For a disassembler."""


def sass(cubin: bytes, *options: str) -> str:
    """The instructions of a cubin, as nvdisasm prints them, or cuobjdump where that is missing.

    Args:
        options: more options for nvdisasm, such as `--print-line-info`, which cuobjdump does not get.

    Raises:
        RuntimeError: neither is installed, or the bytes are not a cubin, which it may take too long to find out.
    """
    descriptors = knobs.nvidia.knob_descriptors
    try:
        command = [descriptors["nvdisasm"].path(knobs.nvidia), "--print-code", *options]
    except RuntimeError as missing:
        try:
            command = [descriptors["cuobjdump"].path(knobs.nvidia), "-sass"]
        except RuntimeError:
            raise missing from None
    folder = temporary.new_folder()
    try:
        path = os.path.join(folder, "kernel.cubin")
        Path(path).write_bytes(cubin)
        done = subprocess.run(
            [*command, path], capture_output=True, errors="replace", check=False, timeout=MOST_SECONDS
        )
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"{command[0]} took more than {MOST_SECONDS} s, and was ended") from None
    finally:
        temporary.remove(folder)
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed with exit code {done.returncode}: {done.stderr.strip()}")
    return done.stdout
