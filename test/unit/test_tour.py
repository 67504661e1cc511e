"""The commands of docs/tour.md print what it says, and the Python of docs/kernels_as_python.md runs."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ttkit import knobs

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.S | re.M)
SESSIONS = [block for language, block in BLOCK.findall((ROOT / "docs" / "tour.md").read_text()) if not language]
ENVIRONMENT = {
    **os.environ,
    "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    "CUDA_VISIBLE_DEVICES": "",
}


def has_nvdisasm() -> bool:
    try:
        return bool(knobs.nvidia.nvdisasm.path)
    except RuntimeError:
        return False


@pytest.mark.parametrize("session", SESSIONS, ids=[session.partition("\n")[0] for session in SESSIONS])
def test_a_shell_session_prints_what_is_said(session: str, tmp_path: Path) -> None:
    command, _, expected = session.removeprefix("$ ").partition("\n")
    if " sass" in command and not has_nvdisasm():
        pytest.skip("nvdisasm is not installed: pip install nvidia-cuda-nvdisasm")
    environment = {**ENVIRONMENT, "TRITON_CACHE_DIR": str(tmp_path)}
    run = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=True, env=environment)
    assert run.stdout == expected


def test_the_python_of_kernels_as_python_runs(tmp_path: Path) -> None:
    blocks = BLOCK.findall((ROOT / "docs" / "kernels_as_python.md").read_text())
    script = tmp_path / "example.py"
    script.write_text("".join(block for language, block in blocks if language == "python"))
    run = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True, env=ENVIRONMENT)
    assert "fp32[32] [ 0.  1.  2." in run.stdout
    assert run.stdout.endswith("fp32[] 28.0 int32[] 2\n")
