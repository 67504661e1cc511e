"""Modules in C and C++ for programs that make their own, `triton.runtime.build`; where headers and libraries are.

ttkit itself compiles none; nothing here happens unless a program asks.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import ttkit.knobs as knobs
from ttkit.cache.manager import get_cache_manager
from ttkit.cuda.libcuda import library_path
from ttkit.cuda_toolkit import toolkit_file

_SUFFIX = sysconfig.get_config_var("EXT_SUFFIX") or ".so"

# Language -> suffixes of its files, the first that of files of our own; compilers, the one to take first.
_LANGUAGES = {"c": ((".c",), ("gcc", "clang")), "c++": ((".cpp", ".cc", ".cxx"), ("g++", "clang++"))}

_header = toolkit_file("include", "cuda.h")
include_dirs = [] if _header is None else [os.path.dirname(_header)]
"""The folders of the CUDA headers; none without a toolkit."""
libraries = ["libcuda.so.1"]
"""What a launcher links with."""


def compile_module_from_src(
    src: str,
    name: str,
    library_dirs: Sequence[str] | None = None,
    include_dirs: Sequence[str] | None = None,
    libraries: Sequence[str] | None = None,
    ccflags: Sequence[str] | None = None,
    language: str = "c",
) -> ModuleType:
    """The extension module of C or C++ source, from the cache if it was compiled before.

    Args:
        name: of the module, as in its PyInit function.
        library_dirs, include_dirs: folders to search.
        libraries: to link with, `cuda` or `libcuda.so.1`.
        ccflags: more flags for the compiler.
        language: "c" or "c++".

    Raises:
        RuntimeError: there is no compiler.
        ValueError: there is no such language.
        CalledProcessError: the compiler refuses the source.
    """
    return _module(name, compile_so_from_src(src, name, library_dirs, include_dirs, libraries, ccflags, language))


def compile_module_from_file(src_path: str, name: str, *flags: Any, **named: Any) -> ModuleType:
    """`compile_module_from_src` of a file, whose suffix says the language."""
    return _module(name, compile_so_from_file(src_path, name, *flags, **named))


def compile_so_from_file(
    src_path: str,
    name: str,
    library_dirs: Sequence[str] | None = None,
    include_dirs: Sequence[str] | None = None,
    libraries: Sequence[str] | None = None,
    ccflags: Sequence[str] | None = None,
) -> str:
    """`compile_so_from_src` of a file, whose suffix says the language; files beside it can be included.

    Raises:
        ValueError: the suffix says none.
    """
    suffix = os.path.splitext(src_path)[1]
    languages = {one: language for language, (suffixes, _) in _LANGUAGES.items() for one in suffixes}
    if suffix not in languages:
        raise ValueError(f"Unrecognized file extension: {src_path}; expected one of {', '.join(languages)}")
    src = Path(src_path).read_text()
    beside = os.path.dirname(os.path.abspath(src_path))
    return compile_so_from_src(
        src, name, library_dirs, [*(include_dirs or ()), beside], libraries, ccflags, languages[suffix]
    )


def compile_so_from_src(
    src: str,
    name: str,
    library_dirs: Sequence[str] | None = None,
    include_dirs: Sequence[str] | None = None,
    libraries: Sequence[str] | None = None,
    ccflags: Sequence[str] | None = None,
    language: str = "c",
) -> str:
    """The path of the library of C or C++ source, in the cache; arguments, errors as of `compile_module_from_src`."""
    if language not in _LANGUAGES:
        raise ValueError(f"language must be one of {', '.join(_LANGUAGES)}, not {language!r}")
    library_dirs, include_dirs, libraries, ccflags = (
        list(given or ()) for given in (library_dirs, include_dirs, libraries, ccflags)
    )
    given = (src, platform_key(), sorted(library_dirs), sorted(include_dirs), libraries, ccflags, language)
    cache = get_cache_manager(hashlib.sha256(repr(given).encode()).hexdigest())
    filename = name + _SUFFIX
    path = cache.get_file(filename)
    if path is None:
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, name + _LANGUAGES[language][0][0])
            Path(source).write_text(src)
            made = _build(name, source, folder, library_dirs, include_dirs, libraries, ccflags, language)
            path = cache.put(Path(made).read_bytes(), filename, binary=True)
    return path


def _module(name: str, path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _build(
    name: str,
    src: str,
    srcdir: str,
    library_dirs: Sequence[str],
    include_dirs: Sequence[str],
    libraries: Sequence[str],
    ccflags: Sequence[str] = (),
    language: str = "c",
) -> str:
    if (build := knobs.build.impl) is not None:
        return build(name, src, srcdir, library_dirs, include_dirs, libraries)
    names = _LANGUAGES[language][1]
    chosen = knobs.build.cc if language == "c" else os.environ.get("CXX")
    compiler = chosen or next(filter(None, map(shutil.which, names)), None)
    if compiler is None:
        raise RuntimeError(
            f"Failed to find {language.upper()} compiler. Please specify via {'CC' if language == 'c' else 'CXX'} "
            "environment variable or set triton.knobs.build.impl."
        )
    made = os.path.join(srcdir, name + _SUFFIX)
    folders = [*include_dirs, srcdir, sysconfig.get_paths()["include"], *knobs.build.backend_dirs]
    flags = [
        *(f"-l:{library}" if re.search(r"\.(so(\.\d+)*|a)$", library) else f"-l{library}" for library in libraries),
        *(f"-L{folder}" for folder in library_dirs),
        *(f"-I{folder}" for folder in folders if folder),
    ]
    command = [compiler, src, "-O3", "-shared", "-fPIC", "-Wno-psabi", "-o", made, *flags, *ccflags]
    subprocess.check_call(command, stdout=subprocess.DEVNULL)
    return made


@functools.cache
def platform_key() -> str:
    """Identifies the machine's kind: modules of another don't run on it."""
    return ",".join([platform.machine(), platform.system(), *platform.architecture()])


libdevice_dir = os.path.dirname(toolkit_file("nvvm", "libdevice", "libdevice.10.bc") or "")
"""The folder of libdevice; empty without a toolkit."""


def libcuda_dirs() -> list[str]:
    """The folder of the driver's library as TRITON_LIBCUDA_PATH has it; none without, where the linker finds it."""
    folder = os.path.dirname(library_path())
    return [folder] if folder else []


def library_dirs() -> list[str]:
    """The folders to link with: of libdevice, and of the driver's library."""
    return [libdevice_dir, *libcuda_dirs()]
