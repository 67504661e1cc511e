"""Kernels run by both interpreters, ttkit's and Triton's, on the same inputs.

    python test/oracle/both_interpreters.py write FILE [--version 3.9]    (ttkit: inputs and what comes of them)
    ORACLE/bin/python test/oracle/both_interpreters.py compare FILE       (any Triton, with ml_dtypes, no torch)

Without a version these are the kernels of test/data/kernels that sm_90 has, which ttkit runs as Python, once each, a
minute together.  With one, ttkit compiles all of FOLDERS to tt by that version's rules, and interprets the tt; ORACLE
has that version.  Prints what differs or ends with an error; Triton's interpreter takes numpy up to 2.2, computes bf16
with bits, and leaves what masked atomics return undefined.
"""

import argparse
import os
import pickle
import signal
import sys
from pathlib import Path

import numpy as np

TEST = Path(__file__).resolve().parents[1]
FOLDERS = ("kernels", "language", "versions")
SECONDS = 60  # of a kernel
CLOSE = 1e-3
"""The largest distance of two results, beside the larger one, that the order of a sum explains."""


def packed(arrays):
    return {name: (array.tobytes(), array.dtype.name, array.shape) for name, array in arrays.items()}


def write(path):
    """Runs the kernels by ttkit."""
    sys.path.insert(0, str(TEST))
    import kernel_modes

    cases, prepared = kernel_modes.load_cases()
    found = {}
    for name, case in cases.items():
        if name in kernel_modes.EXCLUDED or name in kernel_modes.LANGUAGE or 90 not in case.archs:
            continue
        inputs = kernel_modes.Inputs(case, 5)
        before = packed(inputs.arrays)
        ordered = any(part in name for part in kernel_modes.ORDERED)
        if not ordered:
            ordered = kernel_modes.has_races(prepared(case, 90)(), kernel_modes.Inputs(case, 5))
        grid = (1,) if ordered else kernel_modes.GRID
        error, _ = kernel_modes.outcome(lambda case=case, inputs=inputs, grid=grid: run(case, inputs, grid))
        found["kernels", name] = before, packed(inputs.arrays), numbers_of(inputs), grid, error
    path.write_bytes(pickle.dumps(found))
    print(f"{len(found)} kernels")


def write_version(path, version):
    """Interprets the tt that kernels become by a version's rules."""
    sys.path.insert(0, str(TEST))
    import kernel_modes
    import kernel_sources

    import ttkit
    from ttkit import knobs
    from ttkit.interpreter import interpret

    kernel_sources.stand_in_for_triton()
    knobs.language.triton_version = version
    found = {}
    for folder in FOLDERS:
        for case in kernel_sources.load_cases(TEST / "data" / folder):
            if case.name in kernel_modes.EXCLUDED or 90 not in case.archs:
                continue
            try:
                inputs = kernel_modes.Inputs(case, 5)
                before = packed(inputs.arrays)
                with ttkit.Context():
                    source = ttkit.ASTSource(case.kernel, case.signature, case.constants, case.attributes)
                    interpret(source.make_ir(ttkit.GPUTarget("cuda", 90, 32)), 1, inputs.interpreted)
            except Exception as error:
                print(f"{case.name}: ttkit {str(error).splitlines()[0]!r}"[:200], flush=True)
                continue
            found[folder, case.name] = before, packed(inputs.arrays), numbers_of(inputs), (1,), None
    path.write_bytes(pickle.dumps(found))
    print(f"{len(found)} kernels")


def numbers_of(inputs):
    return {key: value for key, value in inputs.python.items() if isinstance(value, (int, float))}


def run(case, inputs, grid):
    import kernel_modes

    kernel_modes.run_python(case, inputs, grid, 90)


class ElementType(str):
    """An element type, by the name that torch has for it."""

    itemsize: int


class Tensor:
    """What Triton's interpreter asks a tensor, on NumPy's memory."""

    def __init__(self, stored):

        data, kind, shape = stored
        self.array = np.frombuffer(bytearray(data), np.dtype(kind)).reshape(shape)
        self.shape, self.dtype, self.device = tuple(shape), ElementType(f"torch.{kind}"), "cpu"
        self.dtype.itemsize = self.array.itemsize

    def data_ptr(self):
        return self.array.ctypes.data

    def untyped_storage(self):
        return self

    def storage_offset(self):
        return 0

    def size(self):
        return self.shape

    def stride(self, dim=None):
        strides = tuple(step // self.array.itemsize for step in self.array.strides)
        return strides if dim is None else strides[dim]

    def element_size(self):
        return self.array.itemsize

    @property
    def ndim(self):
        return len(self.shape)

    def cpu(self):
        return self

    def new_empty(self, *_, **__):
        return self

    def set_(self, *_):
        return self

    def copy_(self, _):
        return self


def run_by_triton(case, tensors, numbers, grid):
    """Runs a kernel, whose arguments are changed; the error that it ends with, if any."""
    from triton.tools.tensor_descriptor import TensorDescriptor

    given = {}
    for name, kind in case.signature.items():
        if str(kind).startswith("tensordesc"):
            block = [int(size) for size in kind.partition("[")[2].rstrip(">]").split(",")]
            given[name] = TensorDescriptor.from_tensor(tensors[name], block)
        elif kind != "constexpr":
            given[name] = tensors[name] if name in tensors else numbers[name]
    signal.alarm(SECONDS)
    try:
        case.kernel[grid](**given, **case.constants)
    except Exception as error:
        while error.__cause__ is not None:
            error = error.__cause__
        return error
    finally:
        signal.alarm(0)
    return None


def distance(mine, theirs):
    """How many elements differ, and the largest distance beside their values; None if none does."""
    with np.errstate(all="ignore"):
        left, right = (np.nan_to_num(value.array.astype(np.float64), nan=1e300).reshape(-1) for value in (mine, theirs))
    differing = left != right
    if not differing.any():
        return None
    with np.errstate(all="ignore"):
        worst = (np.abs(left - right) / np.maximum(np.maximum(np.abs(left), np.abs(right)), 1e-9))[differing].max()
    return f"{int(differing.sum())} of {len(left)}, by {float(worst):.2g}", worst


def verdict(case, stored):
    """One of "error", "differs", "close" and "equal", and what to say."""
    before, after, numbers, grid, ours = stored
    tensors = {key: Tensor(array) for key, array in before.items()}
    theirs = run_by_triton(case, tensors, numbers, grid)
    if theirs is not None or ours is not None:
        return "error", f"{case.name}: Triton {str(theirs)!r}, ttkit {ours}"[:200]
    said = {key: distance(Tensor(array), tensors[key]) for key, array in after.items()}
    said = {key: found for key, found in said.items() if found}
    kind = "equal" if not said else "close" if max(worst for _, worst in said.values()) <= CLOSE else "differs"
    return kind, f"{case.name}: { ({key: text for key, (text, _) in said.items()}) }"


def in_child(case, stored):
    """`verdict`, by a process of its own: an access out of bounds ends it."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(writing, pickle.dumps(verdict(case, stored)))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(data) if data else ("error", f"{case.name}: Triton's process ended")


def compare(path):
    """Runs the kernels by Triton, and tells what differs."""
    os.environ["TRITON_INTERPRET"] = "1"
    import kernel_sources
    import ml_dtypes  # noqa: F401  numpy then knows bfloat16 by its name

    def too_slow(*_):
        raise TimeoutError(f"takes more than {SECONDS} s")

    signal.signal(signal.SIGALRM, too_slow)
    cases = {}
    for folder in FOLDERS:
        try:
            cases |= {(folder, case.name): case for case in kernel_sources.load_cases(TEST / "data" / folder)}
        except Exception as error:  # names that this version does not have
            print(f"{folder}: {error!r}", flush=True)
    counts = {}
    for name, stored in pickle.loads(path.read_bytes()).items():
        kind, said = in_child(cases[name], stored) if name in cases else ("error", f"{name}: not loaded")
        counts[kind] = counts.get(kind, 0) + 1
        if kind != "equal":
            print(kind, said, flush=True)
    print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))


if __name__ == "__main__":
    np.seterr(all="ignore")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["write", "compare"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--version", help="by whose rules ttkit compiles the kernels, such as 3.9")
    options = parser.parse_args()
    if options.what == "compare":
        compare(options.file)
    elif options.version:
        write_version(options.file, options.version)
    else:
        write(options.file)
