"""Kernels as text with their arguments: made, compiled for a target, and run by the evaluators at each level.

The text is a kernel, and above it comments which say how it is launched:

    # num_warps=4 num_stages=3 lowered=1     and target=90, if it is only for one
    # n=3 m=2                          one line for each run: the numbers that it takes
    # a: *fp16 4096                    small integers, as many
    # j: *i32 64 below 5               from 0 to 4
    # d: tensordesc<fp16[64, 64]> 256 64
    # o: *fp32 4096                    whose name begins with o: all 77
"""

from __future__ import annotations

import linecache
import re
import time
import types
import zlib
from dataclasses import dataclass, field
from typing import Any

import ml_dtypes
import numpy as np

import ttkit
import ttkit.language as tl
from ttkit.frontend import ASTSource
from ttkit.interpreter.decode import Function, Module, decode_module
from ttkit.interpreter.errors import InterpreterError
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
"""What outputs hold before a run."""
ARGUMENT = re.compile(r"# (\w+): (\*|tensordesc<)(\w+)(?:\[([\d, ]+)\]>)? ([\d ]+)(?: below (\d+))?$")
NUMBERS = re.compile(r"(\w+)=(-?\d+)")
SECONDS = 20.0
"""Of one run by an evaluator."""


class BadText(ValueError):
    """The comments don't say how the kernel is launched."""


@dataclass
class Argument:
    """kind: "*" or "tensordesc<"; shape: of the array; block: of the descriptor; below: limit of indices, or 0."""

    name: str
    kind: str
    element: str
    shape: tuple[int, ...]
    block: str
    below: int

    @property
    def type(self) -> str:
        return f"*{self.element}" if self.kind == "*" else f"tensordesc<{self.element}[{self.block}]>"

    def array(self) -> np.ndarray:
        """Its contents before a run, which are the same each time."""
        kind, rng = ELEMENTS[self.element], np.random.default_rng(zlib.crc32(self.name.encode()))
        if self.name.startswith("o"):
            return np.full(self.shape, 0 if kind.itemsize == 1 else BEFORE).astype(kind)
        low, high = (0, self.below) if self.below else (-LARGEST, LARGEST + 1)
        return rng.integers(low, high, self.shape).astype(kind)


@dataclass
class Program:
    """A kernel and how it is launched."""

    text: str
    kernel: Any
    options: dict[str, int] = field(default_factory=dict)
    runs: list[dict[str, int]] = field(default_factory=list)
    arguments: dict[str, Argument] = field(default_factory=dict)

    def module(self, target: int) -> Any:
        """Its tt for a target.

        Raises:
            CompilationError: the front end refuses it.
        """
        signature, attributes = self.signature()
        source = ASTSource(self.kernel, signature, {}, attributes)
        options = CompileOptions.for_capability(target, **self.options)
        return source.make_ir(GPUTarget("cuda", target, 32), options, context=ttkit.Context())

    def signature(self) -> tuple[dict[str, str], dict[tuple[int], list[list[Any]]]]:
        """Types by names, and what is known of arguments by their positions."""
        signature, attributes = {}, {}
        for index, name in enumerate(self.kernel.arg_names):
            given = self.arguments.get(name)
            signature[name] = given.type if given else "i32"
            if given and given.kind == "*":
                attributes[(index,)] = [["tt.divisibility", 16]]
        return signature, attributes


def read(text: str, jit: Any = ttkit.jit, language: Any = tl) -> Program:
    """A program from its text.

    Raises:
        BadText: it is none.
    """
    program = Program(text, None)
    for line in text.splitlines():
        if match := ARGUMENT.match(line):
            name, kind, element, block, sizes, below = match.groups()
            shape = tuple(map(int, sizes.split()))
            if element not in ELEMENTS or (block is None) != (kind == "*") or not shape:
                raise BadText(line)
            program.arguments[name] = Argument(name, kind, element, shape, block or "", int(below or 0))
        elif line.startswith("# num_"):
            program.options = {name: int(value) for name, value in NUMBERS.findall(line)}
        elif line.startswith("# ") and (found := NUMBERS.findall(line)):
            program.runs.append({name: int(value) for name, value in found})
    name = f"<kernel {zlib.crc32(text.encode()):08x}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names = {"triton": types.SimpleNamespace(jit=jit), "tl": language, "__name__": "loops"}
    try:
        exec(compile(text, name, "exec"), names)
        program.kernel = names["kernel"]
        program.kernel.arg_names  # noqa: B018 -- there are none of a function that is not compiled
    except Exception as error:
        raise BadText(str(error)) from error
    return program


@dataclass
class Outcome:
    """Contents of arrays after a run, or why it stopped."""

    arrays: dict[str, np.ndarray]
    error: InterpreterError | None = None


def evaluate(module: Module, program: Program, run: dict[str, int], encoded: Function | None = None) -> Outcome:
    """Runs the kernel of a module of any level, as one program.

    Args:
        encoded: for lowered code, the function of its ttgir, whose descriptors have layouts.

    Raises:
        NotInterpretable: an operation has no meaning there.
    """
    function = module.public_function(None)
    memory, arrays = Memory(), {name: one.array() for name, one in program.arguments.items()}
    values = []
    taking = encoded or function
    given: list[Any] = []
    for name in program.kernel.arg_names:
        argument = program.arguments.get(name)
        if argument is None:
            given.append(run.get(name, 0))
        else:
            given.append(arrays[name] if argument.kind == "*" else TensorDescriptor(arrays[name]))
    kinds = taking.argument_types
    for name, kind, value in zip(taking.argument_names, kinds, order_arguments(taking, given)):
        if isinstance(value, TensorDescriptor) and not is_descriptor(kind):
            value = value.data
        values.append(argument_value(memory, name, kind, value))
    if any(isinstance(one, Descriptor) for one in values) and len(values) != len(function.argument_types):
        values = [part for one in values for part in (one.parts() if isinstance(one, Descriptor) else [one])]
    try:
        options = Options(deadline=time.monotonic() + SECONDS)
        for _ in run_programs(module, function, memory, (1, 1, 1), np.arange(1), values, options):
            pass
    except InterpreterError as error:
        return Outcome(arrays, error)
    return Outcome(arrays)


def difference(before: Outcome, after: Outcome) -> str:
    """What is other after than before; nothing if all is the same."""
    if after.error is not None:
        said = str(after.error).splitlines()
        return f"{type(after.error).__name__}: " + "".join(said[:2])
    for name, a in before.arrays.items():
        b = after.arrays[name]
        with np.errstate(all="ignore"):
            wide_a, wide_b = (each.astype(np.float64) for each in (a, b))
        differs = (wide_a != wide_b) & ~(np.isnan(wide_a) & np.isnan(wide_b))
        if differs.any():
            at = tuple(int(i) for i in np.argwhere(differs)[0])
            many = f"{int(differs.sum())} of {differs.size} elements differ"
            return f"{name[0]} is wrong: '{name}{list(at)} is {b[at]}, not {a[at]}; {many}'"
    return ""


def compiled(module: Any, target: int, program: Program, stage: str) -> None:
    """Runs a stage's passes on the module.  Raises what they raise."""
    options = CompileOptions.for_capability(target, **program.options)
    run_passes(module, ",".join(stage_passes(stage, options, module)))


__all__ = ["BadText", "Outcome", "Program", "compiled", "decode_module", "difference", "evaluate", "read"]
