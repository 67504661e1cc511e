"""Commands about scripts take kernels in Gluon."""

import http.client
import os
import re
import signal
import subprocess
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


RING = """
import numpy as np

from ttkit.language import gluon
from ttkit.language import gluon as gl
from ttkit.language.gluon.nvidia.ampere import async_copy

@gluon.jit
def begin(x, buffers, step, STAGES: gl.constexpr, layout: gl.constexpr):
    async_copy.async_copy_global_to_shared(buffers.index(step % STAGES), x + step * 512 + gl.arange(0, 512, layout))
    async_copy.commit_group()

@gluon.jit
def doubled(x, y, n, STAGES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    buffers = gl.allocate_shared_memory(gl.float32, [STAGES, 512], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    for stage in gl.static_range(STAGES - 1):
        begin(x, buffers, stage, STAGES, layout)
    for step in range(n):
        begin(x, buffers, step + STAGES - 1, STAGES, layout)
        async_copy.wait_group(STAGES - 1)
        gl.store(y + step * 512 + gl.arange(0, 512, layout), buffers.index(step % STAGES).load(layout) * 2)

doubled[(1,)](np.ones(4096, np.float32), np.zeros(2048, np.float32), 4, STAGES)
"""


def run(command, script, tmp_path):
    """What a command says of a script."""
    (tmp_path / "script.py").write_text(script)
    done = warm_commands.ttkit(tmp_path, *command, TTKIT_DEVICE="interpret:sm_80")
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("stages", [2, 4])
def test_schedule_of_a_loop_pipelined_by_hand(stages, tmp_path):
    said = run(["schedule", "script.py"], RING.replace(", 4, STAGES)", f", 4, {stages})"), tmp_path)
    assert f"loop of @doubled, line 19, by hand, {stages} slots: {stages} stages" in said
    assert re.search(rf" {stages - 1}  +%\d+ = ttg.local_load", said) and re.search(r" 0  +%\d+ = ttg.async_copy", said)


def test_schedule_as_a_picture(tmp_path):
    run(["schedule", "script.py", "-o", "loop.svg"], RING.replace(", 4, STAGES)", ", 4, 3)"), tmp_path)
    assert ">iteration 4<" in (tmp_path / "loop.svg").read_text()


def test_sanitize(tmp_path):
    script = RING.replace(", 4, STAGES)", ", 4, 3)").replace("wait_group(STAGES - 1)", "wait_group(STAGES)")
    (tmp_path / "script.py").write_text(script)
    words = "sanitize", "all", sys.executable, "script.py"
    done = warm_commands.ttkit(tmp_path, *words, TTKIT_DEVICE="interpret:sm_80")
    assert done.returncode == 1 and "script.py:22:" in done.stderr


def test_explore(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    environment = {**os.environ, "TTKIT_DEVICE": "interpret:sm_80", "TRITON_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "ttkit", "explore", "script.py"]
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True) as running:
        found = re.fullmatch(r"1 kernel at http://127\.0\.0\.1:(\d+)(/[\w-]+/)\n", running.stderr.readline())
        connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=60)
        connection.request("GET", found[2])
        page = connection.getresponse().read().decode()
        connection.close()
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=60) == 0
    assert page.startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("trace", "-o", "page.html"), "wrote page.html: 1 kernel"),
        (("show-access", "-o", "page.html"), "wrote page.html: 1 launch"),
        (("lift",), "def summed(x, y, n):"),
    ],
)
def test_command(command, said, tmp_path):
    assert said in run([*command, "script.py"], SCRIPT, tmp_path)
