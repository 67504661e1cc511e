"""The scripts of test/scripts on a GPU, with torch's tensors."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[1] / "scripts"
HELPERS = {"arrays.py", "graph_helpers.py", "run_all.py"}

torch = pytest.importorskip("torch")


@pytest.mark.parametrize("script", sorted(path.name for path in SCRIPTS.glob("*.py") if path.name not in HELPERS))
def test_script(script, tmp_path):
    command = [sys.executable, "-m", "ttkit.compat", str(SCRIPTS / script)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
