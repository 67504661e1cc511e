"""tt-compile: compiles a kernel from tt, ttg, LLVM IR or PTX to any level after it, a cubin in the end.

    tt-compile k.ttir --target sm_90a --num-warps 4 -o k.cubin    (k.json, for launchers, comes beside it)
    tt-compile k.ttir --target sm_80 --emit all --out-dir build   (build/k.ttir, k.ttgir, ... k.cubin, k.json)

No GPU and no driver is needed.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import ttkit
from ttkit import garbage_collection
from ttkit.compiler.backend import LEVELS
from ttkit.compiler.compilation import Compilation
from ttkit.compiler.llvm_api import LLVMError
from ttkit.compiler.module_metadata import CompileError
from ttkit.compiler.ptxas import PTXASError
from ttkit.compiler.sources import IRSource, level_of
from ttkit.drivers.common_arguments import add_pipeline_file
from ttkit.drivers.user_errors import UserError, check_output, command
from ttkit.drivers.user_files import change_stages
from ttkit.number_options import add_number
from ttkit.options import RANGES, CompileOptions, parse_arch, tell_of_numbers
from ttkit.passes.changes import with_changes
from ttkit.target import GPUTarget, parse_capability
from ttkit.whole_files import write_files


@command(CompileError, LLVMError, PTXASError, ValueError, ImportError)
def main(arguments: list[str]) -> None:
    """Runs tt-compile and ends the process: exit code 0, 1 after a diagnostic, 2 for a malformed command line."""
    options = command_line().parse_args(arguments)
    if options.isolate:
        sys.exit(run_apart(arguments, options.file))
    with garbage_collection.paused():
        run(options)


NUMBERS = {
    "--num-warps": "warps of a program (default 4)",
    "--num-ctas": "programs of a cluster (default 1)",
    "--num-stages": "stages of pipelined loops (default 3)",
    "--maxnreg": "the most registers that a thread may use",
    "--ptx-version": "version of PTX, such as 87 for PTX 8.7",
}
"""The options of kernels that are numbers."""


def command_line() -> argparse.ArgumentParser:
    """The arguments of tt-compile."""
    parser = argparse.ArgumentParser(
        prog="tt-compile", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "file", help="a kernel; its suffix says its level: .ttir, .ttgir, .llir or .ptx; .mlir is tt or ttg"
    )
    parser.add_argument("--target", default="sm_90a", metavar="SM", help="the GPU: sm_80, sm_90a... (default sm_90a)")
    parser.add_argument("-o", dest="output", metavar="FILE", help="the result; its suffix says its level")
    parser.add_argument("--emit", metavar="LEVELS", help=f"levels to write, or `all`: {','.join(LEVELS)}")
    parser.add_argument("--out-dir", metavar="DIR", help="where --emit writes (default: beside the source)")
    for option, meaning in NUMBERS.items():
        name = option.removeprefix("--").replace("-", "_")
        add_number(parser, option, limits=RANGES[name], help=meaning)
    parser.add_argument("--ptx-options", metavar="TEXT", help="more options for ptxas, in one argument")
    parser.add_argument("--no-fp-fusion", action="store_true", help="never fuse a multiplication and an addition")
    add_pipeline_file(parser)
    parser.add_argument(
        "--isolate", action="store_true", help="compile in another process, whose crash becomes an error"
    )
    parser.add_argument("--quiet", action="store_true", help="do not print times and resources")
    parser.add_argument("--version", action="version", version=f"tt-compile (ttkit {ttkit.__version__})")
    return parser


def run(options: argparse.Namespace) -> None:
    """Compiles the file and writes the result, with the metadata beside it.

    Raises:
        UserError: there is no such file, level or option.
    """
    source = Path(options.file)
    if source.suffix[1:] not in (*LEVELS[:-1], "mlir"):
        raise UserError(f"{source}: unknown suffix; use .{', .'.join(LEVELS[:-1])} or .mlir")
    if not source.is_file():
        raise UserError(f"no such file: {source}")
    level = level_of(options.file, source.read_bytes())
    change_stages(options.pipeline_file)
    outputs = output_files(options, source, level)
    capability = parse_capability(options.target)
    try:
        kernel = IRSource(source, capability)
        target, chosen = GPUTarget("cuda", capability, 32), _compile_options(options, capability, kernel)
        made = Compilation(kernel, target, chosen, until=max(outputs, key=LEVELS.index)).run()
    except LLVMError as error:  # which knows a text, and no file
        if level == "llir" and str(error).startswith("llir:"):
            raise LLVMError(f"{source}{str(error).removeprefix('llir')}") from None
        raise
    write(outputs, made)
    if not options.quiet:
        print(report(made))


def run_apart(arguments: list[str], file: str) -> int | str:
    """Runs the same command in a child: its exit code, or a message where a signal ended it."""
    import signal
    import subprocess

    command = [sys.executable, "-m", "ttkit.drivers.compile", *(word for word in arguments if word != "--isolate")]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    sys.stderr.write(done.stderr)
    if done.returncode >= 0:
        return done.returncode
    name = signal.Signals(-done.returncode).name
    return f"error: {file}: {name} ended the compiler's process; no output was written"


def output_files(options: argparse.Namespace, source: Path, level: str) -> dict[str, Path]:
    """The levels to make, and their files.

    Raises:
        UserError: the options name none, one that can't be made, or no place for it.
    """
    if options.output is None and options.emit is None:
        raise UserError("no output was requested; use -o k.cubin, or --emit all --out-dir DIR")
    if options.output is not None and (options.emit is not None or options.out_dir is not None):
        other = "--out-dir" if options.emit is None else "--emit"
        raise UserError(f"found -o and {other}; -o names one file, and --emit with --out-dir the levels of a folder")
    possible = LEVELS[LEVELS.index(level) :] if level == "ttir" else LEVELS[LEVELS.index(level) + 1 :]
    if options.output is not None:
        wanted = [Path(options.output).suffix[1:]]
    else:
        wanted = list(possible) if options.emit == "all" else options.emit.split(",")
    for name in wanted:
        if not name and options.output is not None:
            raise UserError(f"-o {options.output} has no suffix, which says what to make: {', '.join(possible)}")
        if name not in possible:
            raise UserError(f"can't make '{name}' from .{level}; possible are {', '.join(possible)}")
    if options.output is not None:
        check_output(options.output)
        files = {wanted[0]: Path(options.output)}
    else:
        folder = Path(options.out_dir) if options.out_dir else source.parent
        folder.mkdir(parents=True, exist_ok=True)
        files = {name: folder / f"{source.stem}.{name}" for name in wanted}
    for path in files.values():
        if path.exists() and path.samefile(source):
            raise UserError(f"{path} is the source: write elsewhere, with --out-dir or -o")
    return files


def _compile_options(options: argparse.Namespace, capability: int, kernel: IRSource) -> CompileOptions:
    names = "num_warps num_ctas num_stages maxnreg ptx_version ptx_options"
    given: dict[str, Any] = {name: getattr(options, name) for name in names.split()} | kernel.parse_options()
    tell_of_numbers(given)
    made_for = parse_arch(given.get("arch", f"sm{capability}"))
    made = CompileOptions.for_capability(made_for, enable_fp_fusion=not options.no_fp_fusion, **given)
    return with_changes(made, kernel.name)


def write(outputs: dict[str, Path], made: Compilation) -> None:
    """Writes all files; each appears under its name only when all are complete.

    Raises:
        UserError: a file can't be written.
    """
    contents = {path: made.asm[level] for level, path in outputs.items()}
    if "ptx" in outputs or "cubin" in outputs or "llir" in outputs:
        contents[next(reversed(outputs.values())).with_suffix(".json")] = (
            json.dumps(made.metadata, indent=2, default=str) + "\n"
        )
    try:
        write_files(contents)
    except OSError as error:
        raise UserError(f"cannot write '{error.filename}': {error.strerror}") from None


def report(made: Compilation) -> str:
    """Times of the stages, and what a launch takes."""
    total = sum(made.seconds.values())
    times = [f"{level} {1e3 * seconds:.1f}" for level, seconds in made.seconds.items()]
    lines = [f"ms: {', '.join(times)}, in all {1e3 * total:.1f}"]
    if "cubin" in made.asm:
        found, metadata = made.asm["cubin"].resources, made.metadata
        parts = [f"{found.registers} registers", f"{found.spill_stores} bytes spilled, {found.spill_loads} reloaded"]
        parts += [f"{metadata['shared'] + found.shared} bytes of shared memory"]
        parts += [f"{found.stack} bytes of stack"] if found.stack else []
        lines.append(f"@{metadata['name']}: {', '.join(parts)}, {metadata['num_warps']} warps")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
