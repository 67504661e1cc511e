"""The README's commands print what it says, and its Python runs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
SESSIONS = [block for block in re.findall(r"```\n(.*?)```", README, re.S) if block.startswith("$ ")]


@pytest.mark.parametrize("session", SESSIONS, ids=range(len(SESSIONS)))
def test_a_shell_session_prints_what_the_readme_says(session: str) -> None:
    lines = session.splitlines(keepends=True)
    length = 1 + next(n for n, line in enumerate(lines) if not line.endswith("\\\n"))
    command, expected = "".join(lines[:length])[2:], "".join(lines[length:])
    path = f"PATH={Path(sys.executable).parent}:$PATH; "
    run = subprocess.run(["bash", "-c", path + command], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout == expected


def test_the_python_example_runs() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.S)
    run = subprocess.run([sys.executable, "-c", example], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "tt.dot" in run.stdout
