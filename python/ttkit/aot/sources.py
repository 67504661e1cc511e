"""The C sources of a kernel: all its variants and their dispatcher in one file, with a header."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from ttkit.aot.c_source import c_file, definitions, launch_support
from ttkit.aot.dispatcher import Dispatcher, Linked
from ttkit.aot.grid import check_grid, split_grid
from ttkit.aot.signature import Signature
from ttkit.aot.variant import compile_variant
from ttkit.aot.wrappers import cpp_header, python_module
from ttkit.language.jit_function import JITFunction
from ttkit.target import GPUTarget


def kernel_sources(
    function: JITFunction,
    signatures: Sequence[str],
    targets: Sequence[GPUTarget],
    grid: str,
    *,
    name: str = "",
    file: str = "",
    num_warps: Sequence[int] = (4,),
    num_stages: Sequence[int] = (3,),
    options: Mapping[str, Any] | None = None,
    cpp: bool = False,
    python: bool = False,
) -> dict[str, str]:
    """Compiles a kernel for all combinations of signatures, warps and stages; {suffix: text} of the files.

    Args:
        signatures: such as "*fp32:16, i32, 1024", see `ttkit.aot.signature`.
        grid: one to three expressions in C, separated by commas, over the kernel's parameters and constants.
        name: of the C functions; by default the kernel's.
        file: the name of the files, less their suffixes; by default `name`.
        options: of all compilations.
        cpp, python: whether a C++ header, a Python module are made too.

    Raises:
        SignatureError: a signature or the grid does not fit the kernel.
        LinkerError: the signatures have different types.
        Exception: as `ttkit.compile`.
    """
    name = name or function.__name__
    parsed = [Signature.parse(text, function) for text in signatures]
    expressions = split_grid(grid)
    for signature in parsed:
        check_grid(expressions, signature, function.__name__)
    variants = [
        compile_variant(function, signature, targets, expressions, name, made, joins_ones=True)
        for warps, stages in itertools.product(num_warps, num_stages)
        for made in [{**(options or {}), "num_warps": warps, "num_stages": stages}]
        for signature in parsed
    ]
    dispatcher = Dispatcher.link([Linked.of(variant) for variant in variants])
    parts = [launch_support(), *map(definitions, variants), dispatcher.definitions()]
    found = {".h": dispatcher.header(), ".c": c_file(*parts)}
    if cpp:
        found[".hpp"] = cpp_header(dispatcher, f"{file or name}.h")
    if python:
        found[".py"] = python_module(dispatcher)
    return found
