"""`ttkit examples`, `ttkit new-pass` and `ttkit new-op`: what they write works as it stands."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import warm_commands

from ttkit.drivers.examples import write_examples
from ttkit.drivers.new_operation import new_op
from ttkit.drivers.scaffold_files import checkout, filled
from ttkit.drivers.scaffolds import new_pass
from ttkit.drivers.user_errors import UserError

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    if command[0] == "ttkit":
        return warm_commands.run([BIN / "ttkit", *command[1:]], cwd=folder, env=environment, timeout=120)
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


def test_examples(tmp_path: Path) -> None:
    """All files that git has, and no others; files with other contents stay as they are, and nothing is written."""
    folder = tmp_path / "a" / "examples"
    write_examples(folder)
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT / "examples", capture_output=True, text=True, check=True)
    assert sorted(tracked.stdout.split()) == sorted(
        str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()
    )
    with pytest.raises(UserError, match="has all examples already"):
        write_examples(folder)
    (folder / "demo.py").unlink()
    write_examples(folder)
    assert (folder / "demo.py").exists()
    (folder / "matmul.py").write_text("mine")
    (folder / "demo.py").unlink()
    with pytest.raises(UserError, match=r"matmul\.py is there already, with other contents"):
        write_examples(folder)
    assert (folder / "matmul.py").read_text() == "mine" and not (folder / "demo.py").exists()


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
    folders = ("passes", "dialects", "test/lit/dialects", "test/lit/passes")
    for part in (
        *folders,
        *(f"python/ttkit/{folder}" for folder in ("interpreter/ops", "language", "analysis", "validation")),
    ):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    for part in (
        "test/unit/test_tt_builders.py",
        "test/unit/test_corpus_coverage.py",
    ):
        (tmp_path / part).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / part, tmp_path / part)
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
    """The definition is valid, and the operation is in every file that it has to be in."""
    monkeypatch.chdir(copied)
    new_op("tt.spin_around", "view", copied)
    printed = capsys.readouterr().out
    files = re.findall(r"^(?:added to|exported from|wrote) (\S+)$", printed, re.M)
    for file in files:
        text = (copied / file).read_text()
        assert "spin_around" in text or "SpinAroundOp" in text, file
        if file.endswith(".py"):
            ast.parse(text)
    assert sorted(files) == sorted(FILES)
    import mlir

    tblgen = Path(next(iter(mlir.__path__))) / "bin" / "mlir-tblgen"
    includes = [copied / "dialects", tblgen.parents[1] / "include"]
    arguments = [f"-I{folder}" for folder in includes]
    done = run(copied, str(tblgen), "-gen-op-decls", *arguments, "dialects/tt/view_ops.td")
    assert done.returncode == 0 and "class SpinAroundOp" in done.stdout, done.stderr
    if (BIN / "ruff").exists():
        python = [file for file in files if file.endswith(".py")]
        shutil.copy(ROOT / "pyproject.toml", copied)
        for checks in (["format", "--diff"], ["check"]):
            done = run(copied, "ruff", *checks, *python)
            assert done.returncode == 0, done.stdout
    with pytest.raises(UserError, match=r"an operation tt\.spin_around already"):
        new_op("tt.spin_around", "view", copied)


FILES = """
    dialects/tt/view_ops.td dialects/tt/view_ops.cpp
    test/lit/dialects/tt/ops_view.mlir test/lit/dialects/tt/invalid_view.mlir
    test/lit/dialects/tt/canonicalize_view.mlir
    python/ttkit/interpreter/ops/view.py passes/lower/view.py python/ttkit/analysis/scratch_sizes.py
    python/ttkit/validation/meanings/tensors.py
    python/ttkit/language/view.py python/ttkit/language/core.py python/ttkit/language/__init__.py
    test/unit/test_spin_around.py test/unit/test_tt_builders.py test/unit/test_corpus_coverage.py
""".split()


def test_a_package_with_a_dialect(tmp_path: Path) -> None:
    """For the example's names it is the example, whose own tests run elsewhere; for other names its tests pass, too."""
    assert run(tmp_path, "ttkit", "new-op", "roll.rotate", "--into", "example").returncode == 0
    example = ROOT / "examples" / "own_dialect"
    written = {path.relative_to(tmp_path / "example") for path in (tmp_path / "example").rglob("*") if path.is_file()}
    assert all((example / path).read_text() == (tmp_path / "example" / path).read_text() for path in written)
    assert run(tmp_path, "git", "-C", str(example), "ls-files").stdout.split() == sorted(map(str, written))
    assert run(tmp_path, "ttkit", "new-op", "my_ops.flip_it").returncode == 0
    assert not [
        path for path in (tmp_path / "my_ops").rglob("*.*") if path.is_file() and "Rotation" in path.read_text()
    ]
    tested = run(tmp_path / "my_ops", "lit", "tests")
    assert tested.returncode == 0 and "Passed: 4" in tested.stdout, tested.stdout


@pytest.mark.parametrize(
    "arguments, told",
    [
        (["roll"], "'roll' can't name an operation: a dialect and a name, such as roll.rotate"),
        (
            ["arith.rotate"],
            "'arith' is the name of a dialect of MLIR or ttkit: choose another, such as my_arith.rotate",
        ),
        (["string.rotate"], "'string' is the name of a module of Python: choose another"),
        (["numpy.rotate"], "'numpy' is the name of an installed package: choose another"),
        (["triton.rotate"], "'triton' is the name of a package: choose another"),
        (["roll.rotate", "view"], "only ttkit's own dialects have families"),
        (["tt.rotate"], "such as: ttkit new-op tt.rotate view"),
        (["tt.rotate", "view"], "run this in a checkout of ttkit; or choose a dialect of your own"),
        (["roll.rotate", "--into", "taken"], "is there already"),
    ],
)
def test_packages_that_are_not_written(tmp_path: Path, arguments: list[str], told: str) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "pyproject.toml").write_text("kept")
    done = run(tmp_path, "ttkit", "new-op", *arguments)
    assert done.returncode == 1 and told in done.stderr, done.stderr
    assert (tmp_path / "taken" / "pyproject.toml").read_text() == "kept"


def test_the_page_shows_what_is_written() -> None:
    """Each block of code of docs/add_an_op.md is a part of a template, filled in for its example."""
    fields = {"prefix": "TT", "cls": "Rotate", "name": "tt.rotate", "mnemonic": "rotate"}
    fields["layouts"] = ", SameOperandsAndResultEncoding"
    folder = ROOT / "python" / "ttkit" / "drivers" / "templates"
    names = [path.name.removesuffix(".template") for path in folder.iterdir()]
    written = [filled(name, **fields) for name in names if re.match("definition|operation|invalid|canon", name)]
    written += [filled(f"{name}.py", **fields) for name in ("meaning", "scratch", "lowering", "language", "proof")]
    page = (ROOT / "docs" / "add_an_op.md").read_text()
    blocks = re.findall(r"^(`{3,4})(?:tablegen|cpp|mlir|python)\n(.*?)^\1$", page, re.M | re.S)
    unwritten = [text for _, text in blocks if not any(text.strip() in whole for whole in written)]
    own_types, use = unwritten  # a type of the example's own, which is not a part of the operation; a call
    assert len(blocks) == 13 and "each.dialect" in own_types and use == "rotated = tt.rotate(values, axis=0, shift=1)\n"


def test_the_python_of_an_operation_runs(tmp_path: Path) -> None:
    """Meaning, lowering, scratch memory and function as `new-op` writes them, for an operation that is defined in
    Python, since one of tt would have to be compiled; and its own test."""
    (tmp_path / "conftest.py").write_text(CONFTEST)
    text = filled("operation_test.py", name="spin.around", mnemonic="around")
    defined_in_python = text.replace("}} : {type}\n", "}} : ({type}) -> {type}\n")
    assert defined_in_python != text
    (tmp_path / "test_around.py").write_text(defined_in_python)
    path, cache = f"PYTHONPATH={Path(__file__).parent}", f"TRITON_CACHE_DIR={tmp_path}"
    done = run(tmp_path, "env", path, cache, sys.executable, "-m", "pytest", "-q", "-k", "kernels or (lowered and in)")
    assert done.returncode == 0 and "12 passed" in done.stdout, done.stdout


CONFTEST = """\
from importlib import import_module
from typing import TypeVar

import numpy
from mlir import ir

import ttkit.language as tl
from ttkit.dialects import ext
from ttkit.drivers.scaffold_files import filled
from ttkit.passes.lower.gather import take
from ttkit.validation.integers import remainder_unsigned

T = TypeVar("T", bound=ir.RankedTensorType)


class Spin(ext.Dialect, name="spin"):
    pass


class AroundOp(Spin.Operation, name="around", pure=True, keeps_layout=True):
    src: ext.Operand[T]
    axis: int
    shift: int
    result: ext.Result[T]


places = {
    "meaning": "interpreter.ops.view",
    "lowering": "passes.lower.view",
    "scratch": "analysis.scratch_sizes",
    "proof": "validation.meanings.tensors",
    "language": "language.view",
}
for template, place in places.items():
    names = vars(import_module(f"ttkit.{place}"))
    names.update(np=numpy, take=take, remainder_unsigned=remainder_unsigned)
    exec(filled(f"{template}.py", name="spin.around", mnemonic="around"), names)
tl.around = names["around"]
"""


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
