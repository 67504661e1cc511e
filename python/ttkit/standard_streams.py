"""Commands whose standard streams are closed, full, or read by nobody any more: `tt-opt k.mlir | head -1`."""

from __future__ import annotations

import functools
import os
import signal
import sys

from ttkit.garbage_collection import skip_at_exit

TYPE_CHECKING = False  # as of typing, whose import would take a tenth of tt-opt's start
if TYPE_CHECKING:
    from collections.abc import Callable

EXIT_CODE = 141  # as a shell has it of a process that SIGPIPE has ended


def with_standard_streams(main: Callable[[list[str]], None]) -> Callable[..., None]:
    """Decorator of a command's `main`, which lets BrokenPipeError through.

    Streams that are closed are as /dev/null.  Where nobody reads the output the process ends without a word, and with
    an error where it can't be written, or at Ctrl-C.  `main` takes the command line without the program's name; by
    default that of the process.
    """

    @functools.wraps(main)
    def run(arguments: list[str] | None = None) -> None:
        """Runs `main`, and ends the process if what it prints can't be written."""
        open_closed()
        if arguments is None:
            skip_at_exit()
        try:
            try:
                main(sys.argv[1:] if arguments is None else arguments)
            finally:
                sys.stdout.flush()  # here, not by the interpreter at its end, which would complain
        except KeyboardInterrupt:
            sys.exit("error: interrupted")
        except OSError as error:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(EXIT_CODE if isinstance(error, BrokenPipeError) else f"error: {error}")

    return run


def end_at_interrupts() -> None:
    """Lets Ctrl-C end the process at once: native code, as that which reads standard input, would go on to its end."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not where a shell has it ignored
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def open_closed() -> None:
    """Opens the streams that the process was started without: files that it opens would get their numbers."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # the lowest number that is free is this one
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8", closefd=False))  # noqa: SIM115
