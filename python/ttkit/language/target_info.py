"""Compilation target, as constants of the kernel."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ttkit.language.building import active
from ttkit.language.builtin import builtin
from ttkit.language.jit_function import constexpr_function


@builtin
def current_target() -> Any:
    """The GPUTarget: of the kernel; outside of kernels that of the active driver, or None where there is no GPU.

    Example:
        >>> tl.target_info.current_target()
        GPUTarget(backend='cuda', arch=90, warp_size=32)
    """
    if active.builder is not None:
        return active.builder.unit.target
    driver = import_module("ttkit.runtime.driver").driver  # which is above
    return driver.active.get_current_target() if driver.is_active() else None


@constexpr_function
def is_cuda():  # type: ignore[no-untyped-def]
    """Whether the target is a GPU of NVIDIA.

    Example:
        >>> tl.target_info.is_cuda()
        True
    """
    target = current_target()
    return target is not None and target.backend == "cuda"


@constexpr_function
def cuda_capability_geq(major, minor=0):  # type: ignore[no-untyped-def]
    """Whether the target has at least compute capability `major`.`minor`.

    Example:
        >>> tl.target_info.cuda_capability_geq(9), tl.target_info.cuda_capability_geq(10, 3)
        (True, False)
    """
    target = current_target()
    return target is not None and target.backend == "cuda" and target.arch >= major * 10 + minor


@constexpr_function
def is_hip():  # type: ignore[no-untyped-def]
    """Whether the target is a GPU of AMD.

    Example:
        >>> tl.target_info.is_hip()
        False
    """
    target = current_target()
    return target is not None and target.backend == "hip"


@constexpr_function
def is_hip_cdna3():  # type: ignore[no-untyped-def]
    """Whether the target is a GPU of AMD's CDNA 3 (gfx942).

    Example:
        >>> tl.target_info.is_hip_cdna3()
        False
    """
    target = current_target()
    return target is not None and target.arch == "gfx942"


@constexpr_function
def is_hip_cdna4():  # type: ignore[no-untyped-def]
    """Whether the target is a GPU of AMD's CDNA 4 (gfx950).

    Example:
        >>> tl.target_info.is_hip_cdna4()
        False
    """
    target = current_target()
    return target is not None and target.arch == "gfx950"


@constexpr_function
def is_hip_gfx1250():  # type: ignore[no-untyped-def]
    """Whether the target is AMD's GPU gfx1250.

    Example:
        >>> tl.target_info.is_hip_gfx1250()
        False
    """
    target = current_target()
    return target is not None and target.backend == "hip" and target.arch.startswith("gfx1250")
