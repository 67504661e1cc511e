"""ttkit show-access: runs a script without a GPU and writes a page about the memory accesses of its kernels."""

from __future__ import annotations

import argparse
import sys

from ttkit.compat import install
from ttkit.drivers.scripts import page_of, script_of
from ttkit.user_scripts import run_script
from ttkit.visualize import recording


def run(options: argparse.Namespace) -> int:
    """Does what the command line says; gives the exit code of the script; 1 if it launched no kernel."""
    script, arguments = script_of(options.script)
    output = page_of(script, "access", options.output)
    install()
    with recording(options.programs, pipelined=options.pipelined) as record:
        code = run_script(script, arguments)
    record.write(output)
    count = len(record.launches)
    print(f"wrote {output}: {count} launch{'es' * (count != 1)}", file=sys.stderr)
    if not count:
        print("the script launched no kernel, so nothing is shown", file=sys.stderr)
    return code or int(not count)
