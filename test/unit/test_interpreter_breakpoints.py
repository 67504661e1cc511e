"""breakpoint() in kernels whose IR the interpreter runs: Gluon's, and others under TTKIT_DEVICE=interpret."""

import os
import subprocess
import sys

import pytest

TILE = """\
import numpy as np
import ttkit
import ttkit.language as tl


@ttkit.jit
def half(x):
    y = x * 0.5
    breakpoint()
    return y


@ttkit.jit
def kernel(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n, other=0)
    tl.store(out + at, half(value), mask=at < n)


x, out = np.arange(6, dtype=np.float32), np.zeros(6, np.float32)
kernel[(2,)](x, out, 6, BLOCK=4)
print("result", out)
"""
GLUON = """\
import numpy as np
from ttkit.language import gluon
from ttkit.language import gluon as gl


@gluon.jit
def kernel(x, out, N: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    at = gl.arange(0, N, layout)
    buffer = gl.allocate_shared_memory(gl.float32, [N], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    buffer.store(gl.load(x + at))
    turned = buffer.load(layout) + 1
    breakpoint()
    gl.store(out + at, turned)


x, out = np.arange(128, dtype=np.float32), np.zeros(128, np.float32)
kernel[(1,)](x, out, 128)
print("result", out[:3])
"""


def run(tmp_path, text, commands, **environment):
    script = tmp_path / "script.py"
    script.write_text(text)
    environment = {**os.environ, "TRITON_CACHE_DIR": str(tmp_path / "cache"), **environment}
    environment.pop("PYTHONBREAKPOINT", None)
    return subprocess.run(
        [sys.executable, script], input=commands, env=environment, capture_output=True, text=True, check=False
    )


def test_a_function_stops_in_each_program(tmp_path):
    done = run(tmp_path, TILE, "p program_id, y\nc\np program_id, y\nc\n", TTKIT_DEVICE="interpret:sm_90")
    assert done.returncode == 0, done.stderr
    assert f"> {tmp_path}/script.py(9)half()" in done.stdout and "-> breakpoint()" in done.stdout
    assert "((0, 0, 0), array([0. , 0.5, 1. , 1.5], dtype=float32))" in done.stdout
    assert "((1, 0, 0), array([2. , 2.5, 0. , 0. ], dtype=float32))" in done.stdout
    assert done.stdout.endswith("result [0.  0.5 1.  1.5 2.  2.5]\n")


@pytest.mark.parametrize("environment", [{"TRITON_INTERPRET": "1"}, {"TTKIT_DEVICE": "interpret:sm_90"}])
def test_a_kernel_in_gluon_stops(environment, tmp_path):
    done = run(tmp_path, GLUON, "p turned[:2], N, at.dtype\nc\n", **environment)
    assert "(array([1., 2.], dtype=float32), '128', dtype('int32'))" in done.stdout, done.stderr
    assert done.stdout.endswith("result [1. 2. 3.]\n")


def test_the_debugger_ends_the_kernel(tmp_path):
    done = run(tmp_path, GLUON, "q\n", TTKIT_DEVICE="interpret:sm_90")
    assert done.returncode == 1 and "the debugger was ended" in done.stderr and "result" not in done.stdout


def test_code_for_a_gpu_has_none(tmp_path):
    assert run(tmp_path, GLUON, "c\n", TTKIT_DEVICE="interpret:sm_90").returncode == 0
    done = run(tmp_path, GLUON, "", TTKIT_DEVICE="sm_90")
    assert done.returncode == 1
    assert "breakpoint() needs a kernel that the interpreter runs: TRITON_INTERPRET=1" in done.stderr
