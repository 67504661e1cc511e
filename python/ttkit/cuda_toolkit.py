"""Paths of the CUDA toolkit's files: NVIDIA's wheels install them, else a toolkit of the machine has them."""

from __future__ import annotations

import functools
import os
from importlib.machinery import PathFinder

_WHEELS = {
    "ptxas": "nvidia-cuda-nvcc==13.0.88",
    "libdevice.10.bc": "nvidia-nvvm==13.0.88",
    "cuobjdump": "nvidia-cuda-cuobjdump==13.5.37",
    "nvdisasm": "nvidia-cuda-nvdisasm==13.5.37",
}


# Where a toolkit that no wheel brought says that it is, and where it is by default.
_VARIABLES = ("CUDA_HOME", "CUDA_PATH")
_USUAL = "/usr/local/cuda"


@functools.cache
def toolkit_folders() -> tuple[str, ...]:
    """Folders of toolkits: of wheels, the newest first, then of the machine."""
    found = PathFinder.find_spec("nvidia")
    folders = []
    for package in (found.submodule_search_locations or ()) if found else ():
        toolkits = [name for name in os.listdir(package) if name.startswith("cu") and name[2:].isdecimal()]
        folders += [os.path.join(package, name) for name in sorted(toolkits, key=lambda name: -int(name[2:]))]
    elsewhere = [os.environ.get(name) for name in _VARIABLES]
    return (*folders, *(folder for folder in (*elsewhere, _USUAL) if folder and os.path.isdir(folder)))


@functools.cache
def toolkit_file(*parts: str) -> str | None:
    """The path of a file, `toolkit_file("bin", "ptxas")`; None if it is not installed."""
    for folder in toolkit_folders():
        if os.path.exists(path := os.path.join(folder, *parts)):
            return path
    return None


def toolkit_path(*parts: str) -> str:
    """The path of a file.

    Raises:
        FileNotFoundError: it is not installed.
    """
    if (path := toolkit_file(*parts)) is not None:
        return path
    wheel = _WHEELS.get(parts[-1], _WHEELS["ptxas"])
    raise FileNotFoundError(
        f"{parts[-1]} is not installed; it comes with a wheel of NVIDIA: pip install {wheel}, or set CUDA_HOME"
    )
