"""The command lines of `ttkit`'s commands.  What a command runs is imported when it is called."""

from __future__ import annotations

import argparse

from ttkit.drivers.common_arguments import (
    add_capability,
    add_flag,
    add_load_pass,
    add_page,
    add_pipeline_file,
    add_script,
    add_script_or_ir,
    add_stages,
    add_warps,
    function_of,
)
from ttkit.drivers.shared_commands import add_aot, add_compile_all, add_export
from ttkit.number_options import add_number


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
        add_aot,
        add_export,
        add_compile_all,
        _add_doctor,
        _add_manual,
    ):
        add(subjects)


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
    add_capability(parser)
    add_stages(parser, "stages of loops without num_stages (3)")
    add_warps(parser, "warps of a program, for IR without layouts (4)")
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
    add_flag(parser, "--no-check", "do not compile the source to compare it with the IR")
    add_capability(parser, "for a .ttir file: compute capability of the GPU (90)")
    add_warps(parser, "for a .ttir file: warps (4)")
    add_stages(parser, "for a .ttir file: stages of loops (3)")
    add_script_or_ir(parser)
    parser.set_defaults(run=function_of("lift"))


def _add_trace(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subjects.add_parser("trace", help="write a page about every pass of a script's kernels")
    add_page(parser, "trace")
    parser.add_argument(
        "--ncu",
        metavar="REPORT",
        help="show its numbers beside the SASS: a report of ncu, or `ncu --import REPORT --page source --csv`",
    )
    add_flag(parser, "--compare", "compare two pages, or dumps of Triton's passes, in one page")
    add_script(parser, "the script and its arguments; or two pages")
    parser.set_defaults(run=function_of("traces"))


def _add_profile(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subjects.add_parser("profile", help="write a page about the time of a script's kernels")
    add_page(parser, "profile")
    add_flag(parser, "--trace", "also write a trace beside it; compiles all kernels again")
    parser.add_argument(
        "--timeline", metavar="FILE", help="draw NAME.chrome_trace as a page, in place of running a script"
    )
    add_script(parser)
    parser.set_defaults(run=function_of("profile"))


def _add_why(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subjects.add_parser("why", help="explain why the kernels of a script are slow, with or without a GPU")
    parser.add_argument("--html", metavar="FILE", help="also write a page")
    add_number(parser, "--programs", limits=(1, None), default=16, help="programs of each launch to look at (16)")
    add_script(parser)
    parser.set_defaults(run=function_of("why"))


def _add_upgrade_report(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subjects.add_parser(
        "upgrade-report", help="say what a newer Triton changes in a program, with the line and what to write"
    )
    parser.add_argument("path", metavar="PATH", help="a script, which is read and run; or a folder, which is read")
    parser.add_argument("--from", dest="first", default="3.6", metavar="VERSION", help="the Triton in use (3.6)")
    parser.add_argument("--to", dest="last", default="3.9", metavar="VERSION", help="the Triton to come (3.9)")
    add_flag(parser, "--no-run", "only read the script")
    add_flag(parser, "--json", "print the findings as JSON")
    parser.epilog = "Arguments of the script follow after --."
    parser.set_defaults(run=function_of("upgrade"))


def _add_sanitize(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from ttkit.drivers.sanitize import add_arguments  # small, and known to this command alone

    add_arguments(subjects.add_parser("sanitize", help="run a command and check every memory access of its kernels"))


def _add_doctor(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subjects.add_parser("doctor", help="show versions, GPUs and the cache, and report problems")
    add_flag(parser, "--json", "print the findings as JSON")
    add_flag(parser, "--unneeded", "print the files of dependencies that ttkit does not use, for small images")
    add_flag(parser, "--trim", "remove these files, and symbols that nothing reads")
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
    add_page(parser, "access")
    add_number(parser, "--programs", limits=(1, None), default=16, help="programs of each launch to show (16)")
    add_flag(parser, "--pipelined", "pipeline loops, as for a GPU")
    add_script(parser)
    parser.set_defaults(run=function_of("show_access"))


def _add_prove(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subjects.add_parser(
        "prove", help="prove for all sizes that a kernel's accesses are in bounds, or that passes keep what it does"
    )
    parser.add_argument("file", metavar="FILE", help="a kernel in tt; with --passes also in ttg, or a script")
    add_flag(parser, "--passes", "prove the passes that compile the kernel, or refute them")
    parser.add_argument("--after", metavar="FILE", help="with --passes: the kernel after passes of any compiler")
    parser.add_argument("--pipeline", metavar="TEXT", help="with --passes: these passes, and not those of the stages")
    add_flag(parser, "--lowering", "with --passes: the lowering to the llvm dialect too")
    add_capability(parser, "with --passes: the GPU (90)")
    add_load_pass(parser)
    add_flag(parser, "--json", "with --passes: one JSON object a line")
    parser.add_argument(
        "--size", action="append", default=[], metavar="NAME=EXPR", help="the number of elements of a tensor"
    )
    parser.add_argument(
        "--grid", default="", metavar="X[,Y[,Z]]", help="the number of programs, as expressions (default: any)"
    )
    parser.add_argument("script_words", nargs="*", metavar="ARGS", help="arguments of a script; after -- with dashes")
    parser.set_defaults(run=function_of("prove"))


def _add_bisect(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subjects.add_parser("bisect", help="find the pass and the pattern that make a result wrong")
    parser.add_argument("--skip", metavar="PASSES", help="compare with and without these passes, separated by commas")
    parser.add_argument("--kernel", metavar="NAME", help="check only launches of this kernel")
    add_number(parser, "--programs", limits=(1, None), help="run at most N programs of each launch")
    add_load_pass(parser)
    add_pipeline_file(parser)
    parser.add_argument("-o", dest="output", default=".", metavar="DIR", help="folder of the reproducer (.)")
    add_number(parser, "-j", limits=(1, None), dest="jobs", default=2, help="processes (2)")
    add_script(parser)
    parser.set_defaults(run=function_of("bisect"))


def _add_explore(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subjects.add_parser("explore", help="show a trace in the browser, edit its IR and pipelines, and run them")
    parser.add_argument(
        "--pass-pipeline", metavar="PASSES", help="for a file of IR: passes to run in place of the stages"
    )
    add_capability(parser, "for a file of IR: compute capability of the GPU (90)")
    add_number(parser, "--port", limits=(0, 65535), default=0, help="port on 127.0.0.1 (default: a free one)")
    add_flag(parser, "--open", "open the browser")
    add_script_or_ir(parser)
    parser.set_defaults(run=function_of("explore"))


def _add_fuzz(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
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
    add_capability(parser)
    parser.add_argument(
        "--corpus", default="fuzz-corpus", metavar="DIR", help="folder for the bugs that are found (fuzz-corpus)"
    )
    parser.add_argument(
        "--prove", action="store_true", help="prove the pass for each program that it changes, or refute it"
    )
    add_number(parser, "-j", limits=(1, None), dest="jobs", default=2, help="processes (2)")
    parser.set_defaults(run=function_of("fuzz"))
