"""The scripts of test/scripts, as they stand: as Python and as compiled code on the CPU here, on a GPU in test/gpu."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[1] / "scripts"
HELPERS = {"arrays.py", "graph_helpers.py", "run_all.py"}


MODES = {"python": {"TRITON_INTERPRET": "1"}, "compiled": {"TTKIT_DEVICE": "interpret:sm_90"}}


@pytest.fixture(scope="module", params=MODES)
def output(request):
    """What running all of them in one process printed: it starts once."""
    environment = {**os.environ, **MODES[request.param]}
    command = [sys.executable, "-m", "ttkit.compat", str(SCRIPTS / "run_all.py")]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    return done.stdout + done.stderr


@pytest.mark.parametrize("script", sorted(path.name for path in SCRIPTS.glob("*.py") if path.name not in HELPERS))
def test_script(script, output):
    assert f"{script}: ok" in output, output


def test_one_script_by_itself():
    """As a user runs it."""
    command = [sys.executable, "-m", "ttkit.compat", str(SCRIPTS / "heuristics.py")]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "TRITON_INTERPRET": "1"})
    assert done.returncode == 0 and done.stderr == ""
