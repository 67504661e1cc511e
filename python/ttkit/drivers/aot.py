"""ttkit aot: compiles a kernel into C that launches it, for programs without Python."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ttkit.installation import FOLDER

CMAKE_FOLDER = os.path.join(FOLDER, "cmake")
DESCRIPTION = """\
Compiles a kernel into C that launches it, for programs without Python.

    ttkit aot k.py --kernel-name add --signature "*fp32:16, i32:16, 1024" --signature "*fp32, i32, 1024" \\
      --grid "(n + 1023) / 1024" --num-warps 4 --target sm_80,sm_90a,sm_120 --out-path build/add

writes build/add.h and build/add.c, which need cuda.h and libcuda alone.  Each --signature is a variant;
add_default(stream, ...) launches the most specialized one whose hints (:16, a multiple of 16; :1, the integer 1) the
arguments meet, add(stream, ..., algo_id) one with chosen constants and options.  All functions return the driver's
error codes.  CMake: find_package(ttkit), ttkit_add_kernel, in the folder that --cmake-dir prints.
"""


def add_aot(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the arguments of `ttkit aot`."""
    parser = subjects.add_parser(
        "aot",
        help="a kernel as C, for programs without Python",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("path", type=Path, help="the Python file with the kernel, which is run")
    parser.add_argument("--kernel-name", "-n", required=True, help="the kernel")
    parser.add_argument(
        "--signature", "-s", required=True, action="append", help='such as "*fp32:16, i32:1, i32, 1024"; once a variant'
    )
    parser.add_argument(
        "--grid", "-g", required=True, help="one to three expressions in C over parameters and constants"
    )
    parser.add_argument("--target", "-t", help="such as sm_80,sm_90a,sm_120; by default the current GPU")
    parser.add_argument("--num-warps", "-w", type=_numbers, default=[4], metavar="N,...", help="warps of a program (4)")
    parser.add_argument(
        "--num-stages", "-ns", type=_numbers, default=[3], metavar="N,...", help="of pipelined loops (3)"
    )
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="of the compilation: maxnreg=64, num_ctas=2"
    )
    parser.add_argument("--out-name", "-on", help="the name of the C functions; by default the kernel's")
    parser.add_argument("--out-path", "-o", type=Path, help="the files, less .c and .h; by default --out-name")
    parser.add_argument("--cpp", action="store_true", help="a C++ header too, .hpp: typed pointers, exceptions")
    parser.add_argument(
        "--python", action="store_true", help="a Python module too, .py: the compiled C by ctypes alone"
    )
    parser.add_argument("--cmake-dir", action="version", version=CMAKE_FOLDER, help="print CMAKE_PREFIX_PATH for CMake")
    parser.set_defaults(run=run)


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


def run(options: argparse.Namespace) -> int:
    """Does what the command line says."""
    from ttkit.aot.command_line import fails_with_a_message  # imports the compiler, which other commands do without

    return fails_with_a_message(_write_sources)(options)


def _write_sources(options: argparse.Namespace) -> int:
    import ttkit.compat
    from ttkit.aot.command_line import option_of, target_of
    from ttkit.aot.files import write_files
    from ttkit.aot.kernel_file import load_kernel
    from ttkit.aot.sources import kernel_sources
    from ttkit.runtime.compile import current_target

    ttkit.compat.install()
    function = load_kernel(options.path, options.kernel_name)
    name: str = options.out_name or options.kernel_name
    out: Path = options.out_path or Path(name)
    made = kernel_sources(
        function,
        options.signature,
        [target_of(text) for text in options.target.split(",")] if options.target else [current_target()],
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
    write_files(files)
    return 0
