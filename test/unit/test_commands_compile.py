"""Commands that look at compiled kernels: TRITON_INTERPRET, and scripts that compile several variants."""

import pytest
import warm_commands

SCRIPT = """\
import numpy as np
import ttkit
import ttkit.language as tl

@ttkit.jit
def fill(x, N: tl.constexpr):
    tl.store(x + tl.arange(0, N), 1)

for size in (64, 128):
    x = np.zeros(size, np.int32)
    fill[(1,)](x, N=size)
    assert x.all()
"""


def run(folder, *words, **more):
    (folder / "script.py").write_text(SCRIPT)
    return warm_commands.ttkit(folder, *words, "script.py", **more)


@pytest.mark.parametrize("command", ["trace", "why", "bisect", "show-access", "lift", "profile"])
def test_kernels_are_compiled_though_they_would_run_as_python(command, tmp_path):
    done = run(tmp_path, command, TRITON_INTERPRET="1", TTKIT_DEVICE="interpret:sm_90")
    assert done.returncode == (command == "bisect"), done.stderr  # which has found no bug
    assert "2 launches: no pass changes" in done.stdout or command != "bisect"
    assert "TRITON_INTERPRET is left aside: the command needs kernels that are compiled" in done.stderr


def test_lift_says_which_variant_it_takes_and_how_to_choose(tmp_path):
    done = run(tmp_path, "lift", TTKIT_DEVICE="interpret:sm_90")
    assert "fill was compiled 2 times; this is variant 2 (N=128); choose another by --variant 1" in done.stderr
    assert "128" in done.stdout and "fill (N=128) after ttgir" in done.stdout
    done = run(tmp_path, "lift", "--variant", "1", TTKIT_DEVICE="interpret:sm_90")
    assert done.returncode == 0 and "fill (N=64) after ttgir" in done.stdout, done.stderr
    done = run(tmp_path, "lift", "--variant", "3", TTKIT_DEVICE="interpret:sm_90")
    assert done.returncode == 1 and "fill was compiled 2 times, there is no variant 3" in done.stderr
