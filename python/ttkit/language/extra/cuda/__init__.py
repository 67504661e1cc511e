"""What is particular to NVIDIA's GPUs."""

from ttkit.language.extra.cuda import libdevice
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
