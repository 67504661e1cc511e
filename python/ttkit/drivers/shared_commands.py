"""The command lines of commands for many machines: `ttkit tune`, and `ttkit cache export`, `import`, `warm`."""

from __future__ import annotations

import argparse

from ttkit.drivers.command_lines import function_of
from ttkit.executors import FORMS
from ttkit.number_options import between

_TUNE = """\
Runs a script, and tunes its kernels on the workers of executors; or shows and shares what was timed.

    ttkit tune train.py                                          compiles in processes, times here
    ttkit tune --executor processes:32 --timing-executor gpus:0,1,2,3 train.py
    ttkit tune --executor dask:tcp://host:8786 train.py          or ray:auto, or module:attribute
    TTKIT_AUTOTUNING_STORE=~/.triton/tuning.sqlite python train.py       takes the choices

    ttkit tune --show                                            the times of all configurations
    ttkit tune --export timings.json                             and elsewhere: ttkit tune --import timings.json
"""


def add_tune(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declares the command line of `ttkit tune`."""
    parser = subjects.add_parser(
        "tune",
        help="tune a script's kernels on many workers, and share what was timed",
        description=_TUNE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--executor", metavar="NAME", help=f"compile on its workers: {FORMS}")
    parser.add_argument("--timing-executor", metavar="NAME", help="time on its workers, which need GPUs")
    parser.add_argument(
        "--store",
        metavar="ADDRESS",
        help="keep times and choices: a file, or an address of SQLAlchemy or Redis (default: TTKIT_AUTOTUNING_STORE, "
        "else ~/.triton/tuning.sqlite)",
    )
    parser.add_argument(
        "--jobs", "-j", action=between(1), type=int, metavar="N", help="tasks at once, where the executor does not say"
    )
    parser.add_argument(
        "--nearest", action="store_true", help="a new key takes the choice of the nearest known one, and is not timed"
    )
    parser.add_argument(
        "--prune",
        action=between(1),
        type=int,
        metavar="N",
        help="compile only N configurations, predicted to be the fastest",
    )
    parser.add_argument("--show", action="store_true", help="show times and choices")
    parser.add_argument("--kernel", metavar="NAME", help="with --show: only those of this kernel")
    parser.add_argument("--json", action="store_true", help="with --show: one JSON object a line")
    parser.add_argument("--export", metavar="FILE", help="write times and choices as JSON")
    parser.add_argument(
        "--import",
        dest="imported",
        action="append",
        default=[],
        metavar="FILE",
        help="add the times and choices of an exported file, or of another store; may be given several times",
    )
    parser.add_argument("script", nargs=argparse.REMAINDER, metavar="SCRIPT ARGS", help="the script and its arguments")
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
