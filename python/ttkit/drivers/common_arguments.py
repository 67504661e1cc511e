"""Arguments that several of `ttkit`'s commands have, declared alike for each."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module

from ttkit.number_options import add_number
from ttkit.options import RANGES
from ttkit.target import Target

IR_FILES = (".mlir", ".ttir", ".ttgir")


def function_of(module: str, function: str = "run") -> Callable[[argparse.Namespace], int]:
    """A function of a module of commands, which is imported when it is called: most need the compiler."""

    def run(options: argparse.Namespace) -> int:
        """Imports the module, and calls its function: other subjects need not load it."""
        found: Callable[[argparse.Namespace], int] = getattr(import_module(f"ttkit.drivers.{module}"), function)
        return found(options)

    return run


def add_described(
    subjects: argparse._SubParsersAction[argparse.ArgumentParser], name: str, help: str, description: str
) -> argparse.ArgumentParser:
    """Declares a command whose --help begins with a text that is shown as it is written."""
    layout = argparse.RawDescriptionHelpFormatter
    return subjects.add_parser(name, help=help, description=description, formatter_class=layout)


def add_flag(parser: argparse.ArgumentParser, name: str, meaning: str) -> None:
    """Declares an option without a value, False unless it is given."""
    parser.add_argument(name, action="store_true", help=meaning)


def add_script(parser: argparse.ArgumentParser, meaning: str = "the script and its arguments") -> None:
    """Declares the rest of the command line: a script and the words that it gets."""
    parser.add_argument("script", nargs=argparse.REMAINDER, metavar="SCRIPT ARGS", help=meaning)


def add_script_or_ir(parser: argparse.ArgumentParser) -> None:
    """Declares a script and its words, or a file of IR."""
    add_script(parser, f"a script, or a file {', '.join(IR_FILES)}")


def add_page(parser: argparse.ArgumentParser, kind: str) -> None:
    """Declares -o, the page that a command writes: SCRIPT.kind.html without it."""
    said = f"the page (default: the script's name with .{kind}.html)"
    parser.add_argument("-o", dest="output", metavar="HTML", help=said)


def add_load_pass(parser: argparse.ArgumentParser) -> None:
    """Declares --load-pass, as all commands that run passes have it."""
    parser.add_argument("--load-pass", action="append", default=[], metavar="FILE.py", help="passes of a Python file")


def add_pipeline_file(parser: argparse.ArgumentParser) -> None:
    """Declares --pipeline-file, which may be given several times."""
    said = "a file that changes the stages by ttkit.pipelines"
    parser.add_argument("--pipeline-file", action="append", default=[], metavar="FILE.py", help=said)


def add_capability(parser: argparse.ArgumentParser, meaning: str = "compute capability of the GPU (90)") -> None:
    """Declares --capability, the GPU to compile for."""
    parser.add_argument("--capability", type=capability, default=90, metavar="N", help=meaning)


def capability(text: str) -> int:
    """The compute capability that an argument names.

    Raises:
        argparse.ArgumentTypeError: there is no such GPU.
    """
    try:
        return Target(int(text)).capability
    except ValueError as error:
        said = str(error) if text.isdecimal() else f"found '{text}', which is no number such as 90"
        raise argparse.ArgumentTypeError(said) from None


def add_warps(parser: argparse.ArgumentParser, meaning: str) -> None:
    """Declares --num-warps, 4 by default."""
    add_number(parser, "--num-warps", limits=RANGES["num_warps"], default=4, help=meaning)


def add_stages(parser: argparse.ArgumentParser, meaning: str) -> None:
    """Declares --num-stages, 3 by default."""
    add_number(parser, "--num-stages", limits=RANGES["num_stages"], default=3, help=meaning)
