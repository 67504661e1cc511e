"""`ttkit trace --ncu` of a report that ncu itself has written."""

import glob
import shutil
import subprocess
import sys

import pytest

from ttkit.tracing import ncu
from ttkit.tracing.contents import sums
from ttkit.tracing.trace_page import read_data

torch = pytest.importorskip("torch")
if not torch.cuda.is_available():
    pytest.skip("no GPU", allow_module_level=True)
NCU = shutil.which("ncu") or next(iter(sorted(glob.glob("/opt/nvidia/nsight-compute/*/ncu"))[-1:]), None)

SCRIPT = """
import torch, ttkit
import ttkit.language as tl


@ttkit.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, at < n) + tl.load(y + at, at < n), at < n)


n = 1 << 24
x, y, out = (torch.rand(n, device="cuda") for _ in range(3))
add[(n // 1024,)](x, y, out, n, BLOCK=1024)
assert torch.equal(out, x + y)
"""


@pytest.mark.alone
@pytest.mark.skipif(NCU is None, reason="ncu is not installed")
def test_a_report_stands_beside_the_instructions(tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "add.py").write_text(SCRIPT)
    asked = [
        NCU,
        "--section",
        "SourceCounters",
        "-k",
        "regex:add",
        "-c",
        "1",
        "-o",
        "kernels",
        sys.executable,
        "add.py",
    ]
    done = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True)
    if not (tmp_path / "kernels.ncu-rep").exists():
        pytest.skip(f"ncu may not measure here: {(done.stdout + done.stderr)[-300:]}")
    ((above, rows),) = ncu.read(tmp_path / "kernels.ncu-rep")
    assert "add" in above and sum(row.samples for row in rows) > 100
    asked = [sys.executable, "-m", "ttkit", "trace", "--ncu", "kernels.ncu-rep", "-o", "page.html", "add.py"]
    subprocess.run(asked, cwd=tmp_path, check=True)
    data = read_data(tmp_path / "page.html")
    text = data["texts"][data["kernels"][0]["levels"][-1]["text"]]
    shown = [data["lines"][number] for number in sums(text["lines"])]
    loads = [line for line in shown if "LDG" in line or "STG" in line]
    assert loads and any("%" in line[:30] for line in shown) and any("long_sb" in line for line in shown)
