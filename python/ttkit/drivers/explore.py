"""ttkit explore: the trace page on 127.0.0.1, where IR and pipelines are edited, run on, and run on the interpreter."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ttkit.compiler.launch_check import in_force
from ttkit.drivers.common_arguments import IR_FILES
from ttkit.drivers.scripts import on_any_machine
from ttkit.drivers.user_errors import UserError, ir_text_of
from ttkit.explorer import Server, Workbench
from ttkit.explorer.launch_copies import FirstLaunches
from ttkit.explorer.workbench import WorkFailed
from ttkit.tracing.recorder import recording
from ttkit.user_scripts import run_script


def run(options: argparse.Namespace) -> int:
    """Does what the command line says until it is interrupted; gives the exit code, that of the script if it failed.

    Raises:
        UserError: there is no such file, or no kernel in it.
    """
    if not options.script:
        raise UserError("name a script, or a file of IR")
    path = Path(options.script[0])
    if not path.is_file():
        raise UserError(f"no such file: {path}")
    bench, code = Workbench(path.name, [], options.capability), 0
    if path.suffix in IR_FILES:
        try:
            made = bench.add_file(ir_text_of(str(path)), path.stem, options.pass_pipeline or "")
        except WorkFailed as error:
            raise UserError(str(error)) from None
        if made.error and not made.stages:
            raise UserError(made.error)
    else:
        launches = FirstLaunches()
        with on_any_machine(), recording() as recorder, in_force(launches):
            code = run_script(str(path), options.script[1:])
        bench.kernels += recorder.finish()
        bench.launches = launches.inputs
        if not bench.kernels:
            print("error: the script compiled no kernel: launch a kernel, or call its warmup", file=sys.stderr)
            return code or 1
    with Server(bench, options.port) as server:
        count = len(bench.kernels)
        print(f"{count} kernel{'s' * (count != 1)} at {server.address}", file=sys.stderr)
        print("Whoever has this address can run passes as you.  Ctrl-C ends it.", file=sys.stderr, flush=True)
        if options.open:
            import webbrowser

            webbrowser.open(server.address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print(file=sys.stderr)
    return code
