"""The launcher of a compiled kernel: `Launcher(source, metadata)(x, y, z, stream, function, ...)`, as Triton's does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import ttkit.locks as locks
from ttkit.cuda import libcuda
from ttkit.runtime.arguments import Packer, guess_types
from ttkit.runtime.global_scratch import profile_buffer, scratch_buffer
from ttkit.runtime.host_arrays import HostArrays, has_host_arrays
from ttkit.runtime.launches import grid_sizes, launch_attributes, start, threads_of
from ttkit.runtime.parameters import Parameters, argument_types
from ttkit.runtime.pointers import ArgumentError


class LaunchedKernel(Protocol):
    """A compiled kernel, as launchers know it: see `CompiledKernel`."""

    src: Any
    name: str
    metadata: Any

    @property
    def asm(self) -> Mapping[str, Any]:
        """The text or bytes of each level, by name."""


class HookedLauncher:
    """Base class of launchers of one kernel: Triton's parameters, and the hooks around launches.

    name: of the kernel.  num_ctas: of a program.
    """

    name: str
    num_ctas: int

    def __call__(
        self,
        x: int,
        y: int,
        z: int,
        stream: int,
        function: int,
        packed_metadata: Any,
        launch_metadata: Any,
        enter_hook: Callable[[Any], Any] | None,
        exit_hook: Callable[[Any], Any] | None,
        *arguments: Any,
    ) -> None:
        """Starts the kernel, and returns before it ends; a grid of no programs does nothing but call the hooks.

        Args:
            x, y, z: programs in each dimension.
            stream, function: the driver's handles.
            packed_metadata: not looked at.
            launch_metadata: what hooks are called with.
            arguments: all of the function's, constants too.

        Raises:
            ArgumentError: an argument does not fit, or the grid is too large.
            DriverError: the driver refuses the launch; or a kernel before failed.
        """
        x, y, z = grid_sizes((x, y, z), self.name, self.num_ctas)
        if enter_hook is not None:
            enter_hook(launch_metadata)
        if x and y and z:
            self._launch((x, y, z), stream, function, arguments)
        if exit_hook is not None:
            exit_hook(launch_metadata)

    def _launch(self, grid: tuple[int, int, int], stream: int, function: int, arguments: tuple[Any, ...]) -> None:
        """Starts at least one program."""
        raise NotImplementedError


class Launcher(HookedLauncher):
    """Launches one compiled kernel.

    Args:
        source: with `signature`: the types of its arguments.
        metadata: of the kernel, as a named tuple or a mapping.

    is_native: whether the native module launches as this class does; a subclass has to say so itself.
    last_argument: called with (arguments, x, y, z); returns a pointer that the kernel takes after its arguments.  None
        where it takes none.
    """

    is_native = True
    last_argument: Callable[[tuple[Any, ...], int, int, int], int] | None = None

    def __init__(self, src: Any, metadata: Any) -> None:
        fields: Mapping[str, Any] = metadata if isinstance(metadata, Mapping) else metadata._asdict()
        self.name = str(fields.get("name") or getattr(src, "name", "kernel"))
        self.descriptors: list[Any] = list(fields.get("tensordesc_meta") or ())
        types = argument_types(src)
        self._packing = None if types is None else _packing(types, self.descriptors)
        self.num_ctas = fields.get("num_ctas") or 1
        self.threads = threads_of(fields)
        self.shared: int = fields.get("shared") or 0
        self.scratch = fields.get("global_scratch_size") or 0, fields.get("global_scratch_align") or 1
        self.profile = fields.get("profile_scratch_size") or 0, fields.get("profile_scratch_align") or 1
        self.attributes = launch_attributes(fields)
        self._lock = locks.lock()

    def _launch(self, grid: tuple[int, int, int], stream: int, function: int, arguments: Any) -> None:
        if has_host_arrays(arguments):
            arrays = HostArrays(arguments, guess_types(arguments) if self._packing is None else self._packing[0].types)
            self._start(grid, stream, function, arrays.on_gpu(arguments))
            arrays.copy_back(stream)
        else:
            self._start(grid, stream, function, arguments)

    def _start(self, grid: tuple[int, int, int], stream: int, function: int, arguments: Any) -> None:
        x, y, z = grid
        scratch, profile, kept = self.allocate(x * y * z * self.num_ctas, stream)
        parameters, packer = self._packing or _packing(guess_types(arguments))
        with self._lock:  # one struct for all threads
            try:
                packer.pack(parameters.values(arguments), scratch, profile)
            except ArgumentError as error:
                raise ArgumentError(f"kernel {self.name}: {error}") from None
            code = start(
                function,
                (x * self.num_ctas, y, z),
                self.threads,
                self.shared,
                stream,
                packer.addresses,
                self.attributes,
            )
        if code:
            raise libcuda.error_of(code, "cuLaunchKernel", self.name)
        libcuda.RECENT.append(self.name)
        del kept  # not before the launch

    @property
    def needs_memory(self) -> bool:
        """Whether launches take scratch memory in global memory."""
        return bool(self.scratch[0] or self.profile[0])

    def allocate(self, ctas: int, stream: int | None) -> tuple[int, int, list[Any]]:
        """Addresses of the global and of the profile scratch memory of a launch, and what owns them."""
        kept: list[Any] = []
        addresses = []
        for (size, alignment), make in ((self.scratch, scratch_buffer), (self.profile, profile_buffer)):
            if size:
                kept.append(make(size * ctas, alignment, stream or 0))
            addresses.append(kept[-1].data_ptr() if size else 0)
        return addresses[0], addresses[1], kept


def _packing(types: Sequence[Any], descriptors: Sequence[Any] = ()) -> tuple[Parameters, Packer]:
    """The values that arguments of these types become, and the struct that they are packed into."""
    parameters = Parameters(types, descriptors)
    return parameters, Packer(parameters.kinds)
