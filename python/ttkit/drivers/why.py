"""ttkit why: one page on why the kernels of a script are slow, with their times where there is a GPU."""

from __future__ import annotations

import argparse
import os
import sys

import ttkit.knobs as knobs
from ttkit.compat import install
from ttkit.drivers.scripts import has_driver, script_of
from ttkit.drivers.times_on_gpu import times_on_gpu
from ttkit.drivers.user_errors import check_output
from ttkit.user_scripts import run_script
from ttkit.whole_files import write_files
from ttkit.why.explain import explain
from ttkit.why.shown import page, text
from ttkit.why.times import Times
from ttkit.why.watching import watching


def run(options: argparse.Namespace) -> int:
    """Does what the command line says; gives the exit code of the script, 1 if it launched no kernel.

    Raises:
        UserError: there is no such script, or the page can't be written.
    """
    script, arguments = script_of(options.script)
    if options.html:
        check_output(options.html)
    times = _times(script, arguments)
    install()
    with watching(options.programs) as watched:
        code = run_script(script, arguments)
    if not watched.kernels:
        print("the script launched no kernel, so there is nothing to explain", file=sys.stderr)
        return code or 1
    kernels = explain(watched, times)
    print(text(kernels))
    if options.html:
        write_files({options.html: page(kernels, os.path.basename(script))})
        print(f"wrote {options.html}", file=sys.stderr)
    return code


def _times(script: str, arguments: list[str]) -> Times | None:
    """Times of the kernels on the GPU; None where there is none, and where a line says why there are no times."""
    if knobs.runtime.device or not has_driver():
        return None
    try:
        return times_on_gpu(script, arguments)
    except ValueError as error:
        print(f"ttkit: no times of the GPU: {error}", file=sys.stderr)
        return None
