"""Host time of `kernel[grid](...)`, beside Triton's, in one process.

    python bench/launch.py [--calls 2000] [--rounds 15] [--output FILE]     # on a GPU, with torch and Triton
    python bench/launch.py --stand-in ...                                   # without: a libcuda that runs nothing

Both launch the same kernels with the same tensors of torch, in rounds of many calls; the order within a round is
random.  Each figure is the least time of a call over all rounds, in microseconds, and the ratio of the least ones.  The
stand-in (test/unit/fake_driver) takes a few nanoseconds a launch, so that all that is measured is Triton's and ttkit's
own work; it needs a C compiler.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import platform
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from both_languages import load
from result_file import as_text

HERE = Path(__file__).resolve().parent
KERNELS = HERE / "launch_kernels.py"


def stand_in() -> Any:
    """Puts a libcuda that runs nothing in the place of the driver's; must be called before either is imported."""
    sys.path.insert(0, str(HERE.parent / "test" / "unit"))
    from fake_driver import FakeDriver, build

    folder = Path(tempfile.mkdtemp())
    path = build(folder)
    if path is None:
        sys.exit("--stand-in needs a C compiler")
    ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
    os.environ["TRITON_LIBCUDA_PATH"] = str(folder)
    os.environ["TRITON_CACHE_DIR"] = str(folder / "cache")
    fake = FakeDriver(path)
    fake.lib.fake_forget()
    fake.lib.fake_set_context(0xC000)
    return fake


def triton_kernels(fake: Any) -> Any:
    """The kernels by Triton; with a stand-in for the driver without torch."""
    import triton
    import triton.language

    if fake is not None:
        from triton.backends.compiler import GPUTarget
        from triton.backends.nvidia import driver as nvidia

        class Driver(nvidia.CudaDriver):
            """Without torch's part, which needs a GPU."""

            def __init__(self) -> None:
                self.utils = nvidia.CudaUtils()
                self.launcher_cls = nvidia.CudaLauncher

            def get_current_device(self) -> int:
                return 0

            def get_current_stream(self, device: int) -> int:
                return 0

            def get_current_target(self) -> Any:
                return GPUTarget("cuda", 90, 32)

        triton.runtime.driver.set_active(Driver())
    return load("kernels_of_triton", KERNELS, triton.jit, triton.language)


def ttkit_kernels() -> Any:
    """The kernels by ttkit."""
    import ttkit
    import ttkit.language

    return load("kernels_of_ttkit", KERNELS, ttkit.jit, ttkit.language)


def calls(module: Any, tensors: list[Any]) -> dict[str, Callable[[], Any]]:
    """{what is launched: a function that launches it}."""
    a, b, c, d, e, f, g, h = tensors
    n = a.numel()
    grid = (4,)
    add, four, twelve, twenty = module.vector_add, module.four, module.twelve, module.twenty
    return {
        "vector_add": lambda: add[grid](a, b, c, n, BLOCK=1024),
        "vector_add, grid of META": lambda: add[lambda meta: ((n + meta["BLOCK"] - 1) // meta["BLOCK"],)](
            a, b, c, n, BLOCK=1024
        ),
        "vector_add, num_warps": lambda: add[grid](a, b, c, n, BLOCK=1024, num_warps=8),
        "4 arguments": lambda: four[grid](a, b, n, BLOCK=1024),
        "12 arguments": lambda: twelve[grid](a, b, c, n, n, n, 1, 2, 3, 0.5, BLOCK=1024, ACTIVATION="relu"),
        "20 arguments": lambda: twenty[grid](
            a, b, c, d, e, f, g, h, n, n, n, 1, 2, 3, 4, 5, 0.5, 2.5, BLOCK=1024, EVEN=True
        ),
    }


def measure(call: Callable[[], Any], count: int, wait: Callable[[], Any]) -> float:
    """Microseconds of a call."""
    wait()
    start = time.perf_counter()
    for _ in range(count):
        call()
    taken = time.perf_counter() - start
    wait()
    return taken / count * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--stand-in", action="store_true")
    parser.add_argument("--only", choices=("triton", "ttkit"))
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    fake = stand_in() if options.stand_in else None
    import torch

    device = "cpu" if fake else "cuda"
    tensors = [torch.zeros(4096, device=device) for _ in range(8)]
    wait = (lambda: None) if fake else torch.cuda.synchronize
    made = {}
    if options.only != "ttkit":
        made["triton"] = calls(triton_kernels(fake), tensors)
    if options.only != "triton":
        made["ttkit"] = calls(ttkit_kernels(), tensors)
    results = compare(made, options.calls, options.rounds, wait)
    if options.output:
        about = {"python": platform.python_version(), "stand_in": bool(fake), "microseconds": results}
        options.output.write_text(as_text(about))


def compare(made: dict[str, Any], count: int, rounds: int, wait: Callable[[], Any]) -> dict[str, dict[str, float]]:
    """Least times of every launch, printed as they are found."""
    results: dict[str, dict[str, float]] = {}
    for name in next(iter(made.values())):
        for each in made.values():
            each[name]()
            each[name]()
        times: dict[str, list[float]] = {who: [] for who in made}
        for _ in range(rounds):
            order = list(made)
            random.shuffle(order)
            for who in order:
                times[who].append(measure(made[who][name], count, wait))
        least = {who: min(taken) for who, taken in times.items()}
        if len(least) == 2:
            least["ratio"] = least["ttkit"] / least["triton"]
        results[name] = {who: round(value, 3) for who, value in least.items()}
        print(f"{name:28}" + "  ".join(f"{who} {value:.3f}" for who, value in results[name].items()), flush=True)
    return results


if __name__ == "__main__":
    main()
