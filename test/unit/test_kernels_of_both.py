"""What test/gpu/against_triton does without a GPU: its corpus, its arguments, its comparison."""

import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "gpu" / "against_triton"))
sys.path.insert(0, str(Path(__file__).parents[1] / "oracle"))

from comparison import compare
from corpus import PLACE, load, places, spread
from launches import Array, Launch, Unlaunchable, launch_of
from run import run, table


def test_each_store_gets_a_place_of_its_own():
    source = """
@triton.jit
def f(x, out, n):
    tl.store(out + n, tl.load(x))
    tl.store(1 + out, n)
    (out + 2).store(n)
    tl.store(x, n)
"""
    text = spread(source)
    assert "tl.store(out + 0 + n" in text
    assert f"tl.store(1 + (out + {PLACE})" in text
    assert f"(out + {2 * PLACE} + 2).store(n)" in text
    assert "tl.store(x, n)" in text


def test_stores_are_counted(tmp_path):
    path = tmp_path / "kernels.py"
    path.write_text("def f(out, x):\n    tl.store(out, 1)\n    tl.atomic_add(out, 1)\n    tl.store(x, 1)\n")
    assert places(path) == 2


def test_most_kernels_have_a_launch(tmp_path):
    cases = load("ttkit", tmp_path)
    unlaunchable = []
    for name, case in cases.items():
        try:
            launch = launch_of(name, case)
        except Unlaunchable:
            unlaunchable.append(name)
            continue
        parameters = [kind for kind in case.signature.values() if kind != "constexpr"]
        assert len(launch.arguments) == len(parameters), name
    assert len(cases) - len(unlaunchable) > 250
    assert len(unlaunchable) < 10


@pytest.mark.parametrize(
    "dtype, found, tolerance, different",
    [
        ("int32", 3, 0.0, 1),
        ("float32", 1.0 + 1e-6, 0.0, 1),
        ("float32", 1.0 + 1e-6, 1e-5, 0),
        ("float32", np.inf, 1e-5, 1),
        ("float32", np.nan, 1e-5, 1),
    ],
)
def test_elements_are_compared(dtype, found, tolerance, different):
    left, right = np.ones(4, dtype), np.ones(4, dtype)
    left[2] = right[2] = np.nan if dtype == "float32" else 7
    right[1] = found
    launch = Launch((1,), [Array(left)], tolerance)
    difference = compare(launch, [left.view(np.uint8)], [right.view(np.uint8)])
    assert (difference.elements, difference.of) == (different, 4)
    assert difference.first.startswith("array 0[1]: 1") == bool(different)


def test_the_table_says_what_is_wrong_last():
    rows = [
        {"name": "b", "status": "ttkit refuses", "ttkit_error": "Unsupported: this"},
        {"name": "a", "status": "equal", "triton_seconds": 1.0, "ttkit_seconds": 0.5},
    ]
    lines = table(rows).split("\n")
    assert lines[0].split() == ["equal", "a"]
    assert lines[1].endswith("Unsupported: this")
    assert lines[2] == "1 ttkit refuses; 1 equal; 2 in all"
    assert lines[3] == "compiling took Triton 1.0 s and ttkit 0.5 s, all processes together"


def test_every_kernel_has_a_key(tmp_path):
    cases = load("ttkit", tmp_path)
    assert all(len(case.kernel.cache_key) == 64 for case in cases.values())


def test_a_process_that_dies_or_hangs_is_replaced(tmp_path, monkeypatch):
    program = """
    import json, os, sys, time
    print(json.dumps({"names": ["a/crash", "a/fault", "a/fine", "a/hang", "a/last"]}), flush=True)
    for line in sys.stdin:
        name = json.loads(line)["name"]
        if name == "a/crash":
            os._exit(11)
        if name == "a/hang":
            time.sleep(60)
        status = "ttkit faults" if name == "a/fault" else "equal"
        print(json.dumps({"name": name, "status": status, "process": os.getpid()}), flush=True)
    """
    (tmp_path / "worker.py").write_text(textwrap.dedent(program))
    monkeypatch.setattr("run.HERE", tmp_path)
    rows = {row["name"]: row for row in run([], "compile", 90, 1, 1.0, tmp_path)}
    statuses = {name: row["status"] for name, row in rows.items()}
    assert statuses == {
        "a/crash": "the process ended",
        "a/fault": "ttkit faults",
        "a/fine": "equal",
        "a/hang": "takes too long",
        "a/last": "equal",
    }
    assert len({rows[name]["process"] for name in ("a/fault", "a/fine", "a/last")}) == 3
    with pytest.raises(SystemExit, match="no kernel missing"):
        run(["missing"], "compile", 90, 1, 1.0, tmp_path)
