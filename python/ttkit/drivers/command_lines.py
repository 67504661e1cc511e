"""The command lines of `ttkit`'s commands.  What a command runs is imported when it is called."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from ttkit.installation import FOLDER

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
Runs a script, and puts the kernels that it used into a bundle for machines without a compiler.

    ttkit export train.py --out bundle -- --epochs 1             kernels for the GPU that it runs on
    ttkit export serve.py --out bundle --target sm_80,sm_90a     for these GPUs; without one the script computes nothing

    PYTHONPATH=bundle/python python serve.py                     there: Python and the driver are all it needs
    TTKIT_BUNDLE=bundle python serve.py                          or with ttkit, or ttkit-runtime, installed
"""


def add_commands(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declares the command line of each command, but for those about the cache and new files (`toolkit.py`)."""
    for add in (
        _add_schedule,
        _add_trace,
        _add_explore,
        _add_profile,
        _add_sanitize,
        _add_prove,
        _add_show_access,
        _add_bisect,
        _add_fuzz,
        _add_aot,
        _add_export,
        _add_doctor,
        _add_manual,
    ):
        add(subjects)


def _by(module: str, function: str = "run") -> Callable[[argparse.Namespace], int]:
    """A function of a module of commands, which is imported when it is called: most need the compiler."""

    def run(options: argparse.Namespace) -> int:
        """Imports the module, and calls its function: other subjects need not load it."""
        found: Callable[[argparse.Namespace], int] = getattr(import_module(f"ttkit.drivers.{module}"), function)
        return found(options)

    return run


def _add_schedule(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subjects.add_parser("schedule", help="how the loops of a kernel are pipelined")
    parser.add_argument("file", metavar="FILE", help="IR: tt, or ttg before tritongpu-pipeline; - for standard input")
    parser.add_argument("-o", dest="output", metavar="SVG", help="draw the loop over time")
    parser.add_argument("--loop", type=int, metavar="N", help="only the Nth scheduled loop, from 0")
    parser.add_argument("--iterations", type=int, default=5, metavar="N", help="iterations in the picture (5)")
    parser.add_argument("--capability", type=int, default=90, metavar="N", help="compute capability of the GPU (90)")
    parser.add_argument("--num-stages", type=int, default=3, metavar="N", help="of loops that do not say (3)")
    parser.add_argument("--num-warps", type=int, default=4, metavar="N", help="for IR without layouts (4)")
    parser.set_defaults(run=_by("schedules"))


def _add_trace(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subjects.add_parser("trace", help="a page about every pass of a script's kernels")
    _add_page(parser, "trace")
    parser.add_argument(
        "--ncu", metavar="REPORT", help="of ncu, or `ncu --import REPORT --page source --csv`: beside the SASS"
    )
    parser.add_argument("--compare", action="store_true", help="put two pages, or dumps of Triton's passes, into one")
    parser.add_argument(
        "script", nargs=argparse.REMAINDER, metavar="SCRIPT ARGS", help="the script and its arguments; or two pages"
    )
    parser.set_defaults(run=_by("traces"))


def _add_profile(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subjects.add_parser("profile", help="a page about the time of a script's kernels")
    _add_page(parser, "profile")
    parser.add_argument("--trace", action="store_true", help="also a trace beside it; everything is compiled anew")
    parser.add_argument("--timeline", metavar="FILE", help="in place of a script: draw NAME.chrome_trace as a page")
    _add_script(parser)
    parser.set_defaults(run=_by("profile"))


def _add_page(parser: argparse.ArgumentParser, kind: str) -> None:
    said = f"the page; by default the script's name with .{kind}.html"
    parser.add_argument("-o", dest="output", metavar="HTML", help=said)


def _add_script(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("script", nargs=argparse.REMAINDER, metavar="SCRIPT ARGS", help="the script and its arguments")


def _add_sanitize(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from ttkit.drivers.sanitize import add_arguments  # small, and known to this command alone

    add_arguments(subjects.add_parser("sanitize", help="run a command with every access of its kernels checked"))


def _add_export(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subjects.add_parser(
        "export",
        help="the kernels of a script, for machines without a compiler",
        description=_EXPORT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("script", help="a Python script that launches the kernels, or warms them up")
    parser.add_argument("--out", "-o", type=Path, required=True, metavar="FOLDER", help="the bundle; it must not exist")
    parser.add_argument("--target", "-t", metavar="SM,...", help="GPUs to compile for; by default the current one")
    parser.add_argument("--no-runtime", action="store_true", help="without the package that launches the kernels")
    parser.epilog = "Arguments of the script follow after --."
    parser.set_defaults(run=_by("export"))


def _add_doctor(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subjects.add_parser("doctor", help="versions of all parts, GPUs, the cache, and what is wrong")
    parser.add_argument("--json", action="store_true", help="a list of what was found")
    parser.add_argument(
        "--unneeded",
        action="store_true",
        help="print the files of dependencies that ttkit does not use, for small images",
    )
    parser.set_defaults(run=_by("doctor"))


def _add_manual(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    completion = subjects.add_parser("completion", help="print completions of all commands for a shell")
    completion.add_argument("shell", choices=("bash", "zsh", "fish"))
    completion.set_defaults(run=_by("manual", "complete"))
    pages = subjects.add_parser("man", help="write manual pages of all commands")
    pages.add_argument("folder", metavar="FOLDER", help="such as ~/.local/share/man/man1")
    pages.set_defaults(run=_by("manual", "write_manual"))


def _add_show_access(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subjects.add_parser("show-access", help="a page about the memory accesses of a script's kernels")
    _add_page(parser, "access")
    parser.add_argument("--programs", type=int, default=16, metavar="N", help="of each launch, the first N (16)")
    parser.add_argument("--pipelined", action="store_true", help="pipeline loops, as for a GPU")
    _add_script(parser)
    parser.set_defaults(run=_by("show_access"))


def _add_prove(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subjects.add_parser("prove", help="whether a kernel's accesses can be out of bounds, for all sizes")
    parser.add_argument("file", metavar="FILE", help="a kernel in tt")
    parser.add_argument("--size", action="append", default=[], metavar="NAME=EXPR", help="elements of a tensor")
    parser.add_argument("--grid", default="", metavar="X[,Y[,Z]]", help="programs, as expressions (any number)")
    parser.set_defaults(run=_by("prove"))


def _add_bisect(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declares the command line."""
    parser = subjects.add_parser("bisect", help="which pass, which pattern, which commit makes a result wrong")
    parser.add_argument("--skip", metavar="PASSES", help="compare with and without these passes, separated by commas")
    parser.add_argument("--kernel", metavar="NAME", help="look at launches of this kernel alone")
    parser.add_argument("--programs", type=int, metavar="N", help="run so many programs of each launch")
    parser.add_argument("--load-pass", action="append", default=[], metavar="FILE.py", help="passes of a Python file")
    parser.add_argument("--pipeline-file", action="append", default=[], metavar="FILE.py", help="changes of the stages")
    parser.add_argument("-o", dest="output", default=".", metavar="DIR", help="where the reproducer goes")
    parser.add_argument("-j", dest="jobs", type=int, default=2, metavar="N", help="processes (2)")
    commits = parser.add_argument_group("which commit of a repository")
    commits.add_argument("--commit", metavar="EXPR", help="a Python expression that is true on good commits")
    commits.add_argument("--good", metavar="REV", help="a commit on which it is true")
    commits.add_argument("--bad", default="HEAD", metavar="REV", help="one on which it is not (HEAD)")
    commits.add_argument("--repo", default=".", metavar="DIR", help="the repository (.)")
    commits.add_argument("--setup", default="", metavar="CMD", help="a command to run in each checkout: a build")
    _add_script(parser)
    parser.set_defaults(run=_by("bisect"))


def _add_aot(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the arguments of `ttkit aot`."""
    parser = subjects.add_parser(
        "aot",
        help="a kernel as C, for programs without Python",
        description=_AOT,
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
    parser.set_defaults(run=_by("aot"))


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


def _add_explore(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `ttkit explore` to the subjects of the `ttkit` command."""
    parser = subjects.add_parser("explore", help="a trace whose IR and pipelines are edited and run on, in a browser")
    parser.add_argument("--pass-pipeline", metavar="PASSES", help="of a file: these, in place of the stages")
    parser.add_argument("--capability", type=int, default=90, metavar="N", help="of a file: the GPU (90)")
    parser.add_argument("--port", type=int, default=0, metavar="N", help="on 127.0.0.1 (one that is free)")
    parser.add_argument("--open", action="store_true", help="open the browser")
    parser.add_argument(
        "script", nargs=argparse.REMAINDER, metavar="SCRIPT ARGS", help=f"a script, or a file {', '.join(IR_FILES)}"
    )
    parser.set_defaults(run=_by("explore"))


def _add_fuzz(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declares the command line."""
    parser = subjects.add_parser("fuzz", help="random programs for a pass")
    parser.add_argument("--pass", dest="pipeline", required=True, metavar="NAME", help="the pass, or a pipeline text")
    parser.add_argument("--load-pass", action="append", default=[], metavar="FILE.py", help="passes of a Python file")
    parser.add_argument("--programs", type=int, default=200, metavar="N", help="how many (200)")
    parser.add_argument(
        "--time", type=float, metavar="SECONDS", help="stop after so long, and use any number of programs"
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="of the first program (0); the others count on"
    )
    parser.add_argument("--size", type=int, default=12, metavar="N", help="steps of a program (12)")
    parser.add_argument("--level", choices=("tt", "ttg", "llvm"), help="of the IR, for a pass that is in no stage (tt)")
    parser.add_argument("--capability", type=int, default=90, metavar="N", help="compute capability of the GPU (90)")
    parser.add_argument("--corpus", default="fuzz-corpus", metavar="DIR", help="gets what is found (fuzz-corpus)")
    parser.add_argument("-j", dest="jobs", type=int, default=2, metavar="N", help="processes (2)")
    parser.set_defaults(run=_by("fuzz"))
