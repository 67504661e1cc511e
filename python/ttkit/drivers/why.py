"""ttkit why: one page on why the kernels of a script are slow, without a GPU."""

from __future__ import annotations

import argparse
import os
import sys

from ttkit.compat import install
from ttkit.drivers.scripts import script_of
from ttkit.drivers.user_errors import check_output
from ttkit.user_scripts import run_script
from ttkit.whole_files import write_files
from ttkit.why.explain import explain
from ttkit.why.shown import page, text
from ttkit.why.watching import watching


def run(options: argparse.Namespace) -> int:
    """Does what the command line says; gives the exit code of the script, 1 if it launched no kernel.

    Raises:
        UserError: there is no such script, or the page can't be written.
    """
    script, arguments = script_of(options.script)
    if options.html:
        check_output(options.html)
    install()
    with watching(options.programs) as watched:
        code = run_script(script, arguments)
    if not watched.kernels:
        print("the script launched no kernel, so there is nothing to explain", file=sys.stderr)
        return code or 1
    kernels = explain(watched)
    print(text(kernels))
    if options.html:
        write_files({options.html: page(kernels, os.path.basename(script))})
        print(f"wrote {options.html}", file=sys.stderr)
    return code
