"""A compiled kernel: made by `ttkit.compile`, taken from the cache, or read from a cubin's file.

kernel = CompiledKernel.from_file("k.cubin")            # with k.json beside it, as tt-compile writes them
kernel[(64,)](x, y, out, 65536)                         # pointers: torch, CuPy, JAX, DLPack, DeviceArray, int
"""

from __future__ import annotations

import json
import os
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import ttkit.knobs as knobs
from ttkit.compiler.asm import AsmDict
from ttkit.compiler.backend import make_backend
from ttkit.json_shapes import check as check_shape
from ttkit.json_shapes import count, load, natural
from ttkit.runtime.launches import threads_of
from ttkit.runtime.parameters import argument_types
from ttkit.target import GPUTarget
from ttkit.whole_files import read_file

if TYPE_CHECKING:
    from ttkit.compiler.compilation import Compilation
    from ttkit.runtime.cuda_utils import Loaded
    from ttkit.runtime.device_kernel import DeviceKernel


_TENSOR_MAP = {
    "swizzle": natural, "elem_size": natural, "elem_type": natural, "block_size": [count], "fp4_padded": bool,
    "is_im2col?": bool,
}  # fmt: skip
_METADATA = {
    "name": str,
    "target": {"backend": str, "arch": (count, str), "warp_size": count},
    "num_warps": count,
    "num_ctas?": (count, None),
    "shared": natural,
    "parameters?": ([str], None),
    "tensordesc_meta?": [(_TENSOR_MAP, None)],
    **{f"{name}?": (natural, None) for name in "tmem_size global_scratch_size profile_scratch_size".split()},
    **{f"{name}?": (count, None) for name in "global_scratch_align profile_scratch_align".split()},
}
"""What launches read of the metadata, which may be of a file."""


class LazyDict:
    """Facts of a launch for hooks: found when one asks.

    kernel: what is launched.
    """

    def __init__(self, data: dict[str, Any], kernel: CompiledKernel | None = None) -> None:
        self._data, self.kernel = data, kernel
        self.extras: list[tuple[Callable[..., dict[str, Any]], tuple[Any, ...]]] = []

    @property
    def data(self) -> dict[str, Any]:
        """Facts that are known without asking anyone: of a launch `name`, `stream` and the driver's `function`."""
        if self.kernel is not None and "function" not in self._data:  # to find it takes some microseconds
            self._data["function"] = self.kernel.function
        return self._data

    def get(self) -> dict[str, Any]:
        """All of it."""
        self.described()
        return self.data

    def described(self) -> dict[str, Any]:
        """All that `get` returns, but for the driver's function, unless somebody has asked for that."""
        for function, arguments in self.extras:
            self._data = self._data | function(*arguments)
        self.extras.clear()
        return self._data

    def add(self, func: Callable[..., dict[str, Any]], args: tuple[Any, ...]) -> None:
        """`func(*args)` gives more."""
        self.extras.append((func, args))


class CompiledKernel:
    """A compiled kernel: its levels, and on a GPU what launches it.

    Attributes:
        src: what it was compiled from.
        asm: its levels, see `AsmDict`.
        metadata: what a launcher must know, as a named tuple with sorted fields.
        metadata_json: the same as it is stored.
        metadata_group: {name: path} of its files in the cache; empty if they could not be written.
        packed_metadata: number of warps and of CTAs, bytes of shared memory.
        hash: of the cache key.
        name: of the kernel in the cubin.
        kernel: the cubin.
        check: whether launches wait until the kernel has ended, so that an error names it.

    Raises:
        ValueError: the metadata are none.
    """

    def __init__(
        self,
        src: Any,
        metadata_group: dict[str, str],
        hash: str,
        *,
        contents: Mapping[str, bytes] | None = None,
        check: bool = False,
    ) -> None:
        if contents is None:
            contents = {name: read_file(path) for name, path in metadata_group.items()}
        (described,) = (data for name, data in contents.items() if name.endswith(".json"))
        self.metadata_json = described
        self._fields: dict[str, Any] = load(described, _METADATA)
        self.src, self.hash, self.metadata_group, self.check = src, hash, metadata_group, check
        self.metadata = _named(self._fields)
        self.name: str = self.metadata.name
        self.packed_metadata = make_backend(self.metadata.target).pack_metadata(self.metadata)
        self.asm = AsmDict(contents)
        self._files = dict(contents)
        self.kernel: bytes = self.asm.get("cubin", b"")

    @classmethod
    def from_compilation(cls, made: Compilation) -> CompiledKernel:
        """The kernel that a compilation made, which no cache has."""
        return cls(made.source, {}, made.metadata["hash"], contents=made.files)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], check: bool = False) -> CompiledKernel:
        """A cubin, with the metadata beside it, as tt-compile writes them: k.cubin and k.json.

        Raises:
            OSError: one of them can't be read.
            ValueError: there are no metadata beside it.
        """
        beside = os.path.splitext(path)[0] + ".json"
        try:
            return cls.from_cubin(read_file(path), load(read_file(beside), dict), check)
        except ValueError as error:
            raise ValueError(f"{beside} is not the metadata of a kernel: {error}") from None

    @classmethod
    def from_cubin(cls, cubin: bytes, metadata: dict[str, Any], check: bool = False) -> CompiledKernel:
        """A cubin that is not of this process.

        Args:
            metadata: as beside the cubin.  Without `parameters`, types come from the values of each launch: an int is
                i32 if it fits, a float f32.
        """
        from ttkit.compiler.module_metadata import DEFAULTS
        from ttkit.compiler.sources import signature_of

        complete = {**DEFAULTS, "num_ctas": 1, **metadata}
        check_shape(complete, _METADATA, "it")
        known = complete["parameters"]
        source = CubinSource(complete["name"], None if known is None else signature_of(known))
        contents = {"k.cubin": cubin, "k.json": json.dumps(complete).encode()}
        return cls(source, {}, complete.get("hash", ""), contents=contents, check=check)

    def files(self) -> dict[str, bytes]:
        """The contents of its files, by name, as the cache keeps them."""
        return dict(self._files)

    # --- on a GPU: all of this may raise DriverMissing, OutOfResources, WrongArchitecture, DriverError ---------------

    @property
    def threads(self) -> int:
        """Threads of a CTA, those of specialized warps too."""
        return threads_of(self._fields)

    @cached_property
    def on_device(self) -> DeviceKernel:
        """The kernel on GPUs, where the first launch loads it."""
        from ttkit.runtime.device_kernel import DeviceKernel

        return DeviceKernel(self)

    @property
    def module(self) -> int | None:
        """The driver's handle of the module; None before the kernel is loaded."""
        return self.on_device.module

    @property
    def function(self) -> int:
        """The driver's handle of the kernel, which is loaded if it was not."""
        return self.on_device.loaded().function

    def _loaded_with_cubin(self) -> Loaded:
        """The kernel as the driver has it.  Tools that run IR have made no cubin for a launch: it is made now.

        Raises:
            AttributeError: it is not loaded on the GPU yet, as in Triton.  torch.compile asks for this, and what it
                does with the answer would otherwise depend on how it launches kernels.
        """
        from ttkit.runtime.driver import CudaDriver, driver

        if self.on_device.module is None and isinstance(driver.active, CudaDriver):
            raise AttributeError(f"kernel {self.name} is not loaded: launch it, or call kernel._init_handles()")
        if not self.kernel and "cubin" in self.asm:
            self.kernel = self.asm["cubin"]
            self.__dict__.pop("on_device", None)
        return self.on_device.loaded()

    @property
    def n_regs(self) -> int:
        """Registers of a thread, as the driver has them.

        Raises:
            AttributeError: the kernel is not loaded on the GPU yet.
        """
        return self._loaded_with_cubin().n_regs

    @property
    def n_spills(self) -> int:
        """Registers that a thread keeps in memory, as the driver has them.

        Raises:
            AttributeError: as `n_regs`.
        """
        return self._loaded_with_cubin().n_spills

    @property
    def n_max_threads(self) -> int:
        """Most threads of a program, as the driver has them."""
        return self.on_device.loaded().n_max_threads

    def _init_handles(self) -> None:
        """Loads the kernel: by Triton's name, which torch calls before it reads `function` and `run`."""
        self.on_device.loaded()

    def resources(self) -> dict[str, int]:
        """Registers, memory and occupancy, see `DeviceKernel.resources`."""
        return self.on_device.resources()

    @property
    def run(self) -> Any:
        """The launcher: `run(x, y, z, stream, function, packed_metadata, launch_metadata, enter_hook, exit_hook,
        *arguments)`, see `ttkit.runtime.launcher.Launcher`; loaded if it was not."""
        self.on_device.loaded()
        return self.on_device.run

    def __getitem__(self, grid: int | Sequence[int]) -> Callable[..., None]:
        """`kernel[grid](*arguments, stream=None)`: launches it, see `launch`.

        The arguments are those of the function: all of them, or without those that are constants of this kernel.
        """

        def launch(*arguments: Any, stream: Any = None) -> None:
            """Launches on the grid; without a stream on the current one."""
            self.launch(grid, self._with_constants(arguments), stream)

        return launch

    def launch(self, grid: int | Sequence[int], arguments: Sequence[Any], stream: Any = None) -> None:
        """Starts the kernel, and returns before it ends.

        Args:
            grid: programs in up to three dimensions; a grid of none starts nothing.
            arguments: all of the function's, constants too.
            stream: torch's or CuPy's, or the driver's handle; None for the current one.

        Raises:
            ArgumentError: an argument does not fit, or the grid is too large.
            KernelFault: of a kernel before; of this one if `check` is set.
        """
        self.on_device.launch(grid, arguments, stream)
        if self.check:
            self.synchronize()

    def synchronize(self) -> None:
        """Waits until all that was launched has ended.

        Raises:
            KernelFault: a kernel did something that ended it.
        """
        self.on_device.synchronize()

    def _with_constants(self, arguments: Sequence[Any]) -> Sequence[Any]:
        """The arguments with the constants of this kernel, where they are left out."""
        count, passed = self._counted
        if len(arguments) == count or len(arguments) != len(passed):
            return arguments
        full: list[Any] = [self.src.constants.get((index,)) for index in range(count)]
        for index, value in zip(passed, arguments):
            full[index] = value
        return full

    @cached_property
    def _counted(self) -> tuple[int, list[int]]:
        """The number of arguments, and which of them are not constants."""
        types = argument_types(self.src) or []
        return len(types), [index for index, kind in enumerate(types) if kind != "constexpr"]

    def launch_metadata(self, grid: Any, stream: Any, *args: Any) -> LazyDict | None:
        """Facts of a launch for hooks; None where there are no hooks."""
        if not knobs.runtime.launch_enter_hook and not knobs.runtime.launch_exit_hook:
            return None
        told = LazyDict({"name": self.name, "stream": stream}, self)
        function = getattr(self.src, "fn", None)
        if function is not None and function.launch_metadata is not None:
            arguments = dict(zip(function.arg_names, args))
            told.add(function.launch_metadata, (grid, self.metadata, arguments))
        return told

    def __repr__(self) -> str:
        return f"CompiledKernel({self.name}, {self.metadata.target.backend}:{self.metadata.target.arch})"


class CubinSource(NamedTuple):
    """The origin of a kernel that others compiled."""

    name: str
    signature: dict[int, str] | None


def _named(fields: Mapping[str, Any]) -> Any:
    """The metadata as a named tuple."""
    values = {**fields, "target": GPUTarget(**fields["target"])}
    names = sorted(name for name in values if name.isidentifier())
    return _named_tuple(tuple(names))(*(values[name] for name in names))


@cache
def _named_tuple(names: tuple[str, ...]) -> Any:
    return namedtuple("KernelMetadata", names)
