"""A kernel that `ttkit.compile` made, or that the cache had."""

from __future__ import annotations

import json
from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ttkit import knobs
from ttkit.compiler.backend import make_backend
from ttkit.target import GPUTarget

if TYPE_CHECKING:
    from ttkit.runtime.device_kernel import DeviceKernel

_BINARY = frozenset(["cubin"])


class AsmDict(Mapping[str, Any]):
    """Levels of a kernel by name: "source", "ttir"... text, "cubin" bytes; "sass" is made of the cubin when asked for.

    Args:
        contents: by level, as they are stored.
    """

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        self._contents = dict(contents)
        self._made: dict[str, Any] = {}

    def __getitem__(self, level: str) -> Any:
        if level not in self._made:
            if level == "sass" and level not in self._contents:
                from ttkit.compiler.disassembly import sass

                self._made[level] = sass(self["cubin"])
            else:
                stored = self._contents[level]
                self._made[level] = stored if level in _BINARY else stored.decode()
        return self._made[level]

    def __contains__(self, level: object) -> bool:
        return level in self._contents

    def __iter__(self) -> Iterator[str]:
        return iter(self._contents)

    def __len__(self) -> int:
        return len(self._contents)


class LazyDict:
    """What a hook is told of a launch: found when it asks."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.extras: list[tuple[Callable[..., dict[str, Any]], tuple[Any, ...]]] = []

    def get(self) -> dict[str, Any]:
        """All of it."""
        for function, arguments in self.extras:
            self.data = self.data | function(*arguments)
        self.extras.clear()
        return self.data

    def add(self, func: Callable[..., dict[str, Any]], args: tuple[Any, ...]) -> None:
        """`func(*args)` gives more."""
        self.extras.append((func, args))


class CompiledKernel:
    """A compiled kernel.

    Attributes:
        src: what it was compiled from.
        asm: its levels, see `AsmDict`.
        metadata: what a launcher must know, as a named tuple with sorted fields.
        metadata_group: {name: path} of its files in the cache; empty if they could not be written.
        packed_metadata: number of warps and of CTAs, bytes of shared memory.
        hash: of the cache key.
        name: of the kernel in the cubin.
        kernel: the cubin.
    """

    def __init__(
        self,
        src: Any,
        metadata_group: dict[str, str],
        hash: str,
        *,
        contents: Mapping[str, bytes] | None = None,
    ) -> None:
        if contents is None:
            contents = {name: _read(path) for name, path in metadata_group.items()}
        (described,) = (data for name, data in contents.items() if name.endswith(".json"))
        self._fields: dict[str, Any] = json.loads(described)
        self.src = src
        self.hash = hash
        self.metadata_group = metadata_group
        self.metadata = _named(self._fields)
        self.name: str = self.metadata.name
        self.packed_metadata = make_backend(self.metadata.target).pack_metadata(self.metadata)
        levels = {name.rpartition(".")[2]: data for name, data in contents.items() if not name.endswith(".json")}
        self.asm = AsmDict(levels)
        self.kernel: bytes = levels.get("cubin", b"")

    # --- on a GPU: all of this may raise DriverMissing, OutOfResources, WrongArchitecture, DriverError ---------------

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

    @property
    def n_regs(self) -> int:
        """Registers of a thread, as the driver has them."""
        return self.on_device.loaded().n_regs

    @property
    def n_spills(self) -> int:
        """Registers that a thread keeps in memory, as the driver has them."""
        return self.on_device.loaded().n_spills

    @property
    def n_max_threads(self) -> int:
        """Most threads of a program, as the driver has them."""
        return self.on_device.loaded().n_max_threads

    def _init_handles(self) -> None:
        """Loads the kernel: by Triton's name, which torch calls before it reads `function` and `run`."""
        self.on_device.loaded()

    def resources(self) -> dict[str, int]:
        """What it takes, see `DeviceKernel.resources`."""
        return self.on_device.resources()

    @property
    def run(self) -> Any:
        """What launches it: `run(x, y, z, stream, function, packed_metadata, launch_metadata, enter_hook, exit_hook,
        *arguments)`, see `ttkit.runtime.launcher.Launcher`; loaded if it was not."""
        self.on_device.loaded()
        return self.on_device.run

    def __getitem__(self, grid: int | Sequence[int]) -> Callable[..., None]:
        """`kernel[grid](*arguments, stream=None)`: launches it.

        The arguments are those of the function: all of them, or without those that are constants of this kernel.

        Raises, when it is called:
            ArgumentError: an argument does not fit, or the grid is too large.
        """

        def launch(*arguments: Any, stream: Any = None) -> None:
            if len(arguments) != self._argument_count and len(arguments) == len(self._passed):
                arguments = self._with_constants(arguments)
            self.on_device.launch(grid, arguments, stream)

        return launch

    @property
    def _argument_count(self) -> int:
        return len(argument_types(self.src))

    @cached_property
    def _passed(self) -> list[int]:
        """The numbers of the arguments that are no constants."""
        return [index for index, kind in enumerate(argument_types(self.src)) if kind != "constexpr"]

    def _with_constants(self, arguments: Sequence[Any]) -> tuple[Any, ...]:
        full: list[Any] = [self.src.constants.get((index,)) for index in range(self._argument_count)]
        for index, value in zip(self._passed, arguments):
            full[index] = value
        return tuple(full)

    def launch_metadata(self, grid: Any, stream: Any, *args: Any) -> LazyDict | None:
        """What hooks are told of a launch; None where there are no hooks."""
        if not knobs.runtime.launch_enter_hook and not knobs.runtime.launch_exit_hook:
            return None
        told = LazyDict({"name": self.name, "function": self.function, "stream": stream})
        function = getattr(self.src, "fn", None)
        if function is not None and function.launch_metadata is not None:
            arguments = dict(zip(function.arg_names, args))
            told.add(function.launch_metadata, (grid, self.metadata, arguments))
        return told

    def __repr__(self) -> str:
        return f"CompiledKernel({self.name}, {self.metadata.target.backend}:{self.metadata.target.arch})"


def argument_types(src: Any) -> list[Any]:
    """Types of all arguments of a source, in order; "constexpr" for constants."""
    function = getattr(src, "fn", None)
    if function is None:
        return list(src.signature.values())
    return [src.signature.get(name, "constexpr") for name in function.arg_names]


def _named(fields: Mapping[str, Any]) -> Any:
    """The metadata as a named tuple."""
    values = {**fields, "target": GPUTarget(**fields["target"])}
    names = sorted(name for name in values if name.isidentifier())
    return _named_tuple(tuple(names))(*(values[name] for name in names))


_kinds: dict[tuple[str, ...], Any] = {}


def _named_tuple(names: tuple[str, ...]) -> Any:
    if names not in _kinds:
        _kinds[names] = namedtuple("KernelMetadata", names)
    return _kinds[names]


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
