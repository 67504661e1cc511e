"""The kernels of test/data give Triton's results on the GPU: against_triton/run.py, in which each test is a kernel."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

# reshape(can_reorder=True) has the order of a layout, and Triton chooses another one; test_kernels.py checks it.
ANY_ORDER = ("kernels/permutations",)
RUN = Path(__file__).parent / "against_triton" / "run.py"


@pytest.fixture(scope="session")
def rows(tmp_path_factory):
    """What run.py found of each kernel."""
    missing = [name for name in ("torch", "triton") if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"needs {' and '.join(missing)}")
    found = tmp_path_factory.mktemp("against_triton") / "found.json"
    done = subprocess.run([sys.executable, RUN, "--json", found], capture_output=True, text=True, check=False)
    assert found.exists(), done.stderr + done.stdout
    return json.loads(found.read_text())["kernels"]


def test_no_result_differs_from_tritons(rows):
    assert [row for row in rows if row["status"] == "differs" and row["name"] not in ANY_ORDER] == []


def test_everything_that_triton_runs_runs(rows):
    refused = ("ttkit refuses", "ttkit faults", "takes too long", "the process ended")
    assert [row for row in rows if row["status"] in refused] == []


def test_enough_kernels_were_compared(rows):
    assert sum(row["status"] in ("equal", "close") for row in rows) >= 100
