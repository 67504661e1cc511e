"""Running a user's script inside of a command."""

from __future__ import annotations

import os
import runpy
import sys
import traceback
from collections.abc import Sequence

from ttkit.drivers.user_errors import UserError


def script_of(words: Sequence[str]) -> tuple[str, list[str]]:
    """The script that a command line names, and its arguments.

    Raises:
        UserError: there is none.
    """
    if not words:
        raise UserError("name the script")
    if not os.path.isfile(words[0]):
        raise UserError(f"no such file: {words[0]}")
    return words[0], list(words[1:])


def page_of(script: str, kind: str, given: str | None) -> str:
    """The file of a page about a script: the one that is given, or the script's name with `.kind.html`.

    Raises:
        UserError: there is no such folder.
    """
    path = given or f"{os.path.splitext(os.path.basename(script))[0]}.{kind}.html"
    if not os.path.isdir(os.path.dirname(path) or "."):
        raise UserError(f"no such folder: {os.path.dirname(path)}")
    return path


def run_script(script: str, arguments: Sequence[str]) -> int:
    """Runs a file as the main module, with its own arguments and search path.

    An error that ends it is shown from the script's first line on.

    Returns:
        its exit code.
    """
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
        trail = error.__traceback__
        while trail is not None and trail.tb_frame.f_code.co_filename != script:
            trail = trail.tb_next
        traceback.print_exception(type(error), error, trail or error.__traceback__)
        return 1
    finally:
        sys.argv, sys.path[:] = old
    return 0
