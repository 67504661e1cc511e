"""`ttkit new-pass` and `ttkit new-op`: what they write works as it stands."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ttkit.drivers.scaffolds import checkout, new_op, new_pass
from ttkit.drivers.user_errors import UserError

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


def test_a_pass_outside_of_the_checkout(tmp_path: Path) -> None:
    """Written, tested by lit, and put into a live kernel without a GPU: three commands."""
    folder = tmp_path / "my passes"
    folder.mkdir()
    made = run(folder, "ttkit", "new-pass", "double-up")
    assert made.returncode == 0, made.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["double_up.mlir", "double_up.py", "lit.cfg.py"]
    tested = run(folder, "lit", "-v", "double_up.mlir")
    assert tested.returncode == 0 and "Passed: 1" in tested.stdout, tested.stdout
    (folder / "kernel.py").write_text(SCRIPT)
    launched = run(folder, "env", "TTKIT_DEVICE=interpret:sm_90", f"TRITON_CACHE_DIR={tmp_path}", "python", "kernel.py")
    assert launched.stdout == "[0, 2, 4, 6] True\n", launched.stderr


SCRIPT = """\
import numpy as np, ttkit, ttkit.language as tl

@ttkit.jit
def twice(x_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(x_ptr + offsets, tl.load(x_ptr + offsets) * 2)

x = np.arange(64, dtype=np.int32)
with ttkit.pipelines.insert_after("triton-combine", "double_up.py"):
    kernel = twice[(1,)](x, BLOCK=64)
print(x[:4].tolist(), "muli" not in kernel.asm["ttir"])
"""


def test_a_pass_of_a_package_gets_an_entry_point(tmp_path: Path, capsys) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "mine"\n')
    folder = tmp_path / "src" / "mine" / "passes"
    new_pass("first-one", folder)
    new_pass("second-one", folder)
    text = (tmp_path / "pyproject.toml").read_text()
    assert text.count('[project.entry-points."ttkit.passes"]') == 1
    assert 'first-one = "mine.passes.first_one:FirstOne"' in text
    assert 'second-one = "mine.passes.second_one:SecondOne"' in text
    assert (folder / "lit.cfg.py").exists() and "added an entry point" in capsys.readouterr().out


def test_a_file_takes_the_place_of_an_installed_pass(tmp_path: Path) -> None:
    """So the test of a pass of a package tests the file beside it, whatever is installed."""
    new_pass("of-a-package", tmp_path)
    about = tmp_path / "mine-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[ttkit.passes]\nof-a-package = gone.away:Never\n")
    tested = run(tmp_path, "env", f"PYTHONPATH={tmp_path}", "lit", "-v", "of_a_package.mlir")
    assert tested.returncode == 0, tested.stdout


@pytest.mark.parametrize(
    "name, told",
    [("3x", "can't name a pass"), ("triton-combine", "there is a pass"), ("cse", "'cse' already: of MLIR")],
)
def test_names_that_are_none(tmp_path: Path, name: str, told: str) -> None:
    with pytest.raises(UserError, match=told):
        new_pass(name, tmp_path)
    assert not list(tmp_path.iterdir())


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("kept")
    with pytest.raises(UserError, match="is there already"):
        new_pass("mine", tmp_path)
    assert (tmp_path / "mine.py").read_text() == "kept"


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The parts of a checkout that scaffolds change."""
    for part in ("passes", "dialects", "test/lit/dialects", "test/lit/passes", "python/ttkit/interpreter/ops"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_a_pass_in_the_checkout(copied: Path) -> None:
    assert checkout(copied / "passes" / "lower") == copied
    new_pass("tritongpu-new-one", copied / "passes")
    registry = (copied / "passes" / "registry.py").read_text()
    names = re.findall(r'^    "([\w-]+)": ["(]', registry[registry.index("PASSES = {") : registry.index("\n}")], re.M)
    assert "tritongpu-new-one" in names and names == sorted(names)
    text = (copied / "passes" / "tritongpu_new_one.py").read_text()
    assert all(field in text for field in ("=>", "Input:", "Output:", "Order:", "Skips:", "Test:   test/lit/passes/"))
    assert "--load-pass" not in (copied / "test" / "lit" / "passes" / "tritongpu_new_one.mlir").read_text()


def test_an_operation(copied: Path, monkeypatch, capsys) -> None:
    """The definition and its tests are valid, every file that it has to be in is named."""
    monkeypatch.chdir(copied)
    new_op("tt.spin_around", "view", copied)
    printed = capsys.readouterr().out
    for file in re.findall(r"^(?:wrote its definition to|added to) ([\w/.]+)", printed, re.M):
        assert "spin_around" in (copied / file).read_text()
    for file in re.findall(r"^  \d\. ([\w/]+\.\w+):", printed, re.M):
        assert file.endswith("_ops.cpp") or (ROOT / file).exists(), file
    import mlir

    tblgen = Path(next(iter(mlir.__path__))) / "bin" / "mlir-tblgen"
    includes = [copied / "dialects", tblgen.parents[1] / "include"]
    arguments = [f"-I{folder}" for folder in includes]
    done = run(copied, str(tblgen), "-gen-op-decls", *arguments, "dialects/tt/view_ops.td")
    assert done.returncode == 0 and "class SpinAroundOp" in done.stdout, done.stderr


@pytest.mark.parametrize(
    "name, family, told",
    [("rotate", "view", "can't name an operation"), ("tt.rotate", "views", "no family 'views'; it has .*view")],
)
def test_operations_that_are_none(copied: Path, name: str, family: str, told: str) -> None:
    with pytest.raises(UserError, match=told):
        new_op(name, family, copied)


def test_operations_need_the_checkout(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="run this in a checkout"):
        new_op("tt.rotate", "view", tmp_path)
