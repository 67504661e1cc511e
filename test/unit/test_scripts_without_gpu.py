"""Commands that run a script need neither a GPU nor TTKIT_DEVICE, and `import triton` in the script is ttkit."""

import functools
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import warm_commands

SCRIPT = """
import numpy as np
import triton
import triton.language as tl


@triton.jit
def double(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, 2 * tl.load(x + offsets))


x, out = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
double[(1,)](x, out, BLOCK=64)
print("last:", out[-1])
"""
COMMANDS = {
    ("trace",): "wrote script.trace.html: 1 kernel",
    ("profile",): "wrote script.profile.html: 1 kernel",
    ("bisect",): "1 launch: no pass changes a result",
    ("lift",): "def double(",
    ("prove", "--passes", "--capability", "90"): "0 refuted, 0 open",
    ("why",): "double: sm_90",
    ("show-access",): "wrote script.access.html: 1 launch",
}
CODES = {"bisect": 1}  # no bug was found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "script.py").write_text(SCRIPT)
    monkeypatch.chdir(tmp_path)
    for name in ("TTKIT_DEVICE", "TRITON_INTERPRET", "PYTHONPATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    return tmp_path


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "ttkit", *words, "script.py"]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_a_command(words: tuple[str, ...], folder: Path) -> None:
    done = warm_commands.run(command(*words))
    shown = done.stdout + done.stderr
    assert "last: 126.0" in shown and COMMANDS[words] in shown, shown
    assert "Traceback" not in shown and done.returncode == CODES.get(words[0], 0), shown


def test_proton(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ttkit.drivers.proton", "script.py"], capture_output=True, text=True, check=False
    )
    shown = done.stdout + done.stderr
    assert (
        done.returncode == 0 and "last: 126.0" in shown and "no GPU: kernels are compiled and run on the CPU" in shown
    )
    assert "CUPTI" not in shown and "double" in (folder / "proton.hatchet").read_text(), shown


def test_explore(folder: Path) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    # What a shell runs in the background, tests perhaps, ignores interruptions, and so would the server.
    heed = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    pipes = {"stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command("explore"), **pipes, env=environment, preexec_fn=heed) as server:
        assert server.stderr is not None
        found = next((line for line in iter(server.stderr.readline, "") if re.search("kernels? at|error", line)), "")
        server.send_signal(signal.SIGINT)
    assert found.startswith("1 kernel at http://127.0.0.1:"), found


ALONE = """
import os
from ttkit.cuda import libcuda
from ttkit.drivers.scripts import on_any_machine
from ttkit.runtime.driver import driver
with on_any_machine():
    print(type(driver.active).__name__, os.environ["TTKIT_DEVICE"])
print("TTKIT_DEVICE" in os.environ, libcuda.is_loaded())
"""


def test_looking_for_a_gpu_leaves_the_driver_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else processes that the script forks could not use the GPU.  libm stands in for a driver without a GPU."""
    monkeypatch.setenv("TRITON_LIBCUDA_PATH", "libm.so.6")
    done = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True, check=True)
    assert done.stdout == "StandInDriver interpret:sm_90\nFalse False\n"
    assert done.stderr.startswith("no GPU: kernels are compiled and run on the CPU")
