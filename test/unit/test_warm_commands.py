"""Commands that start warm do what those do that are started as any process."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import warm_commands

TELLS = """
import os, sys
print(__name__, sys.argv[1:], os.getcwd(), os.environ.get("TOLD"), sys.path[0], repr(sys.stdin.read()))
print("to stderr", file=sys.stderr)
if sys.argv[1] == "raises":
    raise ValueError("x")
if sys.argv[1] == "dies":
    os.kill(os.getpid(), 9)
if sys.argv[1] == "waits":
    import time; time.sleep(60)
sys.exit(int(sys.argv[1]) if sys.argv[1].isdigit() else sys.argv[1])
"""


def cold(words, **more):
    return subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False, **more)


@pytest.fixture
def tells(tmp_path):
    (tmp_path / "tells.py").write_text(TELLS)
    return {"cwd": tmp_path, "env": {**os.environ, "TOLD": "yes"}}


@pytest.mark.parametrize("how", ["0", "3", "a text", "dies"])
def test_a_module_of_the_working_folder(how, tells):
    words = [sys.executable, "-m", "tells", how]
    warm, as_any = warm_commands.run(words, **tells), cold(words, **tells)
    assert (warm.returncode, warm.stdout, warm.stderr) == (as_any.returncode, as_any.stdout, as_any.stderr)
    assert warm.returncode == {"a text": 1, "dies": -signal.SIGKILL}.get(how, int(how) if how.isdigit() else None)


def test_an_exception(tells):
    done = warm_commands.run([sys.executable, "-m", "tells", "raises"], **tells)
    assert done.returncode == 1 and done.stderr.endswith("ValueError: x\n")


def test_one_that_takes_too_long_is_killed_and_the_next_one_runs(tells):
    with pytest.raises(subprocess.TimeoutExpired):
        warm_commands.run([sys.executable, "-m", "tells", "waits"], timeout=0.5, **tells)
    assert warm_commands.run([sys.executable, "-m", "tells", "0"], **tells).returncode == 0


@pytest.mark.parametrize("words", [["-m", "ttkit", "cache", "ls"], ["-m", "ttkit.drivers.compile", "none.ttir"]])
def test_a_command(words, tells):
    words = [sys.executable, *words]
    tells["env"]["TRITON_CACHE_DIR"] = str(tells["cwd"])
    warm, as_any = warm_commands.run(words, **tells), cold(words, **tells)
    assert (warm.returncode, warm.stdout, warm.stderr) == (as_any.returncode, as_any.stdout, as_any.stderr)


def test_what_a_process_reads_when_it_starts_is_never_warm(tells):
    assert warm_commands.is_command([Path(sys.executable).with_name("ttkit")])
    assert not warm_commands.is_command([Path(sys.executable).with_name("tt-opt")])
    assert not warm_commands.is_command([sys.executable, "script.py"])
    tells["env"]["PYTHONPATH"] = str(tells["cwd"] / "elsewhere")
    done = warm_commands.run([sys.executable, "-c", "import sys; print(sys.path)"], **tells)
    assert "elsewhere" in done.stdout
