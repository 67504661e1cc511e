"""ttkit doctor: what is installed, what the machine has, and what is wrong with it."""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import ttkit
import ttkit.knobs as knobs
from ttkit.cuda_toolkit import toolkit_file
from ttkit.drivers.unneeded import is_editable, trim, unneeded
from ttkit.drivers.user_errors import UserError
from ttkit.installation import FOLDER

_VARIABLES = re.compile(r"(TRITON|TTKIT|MLIR|LLVM)_|(CUDA_(HOME|PATH|VISIBLE_DEVICES)|DISABLE_PTXAS_OPT|PYTHONPATH)$")
_BESIDE = ("torch", "triton", "cupy", "jax", "scipy")
_KERNEL = """\
tt.func public @doctor(%out: !tt.ptr<f32>, %x: f32) {
  tt.store %out, %x : !tt.ptr<f32>
  tt.return
}
"""


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at, and what was found.

    problem: what is wrong and what to do; empty if nothing is.
    is_fatal: with this, kernels can't be compiled.
    """

    subject: str
    found: str
    problem: str = ""
    is_fatal: bool = False


def run(options: argparse.Namespace) -> int:
    """Prints all findings; exit code 1 if kernels can't be compiled, or nothing could be removed.

    Raises:
        UserError: the installation can't be made smaller.
    """
    if options.trim:
        return _trim()
    if options.unneeded:
        found = list(unneeded())
        print("\n".join(path for path, _ in found))
        print(f"{sum(size for _, size in found) / 1e6:.0f} MB in {len(found)} files", file=sys.stderr)
        return 0
    findings = [finding for look in LOOKS for finding in look()]
    if options.json:
        print(json.dumps([asdict(finding) for finding in findings], indent=1))
    else:
        for finding in findings:
            print(f"{finding.subject:<28} {finding.found}")
        problems = [finding for finding in findings if finding.problem]
        print("\nnothing is wrong" if not problems else "\nwhat is wrong:")
        for finding in problems:
            print(f"- {finding.subject}: {finding.problem}")
    return int(any(finding.is_fatal for finding in findings))


def _trim() -> int:
    if is_editable():
        raise UserError("ttkit is installed from a checkout, whose build takes these files: nothing is removed")
    try:
        done = trim()
    except OSError as error:
        raise UserError(f"the installation can't be changed: {error}") from None
    if not done.files:
        print("nothing is left to remove", file=sys.stderr)
        return 1
    stripped = (
        f", and symbols of {done.libraries} librar{'y' if done.libraries == 1 else 'ies'}" if done.libraries else ""
    )
    print(f"removed {done.size / 1e6:.0f} MB: {done.files} files that ttkit does not use{stripped}")
    return 0


def packages() -> Iterator[Finding]:
    """ttkit, Python, the system, and the packages that ttkit needs."""
    yield Finding("ttkit", f"{ttkit.__version__} in {FOLDER}")
    libc = " ".join(platform.libc_ver()) or "unknown C library"
    yield Finding("Python", f"{platform.python_version()} ({sys.executable})")
    yield Finding("system", f"{platform.system()} {platform.machine()}, {libc}")
    for text in importlib.metadata.requires("ttkit") or ():
        requirement, _, marker = text.partition(";")
        if "extra" not in marker:
            yield _package(requirement.strip())
    for name in _BESIDE:
        try:
            yield Finding(name, importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            continue


def _package(requirement: str) -> Finding:
    name, bounds = re.fullmatch(r"([\w.-]+)(.*)", requirement).groups()  # type: ignore[union-attr]
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return Finding(name, "missing", f"it is not installed: pip install '{requirement}'", is_fatal=True)
    fits = all(_fits(version, *found) for found in re.findall(r"(==|>=|<)([\w.]+)", bounds))
    return Finding(name, version, "" if fits else f"ttkit needs {bounds}: pip install '{requirement}'")


def _fits(version: str, comparison: str, bound: str) -> bool:
    left, right = ([int(part) for part in re.findall(r"\d+", text)] for text in (version, bound))
    return {"==": left == right, ">=": left >= right, "<": left < right}[comparison]


def size() -> Iterator[Finding]:
    """The files of the packages that ttkit does not use."""
    if is_editable():
        return
    megabytes = sum(size for _, size in unneeded()) / 1e6
    if megabytes >= 1:
        yield Finding("files that are not used", f"{megabytes:.0f} MB; `ttkit doctor --trim` removes them")


def libraries() -> Iterator[Finding]:
    """Checks what is loaded: the dialects, MLIR, the launcher."""
    from ttkit.runtime.native import extension  # imports numpy and the runtime, which the line before may be about

    try:
        with ttkit.Context():
            ttkit.parse(_KERNEL)
        yield Finding("MLIR with tt, ttg, ttng", "loads and reads IR")
    except Exception as error:
        yield Finding("MLIR with tt, ttg, ttng", "does not load", f"{type(error).__name__}: {error}", is_fatal=True)
    launcher = extension()
    slow = "it was built without Python's headers: launches take some 0.3 ms"
    yield Finding("native launcher", "loads" if launcher else "missing", "" if launcher else slow)


def tools() -> Iterator[Finding]:
    """ptxas, libdevice, and the disassembler."""
    try:
        ptxas = knobs.nvidia.ptxas
        yield Finding("ptxas", f"{ptxas.version}, {ptxas.path}")
    except (RuntimeError, OSError) as error:
        yield Finding("ptxas", "missing", str(error), is_fatal=True)
    libdevice = toolkit_file("nvvm", "libdevice", "libdevice.10.bc")
    lacking = "kernels with mathematical functions can't be compiled: pip install 'nvidia-nvvm>=13.0.88,<13.1'"
    yield Finding("libdevice", libdevice or "missing", "" if libdevice else lacking)
    try:
        found = knobs.nvidia.nvdisasm
        yield Finding("nvdisasm", f"{found.version}, {found.path}")
    except (RuntimeError, OSError):
        yield Finding("nvdisasm", 'not installed: kernel.asm["sass"] needs pip install "ttkit[sass]"')


def gpus() -> Iterator[Finding]:
    """The driver and its GPUs."""
    from ctypes import byref, c_int

    from ttkit.cuda import libcuda
    from ttkit.cuda.device import Device

    where = os.environ.get("TRITON_LIBCUDA_PATH") or libcuda.library_path()
    try:
        version, count = c_int(), c_int()
        libcuda.call("cuDriverGetVersion", byref(version))
        libcuda.call("cuDeviceGetCount", byref(count))
    except libcuda.DriverError as error:
        yield Finding("driver and GPU", f"none: {error}")
        return
    cuda = f"{version.value // 1000}.{version.value % 1000 // 10}"
    yield Finding("driver", f"for CUDA {cuda}, {where}", _driver_problem(cuda))
    for ordinal in range(count.value):
        device = Device.of(ordinal)
        try:
            ttkit.options.parse_arch(f"sm{device.capability}")
            problem = ""
        except ValueError as error:
            problem = str(error)
        yield Finding(f"GPU {ordinal}", f"{device.name}, sm_{device.capability}", problem)


def _driver_problem(cuda: str) -> str:
    try:
        ptxas = knobs.nvidia.ptxas.version
    except (RuntimeError, OSError):
        return ""
    if int(cuda.split(".")[0]) >= int(ptxas.split(".")[0]):
        return ""
    return (
        f"it runs cubins of CUDA {cuda.split('.')[0]} and older, but ptxas has version {ptxas}: "
        "install a newer driver, or set TRITON_PTXAS_PATH to an older ptxas"
    )


def compiling() -> Iterator[Finding]:
    """A small kernel, from tt to a cubin."""
    started = time.perf_counter()
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "doctor.ttir")
            Path(path).write_text(_KERNEL)
            from ttkit.compiler.compilation import Compilation
            from ttkit.compiler.sources import IRSource
            from ttkit.options import CompileOptions

            target = ttkit.GPUTarget("cuda", 90, 32)
            Compilation(IRSource(path, 90), target, CompileOptions.for_capability(90)).run()
    except Exception as error:
        yield Finding("compiling for sm_90a", "fails", f"{type(error).__name__}: {error}", is_fatal=True)
        return
    yield Finding("compiling for sm_90a", f"works, {time.perf_counter() - started:.2f} s")


def cache() -> Iterator[Finding]:
    """The cache of compiled kernels, and the variables that are set."""
    from ttkit.cache.entries import amount, entries

    directory = knobs.cache.dir
    try:
        found = list(entries(directory))
        kernels, size = sum(bool(entry.groups) for entry in found), amount(sum(entry.size for entry in found))
        described = f"{kernels} kernels, {size} in {directory}"
    except FileNotFoundError:
        described = f"none yet, {directory}"
    except OSError as error:
        described = f"not readable, {error}"
    parent = directory
    while not os.path.lexists(parent):
        parent = os.path.dirname(parent) or "."
    writable = os.path.isdir(parent) and os.access(parent, os.W_OK)
    blocked = f"{parent} is not a writable folder, so each process compiles its kernels again: set TRITON_CACHE_DIR"
    yield Finding("cache", described, "" if writable else blocked)
    for name in sorted(filter(_VARIABLES.match, os.environ)):
        yield Finding(f"${name}", os.environ[name])


LOOKS: tuple[Callable[[], Iterator[Finding]], ...] = (packages, size, libraries, tools, gpus, compiling, cache)
