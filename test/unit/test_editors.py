"""What editors/ has: files that parse, and patterns that know the words of the IR."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EDITORS = Path(__file__).parents[2] / "editors"
VSCODE = EDITORS / "vscode"
GRAMMARS = sorted(VSCODE.glob("syntaxes/*.json"))


def patterns(node):
    if isinstance(node, dict):
        for key in ("match", "begin", "end"):
            if key in node:
                yield node[key], node.get("name", "")
        for value in node.values():
            yield from patterns(value)
    elif isinstance(node, list):
        for value in node:
            yield from patterns(value)


@pytest.mark.parametrize("path", GRAMMARS, ids=lambda path: path.name)
def test_patterns_are_regular_expressions(path):
    found = list(patterns(json.loads(path.read_text())))
    assert len(found) > 8
    for expression, _ in found:
        re.compile(expression)


def test_what_the_extension_names_is_there():
    package = json.loads((VSCODE / "package.json").read_text())
    contributes = package["contributes"]
    for grammar in contributes["grammars"]:
        assert json.loads((VSCODE / grammar["path"]).read_text())["scopeName"] == grammar["scopeName"]
    for language in contributes["languages"]:
        json.loads((VSCODE / language["configuration"]).read_text())
    assert {one for language in contributes["languages"] for one in language["extensions"]} >= {
        ".mlir",
        ".ttir",
        ".ttgir",
        ".ptx",
        ".llir",
    }
    lock = json.loads((VSCODE / "package-lock.json").read_text())["packages"][""]
    assert {**lock["dependencies"], **lock["devDependencies"]} == {
        **package["dependencies"],
        **package["devDependencies"],
    }


@pytest.mark.parametrize(
    ("grammar", "text", "kind"),
    [
        ("mlir", "tt.load", "operation"),
        ("mlir", "ttng.warp_group_dot", "operation"),
        ("mlir", "%a#1", "variable"),
        ("mlir", "#blocked", "attribute"),
        ("mlir", "!tt.ptr", "type"),
        ("mlir", "f8E4M3FN", "type"),
        ("mlir", "scf.for", "control"),
        ("ptx", "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16", "instruction"),
        ("ptx", "%r12", "variable"),
        ("ptx", "%ctaid.x", "language"),
        ("ptx", ".visible", "directive"),
        ("llvm", "getelementptr", "instruction"),
        ("llvm", "%12", "variable"),
        ("llvm", "@llvm.nvvm.barrier0", "function"),
    ],
)
def test_words_are_known(grammar, text, kind):
    found = patterns(json.loads((VSCODE / "syntaxes" / f"{grammar}.tmLanguage.json").read_text()))
    assert [
        name
        for expression, name in found
        if (match := re.match(expression, text)) and match[0] == text and kind in name
    ]


def test_snippets_start_the_server():
    assert '"tt-lsp"' in (EDITORS / "neovim" / "ttkit.lua").read_text()
    assert '"tt-lsp"' in (EDITORS / "emacs" / "ttkit.el").read_text()


WRONG = """\
module {
  tt.func public @kernel(%n: i32) {
    %x = arith.addi %n, %missing : i32
    tt.return
  }
}
"""
RIGHT = """\
module {
  tt.func public @kernel(%p: !tt.ptr<f32>) {
    %x = tt.load %p : !tt.ptr<f32>
    tt.return
  }
}
"""
SCRIPTS = Path(__file__).with_name("editors")
NEOVIM, EMACS = os.environ.get("TTKIT_TEST_NEOVIM", "nvim"), os.environ.get("TTKIT_TEST_EMACS", "emacs")


def said_by(command):
    """The output of an editor; nothing if it is not there or does not want to."""
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except FileNotFoundError:
        return ""
    return ended.stdout if ended.returncode == 0 else ""


def editor_with(folder, *command):
    """What an editor tells of a file with a mistake and of one without: {what: text}."""
    server = folder / "bin" / "tt-lsp"  # of these sources, whatever is installed
    server.parent.mkdir()
    server.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ttkit.drivers.lsp "$@"\n')
    server.chmod(0o755)
    environment = {**os.environ, "EDITORS": str(EDITORS), "HOME": str(folder)}
    environment["PATH"] = f"{server.parent}{os.pathsep}{environment['PATH']}"
    for name, text in (("WRONG", WRONG), ("RIGHT", RIGHT)):
        environment[name] = str(folder / f"{name.lower()}.ttir")
        Path(environment[name]).write_text(text)
    ended = subprocess.run(command, capture_output=True, text=True, timeout=240, env=environment, cwd=folder)
    assert ended.returncode == 0, ended.stderr
    return dict(line.split("\t", 1) for line in ended.stdout.splitlines() if "\t" in line)


def test_neovim_shows_diagnostics_and_descriptions(tmp_path):
    version = re.match(r"NVIM v(\d+)\.(\d+)", said_by([NEOVIM, "--version"]))
    if version is None or (int(version[1]), int(version[2])) < (0, 11):
        pytest.skip("needs Neovim 0.11, by its path in TTKIT_TEST_NEOVIM if it is not on the PATH")
    told = editor_with(tmp_path, NEOVIM, "--headless", "-u", "NONE", "-l", str(SCRIPTS / "neovim.lua"))
    assert told["mode"] == "mlir"
    assert told["server"] == "tt-lsp"
    assert told["diagnostic"] == "3 use of undeclared SSA value name"
    assert told["hover"].startswith("### `tt.load`")
    assert (told["hints"], told["mistakes"]) == ("true", "")


def test_emacs_shows_diagnostics_and_descriptions(tmp_path):
    if not said_by([EMACS, "-q", "--batch", "--eval", "(progn (require 'eglot) (princ 1))"]):
        pytest.skip("needs Emacs with eglot, by its path in TTKIT_TEST_EMACS if it is not on the PATH")
    told = editor_with(tmp_path, EMACS, "-q", "--batch", "-l", str(SCRIPTS / "emacs.el"))
    assert told["mode"] == "ttkit-mode"
    assert told["server"] == "tt-lsp"
    assert told["diagnostic"].startswith("3 ")
    assert "use of undeclared SSA value name" in told["diagnostic"]
    assert told["hover"].startswith("### `tt.load`")
    assert told["highlighted"] == "font-lock-keyword-face"
