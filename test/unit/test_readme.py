"""The README's commands print what it says, and its Python runs."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.S | re.M)
SESSIONS = [block for language, block in BLOCKS if not language and block.startswith("$ ")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder without a checkout, in which the page's command has written the examples."""
    made = tmp_path_factory.mktemp("reader")
    subprocess.run([sys.executable, "-m", "ttkit", "examples"], cwd=made, check=True, capture_output=True)
    return made


@pytest.mark.parametrize("session", SESSIONS, ids=range(len(SESSIONS)))
def test_a_shell_session_prints_what_the_readme_says(session: str, folder: Path) -> None:
    lines = session.splitlines(keepends=True)
    length = 1 + next(n for n, line in enumerate(lines) if not line.endswith("\\\n"))
    command, expected = "".join(lines[:length])[2:], "".join(lines[length:])
    path = f"PATH={Path(sys.executable).parent}:$PATH; "
    without_gpu = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
    run = subprocess.run(
        ["bash", "-c", path + command], cwd=folder, capture_output=True, text=True, check=True, env=without_gpu
    )
    if "examples/vector_add.py" in command:  # counts of lines and numbers of values change with the compiler
        assert re.sub(r"\d+", "0", run.stdout).split() == re.sub(r"\d+", "0", expected).split()
    else:
        assert run.stdout == expected


EXAMPLES = [block for language, block in BLOCKS if language == "python"]


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_the_python_examples_run(example: str, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "example.py"
    path.write_text(example)
    environment = {**os.environ, "TRITON_OVERRIDE_ARCH": "sm90", "CUDA_VISIBLE_DEVICES": ""}
    run = subprocess.run(
        [sys.executable, path], cwd=folder, capture_output=True, text=True, check=False, env=environment
    )
    assert run.returncode == 0, run.stderr


def test_the_demo_runs_quickly(tmp_path: Path) -> None:
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "TRITON_CACHE_DIR": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, ROOT / "examples" / "demo.py"], capture_output=True, text=True, check=True, env=environment
    )
    for name in ("vector_add", "softmax", "layer_norm", "matmul", "every_fourth"):
        assert re.search(rf"^{name}", run.stdout, re.MULTILINE)
    assert re.search(r"all numbers are right; \d+\.\d seconds\n$", run.stdout)
