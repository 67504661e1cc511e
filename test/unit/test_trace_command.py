"""What writes traces: `ttkit trace`, TTKIT_TRACE, `tt-opt --trace`, and what they record."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import warm_commands

import ttkit
import ttkit.language as tl
from ttkit.tracing.trace_page import read_data

TARGET = ttkit.GPUTarget("cuda", 90, 32)
SCRIPT = """
import sys
import ttkit
import ttkit.language as tl

@ttkit.jit
def add(x, n, B: tl.constexpr):
    tl.store(x + tl.arange(0, B), tl.load(x + tl.arange(0, B)) + n)

if __name__ == "__main__":
    signature = {"x": "*fp32", "n": "fp32", "B": "constexpr"}
    ttkit.compile(ttkit.ASTSource(add, signature, {"B": 128}), ttkit.GPUTarget("cuda", 90, 32))
    sys.exit(int(sys.argv[1]))
"""


@ttkit.jit
def double(x, B: tl.constexpr):
    tl.store(x + tl.arange(0, B), tl.load(x + tl.arange(0, B)) * 2)


def compile_double(**about: Any) -> None:
    ttkit.compile(ttkit.ASTSource(double, {"x": "*fp32", "B": "constexpr"}, {"B": 256}), TARGET, about)


def run(*words: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return warm_commands.run([sys.executable, *words], cwd=folder, env={**os.environ, **environment})


def test_a_script_is_traced_and_keeps_its_exit_code(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    done = run("-m", "ttkit", "trace", "script.py", "3", folder=tmp_path)
    assert done.returncode == 3 and "wrote script.trace.html: 1 kernel" in done.stderr, done.stderr
    data = read_data(tmp_path / "script.trace.html")
    kernel = data["kernels"][0]
    assert kernel["name"] == "add" and [stage["name"] for stage in kernel["stages"]] == ["ttir", "ttgir", "llir"]
    passes = [one for stage in kernel["stages"] for one in stage["passes"]]
    assert all(one["seconds"] >= 0 and one["verdict"] == "valid" for one in passes)
    convert = next(one for one in passes if one["name"] == "convert-triton-to-tritongpu")
    assert convert["before"] != convert["after"] and convert["operations"][0] > 3
    assert kernel["stages"][1]["passes"][-1]["layouts"]["conversions"] == 0
    assert [level["name"] for level in kernel["levels"]] == ["source", "ttir", "ttgir", "llir", "ptx", "cubin"]
    (source,) = [one for file, one in data["sources"].items() if file.endswith("script.py")]
    assert any("tl.store" in line for line in source["lines"]) and not any("import" in line for line in source["lines"])


def test_a_script_that_raises_has_its_trace(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT.replace("int(", "1 / 0, int("))
    done = run("-m", "ttkit", "trace", "-o", "out.html", "script.py", "0", folder=tmp_path)
    assert done.returncode == 1 and "ZeroDivisionError" in done.stderr and "runpy" not in done.stderr
    assert len(read_data(tmp_path / "out.html")["kernels"]) == 1
    done = run("-m", "ttkit", "trace", "nowhere.py", folder=tmp_path)
    assert (done.returncode, done.stderr) == (1, "error: no such file: nowhere.py\n")


def test_the_environment_asks_for_a_trace(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    for _ in range(2):  # also if the cache has it
        done = run("script.py", "0", folder=tmp_path, TTKIT_TRACE="traces", TRITON_CACHE_DIR=str(tmp_path / "cache"))
        assert done.returncode == 0, done.stderr
    pages = list((tmp_path / "traces").iterdir())
    assert len(pages) == 2
    assert [len(read_data(path)["kernels"]) for path in pages] == [1, 1]


def test_pages_are_compared(tmp_path: Path) -> None:
    for name, warps in (("a", 4), ("b", 8)):
        with ttkit.trace(tmp_path / f"{name}.html"):
            compile_double(num_warps=warps)
    done = run("-m", "ttkit", "trace", "--compare", "a.html", "b.html", folder=tmp_path)
    assert done.stdout == "double: first difference: ttgir, convert-triton-to-tritongpu\n", done.stderr
    (tmp_path / "b.html").write_text("")
    done = run("-m", "ttkit", "trace", "--compare", "a.html", "b.html", folder=tmp_path)
    assert done.returncode == 1 and done.stderr.startswith("error: b.html is not a trace")


def test_all_threads_are_traced_and_the_cache_is_not_asked(tmp_path: Path) -> None:
    compile_double()
    with ttkit.trace(tmp_path / "page.html") as recorder:
        thread = threading.Thread(target=compile_double)
        thread.start()
        thread.join()
        compile_double()
    assert [kernel.name for kernel in recorder.kernels] == ["double", "double"]
    assert all(len(kernel.stages) == 3 for kernel in recorder.kernels)


def test_a_pass_that_fails_is_shown(tmp_path: Path) -> None:
    class Refuses(ttkit.Pass):
        name = "refuses-all"

        def run(self, module: Any) -> None:
            raise ttkit.PassError(module, "no")

    try:
        with ttkit.trace(tmp_path / "page.html"), ttkit.pipelines.insert_before("tritongpu-coalesce", Refuses()):
            compile_double()
    except Exception as error:
        said = str(error)
    kernel = read_data(tmp_path / "page.html")["kernels"][0]
    last = kernel["stages"][-1]["passes"][-1]
    assert last["name"] == "refuses-all" and last["verdict"] == "failed" and said
    assert kernel["error"] and ["error", "pass 'refuses-all': no"] in [
        [kind, words] for kind, _, words in last["remarks"]
    ]


OPT = """
tt.func @f(%p: !tt.ptr<f32>) {
  %a = arith.constant 1.0 : f32
  %b = arith.addf %a, %a : f32
  tt.store %p, %b : !tt.ptr<f32>
  tt.return
}
"""


def test_tt_opt_writes_a_trace(tmp_path: Path) -> None:
    (tmp_path / "f.mlir").write_text(f"{OPT}// -----\n{OPT}")
    words = ("f.mlir", "-split-input-file", "--canonicalize", "--check-passes", "--trace=out.html")
    command = "from ttkit.drivers.opt import main; main()"
    done = run("-c", command, *words, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    data = read_data(tmp_path / "out.html")
    assert [kernel["name"] for kernel in data["kernels"]] == ["f", "f"]
    (canonicalize,) = data["kernels"][0]["stages"][0]["passes"]
    assert canonicalize["check"] == "same results" and canonicalize["operations"] == [5, 4]
    assert canonicalize["proof"] == ""
    proved = ("f.mlir", "-split-input-file", "--canonicalize", "--prove-passes", "--trace=out.html")
    done = run("-c", command, *proved, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    (canonicalize,) = read_data(tmp_path / "out.html")["kernels"][0]["stages"][0]["passes"]
    assert canonicalize["proof"] == "@f: proved"
    done = run("-c", command, "f.mlir", "-split-input-file", "--cse", "--trace=no/out.html", folder=tmp_path)
    assert done.returncode == 1 and "--trace" in done.stderr


def test_loops_that_a_pass_schedules_are_drawn(tmp_path: Path) -> None:
    kernel = str(Path(__file__).parents[2] / "examples" / "kernels" / "matmul_loop.ttir")
    command = "from ttkit.drivers.opt import main; main()"
    for stages in (3, 4):
        words = (kernel, f"--ttkit-ttgir=num-stages={stages}", f"--trace={stages}.html", "-o", "out.mlir")
        done = run("-c", command, *words, folder=tmp_path)
        assert done.returncode == 0, done.stderr
    passes = read_data(tmp_path / "3.html")["kernels"][0]["stages"][0]["passes"]
    drawn = {one["name"]: one["schedules"] for one in passes if one["schedules"]}
    assert [*drawn] == ["tritongpu-schedule-loops"]
    ((title, picture),) = drawn["tritongpu-schedule-loops"]
    assert title.startswith("loop of @matmul") and picture.startswith("<svg ") and "tensor cores" in picture
    done = run("-m", "ttkit", "trace", "-o", "both.html", "--compare", "3.html", "4.html", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    passes = read_data(tmp_path / "both.html")["kernels"][0]["stages"][0]["passes"]
    (both,) = [one["schedules"] for one in passes if one["schedules"]]
    assert [f"{title}: {count} stages" in picture for count, (_, picture) in zip((3, 4), both)] == [True, True]
