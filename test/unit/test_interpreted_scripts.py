"""Scripts that import triton, run on the CPU without a GPU: what tutorials of the language show."""

import os
import subprocess
import sys
import textwrap

import pytest

START = "import numpy as np\nimport triton\nimport triton.language as tl\n"


@pytest.fixture
def run(tmp_path):
    def start(text, **environment):
        script = tmp_path / "script.py"
        script.write_text(START + textwrap.dedent(text))
        command = [sys.executable, "-m", "ttkit.compat", str(script)]
        done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return start


PRINTING = """
    {first}

    @triton.jit
    def scale(x_ptr, out_ptr, n, factor, BLOCK: tl.constexpr):
        pid = tl.program_id(axis=0)
        tl.static_print(f"BLOCK is {BLOCK}")
        if pid == 1:
            tl.device_print("pid", pid)
        index = pid * BLOCK + tl.arange(0, BLOCK)
        tl.device_assert(index >= 0, "no negative index")
        tl.store(out_ptr + index, tl.load(x_ptr + index, mask=index < n) * factor, mask=index < n)

    {last}
    x, out = np.arange(100, dtype=np.float32), np.zeros(100, np.float32)
    scale[lambda meta: (triton.cdiv(100, meta["BLOCK"]),)](x, out, 100, 2.5, BLOCK=64)
    assert (out == 2.5 * x).all()
"""
SWITCH = "triton.runtime.driver.active.set_interpret_mode(True)"


@pytest.mark.parametrize(
    ("first", "last", "environment"),
    [
        ("", "", {"TRITON_INTERPRET": "1"}),
        (SWITCH, "", {}),
        ("", SWITCH, {}),
        ("import os; os.environ['TRITON_INTERPRET'] = '1'", "", {}),
        ("triton.knobs.runtime.interpret = True", "", {"TRITON_DEBUG": "1"}),
    ],
)
def test_ways_to_switch_it_on(run, first, last, environment):
    text = PRINTING.replace("{first}", first).replace("{last}", last)
    lines = run(text, **environment).splitlines()
    assert lines == ["BLOCK is 64", "BLOCK is 64", "pid (1, 0, 0) idx () pid: 1"]


def test_autotune_and_heuristics(run):
    assert "True True" in run(
        """
        configs = [triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 256}, num_warps=8)]

        def power_of_two(args):
            return triton.next_power_of_2(max(args["n"] // 8, 16))

        @triton.autotune(configs=configs, key=["n"])
        @triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
        @triton.jit
        def add(x, y, out, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
            index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
            inside = index >= 0
            if not EVEN:
                inside = index < n
            tl.store(out + index, tl.load(x + index, mask=inside) + tl.load(y + index, mask=inside), mask=inside)

        @triton.heuristics(values={"BLOCK": power_of_two})
        @triton.jit
        def double(x, n, BLOCK: tl.constexpr):
            index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
            tl.store(x + index, tl.load(x + index, mask=index < n) * 2, mask=index < n)

        x, out = np.arange(1000, dtype=np.float32), np.zeros(1000, np.float32)
        add[lambda meta: (triton.cdiv(1000, meta["BLOCK"]),)](x, x, out, 1000)
        first = (out == 2 * x).all()
        double[lambda meta: (triton.cdiv(1000, meta["BLOCK"]),)](out, 1000)
        print(first, (out == 4 * x).all())
        """,
        TRITON_INTERPRET="1",
    )


def test_errors_by_their_names(run):
    out = run(
        """
        @triton.jit
        def beyond(x, N: tl.constexpr):
            tl.store(x + tl.arange(0, N), 1.0)

        try:
            beyond[(1,)](np.zeros(8, np.float32), 16)
        except triton.runtime.interpreter.InterpreterError as error:
            assert isinstance(error, triton.InterpreterError) and isinstance(error, triton.TritonError)
            print(error)
        """,
        TRITON_INTERPRET="1",
    )
    assert "in beyond, program (0, 0, 0)\n    tl.store(x + tl.arange(0, N), 1.0)" in out


def test_tools_that_look_into_kernels(run):
    out = run(
        """
        from triton.runtime.interpreter import TensorHandle, interpreter_builder

        @triton.jit
        def kernel(x, N: tl.constexpr):
            value = tl.load(x + tl.arange(0, N))
            print(interpreter_builder.grid_idx, interpreter_builder.grid_dim, value.handle.data)
            other = tl.tensor(TensorHandle(np.ones(4, np.float32), tl.float32), value.type)
            tl.store(x + tl.arange(0, N), value + other)

        x = np.zeros(4, np.float32)
        kernel[(1, 2)](x, 4)
        print(x, interpreter_builder.grid_idx)
        """,
        TRITON_INTERPRET="1",
    )
    assert out.splitlines() == [
        "(0, 0, 0) (1, 2, 1) [0. 0. 0. 0.]",
        "(0, 1, 0) (1, 2, 1) [1. 1. 1. 1.]",
        "[2. 2. 2. 2.] None",
    ]
