"""A compiled kernel: loaded on first use, launched over a grid."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from ctypes import byref, c_int, c_uint64
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttkit.runtime import libcuda
from ttkit.runtime.arguments import ArgumentError, Packer, format_of, guess_formats
from ttkit.runtime.cuda_utils import CudaUtils, function_attribute
from ttkit.runtime.device import Device, current_context, synchronize
from ttkit.runtime.launches import PORTABLE_CLUSTER, grid_sizes, launch_attributes, start, stream_handle
from ttkit.target import runs_on

if TYPE_CHECKING:
    from ttkit.compiler.levels import Compiled

__all__ = ["ArgumentError", "Kernel"]


class Kernel:
    """A cubin and its metadata.

    name: of the kernel.
    metadata: as `compiler.levels.Compiled` has it.
    check: wait after each launch, so that an error names the kernel and the line that launched it.
    """

    def __init__(self, cubin: bytes, metadata: dict[str, Any], check: bool = False) -> None:
        self.cubin, self.metadata, self.check = cubin, metadata, check
        self.name: str = metadata["name"]
        self.shared: int = metadata.get("shared") or 0
        self.num_ctas: int = metadata.get("num_ctas") or 1
        self._threads = 32 * int(metadata["num_warps"])
        self._scratch_size = int(metadata.get("global_scratch_size") or 0)
        self._profile_size = int(metadata.get("profile_scratch_size") or 0)
        self._functions: dict[int, int] = {}
        self._scratch: dict[tuple[str, int, int], tuple[int, int]] = {}
        self._lock = threading.Lock()
        kinds = metadata.get("parameters")
        self._packer = None if kinds is None else Packer([format_of(kind) for kind in kinds], kinds)
        self._attributes = launch_attributes(metadata)

    @classmethod
    def from_compiled(cls, compiled: Compiled, check: bool = False) -> Kernel:
        return cls(compiled.asm["cubin"], compiled.metadata, check)

    @classmethod
    def from_file(cls, path: str | Path, check: bool = False) -> Kernel:
        """A cubin, with the metadata beside it: k.cubin and k.json.

        Raises:
            OSError: one of them can't be read.
        """
        path = Path(path)
        return cls(path.read_bytes(), json.loads(path.with_suffix(".json").read_text()), check)

    def __getitem__(self, grid: int | Sequence[int]) -> Callable[..., None]:
        """`kernel[grid](*arguments, stream=None)`, see `launch`."""
        sizes = grid_sizes(grid, self.name, self.num_ctas)
        return lambda *arguments, stream=None: self.launch(sizes, arguments, stream)

    def launch(self, grid: int | Sequence[int], arguments: Sequence[Any], stream: Any = None) -> None:
        """Starts the kernel, and returns before it ends.

        Args:
            grid: programs in up to three dimensions; a grid of none does nothing.
            arguments: one for each parameter: for a pointer what lies on the GPU, see `arguments.pointer`; for a
                number a number.
            stream: torch's or CuPy's, or the driver's handle; None for torch's current stream if torch runs on the
                GPU, else the default one.

        Raises:
            ArgumentError: an argument does not fit, or the grid is too large.
            OutOfResources: the kernel needs more shared memory or threads than the GPU has.
            WrongArchitecture: the cubin is of another GPU.
            KernelFault: of a kernel before; of this one if `check` is set.
        """
        x, y, z = grid_sizes(grid, self.name, self.num_ctas)
        if x * y * z == 0:
            return
        function, handle = self.function(), stream_handle(stream)
        packer = self._packer or Packer(guess_formats(arguments))
        with self._lock:
            scratch = profile = 0
            if self._scratch_size:
                scratch = self._scratch_memory("global", self._scratch_size * x * y * z * self.num_ctas, handle)
            if self._profile_size:
                profile = self._scratch_memory("profile", self._profile_size * x * y * z * self.num_ctas, handle)
            try:
                packer.pack(arguments, scratch, profile)
            except ArgumentError as error:
                raise ArgumentError(f"kernel {self.name}: {error}") from None
            code = self._start(function, (x * self.num_ctas, y, z), handle, packer)
        if code:
            raise libcuda.error_of(code, "cuLaunchKernel", self.name)
        libcuda.recent.append(self.name)
        if self.check:
            self.synchronize()

    def _start(self, function: int, grid: tuple[int, int, int], stream: int, packer: Packer) -> int:
        return start(function, grid, self._threads, self.shared, stream, packer.addresses, self._attributes)

    def function(self) -> int:
        """The driver's handle in the current context; loads the cubin on first use.

        Raises:
            OutOfResources, WrongArchitecture, DriverError
        """
        context = current_context()
        if (found := self._functions.get(context)) is None:
            found = self._functions[context] = self._load()
        return found

    def _load(self) -> int:
        device, made_for = Device.current(), self.metadata.get("target", {}).get("arch")
        if made_for is not None and not runs_on(made_for, device.capability):
            raise libcuda.WrongArchitecture(
                f"kernel {self.name} was compiled for sm_{made_for}; {device.name} is sm_{device.capability}: "
                f"compile it with --target sm_{device.capability}"
            )
        limit = device.properties["max_shared_mem"]
        if self.shared > limit:
            raise libcuda.OutOfResources(self.shared, limit, "shared memory")
        utils = CudaUtils()
        loaded = utils.load_binary(self.name, self.cubin, self.shared, device.ordinal)
        if self.num_ctas > PORTABLE_CLUSTER:
            utils.allow_large_clusters(loaded.function)
        if self._threads > loaded.n_max_threads:
            raise libcuda.OutOfResources(self._threads, loaded.n_max_threads, "threads")
        return loaded.function

    def _call(self, name: str, *arguments: Any) -> None:
        if code := getattr(libcuda.library(), name)(*arguments):
            raise libcuda.error_of(code, name, self.name)

    def _scratch_memory(self, use: str, size: int, stream: int) -> int:
        """Scratch memory of a launch: one buffer a stream, where launches wait for each other; the driver aligns it to
        256 bytes, at least as much as any kernel asks for."""
        key = use, current_context(), stream
        pointer, held = self._scratch.get(key, (0, 0))
        if held < size:
            if pointer:
                self._call("cuMemFree_v2", pointer)  # waits for launches that use it
                del self._scratch[key]
            found = c_uint64()
            self._call("cuMemAlloc_v2", byref(found), size)
            pointer = found.value
            self._scratch[key] = pointer, size
        return pointer

    def resources(self) -> dict[str, int]:
        """What the loaded kernel takes: registers of a thread, bytes of local (spilled) and of shared memory, most
        threads of a program; and the programs that a multiprocessor runs at once.

        Raises:
            OutOfResources, WrongArchitecture, DriverError
        """
        function, active = self.function(), c_int()
        self._call("cuOccupancyMaxActiveBlocksPerMultiprocessor", byref(active), function, self._threads, self.shared)
        return {
            "registers": function_attribute(function, libcuda.REGISTERS, self.name),
            "local": function_attribute(function, libcuda.LOCAL_BYTES, self.name),
            "shared": self.shared + function_attribute(function, libcuda.STATIC_SHARED, self.name),
            "max_threads": function_attribute(function, libcuda.MAX_THREADS, self.name),
            "programs_per_multiprocessor": active.value,
        }

    def synchronize(self) -> None:
        """Waits until all that was launched has ended.

        Raises:
            KernelFault: a kernel did something that ended it.
        """
        synchronize()
