"""Kernels run as Python against the interpretation of the tt that they compile to, bit by bit.

    python test/kernel_modes.py [--only NAME...] [--seeds 3] [-v]

All kernels of test/data/language and test/data/kernels, for each architecture that a case names.  `test_kernel_mode.py`
runs each once.
"""

import argparse
import contextlib
import io
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

import ttkit
from ttkit.interpreter.errors import InterpreterError, Race
from ttkit.interpreter.ops.descriptor import TensorDescriptor
from ttkit.interpreter.python_mode.kernel import InterpretedFunction

TEST = Path(__file__).parent
FOLDERS = (TEST / "data" / "language", TEST / "data" / "kernels")
GRID = (2, 1, 2)
# What these write depends on the order of programs: several update one place.
ORDERED = ("atomic", "exchange", "descriptor")
ELEMENTS = {"language": 20_000, "kernels": 1 << 17}  # of an array, by folder
# Kernels that cannot be compared here, and why.
EXCLUDED = {
    "pointers_of_pointers": "it takes a table of pointers: see test_table_of_pointers",
    "sizes_that_are_true": "a step of True is -1 in Triton's IR",
    "old_eight_bits": "NumPy has no fp8e4b15: Python's kernels see an array of bytes",
}
DTYPES = {
    "fp32": np.float32,
    "fp64": np.float64,
    "fp16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "i1": np.bool_,
    **{f"i{bits}": np.dtype(f"int{bits}") for bits in (8, 16, 32, 64)},
    **{f"u{bits}": np.dtype(f"uint{bits}") for bits in (8, 16, 32, 64)},
    "fp8e5": ml_dtypes.float8_e5m2,
    "fp8e4nv": ml_dtypes.float8_e4m3fn,
    "fp8e4b8": ml_dtypes.float8_e4m3fnuz,
    "fp8e5b16": ml_dtypes.float8_e5m2fnuz,
    "fp8e4b15": np.uint8,
}

LANGUAGE: set[str] = set()
"""Names of the cases of test/data/language."""


def load_cases():
    """The kernels by name; `import triton` leads to ttkit while they are loaded."""
    before, path = dict(sys.modules), list(sys.path)
    sys.path.append(str(TEST / "oracle"))
    import kernel_sources

    kernel_sources.stand_in_for_triton()
    found = {case.name: case for folder in FOLDERS for case in kernel_sources.load_cases(folder)}
    LANGUAGE.update(case.name for case in kernel_sources.load_cases(FOLDERS[0]))
    sys.path[:] = path
    for name in set(sys.modules) - set(before):
        if name.partition(".")[0] in ("triton", "kernel_sources", "cases"):
            del sys.modules[name]
    return found, kernel_sources.prepared_ttkit


@dataclass
class HostDescriptor:
    """A tensor descriptor as the host has it."""

    base: Any
    shape: Any
    strides: Any
    block_shape: Any
    padding: str = "zero"


class Inputs:
    """Arguments of a case, once for each way to run it; `arrays` are what may change."""

    def __init__(self, case, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.case = case
        self.elements = ELEMENTS["language" if case.name in LANGUAGE else "kernels"]
        self.arrays: dict[str, np.ndarray] = {}
        self.interpreted: list[Any] = []  # in order, as ttkit.interpret takes them
        self.python: dict[str, Any] = {}
        for index, (name, spelled) in enumerate(case.signature.items()):
            if isinstance(spelled, tuple):
                self.python[name] = tuple(
                    case.constants[index, n] if kind == "constexpr" else self._add(f"{name}[{n}]", kind, ())
                    for n, kind in enumerate(spelled)
                )
            elif spelled != "constexpr":
                self.python[name] = self._add(name, spelled, (index,))

    def _add(self, name: str, spelled: str, path: Any) -> Any:
        """Notes a value for `ttkit.interpret`; gives it as a kernel that runs as Python takes it."""
        if spelled.startswith("tensordesc"):
            return self._descriptor(name, spelled)
        kind = spelled.removeprefix("*").removeprefix("k")
        if spelled.startswith("*"):
            high = 1 if "lock" in name else 12  # that nobody holds
            self.arrays[name] = self.rng.integers(0, high, self.elements).astype(DTYPES[kind])
            self.interpreted.append(self.arrays[name])
            return self.arrays[name]
        multiple = dict(self.case.attributes.get(path, ())).get("tt.divisibility", 1)
        number = np.array(self.rng.integers(1, 12) * multiple).astype(DTYPES[kind]).item()
        self.interpreted.append(number)
        return number

    def _descriptor(self, name: str, spelled: str) -> HostDescriptor:
        kind, _, block = spelled.removeprefix("tensordesc<").rstrip(">]").partition("[")
        block_shape = [int(size) for size in block.split(",")]
        shape = [4 * size for size in block_shape]
        base = self.rng.integers(0, 12, shape).astype(DTYPES[kind])
        self.arrays[name] = base
        strides = [stride // base.itemsize for stride in base.strides]
        self.interpreted.append(TensorDescriptor(base, tuple(shape), tuple(strides)))
        return HostDescriptor(base, shape, strides, block_shape)


def run_python(case, inputs: Inputs, grid, arch: int = 90) -> None:
    kernel = InterpretedFunction(case.kernel.fn, debug=case.options.get("debug", False))
    for param, spelled in zip(kernel.params, case.signature.values()):
        if isinstance(spelled, str) and spelled in DTYPES:
            param.annotation_type = spelled  # what numbers of Python do not say
    constants = {name: value for name, value in case.constants.items() if isinstance(name, str)}
    kernel.run(**inputs.python, **constants, **case.options, arch=f"sm{arch}", grid=grid)


def outcome(run) -> tuple[str | None, str]:
    """What went wrong, if anything, and what was printed."""
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            run()
    except InterpreterError as error:
        while isinstance(error.__cause__, InterpreterError):
            error = error.__cause__
        return error.what, printed.getvalue()
    return None, printed.getvalue()


def differences(case, prepared, arch, seed: int = 7) -> tuple[list[str], str | None]:
    """What differs between the two ways to run a case, and the error that both end with."""
    module = prepared(case, arch)()
    grid = (1,) if any(part in case.name for part in ORDERED) or has_races(module, Inputs(case, seed)) else GRID
    compiled, python = Inputs(case, seed), Inputs(case, seed)
    expected, _ = outcome(lambda: ttkit.interpret(module, grid, compiled.interpreted))
    if expected is not None and "assembly can't be" in expected:
        return [], expected  # what the frontend writes depends on the target
    found, _ = outcome(lambda: run_python(case, python, grid, arch))
    if expected is not None or found is not None:
        return ([] if expected == found else [f"{expected!r} and {found!r}"]), expected
    return [name for name in compiled.arrays if not same(compiled.arrays[name], python.arrays[name])], None


def has_races(module, inputs: Inputs) -> bool:
    """Whether programs of the grid touch what others write: all do, if they don't ask which they are."""
    if "tt.get_program_id" not in str(module):
        return True
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            ttkit.interpret(module, GRID, inputs.interpreted, race=True)
    except Race:
        return True
    except InterpreterError:
        pass
    return False


def same(left: np.ndarray, right: np.ndarray) -> bool:
    return left.tobytes() == right.tobytes()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("-v", action="store_true", help="name the kernels that end with an error both ways")
    options = parser.parse_args()
    cases, prepared = load_cases()
    failed = ended = runs = 0
    for name, case in cases.items():
        if name in EXCLUDED or (options.only and name not in options.only):
            continue
        for arch in (arch for arch in case.archs if isinstance(arch, int)):
            for seed in range(options.seeds):
                runs += 1
                try:
                    differing, error = differences(case, prepared, arch, seed)
                except Exception as problem:
                    differing, error = [repr(problem)], None
                failed += bool(differing)
                ended += error is not None and not differing
                if differing:
                    print(f"{name}.{arch}, seed {seed}: {'; '.join(differing)}")
                elif error is not None and options.v:
                    print(f"{name}.{arch}, seed {seed}: both end with {error}")
    print(f"{runs} runs of {len(cases)} kernels: {failed} differ, {ended} end with the same error")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
