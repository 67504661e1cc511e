"""Kernels with loops, compiled for a target and run by the evaluators of each level."""

from __future__ import annotations

import time
import zlib
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

import ttkit
from fuzz.loop_texts import Argument, Program
from ttkit.frontend import ASTSource
from ttkit.interpreter.decode import Function, Module
from ttkit.interpreter.errors import InterpreterError, TookTooLong
from ttkit.interpreter.launch import argument_value, order_arguments, run_programs
from ttkit.interpreter.memory.global_memory import Memory
from ttkit.interpreter.ops.descriptor import Descriptor, TensorDescriptor, is_descriptor
from ttkit.interpreter.run_options import Options
from ttkit.options import CompileOptions
from ttkit.passes.manager import run_passes
from ttkit.passes.stages import stage_passes
from ttkit.target import GPUTarget

ELEMENTS = {
    "fp16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "fp32": np.dtype(np.float32),
    "fp8e4nv": np.dtype(ml_dtypes.float8_e4m3fn),
    "fp8e5": np.dtype(ml_dtypes.float8_e5m2),
    "i8": np.dtype(np.int8),
    "i32": np.dtype(np.int32),
}
LARGEST = 2
"""Of the magnitudes of elements."""
BEFORE = 77
"""What outputs hold before a run; 0 in types of a byte."""
SECONDS = 60.0
"""Of one run by an evaluator."""
ENDLESS = 30.0
"""Seconds of processor time from which a run that was stopped counts as one that has no end; others were only slow."""


@dataclass
class Outcome:
    """Contents of arrays after a run, or why it stopped, and the processor time that it took."""

    arrays: dict[str, np.ndarray]
    error: InterpreterError | None = None
    seconds: float = 0.0


def contents(argument: Argument) -> np.ndarray:
    """An argument's array before a run, the same each time."""
    kind, rng = ELEMENTS[argument.element], np.random.default_rng(zlib.crc32(argument.name.encode()))
    if argument.name.startswith("o"):
        return np.full(argument.shape, 0 if kind.itemsize == 1 else BEFORE).astype(kind)
    low, high = (0, argument.below) if argument.below else (-LARGEST, LARGEST + 1)
    return rng.integers(low, high, argument.shape).astype(kind)


def tt_module(program: Program, target: int) -> Any:
    """A program's tt for a target.

    Raises:
        CompilationError: the front end refuses it.
    """
    signature, attributes = program.signature()
    source = ASTSource(program.kernel, signature, {}, attributes)
    options = CompileOptions.for_capability(target, **program.options)
    return source.make_ir(GPUTarget("cuda", target, 32), options, context=ttkit.Context())


def run_stage(module: Any, target: int, program: Program, stage: str) -> None:
    """Runs a stage's passes on the module.  Raises what they raise."""
    options = CompileOptions.for_capability(target, **program.options)
    run_passes(module, ",".join(stage_passes(stage, options, module)))


def evaluate(module: Module, program: Program, run: dict[str, int], encoded: Function | None = None) -> Outcome:
    """Runs the kernel of a module of any level, as one program.

    Args:
        run: the numbers that it takes.
        encoded: for lowered code, the function of its ttgir, whose descriptors have layouts.

    Raises:
        NotInterpretable: an operation has no meaning there.
        ValueError: the arguments don't fit the function.
    """
    function, memory = module.public_function(None), Memory()
    taking = encoded or function
    arrays = {name: contents(one) for name, one in program.arguments.items()}
    given: list[Any] = []
    for name in program.kernel.arg_names:
        argument = program.arguments.get(name)
        is_block = argument is not None and argument.kind != "*"
        given.append(TensorDescriptor(arrays[name]) if is_block else arrays[name] if argument else run.get(name, 0))
    values = []
    for name, kind, value in zip(taking.argument_names, taking.argument_types, order_arguments(taking, given)):
        data = value.data if isinstance(value, TensorDescriptor) and not is_descriptor(kind) else value
        values.append(argument_value(memory, name, kind, data))
    if len(values) != len(function.argument_types):  # lowered for a target without tensor maps
        values = [part for one in values for part in (one.parts() if isinstance(one, Descriptor) else [one])]
    start = time.process_time()
    try:
        options = Options(deadline=time.monotonic() + SECONDS)
        for _ in run_programs(module, function, memory, (1, 1, 1), np.arange(1), values, options):
            pass
    except InterpreterError as error:
        return Outcome(arrays, error, time.process_time() - start)
    return Outcome(arrays)


ROUNDED = 2.0**-20
"""Share of the largest sum by which its order may change sums, once that one is beyond the integers held exactly."""


def most_exact(dtype: np.dtype) -> float:
    """The largest integer up to which sums of 64 products of integers are exact in a type; no limit for integers."""
    return 2.0 ** (np.finfo(dtype).nmant + 1) / 64 if np.issubdtype(dtype, np.floating) else np.inf


def difference(before: Outcome, after: Outcome) -> str:
    """The first difference after from before; empty if there is none but signs of zeros, or rounding of large sums."""
    if isinstance(after.error, TookTooLong) and after.seconds < ENDLESS:
        return ""
    if after.error is not None:
        said = str(after.error).splitlines()
        return f"{type(after.error).__name__}: " + "".join(said[:2])
    for name, a in before.arrays.items():
        b = after.arrays[name]
        with np.errstate(all="ignore"):
            wide_a, wide_b = (each.astype(np.float64) for each in (a, b))
            most = np.nanmax(np.abs(wide_a), initial=0)  # elements that cancel are as inexact as the largest
            is_rounded = (most > most_exact(a.dtype)) & (np.abs(wide_a - wide_b) <= ROUNDED * most)
        differs = (wide_a != wide_b) & ~(np.isnan(wide_a) & np.isnan(wide_b)) & ~is_rounded
        if differs.any():
            at = [int(i) for i in np.argwhere(differs)[0]]
            many = f"{int(differs.sum())} of {differs.size} elements differ"
            return f"an output is wrong: '{name}{at} is {b[tuple(at)]}, not {a[tuple(at)]}; {many}'"
    return ""
