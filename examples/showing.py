"""What the examples share: a kernel is compiled and run, and its levels and its numbers are shown.

With an NVIDIA GPU a kernel runs there; without one the interpreters run it on the CPU, once as tt and once as ttg.
Where a driver stands in for a GPU (TTKIT_DEVICE, TTKIT_SANITIZE), the kernel is launched.
"""

import os
import re

import numpy as np

import ttkit
from ttkit import knobs
from ttkit.runtime import Device, DeviceArray, DriverError, driver

LEVELS = ("ttir", "ttgir", "llir", "ptx")
WIDTH = 116


def gpu_name():
    """The name of the GPU; None without one."""
    try:
        return Device.current().name
    except DriverError:
        return None


def run(kernel, grid, arguments, constants, excerpts, **options):
    """Compiles a kernel, shows a line of each level, and runs it; the arrays among the arguments then hold its results.

    Args:
        kernel: a function under `@ttkit.jit`.
        grid: number of programs along up to three axes.
        arguments: arrays of numpy, and numbers.
        constants: of the parameters that are `tl.constexpr`, by name.
        excerpts: of each level, a regular expression for the line to show.
        options: such as num_warps.
    """
    device = gpu_name()
    if device is None and driver.active.is_active():
        compiled = kernel[grid](*arguments, **constants, **options)
        places = ["by the driver that stands in for a GPU"]
    elif device is None:
        os.environ.setdefault("TRITON_OVERRIDE_ARCH", "sm90")  # compile for a GPU that is not here
        compiled = kernel.warmup(*arguments, grid=grid, **constants, **options)
        places = interpreted(compiled, grid, arguments)
    else:
        held = [DeviceArray(value) if isinstance(value, np.ndarray) else value for value in arguments]
        compiled = kernel[grid](*held, **constants, **options)
        for value, on_gpu in zip(arguments, held):
            if isinstance(value, np.ndarray):
                value[...] = on_gpu.numpy()
        places = [f"on {device}"]
    show(compiled, excerpts)
    print(f"  ran {' and '.join(places)}")


def interpreted(compiled, grid, arguments):
    """Runs tt, and then ttg on the same arguments; both must give the same."""
    copies = [value.copy() if isinstance(value, np.ndarray) else value for value in arguments]
    for level, values in (("ttir", arguments), ("ttgir", copies)):
        with ttkit.Context():
            ttkit.interpret(ttkit.parse(compiled.asm[level]), grid, values)
    for value, copy in zip(arguments, copies):
        if isinstance(value, np.ndarray):
            np.testing.assert_allclose(copy.astype(float), value.astype(float), 1e-3, 1e-3)
    return ["as tt", "as ttg, by the interpreters"]


def show(compiled, excerpts):
    """A line of each level, and what the cubin takes."""
    print(f"{compiled.name}")
    for level in LEVELS:
        text = compiled.asm[level]
        lines = [re.sub(r" loc\(.*\)$|, !dbg .*$", "", line).strip() for line in text.splitlines()]
        found = next((line for line in lines if re.search(excerpts[level], line)), "")
        shown = " ".join(found.split())
        shown = shown if len(shown) <= WIDTH - 24 else f"{shown[: WIDTH - 27]}..."
        print(f"  {level:6}{len(lines):5} lines   {shown}")
    size, metadata = len(compiled.asm["cubin"]), compiled.metadata
    print(f"  cubin{size:6} bytes   {metadata.shared} bytes of shared memory, {metadata.num_warps} warps")


def check(name, found, wanted, tolerance=0.0):
    """Compares with what numpy says, and says so.

    Raises:
        AssertionError: the numbers differ.
    """
    np.testing.assert_allclose(found.astype(float), wanted.astype(float), tolerance, tolerance)
    close = "equal to" if tolerance == 0 else f"within {tolerance:g} of"
    print(f"  {found.size} numbers {close} {name}\n")


def placed(array):
    """An array where kernels find it: on the GPU, or itself where they run on the CPU."""
    on_cpu = knobs.runtime.interpret or (driver.active.is_active() and gpu_name() is None)
    return array if on_cpu else DeviceArray(array)


def fetched(value):
    """The array of numpy of what `placed` gave."""
    return value if isinstance(value, np.ndarray) else value.numpy()
