"""pyright and mypy say of users' code what the run time does, where ttkit is installed from its wheel."""

import dataclasses
import importlib.util
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from installed import ROOT, SCRIPTS, installed_python
from mlir import ir
from sweeps import swept

import ttkit
from ttkit.dialects import arith, scf, tt
from ttkit.language import gluon, launch_signature
from ttkit.options import _OF_OTHER_TARGETS, CompileOptions

PYRIGHT = shutil.which("basedpyright", path=f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}") or shutil.which("pyright")
PRELUDE = """
from mlir import ir
import ttkit
from ttkit.dialects import arith, scf, tt

def user(x: ir.Value, type: ir.Type, module: ir.Module) -> None:
"""
RIGHT = """
tt.splat(x, type)
tt.splat(x, [4])
tt.splat(result=type, src=x)
tt.load(x)
tt.load(x, cache=tt.CacheModifier.CG)
tt.load(x, cache="cg")
arith.addi(x, x)
arith.constant(x.type, 1)
ttkit.run_passes(module, "canonicalize")
str(ttkit.parse("module {}"))
"""
WRONG = """
tt.splat(type, x)
tt.splat(x)
tt.load(type)
tt.load(x, chache=tt.CacheModifier.CG)
arith.addi(x)
arith.addi(x, 3)
ttkit.run_passes(module, ["canonicalize"])
ttkit.run_passes(module)
ttkit.parse(3)
tt.CacheModifier.CX
scf.four(x)
"""
# What is known, and what of a launch: a line that ends in `wrong` has an error.
KNOWN = """
from mlir import ir, passmanager, rewrite
from typing_extensions import assert_type

import ttkit
import ttkit.language as tl
import ttkit.language.gluon as gl
from ttkit.dialects import arith, tt
from ttkit.passes.infra import Match, Pass, apply_greedily, collect, constant_splat

SCALE = tl.constexpr(2)
assert_type(ttkit.cdiv(3, 4), int)
assert_type(ttkit.next_power_of_2(3), int)
ttkit.cdiv("3", 4)  # wrong
assert_type(ttkit.parse("module {}"), ir.Module)
assert_type(ttkit.parse("module {}").operation, ir.Operation)
ir.Modul  # wrong
passmanager.PassManager.parse("builtin.module(cse)").run(ttkit.parse("").operation)

def pattern(op: tt.LoadOp, rewriter: rewrite.PatternRewriter) -> Match:
    assert_type(rewriter.ip, ir.InsertionPoint)
    assert_type(op.cache, tt.CacheModifier)
    shape = op.result.type.shape
    op.pointer  # wrong
    rewriter.replace(op, [])  # wrong
    return constant_splat(op.ptr) == shape

def collected(root: ir.Operation) -> list[ir.Operation]:
    for product in collect(root, [arith.MulIOp]):
        assert_type(product.opview, arith.MulIOp)
        product.opview.rhs.type.shape
        product.opview.rsh  # wrong
    collect(root, [arith.MulIOp])[0].opview.lsh  # wrong
    for named in collect(root, ["arith.muli"]):
        named.opview.rhs
    for access in collect(root, [tt.LoadOp, "tt.store"]):
        access.opview.ptr
    return collect(root, [tt.LoadOp])

@ttkit.jit
def kernel(x, n: int, BLOCK: tl.constexpr, EVEN: tl.constexpr = True):
    tile: tl.constexpr = BLOCK * 2 - 1 % BLOCK
    tl.store(x + tl.arange(0, ttkit.cdiv(tile, BLOCK)), n)
    tl.lode(x)  # wrong

@ttkit.jit(debug=True)
def with_options(x): ...

@ttkit.jit(debugging=True)  # wrong
def with_a_typo(x): ...

@gl.jit
def in_gluon(x, layout: gl.constexpr):
    tile: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    gl.arange(0, 16, layout=tile)

@ttkit.autotune([ttkit.Config({"BLOCK": 16})], key=["n"])
@ttkit.jit
def tuned(x, n, BLOCK: tl.constexpr): ...

kernel[(1,)](None, 3, BLOCK=16)
kernel[(1,)](None, 3, 16, False)
kernel[(1,)](None, 3, BLOCK=16, num_warps=8, num_stages=2)
kernel[lambda meta: (1, 1)](None, 3, 16, waves_per_eu=2)
kernel[(1,)](None, 3, BLOK=16)  # wrong
kernel[(1,)](None, BLOCK=16)  # wrong
kernel[(1,)](None, "3", BLOCK=16)  # wrong
kernel[(1,)](None, 3, 16, True, 4)  # wrong
with_options[(1,)](None)
with_options[(1,)]()  # wrong
in_gluon[(1,)](None, layout=3)
in_gluon[(1,)](None, layut=3)  # wrong
tuned[(1,)](None, 3)
kernel.warmup(tl.float32, 3, 16, grid=(1,)).asm["ptx"]
"""
TRITON = """
import triton
import triton.language as tl
import triton.testing
from triton import Config, autotune, cdiv
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.language.extra import libdevice
from triton.runtime.driver import driver

@triton.autotune([Config({"B": 64})], key=["n"])
@triton.heuristics({"EVEN": lambda given: given["n"] % given["B"] == 0})
@triton.jit
def tuned(x, n: int, B: tl.constexpr, EVEN: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(x + i, libdevice.tanh(tl.load(x + i)), mask=i < n)
    tl.lode(x)  # wrong

@triton.jit
def kernel(x, n: int, B: tl.constexpr = 3): ...

@gluon.jit
def in_gluon(x, layout: gl.constexpr):
    gl.arange(0, 16, layout=gl.BlockedLayout([1], [32], [gl.num_warps()], [0]))

tuned[(1,)](None, 3)
kernel[lambda meta: (cdiv(3, meta["B"]),)](None, 3, B=3)
kernel[(1,)](None, "3", B=3)  # wrong
triton.cdiv("3", 4)  # wrong
triton.testing.do_bench(lambda: None)
driver.active.get_current_target()
triton.nothing  # wrong
"""
KERNEL = '''
import ttkit
import ttkit.language as tl

@ttkit.jit
def kernel(x, n, BLOCK: tl.constexpr):
    """All kinds of operators and methods."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = (offsets < n) & ~(offsets == 3)
    value = tl.load(x + offsets, mask=mask, other=0.0).to(tl.float32)
    value = -value * 2 + 1 / value - value % 3 // 2
    tile = value[:, None] * value[None, :]
    tl.store(x + offsets, tile.sum(1), mask=mask)

kernel[(1,)](None, 3, BLOCK=16)
'''


def lines(text: str) -> list[str]:
    return text.strip().splitlines()


@pytest.mark.parametrize("line", [*lines(RIGHT), *lines(WRONG)])
def test_the_run_time(line: str) -> None:
    text = "tt.func @f(%x: i32, %p: !tt.ptr<i32>) { tt.return }"
    module = ttkit.parse(text, ttkit.Context())
    block = module.body.operations[0].regions[0].blocks[0]
    with module.context, ir.Location.unknown(), ir.InsertionPoint.at_block_begin(block):
        names = {"x": block.arguments["tt.load" in line], "module": module, "ttkit": ttkit}
        names |= {"tt": tt, "arith": arith, "scf": scf, "type": ir.Type.parse("tensor<4xi32>")}
        if line in lines(RIGHT):
            eval(line, names)
        else:
            with pytest.raises((TypeError, ValueError, AttributeError)):
                eval(line, names)


def program() -> str:
    return PRELUDE + "".join(f"    {line}\n" for line in [*lines(RIGHT), *lines(WRONG)])


def notebook() -> str:
    """The code of the tutorial, one module."""
    cells = json.loads((ROOT / "docs" / "tutorial.ipynb").read_text())["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


def expected() -> dict[str, set[int]]:
    """{file: numbers of its lines that are wrong, from one}, of all files that checkers see."""
    first = len(PRELUDE.splitlines()) + len(lines(RIGHT)) + 1
    known, of_triton = (
        {number for number, line in enumerate(text.splitlines(), 1) if line.endswith("# wrong")}
        for text in (KNOWN, TRITON)
    )
    return {"program.py": set(range(first, first + len(lines(WRONG)))), "known.py": known, "of_triton.py": of_triton}


@pytest.fixture(scope="module", params=["links", swept("wheel")])
def python(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python in which ttkit is installed and not editable."""
    return installed_python(tmp_path_factory.mktemp("installed"), by_wheel=request.param == "wheel")


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Users' programs: ours, the template of a pass, the examples and the notebook."""
    folder = tmp_path_factory.mktemp("programs")
    for name, text in (
        ("program", program()),
        ("known", KNOWN),
        ("kernel", KERNEL),
        ("notebook", notebook()),
        ("of_triton", TRITON),
    ):
        (folder / f"{name}.py").write_text(text)
    new_pass = [sys.executable, "-m", "ttkit", "new-pass", "double-it", "--into", folder]
    subprocess.run(new_pass, check=True, capture_output=True)
    for example in (*(ROOT / "examples").glob("*.py"), *(ROOT / "examples" / "passes").glob("*.py")):
        shutil.copy(example, folder)
    stubs = [sys.executable, "-m", "ttkit.compat", "--stubs", folder / "typings"]
    subprocess.run(stubs, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Packages with a dialect: the one that `ttkit new-op` writes, and the examples."""
    folder = tmp_path_factory.mktemp("packages")
    new_op = [sys.executable, "-m", "ttkit", "new-op", "turn.spin", "--into", folder / "own"]
    subprocess.run(new_op, check=True, capture_output=True)
    for example in ("own_dialect", "own_regions"):
        shutil.copytree(ROOT / "examples" / example, folder / example)
    return folder


@pytest.mark.skipif(PYRIGHT is None, reason="pip install 'ttkit[lint]'")
def test_pyright(programs: Path, python: Path) -> None:
    assert PYRIGHT is not None
    config = programs / "pyrightconfig.json"
    settings = {"typeCheckingMode": "standard", "reportMissingModuleSource": False, "ignore": ["typings"]}
    config.write_text(json.dumps(settings))
    done = subprocess.run(
        [PYRIGHT, "-p", str(config), "--pythonpath", str(python), "--outputjson"], capture_output=True, text=True
    )
    found: dict[str, set[int]] = {}
    for diagnostic in json.loads(done.stdout)["generalDiagnostics"]:
        if diagnostic["severity"] == "error":
            name = Path(diagnostic["file"]).name
            found.setdefault(name, set()).add(diagnostic["range"]["start"]["line"] + 1)
    assert found == expected(), done.stdout


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_mypy(programs: Path, python: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--no-error-summary", "--check-untyped-defs", "--config-file="]
    command += ["--cache-dir", str(python.parent / "cache"), "--python-executable", str(python)]
    names = sorted(path.name for path in programs.glob("*.py"))
    environment = {**os.environ, "MYPYPATH": "typings"}
    done = subprocess.run([*command, *names], capture_output=True, text=True, cwd=programs, env=environment)
    found: dict[str, set[int]] = {}
    for name, line in re.findall(r"^(\S+):(\d+): error: ", done.stdout, re.MULTILINE):
        found.setdefault(name, set()).add(int(line))
    assert found == expected(), done.stdout + done.stderr


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_mypy_of_packages_with_dialects(packages: Path, python: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--config-file="]
    command += ["--cache-dir", str(python.parent / "cache_of_packages"), "--python-executable", str(python)]
    for package in ("own/turn", "own_dialect/roll", "own_regions/each"):
        folder, name = package.split("/")
        done = subprocess.run([*command, name], capture_output=True, text=True, cwd=packages / folder)
        assert (done.stdout, done.returncode) == ("", 0), done.stdout + done.stderr


@pytest.mark.skipif(PYRIGHT is None, reason="pip install 'ttkit[lint]'")
def test_pyright_of_packages_with_dialects(packages: Path, python: Path) -> None:
    assert PYRIGHT is not None
    for package in ("own", "own_dialect", "own_regions"):
        config = packages / package / "pyrightconfig.json"
        settings = {"typeCheckingMode": "standard", "reportMissingModuleSource": False, "exclude": ["tests"]}
        config.write_text(json.dumps(settings))
        command = [PYRIGHT, "-p", str(config), "--pythonpath", str(python), "--level", "error"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def test_there_is_an_overload_for_each_option() -> None:
    """Else a checker would find a launch with that option wrong."""
    overloads = re.findall(r"\*args: Any, (\w+): ", inspect.getsource(launch_signature.Launch))
    options = [field.name for field in dataclasses.fields(CompileOptions)]
    assert overloads == [*options, *sorted(_OF_OTHER_TARGETS)]


@pytest.mark.parametrize("language", [ttkit.language, gluon], ids=lambda module: module.__name__)
def test_names_of_the_language_are_listed(language) -> None:
    """Checkers need the list as it stands; with `mypy --strict` a name that is not there is no name of the module."""
    public = {
        name for name, value in vars(language).items() if not name.startswith("_") and not inspect.ismodule(value)
    }
    assert public - {"TYPE_CHECKING"} <= set(language.__all__) <= set(dir(language))
