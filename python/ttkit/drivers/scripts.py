"""Scripts that command lines name, and the pages about them."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ttkit.drivers.user_errors import UserError, check_output


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
        UserError: there is no such folder, or it is one itself.
    """
    path = given or f"{os.path.splitext(os.path.basename(script))[0]}.{kind}.html"
    check_output(path)
    return path
