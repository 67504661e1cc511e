"""The command lines of commands for other machines, and for many.

`ttkit aot`, `export`, `compile-all` and `cache export` make what other machines run; `tune` and `cache warm`
share work.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ttkit.drivers.common_arguments import add_described, add_flag, add_script, function_of
from ttkit.executors import FORMS
from ttkit.installation import FOLDER
from ttkit.number_options import add_number
from ttkit.options import RANGES

CMAKE_FOLDER = os.path.join(FOLDER, "cmake")
_AOT = """\
Compiles a kernel into C that launches it, for programs without Python.

    ttkit aot k.py --kernel-name add --signature "*fp32:16, i32:16, 1024" --signature "*fp32, i32, 1024" \\
      --grid "(n + 1023) / 1024" --num-warps 4 --target sm_80,sm_90a,sm_120 --out-path build/add

writes build/add.h and build/add.c, which need cuda.h and libcuda alone.  Each --signature is a variant;
add_default(stream, ...) launches the most specialized one whose hints (:16, a multiple of 16; :1, the integer 1) the
arguments meet, add(stream, ..., algo_id) one with chosen constants and options.  All functions return the driver's
error codes.  CMake: find_package(ttkit), ttkit_add_kernel, in the folder that --cmake-dir prints.
"""


_EXPORT = """\
Runs a script, and puts the kernels that it used into a bundle for machines without a compiler, or lists its launches.

    ttkit export serve.py -o launches.json                       a list for `ttkit compile-all`
    ttkit export train.py --out bundle -- --epochs 1             kernels for the GPU that it runs on
    ttkit export serve.py --out bundle --target sm_80,sm_90a     for these GPUs; without one the script computes nothing

    PYTHONPATH=bundle/python python serve.py                     there: Python and the driver are all it needs
    TTKIT_BUNDLE=bundle python serve.py                          or with ttkit, or ttkit-runtime, installed
"""


_COMPILE_ALL = """\
Compiles lists of launches for several GPUs, into one file that launches are answered from without a compiler.

    ttkit export serve.py -o launches.json -- --arguments-of-the-script
    ttkit compile-all launches.json --target sm_80,sm_90 -o bundle.ttkit --jobs 8
    TTKIT_BUNDLE=bundle.ttkit python serve.py

No GPU is needed.  A variant that can't be compiled is reported with its kernel and line; the others are kept, and the
exit code is 1.
"""


_TUNE = """\
Runs a script, and tunes its kernels on the workers of executors; or shows and shares what was timed.

    ttkit tune train.py                                          compiles in processes, times here
    ttkit tune --executor processes:32 --timing-executor gpus:0,1,2,3 train.py
    ttkit tune --executor dask:tcp://host:8786 train.py          or ray:auto, or module:attribute
    TTKIT_AUTOTUNING_STORE=~/.triton/tuning.sqlite python train.py       takes the choices

    ttkit tune --show                                            the times of all configurations
    ttkit tune --export timings.json                             and elsewhere: ttkit tune --import timings.json
"""


def add_aot(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declares the command line of `ttkit aot`."""
    parser = add_described(subjects, "aot", "compile a kernel to C, for programs without Python", _AOT)
    parser.add_argument("path", type=Path, help="the Python file with the kernel; it is run")
    parser.add_argument("--kernel-name", "-n", required=True, help="the kernel, or Class.kernel")
    parser.add_argument(
        "--signature",
        "-s",
        required=True,
        action="append",
        help='types and constants, such as "*fp32:16, i32:1, i32, 1024"; once for each variant',
    )
    parser.add_argument("--grid", "-g", required=True, help="one to three C expressions of parameters and constants")
    parser.add_argument("--target", "-t", help="GPUs, such as sm_80,sm_90a,sm_120 (default: the current one)")
    add_number(
        parser,
        "--num-warps",
        "-w",
        limits=RANGES["num_warps"],
        type=_numbers,
        metavar="N,...",
        default=[4],
        help="warps of a program (4)",
    )
    add_number(
        parser,
        "--num-stages",
        "-ns",
        limits=RANGES["num_stages"],
        type=_numbers,
        metavar="N,...",
        default=[3],
        help="stages of pipelined loops (3)",
    )
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="a compile option: maxnreg=64, num_ctas=2"
    )
    parser.add_argument("--out-name", "-on", help="the name of the C functions (default: the kernel's)")
    parser.add_argument(
        "--out-path", "-o", type=Path, help="the path of the files without .c and .h (default: --out-name)"
    )
    add_flag(parser, "--cpp", "also write a C++ header, .hpp: typed pointers, exceptions")
    add_flag(parser, "--python", "also write a Python module, .py: calls the compiled C by ctypes")
    parser.add_argument("--cmake-dir", action="version", version=CMAKE_FOLDER, help="print CMAKE_PREFIX_PATH for CMake")
    parser.set_defaults(run=function_of("aot"))


def add_export(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declares the command line of `ttkit export`."""
    parser = add_described(
        subjects, "export", "bundle the kernels of a script for machines without a compiler", _EXPORT
    )
    parser.add_argument("script", help="a Python script that launches the kernels, or warms them up")
    parser.add_argument(
        "--out",
        "-o",
        type=Path,
        required=True,
        metavar="PATH",
        help="the folder of the bundle, which must not exist; or NAME.json for a list of what is launched",
    )
    parser.add_argument("--target", "-t", metavar="SM,...", help="GPUs to compile for (default: the current one)")
    add_flag(parser, "--no-runtime", "leave out the package that launches the kernels")
    parser.epilog = "Arguments of the script follow after --."
    parser.set_defaults(run=function_of("export"))


def add_compile_all(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declares the command line of `ttkit compile-all`."""
    parser = add_described(
        subjects,
        "compile-all",
        "compile a list of launches for several GPUs, into one file for machines without a compiler",
        _COMPILE_ALL,
    )
    parser.add_argument("lists", nargs="+", metavar="LIST", help="lists of `ttkit export`, or written by hand")
    parser.add_argument("--target", "-t", required=True, metavar="SM,...", help="the GPUs, such as sm_80,sm_90,sm_120")
    parser.add_argument("-o", dest="output", required=True, metavar="FILE", help="the bundle, such as bundle.ttkit")
    add_number(parser, "--jobs", "-j", limits=(1, None), help="processes (default: one for each processor)")
    parser.add_argument("--executor", metavar="NAME", help=f"compile on its workers: {FORMS}")
    add_flag(
        parser,
        "--general",
        "also compile each kernel for any values of its types, for launches that are not in the list",
    )
    add_flag(parser, "--line-info", "keep source lines, with paths of files, for profilers")
    parser.set_defaults(run=function_of("compile_all"))


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


def add_tune(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declares the command line of `ttkit tune`."""
    parser = add_described(subjects, "tune", "tune a script's kernels on many workers, and share what was timed", _TUNE)
    parser.add_argument("--executor", metavar="NAME", help=f"compile on its workers: {FORMS}")
    parser.add_argument("--timing-executor", metavar="NAME", help="time on its workers, which need GPUs")
    parser.add_argument(
        "--store",
        metavar="ADDRESS",
        help="keep times and choices: a file, or an address of SQLAlchemy or Redis (default: TTKIT_AUTOTUNING_STORE, "
        "else ~/.triton/tuning.sqlite)",
    )
    add_number(parser, "--jobs", "-j", limits=(1, None), help="tasks at once, where the executor does not say")
    add_flag(parser, "--nearest", "a new key takes the choice of the nearest known one, and is not timed")
    add_number(
        parser,
        "--prune",
        limits=(1, None),
        help="compile only N configurations, predicted to be the fastest",
    )
    add_flag(parser, "--show", "show times and choices")
    parser.add_argument("--kernel", metavar="NAME", help="with --show: only those of this kernel")
    add_flag(parser, "--json", "with --show: one JSON object a line")
    parser.add_argument("--export", metavar="FILE", help="write times and choices as JSON")
    parser.add_argument(
        "--import",
        dest="imported",
        action="append",
        default=[],
        metavar="FILE",
        help="add the times and choices of an exported file, or of another store; may be given several times",
    )
    add_script(parser)
    parser.set_defaults(run=function_of("tune"))


def add_cache_actions(
    actions: argparse._SubParsersAction[argparse.ArgumentParser],
) -> list[argparse.ArgumentParser]:
    """Declares those commands of `ttkit cache` that are about many machines."""
    exporting = actions.add_parser("export", help="copy kernels to a file NAME.zip, or to a layer")
    exporting.add_argument("output", metavar="FILE.zip|LAYER", help="a file, or a layer as in TTKIT_CACHE_LAYERS")
    exporting.add_argument("--kernel", action="append", default=[], metavar="NAME", help="only kernels of this name")
    exporting.add_argument("--launch-only", action="store_true", help="only cubins and metadata, which launches need")
    exporting.set_defaults(run=function_of("cache_exchange", "export"))
    importing = actions.add_parser("import", help="add the kernels of files that `ttkit cache export` wrote")
    importing.add_argument("files", nargs="+", metavar="FILE.zip", help="the files")
    importing.set_defaults(run=function_of("cache_exchange", "import_files"))
    warming = actions.add_parser("warm", help="copy the kernels of layers into the cache, before they are needed")
    warming.add_argument("layers", nargs="*", metavar="LAYER", help="the layers (default: TTKIT_CACHE_LAYERS)")
    warming.set_defaults(run=function_of("cache_exchange", "warm"))
    return [exporting, importing, warming]
