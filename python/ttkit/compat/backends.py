"""Triton's side of a target, `triton.backends`: ttkit has one, NVIDIA's."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple

import ttkit.knobs as knobs
from ttkit.compiler.backend import CUDABackend
from ttkit.language.interpret_mode import set_interpret_mode
from ttkit.runtime.driver import CudaDriver, driver
from ttkit.runtime.stand_in import StandInDriver
from ttkit.target import FIRST_PTX, GPUTarget, Target


class BaseBackend(metaclass=ABCMeta):
    """A target's compiler.  ttkit's own, `CUDABackend`, counts as one; others are not asked."""

    supports_native_tensor_specialization = True
    binary_ext: str

    def __init__(self, target: GPUTarget) -> None:
        if not self.supports_target(target):
            raise ValueError(f"{type(self).__name__} does not compile for {target}")
        self.target = target

    @staticmethod
    @abstractmethod
    def supports_target(target: GPUTarget) -> bool:
        """Whether it compiles for it."""

    @abstractmethod
    def hash(self) -> str:
        """Identifies the compiler and the target."""

    @abstractmethod
    def parse_options(self, options: dict[str, Any]) -> Any:
        """The options of a kernel, with defaults."""

    @abstractmethod
    def add_stages(self, stages: dict[str, Any], options: Any, language: Any = None) -> None:
        """Fills in {level: function from the level before and the metadata}."""

    def load_dialects(self, context: Any) -> None:  # noqa: B027  (backends may have their own)
        """Nothing: a `ttkit.Context` has all dialects."""

    def get_module_map(self) -> dict[str, Any]:
        """Modules of the language that the target replaces: none."""
        return {}

    parse_attr = staticmethod(CUDABackend.parse_attr)
    get_int_specialization = staticmethod(CUDABackend.get_int_specialization)
    get_tensor_specialization = staticmethod(CUDABackend.get_tensor_specialization)


class DriverBase(metaclass=ABCMeta):
    """Driver that launches kernels.  ttkit's own, `CudaDriver`, counts as one; `driver.set_active` takes any."""

    @classmethod
    @abstractmethod
    def is_active(cls) -> bool:
        """Whether its device is there."""

    @abstractmethod
    def map_python_to_cpp_type(self, ty: str) -> str:
        """The type in C of a parameter."""

    @abstractmethod
    def get_current_target(self) -> GPUTarget:
        """The target that kernels are compiled for."""

    @abstractmethod
    def get_active_torch_device(self) -> Any:
        """The device, as torch names it."""

    @abstractmethod
    def get_benchmarker(self) -> Callable[..., Any]:
        """The function that `autotune` times with."""


class GPUDriver(DriverBase):
    """A driver whose devices are those of `torch.cuda`."""

    def __init__(self) -> None:
        import torch  # type: ignore[import-not-found, unused-ignore]

        self.get_device_capability = torch.cuda.get_device_capability
        self.get_current_stream = torch._C._cuda_getCurrentRawStream
        self.get_current_device = torch.cuda.current_device
        self.set_current_device = torch.cuda.set_device

    def assemble_tensormap_to_arg(self, tensormaps_info: Any, args: Any) -> Any:
        """The arguments as they are."""
        return args


class CPUDriver(DriverBase):
    """Runs kernels on the CPU, as Python: once it is made, every launch does (`ttkit.runtime.set_interpret_mode`).

    By the name that it has in triton-shared.  Kernels are as on a GPU of `target`.
    """

    target = GPUTarget("cuda", 90, 32)

    def __init__(self) -> None:
        set_interpret_mode(True)

    @classmethod
    def is_active(cls) -> bool:
        """Whether it can be used: always."""
        return True

    def map_python_to_cpp_type(self, ty: str) -> str:
        """The type in C of an argument's type: `*fp32` is CUdeviceptr."""
        return ty_to_cpp(ty)

    def get_current_target(self) -> GPUTarget:
        """The target that kernels are compiled for."""
        return self.target

    def get_current_device(self) -> int:
        """The only device, 0."""
        return 0

    def get_active_torch_device(self) -> Any:
        """The CPU, as torch names it."""
        import torch

        return torch.device("cpu")

    def get_benchmarker(self) -> Callable[..., Any]:
        """The function that measures times."""
        from ttkit.testing import do_bench

        return do_bench


BaseBackend.register(CUDABackend)
DriverBase.register(CudaDriver)
GPUDriver.register(CudaDriver)


class Backend(NamedTuple):
    """The two sides of a target, as classes."""

    compiler: Any
    driver: Any


class _NvidiaDriver(CudaDriver):
    """`CudaDriver` to those who ask whether kernels can be launched: what stands in for a GPU launches them too."""

    def __new__(cls) -> Any:
        """The driver that stands in for a GPU, if one is in use: `set_active(backend.driver())` leaves it in use."""
        in_use = driver.active
        return in_use if isinstance(in_use, StandInDriver) else super().__new__(cls)

    @staticmethod
    def is_active() -> bool:
        """Whether the driver in use can launch."""
        in_use = driver.active
        return CudaDriver.is_active() if isinstance(in_use, _NvidiaDriver) else bool(in_use.is_active())


backends: dict[str, Backend] = {"nvidia": Backend(CUDABackend, _NvidiaDriver)}
"""The targets by name; with TRITON_INTERPRET=1 "cpu" is one, for those who ask where kernels may run."""
if knobs.runtime.interpret:
    backends["cpu"] = Backend(CUDABackend, CPUDriver)


def max_shared_mem(device: int) -> int:
    """Bytes of shared memory that a program may have.

    Raises:
        DriverMissing: there is no GPU.
    """
    return driver.active.utils.get_device_properties(device)["max_shared_mem"]


def get_ptxas(arch: int) -> Any:
    """The ptxas for a GPU: `path` and `version`."""
    return getattr(knobs.nvidia, knobs.nvidia.ptxas_name(arch))


def sm_arch_from_capability(capability: int) -> str:
    """`sm_90a` for 90."""
    return Target(capability, FIRST_PTX.get(capability, max(FIRST_PTX.values()))).arch


def ty_to_cpp(ty: str) -> str:
    """The type in C of a parameter whose type a signature spells so."""
    return CudaDriver().map_python_to_cpp_type(ty)
