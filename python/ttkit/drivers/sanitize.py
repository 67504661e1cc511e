"""ttkit sanitize: runs a command whose kernels are checked, and says what was found.

    ttkit sanitize asan python script.py ARGS     accesses out of bounds, misaligned, false hints, wrapped indices
    ttkit sanitize tsan python script.py ARGS     races
    ttkit sanitize init python script.py ARGS     values that nothing has defined
    ttkit sanitize all --sarif out.sarif pytest   all of these, in a test suite

`triton-san asan python script.py` is the same.  Exit code: 1 if there are findings, else that of the command.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ttkit.drivers.user_errors import UserError, command
from ttkit.installation import FOLDER, VERSION
from ttkit.number_options import between
from ttkit.sanitizer.findings import CHECKS, Findings
from ttkit.sanitizer.reports import json_of, sarif_of, summary
from ttkit.sanitizer.settings import LEVELS, Settings

_OPTIONS = ("level", "sample", "bounds", "device", "prove", "json", "sarif")
NOT_FOUND, SIGNALLED = 127, 128  # as shells have them


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line of `ttkit sanitize`."""
    parser.add_argument(
        "words",
        nargs=argparse.REMAINDER,
        metavar="asan|tsan|init|all [OPTION...] CMD",
        help="the sanitizer and the command; options go before either",
    )
    _add_options(parser)
    parser.set_defaults(run=lambda options: run(options.words, options))


def options_parser() -> argparse.ArgumentParser:
    """Parses the words after the name of the sanitizer."""
    parser = argparse.ArgumentParser(prog="ttkit sanitize asan|tsan|init|all")
    _add_options(parser)
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="CMD", help="the command and its arguments")
    return parser


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--level", choices=LEVELS, default="source", help="the IR that runs (source)")
    parser.add_argument("--sample", action=between(1), type=int, metavar="N", help="run at most N programs of a launch")
    parser.add_argument(
        "--bounds",
        choices=("view", "allocation"),
        default="view",
        help="memory that a kernel may access: the elements of the tensor that it gets, or its whole allocation",
    )
    parser.add_argument(
        "--device",
        choices=("cpu", "cuda"),
        default="cpu",
        help="cuda: run the kernels on the GPU, with checks of their bounds",
    )
    parser.add_argument(
        "--prove", action="store_true", help="also try to prove that accesses are in bounds for all sizes"
    )
    parser.add_argument("--json", metavar="FILE", help="write the findings as JSON; - for standard output")
    parser.add_argument("--sarif", metavar="FILE", help="write the findings as SARIF, for CI and editors")


def run(words: Sequence[str], before: argparse.Namespace | None = None) -> int:
    """Runs the command; gives the exit code: 1 for findings, and where no kernel was launched.

    Options before the name of the sanitizer are in `before`; later ones win.

    Raises:
        UserError: it names no sanitizer that there is, or no number of programs.
    """
    if not words:
        raise UserError(f"name a sanitizer: ttkit sanitize {'|'.join(CHECKS)}|all python script.py")
    sanitizer, *rest = words
    kept = {name: value for name, value in vars(before or argparse.Namespace()).items() if name in _OPTIONS}
    options = options_parser().parse_args(rest, argparse.Namespace(**kept))
    settings = _settings(sanitizer, options)
    with tempfile.TemporaryDirectory(prefix="ttkit-sanitize-") as folder:
        code = _run_command(_command(options.command), replace(settings, report=folder))
        findings = Findings()
        for path in sorted(Path(folder).glob("*.json")):
            findings.merge(Findings.from_dict(json.loads(path.read_text(encoding="utf-8"))))
    for file, text in ((options.json, json_of), (options.sarif, sarif_of)):
        if file == "-":
            print(text(findings))
        elif file:
            Path(file).write_text(text(findings) + "\n", encoding="utf-8")
    unchecked = "ttkit: no kernel was launched through ttkit, so nothing was checked"
    print(summary(findings) if findings.launches else unchecked, file=sys.stderr)
    return 1 if findings.found else code or int(not findings.launches)


def _settings(sanitizer: str, options: argparse.Namespace) -> Settings:
    unknown = [word for word in sanitizer.split(",") if word not in (*CHECKS, "all")]
    if unknown:
        raise UserError(f"there is no sanitizer '{unknown[0]}'; there are {', '.join(CHECKS)}, all")
    made = Settings.parse(sanitizer)
    made = replace(made, level=options.level, sample=options.sample, bounds=options.bounds)
    return replace(made, device=options.device, prove=options.prove)


def _command(words: Sequence[str]) -> list[str]:
    """The command; a script of Python may stand alone."""
    if not words:
        raise UserError("name the command: ttkit sanitize all python script.py")
    if words[0].endswith(".py") and os.path.isfile(words[0]):
        return [sys.executable, *words]
    if shutil.which(words[0]) is None:
        raise UserError(f"no such command: {words[0]}")
    return list(words)


def _run_command(command: list[str], settings: Settings) -> int:
    in_place_of_triton = os.path.join(FOLDER, "compat", "import_hook")
    path = os.pathsep.join(filter(None, [in_place_of_triton, os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "TTKIT_SANITIZE": settings.text(), "PYTHONPATH": path}
    environment.pop("TRITON_INTERPRET", None)  # kernels as Python have checks of their own, and less of them
    code = subprocess.run(command, env=environment, check=False).returncode
    return code if code >= 0 else SIGNALLED - code


@command()
def triton_san(arguments: list[str]) -> None:
    """`triton-san SANITIZER CMD...`: `ttkit sanitize` by another name; ends the process."""
    parser = argparse.ArgumentParser(
        prog="triton-san", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=f"triton-san (ttkit {VERSION})")
    add_arguments(parser)
    options = parser.parse_args(arguments)
    sys.exit(run(options.words, options))
