"""The most that GPUs can do, from their properties: the figures that `util` is measured by."""

from __future__ import annotations

from collections.abc import Callable

_Rate = Callable[[int, float], float]

# Operations a second of tensor cores with 8-bit operands, dense, as NVIDIA states them for one product; scaled to the
# multiprocessors and the clock (kHz) of another where its rates are known.  Wider operands take as much longer.
_FLOPS8: dict[int, _Rate] = {
    80: lambda num_sms, clock_rate: 624e12,  # A100
    89: lambda num_sms, clock_rate: 330.3e12,  # RTX 4090
    90: lambda num_sms, clock_rate: num_sms / 114 * clock_rate / 1.755e6 * 1513e12,  # H100 PCIe
    100: lambda num_sms, clock_rate: 16384 * num_sms * clock_rate * 1e3,  # operations a cycle
    103: lambda num_sms, clock_rate: 16384 * num_sms * clock_rate * 1e3,
}


def max_flops(device_type: str, arch: str, width: int, num_sms: int, clock_rate: float) -> float:
    """The most operations a second by tensor cores with operands of `width` bits, dense.

    Args:
        device_type: "CUDA".
        arch: the compute capability, "90".
        width: 8, 16, 32 or 64.
        clock_rate: in kHz.

    Raises:
        ValueError: it is not known for such a GPU.
    """
    if device_type != "CUDA":
        raise ValueError(f"Unsupported device type: {device_type}")
    rate = _FLOPS8.get(_capability(arch))
    if rate is None:
        raise ValueError(f"Unsupported architecture: {arch}")
    return rate(num_sms, clock_rate) * 8 / width


def max_bps(device_type: str, arch: str, bus_width: int, memory_clock_rate: float) -> float:
    """The most bytes a second between a GPU and its memory, which transfers twice in a clock.

    Args:
        device_type: "CUDA".
        arch: not looked at.
        bus_width: bits.
        memory_clock_rate: in kHz.

    Raises:
        ValueError: it is not a CUDA device.
    """
    if device_type != "CUDA":
        raise ValueError(f"Unsupported device type: {device_type}")
    return 2 * bus_width * memory_clock_rate * 1e3 / 8


def _capability(arch: str) -> int:
    digits = "".join(filter(str.isdigit, str(arch)))
    return int(digits) if digits else 0
