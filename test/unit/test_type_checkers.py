"""pyright, where it is installed, and mypy say of users' code what the run time does."""

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from mlir import ir

import ttkit
from ttkit.dialects import arith, scf, tt

ROOT = Path(__file__).parents[2]
PYRIGHT = shutil.which("basedpyright") or shutil.which("pyright")
PRELUDE = """
from mlir import ir  # type: ignore  # mypy knows nothing of the bindings
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
OF_BINDINGS = ("tt.splat(type, x)", "tt.load(type)", "arith.addi(x, 3)")  # of what class an argument is
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


def wrong_lines() -> set[int]:
    """Numbers of the lines of `program` that are wrong, from one."""
    first = len(PRELUDE.splitlines()) + len(lines(RIGHT)) + 1
    return set(range(first, first + len(lines(WRONG))))


@pytest.fixture(scope="module")
def types(tmp_path_factory) -> Path:
    """The package as it is installed, which checkers find; programs beside it."""
    folder = tmp_path_factory.mktemp("types")
    subprocess.run(["make", "-s", "-C", str(ROOT), "types"], check=True)
    (folder / "program.py").write_text(program())
    (folder / "kernel.py").write_text(KERNEL)
    for example in (*(ROOT / "examples").glob("*.py"), *(ROOT / "examples" / "passes").glob("*.py")):
        if example.name != "lit.cfg.py":
            shutil.copy(example, folder)
    return folder


@pytest.mark.skipif(PYRIGHT is None, reason="pip install basedpyright: pyright with all it needs")
def test_pyright(types: Path) -> None:
    assert PYRIGHT is not None
    config = types / "pyrightconfig.json"
    paths = [str(ROOT / "build" / "types")]
    config.write_text(
        json.dumps({"extraPaths": paths, "typeCheckingMode": "standard", "reportMissingModuleSource": False})
    )
    done = subprocess.run(
        [PYRIGHT, "-p", str(config), "--pythonpath", sys.executable, "--outputjson"], capture_output=True, text=True
    )
    found: dict[str, set[int]] = {}
    for diagnostic in json.loads(done.stdout)["generalDiagnostics"]:
        if diagnostic["severity"] == "error":
            name = Path(diagnostic["file"]).name
            found.setdefault(name, set()).add(diagnostic["range"]["start"]["line"] + 1)
    assert found == {"program.py": wrong_lines()}, done.stdout


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_mypy(types: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--no-error-summary", "--follow-imports=silent", "--config-file="]
    command += ["--cache-dir", str(types / "cache"), "program.py"]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=types, env={"MYPYPATH": str(ROOT / "build" / "types"), "PATH": ""}
    )
    found = {int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error: " in line}
    of_bindings = {number for number, line in enumerate(lines(WRONG), min(wrong_lines())) if line in OF_BINDINGS}
    assert found == wrong_lines() - of_bindings, done.stdout
