"""Compiles a kernel into a C source and header, with the command line of Triton's tool.

    python -m ttkit.tools.compile k.py -n add -s "*fp32:16, i32, 1024" -g "n / 1024, 1, 1" -t cuda:90:32 -o build/add

writes build/add.<hash>_<hints>.c and .h, which need cuda.h and libcuda alone.  The functions return the driver's error
codes:

    CUresult load_<name>(void), unload_<name>(void), <name>(CUstream stream, ...)

No GPU and no driver is needed if a target is given.  `python -m ttkit.tools.link` makes one function of several such
kernels.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

import ttkit.compat
from ttkit.aot.c_compiler import compile_once
from ttkit.aot.c_source import c_file, definitions, header, launch_support
from ttkit.aot.command_line import fails_with_a_message, target_of
from ttkit.aot.compile_only import compiling_for
from ttkit.aot.grid import check_grid, split_grid
from ttkit.aot.kernel_file import load_kernel
from ttkit.aot.signature import Signature
from ttkit.aot.variant import compile_variant
from ttkit.installation import VERSION
from ttkit.number_options import between
from ttkit.options import RANGES
from ttkit.runtime.compile import current_target
from ttkit.standard_streams import with_standard_streams
from ttkit.whole_files import write_files


@dataclass
class CompileArgs:
    """The command line, by Triton's names."""

    path: str = ""
    kernel_name: str = ""
    signature: str = ""
    grid: str = ""
    target: str | None = None
    num_warps: int = 1
    num_stages: int = 3
    out_name: str | None = None
    out_path: Path | None = None


def compile_kernel(args: CompileArgs) -> tuple[str, list[Path]]:
    """Compiles as the command line says; the name of the C function, and the files that were written.

    Raises:
        KernelFileError: the file has no such kernel.
        SignatureError: the signature or the grid does not fit the kernel.
        CCompilerError: the C compiler refuses the source.
        OSError: a file can't be written.
        Exception: as `ttkit.compile`.
    """
    ttkit.compat.install()
    target = target_of(args.target) if args.target else current_target()
    with compiling_for(int(target.arch)):
        function = load_kernel(Path(args.path), args.kernel_name)
    name = args.out_name or args.kernel_name.rpartition(".")[2]
    options = {"num_warps": args.num_warps, "num_stages": args.num_stages}
    signature = Signature.parse(args.signature, function)
    grid = split_grid(args.grid)
    check_grid(grid, signature, function.__name__)
    variant = compile_variant(function, signature, [target], grid, name, options)
    suffix = variant.name.removeprefix(f"{name}_")
    out = Path(args.out_path or name)
    source = c_file(launch_support(), definitions(variant))
    contents = {out.with_suffix(f".{suffix}.c"): source, out.with_suffix(f".{suffix}.h"): header(variant)}
    compile_once({path.name: text for path, text in contents.items()})
    write_files(contents)
    return variant.name, list(contents)


desc = __doc__
"""The description of the command, by Triton's name."""


def command_line() -> argparse.ArgumentParser:
    """The arguments, by the names that Triton's tool has for them."""
    parser = argparse.ArgumentParser(
        prog="ttkit.tools.compile", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("path", help="the Python file with the kernel, which is run")
    parser.add_argument("--kernel-name", "-n", required=True, help="the kernel")
    parser.add_argument("--target", "-t", help="such as cuda:90:32, or sm_90a; by default the current GPU")
    parser.add_argument(
        "--num-warps", "-w", action=between(*RANGES["num_warps"]), type=int, default=1, help="warps of a program (1)"
    )
    parser.add_argument(
        "--num-stages",
        "-ns",
        action=between(*RANGES["num_stages"]),
        type=int,
        default=3,
        help="iterations of a loop in flight (3)",
    )
    parser.add_argument("--out-name", "-on", help="the name that the C functions begin with; by default the kernel's")
    parser.add_argument(
        "--out-path", "-o", type=Path, help="the files, less what is added to their names; by default --out-name"
    )
    parser.add_argument("--signature", "-s", required=True, help='such as "*fp32:16, i32:1, i32, 1024"')
    parser.add_argument("--grid", "-g", required=True, help="three expressions in C over the kernel's parameters")
    parser.add_argument("--version", action="version", version=f"ttkit.tools.compile (ttkit {VERSION})")
    return parser


@fails_with_a_message
def main(arguments: list[str] | None = None) -> None:
    """Runs the tool: exit code 0, 1 after an error, 2 for a malformed command line."""
    try:
        compile_kernel(CompileArgs(**vars(command_line().parse_args(arguments))))
    except ttkit.compat.TritonInUse as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    with_standard_streams(main)()
