"""NVIDIA's tools: what `nvidia-smi` says and sets, and tests under its memory checker."""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ttkit.testing.peaks import get_max_tensorcore_tflops

_CLOCK_TOLERANCE = 10  # MHz


def nvsmi(attrs: Sequence[str]) -> list[int]:
    """Values that `nvidia-smi` reports of the first GPU.

    Args:
        attrs: such as "clocks.max.sm": those of `nvidia-smi --help-query-gpu` that are whole numbers.

    Raises:
        RuntimeError: `nvidia-smi` is not there, or does not know one of them.
    """
    text = _nvidia_smi(f"--query-gpu={','.join(attrs)}", "--format=csv,noheader,nounits")
    return [int(value) for value in text.split(",")]


def _nvidia_smi(*options: str) -> str:
    try:
        done = subprocess.run(["nvidia-smi", "-i", "0", *options], capture_output=True, text=True)
    except OSError as error:
        raise RuntimeError(f"nvidia-smi can't be run ({error}): it comes with NVIDIA's driver") from None
    if done.returncode:
        raise RuntimeError(f"nvidia-smi {' '.join(options)}: {(done.stdout + done.stderr).strip()}")
    return done.stdout


@contextlib.contextmanager
def set_gpu_clock(ref_sm_clock: int = 1350, ref_mem_clock: int = 1215) -> Iterator[tuple[float, float]]:
    """Fixes the clocks of the first GPU, for times that can be compared; needs the right to (root).

    Args:
        ref_sm_clock, ref_mem_clock: of multiprocessors and memory, in MHz.

    Yields:
        what tensor cores multiply in f16 at these clocks (1e12 operations a second), and the memory's GB/s.

    Raises:
        RuntimeError: `nvidia-smi` can't set them.
    """
    from ttkit.runtime.driver import driver

    try:
        _nvidia_smi("-pm", "1")
        _nvidia_smi(f"--lock-gpu-clocks={ref_sm_clock},{ref_sm_clock}")
        _nvidia_smi(f"--lock-memory-clocks={ref_mem_clock},{ref_mem_clock}")
        for attribute, wanted in (("clocks.current.sm", ref_sm_clock), ("clocks.current.memory", ref_mem_clock)):
            found = nvsmi([attribute])[0]
            if abs(found - wanted) >= _CLOCK_TOLERANCE:
                raise RuntimeError(f"{attribute} is {found} MHz, not {wanted} MHz: the GPU has no such clock")
        bus_bytes = driver.active.utils.get_device_properties(0)["mem_bus_width"] / 8
        yield get_max_tensorcore_tflops("float16", ref_sm_clock * 1e3, 0), bus_bytes * 2 * ref_mem_clock * 1e-3
    finally:
        for option in ("-rgc", "-rmc"):
            _nvidia_smi(option)
        _nvidia_smi("-pm", "0")


def cuda_memcheck(**target_kwargs: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator of a parametrized pytest function: runs it once more under `compute-sanitizer`, and checks that this
    found nothing, for those of its cases that have the given arguments.  The test must ask for pytest's `request`."""

    def decorate(test: Callable[..., Any]) -> Callable[..., Any]:
        """The test, of which cases with all of these arguments run in a process of their own."""

        @functools.wraps(test)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            """Runs the case under compute-sanitizer, if it is to be and does not run there already.

            Raises:
                TypeError: it does not ask for `request`.
            """
            checked = target_kwargs.items() <= kwargs.items()
            if not checked or os.environ.get("TTKIT_UNDER_SANITIZER"):
                return test(*args, **kwargs)
            if "request" not in kwargs:
                raise TypeError(f"{test.__name__} must ask for pytest's fixture `request`")
            case = kwargs["request"].node.callspec.id
            return _run_checked(f"{os.path.realpath(test.__globals__['__file__'])}::{test.__name__}[{case}]")

        return wrapper

    return decorate


def _run_checked(case: str) -> None:
    tool = shutil.which("compute-sanitizer") or shutil.which("cuda-memcheck")
    if tool is None:
        raise RuntimeError("compute-sanitizer is not installed: it comes with the CUDA toolkit")
    environment = {**os.environ, "PYTORCH_NO_CUDA_MEMORY_CACHING": "1", "TTKIT_UNDER_SANITIZER": "1"}
    command = [tool, sys.executable, "-m", "pytest", "-vs", case]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode or "ERROR SUMMARY: 0 errors" not in done.stdout:
        raise AssertionError(f"{os.path.basename(tool)} found errors in {case}:\n{done.stdout}{done.stderr}")
