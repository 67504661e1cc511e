"""`ttkit profile`: a page about the kernels of a script."""

import json
import re

import pytest
import warm_commands
from trace_browser import asked, needs_chromium

from ttkit.profiler import timeline_page
from ttkit.profiler.kernel_report import KernelRow, Report, limit
from ttkit.profiler.profile_page import page, write_page
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
    run = lambda *arguments: warm_commands.ttkit(tmp_path, "profile", *arguments, TTKIT_DEVICE="sm_90")
    done = run("--trace", "-o", "out.html", "script.py", "argument")
    assert done.returncode == 3 and done.stdout == "argument\n", done.stderr
    assert "wrote out.html: 2 kernels" in done.stderr
    text = (tmp_path / "out.html").read_text()
    assert ">named<" in text and ">plain<" in text and 'href="out.trace.html"' in text
    assert len(re.findall("<td>3</td>", text)) == 2 and (tmp_path / "out.trace.html").exists()
    assert not list(tmp_path.glob("*.hatchet"))
    assert run("-o", "known.html", "script.py", "argument").returncode == 3
    text = (tmp_path / "known.html").read_text()
    assert "Known without a GPU" in text and "limited by" in text and "integers and moves" in text
    assert "H100 SXM by its data sheet: 3350 GB/s" in text
    for arguments, message in ((["nothing.py"], "no such file: nothing.py"), ([], "name the script")):
        done = run(*arguments)
        assert done.returncode == 1 and message in done.stderr and "Traceback" not in done.stderr


def test_timeline(tmp_path):
    """Nested regions lie below each other; what is left over is said."""
    meta = lambda kind, name, **where: {"ph": "M", "name": kind, "args": {"name": name}, **where}
    box = lambda name, start, length, thread=0: {
        "ph": "X",
        "name": name,
        "ts": start,
        "dur": length,
        "pid": 1,
        "tid": thread,
        "args": {},
    }
    events = [meta("process_name", "GPU 0", pid=1), meta("thread_name", "warp <0>", pid=1, tid=0)]
    events += [box("all", 0, 10), box("load<T>", 1, 4), box("store", 6, 2), box("all", 20, 5), box("load<T>", 2, 1, 7)]
    (tmp_path / "line.chrome_trace").write_text(json.dumps({"traceEvents": events}))
    tracks = timeline_page.tracks_of({"traceEvents": events})
    assert [(one.name, one.depth) for one in tracks[0].boxes] == [("all", 0), ("load<T>", 1), ("store", 1), ("all", 0)]
    assert [track.name for track in tracks] == ["GPU 0, warp <0>", "GPU 0, 7"] and tracks[0].rows == 2
    done = warm_commands.ttkit(tmp_path, "profile", "--timeline", "line.chrome_trace")
    assert done.returncode == 0 and "line.timeline.html: 5 intervals" in done.stderr
    text = (tmp_path / "line.timeline.html").read_text()
    assert "<T>" not in text and "<script" not in text and text.count("<title>") == 6
    assert "load&lt;T&gt;: 4 us, from 1 us on" in text and "<td>15 us</td><td>7.5 us</td><td>5 us</td>" in text
    (tmp_path / "no.chrome_trace").write_text("[]")
    with pytest.raises(ValueError, match="not a timeline"):
        timeline_page.write_timeline(tmp_path / "a.html", tmp_path / "no.chrome_trace")
    few = timeline_page.timeline_page([timeline_page.Track("one", tracks[0].boxes)] * 300, "many")
    assert "44 of 300 tracks are not drawn" in few


@needs_chromium
@pytest.mark.parametrize("width", [1280, 500])
def test_timeline_in_a_browser(tmp_path, width):
    boxes = [timeline_page.Box("all", 0, 10), timeline_page.Box("load", 1, 4, 1)]
    text = timeline_page.timeline_page([timeline_page.Track("GPU 0, warp 0", boxes)], "line")
    text = text.replace("default-src 'none'; ", "default-src 'none'; script-src 'unsafe-inline'; ")
    path = tmp_path / "page.html"
    path.write_text(text.replace("<body>", '<body><script>document.documentElement.dataset.ready = "1"</script>'))
    found = asked(
        path,
        """const boxes = all("div.wide > svg[role=img] rect").map((one) => one.getBoundingClientRect());
        return { boxes: boxes.map((one) => [Math.round(one.width), Math.round(one.top - boxes[0].top)]),
                 overflow: document.documentElement.scrollWidth - window.innerWidth };""",
        width=width,
    )
    assert found["boxes"] == [[1500, 0], [600, 12]] and found["overflow"] <= 0
