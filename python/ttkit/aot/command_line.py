"""The command lines of tools that compile ahead of time: targets, options, and what their errors look like."""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Callable
from typing import Any, TypeVar

from ttkit.aot.dispatcher import LinkerError
from ttkit.aot.kernel_file import KernelFileError
from ttkit.compiler.module_metadata import CompileError
from ttkit.frontend.errors import CompilationError
from ttkit.number_options import OutOfRange, check_range
from ttkit.options import RANGES
from ttkit.target import GPUTarget, parse_capability

Result = TypeVar("Result")


def target_of(text: str) -> GPUTarget:
    """The target that `cuda:90:32`, `cuda:90`, `sm_90a` or `90` names.

    Raises:
        ValueError: there is no such target.
    """
    backend, colon, rest = text.strip().partition(":")
    if colon and backend != "cuda":
        raise ValueError(f"target '{text}': it compiles for NVIDIA's GPUs; write cuda:90:32 or sm_90a")
    arch, _, warp = (rest if colon else backend).partition(":")
    if warp not in ("", "32"):
        raise ValueError(f"target '{text}': warps of NVIDIA's GPUs have 32 threads")
    return GPUTarget("cuda", parse_capability(arch), 32)


def option_of(text: str) -> tuple[str, Any]:
    """The name and the value of `maxnreg=64`.

    Raises:
        ValueError: there is no value.
        OutOfRange: it is a number that the option does not take.
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"option '{text}' has no value: write maxnreg=64")
    try:
        found = ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return name, value
    if name in RANGES and isinstance(found, int):
        check_range(f"option {name}", found, *RANGES[name])
    return name, found


def fails_with_a_message(command: Callable[..., Result]) -> Callable[..., Result]:
    """A command that ends with exit code 1 and a message where what it was given is wrong."""

    @functools.wraps(command)
    def run(*arguments: Any) -> Result:
        """Runs the command; ends the process with status 1 and one line on errors that are the user's."""
        from ttkit.passes.infra import PassError

        try:
            return command(*arguments)
        except (
            KernelFileError,
            LinkerError,
            OutOfRange,
            CompilationError,
            CompileError,
            PassError,
            ValueError,
            TypeError,
        ) as error:
            sys.exit(f"error: {error}")
        except OSError as error:
            sys.exit(f"error: cannot write or read '{error.filename}': {error.strerror}")
        except (KeyError, RuntimeError) as error:
            sys.exit(f"error: {error.args[0] if isinstance(error, KeyError) else error}")
        except KeyboardInterrupt:
            sys.exit("error: interrupted")

    return run
