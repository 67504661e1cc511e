"""A libcuda for tests without a GPU, compiled from libcuda.c: it runs nothing and writes down launches."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).with_name("libcuda.c")
MAX_BYTES, MAX_ATTRIBUTES = 1024, 8
_FLAGS = ("-O2", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1")


class Attribute(ctypes.Structure):
    _fields_ = [("id", ctypes.c_int), ("padding", ctypes.c_int), ("value", ctypes.c_uint32 * 16)]


class RawLaunch(ctypes.Structure):
    _fields_ = [
        ("function", ctypes.c_uint64),
        ("stream", ctypes.c_uint64),
        ("context", ctypes.c_uint64),
        ("grid", ctypes.c_uint32 * 3),
        ("block", ctypes.c_uint32 * 3),
        ("shared", ctypes.c_uint32),
        ("attribute_count", ctypes.c_uint32),
        ("attributes", Attribute * MAX_ATTRIBUTES),
        ("byte_count", ctypes.c_uint32),
        ("bytes", ctypes.c_uint8 * MAX_BYTES),
    ]


@dataclass(frozen=True)
class Launch:
    """What the driver was asked for.  arguments: the bytes of all parameters, one after the other."""

    function: int
    stream: int
    context: int
    grid: tuple[int, ...]
    block: tuple[int, ...]
    shared: int
    attributes: dict[int, list[int]]
    arguments: bytes


def build(folder: Path) -> Path | None:
    """Compiles the library; None where there is no C compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        return None
    path = folder / "libcuda.so.1"
    if not path.exists():
        subprocess.run([compiler, *_FLAGS, "-o", path, SOURCE, "-lpthread"], check=True)
    return path


class FakeDriver:
    """The library in this process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lib = ctypes.CDLL(str(path))
        self.lib.fake_launch.restype = ctypes.POINTER(RawLaunch)
        self.lib.fake_host.argtypes = [ctypes.c_uint64] * 2
        self.lib.fake_set_context.argtypes = [ctypes.c_uint64]

    def reset(self) -> None:
        self.lib.fake_reset()

    def expect(self, *sizes: int) -> None:
        """Bytes of the parameters that are kept of the next launches."""
        self.lib.fake_parameters(len(sizes), (ctypes.c_int * len(sizes))(*sizes))

    def fail(self, function: str, code: int) -> None:
        """From now on, a function fails."""
        self.lib.fake_fail(function.encode(), code)

    def limits(
        self, registers: int = 32, local: int = 0, threads: int = 1024, capability: int = 90, shared: int = 227 << 10
    ) -> None:
        self.lib.fake_limits(registers, local, threads, capability, shared)

    @property
    def loads(self) -> int:
        """How many modules were loaded."""
        return self.lib.fake_loads()

    @property
    def tensor_maps(self) -> int:
        """How many were encoded."""
        return self.lib.fake_tensor_maps()

    @property
    def launches(self) -> list[Launch]:
        return [self._launch(index) for index in range(self.lib.fake_launch_count())]

    def _launch(self, index: int) -> Launch:
        raw = self.lib.fake_launch(index).contents
        attributes = {one.id: list(one.value) for one in raw.attributes[: raw.attribute_count]}
        return Launch(
            raw.function,
            raw.stream,
            raw.context,
            tuple(raw.grid),
            tuple(raw.block),
            raw.shared,
            attributes,
            bytes(raw.bytes[: raw.byte_count]),
        )
