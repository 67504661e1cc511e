"""Where the files of the CUDA toolkit are: NVIDIA's wheels install them."""

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


@functools.cache
def _folders() -> tuple[str, ...]:
    """Those of the toolkits, the newest first."""
    found = PathFinder.find_spec("nvidia")
    folders = []
    for package in (found.submodule_search_locations or ()) if found else ():
        toolkits = [name for name in os.listdir(package) if name.startswith("cu") and name[2:].isdecimal()]
        folders += [os.path.join(package, name) for name in sorted(toolkits, key=lambda name: -int(name[2:]))]
    return tuple(folders)


@functools.cache
def toolkit_file(*parts: str) -> str | None:
    """The path of a file, `toolkit_file("bin", "ptxas")`; None if its wheel is not installed."""
    for folder in _folders():
        if os.path.exists(path := os.path.join(folder, *parts)):
            return path
    return None


def toolkit_path(*parts: str) -> str:
    """The path of a file.

    Raises:
        FileNotFoundError: its wheel is not installed.
    """
    if (path := toolkit_file(*parts)) is not None:
        return path
    wheel = _WHEELS.get(parts[-1], _WHEELS["ptxas"])
    raise FileNotFoundError(f"{parts[-1]} is not installed; it comes with a wheel of NVIDIA: pip install {wheel}")
