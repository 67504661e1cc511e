"""ttkit aot: compiles a kernel into C that launches it, for programs without Python."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import ttkit.compat
from ttkit.aot.c_compiler import compile_once
from ttkit.aot.command_line import fails_with_a_message, option_of, target_of
from ttkit.aot.compile_only import compiling_for
from ttkit.aot.kernel_file import load_kernel
from ttkit.aot.sources import kernel_sources
from ttkit.runtime.compile import current_target
from ttkit.target import GPUTarget
from ttkit.whole_files import write_files


def run(options: argparse.Namespace) -> int:
    """Does what the command line says."""
    return fails_with_a_message(_write_sources)(options)


def _write_sources(options: argparse.Namespace) -> int:
    ttkit.compat.install()
    targets = _targets(options.target)
    with compiling_for(int(targets[0].arch)):
        function = load_kernel(options.path, options.kernel_name)
    name: str = options.out_name or options.kernel_name.rpartition(".")[2]
    out: Path = options.out_path or Path(name)
    made = kernel_sources(
        function,
        options.signature,
        targets,
        options.grid,
        name=name,
        file=out.name,
        num_warps=options.num_warps,
        num_stages=options.num_stages,
        options=dict(map(option_of, options.option)),
        cpp=options.cpp,
        python=options.python,
    )
    files = {out.with_name(out.name + suffix): text for suffix, text in made.items()}
    if any(path.resolve() == Path(options.path).resolve() for path in files):
        raise ValueError(f"'{options.path}' would be overwritten; give another name with --out-path")
    compile_once({path.name: text for path, text in files.items()})
    write_files(files)
    print(f"wrote {', '.join(map(str, files))}", file=sys.stderr)
    return 0


def _targets(given: str | None) -> list[GPUTarget]:
    if given:
        return [target_of(text) for text in given.split(",")]
    try:
        return [current_target()]
    except RuntimeError:
        raise ValueError("there is no GPU whose code could be made: name GPUs, such as --target sm_90") from None
