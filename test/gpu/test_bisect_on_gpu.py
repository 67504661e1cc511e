"""`ttkit bisect` on a GPU: launches are compared with the interpreter, and one that differs is named."""

import os
import subprocess
import sys

import pytest

SCRIPT = """
import numpy as np
import ttkit
import ttkit.knobs
import ttkit.language as tl

@ttkit.jit
def double(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)

count = 0

def spoil(_):
    global count
    count += 1
    if count == SPOILED:
        out[7] = 1234.0

ttkit.knobs.runtime.launch_exit_hook.add(spoil)
x, out = MAKE
for _ in range(3):
    double[(4,)](x, out, 100, BLOCK=32)
"""
ARRAYS = {
    "numpy": "np.arange(100, dtype=np.float32), np.zeros(100, np.float32)",
    "torch": "(torch := __import__('torch')).arange(100.0).cuda(), torch.zeros(100).cuda()",
}


def bisect(folder, spoiled, arrays):
    if arrays == "torch":
        pytest.importorskip("torch")
    (folder / "script.py").write_text(SCRIPT.replace("SPOILED", str(spoiled)).replace("MAKE", ARRAYS[arrays]))
    environment = {name: value for name, value in os.environ.items() if name != "TTKIT_DEVICE"}
    command = [sys.executable, "-m", "ttkit", "bisect", "script.py"]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment)


@pytest.mark.parametrize("arrays", ARRAYS)
def test_the_launch_that_differs_is_named(tmp_path, arrays):
    ended = bisect(tmp_path, 2, arrays)
    assert ended.returncode == 0, ended.stderr
    assert "launch 2, kernel double: @double computes something else than the interpreter: out[7] is" in ended.stdout
    assert "14.0 by the interpreter and 1234.0 by the launch (1 of 100 elements differ)" in ended.stdout
    # The command that is printed runs the kernel on the GPU, where nothing spoils it.
    command = ended.stdout.strip().splitlines()[-1].strip()
    command = command.replace("tt-run", f"{sys.executable} -m ttkit.drivers.run")
    again = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True)
    assert again.returncode == 0, again.stderr


@pytest.mark.parametrize("arrays", ARRAYS)
def test_right_launches_are_not_blamed(tmp_path, arrays):
    ended = bisect(tmp_path, 0, arrays)
    assert (ended.returncode, ended.stdout) == (
        1,
        "3 launches: no pass changes a result, and the launches' results are right\n",
    )
