"""The README's commands print what it says, and its Python runs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.S | re.M)
SESSIONS = [block for language, block in BLOCKS if not language and block.startswith("$ ")]


@pytest.mark.parametrize("session", SESSIONS, ids=range(len(SESSIONS)))
def test_a_shell_session_prints_what_the_readme_says(session: str) -> None:
    lines = session.splitlines(keepends=True)
    length = 1 + next(n for n, line in enumerate(lines) if not line.endswith("\\\n"))
    command, expected = "".join(lines[:length])[2:], "".join(lines[length:])
    path = f"PATH={Path(sys.executable).parent}:$PATH; "
    run = subprocess.run(["bash", "-c", path + command], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout == expected


def test_the_python_example_runs() -> None:
    (example,) = (block for language, block in BLOCKS if language == "python")
    run = subprocess.run([sys.executable, "-c", example], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "tt.dot" in run.stdout
