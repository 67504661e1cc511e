"""The command `proton`: runs a script, or pytest, under the profiler.

proton -n matmul -k triton matmul.py --size 4096
proton -n tests pytest test_matmul.py -k small
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

import ttkit.profiler.flags as flags
import ttkit.profiler.sessions as sessions
from ttkit.cuda.libcuda import DriverError
from ttkit.drivers.scripts import on_any_machine
from ttkit.installation import VERSION
from ttkit.profiler.cupti import CuptiError
from ttkit.profiler.profile import BACKENDS, DEFAULT_PROFILE_NAME, begin
from ttkit.profiler.sessions import CONTEXTS, DATA, Session
from ttkit.standard_streams import with_standard_streams
from ttkit.user_scripts import run_script


def command_line() -> argparse.ArgumentParser:
    """The arguments of `proton`."""
    parser = argparse.ArgumentParser(
        prog="proton",
        usage="proton [options] script.py [arguments]\n       proton [options] pytest [arguments]",
        description="Runs a script under the profiler, and writes NAME.hatchet.  Its own calls of `start` are ignored.",
    )
    parser.add_argument("-n", "--name", default=DEFAULT_PROFILE_NAME, help="of the file (proton)")
    parser.add_argument("-b", "--backend", choices=(*BACKENDS, "roctracer"), help="what measures")
    parser.add_argument("-c", "--context", choices=CONTEXTS, default="shadow", help="what the tree is of")
    parser.add_argument("-m", "--mode", help="of the backend, with options after colons")
    parser.add_argument("-d", "--data", choices=DATA, default="tree", help="a tree or a timeline")
    parser.add_argument("-k", "--hook", choices=("None", "triton"), help="ask kernels for operations and bytes")
    parser.add_argument("--version", action="version", version=f"proton (ttkit {VERSION})")
    parser.add_argument("target_args", nargs=argparse.REMAINDER, help="the script, or pytest, and its arguments")
    return parser


@with_standard_streams
def main(arguments: list[str]) -> None:
    """Runs proton and ends the process with the script's exit code.

    It is 1 after an error, or if there was nothing to measure, and 2 for a malformed line.
    """
    parser = command_line()
    options = parser.parse_args(arguments)
    if not options.target_args:
        parser.error("a script is missing")
    target = options.target_args
    if not is_pytest(target[0]) and not os.path.isfile(target[0]):
        sys.exit(f"error: no such script: {target[0]}")
    with on_any_machine():
        session, code = _profiled(options, target)
    if code == 0 and not session.table.kernels and not session.table.values:
        print("proton: nothing was measured: no kernel was launched, and no metric was given", file=sys.stderr)
        code = 1
    sys.exit(code)


def _profiled(options: argparse.Namespace, target: Sequence[str]) -> tuple[Session, int]:
    """Runs a script, or pytest, in a session whose file is written at the end; the session and the exit code."""
    hook = None if options.hook == "None" else options.hook
    try:
        number = begin(options.name, options.context, options.data, options.backend, options.mode, hook)
    except (ValueError, DriverError, CuptiError) as error:
        sys.exit(f"error: {error}")
    flags.command_line = True
    session = sessions.SESSIONS[number]
    try:
        return session, run(target)
    finally:
        flags.command_line = False
        sessions.finalize(number)


def is_pytest(script: str) -> bool:
    """Whether it names pytest, and no script."""
    return os.path.basename(script) in ("pytest", "py.test")


def run(target: Sequence[str]) -> int:
    """Runs a script as the main program, or pytest; its exit code."""
    if is_pytest(target[0]):
        import pytest

        return pytest.main(list(target[1:]))
    return run_script(target[0], target[1:])


if __name__ == "__main__":
    main()
