"""The soak test's short form, with the driver that runs nothing: the real one takes minutes on a GPU."""

import subprocess
import sys
from pathlib import Path

SOAK = Path(__file__).parents[1] / "gpu" / "soak.py"


def test_nothing_fails_and_nothing_grows(fake_driver_library):
    command = [sys.executable, str(SOAK), "--fake", str(fake_driver_library.path)]
    sizes = ["--seconds", "3", "--variants", "3", "--processes", "2", "--threads", "3"]
    done = subprocess.run([*command, *sizes], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "nothing failed, nothing grew" in done.stdout, done.stdout + done.stderr
    assert all(f"'{action}'" in done.stdout for action in ("launch", "compile"))
