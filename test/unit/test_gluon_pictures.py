"""Pictures of docs/gluon_tutorial.md are what its commands draw."""

import re
import shlex
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
        done = warm_commands.ttkit(tmp_path, *shlex.split(words), TTKIT_DEVICE="interpret:sm_90")
        assert done.returncode == 0, done.stderr
    assert (tmp_path / f"{name}.svg").read_text() == (DOCS / "pictures" / f"gluon_{name}.svg").read_text()


def test_every_picture_has_a_command():
    assert {name for _, _, name in COMMANDS} == set(re.findall(r"\(pictures/gluon_(\w+)\.svg\)", PAGE))
