"""Sanitizing on a GPU: kernels are compiled with `ttkit-instrument-memory`, launches pass the bounds of their tensors.

What a kernel notes stays on the GPU, and is read now and then and at the end: a launch waits for nothing.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from ctypes import byref, c_size_t, c_uint64
from types import SimpleNamespace
from typing import Any

import numpy as np
from mlir import ir

from ttkit.compiler.backend import Stage
from ttkit.compiler.compilation import Compilation
from ttkit.cuda import libcuda
from ttkit.options import CompileOptions
from ttkit.passes.infra import collect
from ttkit.passes.instrument_memory import OFFSET_BITS, is_kernel, pointer_arguments, sites
from ttkit.passes.manager import run_passes
from ttkit.runtime.allocation import DeviceMemory
from ttkit.runtime.compiled_kernel import CompiledKernel, argument_types
from ttkit.runtime.driver import CudaDriver
from ttkit.runtime.host_arrays import byte_bounds
from ttkit.runtime.launcher import Launcher
from ttkit.runtime.parameters import Parameters
from ttkit.runtime.pointers import pointer
from ttkit.sanitizer.findings import Finding
from ttkit.sanitizer.process import Sanitizer
from ttkit.sanitizer.source_lines import Site
from ttkit.sanitizer.source_lines import sites as source_sites
from ttkit.target import GPUTarget

NONE = (1 << 64) - 1
"""In the place of an access: nothing was noted."""
EVERY = 0.2
"""Seconds after which a launch looks at what was noted."""
MOST_TABLES = 64
"""Of one kernel; each set of tensors has one."""


class DeviceSanitizer(CudaDriver):
    """A driver whose kernels check their accesses."""

    def __init__(self, sanitizer: Sanitizer) -> None:
        self.sanitizer, self.compile_state = sanitizer, sanitizer.name
        self.launchers: list[CheckedLauncher] = []
        sanitizer.at_end.append(self.look)

    def compile_kernel(self, source: Any, target: GPUTarget, options: CompileOptions) -> CompiledKernel:
        """Compiles with checks."""
        made = InstrumentedCompilation(source, target, options)
        made.run()
        kernel = CompiledKernel.from_compilation(made)
        kernel.checked_sites = made.sites
        return kernel

    def launcher_of(self, kernel: CompiledKernel) -> Launcher:
        """Launcher of a kernel."""
        if not hasattr(kernel, "checked_sites"):  # of another origin
            return Launcher(kernel.src, kernel.metadata)
        made = CheckedLauncher(kernel, self.sanitizer)
        self.launchers.append(made)
        return made

    def look(self) -> None:
        """Reads what kernels have noted."""
        for launcher in self.launchers:
            launcher.look()


class InstrumentedCompilation(Compilation):
    """A compilation whose ttg is instrumented.

    sites: of each access that is checked: the place in the source, the operation, the number of the pointer.
    """

    sites: list[tuple[list[Site], str, int]] = []

    def _make_level(self, level: str, stage: Stage, previous: Any, context: ir.Context, cache_folder: str) -> Any:
        def instrumented(module: Any, metadata: dict[str, Any]) -> Any:
            made = stage(module, metadata)
            self.sites = [site for kernel in collect(made.operation, ["tt.func"]) if is_kernel(kernel)
                          for site in described(kernel)]  # fmt: skip
            run_passes(made, "ttkit-instrument-memory,canonicalize,cse")
            return made

        return super()._make_level(level, instrumented if level == "ttgir" else stage, previous, context, cache_folder)


def described(kernel: ir.Operation) -> list[tuple[list[Site], str, int]]:
    """Text that findings say of each access of `sites`."""
    rows = pointer_arguments(kernel)
    return [
        (list(source_sites(str(access.location)[4:-1], access.name)), access.name, rows.index(argument))
        for access, argument in sites(kernel)
    ]


class CheckedLauncher(Launcher):
    """Launches one kernel with the bounds of its tensors."""

    def __init__(self, kernel: CompiledKernel, sanitizer: Sanitizer) -> None:
        types = argument_types(kernel.src) or []
        named = dict(enumerate([*types, "*i64"]))
        super().__init__(SimpleNamespace(signature=named), kernel.metadata)
        self.kernel, self.sanitizer = kernel, sanitizer
        self.tables: dict[tuple[tuple[int, int], ...], tuple[DeviceMemory, list[Any]]] = {}
        self.known: dict[Any, int] = {}
        self.places = [place for place, kind in enumerate(types) if isinstance(kind, str) and kind.startswith("*")]
        self.looked = time.monotonic()
        self.given: Sequence[Any] = ()
        names = getattr(getattr(kernel.src, "fn", None), "arg_names", None) or [f"arg{n}" for n in range(len(types))]
        self.names = [name for name, kind in zip(_flat(names, types), _flat(types, types)) if str(kind).startswith("*")]

    def _launch(self, grid: tuple[int, int, int], stream: int, function: int, arguments: Any) -> None:
        self.given = arguments
        super()._launch(grid, stream, function, arguments)
        findings = self.sanitizer.findings
        findings.launches += 1
        findings.programs += grid[0] * grid[1] * grid[2]
        self.grid = grid
        if time.monotonic() - self.looked > EVERY:
            self.look()

    def _start(self, grid: tuple[int, int, int], stream: int, function: int, arguments: Any) -> None:
        assert self._packing is not None
        parameters = self._packing[0]
        known = self._identity(arguments) if parameters.is_plain else None
        if known is None or (table := self.known.get(known)) is None:
            table = self._table_for(parameters, arguments)
            if known is not None:
                self.known[known] = table
        super()._start(grid, stream, function, (*arguments, table))

    def _identity(self, arguments: Sequence[Any]) -> Any:
        """Equal for tensors with the same bounds; None if there is something else for a pointer."""
        try:
            return tuple(
                (value.data_ptr(), value.shape, value.stride()) for value in (arguments[n] for n in self.places)
            )
        except (AttributeError, TypeError):
            return None

    def _table_for(self, parameters: Parameters, arguments: Sequence[Any]) -> int:
        kinds = parameters.kinds
        values, given = (parameters.values((*passed, 0)) for passed in (arguments, self.given))
        pairs = [(v, g) for kind, v, g in zip(kinds, values, given) if kind.startswith("*")][:-1]
        return self.table_of([(*_bounds(value, before), before) for value, before in pairs])

    def table_of(self, tensors: list[tuple[int, int, Any]]) -> int:
        """The address of the table for tensors of these bounds: (first byte, size, the tensor)."""
        key = tuple((base, size) for base, size, _ in tensors)
        if key not in self.tables:
            if len(self.tables) >= MOST_TABLES:
                self.look()
                self.tables.clear()
                self.known.clear()
            rows = np.array([*(number for bounds in key for number in bounds)], np.uint64)
            contents = np.concatenate([rows, np.full(len(self.kernel.checked_sites), NONE, np.uint64)])
            memory = DeviceMemory(contents.nbytes + 8)
            libcuda.call("cuMemcpyHtoD_v2", memory.data_ptr(), contents.ctypes.data, contents.nbytes)
            shapes = [_shape(tensor) for _, _, tensor in tensors]
            self.tables[key] = memory, shapes
        return self.tables[key][0].data_ptr()

    def look(self) -> None:
        """Reads what was noted, waiting for what runs."""
        self.looked = time.monotonic()
        for key, (memory, shapes) in self.tables.items():
            noted = np.empty(len(self.kernel.checked_sites), np.uint64)
            if not noted.size:
                continue
            start = memory.data_ptr() + 16 * len(key)
            libcuda.call("cuCtxSynchronize")
            libcuda.call("cuMemcpyDtoH_v2", noted.ctypes.data, start, noted.nbytes)
            for number in np.flatnonzero(noted != np.uint64(NONE)):
                self.tell(int(number), int(noted[number]), key, shapes)

    def tell(self, number: int, noted: int, bounds: tuple[tuple[int, int], ...], shapes: list[Any]) -> None:
        """Reports an access that was noted."""
        where, op, row = self.kernel.checked_sites[number]
        x, y, _ = self.grid
        program = noted >> OFFSET_BITS
        offset = (noted & ((1 << OFFSET_BITS) - 1)) - (1 << (OFFSET_BITS - 1))
        shape, itemsize = shapes[row] if row < len(shapes) else (None, 1)
        name = self.names[row] if row < len(self.names) else f"pointer {row}"
        size = bounds[row][1]
        place = f"element {offset // itemsize}" if offset % itemsize == 0 else f"byte {offset}"
        side = "before the first" if offset < 0 else "behind the last"
        does = {"tt.store": "writes"}.get(op, "updates" if "atomic" in op else "reads")
        text = f"{does} {name} at {place}, {side}: it has {size // itemsize} elements"
        finding = Finding("out-of-bounds", self.name, text, where, (program % x, program // x % y, program // (x * y)))
        finding.argument, finding.shape = name, shape
        finding.fix = "add a mask, or compare each index with the size of its dimension"
        self.sanitizer.tell(finding)


def _flat(values: Any, types: Sequence[Any]) -> list[Any]:
    """Names, or types, of what tuples are taken apart into."""
    found: list[Any] = []
    for value, kind in zip(values, types):
        if isinstance(kind, tuple):
            inner = value if isinstance(value, tuple) else [f"{value}[{n}]" for n in range(len(kind))]
            found += _flat(inner, kind)
        else:
            found.append(value)
    return found


def _bounds(value: Any, given: Any) -> tuple[int, int]:
    """First byte and size of what a pointer may access: of a tensor, from its first element to its last."""
    if isinstance(given, np.ndarray):
        if not given.size:
            return 0, 0
        low, high = byte_bounds(given)
        return int(value) + low - given.ctypes.data, high - low
    if value is None:
        return 0, 0
    address = int(value) if isinstance(value, int) else int(pointer(value))
    shape, itemsize = _shape(value)
    steps = _strides(value, itemsize)
    if shape is None or steps is None:
        return _allocation(address)
    if not all(shape):
        return address, 0
    low = sum(min(0, (count - 1) * step) for count, step in zip(shape, steps))
    high = sum(max(0, (count - 1) * step) for count, step in zip(shape, steps)) + itemsize
    return address + low, high - low


def _shape(value: Any) -> tuple[tuple[int, ...] | None, int]:
    """Shape of a tensor, None if it is none, and bytes of an element."""
    shape = getattr(value, "shape", None)
    size = getattr(value, "itemsize", None) or getattr(value, "element_size", None)
    if shape is None or size is None:
        return None, 1
    return tuple(int(count) for count in shape), int(size() if callable(size) else size)


def _strides(value: Any, itemsize: int) -> tuple[int, ...] | None:
    """Strides of a tensor in bytes; None if they are not known."""
    if hasattr(value, "stride"):
        return tuple(step * itemsize for step in value.stride())
    found = getattr(value, "strides", None)
    return None if found is None else tuple(found)


def _allocation(address: int) -> tuple[int, int]:
    """The allocation of the driver that an address is in."""
    base, size = c_uint64(), c_size_t()
    libcuda.call("cuMemGetAddressRange_v2", byref(base), byref(size), address)
    return base.value, size.value
