"""Scripts that profile themselves, as users write them for Triton, run by ttkit."""

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "profiled"

torch = pytest.importorskip("torch")


@pytest.mark.parametrize("script, shown", [("vector_add.py", "add_kernel"), ("matmul.py", "matmul_kernel [M=1024")])
def test_script(script, shown, tmp_path):
    if not torch.cuda.is_available():
        pytest.skip("no GPU")
    command = [sys.executable, "-m", "ttkit.compat", str(FOLDER / script)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0 and "ROOT" in done.stdout and shown in done.stdout, done.stdout + done.stderr


def test_commands(tmp_path):
    if not torch.cuda.is_available():
        pytest.skip("no GPU")
    script = FOLDER / "matmul.py"
    run = lambda *words: subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, cwd=tmp_path)
    (tmp_path / "by_ttkit.py").write_text(f"import ttkit.compat\nttkit.compat.install()\n{script.read_text()}")
    done = run("ttkit.drivers.proton", "-n", "command", "-k", "triton", "by_ttkit.py")
    assert not (tmp_path / "matmul.hatchet").exists() and (tmp_path / "command.hatchet").exists(), done.stderr
    shown = run("ttkit.profiler.viewer", "-m", "tflop16/s,time/us", "-i", ".*matmul_kernel.*", "command.hatchet")
    assert shown.returncode == 0 and "matmul_kernel [M=1024" in shown.stdout, shown.stdout + shown.stderr


def test_why_says_times(tmp_path):
    if not torch.cuda.is_available():
        pytest.skip("no GPU")
    (tmp_path / "double.py").write_text(
        "import torch, triton, triton.language as tl\n\n\n"
        "@triton.jit\ndef double(x, B: tl.constexpr):\n"
        "    i = tl.program_id(0) * B + tl.arange(0, B)\n    tl.store(x + i, 2 * tl.load(x + i))\n\n\n"
        'double[(256,)](torch.ones(1 << 18, device="cuda"), 1024)\n'
    )
    command = [sys.executable, "-m", "ttkit", "why", "double.py"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0 and "us in the mean of 1 launch on the GPU" in done.stdout, done.stdout + done.stderr
