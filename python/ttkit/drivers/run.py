"""tt-run: runs a kernel on the CPU, with every access to memory checked; or on a GPU, and compares."""

from __future__ import annotations

import argparse
import copy
import io
import sys
import time
import zlib
from pathlib import Path

import numpy as np
from mlir import ir

import ttkit
from ttkit.context import parse_file
from ttkit.drivers.common_arguments import add_warps
from ttkit.drivers.trace import Trace
from ttkit.drivers.user_errors import UserError, check_output, command
from ttkit.interpreter import argument_specs
from ttkit.interpreter.argument_specs import Argument, ArgumentError, argument_name, read_arguments
from ttkit.interpreter.decode import Function, Module, decode_module
from ttkit.interpreter.errors import InterpreterError
from ttkit.interpreter.launch import check_arguments, interpret, read_grid
from ttkit.interpreter.ops.descriptor import companion_arguments
from ttkit.interpreter.run_options import DEFAULT_RACES, MAX_STEPS, RACES
from ttkit.number_options import add_number
from ttkit.whole_files import write_files


@command(InterpreterError, ValueError, ImportError, MemoryError)
def main(arguments: list[str]) -> None:
    """Runs tt-run and ends the process: exit code 0, 1 after a diagnostic, 2 for a malformed command line."""
    # An optional value of argparse's would take the file that follows for it.
    options = command_line().parse_args([f"--race={DEFAULT_RACES}" if text == "--race" else text for text in arguments])
    run(options)


def command_line() -> argparse.ArgumentParser:
    """The arguments of tt-run."""
    parser = argparse.ArgumentParser(
        prog="tt-run",
        description=__doc__,
        epilog=argument_specs.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", help="tt or ttg IR, or the IR of a later level; - for stdin")
    parser.add_argument("--grid", default="1", metavar="X[,Y[,Z]]", help="number of programs (default 1)")
    parser.add_argument("--arg", action="append", default=[], metavar="[NAME=]VALUE", help="an argument; see below")
    parser.add_argument("--out", action="append", default=[], metavar="NAME=FILE", help="save a buffer as .npy")
    parser.add_argument("--function", metavar="NAME", help="the kernel (default: the only public function)")
    parser.add_argument("--trace", action="store_true", help="print the result of each operation")
    parser.add_argument(
        "--race",
        metavar="KIND[,KIND]",
        default="",
        help=f"report races; --race alone: {DEFAULT_RACES}; " + "; ".join(f"{k}: {text}" for k, text in RACES.items()),
    )
    add_number(parser, "--seed", limits=(0, None), help="seed of random arguments and of the order of programs")
    limit = f"operations to give up after (default {MAX_STEPS})"
    add_number(parser, "--max-steps", limits=(1, None), default=MAX_STEPS, help=limit)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="cuda: compile, and run on the GPU")
    parser.add_argument("--compare", action="store_true", help="with --device cuda: interpret too, and compare")
    tolerance = "for --compare, relative and absolute (default 1e-3)"
    add_number(parser, "--tolerance", limits=(0, None), type=float, default=1e-3, metavar="X", help=tolerance)
    add_warps(parser, "warps of a program, for a kernel in tt on the GPU (default 4)")
    parser.add_argument("--version", action="version", version=f"tt-run (ttkit {ttkit.__version__})")
    return parser


def run(options: argparse.Namespace) -> None:
    """Runs the kernel of the file, and prints what its arguments are afterwards.

    Raises:
        UserError: an argument or the file is none.
    """
    grid = read_grid(options.grid, "--grid")
    text = _read_source(options.file)
    module = decode_module(_read_module(options.file, text))
    function = module.public_function(options.function)
    check_arguments(function)
    arguments = read_arguments(function, options.arg, np.random.default_rng(options.seed or 0))
    implied = {function.argument_names[position] for position in companion_arguments(function)}
    missing = [name for name in function.argument_names if name not in arguments and name not in implied]
    if missing:
        raise UserError(f"@{function.name} also needs {', '.join(describe(function, name) for name in missing)}")
    outputs = [read_output(function, arguments, text) for text in options.out]
    before = {name: checksum(argument) for name, argument in arguments.items() if argument.array is not None}
    if options.device == "cuda":
        run_and_compare(options, text, module, function, grid, arguments)
    else:
        _run_interpreter(options, text, module, function, grid, arguments)
    save(outputs, arguments)
    if not outputs:
        for name, old in before.items():
            if checksum(arguments[name]) != old or isinstance(arguments[name].value, argument_specs.Buffer):
                print(summary(name, arguments[name]))


def _run_interpreter(
    options: argparse.Namespace,
    text: bytes,
    module: Module,
    function: Function,
    grid: tuple[int, int, int],
    arguments: dict[str, Argument],
) -> None:
    interpret(
        module,
        grid,
        {name: argument.value for name, argument in arguments.items()},
        function=function.name,
        race=options.race or False,
        seed=options.seed,
        trace=Trace(module, text) if options.trace else None,
        max_steps=options.max_steps,
        progress=Progress() if sys.stderr.isatty() else None,
    )


def run_and_compare(
    options: argparse.Namespace,
    text: bytes,
    module: Module,
    function: Function,
    grid: tuple[int, int, int],
    arguments: dict[str, Argument],
) -> None:
    """Runs the kernel on the GPU, and the interpreter on copies of the arguments if its results are to be compared.

    Raises:
        UserError: results differ, or an argument is missing.
    """
    from ttkit.drivers.run_on_gpu import compare, run_on_gpu

    copies = copy.deepcopy(arguments) if options.compare else {}
    in_order = [arguments[name] for name in function.argument_names if name in arguments]
    run_on_gpu(options.file, text, grid, in_order, options.num_warps)
    if not options.compare:
        return
    _run_interpreter(options, text, module, function, grid, copies)
    same = True
    for name, argument in copies.items():
        if argument.array is not None:
            is_same, line = compare(name, arguments[name].array, argument.array, options.tolerance)
            print(line)
            same = same and is_same
    if not same:
        raise UserError("the GPU's results differ from the interpreter's")


def _read_source(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read()
    if not Path(path).is_file():
        raise UserError(f"no such file: {path}")
    return Path(path).read_bytes()


def _read_module(path: str, text: bytes) -> ir.Module:
    context = ttkit.Context()
    return ttkit.parse(text, context) if path == "-" else parse_file(path, context)


def describe(function: Function, name: str) -> str:
    """The way to give an argument, with its type, for messages."""
    return f"--arg {name}=... ({function.argument_types[function.argument_names.index(name)].text})"


def read_output(function: Function, arguments: dict[str, Argument], text: str) -> tuple[str, Path]:
    """Name and file of `--out NAME=FILE`.

    Raises:
        UserError: the text is not of that form, or there is no such folder.
        ArgumentError: a number.
    """
    name, equals, file = text.partition("=")
    if not equals or not file:
        raise UserError(f"--out takes NAME=FILE, found '{text}'")
    name = argument_name(function, name)
    if arguments[name].array is None:
        raise ArgumentError(f"argument '{name}' is a number, not a buffer")
    check_output(file)
    return name, Path(file)


def save(outputs: list[tuple[str, Path]], arguments: dict[str, Argument]) -> None:
    """Writes the files; each appears under its name only when it is complete.

    Raises:
        UserError: a file can't be written.
    """
    contents = {}
    for name, path in outputs:
        np.save(buffer := io.BytesIO(), arguments[name].array)
        contents[path] = buffer.getvalue()
    try:
        write_files(contents)
    except OSError as error:
        raise UserError(f"cannot write '{error.filename}': {error.strerror}") from None


def checksum(argument: Argument) -> int:
    """The CRC-32 of an argument's bytes."""
    return zlib.crc32(np.ascontiguousarray(argument.array).tobytes())


def summary(name: str, argument: Argument) -> str:
    """`out: float32[64, 32], min 0, max 3.5, checksum 1b2c3d4e`; NaNs are counted and left out of min and max."""
    array = argument.array
    wide = array.astype(np.int64 if array.dtype.kind == "b" else np.float64) if array.dtype.kind not in "iu" else array
    nans = int(np.isnan(wide).sum()) if wide.dtype.kind == "f" else 0
    parts = [f"{name}: {array.dtype}{list(array.shape)}"]
    if array.size > nans:
        parts.append(f"min {np.nanmin(wide):.6g}, max {np.nanmax(wide):.6g}")
    if nans:
        parts.append(f"{nans} NaN")
    return ", ".join([*parts, f"checksum {checksum(argument):08x}"])


class Progress:
    """A bar on a terminal, once a run takes longer than a second."""

    WIDTH = 40

    def __init__(self) -> None:
        self.start = self.last = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self.start < 1 or (now - self.last < 0.1 and done < total):
            return
        self.last = now
        filled = self.WIDTH * done // total
        left = (now - self.start) * (total - done) / done
        text = f"\r[{'#' * filled}{'.' * (self.WIDTH - filled)}] {done}/{total} programs, {left:.0f} s left "
        sys.stderr.write(text if done < total else "\r" + " " * len(text) + "\r")
        sys.stderr.flush()


if __name__ == "__main__":
    main()
