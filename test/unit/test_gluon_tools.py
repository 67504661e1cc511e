"""Commands about scripts take kernels in Gluon."""

import os
import sys

import pytest
import warm_commands

SCRIPT = """
import numpy as np

from ttkit.language import gluon
from ttkit.language import gluon as gl

@gluon.jit
def summed(x, y, n, N: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    index = gl.arange(0, N, layout)
    total = gl.zeros([N], gl.float32, layout)
    for step in range(n):
        total += gl.load(x + step * N + index)
    gl.store(y + index, total)

summed[(1,)](np.ones(1536, np.float32), np.zeros(512, np.float32), 3, 512)
"""


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("trace", "-o", "page.html"), "wrote page.html: 1 kernel"),
        (("show-access", "-o", "page.html"), "wrote page.html: 1 launch"),
        (("lift",), "def summed(x, y, n):"),
    ],
)
def test_command(command, said, tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    environment = {**os.environ, "TTKIT_DEVICE": "interpret:sm_80", "TRITON_CACHE_DIR": str(tmp_path / "cache")}
    words = [sys.executable, "-m", "ttkit", *command, "script.py"]
    done = warm_commands.run(words, env=environment, cwd=tmp_path)
    assert done.returncode == 0 and said in done.stdout + done.stderr, done.stderr
