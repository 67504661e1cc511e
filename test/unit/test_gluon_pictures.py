"""Pictures of docs/gluon_tutorial.md are what its commands draw."""

import os
import re
import shlex
import sys
from pathlib import Path

import pytest
import warm_commands

from ttkit.drivers import layout

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "gluon_tutorial.md").read_text()
COMMANDS = re.findall(r"^\$ (tt-layout|ttkit) (.* -o (\w+)\.svg)$", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("command", "words", "name"), COMMANDS, ids=[name for _, _, name in COMMANDS])
def test_picture(command, words, name, tmp_path, monkeypatch):
    for file, code in re.findall(r"<!-- file: (\w+\.py) -->\n\n```python\n(.*?)```", PAGE, re.DOTALL):
        (tmp_path / file).write_text(code)
    monkeypatch.chdir(tmp_path)
    if command == "tt-layout":
        layout.main(shlex.split(words))
    else:
        environment = {**os.environ, "TTKIT_DEVICE": "interpret:sm_90", "TRITON_CACHE_DIR": str(tmp_path / "cache")}
        done = warm_commands.run([sys.executable, "-m", "ttkit", *shlex.split(words)], env=environment, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / f"{name}.svg").read_text() == (DOCS / "pictures" / f"gluon_{name}.svg").read_text()


def test_every_picture_has_a_command():
    assert {name for _, _, name in COMMANDS} == set(re.findall(r"\(pictures/gluon_(\w+)\.svg\)", PAGE))
