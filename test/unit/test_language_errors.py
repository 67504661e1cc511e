"""Errors in kernels are reported where they are, with what was found and what to do."""

import ast
import importlib.util
import json
import math
import pickle
import sys
import traceback
from pathlib import Path

import numpy as np
import pytest

import ttkit
import ttkit.language as tl
from ttkit.autotuning import AutotunerError
from ttkit.compiler.ptxas import PTXASError
from ttkit.frontend import ASTSource, CompilationError, CompileTimeAssertionFailure, GPUTarget
from ttkit.frontend.errors import UnsupportedReference
from ttkit.interpreter.errors import OutOfBounds

DATA = Path(__file__).parents[1] / "data" / "language"


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


wrong = load(DATA / "compile_errors.py")
ERRORS, SIGNATURE = wrong.ERRORS, wrong.SIGNATURE


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    path = tmp_path_factory.mktemp("errors") / "wrong_kernels.py"
    path.write_text(wrong.source())
    return load(path)


def error_of(fn, signature=SIGNATURE, constants=None):
    source = ASTSource(fn, signature, constants if constants is not None else {"N": 16})
    with ttkit.Context(), pytest.raises(CompilationError) as caught:
        source.make_ir(GPUTarget("cuda", 90, 32))
    return caught.value


@pytest.mark.parametrize("index", range(len(ERRORS)), ids=[statement.partition("\n")[0] for statement, _ in ERRORS])
def test_error(index, kernels):
    statement, part = ERRORS[index]
    error = error_of(getattr(kernels, f"kernel_{index}"))
    assert part in str(error), str(error)
    lines = 1 + statement.count("\n")
    assert wrong.LINE <= error.node.lineno < wrong.LINE + lines
    assert f"at {error.node.lineno}:{error.node.col_offset}:\n" in str(error)
    assert "wrong_kernels.py:" in str(error)
    if "^" in statement:
        assert error.node.col_offset == 4 + statement.partition("\n")[2].index("^")


LAST_LINES = json.loads((DATA / "triton_errors.json").read_text())


@pytest.mark.parametrize("statement", LAST_LINES)
def test_last_line_is_that_of_triton(statement, kernels):
    index = [written for written, _ in ERRORS].index(statement)
    assert str(error_of(getattr(kernels, f"kernel_{index}"))).split("\n")[-1] == LAST_LINES[statement]


def test_chain_of_calls(kernels):
    index = [part for _, part in ERRORS].index("Cannot make_shape_compatible")
    error = error_of(getattr(kernels, f"kernel_{index}"))
    text = str(error)
    # From the outermost call inward: the kernel, the function it calls, the function that is wrong.
    positions = [text.index(part) for part in (f"in kernel_{index})", "in broken_inside)", "in helper)")]
    assert positions == sorted(positions)
    assert text.count("in this call:") == 2
    assert error.error_message is None
    inner = error.__cause__.__cause__
    assert isinstance(inner, CompilationError)
    assert "return x + y" in str(inner)


def test_the_class_says_what_is_wrong(kernels):
    from ttkit.language.errors import LanguageError, NotPowerOfTwo, ScalarOutOfRange

    by_part = {part: getattr(kernels, f"kernel_{index}") for index, (_, part) in enumerate(ERRORS)}
    innermost = error_of(by_part["range must be a power of 2"]).__cause__
    assert isinstance(innermost, LanguageError)
    assert isinstance(error_of(by_part["Scalar 300 is out of range for type int8"]).__cause__, ScalarOutOfRange)
    error = error_of(by_part["must be a power of 2"])
    while isinstance(error, CompilationError):
        error = error.__cause__
    assert isinstance(error, NotPowerOfTwo)
    assert error.found == {"index": 0, "size": 12}
    assert isinstance(error_of(by_part["N must be three"]), CompileTimeAssertionFailure)


def test_errors_can_be_pickled(kernels):
    error = error_of(kernels.kernel_0)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_outside_of_a_kernel():
    import ttkit.language as tl

    with pytest.raises(ValueError, match=r"Did you forget to add @triton\.jit \? `arange` can only be called"):
        tl.arange(0, 16)
    with pytest.raises(RuntimeError, match="outside of the scope of a kernel"):
        tl.sum(1)


def test_what_the_verifier_refuses_is_a_runtime_error():
    import ttkit.language as tl

    @ttkit.jit
    def assumes_a_tensor(x):
        tl.assume(tl.load(x + tl.arange(0, 16)) > 0)

    assert isinstance(error_of(assumes_a_tensor, {"x": "*i32"}, {}), RuntimeError)


def test_signatures(kernels):
    with pytest.raises(TypeError, match="Signature keys must be string"):
        ASTSource(kernels.kernel_0, {0: "i32"})
    for kind in (ValueError, KeyError):
        with pytest.raises(kind, match="i33 not supported; expected one of"), ttkit.Context():
            ASTSource(kernels.kernel_0, {**SIGNATURE, "n": "i33"}, {"N": 16}).make_ir(GPUTarget("cuda", 90, 32))


def test_recursion_that_constants_end():
    @ttkit.jit
    def factorial(n: tl.constexpr):
        return 1 if n == 0 else n * factorial(n - 1)

    @ttkit.jit
    def kernel(out):
        tl.store(out, factorial(12))

    out = np.zeros(1, np.int32)
    with ttkit.Context():
        ttkit.interpret(ASTSource(kernel, {"out": "*i32"}).make_ir(GPUTarget("cuda", 90, 32)), 1, {"out": out})
    assert out[0] == math.factorial(12)


def test_recursion_is_told_once():
    """Not at each of the calls that fill Python's stack."""

    @ttkit.jit
    def endless(x):
        return endless(x - 1)

    @ttkit.jit
    def kernel(out):
        tl.store(out, endless(3))

    error = error_of(kernel, {"out": "*i32"}, {})
    assert str(error).count("calls itself") == 1 and str(error).count("in this call") == 0
    assert len(traceback.format_exception(error)) < 60


def test_the_traceback_of_a_function_that_is_not_jitted_is_short(monkeypatch):
    monkeypatch.setenv("TTKIT_DEVICE", "sm_90")

    def helper(x):
        return x

    @ttkit.jit
    def kernel(out):
        tl.store(out, helper(3))

    with pytest.raises(UnsupportedReference) as caught:
        kernel[(1,)](np.zeros(1, np.float32))
    assert "ast.py" not in "".join(traceback.format_exception(caught.value))


def test_more_values_than_names(tmp_path):
    path = tmp_path / "unpacking.py"
    path.write_text(
        "from ttkit.frontend import jit\nimport ttkit.language as tl\n\n@jit\ndef kernel(p):\n"
        "    a, b = 1, 2, 3\n    tl.store(p, a + b)\n"
    )
    kernel = load(path).kernel
    with ttkit.Context(), pytest.warns(UserWarning, match="3 values for 2 names"):
        ASTSource(kernel, {"p": "*i32"}).make_ir(GPUTarget("cuda", 90, 32))


@pytest.mark.parametrize("package", ["ttkit", "triton"])
@pytest.mark.parametrize("written", ["tl.tanh", "tl.math.tanh"])
def test_a_function_of_libdevice_is_suggested(written, package, monkeypatch):
    """From the package that the script imports."""
    monkeypatch.delitem(sys.modules, "triton", raising=False)
    if package == "triton":
        monkeypatch.setitem(sys.modules, "triton", ttkit)
    with pytest.raises(AttributeError, match=rf"use libdevice\.tanh, from {package}\.language\.extra import libdevice"):
        eval(written, {"tl": tl})
    with pytest.raises(AttributeError, match=r"has no attribute 'no_such_function'"):
        eval(written.replace("tanh", "no_such_function"), {"tl": tl})


def test_a_place_is_told_without_the_source():
    node = ast.parse("x = 1\nf(2)\n").body[1]
    assert str(CompilationError(None, node, "what is wrong")) == "at 2:0:\n <source unavailable>\nwhat is wrong"
    assert str(CompilationError(None, None, "what is wrong")) == " <source unavailable>\nwhat is wrong"


@pytest.mark.parametrize("kind", [PTXASError, OutOfBounds, AutotunerError])
def test_errors_have_their_message(kind):
    error = kind("what is wrong")
    assert error.error_message == "what is wrong" and "what is wrong" in str(error)
    assert pickle.loads(pickle.dumps(error)).error_message == "what is wrong"
    assert str(kind()) in ("", "Autotuner error: ")


def test_what_range_drops_is_told(own_cache):
    """Triton takes it, and says nothing."""
    import ttkit.language as tl

    @ttkit.jit
    def counts(x, n):
        for i in range(0, n, 1, 5, num_stages=3):
            tl.store(x + i, i)

    with pytest.warns(UserWarning, match="range drops num_stages, argument 4: tl.range takes options") as warned:
        ttkit.compile(ttkit.ASTSource(counts, {"x": "*i32", "n": "i32"}), ttkit.GPUTarget("cuda", 90, 32))
    assert {warning.filename for warning in warned} == {__file__}


def test_warnings_are_at_the_line_of_the_kernel(own_cache):
    import ttkit.language as tl

    @ttkit.jit
    def chooses(x):
        i = tl.arange(0, 16)
        tl.store(
            x + i,
            tl.where(i, i, i << 40),
        )

    with pytest.warns(UserWarning) as warned:
        ttkit.compile(ttkit.ASTSource(chooses, {"x": "*i32"}), ttkit.GPUTarget("cuda", 90, 32))
    line = chooses.fn.__code__.co_firstlineno + 5
    assert {(warning.filename, warning.lineno) for warning in warned} == {(__file__, line)}
    assert [str(warning.message)[:9] for warning in warned] == ["Value 40 ", "tl.where "]
