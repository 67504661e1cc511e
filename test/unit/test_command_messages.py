"""Messages of commands about files and words that are wrong: one line, without Python's number of the error."""

import sys
from pathlib import Path

import pytest
import warm_commands

NOT_A_DATACLASS = """\
from ttkit.passes.infra import Pass, option

class Plain(Pass):
    \"\"\"No dataclass\"\"\"
    name = "plain"
    n: int = option(3, "x")
    def run(self, op): ...
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "plain.py").write_text(NOT_A_DATACLASS)
    (tmp_path / "k.mlir").write_text("tt.func public @k() {\n  tt.return\n}\n")
    (tmp_path / "empty.ttir").write_text("")
    (tmp_path / "bad.mlir").write_text("garbage\n")
    (tmp_path / "bad.llir").write_text("garbage\n")
    (tmp_path / "bad.ptx").write_text("garbage\n")
    (tmp_path / "file").write_text("")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("ttkit compile-all no.json -t 90 -o b.ttkit", 1, "error: no such file or folder: no.json\n"),
        ("tt-reduce no.mlir --test-pass cse --crash", 1, "error: no such file or folder: no.mlir\n"),
        ("tt-compile k.mlir --pipeline-file no.py -o a.ptx", 1, "--pipeline-file: no such file or folder: no.py\n"),
        ("ttkit man file", 1, "error: 'file' is not a folder\n"),
        ("ttkit trace .", 1, "error: '.' is a folder: name the script\n"),
        ("tt-compile empty.ttir -o k.ptx", 1, "found none: the kernel is a tt.func public\n"),
        ("tt-compile bad.ptx -o k.cubin", 1, "found none: the kernel is a .visible .entry\n"),
        ("tt-compile bad.llir -o k.ptx", 1, "bad.llir:1:1: error: expected top-level entity\n"),
        ("tt-layout bad.mlir", 1, "bad.mlir:1:1: error: custom op 'garbage' is unknown"),
        ("ttkit schedule bad.mlir", 1, "bad.mlir:1:1: error: custom op 'garbage' is unknown"),
        ("ttkit lift bad.mlir", 1, "bad.mlir:1:1: error: custom op 'garbage' is unknown"),
        ("ttkit explore bad.mlir", 1, "bad.mlir:1:1: error: custom op 'garbage' is unknown"),
        ("tt-reduce bad.mlir --test-pass cse --crash", 1, "bad.mlir:1:1: error: custom op 'garbage' is unknown"),
        ("ttkit prove plain.py", 1, "plain.py:1:1: error: found a Python script in place of IR"),
        ("tt-run plain.py", 1, "plain.py:1:1: error: found a Python script in place of IR"),
        ("tt-opt -load-pass plain.py plain.py --cse", 1, "plain.py: found a Python script in place of IR"),
        ("ttkit bisekt", 2, "there is no command bisekt; did you mean 'bisect'?\n"),
        ("ttkit export k.py -o x --bogus", 2, "ttkit export: error: unrecognized arguments: --bogus"),
        ("ttkit doctor --jsom", 2, "ttkit doctor: error: unrecognized arguments: --jsom; did you mean '--json'?\n"),
        ("tt-opt --load-pass=plain.py --plain k.mlir", 1, "Plain.n is an option: put @dataclass(frozen=True)"),
    ],
)
def test_what_is_said(words, code, said, folder):
    name, *rest = words.split()
    done = warm_commands.run([Path(sys.executable).with_name(name), *rest], cwd=folder)
    assert done.returncode == code and said in done.stderr, done.stderr
    assert "Traceback" not in done.stderr and "[Errno" not in done.stderr


def test_an_option_that_a_pass_assigns_is_told_at_the_line_of_the_pass(folder):
    text = NOT_A_DATACLASS.replace("class", "from dataclasses import dataclass\n\n@dataclass(frozen=True)\nclass")
    (folder / "plain.py").write_text(text.replace("def run(self, op): ...", "def run(self, op):\n        self.n = 4"))
    words = [Path(sys.executable).with_name("tt-opt"), "--load-pass=plain.py", "--plain", "k.mlir"]
    done = warm_commands.run(words, cwd=folder)
    assert done.returncode == 1 and "cannot assign to field 'n' (plain.py:14)" in done.stderr, done.stderr


RAISES = """\
from ttkit.passes.infra import Pass, collect

class Raises(Pass):
    \"\"\"Reads an attribute that a type has not\"\"\"
    name = "raises"
    def run(self, op):
        for function in collect(op, ["tt.func"]):
            function.no_such
"""


@pytest.mark.parametrize(
    "words",
    [
        "ttkit prove --passes --load-pass raises.py --pipeline raises k.mlir",
        "tt-compile k.mlir --pipeline-file changes.py -o a.ptx",
        "tt-opt --load-pass=raises.py --raises k.mlir",
    ],
)
def test_what_a_pass_raises_is_told_at_the_line_of_the_pass_by_every_command(words, folder):
    (folder / "raises.py").write_text(RAISES)
    (folder / "changes.py").write_text("from ttkit import pipelines\n\npipelines.insert_after('cse', 'raises.py')\n")
    name, *rest = words.split()
    done = warm_commands.run([Path(sys.executable).with_name(name), *rest], cwd=folder)
    assert done.returncode == 1 and "Traceback" not in done.stderr, done.stderr
    said = [line for line in done.stderr.splitlines() if "pass 'raises' raised AttributeError" in line]
    assert len(said) == 1 and said[0].startswith("k.mlir:") and "(raises.py:8)" in said[0], done.stderr
