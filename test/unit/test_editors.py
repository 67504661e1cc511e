"""What editors/ has: files that parse, and patterns that know the words of the IR."""

import json
import re
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
