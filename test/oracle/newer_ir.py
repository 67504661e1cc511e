"""IR that another version of Triton leaves, read, run and compiled by ttkit.

    OTHER/bin/python test/oracle/newer_ir.py write FOLDER [--arch 80 90 100]      (Triton 3.7, 3.8, 3.9...; no GPU)
    python test/oracle/newer_ir.py check FOLDER [--only REGEX] [--to cubin]

The first compiles the kernels of test/data/kernels and keeps their ttir and ttgir, as FOLDER/<kernel>.<arch>.<level>.
The second does with each file what tt-opt, tt-run and tt-compile do: parses and prints it, interprets it on the inputs
of test/unit/interpreter_kernels*.py and compares with NumPy's results, and compiles it.  Prints what fails, and counts.
"""

import argparse
import collections
import re
import sys
import warnings
from pathlib import Path

from kernel_sources import KERNELS, load_cases

UNIT = Path(__file__).resolve().parents[1] / "unit"


def write(folder, archs):
    """Writes what Triton makes of the kernels, ttir and ttgir, for these GPUs."""
    import types

    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    from triton.runtime.driver import driver

    folder.mkdir(parents=True, exist_ok=True)
    written, refused = 0, 0
    for case in load_cases(KERNELS):
        for arch in archs:
            target = GPUTarget("cuda", arch, 32)
            driver.set_active(types.SimpleNamespace(get_current_target=lambda target=target: target))
            try:
                source = ASTSource(case.kernel, case.signature, case.constants, case.attributes)
                made = triton.compile(source, target=target, options=dict(case.options))
            except Exception:
                refused += 1
                continue
            for level in ("ttir", "ttgir"):
                (folder / f"{case.name}.{arch}.{level}").write_text(made.asm[level])
                written += 1
    print(f"Triton {triton.__version__}: {written} files; it refuses {refused} kernels")


def check(folder, only, last):
    """Reads, runs and compiles each file, and counts what works."""
    sys.path.insert(0, str(UNIT))
    import interpreter_kernels_memory  # noqa: F401 (declares more cases)
    import interpreter_kernels_structure  # noqa: F401
    from interpreter_kernels import CASES

    counts = collections.Counter()
    for path in sorted(folder.glob("*.ttir")) + sorted(folder.glob("*.ttgir")):
        if not re.search(only, path.name):
            continue
        name, arch, level = path.name.split(".")
        steps = {"read": lambda path=path: parsed(path)}
        if name in CASES:
            steps["run"] = lambda path=path, case=CASES[name], name=name: run(path, case, name)
        steps["compiled"] = lambda path=path, arch=arch: compiled(path, int(arch), last)
        for step, function in steps.items():
            try:
                function()
                counts[level, step, "good"] += 1
            except Exception as error:
                counts[level, step, "bad"] += 1
                lines = [line for line in str(error).splitlines() if line.strip()] or [""]
                print(f"{path.name}: not {step}: {type(error).__name__}: {' | '.join(lines[:3])[:300]}", flush=True)
                if step == "read":
                    break
    for (level, step, how), count in sorted(counts.items()):
        print(f"{level} {step} {how}: {count}")


def parsed(path):
    """Reads a file, and what is printed of it."""
    import ttkit

    with ttkit.Context():
        text = str(ttkit.parse(path.read_text()))
        assert str(ttkit.parse(text)) == text


def run(path, case, name):
    """Runs a file on the CPU, and compares with NumPy."""
    import numpy as np

    import ttkit
    from ttkit.interpreter import TensorDescriptor, interpret

    case = case(np.random.default_rng(20), name)
    if name == "descriptor_arguments" and "tensordesc" not in path.read_text():  # no TMA
        case.args[:2] = map(TensorDescriptor, case.args[:2])
    with ttkit.Context():
        interpret(ttkit.parse(path.read_text()), case.grid, case.args, **case.options)
    for position, wanted in case.wanted.items():
        found = case.args[position]
        found = found.data if isinstance(found, TensorDescriptor) else found
        found, wanted = found.astype(float), np.asarray(wanted).astype(float).reshape(found.shape)
        np.testing.assert_allclose(found, wanted, case.tolerance, case.tolerance, err_msg=f"argument {position}")


def compiled(path, capability, last):
    """By the road of tt-compile, down to the level `last`."""
    from ttkit.compiler.compilation import Compilation
    from ttkit.compiler.sources import IRSource
    from ttkit.options import CompileOptions
    from ttkit.target import GPUTarget

    kernel = IRSource(path, capability)
    chosen = CompileOptions.for_capability(capability, **kernel.parse_options())
    made = Compilation(kernel, GPUTarget("cuda", capability, 32), chosen, until=last).run()
    assert made.asm[last]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["write", "check"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--arch", type=int, nargs="*", default=[80, 90, 100])
    parser.add_argument("--only", default="")
    parser.add_argument("--to", default="ptx", help="the last level: ptx or cubin")
    options = parser.parse_args()
    write(options.folder, options.arch) if options.what == "write" else check(options.folder, options.only, options.to)
