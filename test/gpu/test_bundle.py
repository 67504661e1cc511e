"""A bundle, served by a process that has no compiler."""

import json
import os
import subprocess
import sys

import pytest

SERVE = """
import sys
import time

started = time.process_time()
import ttkit
import ttkit.language as tl

imported = time.process_time() - started
import json

import torch


@ttkit.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out + offsets, tl.load(x + offsets, mask=mask) + tl.load(y + offsets, mask=mask), mask=mask)


wrong = 0
for n in (1 << 20, 1000003, 1):
    x, y = torch.rand(n, device="cuda"), torch.rand(n, device="cuda")
    out = torch.empty_like(x)
    add[(n // 1024 + 1,)](x, y, out, n, BLOCK=1024)
    wrong += int((out != x + y).sum())
x = torch.zeros(1024, device="cuda")
for _ in range(1000):
    add[(1,)](x, x, x, 1024, BLOCK=1024)
torch.cuda.synchronize()
best = 1e9
for _ in range(20):
    start = time.perf_counter()
    for _ in range(500):
        add[(1,)](x, x, x, 1024, BLOCK=1024)
    best = min(best, (time.perf_counter() - start) / 500)
    torch.cuda.synchronize()
compiler = "ttkit.compiler.compilation" in sys.modules
print(json.dumps({"wrong": wrong, "compiler": compiler, "import_ms": 1e3 * imported, "launch_us": 1e6 * best}))
"""


def test_a_bundle_is_served_without_a_compiler(tmp_path):
    pytest.importorskip("torch")
    script = tmp_path / "serve.py"
    script.write_text(SERVE)
    environment = {**os.environ, "TRITON_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "ttkit", "export", script, "--out", tmp_path / "made"]
    whole = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    environment |= {"PYTHONPATH": str(tmp_path / "made" / "python"), "TRITON_CACHE_DIR": str(tmp_path / "unused")}
    for _ in range(2):  # the second time Python's own cache has what is imported
        done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False, env=environment)
        assert done.returncode == 0, done.stderr
    exporting, serving = json.loads(whole.stdout), json.loads(done.stdout)
    print("with the compiler:", exporting, "from the bundle:", serving)
    assert serving["wrong"] == exporting["wrong"] == 0
    assert exporting["compiler"] and not serving["compiler"]
    assert not (tmp_path / "unused").exists()
