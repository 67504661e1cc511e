"""Errors that new users make, each with its place and a remedy."""

import json
import os
import sys

import numpy as np
import pytest
import warm_commands

import ttkit
import ttkit.knobs
import ttkit.language as tl
from ttkit.compiler.module_metadata import CompileError
from ttkit.interpreter.errors import InterpreterError
from ttkit.runtime.compiled_kernel import CompiledKernel
from ttkit.runtime.driver import driver
from ttkit.runtime.pointers import ArgumentError
from ttkit.runtime.stand_in import StandInDriver
from ttkit.target import GPUTarget


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    monkeypatch.setattr(driver, "_active", StandInDriver(GPUTarget("cuda", 90, 32), interprets=True))


@ttkit.jit
def calls_numpy(x):
    tl.store(x, np.sin(1.0))


def test_a_function_of_another_package():
    with pytest.raises(RuntimeError, match=r"a kernel calls functions with @triton.jit.*\n.*ufunc 'sin'") as raised:
        calls_numpy[(1,)](np.ones(4, np.float32))
    line = calls_numpy.fn.__code__.co_firstlineno + 2
    shown = f"    tl.store(x, np.sin(1.0))\n{' ' * 16}^\n"
    assert f"{shown}({__file__}:{line}, in calls_numpy)" in str(raised.value)


@ttkit.jit
def assigned_in_a_loop(x, n):
    for i in range(n):
        v = i * 2
    tl.store(x, v)


def test_a_variable_that_only_a_loop_assigns():
    with pytest.raises(ttkit.CompilationError, match="v is assigned later, or only in a loop or branch") as raised:
        assigned_in_a_loop[(1,)](np.zeros(1, np.int32), 4)
    assert "did you mean" not in str(raised.value)


@ttkit.jit
def fill(x, N: tl.constexpr):
    tl.store(x + tl.arange(0, N), 1)


def test_a_float_for_a_size():
    with pytest.raises(ttkit.CompilationError, match=r"found 128\.0, which is a float; pass the integer 128"):
        fill[(1,)](np.zeros(128, np.int32), N=128.0)


@ttkit.jit
def count(x):
    tl.atomic_add(x, 1)


@pytest.mark.parametrize("launch", [lambda x: fill[(1,)](x, N=4), lambda x: count[(1,)](x)])
def test_an_array_that_may_not_be_written(launch):
    x = np.zeros(4, np.int32)
    x.setflags(write=False)
    with pytest.raises(InterpreterError, match="writes to argument x, a read-only array: pass a copy") as raised:
        launch(x)
    assert "#ttg" not in str(raised.value)


def test_a_version_of_triton_that_is_not_known(tmp_path):
    (tmp_path / "script.py").write_text("print('ran')\n")
    words = [sys.executable, "-m", "ttkit.compat", "script.py"]
    done = warm_commands.run(words, cwd=tmp_path, env={**os.environ, "TTKIT_TRITON_VERSION": "4.0"})
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "TTKIT_TRITON_VERSION: version must be one of 3.6, 3.7, 3.8, 3.9, not '4.0'" in done.stderr


@pytest.mark.parametrize("bundle", [None, "b.ttkit"])
def test_code_for_gpus_alone_is_not_interpreted(bundle, monkeypatch):
    x = np.zeros(4, np.int32)
    made = fill.warmup(x, N=4, grid=(1,))
    alone = CompiledKernel.from_cubin(made.asm["cubin"], json.loads(made.metadata_json))
    with ttkit.knobs.runtime.scope():
        ttkit.knobs.runtime.bundle = bundle
        with pytest.raises(ArgumentError) as raised:
            alone[(1,)](x)
    said = (
        "the bundle b.ttkit has code for GPUs alone. Unset TTKIT_BUNDLE" if bundle else "a cubin is code for GPUs alone"
    )
    assert (said if bundle else "a cubin is code for GPUs alone") in str(raised.value)
    assert "TTKIT_DEVICE=sm_90 to launch without results" in str(raised.value)


@ttkit.jit
def returns(x):
    tl.store(x, 1)
    return 1


def test_a_kernel_that_returns_a_value():
    line = returns.fn.__code__.co_firstlineno + 3
    with pytest.raises(CompileError, match=rf"store what they compute\n\(at .*test_first_errors.py:{line}:"):
        returns[(1,)](np.zeros(1, np.int32))


def test_a_misspelt_parameter():
    with pytest.raises(TypeError, match="'N'; M is not a parameter") as raised:
        fill[(1,)](np.zeros(4, np.int32), M=4)
    assert "num_warps" not in str(raised.value)
    with pytest.raises(TypeError, match="; y is not a parameter"):
        returns[(1,)](y=np.zeros(4, np.int32), num_warps=4)
