"""ttkit tune, on a GPU that is made up (fake_driver): a launch takes a millisecond for each warp."""

import json
import os
import subprocess
import sys

import pytest

from ttkit.autotuning.store import Store

SCRIPT = """
import sys

import numpy as np
import triton
import triton.language as tl
from ttkit.cuda.device import DeviceArray

CONFIGS = [triton.Config({"BLOCK": 64}, num_warps=warps) for warps in (8, 2, 1, 3)]


@triton.autotune(CONFIGS, key=["n"])
@triton.jit
def add(x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at, mask=at < n) + 1, mask=at < n)


if __name__ == "__main__":
    for n in map(int, sys.argv[1:]):
        add[lambda given: (triton.cdiv(n, given["BLOCK"]),)](DeviceArray(np.zeros(n, np.float32)), n)
    print("done")
"""


FARAWAY = """
import os
import pickle
import subprocess
import sys
import threading
from concurrent.futures import Executor, Future

START = "import pickle, sys; function, words, names = pickle.load(sys.stdin.buffer); " \\
    "sys.stdout.buffer.write(pickle.dumps(function(*words, **names)))"


class Faraway(Executor):
    def submit(self, function, /, *words, **names):
        future, data = Future(), pickle.dumps((function, words, names))
        threading.Thread(target=self.run, args=(future, data)).start()
        return future

    def run(self, future, data):
        there = os.environ["THERE"]
        kept = {name: os.environ[name] for name in ("PATH", "TRITON_LIBCUDA_PATH")}
        environment = {**kept, "HOME": there, "PYTHONPATH": os.environ["PATH_THERE"]}
        run = subprocess.run([sys.executable, "-c", START], input=data, cwd=there, env=environment, capture_output=True)
        if run.returncode:
            future.set_exception(RuntimeError(run.stderr.decode()))
        else:
            future.set_result(pickle.loads(run.stdout))


executor = Faraway()
"""
HIDDEN = """
import sys


def refuse(event, words):
    if event == "open" and str(words[0]).startswith({folder!r}):
        raise FileNotFoundError(words[0])


sys.addaudithook(refuse)
"""


@pytest.fixture
def tune(fake_driver_library, tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    environment = {
        **os.environ,
        "TRITON_LIBCUDA_PATH": str(fake_driver_library.path),
        "TRITON_CACHE_DIR": str(tmp_path / "cache"),
        "TRITON_HOME": str(tmp_path),
        "PYTHONWARNINGS": "ignore",
    }

    def run(*words, **more):
        command = [sys.executable, "-m", "ttkit", "tune", *words]
        return subprocess.run(
            command, cwd=tmp_path, env={**environment, **more}, capture_output=True, text=True, check=False
        )

    run.library = environment["TRITON_LIBCUDA_PATH"]
    return run


@pytest.mark.parametrize("executor", ["processes:2", "dask", "ray:local"])
def test_a_script_on_workers(tune, executor, tmp_path):
    """The kernel is in the script, whose text travels; workers compile and time it."""
    if executor == "dask":
        distributed = pytest.importorskip("distributed", reason="Dask is not installed: ttkit[dask]")
        where = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "host": "127.0.0.1"}
        with distributed.LocalCluster(**where, env={"TRITON_LIBCUDA_PATH": tune.library}) as cluster:
            check_tuned(tune, f"dask:{cluster.scheduler_address}", tmp_path)
        return
    if executor.startswith("ray"):
        pytest.importorskip("ray", reason="Ray is not installed: ttkit[ray]")
    check_tuned(tune, executor, tmp_path)


def test_an_executor_of_others(tune, tmp_path, tmp_path_factory):
    """It has `submit` alone.  What it calls is pickled, and runs where none of the files of this folder can be opened:
    neither the script nor the cache nor the store."""
    there = tmp_path_factory.mktemp("there")
    (tmp_path / "faraway.py").write_text(FARAWAY)
    (there / "sitecustomize.py").write_text(HIDDEN.format(folder=str(tmp_path)))
    path = os.pathsep.join([str(there), *filter(None, [os.environ.get("PYTHONPATH")])])
    check_tuned(tune, "faraway:executor", tmp_path, THERE=str(there), PATH_THERE=path)
    assert list(there.glob("**/add.cubin"))


def check_tuned(tune, executor, folder, **variables):
    run = tune("--executor", executor, "--timing-executor", executor, "script.py", "1000", **variables)
    assert run.returncode == 0 and run.stdout == "done\n", run.stderr
    assert (
        "add (1000, 'float32'): BLOCK: 64, num_warps: 1, num_ctas: 1, num_stages: 3, maxnreg: None: 1 ms (4 c"
        in run.stderr
    )
    assert f"1 tunings; TTKIT_AUTOTUNING_STORE={folder}/.triton/tuning.sqlite takes these choices" in run.stderr
    rows = Store(str(folder / ".triton" / "tuning.sqlite")).timings()
    assert [row.ms for row in rows] == [1.0, 2.0, 8.0, None] and all(row.worker for row in rows)


def test_show_export_and_import(tune, tmp_path):
    assert tune("--store", "mine.sqlite", "script.py", "1000", "16").returncode == 0
    again = tune("--store", "mine.sqlite", "script.py", "1000")
    assert "(taken from the store)" in again.stderr
    shown = tune("--store", "mine.sqlite", "--show")
    tables = shown.stdout.split("\n\n")
    assert len(tables) == 2 and shown.returncode == 0
    lines = tables[0].splitlines()
    assert lines[0].startswith("add(x: fp32[1000], n: 1000), key (1000, 'float32'), on Fake GPU, CUDA 13.0, ")
    assert lines[1].split()[:7] == ["*", "1", "ms", "1", "to", "1", "1.00"] and "=" * 20 in lines[1]
    assert lines[3].split()[6] == "0.12" or lines[3].split()[5] == "0.12"
    assert "num_warps must be a power of 2" in lines[4]
    exported = tune("--store", "mine.sqlite", "--export", "times.json")
    assert "wrote times.json: 8 times" in exported.stderr
    assert len(json.loads((tmp_path / "times.json").read_text())["timings"]) == 8
    merged = tune("--store", "other.sqlite", "--import", "times.json", "--import", "mine.sqlite")
    assert "times.json: 8 times and 2 choices are new" in merged.stderr
    assert "mine.sqlite: 0 times and 0 choices are new" in merged.stderr
    rows = tune("--store", "other.sqlite", "--show", "--json", "--kernel", "add").stdout.splitlines()
    assert len(rows) == 8 and json.loads(rows[0])["kernel"] == "add"
    taken = tune("--store", "other.sqlite", "script.py", "16")
    assert "(taken from the store)" in taken.stderr


@pytest.mark.parametrize(
    "words, told",
    [
        ([], "name a script, or give --show"),
        (["--show"], "has no times: run `ttkit tune SCRIPT`"),
        (["--show", "--kernel", "mul"], "has no times of mul"),
        (["--export", "times.json"], "times.json is not written"),
        (["--import", "script.py"], "script.py is not a file of `ttkit tune --export`"),
        (["--import", "missing.json"], "missing.json"),
        (["--store", "script.py", "--show"], "file is not a database"),
        (["--store", "nosuch://host/x", "--show"], "nosuch"),
        (["--executor", "many", "script.py", "1000"], "'many' is not an executor"),
        (["script.py"], "script.py tuned no kernel"),
    ],
)
def test_what_can_not_be_done(tune, words, told):
    run = tune(*words)
    assert run.returncode == 1 and told in run.stderr and "Traceback" not in run.stderr, run.stderr


def test_a_script_that_fails(tune):
    assert tune("script.py", "x").returncode == 1


def test_nearest(tune, tmp_path):
    """A new size takes the choice of the nearest one, without a time of its own."""
    assert tune("script.py", "1000").returncode == 0
    done = tune("--nearest", "script.py", "1100")
    assert done.returncode == 0 and "(of the nearest key)" in done.stderr, done.stderr
    store = Store(str(tmp_path / ".triton" / "tuning.sqlite"))
    chosen = {row["tuning_key"]: row["configuration"] for row in store.choices()}
    assert len(chosen) == 2 and len(set(chosen.values())) == 1
    assert {row.tuning_key for row in store.timings()} == {"(1000, 'float32')"}
