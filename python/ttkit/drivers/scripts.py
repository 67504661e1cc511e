"""Scripts that command lines name, and the pages about them."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import ttkit.knobs as knobs
from ttkit import compat
from ttkit.cuda.libcuda import library_path
from ttkit.drivers.common_arguments import IR_FILES
from ttkit.drivers.user_errors import UserError, check_output
from ttkit.language import interpret_mode
from ttkit.runtime.driver import CudaDriver, driver

_STAND_IN = "interpret:sm_90"
"""TTKIT_DEVICE where there is no GPU and nothing was said."""


def script_of(words: Sequence[str], may_be_ir: bool = False) -> tuple[str, list[str]]:
    """The script that a command line names, and its arguments.

    Args:
        may_be_ir: whether a file of IR is allowed.

    Raises:
        UserError: there is none.
    """
    if not words:
        raise UserError("name the script")
    if os.path.isdir(words[0]):
        raise UserError(f"'{words[0]}' is a folder: name the script")
    if not os.path.isfile(words[0]):
        raise UserError(f"no such file: {words[0]}")
    if words[0].endswith(IR_FILES) and not may_be_ir:
        raise UserError(f"{words[0]} is a file of IR: name the Python script that launches the kernel")
    with_compiled_kernels()
    return words[0], list(words[1:])


def with_compiled_kernels() -> None:
    """Lets the script compile its kernels, which a command looks at: TRITON_INTERPRET would run them as Python."""
    if interpret_mode.is_interpreting():
        print("TRITON_INTERPRET is left aside: the command needs kernels that are compiled", file=sys.stderr)
        os.environ.pop("TRITON_INTERPRET", None)
        knobs.runtime.interpret = False


def page_of(script: str, kind: str, given: str | None) -> str:
    """The file of a page about a script: the one that is given, or the script's name with `.kind.html`.

    Raises:
        UserError: there is no such folder, or it is one itself.
    """
    path = given or f"{os.path.splitext(os.path.basename(script))[0]}.{kind}.html"
    check_output(path)
    return path


@contextmanager
def on_any_machine() -> Iterator[None]:
    """A `with` statement's scope for a user's script: `import triton` is ttkit, and no GPU is needed.

    Without a GPU, kernels are compiled for sm_90 and run on the CPU, and a line says so.  TTKIT_DEVICE, TTKIT_SANITIZE
    and TRITON_INTERPRET decide where they are set.
    """
    if knobs.runtime.device or interpret_mode.is_interpreting() or has_driver():
        compat.install()
        yield
        return
    print(f"no GPU: kernels are compiled and run on the CPU as with TTKIT_DEVICE={_STAND_IN}", file=sys.stderr)
    with knobs.runtime.scope():
        knobs.runtime.device = _STAND_IN
        driver.reset_active()
        compat.install()  # asks for the device
        try:
            yield
        finally:
            driver.reset_active()


def has_driver() -> bool:
    """Whether launches go to a GPU, or to a driver that was set.

    Another process looks for the GPU: processes forked from one that has looked can't use it, and the script may still
    choose one (CUDA_VISIBLE_DEVICES).
    """
    if not isinstance(driver.active, CudaDriver):
        return True
    try:
        ctypes.CDLL(library_path())
    except OSError:
        return False
    command = [sys.executable, "-c", "from ttkit.cuda.libcuda import library; library()"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
