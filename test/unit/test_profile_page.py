"""`ttkit profile`: a page about the kernels of a script."""

import os
import re
import subprocess
import sys

import pytest
from trace_browser import asked, needs_chromium

from ttkit.profiler.kernel_report import KernelRow, Report, limit
from ttkit.profiler.page import page, write_page
from ttkit.profiler.roofs import Roofs

ROOFS = Roofs(bandwidth=4e12, products=8e14)
ROWS = [
    KernelRow("copy<T>", 1_000_000, 10, bytes=3.2e9, registers=32, spilled=0, compiling=0.12),
    KernelRow("matmul", 2_000_000, 2, flops=1.4e12, bytes=1e8, registers=255, spilled=64, compiling=0.8),
    KernelRow("row_sum", 1_000_000, 20, flops=1e8, bytes=4e8),
    KernelRow("tiny", 20_000, 10, bytes=10.0),
    KernelRow("at::native", 900_000, 10),
]


def made(rows=ROWS, roofs=ROOFS):
    for row in rows:
        row.limit = limit(row, roofs)
    ordered = sorted(rows, key=lambda row: -row.nanoseconds)
    device = {"arch": "90", "num_sms": 132}
    return Report(ordered, 1.5, 0.9, 0.2, device, roofs, [("SM clock", "600 to 1800 MHz, mean 1500")])


def test_limits():
    made()
    assert [row.limit for row in ROWS] == ["bytes", "operations", "latency", "launch", "unknown"]
    assert limit(ROWS[0], None) == limit(KernelRow("none", 0, 3), ROOFS) == "not measured"


def test_page():
    text = page(made(), "script.py", "script.profile.trace.html")
    assert "http:" not in text and "https:" not in text and "<script" not in text
    assert 'href="script.profile.trace.html"' in text and "copy&lt;T&gt;" in text and "<T>" not in text
    first = text.index("matmul")
    assert first < text.index("copy&lt;T&gt;")  # by time
    assert "700.00" in text and "3200" in text  # TFLOP/s, GB/s
    assert text.count("<circle") == 2 and "<dd>600 to 1800 MHz, mean 1500</dd>" in text
    assert "no kernel" not in text.lower() and "No kernel" in page(made(ROWS[3:]), "a.py")
    assert "The script launched none" in page(made([]), "a.py")


@needs_chromium
@pytest.mark.parametrize("width", [1280, 500])
def test_page_in_a_browser(tmp_path, width):
    path = tmp_path / "page.html"
    write_page(path, made(), "script.py", None)
    text = path.read_text().replace("default-src 'none'; ", "default-src 'none'; script-src 'unsafe-inline'; ")
    path.write_text(text.replace("<body>", '<body><script>document.documentElement.dataset.ready = "1"</script>'))
    found = asked(
        path,
        """return { rows: all("tbody tr").length, points: all("circle").length,
          overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          bar: all(".share i")[0].getBoundingClientRect().width };""",
        width,
    )
    assert found["rows"] == 5 and found["points"] == 2 and found["overflow"] <= 0 and found["bar"] > 20


def test_command(tmp_path):
    (tmp_path / "script.py").write_text(
        """
import sys
import ttkit
import ttkit.language as tl
import ttkit.profiler as proton
import numpy as np

@ttkit.jit(launch_metadata=lambda grid, metadata, arguments: {"name": "named", "bytes": 64})
def described(x, N: tl.constexpr):
    tl.store(x + tl.arange(0, N), tl.arange(0, N))

@ttkit.jit
def plain(x, N: tl.constexpr):
    tl.store(x + tl.arange(0, N), tl.arange(0, N))

x = np.zeros(16, np.int32)
assert proton.start("ignored") is None
for _ in range(3):
    described[(1,)](x, 16)
    plain[(1,)](x, 16)
proton.finalize()
print(sys.argv[1])
sys.exit(3)
"""
    )
    environment = {**os.environ, "TTKIT_DEVICE": "sm_90", "TRITON_CACHE_DIR": str(tmp_path / "cache")}
    run = lambda *arguments: subprocess.run(
        [sys.executable, "-m", "ttkit", "profile", *arguments],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    done = run("--trace", "-o", "out.html", "script.py", "argument")
    assert done.returncode == 3 and done.stdout == "argument\n", done.stderr
    assert "wrote out.html: 2 kernels" in done.stderr
    text = (tmp_path / "out.html").read_text()
    assert ">named<" in text and ">plain<" in text and 'href="out.trace.html"' in text
    assert len(re.findall("<td>3</td>", text)) == 2 and (tmp_path / "out.trace.html").exists()
    assert not list(tmp_path.glob("*.hatchet"))
    for arguments, message in ((["nothing.py"], "no such file: nothing.py"), ([], "name the script to profile")):
        done = run(*arguments)
        assert done.returncode == 1 and message in done.stderr and "Traceback" not in done.stderr
