"""What test/outsiders does without a GPU and without torch: rows, halves, turns on the GPU, suites, packing."""

import importlib.util
import json
import os
import subprocess
import sys
import tarfile
import threading
import zipfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "outsiders"))
sys.path.insert(0, str(Path(__file__).parents[1] / "outsiders" / "plugin"))

import outcomes
import pack
import pairs
import rows
import suites

FOLDER = Path(__file__).parents[1] / "outsiders"


def module(name):
    """A file of the folder whose name other folders of tests have, too."""
    spec = importlib.util.spec_from_file_location(f"outsiders_{name}", FOLDER / f"{name}.py")
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


run = module("run")


def row(kernel="k", status="equal", theirs=10.0, ours=8.0, **found):
    times = {"triton": theirs, "ttkit": ours}
    return rows.make_row("kernels", "p", "f", "x1", kernel, status=status, microseconds=times, **found)


# --- Rows -------------------------------------------------------------------------------------------------------------


def test_a_ratio_above_one_is_a_faster_ttkit():
    assert rows.ratio(row(), "microseconds") == 1.25
    assert rows.ratio(row(), "seconds") is None


def test_both_halves_have_kernels_and_a_kernel_keeps_its_half():
    halves = [rows.half_of(f"kernel {number}") for number in range(200)]
    assert 60 < halves.count("judges") < 140
    assert (
        rows.make_row("kernels", "p", "f", "x1", "k")["half"] == rows.make_row("kernels", "p", "g", "x4", "k#2")["half"]
    )


def test_slow_rows_wrong_rows_and_failures_of_ttkit_alone_are_findings():
    assert not rows.is_finding(row())
    assert not rows.is_finding(row(status="both fail", ours=None))
    assert rows.is_finding(row(ours=11.0))
    assert rows.is_finding(row(status="differs"))
    assert rows.is_finding(row(status="ttkit fails", ours=None))


def test_the_summary_has_a_line_for_each_half_and_one_for_both():
    found = [row(f"k{number}", ours=ours) for number, ours in enumerate((5.0, 20.0) * 8)]
    lines = rows.summary(found)
    assert [line.partition(":")[0] for line in lines] == ["kernels, informs", "kernels, judges", "kernels, both"]
    assert "speed 1.000 (geometric mean of 16, least 0.500, 8 below 0.95)" in lines[-1]


def test_a_cell_keeps_its_place_in_the_table():
    text = rows.markdown([row(detail="a | b\nc", difference=0.0012)], "GPU none")
    line = text.splitlines()[-1]
    assert line.count("|") == len(rows.HEADER) + 1
    assert "1.2e-03" in line
    assert "1.250" in line
    assert "a / b c" in line


# --- Turns on the GPU -------------------------------------------------------------------------------------------------


def test_nothing_is_prepared_while_something_is_timed():
    gpu, busy, seen = pairs.GpuTime(), set(), []

    def work(number):
        for _ in range(20):
            with gpu.prepare():
                busy.add(number)
                seen.append("timing" in busy)
                busy.discard(number)
            with gpu.alone():
                seen.append(bool(busy))
                busy.add("timing")
                busy.discard("timing")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(seen) == 240
    assert not any(seen)


LEG = """
import os, time
class Leg:
    def prepare(self, program):
        print("not an answer")
        if program == "ends":
            os._exit(3)
        if program == "hangs":
            time.sleep(60)
        return {"timers": ["t"], "seconds": {"t": 1.0}, "path": program, "compiler": self.compiler}
    def time(self, timer):
        return [3.0, 1.0, 2.0]
    def profile(self):
        return {"k": 5.0}
    def drop(self):
        raise ValueError("first\\n\\n  second")
def load(folder):
    return Leg()
"""


@pytest.fixture
def leg(tmp_path, monkeypatch):
    """A leg without torch, of which one worker is enough."""
    (tmp_path / "outsiders_leg.py").write_text(LEG.replace(', "compiler": self.compiler', ""))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return "outsiders_leg"


def test_a_worker_answers_requests_and_says_what_failed(leg):
    worker = pairs.Worker("triton", leg)
    try:
        assert worker.ask(30, do="prepare", program="p")["timers"] == ["t"]
        assert worker.ask(30, do="time", timer="t") == {"microseconds": [3.0, 1.0, 2.0]}
        with pytest.raises(pairs.Failed, match=r"ValueError: first \| second"):
            worker.ask(30, do="drop")
        assert worker.ask(30, do="profile") == {"kernels": {"k": 5.0}}
        with pytest.raises(pairs.Failed, match="the process ended with 3"):
            worker.ask(30, do="prepare", program="ends")
        assert not worker.alive
    finally:
        worker.close()


def test_a_worker_that_hangs_is_ended(leg):
    worker = pairs.Worker("triton", leg)
    try:
        worker.ask(30, do="profile")
        with pytest.raises(pairs.Failed, match="takes more than 1 s"):
            worker.ask(1, do="prepare", program="hangs")
    finally:
        worker.close()


def test_a_pair_starts_a_worker_anew_after_it_ended(leg, monkeypatch):
    monkeypatch.setattr(pairs, "COMPILERS", ("triton",))
    with pairs.Pair(leg) as pair:
        assert "ended" in pair.prepare("ends", 30)["triton"]["error"]
        assert pair.prepare("p", 30)["triton"]["path"] == "p"
        assert pair.time("t") == {"triton": 2.0}
        pair.drop()


# --- Suites -----------------------------------------------------------------------------------------------------------


def outcome(result, seconds=1.0):
    return {"outcome": result, "seconds": seconds, "text": "it broke" if result == "failed" else ""}


def test_tests_that_fail_by_ttkit_alone_are_named():
    theirs = {"a.py::x": outcome("passed"), "a.py::y": outcome("failed"), "b.py::z": outcome("passed", 3.0)}
    ours = {"a.py::x": outcome("failed"), "a.py::y": outcome("failed"), "b.py::z": outcome("passed", 2.0)}
    first, second = suites.compared("p", theirs, ours | {"b.py::late": outcome("failed")})
    assert first["status"] == "ttkit fails"
    assert first["detail"] == "0 of 2 pass by both, 1 fail by both; fails by ttkit alone: x: it broke"
    assert second["status"] == "equal"
    assert second["seconds"] == {"triton": 3.0, "ttkit": 2.0}


def test_outcomes_are_read_up_to_a_line_that_was_cut_off(tmp_path):
    path = tmp_path / "outcomes"
    path.write_text(json.dumps({"test": "a", "outcome": "passed"}) + '\n{"test": "b", "outc')
    assert list(suites.read(str(path))) == ["a"]
    assert suites.read(str(tmp_path / "none")) == {}


def test_a_share_of_the_tests_is_kept_by_name():
    names = [f"test_{number}" for number in range(1000)]
    kept = [name for name in names if outcomes.is_kept(name, 10)]
    assert 60 < len(kept) < 140
    assert all(outcomes.is_kept(name, 1) for name in names)


def test_the_plugin_writes_an_outcome_for_each_test_and_for_files_that_fail(tmp_path):
    (tmp_path / "test_good.py").write_text(
        "import pytest, away\ndef test_a(): assert away.NAME == 'text'\ndef test_b(): assert 0, 'zero'\n"
        "@pytest.mark.skip\ndef test_c(): pass\n"
    )
    (tmp_path / "test_bad.py").write_text("import nothing_of_this_name\n")
    found = tmp_path / "found"
    environment = {"PYTHONPATH": str(suites.PLUGIN), "OUTSIDERS_OUTCOMES": str(found)}
    environment["OUTSIDERS_STAND_INS"] = json.dumps({"away": {"NAME": "text"}})
    command = [sys.executable, "-m", "pytest", "-p", "outcomes", "-p", "no:cacheprovider", str(tmp_path)]
    command.append("--continue-on-collection-errors")
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}  # of pytest-xdist too
    subprocess.run(command, cwd=tmp_path, env=plain | environment, capture_output=True)
    by_name = {name.partition("::")[2] or name: outcome for name, outcome in suites.read(str(found)).items()}
    assert {name: outcome["outcome"] for name, outcome in by_name.items()} == {
        "test_bad.py": "failed",
        "test_a": "passed",
        "test_b": "failed",
        "test_c": "skipped",
    }
    assert "zero" in by_name["test_b"]["text"]
    assert "nothing_of_this_name" in by_name["test_bad.py"]["text"]


# --- The command and the archive --------------------------------------------------------------------------------------


def test_a_later_run_takes_the_place_of_an_earlier_one_and_of_rows_that_did_not_run(tmp_path):
    def written(name, *found):
        path = tmp_path / name
        path.write_text(json.dumps({"about": {"GPU": name}, "rows": list(found)}))
        return path

    skipped = rows.make_row("kernels", "p", "f", "x1", status="not run")
    first = written("first", row(ours=8.0), rows.make_row("kernels", "p", "g", "x1", status="not run"))
    second = written("second", row(ours=4.0), skipped)
    about, found = run.joined([first, second])
    assert about == {"GPU": "second"}
    assert [(r["program"], r["status"], r["microseconds"].get("ttkit")) for r in found] == [
        ("f", "equal", 4.0),
        ("g", "not run", None),
    ]


def test_programs_are_chosen_by_package_and_name():
    lists = [
        [{"package": "a", "program": "norm"}, {"package": "a", "program": "sum"}],
        [{"package": "b", "program": "norm"}],
    ]
    options = run.command_line().parse_args(["kernels", "--packages", "a", "--only", "n.rm"])
    assert run.chosen(lists, options) == [[{"package": "a", "program": "norm"}]]


def test_the_files_of_a_wheel_that_are_packed(tmp_path):
    path = tmp_path / "p.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for name, text in {
            "p/__init__.py": "",
            "p/ops/kernels.py": "@triton.jit",
            "p/ops/host.py": "",
            "p/other/kernels.py": "import triton",
            "p/ops/library.so": "",
            "p-1.dist-info/METADATA": "Name: p",
        }.items():
            wheel.writestr(name, text)

    def names(kernels_alone):
        return [name for name, _ in pack.files_of_wheel(path, ("p/ops",), kernels_alone)]

    assert names(False) == ["p/__init__.py", "p/ops/kernels.py", "p/ops/host.py", "p-1.dist-info/METADATA"]
    assert names(True) == ["p/ops/kernels.py", "p-1.dist-info/METADATA"]


def test_the_archives_have_packages_and_suites(tmp_path, monkeypatch):
    monkeypatch.setattr(pack, "WHEELS", {"p": ("p",)})
    monkeypatch.setattr(pack, "REPOSITORIES", {"owner/q": ("tests",)})
    monkeypatch.setattr(pack, "files_of_repository", lambda *_: iter([("q/tests/test_q.py", b"pass")]))
    with zipfile.ZipFile(tmp_path / "p-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("p/kernels.py", "import triton")
    assert pack.pack(tmp_path / "kernels.txz", pack.of_packages(tmp_path, "3.12")) == {"p": 13}
    assert pack.pack(tmp_path / "suites.txz", pack.of_suites(tmp_path, "")) == {"owner/q": 4}
    for name, expected in (("kernels", "site/p/kernels.py"), ("suites", "suites/q/tests/test_q.py")):
        with tarfile.open(tmp_path / f"{name}.txz") as archive:
            assert archive.getnames() == [expected]
