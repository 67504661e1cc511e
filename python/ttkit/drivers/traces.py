"""ttkit trace: runs a script and writes a page about every pass of its kernels; compares two such pages."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from ttkit.drivers.scripts import run_script
from ttkit.drivers.user_errors import UserError
from ttkit.tracing import trace
from ttkit.tracing.comparison import compared, first_difference
from ttkit.tracing.contents import contents
from ttkit.tracing.dumps import is_dump, kernels_of_dump
from ttkit.tracing.page import read_data, write_data


def run(options: argparse.Namespace) -> int:
    """Does what the command line says; gives the exit code, for a script its own."""
    if options.compare:
        return _compare(options)
    if not options.script:
        raise UserError("name the script to trace")
    script, *arguments = options.script
    if not os.path.isfile(script):
        raise UserError(f"no such file: {script}")
    return _trace(script, arguments, options.output or _beside(script), options.ncu)


def _beside(script: str) -> str:
    return f"{os.path.splitext(os.path.basename(script))[0]}.trace.html"


def _trace(script: str, arguments: list[str], output: str, ncu: str | None) -> int:
    if not os.path.isdir(os.path.dirname(output) or "."):
        raise UserError(f"no such folder: {os.path.dirname(output)}")
    try:
        tracing = trace(output, title=os.path.basename(script), ncu=ncu)
        with tracing as recorder:
            code = run_script(script, arguments)
    except ValueError as error:  # of what ncu has measured
        raise UserError(str(error)) from None
    count = len(recorder.kernels)
    print(f"wrote {output}: {count} kernel{'s' * (count != 1)}", file=sys.stderr)
    if not count:
        print("the script compiled none: a kernel is compiled when it is launched or warmed up", file=sys.stderr)
    return code


def _data(path: str) -> dict[str, Any]:
    """The data of a page, or of what MLIR_ENABLE_DUMP printed."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    if is_dump(text):
        return contents(kernels_of_dump(text), os.path.basename(path))
    return read_data(path)


def _compare(options: argparse.Namespace) -> int:
    if len(options.script) != 2:
        raise UserError(f"--compare takes two pages, found {len(options.script)}")
    try:
        data = compared(*map(_data, options.script))
    except ValueError as error:
        raise UserError(str(error)) from None
    output = options.output or "compared.trace.html"
    write_data(output, data)
    for kernel in data["kernels"]:
        print(f"{kernel['name']}: {first_difference(kernel)}")
    print(f"wrote {output}", file=sys.stderr)
    return 0
