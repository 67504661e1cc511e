"""The scripts of test/scripts, as they stand: as Python and as compiled code on the CPU here, on a GPU in test/gpu."""

import functools
import os
import subprocess
import sys
from pathlib import Path

import pytest
from sweeps import swept

SCRIPTS = Path(__file__).parents[1] / "scripts"
HELPERS = {"arrays.py", "graph_helpers.py", "run_all.py"}


NAMES = sorted(path.stem for path in SCRIPTS.glob("*.py") if path.name not in HELPERS)
PYTHON, COMPILED = {"TRITON_INTERPRET": "1"}, {"TTKIT_DEVICE": "interpret:sm_90"}
# How scripts run, and which: each of these is one process, which starts once.
RUNS = {"python": (PYTHON, NAMES), "compiled": (COMPILED, NAMES[::6]), "all compiled": (COMPILED, NAMES)}
CASES = [(run, script) for run, (_, names) in RUNS.items() for script in names]


@functools.cache
def output(run):
    """What running scripts in one process printed."""
    variables, names = RUNS[run]
    command = [sys.executable, "-m", "ttkit.compat", str(SCRIPTS / "run_all.py"), *names]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **variables})
    return done.stdout + done.stderr


@pytest.mark.parametrize(("run", "script"), [swept(case) if case[0] == "all compiled" else case for case in CASES])
def test_script(run, script):
    assert f"{script}.py: ok" in output(run), output(run)


def test_one_script_by_itself():
    """As a user runs it."""
    command = [sys.executable, "-m", "ttkit.compat", str(SCRIPTS / "heuristics.py")]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "TRITON_INTERPRET": "1"})
    assert done.returncode == 0 and done.stderr == ""
