"""Kernels that run as Python do what the interpreter does with the operations that they compile to."""

import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import ttkit
import ttkit.language as tl
from ttkit.interpreter.errors import InterpreterError
from ttkit.interpreter.kernel_mode import InterpretedFunction, KernelError

TEST = Path(__file__).parents[1]
GRID = (2, 1, 2)
ORDERED = ("atomic", "exchanges", "descriptor")  # what these write depends on the order of programs
ELEMENTS = 20_000
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
}
# Kernels that cannot run here as they stand, and why.
EXCLUDED = {
    "constants": "asks whether a parameter is a tl.constexpr, which it is only when compiled",
    "scalars": "parameters of types that a Python number does not say",
}


def load_cases():
    """The kernels of test/data/language by name; `import triton` leads to ttkit while they are loaded."""
    before, path = dict(sys.modules), list(sys.path)
    sys.path.append(str(TEST / "oracle"))
    import kernel_sources

    kernel_sources.stand_in_for_triton()
    found = {case.name: case for case in kernel_sources.load_cases(TEST / "data" / "language")}
    sys.path[:] = path
    for name in set(sys.modules) - set(before):
        if name.partition(".")[0] in ("triton", "kernel_sources", "cases"):
            del sys.modules[name]
    return found, kernel_sources.prepared_ttkit


CASES, prepared = load_cases()


def arguments(case):
    """Arrays and numbers for the arguments that are no constants, by name."""
    rng = np.random.default_rng(7)
    made = {}
    for name, spelled in case.signature.items():
        if spelled == "constexpr":
            continue
        kind = spelled.removeprefix("*").removeprefix("k")
        values = rng.integers(0, 12, ELEMENTS).astype(DTYPES[kind])
        made[name] = values if spelled.startswith("*") else values[0].item() if kind != "i1" else True
    return made


@pytest.mark.parametrize("name", CASES)
def test_same_as_compiled(name, capfd):
    case = CASES[name]
    if name in EXCLUDED:
        pytest.skip(EXCLUDED[name])
    if any(isinstance(kind, tuple) or "tensordesc" in kind for kind in case.signature.values()):
        pytest.skip("tuples (tested below) and descriptors are not passed to kernels that run as Python")
    grid = (1,) if name.startswith(ORDERED) else GRID
    compiled, python = arguments(case), arguments(case)
    errors = []
    try:
        ttkit.interpret(prepared(case, case.archs[0])(), grid, compiled)
    except InterpreterError as error:
        errors.append(error.what)
    try:
        InterpretedFunction(case.kernel.fn)[grid](**python, **case.constants, **case.options)
    except KernelError as error:
        errors.append(error.__cause__.what)
    assert len(errors) in (0, 2), errors
    if errors:
        return
    for key, values in compiled.items():
        if isinstance(values, np.ndarray):
            assert values.tobytes() == python[key].tobytes(), key


@ttkit.jit
def doubled(x):
    return x * 2


@ttkit.jit(interpret=True)
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n
    total = tl.load(x + index, mask=inside) + tl.load(y + index, mask=inside)
    if tl.program_id(0) == 1:
        print("second program", n, tl.max(total, 0))
    tl.store(out + index, doubled(total), mask=inside)


@ttkit.jit(interpret=True)
def beyond_the_end(x, n):
    index = tl.arange(0, 16)
    tl.store(x + index + n, tl.load(x + index))


@ttkit.jit(interpret=True)
def not_true_once(x, n):
    tl.static_assert(n is not None, "no n")
    if tl.load(x + tl.arange(0, 16)) > 0:
        tl.store(x, 1.0)


def test_python_runs_inside(capsys):
    x, y, out = np.arange(100, dtype=np.float32), np.ones(100, np.float32), np.zeros(100, np.float32)
    vector_add[lambda meta: (-(-meta["n"] // meta["BLOCK"]),)](x, y, out, 100, BLOCK=64)
    assert (out == 2 * (x + 1)).all()
    assert capsys.readouterr().out == "second program int32[] 100 fp32[] 100.0\n"


def test_out_of_bounds_names_the_line():
    with pytest.raises(KernelError) as caught:
        beyond_the_end[(2,)](np.zeros(16, np.float32), 3)
    text = str(caught.value)
    assert "test_kernel_mode.py:" in text
    assert "in beyond_the_end, program (0, 0, 0)" in text
    assert "tl.store(x + index + n, tl.load(x + index))" in text
    assert "offset 64 of buffer 'x', which has 64 bytes" in text


@ttkit.jit(interpret=True)
def sum_of(items, out, N: tl.constexpr):
    index = tl.arange(0, N)
    total = tl.zeros((N,), tl.float32)
    for k in tl.static_range(len(items)):
        total += tl.load(items[k] + index)
    tl.store(out + index, total)


def test_tuple_of_arrays():
    values, out = np.arange(16, dtype=np.float32), np.zeros(16, np.float32)
    sum_of[(1,)]((values, values, values), out, 16)
    assert (out == 3 * values).all()


def test_a_tensor_is_neither_true_nor_false():
    with pytest.raises(TypeError, match="ambiguous"):
        not_true_once[(1,)](np.zeros(16, np.float32), 1)


def test_bfloat16():
    values = np.arange(64).astype(ml_dtypes.bfloat16)
    out = np.zeros(64, ml_dtypes.bfloat16)
    vector_add[(1,)](values, values, out, 64, BLOCK=64)
    assert (out == (values + values) * ml_dtypes.bfloat16(2)).all()


def test_unknown_arguments():
    with pytest.raises(TypeError, match="numbers, arrays"):
        vector_add[(1,)]([1], [2], [3], 4, BLOCK=16)
    with pytest.raises(TypeError, match="missing a required argument: 'BLOCK'"):
        vector_add[(1,)](np.zeros(4), np.zeros(4), np.zeros(4), 4)
    with pytest.raises(KeyError, match="Keyword argument SIZE was specified but unrecognised"):
        vector_add[(1,)](np.zeros(4), np.zeros(4), np.zeros(4), 4, BLOCK=16, SIZE=3)


def test_debugger(tmp_path):
    script = tmp_path / "debugged.py"
    script.write_text(
        "import numpy as np\nimport ttkit\nimport ttkit.language as tl\n\n"
        "@ttkit.jit(interpret=True)\ndef kernel(x, n):\n    value = tl.load(x) + n\n    import pdb; pdb.set_trace()\n"
        "    tl.store(x, value)\n\n"
        "kernel[(1,)](np.array([2.0], np.float32), 40)\n"
    )
    commands = "p float(value)\np n.dtype\nc\n"
    done = subprocess.run(
        [sys.executable, script],
        input=commands,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    )
    assert "(Pdb) 42.0" in done.stdout
    assert "triton.language.int32" in done.stdout


@ttkit.jit
def increment(x, N: tl.constexpr):
    index = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(x + index, tl.load(x + index) + 1)


def test_interpret_mode_for_kernels_decorated_before():
    from ttkit.runtime import set_interpret_mode

    values = np.zeros(64, np.float32)
    set_interpret_mode(True)
    try:
        increment[(4,)](values, 16)
    finally:
        set_interpret_mode(False)
    assert (values == 1).all()


def test_environment_variable(monkeypatch):
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    kernel = ttkit.jit(increment.fn)
    assert isinstance(kernel, InterpretedFunction)
    values = np.zeros(64, np.float32)
    kernel.run(values, 16, grid=(4,), warmup=False)
    kernel.warmup(values, 16, grid=(4,))
    assert (values == 1).all()
