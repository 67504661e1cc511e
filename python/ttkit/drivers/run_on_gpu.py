"""tt-run --device cuda: compiles a kernel for the GPU, runs it there, and compares it with the interpreter."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ttkit.compiler.llvm_api import LLVMError
from ttkit.compiler.module_metadata import CompileError
from ttkit.compiler.ptxas import PTXASError
from ttkit.compiler.sources import IRSource
from ttkit.drivers.user_errors import UserError
from ttkit.interpreter.argument_specs import Argument
from ttkit.runtime import Device, DeviceArray, DriverError
from ttkit.runtime.compile import compile
from ttkit.target import GPUTarget


def run_on_gpu(
    path: str, text: str | bytes, grid: tuple[int, int, int], arguments: list[Argument], num_warps: int
) -> None:
    """Runs a kernel; its outputs are in the arrays of the arguments, as with the interpreter.

    Args:
        path: of the file; `.ttgir` says that it is ttg.
        num_warps: of a kernel in tt.

    Raises:
        UserError: there is no GPU, the kernel can't be compiled or faults, or an argument can't be passed.
        ir.MLIRError: with the diagnostics of a pass in C++.
    """
    level = "ttgir" if is_ttg(path, text) else "ttir"
    try:
        capability = Device.current().capability
        source = IRSource(f"kernel.{level}", capability, text)
        kernel = compile(source, GPUTarget("cuda", capability, 32), {"num_warps": num_warps})
        kernel.check = True
        passed = [_pass_argument(argument) for argument in arguments]
        kernel.launch(grid, passed)
        for argument, value in zip(arguments, passed):
            if isinstance(value, DeviceArray):
                argument.array[...] = value.numpy()
    except (CompileError, LLVMError, PTXASError, DriverError) as error:
        raise UserError(str(error)) from error


def is_ttg(path: str, text: str | bytes) -> bool:
    """Whether a file is ttg; without a suffix that says so, what every module of ttg has tells."""
    if Path(path).suffix in (".ttir", ".ttgir"):
        return Path(path).suffix == ".ttgir"
    return b"ttg.num-warps" in (text if isinstance(text, bytes) else text.encode())


def _pass_argument(argument: Argument) -> object:
    if argument.array is None:
        return argument.value
    if isinstance(argument.array, np.ndarray) and not hasattr(argument.value, "block_shape"):
        return DeviceArray(argument.array)
    raise UserError("tensor descriptors can't be launched yet: run without --device cuda")


def compare(name: str, on_gpu: np.ndarray, interpreted: np.ndarray, tolerance: float) -> tuple[bool, str]:
    """Whether two results are the same, up to a tolerance, relative and absolute too; and a line that says so."""
    if on_gpu.dtype.kind in "iub":
        differs = on_gpu != interpreted
        different = int(differs.sum())
        detail = f"{different} of {on_gpu.size} elements differ"
    else:
        found, wanted = on_gpu.astype(np.float64), interpreted.astype(np.float64)
        differs = ~np.isclose(found, wanted, tolerance, tolerance, equal_nan=True)
        different = int(differs.sum())
        with np.errstate(all="ignore"):
            worst = np.nanmax(np.abs(found - wanted), initial=0.0)
        detail = f"{different} of {on_gpu.size} elements differ by more than {tolerance:g}, at most {worst:.3g}"
    if different:
        first = np.argwhere(differs)[0]
        place = ", ".join(map(str, first))
        detail += f"; [{place}] is {on_gpu[tuple(first)]} on the GPU and {interpreted[tuple(first)]} interpreted"
    return different == 0, f"{name}: {detail if different else 'equal'}"
