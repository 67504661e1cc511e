"""Errors of drivers in a command line or its files."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from pathlib import Path

from mlir import ir

from ttkit._native import library
from ttkit.compat import TritonInUse
from ttkit.context import Context, parse_file, parse_text
from ttkit.inspection import place_text
from ttkit.number_options import OutOfRange
from ttkit.passes.infra.base import PassError
from ttkit.standard_streams import with_standard_streams
from ttkit.whole_files import os_error_text


class UserError(Exception):
    """An error in the command line or in the files it names.  A command's `run` raises it; its text is printed."""


def text_of(path: str) -> str:
    """The text of a file, or for - of standard input.

    Raises:
        UserError: it is not text.
        OSError: it can't be read.
    """
    try:
        return sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise UserError(f"'{path}' is not UTF-8 text: byte {error.start} is invalid") from None


def ir_text_of(path: str) -> str:
    """The text of a file of IR, or for - of standard input, which is valid.

    Raises:
        UserError: it is not text.
        ir.MLIRError: it is not IR; with places in the file.
        OSError: it can't be read.
    """
    text = text_of(path)
    with Context() as context:
        if path == "-":
            parse_text(text, context)
        else:
            parse_file(path, context)
    return text


def check_output(path: str) -> None:
    """Looks at where a file will be written, before work that would be lost.

    Raises:
        UserError: there is no such folder, or it is one itself.
    """
    if not os.path.isdir(os.path.dirname(path) or "."):
        raise UserError(f"no such folder: {os.path.dirname(path)}")
    if os.path.isdir(path):
        raise UserError(f"'{path}' is a folder: name a file")


def command(*errors: type[Exception]) -> Callable[[Callable[[list[str]], None]], Callable[..., None]]:
    """Decorator of a command's `main`: user errors, interruptions and crashes end it with exit code 1 and a line.

    errors: exceptions that a user causes, besides UserError, OSError, PassError, TritonInUse and MLIR's diagnostics.
    """
    told: tuple[type[Exception], ...] = (UserError, OutOfRange, OSError, TritonInUse, *errors)

    def decorate(main: Callable[[list[str]], None]) -> Callable[..., None]:
        """`main` with its errors told."""

        @functools.wraps(main)
        def run(arguments: list[str]) -> None:
            """Runs `main`; the process ends where it was wrong."""
            library().ttkitReportCrashes()
            try:
                main(arguments)
            except ir.MLIRError as error:
                sys.exit(diagnostics(error))
            except PassError as error:  # its cause has the location of the operation
                cause = error.__cause__
                sys.exit(diagnostics(cause) if isinstance(cause, ir.MLIRError) else f"error: {error}")
            except RecursionError:
                sys.exit("error: the input is nested too deeply")
            except BrokenPipeError:
                raise  # to `with_standard_streams`
            except told as error:
                if isinstance(error, OSError):
                    sys.exit(f"error: {os_error_text(error)}")
                is_located = "error: " in str(error).partition("\n")[0]  # ptxas's, at the kernel's lines
                sys.exit(str(error) if is_located else f"error: {error}")
            except Exception as error:  # what a pass of the user raised comes from the diagnostic that names both
                if isinstance(error.__cause__, ir.MLIRError):
                    sys.exit(diagnostics(error.__cause__))
                raise

        return with_standard_streams(run)

    return decorate


def diagnostics(error: ir.MLIRError) -> str:
    """MLIR's errors, as tt-opt shows them."""
    lines = []
    for item in error.error_diagnostics:
        location = place_text(item.location).removeprefix("loc(").removesuffix(")").replace('"', "")
        lines.append(f"{location}: error: {item.message}")
    return "\n".join(lines) or f"error: {error}"
