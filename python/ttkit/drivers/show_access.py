"""ttkit show-access: runs a script without a GPU and writes a page about the memory accesses of its kernels."""

from __future__ import annotations

import argparse
import os
import sys

from ttkit.compat import install
from ttkit.drivers.scripts import run_script
from ttkit.drivers.user_errors import UserError
from ttkit.visualize import recording


def run(options: argparse.Namespace) -> int:
    """Does what the command line says; gives the exit code of the script."""
    if not options.script:
        raise UserError("name the script: ttkit show-access script.py")
    script, *arguments = options.script
    if not os.path.isfile(script):
        raise UserError(f"no such file: {script}")
    output = options.output or f"{os.path.splitext(os.path.basename(script))[0]}.access.html"
    if not os.path.isdir(os.path.dirname(output) or "."):
        raise UserError(f"no such folder: {os.path.dirname(output)}")
    install()
    with recording(options.programs, pipelined=options.pipelined) as record:
        code = run_script(script, arguments)
    record.write(output)
    count = len(record.launches)
    print(f"wrote {output}: {count} launch{'es' * (count != 1)}", file=sys.stderr)
    return code
