"""Functions of NVIDIA's GPUs."""

from importlib import import_module
from typing import Any

from ttkit.language.extra.cuda.float8e4b15 import convert_custom_float8_sm70, convert_custom_float8_sm80
from ttkit.language.extra.cuda.launch_control import gdc_launch_dependents, gdc_wait
from ttkit.language.extra.cuda.special_registers import globaltimer, num_threads, num_warps, smid

__all__ = [
    "convert_custom_float8_sm70",
    "convert_custom_float8_sm80",
    "gdc_launch_dependents",
    "gdc_wait",
    "globaltimer",
    "libdevice",
    "num_threads",
    "num_warps",
    "smid",
]


def __getattr__(name: str) -> Any:
    """libdevice, whose two hundred functions are made when it is asked for."""
    if name != "libdevice":
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return import_module(f"{__name__}.{name}")
