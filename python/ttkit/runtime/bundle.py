"""Bundles: the kernels of a program, compiled on another machine, for machines without a compiler.

A bundle is a folder with `bundle.json`, which `ttkit export` writes: {key: {capability: name of the files}}, and for
each kernel `<name>.cubin` and `<name>.json`.  A launch asks it before the cache and the compiler; the key covers the
kernel's source with all that it calls, types, constants, attributes and options, but not the GPU.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import ttkit.knobs as knobs
from ttkit.installation import FOLDER, VERSION
from ttkit.json_shapes import check, load
from ttkit.options import CompileOptions
from ttkit.runtime.compiled_kernel import CompiledKernel
from ttkit.target import GPUTarget, runs_on
from ttkit.whole_files import read_file

INDEX = "bundle.json"
FORMAT = 1
_KERNELS = {"kernels": {str: {str: str}}}
OF_THE_GPU = frozenset(
    "arch supported_fp8_dtypes deprecated_fp8_dot_operand_dtypes max_num_imprecise_acc_default".split()
)
"""Options that follow from the GPU."""
# Changes of the pipeline, and paths: what only the machine that compiles knows.
_NOT_IN_KEYS = OF_THE_GPU | {"pipeline", "extern_libs"}


class BundleError(RuntimeError):
    """A kernel that no bundle has where none can be compiled; or a bundle that can't be read."""


class Exported(NamedTuple):
    """A kernel that a run used."""

    source: Any
    options: CompileOptions
    kernel: CompiledKernel


class Bundle:
    """A bundle on disk.

    Raises:
        BundleError: it can't be read.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        try:
            described = load(read_file(os.path.join(folder, INDEX)), {"format": int})
            if described["format"] == FORMAT:
                check(described, _KERNELS, "it")
                found: dict[str, dict[str, str]] = described["kernels"]
                self.kernels = {key: {int(arch): stem for arch, stem in of.items()} for key, of in found.items()}
        except (OSError, ValueError) as error:
            raise BundleError(f"{os.path.join(folder, INDEX)} is not a bundle of ttkit: {error}") from None
        if described["format"] != FORMAT:
            raise BundleError(f"{folder} was made by ttkit {described.get('ttkit')}: export it again with {VERSION}")

    def find(self, source: Any, target: GPUTarget, options: CompileOptions) -> CompiledKernel | None:
        """The kernel for a GPU: the code for it, else for an older one whose code it runs; None if there is none.

        Raises:
            BundleError: its files are not there, or damaged.
        """
        found = self.kernels.get(key_of(source, options), {})
        fitting = [arch for arch in found if runs_on(arch, int(target.arch))]
        if not fitting:
            return None
        stem = os.path.basename(found[max(fitting)])
        path = os.path.join(self.folder, stem)
        try:
            contents = {f"{source.name}.{kind}": read_file(f"{path}.{kind}") for kind in ("json", "cubin")}
            return CompiledKernel(source, {}, stem, contents=contents)
        except (OSError, ValueError) as error:
            raise BundleError(f"kernel {stem} of {self.folder} is damaged: {error}; export it again") from None

    def described(self) -> str:
        """Number of its kernels, and the GPUs that they are for."""
        archs = sorted({arch for found in self.kernels.values() for arch in found})
        return f"{len(self.kernels)} kernels for {', '.join(f'sm_{arch}' for arch in archs) or 'no GPU'}"


def key_of(source: Any, options: CompileOptions) -> str:
    """Identifies a kernel in bundles, as hexadecimal digits."""
    kept = sorted((name, value) for name, value in options.as_dict().items() if name not in _NOT_IN_KEYS)
    return hashlib.sha256(f"{source.ext} {source.hash()} {kept}".encode()).hexdigest()


def active() -> Bundle | None:
    """The bundle in use: that of TTKIT_BUNDLE, else the one that this ttkit is part of.

    Raises:
        BundleError: it can't be read.
    """
    return _active(knobs.runtime.bundle or "")


@functools.cache
def _active(folder: str) -> Bundle | None:
    around = os.path.dirname(os.path.dirname(FOLDER))
    if not folder and not os.path.exists(os.path.join(around, INDEX)):
        return None
    return Bundle(folder or around)


def missing(source: Any, target: GPUTarget) -> BundleError:
    """The error of a kernel that would have to be compiled where there is no compiler."""
    bundle = active()
    types = ", ".join(f"{name}: {kind}" for name, kind in (source.signature or {}).items())
    has = f"{bundle.folder} has {bundle.described()}, but not it" if bundle else "and no bundle: set TTKIT_BUNDLE"
    return BundleError(
        f"kernel {source.name}({types}) is needed for sm_{target.arch}.  There is no compiler here, {has}.  Run the "
        "program through `ttkit export` again, with such arguments, or install ttkit in place of ttkit-runtime"
    )


# --- recording what a run uses ----------------------------------------------------------------------------------------

_RECORDERS: list[dict[str, Exported]] = []


def tell(source: Any, options: CompileOptions, kernel: CompiledKernel) -> CompiledKernel:
    """Tells those that record of a kernel; gives it back."""
    for recorder in _RECORDERS:
        recorder[f"{key_of(source, options)}-{kernel.metadata.target.arch}"] = Exported(source, options, kernel)
    return kernel


@contextmanager
def recording() -> Iterator[dict[str, Exported]]:
    """Within the block, each kernel that is compiled or taken from the cache is added to what this gives."""
    found: dict[str, Exported] = {}
    _RECORDERS.append(found)
    try:
        yield found
    finally:
        _RECORDERS.remove(found)


def contents_of(exported: list[Exported]) -> dict[str, bytes]:
    """The files of a bundle, by name."""
    kernels: dict[str, dict[str, str]] = {}
    files: dict[str, bytes] = {}
    for source, options, kernel in exported:
        arch = str(kernel.metadata.target.arch)
        key = key_of(source, options)
        stem = f"{kernel.name[:80]}-{key[:16]}-sm_{arch}"
        kernels.setdefault(key, {})[arch] = stem
        files[f"{stem}.cubin"] = kernel.kernel
        files[f"{stem}.json"] = kernel.metadata_json
    index = {"format": FORMAT, "ttkit": VERSION, "kernels": kernels}
    files[INDEX] = json.dumps(index, indent=1).encode()
    return files
