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
from ttkit.cuda.device import DeviceMemory
from ttkit.options import CompileOptions
from ttkit.passes.infra import collect
from ttkit.passes.instrument_memory import OFFSET_BITS, is_kernel, pointer_arguments, sites
from ttkit.passes.manager import run_passes
from ttkit.runtime.compiled_kernel import CompiledKernel
from ttkit.runtime.driver import CudaDriver
from ttkit.runtime.host_arrays import HostArrays, byte_bounds, has_host_arrays
from ttkit.runtime.launcher import Launcher
from ttkit.runtime.parameters import argument_names, argument_types
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
"""Tables kept for one kernel; each set of tensors has one."""
Bounds = tuple[tuple[int, int], tuple[tuple[int, int], ...]]
"""`_sides` of a grid, and the first byte and the size of what each row is of."""
WRITES = ("tt.store", "ttng.async_tma_copy_local_to_global")


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
            """The stage, and after it the checks and the list of their sites."""
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

    is_native = True

    def __init__(self, kernel: CompiledKernel, sanitizer: Sanitizer) -> None:
        types = argument_types(kernel.src) or []
        named = dict(enumerate([*types, "*i64"]))
        super().__init__(SimpleNamespace(signature=named), kernel.metadata)
        self.kernel, self.sanitizer = kernel, sanitizer
        self.tables: dict[Bounds, tuple[DeviceMemory, list[Any]]] = {}
        self.known: dict[Any, int] = {}
        self.types = types
        self.pointers = [n for n, kind in enumerate(types) if isinstance(kind, str) and kind.startswith("*")]
        self.blocks = [n for n, kind in enumerate(types) if isinstance(kind, str) and kind.startswith("tensordesc")]
        self.has_others = any(isinstance(kind, tuple) or kind == "nvTmaDesc" for kind in types)
        self.looked = time.monotonic()
        names = argument_names(kernel.src, len(types))
        self.names = [name for name, kind in zip(_flat(names, types), _flat(types, types)) if _has_row(kind)]

    def _launch(self, grid: tuple[int, int, int], stream: int, function: int, arguments: Any) -> None:
        if has_host_arrays(arguments):
            assert self._packing is not None
            arrays = HostArrays(arguments, self._packing[0].types)
            on_gpu = arrays.on_gpu(arguments)
            self._count(*grid)
            self._start(grid, stream, function, (*on_gpu, self._table_for(on_gpu, arguments, _sides(*grid))))
            arrays.copy_back(stream)
        else:
            self._start(grid, stream, function, (*arguments, self.last_argument(arguments, *grid)))

    def last_argument(self, arguments: Sequence[Any], x: int, y: int, z: int) -> int:
        """The table of a launch, by its address: that of the launch before, mostly."""
        self._count(x, y, z)
        sides = _sides(x, y, z)
        try:
            key = None if self.has_others else (sides, *self._identity(arguments))
            table = self.known.get(key)
        except (AttributeError, TypeError):  # something else for a pointer
            key = table = None
        if table is None:
            table = self._table_for(arguments, arguments, sides)
            if key is not None:
                self.known[key] = table
        return table

    def _count(self, x: int, y: int, z: int) -> None:
        findings = self.sanitizer.findings
        findings.launches += 1
        findings.programs += x * y * z
        if time.monotonic() - self.looked > EVERY:
            self.look()

    def _identity(self, arguments: Sequence[Any]) -> list[Any]:
        """Equal for tensors with the same bounds.

        Raises:
            AttributeError, TypeError: there is something else for a pointer.
        """
        found = []
        for n in self.pointers:
            value = arguments[n]
            found.append((value.data_ptr(), value.shape, value.stride()))
        for n in self.blocks:
            value = arguments[n].base
            found.append((value.data_ptr(), value.shape, value.stride()))
        return found

    def _table_for(self, arguments: Sequence[Any], given: Sequence[Any], sides: tuple[int, int]) -> int:
        """The table for arguments, some of them taken to the GPU; `given`, as they were passed."""
        rows: list[tuple[int, int, Any]] = []
        maps = iter(self.descriptors)
        for kind, value, before in zip(
            _flat(self.types, self.types), *(_flat(v, self.types) for v in (arguments, given))
        ):
            if kind.startswith("tensordesc"):
                low, size = _bounds(value.base, before.base)
                is_map = next(maps, None) is not None  # whose row counts from the descriptor
                rows.append((low - int(pointer(value.base)) if is_map else low, size, before.base))
            elif kind == "nvTmaDesc":
                rows.append((0, 0, None))
            elif _has_row(kind):
                rows.append((*_bounds(value, before), before))
        return self.table_of(rows, sides)

    def table_of(self, tensors: list[tuple[int, int, Any]], sides: tuple[int, int]) -> int:
        """The address of the table for tensors of these bounds, (first byte, size, the tensor), and this grid."""
        key = sides, tuple((base, size) for base, size, _ in tensors)
        if key not in self.tables:
            if len(self.tables) >= MOST_TABLES:
                self.look()
                self.tables.clear()
                self.known.clear()
            rows = np.array([number for bounds in key[1] for number in bounds], np.int64).view(np.uint64)
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
            start = memory.data_ptr() + 16 * len(key[1])
            libcuda.call("cuCtxSynchronize")
            libcuda.call("cuMemcpyDtoH_v2", noted.ctypes.data, start, noted.nbytes)
            for number in np.flatnonzero(noted != np.uint64(NONE)):
                self.tell(int(number), int(noted[number]), key, shapes)

    def tell(self, number: int, noted: int, key: Bounds, shapes: list[Any]) -> None:
        """Reports an access that was noted."""
        where, op, row = self.kernel.checked_sites[number]
        (x, y), bounds = key
        program = noted >> OFFSET_BITS
        offset = (noted & ((1 << OFFSET_BITS) - 1)) - (1 << (OFFSET_BITS - 1))
        shape, itemsize = shapes[row] if row < len(shapes) else (None, 1)
        name = self.names[row] if row < len(self.names) else f"pointer {row}"
        size = bounds[row][1]
        place = f"element {offset // itemsize}" if offset % itemsize == 0 else f"byte {offset}"
        side = "before the first" if offset < 0 else "past the last"
        does = "updates" if "atomic" in op or "reduce" in op else "writes" if op in WRITES else "reads"
        text = f"{does} {name} at {place}, {side}: it has {size // itemsize} elements"
        finding = Finding("out-of-bounds", self.name, text, where, _program(program, x, y))
        finding.argument, finding.shape = name, shape
        finding.fix = "add a mask, or compare each index with the size of its dimension"
        if "tma" in op:
            finding.fix = "give the descriptor the tensor's own shape"
        self.sanitizer.tell(finding)


def _sides(x: int, y: int, z: int) -> tuple[int, int]:
    """Sizes of a grid that tell a program from its number; 0 where they do not matter."""
    return x if y > 1 or z > 1 else 0, y if z > 1 else 0


def _program(number: int, x: int, y: int) -> tuple[int, int, int]:
    """A program by its number, in a grid of these `_sides`."""
    row, column = divmod(number, x) if x else (0, number)
    return column, *(reversed(divmod(row, y)) if y else (row, 0))


def _has_row(kind: Any) -> bool:
    """Whether the table has bounds for an argument of this type."""
    return str(kind).startswith(("*", "tensordesc", "nvTmaDesc"))


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
