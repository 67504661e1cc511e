"""A compiled kernel on GPUs: loaded by its first launch, once for each device."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import byref, c_int
from typing import TYPE_CHECKING, Any

import ttkit.knobs as knobs
import ttkit.locks as locks
from ttkit.cuda import libcuda
from ttkit.cuda.device import synchronize
from ttkit.runtime.cuda_utils import CudaUtils, Loaded, function_attribute
from ttkit.runtime.driver import driver
from ttkit.runtime.launches import PORTABLE_CLUSTER, grid_sizes, stream_handle
from ttkit.target import runs_on

if TYPE_CHECKING:
    from ttkit.runtime.compiled_kernel import CompiledKernel

MAX_TENSOR_MEMORY = 512  # columns, of sm_100


class DeviceKernel:
    """The side of a `CompiledKernel` that is on GPUs.

    Where an error is named, all methods raise it: DriverMissing, OutOfResources, WrongArchitecture, DriverError.
    """

    def __init__(self, kernel: CompiledKernel) -> None:
        self.kernel = kernel
        self._loaded: dict[int, Loaded] = {}
        self._launcher: Any = None
        self._lock = locks.lock()

    def __del__(self) -> None:
        """Tells those who keep something by the kernel's handles, which may be given to a kernel that is equal."""
        hook = knobs.runtime.kernel_unload_hook if knobs is not None else None  # None: Python ends
        if not hook:
            return
        kernel = self.kernel
        for found in self._loaded.values():
            hook(found.module, found.function, kernel.name, kernel.metadata_group, kernel.hash)

    @property
    def module(self) -> int | None:
        """The driver's handle of the module on the current device; None before it is loaded."""
        found = self._loaded.get(driver.active.get_current_device()) if self._loaded else None
        return None if found is None else found.module

    @property
    def run(self) -> Any:
        """The launcher, see `launcher.Launcher`."""
        if self._launcher is None:
            active = driver.active
            if (launcher_of := getattr(active, "launcher_of", None)) is not None:  # it needs more than Triton's
                self._launcher = launcher_of(self.kernel)
            else:
                self._launcher = active.launcher_cls(self.kernel.src, self.kernel.metadata)
        return self._launcher

    def loaded(self) -> Loaded:
        """The kernel on the current device, where it is loaded if it was not."""
        device = driver.active.get_current_device()
        if (found := self._loaded.get(device)) is None:
            with self._lock:
                if (found := self._loaded.get(device)) is None:
                    found = self._loaded[device] = self._load(device)
        return found

    def _load(self, device: int) -> Loaded:
        kernel, utils = self.kernel, driver.active.utils
        metadata = kernel.metadata
        self._check(device)
        hooks = knobs.runtime
        if hooks.kernel_load_start_hook:
            hooks.kernel_load_start_hook(None, None, kernel.name, kernel.metadata_group, kernel.hash)
        found = Loaded(*utils.load_binary(kernel.name, kernel.kernel, metadata.shared, device))
        threads = kernel.threads
        if threads > found.n_max_threads:
            raise libcuda.OutOfResources(threads, found.n_max_threads, "threads")
        if metadata.num_ctas > PORTABLE_CLUSTER and isinstance(utils, CudaUtils):
            utils.allow_large_clusters(found.function)
        if hooks.kernel_load_end_hook:
            hooks.kernel_load_end_hook(found.module, found.function, kernel.name, kernel.metadata_group, kernel.hash)
        return found

    def _check(self, device: int) -> None:
        """Whether the device can take it."""
        metadata, active = self.kernel.metadata, driver.active
        capability = active.get_current_target().arch
        if isinstance(capability, int) and not runs_on(metadata.target.arch, capability):
            raise libcuda.WrongArchitecture(
                f"kernel {self.kernel.name} was compiled for sm_{metadata.target.arch}; device {device} is "
                f"sm_{capability}: compile it for GPUTarget('cuda', {capability}, 32)"
            )
        most = active.utils.get_device_properties(device)["max_shared_mem"]
        if metadata.shared > most:
            raise libcuda.OutOfResources(metadata.shared, most, "shared memory")
        if (metadata.tmem_size or 0) > MAX_TENSOR_MEMORY:
            raise libcuda.OutOfResources(metadata.tmem_size, MAX_TENSOR_MEMORY, "tensor memory")

    def launch(self, grid: int | Sequence[int], arguments: Sequence[Any], stream: Any = None) -> None:
        """Starts it, see `CompiledKernel.__getitem__`."""
        kernel = self.kernel
        x, y, z = grid_sizes(grid, kernel.name, kernel.metadata.num_ctas)
        if stream is None:
            stream = driver.active.get_current_stream(driver.active.get_current_device())
        elif not isinstance(stream, int):
            stream = stream_handle(stream)
        self.start((x, y, z), grid, stream, arguments)

    def start(self, sizes: tuple[int, int, int], grid: Any, stream: int, arguments: Sequence[Any]) -> None:
        """Starts it over a grid on a stream, with the hooks around it.

        Args:
            grid: what hooks are told of the grid.
            stream: the driver's handle.
            arguments: all of the function's, constants too.
        """
        kernel, found, hooks = self.kernel, self.loaded(), knobs.runtime
        told = kernel.launch_metadata(grid, stream, *arguments)
        enter, leave = hooks.launch_enter_hook or None, hooks.launch_exit_hook or None
        self.run(*sizes, stream, found.function, kernel.packed_metadata, told, enter, leave, *arguments)

    def synchronize(self) -> None:
        """Waits until all that was launched has ended, see `device.synchronize`."""
        getattr(driver.active, "synchronize", synchronize)()

    def resources(self) -> dict[str, int]:
        """Resources: registers of a thread, bytes of local (spilled) and of shared memory, most threads of a
        program; and the programs that a multiprocessor runs at once."""
        found, metadata = self.loaded(), self.kernel.metadata
        name, function, active = self.kernel.name, found.function, c_int()
        threads, shared = self.kernel.threads, metadata.shared
        libcuda.call("cuOccupancyMaxActiveBlocksPerMultiprocessor", byref(active), function, threads, shared)
        return {
            "registers": found.n_regs,
            "local": function_attribute(function, libcuda.LOCAL_BYTES, name),
            "shared": shared + function_attribute(function, libcuda.STATIC_SHARED, name),
            "max_threads": found.n_max_threads,
            "programs_per_multiprocessor": active.value,
        }
