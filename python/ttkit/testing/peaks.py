"""Peak throughput of a GPU, by its data sheet.

The numbers for each clock are those of "Arithmetic Instructions" in NVIDIA's CUDA C++ Programming Guide, and of the
white papers of each architecture; the product of an instruction and an addition counts as two operations.
"""

from __future__ import annotations

from typing import Any

_SUBCORES = 4  # of a multiprocessor
# Capability -> operations of a subcore's tensor core in a clock, of operands of 32 bits (as tf32), 16 bits and 8 bits.
_TENSOR_CORE = {7: (0, 256, 0), 8: (256, 512, 1024), 9: (512, 1024, 2048), 10: (1024, 2048, 4096)}
# The same without tensor cores, of f32 and of f16.
_SIMD = {(7, 0): (32, 64), (7, 5): (32, 64), (8, 0): (32, 128), (8, 6): (64, 64), (8, 9): (64, 64), (9, 0): (64, 128)}
_BITS = {
    **dict.fromkeys(("float32", "fp32", "int32"), 32),
    **dict.fromkeys(("float16", "fp16", "half", "bfloat16", "bf16", "int16"), 16),
    **dict.fromkeys(("int8", "float8e4nv", "fp8e4nv", "float8_e4m3fn", "float8e5", "fp8e5", "float8_e5m2"), 8),
    **dict.fromkeys(("float8e4b15", "fp8e4b15"), 8),
}


def get_dram_gbps(device: int | None = None) -> float:
    """Bandwidth of a GPU's memory in GB/s, from its clock and the width of its bus.

    Args:
        device: its number; the current one by default.
    """
    properties = _properties(device)
    return properties["mem_clock_rate"] * properties["mem_bus_width"] * 2 / 1e6 / 8


def get_max_tensorcore_tflops(dtype: Any, clock_rate: float, device: int | None = None) -> float:
    """Most that tensor cores multiply, in 1e12 operations a second.

    Args:
        dtype: of the operands: torch's, the language's, numpy's or a name; float32 stands for tf32.
        clock_rate: of a multiprocessor, in kHz.
        device: its number; the current one by default.

    Raises:
        ValueError: the GPU's tensor cores have no such type.
    """
    major, _ = _capability(device)
    rates = _TENSOR_CORE.get(major, _TENSOR_CORE[7 if major < 7 else 8])
    bits = _bits(dtype)
    rate = rates[{32: 0, 16: 1, 8: 2}[bits]]
    if not rate or (major < 8 and _name(dtype).startswith("b")):
        raise ValueError(f"tensor cores of capability {major} don't multiply {_name(dtype)}")
    return _properties(device)["multiprocessor_count"] * _SUBCORES * clock_rate * rate * 1e-9


def get_max_simd_tflops(dtype: Any, clock_rate: float, device: int | None = None) -> float:
    """Most that a GPU calculates without tensor cores, in 1e12 operations a second.

    Args:
        dtype: float32, float16 or bfloat16: torch's, the language's, numpy's or a name.
        clock_rate: of a multiprocessor, in kHz.
        device: its number; the current one by default.

    Raises:
        ValueError: another type.
    """
    capability = _capability(device)
    f32, f16 = _SIMD[max((known for known in _SIMD if known <= capability), default=(7, 0))]
    bits = _bits(dtype)
    if bits == 8 or "int" in _name(dtype) or (capability < (8, 0) and _name(dtype).startswith("b")):
        raise ValueError(f"dtype {_name(dtype)} is not supported: use float32 or float16")
    rate = f32 if bits == 32 else f16
    return _properties(device)["multiprocessor_count"] * _SUBCORES * clock_rate * rate * 1e-9


def _properties(device: int | None) -> dict[str, int]:
    from ttkit.runtime.driver import driver

    number = driver.active.get_current_device() if device is None else device
    return driver.active.utils.get_device_properties(number)


def _capability(device: int | None) -> tuple[int, int]:
    from ttkit.runtime.driver import driver

    number = driver.active.get_current_device() if device is None else device
    major, minor = driver.active.get_device_capability(number)
    return major, minor


def _name(dtype: Any) -> str:
    """Its name: of `torch.float16`, `tl.float16`, `numpy.float16` or "float16"."""
    if isinstance(dtype, str):
        return dtype.removeprefix("torch.")
    name = getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or str(dtype)
    return str(name).removeprefix("torch.")


def _bits(dtype: Any) -> int:
    name = _name(dtype)
    if name not in _BITS:
        raise ValueError(f"dtype {name} is not supported: use one of {', '.join(_BITS)}")
    return _BITS[name]
