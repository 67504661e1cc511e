"""Commands whose output nobody reads any more: `tt-opt k.mlir | head -1`."""

from __future__ import annotations

import functools
import os
import sys

TYPE_CHECKING = False  # as of typing, whose import would take a tenth of tt-opt's start
if TYPE_CHECKING:
    from collections.abc import Callable

EXIT_CODE = 141  # as a shell has it of a process that SIGPIPE has ended


def ends_quietly(main: Callable[[list[str]], None]) -> Callable[..., None]:
    """Decorator of a command's `main`, which lets BrokenPipeError through: the process then ends without a word.

    `main` takes the command line without the program's name; by default that of the process.
    """

    @functools.wraps(main)
    def quiet(arguments: list[str] | None = None) -> None:
        """Runs `main`, and ends the process if nobody reads what it prints."""
        try:
            try:
                main(sys.argv[1:] if arguments is None else arguments)
            finally:
                sys.stdout.flush()  # here, not by the interpreter at its end, which would complain
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(EXIT_CODE)

    return quiet
