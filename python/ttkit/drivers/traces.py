"""ttkit trace: runs a script and writes a page about every pass of its kernels; compares two such pages."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from ttkit.drivers.scripts import on_any_machine, page_of, script_of
from ttkit.drivers.user_errors import UserError
from ttkit.tracing import trace
from ttkit.tracing.contents import contents
from ttkit.tracing.dumps import is_dump, kernels_of_dump
from ttkit.tracing.trace_comparison import compared, first_difference
from ttkit.tracing.trace_page import read_data, write_data
from ttkit.user_scripts import run_script


def run(options: argparse.Namespace) -> int:
    """Does what the command line says; gives the exit code, for a script its own; 1 if it compiled no kernel.

    Raises:
        UserError: there is no such script, page or report.
    """
    if options.compare:
        return _compare(options)
    script, arguments = script_of(options.script)
    output = page_of(script, "trace", options.output)
    try:
        tracing = trace(output, title=os.path.basename(script), ncu=options.ncu)
        with on_any_machine(), tracing as recorder:
            code = run_script(script, arguments)
    except ValueError as error:  # of what ncu has measured
        raise UserError(str(error)) from None
    count = len(recorder.kernels)
    print(f"wrote {output}: {count} kernel{'s' * (count != 1)}", file=sys.stderr)
    if not count:
        print("the script compiled no kernel: launch a kernel, or call its warmup", file=sys.stderr)
    return code or int(not count)


def _data(path: str) -> dict[str, Any]:
    """The data of a page, or of what MLIR_ENABLE_DUMP printed."""
    text = Path(path).read_text(encoding="utf-8", errors="replace")
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
