"""ttkit explore: who may ask, what is run, and the page in a browser."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import warm_commands
from trace_browser import answer_of, asking, needs_chromium

import ttkit
import ttkit.language as tl
from ttkit.compiler.launch_check import in_force
from ttkit.explorer import Server, Workbench, server, workbench
from ttkit.explorer.launch_copies import FirstLaunches
from ttkit.explorer.workbench import WorkFailed, read_pipeline
from ttkit.runtime.driver import driver
from ttkit.runtime.mock_tensors import MockTensor
from ttkit.tracing.recorder import recording

KERNEL = """
tt.func public @double(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
  %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %end = tt.splat %n : i32 -> tensor<128xi32>
  %inside = arith.cmpi slt, %range, %end : tensor<128xi32>
  %base = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  %at = tt.addptr %base, %range : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  %value = tt.load %at, %inside : tensor<128x!tt.ptr<f32>>
  %twice = arith.addf %value, %value : tensor<128xf32>
  tt.store %at, %twice, %inside : tensor<128x!tt.ptr<f32>>
  tt.return
}
"""


@pytest.fixture(scope="module")
def compiled() -> Workbench:
    bench = Workbench("double.mlir", [])
    assert bench.add_file(KERNEL, "double").error == ""
    return bench


@pytest.fixture
def bench(compiled: Workbench) -> Workbench:
    return Workbench(compiled.title, list(compiled.kernels))


@pytest.fixture
def served(bench: Workbench) -> Iterator[Server]:
    with Server(bench) as made:
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def asked(served: Server, path: str, given: object = None, **headers: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", served.server_port, timeout=120)
    try:
        if given is None:
            connection.request("GET", path, headers=headers)
        else:
            kinds = {"Content-Type": "application/json", **headers}
            connection.request("POST", path, body=json.dumps(given), headers=kinds)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


# --- what is run ------------------------------------------------------------------------------------------------------


def test_a_file_goes_through_all_stages(compiled: Workbench) -> None:
    (kernel,) = compiled.kernels
    assert [stage.name for stage in kernel.stages] == ["ttir", "ttgir", "llir"]
    assert list(kernel.files) == ["ttir", "ttgir", "llir", "ptx", "cubin"] and b"ld.global" in kernel.files["ptx"]


def test_the_rest_of_a_kernel_gives_the_same(bench: Workbench) -> None:
    names = [one.name for one in bench.kernels[0].stages[1].passes]
    rest = bench.rest(0, 1, names.index("tritongpu-coalesce"), "before")
    assert (
        rest.startswith("// ttgir\ntritongpu-coalesce{by-stride=true count-masks=true scans=true}\n")
        and "\n// llir\n" in rest
    )
    number = bench.run(0, 1, names.index("tritongpu-coalesce"), "before", None, rest, check=False)
    made = bench.kernels[number]
    assert made.error == "" and made.name == "double (edit 1)"
    assert made.about["edited"] == "ttgir, before tritongpu-coalesce"
    instructions = lambda kernel: re.findall(r"^\t[a-z][\w.]+ ", kernel.files["ptx"].decode(), re.MULTILINE)
    assert instructions(made) == instructions(bench.kernels[0])


def test_an_edit_of_the_ir_and_of_the_passes(bench: Workbench) -> None:
    text = bench.text(0, 0, 0, "before").replace("arith.addf", "arith.mulf")
    number = bench.run(0, 0, 0, "before", text, "// ttir\ncanonicalize\n// mine\ncse\n", check=True)
    made = bench.kernels[number]
    assert made.error == "" and [stage.name for stage in made.stages] == ["ttir", "mine"]
    assert [one.check for stage in made.stages for one in stage.passes] == ["same results"] * 2
    assert "arith.mulf" in bench.text(number, 1, 0, "after")


def test_mistakes_are_said(bench: Workbench) -> None:
    number = bench.run(0, 0, 0, "before", "tt.func @x(", "// ttir\ncse", check=False)
    assert "expected" in bench.kernels[number].error
    number = bench.run(0, 0, 0, "before", None, "// ttir\nconvert-everything", check=False)
    assert "convert-everything" in bench.kernels[number].error
    with pytest.raises(ValueError, match="'cse' is in no stage"):
        read_pipeline("cse")
    with pytest.raises(IndexError):
        bench.run(7, 0, 0, "before", None, "// ttir\ncse", check=False)


def test_the_interpreter_says_what_an_edit_has_changed(bench: Workbench) -> None:
    before = bench.text(0, 0, 0, "before")
    lines = bench.interpret(before, "", ["arg1=3", "arg0=ones:f32:128"], "")
    assert lines[-1].startswith("arg0: float32[128] [2., 2., 2., 1.,")
    lines = bench.interpret(before.replace("arith.addf", "arith.mulf"), "1", [], before)
    assert lines[-1].startswith("unlike before the edit: arg0[0] is")
    assert bench.interpret(before, "1", [], before)[-1] == "the same results as before the edit"
    assert bench.interpret("garbage", "", [], "")[0].startswith("error: ")


def test_a_worker_that_dies_or_takes_too_long(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbench.sys, "executable", shutil.which("false"))
    with pytest.raises(WorkFailed, match="ended with code 1"):
        bench.interpret(KERNEL, "", [], "")
    monkeypatch.undo()
    monkeypatch.setattr(workbench, "SECONDS", 0.01)
    with pytest.raises(WorkFailed, match="was ended"):
        bench.interpret(KERNEL, "", [], "")


def test_the_interpreter_takes_the_launch_that_has_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The arrays and numbers of the script's launch, and its grid; what is given in the page comes first."""

    @ttkit.jit
    def scaled(x, out, n, factor, B: tl.constexpr):
        offsets = tl.program_id(0) * B + tl.arange(0, B)
        tl.store(out + offsets, tl.load(x + offsets, mask=offsets < n) * factor, mask=offsets < n)

    monkeypatch.setenv("TTKIT_DEVICE", "interpret:sm_90")
    driver.reset_active()
    launches = FirstLaunches()
    with recording() as recorder, in_force(launches):
        scaled.warmup(MockTensor(tl.float32), MockTensor(tl.float32), 100, 3, B=32, grid=(4,))
        for factor in (3, 5):
            scaled[(4,)](np.arange(100, dtype=np.float32), np.zeros(100, np.float32), 100, factor, B=32)
    driver.reset_active()
    bench = Workbench("script.py", recorder.finish())
    bench.launches = launches.inputs
    text = bench.text(0, 1, 0, "before")
    lines = bench.interpret(text, "", [], "", 0)
    assert lines[0] == "the arguments of the kernel's first launch" and "grid (4, 1, 1)" in lines[1]
    assert lines[-1].startswith("out: float32[100] [ 0.,  3.,  6.,  9.,")
    assert bench.interpret(text, "", ["factor=2"], "", 0)[-1].startswith("out: float32[100] [ 0.,  2.,  4.,  6.,")
    changed = bench.interpret(text.replace("arith.mulf", "arith.addf"), "", [], text, 0)
    assert changed[-1].startswith("unlike before the edit: out[")
    assert "first launch" not in bench.interpret(KERNEL, "1", ["arg1=3"], "", 0)[0], "another kernel's IR"


# --- who may ask ------------------------------------------------------------------------------------------------------


def test_the_page_is_at_its_address_alone(served: Server) -> None:
    status, text = asked(served, f"/{served.token}/")
    assert status == 200 and b"connect-src 'self'" in text and b"default-src 'none'" in text
    assert len(served.token) > 40
    wrong = served.token[:-1] + ("a" if served.token[-1] != "a" else "b")
    for path in ("/", f"/{wrong}/", f"/{served.token}", "//", f"/x/{served.token}/", "/favicon.ico"):
        assert asked(served, path)[0] == 403, path
        assert asked(served, path + "run", {})[0] == 403, path
    assert asked(served, f"/{served.token}/nothing")[0] == 404


def test_it_listens_on_this_machine_alone(served: Server) -> None:
    assert served.socket.getsockname()[0] == "127.0.0.1"
    try:
        found = socket.getaddrinfo(socket.gethostname(), served.server_port, type=socket.SOCK_STREAM)
    except socket.gaierror:  # a machine without a network
        return
    for family, _, _, _, where in found:
        if where[0].startswith("127.") or where[0] == "::1":
            continue
        with socket.socket(family, socket.SOCK_STREAM) as other:
            assert other.connect_ex(where) != 0


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "rebound.example"},
        {"Host": "rebound.example:PORT"},
        {"Host": "127.0.0.1"},
        {"Origin": "http://rebound.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_other_sites_are_refused_though_they_know_the_token(served: Server, headers: dict[str, str]) -> None:
    given = {name: value.replace("PORT", str(served.server_port)) for name, value in headers.items()}
    for work in (None, {}):
        status, text = asked(served, f"/{served.token}/{'' if work is None else 'interpret'}", work, **given)
        assert status == 403 and b"double" not in text


def test_requests_that_are_none(served: Server) -> None:
    path = f"/{served.token}/run"
    assert asked(served, path, {}, **{"Content-Type": "text/plain"})[0] == 400
    assert asked(served, path, {}, **{"Content-Length": str(server.LARGEST + 1)})[0] == 400
    assert asked(served, path, [1])[0] == 400
    place = {"kernel": 0, "stage": 0, "pass": 0, "side": "before"}
    whole = {**place, "pipeline": ""}
    for given, said in (
        ({**whole, "side": "behind"}, "a side is before or after"),
        ({**whole, "pass": 99}, "there is no such kernel, stage or pass"),
        ({**whole, "kernel": "x"}, "the request.kernel must be an integer of 31 bits, found 'x'"),
        (place, "the request has no 'pipeline'"),
    ):
        status, text = asked(served, path, given)
        assert status == 200 and json.loads(text) == {"error": said}


def test_work_through_the_server(served: Server) -> None:
    place = {"kernel": 0, "stage": 0, "pass": 0, "side": "before"}
    rest = json.loads(asked(served, f"/{served.token}/rest", place)[1])["pipeline"]
    assert rest.startswith("// ttir\ncanonicalize")
    work = {**place, "pipeline": "// ttir\ncse", "text": None}
    assert json.loads(asked(served, f"/{served.token}/run", work)[1]) == {"kernel": 1, "error": ""}
    work = {**place, "text": None, "grid": "1", "arguments": "arg1=2 arg0=ones:f32:4"}
    lines = json.loads(asked(served, f"/{served.token}/interpret", work)[1])["lines"]
    assert lines[-1] == "arg0: float32[4] [2., 2., 1., 1.]"


# --- the command, and the page in Chromium ----------------------------------------------------------------------------


def test_command(tmp_path: Path) -> None:
    (tmp_path / "double.mlir").write_text(KERNEL)
    command = [sys.executable, "-m", "ttkit", "explore", "double.mlir"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        said = running.stderr.readline()
        found = re.fullmatch(r"1 kernels? at http://127\.0\.0\.1:(\d+)(/[\w-]+/)\n", said)
        assert found, said + running.stderr.read()
        connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=60)
        connection.request("GET", found[2])
        assert connection.getresponse().status == 200
        connection.close()
        os.kill(running.pid, signal.SIGINT)
        assert running.wait(timeout=60) == 0
    done = warm_commands.run([*command[:-1], "nowhere.mlir"], cwd=tmp_path)
    assert done.returncode == 1 and "no such file" in done.stderr
    (tmp_path / "nothing.py").write_text("")
    done = warm_commands.run([*command[:-1], "nothing.py"], cwd=tmp_path)
    assert done.returncode == 1 and "compiled no kernel" in done.stderr


@needs_chromium
def test_editing_in_a_browser(served: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pass is taken out of the pipeline, the IR changed and interpreted, and the rest run."""
    script = """
        if (location.hash.startsWith("#/1/")) {  // the page that came of the edit
          return { said: sessionStorage.said, passes: all("a.pass .name").map((one) => one.textContent),
                   kernels: all("#kernel option").map((one) => one.textContent) };
        }
        const shown = await until(() => document.querySelector("#workbench"));
        shown.open = true;
        await until(() => all("#workbench .cm-editor").length === 2);
        const [ir, passes] = all("#workbench .cm-content").map((one) => one.cmTile.view);
        document.querySelector("#workbench select").value = "before";
        document.querySelector("#workbench select").dispatchEvent(new Event("change"));
        const views = () => all("#workbench .cm-content").map((one) => one.cmTile.view);
        await until(() => views().length === 2 && views()[0] !== ir);
        const change = (view, from, to) => {
          const at = view.state.doc.toString().indexOf(from);
          view.dispatch({ changes: { from: at, to: at + from.length, insert: to } });
        };
        change(views()[0], "arith.addf", "arith.mulf");
        change(views()[1], "\\ntritongpu-coalesce{by-stride=true count-masks=true scans=true}\\n", "\\n");
        document.querySelector("#interpret").click();
        await until(() => document.querySelector("#said").textContent.includes("unlike before the edit"));
        sessionStorage.said = document.querySelector("#said").textContent;
        document.querySelector("#run").click();
        await new Promise(() => 0);
    """
    whole = server.page
    monkeypatch.setattr(server, "page", lambda *given, **more: asking(whole(*given, **more), script))
    found = answer_of(f"{served.address}#/0/passes/0/0", tmp_path / "profile")
    assert "arg0[0] is" in found["said"] and "grid (1, 1, 1)" in found["said"]
    assert found["kernels"] == ["double", "double (edit 1)"]
    assert "tritongpu-coalesce" not in found["passes"] and "tritongpu-remove-layout-conversions" in found["passes"]
    assert "arith.mulf" in served.bench.text(1, 0, 0, "before")
