"""docs/layouts.md: its pictures are what its commands draw, its Python prints what it says."""

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest

from ttkit.drivers import layout

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "layouts.md").read_text()
COMMANDS = re.findall(r"^tt-layout (.* -o \w+\.svg)$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: Path(command).stem)
def test_pictures(command, tmp_path):
    *arguments, target = shlex.split(command)
    layout.main([*arguments, str(tmp_path / "drawn.svg")])
    assert (tmp_path / "drawn.svg").read_text() == (DOCS / "pictures" / target).read_text()


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
def test_python(code):
    expected = re.findall(r"print\(.*\)  # (.*)", code)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    lines = printed.getvalue().splitlines()
    said = [text for text in expected if not text.startswith("a line for each")]
    assert lines[-len(said) :] == said
