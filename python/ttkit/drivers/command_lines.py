"""The command lines of `ttkit`'s commands.  What a command runs is imported when it is called."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from ttkit.executors import FORMS
from ttkit.installation import FOLDER
from ttkit.number_options import add_number
from ttkit.options import RANGES

IR_FILES = (".mlir", ".ttir", ".ttgir")
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


def add_load_pass(parser: argparse.ArgumentParser) -> None:
    """Declares --load-pass, as all commands that run passes have it."""
    parser.add_argument("--load-pass", action="append", default=[], metavar="FILE.py", help="passes of a Python file")


def add_commands(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declares the command line of each command, but for those about the cache and new files (`toolkit.py`)."""
    for add in (
        _add_schedule,
        _add_lift,
        _add_trace,
        _add_explore,
        _add_profile,
        _add_why,
        _add_upgrade_report,
        _add_sanitize,
        _add_prove,
        _add_show_access,
        _add_bisect,
        _add_fuzz,
        _add_aot,
        _add_export,
        _add_compile_all,
        _add_doctor,
        _add_manual,
    ):
        add(subjects)


def function_of(module: str, function: str = "run") -> Callable[[argparse.Namespace], int]:
    """A function of a module of commands, which is imported when it is called: most need the compiler."""

    def run(options: argparse.Namespace) -> int:
        """Imports the module, and calls its function: other subjects need not load it."""
        found: Callable[[argparse.Namespace], int] = getattr(import_module(f"ttkit.drivers.{module}"), function)
        return found(options)

    return run


def _add_schedule(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subjects.add_parser("schedule", help="show how the loops of a kernel are pipelined")
    parser.add_argument(
        "file",
        metavar="FILE",
        help="IR, tt or ttg before tritongpu-pipeline, or a script that is run; - for standard input",
    )
    parser.add_argument("arguments", nargs="*", metavar="ARG", help="of the script")
    parser.add_argument("-o", dest="output", metavar="SVG", help="draw the loop over time")
    parser.add_argument("--loop", type=int, metavar="N", help="only the Nth scheduled loop, from 0")
    add_number(parser, "--iterations", limits=(1, None), default=5, help="iterations in the picture (5)")
    parser.add_argument("--capability", type=int, default=90, metavar="N", help="compute capability of the GPU (90)")
    add_number(
        parser, "--num-stages", limits=RANGES["num_stages"], default=3, help="stages of loops without num_stages (3)"
    )
    add_number(
        parser,
        "--num-warps",
        limits=RANGES["num_warps"],
        default=4,
        help="warps of a program, for IR without layouts (4)",
    )
    parser.set_defaults(run=function_of("schedules"))


def _add_lift(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subjects.add_parser("lift", help="write a kernel after a pass as source in Gluon")
    parser.add_argument("--at", metavar="PASS", help="a pass, as the stages name it, or the stage ttgir (ttgir)")
    parser.add_argument("--occurrence", type=int, default=-1, metavar="N", help="the Nth run of the pass (the last)")
    parser.add_argument("--kernel", metavar="NAME", help="the kernel, if the script has several")
    add_number(
        parser,
        "--variant",
        limits=(1, None),
        help="the Nth compilation of the kernel, if it has several constants or types (the last)",
    )
    parser.add_argument("-o", dest="output", metavar="FILE.py", help="the source (default: standard output)")
    parser.add_argument("--no-check", action="store_true", help="do not compile the source to compare it with the IR")
    parser.add_argument(
        "--capability", type=int, default=90, metavar="N", help="for a .ttir file: compute capability of the GPU (90)"
    )
    add_number(parser, "--num-warps", limits=RANGES["num_warps"], default=4, help="for a .ttir file: warps (4)")
    add_number(
        parser, "--num-stages", limits=RANGES["num_stages"], default=3, help="for a .ttir file: stages of loops (3)"
    )
    parser.add_argument(
        "script", nargs=argparse.REMAINDER, metavar="SCRIPT ARGS", help=f"a script, or a file {', '.join(IR_FILES)}"
    )
    parser.set_defaults(run=function_of("lift"))


def _add_trace(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subjects.add_parser("trace", help="write a page about every pass of a script's kernels")
    _add_page(parser, "trace")
    parser.add_argument(
        "--ncu",
        metavar="REPORT",
        help="show its numbers beside the SASS: a report of ncu, or `ncu --import REPORT --page source --csv`",
    )
    parser.add_argument(
        "--compare", action="store_true", help="compare two pages, or dumps of Triton's passes, in one page"
    )
    parser.add_argument(
        "script", nargs=argparse.REMAINDER, metavar="SCRIPT ARGS", help="the script and its arguments; or two pages"
    )
    parser.set_defaults(run=function_of("traces"))


def _add_profile(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subjects.add_parser("profile", help="write a page about the time of a script's kernels")
    _add_page(parser, "profile")
    parser.add_argument("--trace", action="store_true", help="also write a trace beside it; compiles all kernels again")
    parser.add_argument(
        "--timeline", metavar="FILE", help="draw NAME.chrome_trace as a page, in place of running a script"
    )
    _add_script(parser)
    parser.set_defaults(run=function_of("profile"))


def _add_why(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subjects.add_parser("why", help="explain why the kernels of a script are slow, with or without a GPU")
    parser.add_argument("--html", metavar="FILE", help="also write a page")
    add_number(parser, "--programs", limits=(1, None), default=16, help="programs of each launch to look at (16)")
    _add_script(parser)
    parser.set_defaults(run=function_of("why"))


def _add_upgrade_report(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subjects.add_parser(
        "upgrade-report", help="say what a newer Triton changes in a program, with the line and what to write"
    )
    parser.add_argument("path", metavar="PATH", help="a script, which is read and run; or a folder, which is read")
    parser.add_argument("--from", dest="first", default="3.6", metavar="VERSION", help="the Triton in use (3.6)")
    parser.add_argument("--to", dest="last", default="3.9", metavar="VERSION", help="the Triton to come (3.9)")
    parser.add_argument("--no-run", action="store_true", help="only read the script")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.epilog = "Arguments of the script follow after --."
    parser.set_defaults(run=function_of("upgrade"))


def _add_page(parser: argparse.ArgumentParser, kind: str) -> None:
    said = f"the page (default: the script's name with .{kind}.html)"
    parser.add_argument("-o", dest="output", metavar="HTML", help=said)


def _add_script(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("script", nargs=argparse.REMAINDER, metavar="SCRIPT ARGS", help="the script and its arguments")


def _add_sanitize(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from ttkit.drivers.sanitize import add_arguments  # small, and known to this command alone

    add_arguments(subjects.add_parser("sanitize", help="run a command and check every memory access of its kernels"))


def _add_export(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subjects.add_parser(
        "export",
        help="bundle the kernels of a script for machines without a compiler",
        description=_EXPORT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
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
    parser.add_argument("--no-runtime", action="store_true", help="leave out the package that launches the kernels")
    parser.epilog = "Arguments of the script follow after --."
    parser.set_defaults(run=function_of("export"))


def _add_compile_all(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subjects.add_parser(
        "compile-all",
        help="compile a list of launches for several GPUs, into one file for machines without a compiler",
        description=_COMPILE_ALL,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("lists", nargs="+", metavar="LIST", help="lists of `ttkit export`, or written by hand")
    parser.add_argument("--target", "-t", required=True, metavar="SM,...", help="the GPUs, such as sm_80,sm_90,sm_120")
    parser.add_argument("-o", dest="output", required=True, metavar="FILE", help="the bundle, such as bundle.ttkit")
    add_number(parser, "--jobs", "-j", limits=(1, None), help="processes (default: one for each processor)")
    parser.add_argument("--executor", metavar="NAME", help=f"compile on its workers: {FORMS}")
    parser.add_argument(
        "--general",
        action="store_true",
        help="also compile each kernel for any values of its types, for launches that are not in the list",
    )
    parser.add_argument(
        "--line-info", action="store_true", help="keep source lines, with paths of files, for profilers"
    )
    parser.set_defaults(run=function_of("compile_all"))


def _add_doctor(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subjects.add_parser("doctor", help="show versions, GPUs and the cache, and report problems")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.add_argument(
        "--unneeded",
        action="store_true",
        help="print the files of dependencies that ttkit does not use, for small images",
    )
    parser.add_argument("--trim", action="store_true", help="remove these files, and symbols that nothing reads")
    parser.set_defaults(run=function_of("doctor"))


def _add_manual(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    completion = subjects.add_parser("completion", help="print completions of all commands for a shell")
    completion.add_argument("shell", choices=("bash", "zsh", "fish"))
    completion.set_defaults(run=function_of("manual", "complete"))
    pages = subjects.add_parser("man", help="write manual pages of all commands")
    pages.add_argument("folder", metavar="FOLDER", help="such as ~/.local/share/man/man1")
    pages.set_defaults(run=function_of("manual", "write_manual"))


def _add_show_access(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subjects.add_parser("show-access", help="write a page about the memory accesses of a script's kernels")
    _add_page(parser, "access")
    add_number(parser, "--programs", limits=(1, None), default=16, help="programs of each launch to show (16)")
    parser.add_argument("--pipelined", action="store_true", help="pipeline loops, as for a GPU")
    _add_script(parser)
    parser.set_defaults(run=function_of("show_access"))


def _add_prove(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subjects.add_parser(
        "prove", help="prove for all sizes that a kernel's accesses are in bounds, or that passes keep what it does"
    )
    parser.add_argument("file", metavar="FILE", help="a kernel in tt; with --passes also in ttg, or a script")
    parser.add_argument(
        "--passes", action="store_true", help="prove the passes that compile the kernel, or refute them"
    )
    parser.add_argument("--after", metavar="FILE", help="with --passes: the kernel after passes of any compiler")
    parser.add_argument("--pipeline", metavar="TEXT", help="with --passes: these passes, and not those of the stages")
    parser.add_argument("--lowering", action="store_true", help="with --passes: the lowering to the llvm dialect too")
    parser.add_argument("--capability", type=int, default=90, metavar="N", help="with --passes: the GPU (90)")
    add_load_pass(parser)
    parser.add_argument("--json", action="store_true", help="with --passes: one JSON object a line")
    parser.add_argument(
        "--size", action="append", default=[], metavar="NAME=EXPR", help="the number of elements of a tensor"
    )
    parser.add_argument(
        "--grid", default="", metavar="X[,Y[,Z]]", help="the number of programs, as expressions (default: any)"
    )
    parser.add_argument("script_words", nargs="*", metavar="ARGS", help="arguments of a script; after -- with dashes")
    parser.set_defaults(run=function_of("prove"))


def _add_bisect(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declares the command line."""
    parser = subjects.add_parser("bisect", help="find the pass and the pattern that make a result wrong")
    parser.add_argument("--skip", metavar="PASSES", help="compare with and without these passes, separated by commas")
    parser.add_argument("--kernel", metavar="NAME", help="check only launches of this kernel")
    add_number(parser, "--programs", limits=(1, None), help="run at most N programs of each launch")
    add_load_pass(parser)
    parser.add_argument(
        "--pipeline-file",
        action="append",
        default=[],
        metavar="FILE.py",
        help="a file that changes the stages by ttkit.pipelines",
    )
    parser.add_argument("-o", dest="output", default=".", metavar="DIR", help="folder of the reproducer (.)")
    add_number(parser, "-j", limits=(1, None), dest="jobs", default=2, help="processes (2)")
    _add_script(parser)
    parser.set_defaults(run=function_of("bisect"))


def _add_aot(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the arguments of `ttkit aot`."""
    parser = subjects.add_parser(
        "aot",
        help="compile a kernel to C, for programs without Python",
        description=_AOT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("path", type=Path, help="the Python file with the kernel; it is run")
    parser.add_argument("--kernel-name", "-n", required=True, help="the kernel")
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
    parser.add_argument("--cpp", action="store_true", help="also write a C++ header, .hpp: typed pointers, exceptions")
    parser.add_argument(
        "--python", action="store_true", help="also write a Python module, .py: calls the compiled C by ctypes"
    )
    parser.add_argument("--cmake-dir", action="version", version=CMAKE_FOLDER, help="print CMAKE_PREFIX_PATH for CMake")
    parser.set_defaults(run=function_of("aot"))


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


def _add_explore(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `ttkit explore` to the subjects of the `ttkit` command."""
    parser = subjects.add_parser("explore", help="show a trace in the browser, edit its IR and pipelines, and run them")
    parser.add_argument(
        "--pass-pipeline", metavar="PASSES", help="for a file of IR: passes to run in place of the stages"
    )
    parser.add_argument(
        "--capability", type=int, default=90, metavar="N", help="for a file of IR: compute capability of the GPU (90)"
    )
    add_number(parser, "--port", limits=(0, 65535), default=0, help="port on 127.0.0.1 (default: a free one)")
    parser.add_argument("--open", action="store_true", help="open the browser")
    parser.add_argument(
        "script", nargs=argparse.REMAINDER, metavar="SCRIPT ARGS", help=f"a script, or a file {', '.join(IR_FILES)}"
    )
    parser.set_defaults(run=function_of("explore"))


def _add_fuzz(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declares the command line."""
    parser = subjects.add_parser("fuzz", help="check a pass on random programs")
    parser.add_argument("--pass", dest="pipeline", required=True, metavar="NAME", help="the pass, or a pipeline text")
    add_load_pass(parser)
    add_number(parser, "--programs", limits=(1, None), default=200, help="programs to try (200)")
    add_number(
        parser,
        "--time",
        limits=(0, None),
        type=float,
        metavar="SECONDS",
        help="stop after this time, whatever the number of programs",
    )
    add_number(
        parser, "--seed", limits=(0, None), default=0, help="seed of the first program (0); later programs count up"
    )
    add_number(parser, "--size", limits=(0, None), default=12, help="steps of a program (12)")
    parser.add_argument(
        "--level", choices=("tt", "ttg", "llvm"), help="level of the IR, for a pass outside of the stages (tt)"
    )
    parser.add_argument("--capability", type=int, default=90, metavar="N", help="compute capability of the GPU (90)")
    parser.add_argument(
        "--corpus", default="fuzz-corpus", metavar="DIR", help="folder for the bugs that are found (fuzz-corpus)"
    )
    add_number(parser, "-j", limits=(1, None), dest="jobs", default=2, help="processes (2)")
    parser.set_defaults(run=function_of("fuzz"))
