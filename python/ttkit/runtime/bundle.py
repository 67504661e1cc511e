"""Bundles: the kernels of a program, compiled on another machine, for machines without a compiler.

A bundle is a folder, or one file (a zip archive), with `bundle.json`: {key: {capability: name of the files}}, facts of
each variant, and digests; and for each kernel `<name>.cubin` and `<name>.json`.  `ttkit export` writes folders,
`ttkit compile-all` files.  A launch asks bundles before the cache and the compiler (`bundle_answers.py`); the key
covers the kernel's source with all that it calls, types, constants, attributes and options, but not the GPU.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from ttkit.installation import VERSION
from ttkit.json_shapes import check, load
from ttkit.options import CompileOptions
from ttkit.runtime.compiled_kernel import CompiledKernel
from ttkit.runtime.variants import VARIANT, assumptions, describe, described, generalized, key_of, with_assumptions
from ttkit.target import GPUTarget, runs_on
from ttkit.whole_files import read_file

if TYPE_CHECKING:
    from zipfile import ZipFile

INDEX = "bundle.json"
FORMAT = 2
_INDEX = {"kernels": {str: {str: str}}, "digests": {str: str}, "variants": {str: VARIANT}}


class BundleError(RuntimeError):
    """A kernel that no bundle has where none can be compiled; or a bundle that can't be read."""


class Exported(NamedTuple):
    """A kernel that a run used."""

    source: Any
    options: CompileOptions
    kernel: CompiledKernel


class Bundle:
    """A bundle on disk.  Only its index is read at once, and each kernel when a launch needs it.

    Args:
        path: the folder, or the file.

    Raises:
        BundleError: it can't be read, or another version made it.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._read = reader_of(self.path)
        where = self.path if os.path.isfile(self.path) else os.path.join(self.path, INDEX)
        try:
            made = load(self._read(INDEX), {"format": int})
            if made["format"] == FORMAT and made.get("ttkit") == VERSION:
                check(made, _INDEX, "it")
                found: dict[str, dict[str, str]] = made["kernels"]
                self.kernels = {key: {int(arch): stem for arch, stem in of.items()} for key, of in found.items()}
                self.digests: dict[str, str] = made["digests"]
                self.variants: dict[str, dict[str, Any]] = made["variants"]
        except FileNotFoundError:
            raise BundleError(f"there is no bundle {self.path}") from None
        except (OSError, ValueError) as error:
            raise BundleError(f"{where} is not a bundle of ttkit: {error}") from None
        if made["format"] != FORMAT or made.get("ttkit") != VERSION:
            raise BundleError(f"{self.path} was made by ttkit {made.get('ttkit')}: export it again with {VERSION}")

    def find(self, source: Any, target: GPUTarget, options: CompileOptions) -> CompiledKernel | None:
        """The kernel for a GPU: the code for it, else for an older one whose code it runs; None if there is none.

        Raises:
            BundleError: its files are not there, or damaged.
        """
        return self._kernel(key_of(source, options), source, target)

    def nearest(
        self, source: Any, target: GPUTarget, options: CompileOptions, *, keeps_signature: bool = False
    ) -> CompiledKernel | None:
        """The kernel that is general enough for a launch and assumes most of what is known of its arguments, with the
        same types, constants and options; None if there is none.

        Args:
            keeps_signature: it takes the same parameters: none that are 1 in the launch.

        Raises:
            BundleError: its files are not there, or damaged.
        """
        known, family = set(assumptions(source)), key_of(generalized(source), options)
        fitting = []
        for key in self._families.get(family, ()):
            assumed = self.variants[key]["assumes"]
            if known.issuperset(assumed) and (not keeps_signature or self._has_same_ones(known, assumed)):
                fitting.append((len(assumed), key))
        for _, key in sorted(fitting, reverse=True):
            if found := self._kernel(key, with_assumptions(source, self.variants[key]["assumes"]), target):
                return found
        return None

    @staticmethod
    def _has_same_ones(known: Iterable[str], assumed: Iterable[str]) -> bool:
        return {text for text in known if text.endswith("= 1")} == {text for text in assumed if text.endswith("= 1")}

    @functools.cached_property
    def _families(self) -> dict[str, list[str]]:
        """Keys of the variants that differ only in what they assume."""
        found: dict[str, list[str]] = {}
        for key, variant in self.variants.items():
            found.setdefault(variant["family"], []).append(key)
        return found

    def _kernel(self, key: str, source: Any, target: GPUTarget) -> CompiledKernel | None:
        found = self.kernels.get(key, {})
        fitting = [arch for arch in found if runs_on(arch, int(target.arch))]
        if not fitting:
            return None
        stem = os.path.basename(found[max(fitting)])
        try:
            contents = {f"{source.name}.{kind}": self._read(f"{stem}.{kind}") for kind in ("json", "cubin")}
            kernel = CompiledKernel(source, {}, stem, contents=contents)
            if _digest(contents.values()) != self.digests.get(stem):
                raise ValueError("its files are not those that were written")
        except (OSError, ValueError) as error:
            raise BundleError(f"kernel {stem} of {self.path} is damaged: {error}; export it again") from None
        return kernel

    def reason(self, source: Any, target: GPUTarget, options: CompileOptions) -> str:
        """Why it has no kernel for a launch, as a predicate: what is closest, and how that differs."""
        found = self.kernels.get(key_of(source, options))
        if found is not None:
            return f"has it for {_archs(found)} only"
        same = [variant for variant in self.variants.values() if variant["name"] == source.name]
        if not same:
            return "has no kernel of this name"
        digest = getattr(getattr(source, "fn", None), "cache_key", "")
        if not (same := [variant for variant in same if variant["source"] == digest]):
            return "was built from another source of it"
        here = described(source, options)
        closest = min((_differences(variant["described"], here) for variant in same), key=len)
        return f"has a variant with {', '.join(closest)}" if closest else "has no variant with these arguments"

    def described(self) -> str:
        """Number of its kernels, and the GPUs that they are for."""
        archs = {arch for found in self.kernels.values() for arch in found}
        count = len(self.kernels)
        return f"{count} kernel{'s' * (count != 1)} for {_archs(archs) or 'no GPU'}"


def _archs(archs: Iterable[int]) -> str:
    return ", ".join(f"sm_{arch}" for arch in sorted(archs))


def _differences(there: dict[str, str], here: dict[str, str]) -> list[str]:
    """The types, constants and options that a variant and a launch do not share, a text each."""
    names = [*here, *(name for name in there if name not in here)]
    pairs = [(name, there.get(name, "the default"), here.get(name, "the default")) for name in names]
    return [f"{name}: {found} (here {wanted})" for name, found, wanted in pairs if found != wanted]


def reader_of(path: str) -> Callable[[str], bytes]:
    """A function that reads a file of a bundle by its name; it raises OSError or ValueError."""
    if not os.path.isfile(path):
        return lambda name: read_file(os.path.join(path, name))
    import zlib
    from zipfile import BadZipFile, ZipFile  # 10 ms, which folders do without

    archives: dict[int, ZipFile] = {}

    def read(name: str) -> bytes:
        """Reads of this process's own archive: in a forked one, both would move the same place in the file."""
        process = os.getpid()
        try:
            if process not in archives:
                archives[process] = ZipFile(path)
            return archives[process].read(name)
        except (KeyError, EOFError, NotImplementedError, RuntimeError, BadZipFile, zlib.error) as error:
            raise ValueError(error.args[0] if error.args else "it ends too early") from None

    return read


def _digest(contents: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for data in contents:
        digest.update(data)
    return digest.hexdigest()


def contents_of(exported: Iterable[Exported], facts: dict[str, Any] | None = None) -> dict[str, bytes]:
    """The files of a bundle, by name.

    facts: more for its index, which nothing depends on.
    """
    kernels: dict[str, dict[str, str]] = {}
    digests: dict[str, str] = {}
    variants: dict[str, Any] = {}
    files: dict[str, bytes] = {}
    for source, options, kernel in exported:
        arch = str(kernel.metadata.target.arch)
        key = key_of(source, options)
        stem = f"{kernel.name[:80]}-{key[:16]}-sm_{arch}"
        kernels.setdefault(key, {})[arch] = stem
        variants[key] = describe(source, options)
        files[f"{stem}.cubin"], files[f"{stem}.json"] = kernel.kernel, kernel.metadata_json
        digests[stem] = _digest([kernel.metadata_json, kernel.kernel])
    index = {"format": FORMAT, "ttkit": VERSION, **(facts or {})}
    index |= {"kernels": kernels, "digests": digests, "variants": variants}
    files[INDEX] = json.dumps(index, indent=1).encode()
    return files
