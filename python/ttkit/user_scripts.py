"""Running a user's script inside of a command."""

from __future__ import annotations

import contextlib
import os
import runpy
import sys
import traceback
from collections.abc import Sequence

from ttkit.garbage_collection import collect_at_exit


def run_script(script: str, arguments: Sequence[str]) -> int:
    """Runs a file as the main module, with its own arguments and search path.

    An error that ends it is shown from the script's first line on.

    Raises:
        BrokenPipeError: nobody reads the standard output any more.

    Returns:
        its exit code.
    """
    collect_at_exit()
    old = sys.argv, list(sys.path)
    sys.argv, sys.path[0] = [script, *arguments], os.path.dirname(os.path.abspath(script))
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except Exception as error:
        if isinstance(error, BrokenPipeError) and _is_unread():
            raise
        trail = error.__traceback__
        while trail is not None and trail.tb_frame.f_code.co_filename != script:
            trail = trail.tb_next
        traceback.print_exception(type(error), error, trail)  # without one no line of the script has run
        return 1
    finally:
        sys.argv, sys.path[:] = old
        with contextlib.suppress(ValueError, AttributeError):  # the script has closed it
            sys.stdout.flush()  # before what the command says, where both go to one file
    return 0


def _is_unread() -> bool:
    """Whether the standard output is a pipe that nobody reads any more."""
    import select  # 1 ms, for errors only

    if not hasattr(select, "poll"):
        return False
    asked = select.poll()
    asked.register(1, select.POLLOUT)
    return any(event & select.POLLERR for _, event in asked.poll(0))
