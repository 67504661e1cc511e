"""Dialects that other packages define: the example as people install it, and what `ttkit.dialects.ext` refuses.

Each test runs in a process of its own: a dialect that is defined once stays.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "own_dialect"
BIN = Path(sys.executable).parent
HERE = Path(__file__).parent


def run(folder: Path, *command: str, path: str = "", **variables: str) -> str:
    """What a command prints, with `path` before everything else that Python imports from."""
    environment = {
        **os.environ,
        "PATH": f"{BIN}:{os.environ['PATH']}",
        "PYTHONPATH": path,
        "TRITON_CACHE_DIR": str(folder / "cache"),
        **variables,
    }
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def python(folder: Path, text: str, path: str = str(EXAMPLE), **variables: str) -> str:
    """What a script prints."""
    (folder / "script.py").write_text(text)
    return run(folder, sys.executable, "script.py", path=path, **variables)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder that the example is installed in, by pip and its build backend."""
    folder = tmp_path_factory.mktemp("installed")
    source = folder / "source"
    shutil.copytree(EXAMPLE, source, ignore=shutil.ignore_patterns("__pycache__", "Output"))
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", str(folder / "site"))
    run(folder, sys.executable, "-m", "pip", "install", *options, str(source))
    assert (folder / "site" / "roll" / "dialect.py").exists()
    return str(folder / "site")


# --- The example -----------------------------------------------------------------------------------------------------
def test_the_tests_of_the_example(tmp_path: Path, installed: str) -> None:
    """As its page says: lit and pytest, in its folder."""
    shutil.copytree(EXAMPLE / "tests", tmp_path / "roll" / "tests")
    shutil.copytree(EXAMPLE / "roll", tmp_path / "roll" / "roll")
    assert "Passed: 4" in run(tmp_path / "roll", "lit", "-v", "tests")
    assert "passed" in run(tmp_path / "roll", sys.executable, "-m", "pytest", "-q", "tests", path=installed)


def test_every_command_knows_an_installed_dialect(tmp_path: Path, installed: str) -> None:
    (tmp_path / "twice.mlir").write_text(TWICE)
    merged = run(tmp_path, "tt-opt", "twice.mlir", "--merge-rotate", path=installed)
    assert merged.count("roll.rotate") == 1 and "shift = 3 : i32" in merged
    assert "merge-rotate" in run(tmp_path, "tt-opt", "--help", "--list-passes", path=installed)
    checked = run(tmp_path, "tt-opt", "--check-passes", "--merge-rotate", "twice.mlir", path=installed)
    assert "roll.rotate" in checked
    proved = run(tmp_path, "tt-opt", "--prove-passes", "--merge-rotate", "twice.mlir", path=installed)
    assert "prove-passes: merge-rotate: @twice: proved" in proved


TWICE = """\
tt.func public @twice(%from: !tt.ptr<f32>, %to: !tt.ptr<f32>) {
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %0 = tt.splat %from : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %1 = tt.addptr %0, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %x = tt.load %1 : tensor<64x!tt.ptr<f32>>
  %y = roll.rotate %x {axis = 0 : i32, shift = 1 : i32} : (tensor<64xf32>) -> tensor<64xf32>
  %z = roll.rotate %y {axis = 0 : i32, shift = 2 : i32} : (tensor<64xf32>) -> tensor<64xf32>
  %2 = tt.splat %to : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %3 = tt.addptr %2, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %3, %z : tensor<64x!tt.ptr<f32>>
  tt.return
}
"""


def test_the_language_server_verifies(tmp_path: Path, installed: str) -> None:
    (tmp_path / "session").write_text(SESSION)
    told = run(tmp_path, "sh", "-c", "tt-lsp --native --lit-test < session", path=installed)
    assert "'roll.rotate' op axis must be less than the rank of tensor<8xf32>, found 1" in told


SESSION = """\
{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}}
// -----
{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"test:///f.mlir","languageId":"mlir",\
"version":1,"text":"func.func @f(%x: tensor<8xf32>) {\\n  %y = roll.rotate %x {axis = 1 : i32, shift = 1 : i32} : \
(tensor<8xf32>) -> tensor<8xf32>\\n  return\\n}"}}}
// -----
{"jsonrpc":"2.0","id":3,"method":"shutdown"}
// -----
{"jsonrpc":"2.0","method":"exit"}
"""


def test_the_pass_in_a_live_kernel(tmp_path: Path, installed: str) -> None:
    printed = python(tmp_path, LIVE, path=installed, TTKIT_DEVICE="interpret:sm_90")
    assert printed == "2 True\n1 True\n"


LIVE = """\
import numpy as np, roll, ttkit, ttkit.language as tl

@ttkit.jit
def twice(x_ptr, BLOCK: tl.constexpr):
    place = x_ptr + tl.arange(0, BLOCK)
    tl.store(place, roll.rotate(roll.rotate(tl.load(place), 1), 2))

def launch():
    x = np.arange(64, dtype=np.int32)
    made = twice[(1,)](x, BLOCK=64)
    print(made.asm["ttir"].count("roll.rotate"), (x == np.roll(np.arange(64), -3)).all())

launch()
with ttkit.pipelines.insert_after("triton-combine", "merge-rotate"):
    launch()
"""


def test_the_lowering_is_right_for_layouts_of_every_kind(tmp_path: Path) -> None:
    python(tmp_path, LOWERED, path=f"{EXAMPLE}{os.pathsep}{HERE}")


LOWERED = """\
import numpy as np, roll
from lowered_tensors import compute, module

blocked = "#ttg.blocked<{{sizePerThread = [{}], threadsPerWarp = [{}], warpsPerCTA = [{}], order = [{}]}}>"
layouts = [
    blocked.format("1, 32", "16, 2", "2, 1", "1, 0"),
    blocked.format("2, 2", "2, 16", "2, 1", "1, 0"),
    blocked.format("1, 4", "16, 2", "1, 2", "0, 1"),
    blocked.format("4, 1", "32, 1", "1, 2", "0, 1"),
    "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 2], instrShape = [16, 8]}>",
    "#ttg.slice<{dim = 1, parent = " + blocked.format("1, 2, 2", "4, 2, 4", "2, 1, 1", "2, 1, 0") + "}>",
]
cases = [(layout, axis, "f32") for layout in layouts for axis in (0, 1)]
cases += [(layouts[1], axis, element) for axis in (0, 1) for element in ("i8", "i64")]
for layout, axis, element in cases:
    dtype = {"f32": np.float32, "i8": np.uint8, "i64": np.uint64}[element]
    type = f"tensor<16x32x{element}, {layout}>"
    rotate = f"roll.rotate %x {{axis = {axis} : i32, shift = 5 : i32}} : ({type}) -> {type}"
    text = f"tt.func public @f(%x: {type}) -> {type} {{\\n%0 = {rotate}\\ntt.return %0 : {type}\\n}}"
    x = (np.arange(512) % 251).astype(dtype).reshape(16, 32)
    (found,) = compute(module(text, warps=2), x)
    assert np.array_equal(found, np.roll(x, -5, axis)), (layout, axis, element)
"""


def test_a_lowering_builds_by_the_dialects_builders(tmp_path: Path) -> None:
    assert python(tmp_path, BUILDERS, path=f"{EXAMPLE}{os.pathsep}{HERE}").split("\n")[0] == "True"


BUILDERS = """\
import numpy as np, roll, sys
from lowered_tensors import compute, module
from roll import lowering
from ttkit.dialects import llvm
from ttkit.passes.infra import PassError
from ttkit.passes.lower.registry import HANDLERS

def twice(low, op, value):
    assert op.shift < 9, "too far"
    return low.emit.same("llvm.fadd", llvm.fmul(value, value), value)

HANDLERS["roll.rotate"] = twice
type = "tensor<64xf32, #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>>"
def text(shift):
    rotate = f"roll.rotate %x {{axis = 0 : i32, shift = {shift} : i32}} : ({type}) -> {type}"
    return f"tt.func public @f(%x: {type}) -> {type} {{\\n%0 = {rotate}\\ntt.return %0 : {type}\\n}}"
x = np.arange(64, dtype=np.float32)
(found,) = compute(module(text(5), warps=1), x)
print(np.array_equal(found, x * x + x))
try:
    compute(module(text(9), warps=1), x)
except Exception as error:
    told = str(error)
    assert "its lowering raised AssertionError: too far (script.py:9)" in told, told
    assert "report" not in told, told
"""


# --- Kernels and caches ----------------------------------------------------------------------------------------------
def test_a_change_of_the_package_compiles_kernels_anew(tmp_path: Path) -> None:
    """Its lowering has a say in every kernel, so the key has its files."""
    shutil.copytree(EXAMPLE / "roll", tmp_path / "roll")
    text = "import roll\nfrom ttkit.compiler.dialect_sources import dialects_identity\nprint(dialects_identity())"
    before = python(tmp_path, text, path=str(tmp_path))
    assert before == python(tmp_path, text, path=str(tmp_path)) != "\n"
    with (tmp_path / "roll" / "lowering.py").open("a") as file:
        file.write("# changed\n")
    assert python(tmp_path, text, path=str(tmp_path)) != before


def test_the_key_of_an_installed_package_needs_no_import(tmp_path: Path, installed: str) -> None:
    """It is the same before and after the import, so kernels in the cache are launched without MLIR."""
    text = (
        "import sys\nfrom ttkit.compiler.dialect_sources import dialects_identity\n"
        "before = dialects_identity()\nloaded = 'roll' in sys.modules\nimport roll\n"
        "print(before == dialects_identity() != '', loaded)"
    )
    assert python(tmp_path, text, path=installed) == "True False\n"


def test_an_error_in_a_kernel_is_told_at_its_line(tmp_path: Path) -> None:
    printed = python(tmp_path, ERRORS, TTKIT_DEVICE="sm_90")
    assert "roll.rotate(tl.load(place), shift)" in printed and "^" in printed


ERRORS = """\
import numpy as np, roll, ttkit, ttkit.language as tl

@ttkit.jit
def kernel(x_ptr, shift, BLOCK: tl.constexpr):
    place = x_ptr + tl.arange(0, BLOCK)
    tl.store(place, roll.rotate(tl.load(place), shift))

try:
    kernel[(1,)](np.arange(64, dtype=np.int32), 3, BLOCK=64)
except Exception as error:
    print(error)
"""


def test_a_dialect_defined_after_a_context(tmp_path: Path) -> None:
    printed = python(
        tmp_path,
        "import ttkit\nfrom ttkit import Context\n"
        "with Context() as context:\n"
        "    import roll.dialect\n"
        "    roll.dialect.Roll.load()\n"
        "    text = '%x = arith.constant dense<0> : tensor<8xi32>\\n"
        "%y = roll.rotate %x {axis = 0 : i32, shift = 1 : i32} : (tensor<8xi32>) -> tensor<8xi32>'\n"
        "    op = ttkit.parse(text).body.operations[1]\n"
        "    print(type(op).__name__, op.shift, op.src.type)\n",
    )
    assert printed == "RotateOp 1 tensor<8xi32>\n"


# --- Layouts ---------------------------------------------------------------------------------------------------------
def test_rules_for_layouts(tmp_path: Path) -> None:
    """With rules the layout follows from the operand's, as for tt.trans; without, it is the default of the shape."""
    (tmp_path / "turning.py").write_text(TURNING)
    (tmp_path / "turning_rules.py").write_text(TURNING_RULES)
    assert python(tmp_path, TURNED, path=str(tmp_path)) == "turn False 0\nruled True 1\n"


TURNING = """\
from mlir import ir
from ttkit.dialects import ext

class Turning(ext.Dialect, name="turning", layouts="turning_rules"):
    pass

class TurnOp(Turning.Operation, name="turn", pure=True):
    src: ext.Operand[ir.RankedTensorType]
    result: ext.Result[ir.RankedTensorType]

class RuledOp(Turning.Operation, name="ruled", pure=True):
    src: ext.Operand[ir.RankedTensorType]
    result: ext.Result[ir.RankedTensorType]
"""
TURNING_RULES = """\
from ttkit.layout import inference
from ttkit.passes.infra.layout_inference import infers_result, infers_source

@infers_result("turning.ruled")
def result(layouts, op, layout):
    return inference.trans(layout, tuple(op.src.type.shape), (1, 0))

@infers_source("turning.ruled")
def source(layouts, op, layout):
    return inference.trans(layout, tuple(op.result.type.shape), (1, 0))
"""
TURNED = """\
import ttkit
from ttkit.dialects._layouts import layout_of
from ttkit.layout import inference
import turning

with ttkit.Context():
    for name in ("turn", "ruled"):
        module = ttkit.parse(f'''
            tt.func public @f(%p: tensor<32x16x!tt.ptr<f32>>, %x: tensor<16x32xf32>) {{
              %y = turning.{name} %x : (tensor<16x32xf32>) -> tensor<32x16xf32>
              tt.store %p, %y : tensor<32x16x!tt.ptr<f32>>
              tt.return
            }}''')
        ttkit.run_passes(module, "convert-triton-to-tritongpu{target=cuda:90}")
        body = module.body.operations[0].regions[0].blocks[0].operations
        op = next(op for op in body if isinstance(op, (turning.TurnOp, turning.RuledOp)))
        before, after = (layout_of(value.type) for value in (op.src, op.result))
        print(name, inference.trans(before, (16, 32), (1, 0)) == after, str(module).count("ttg.convert_layout"))
"""


# --- What is refused -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "text, told",
    [
        ("class D(ext.Dialect, name='tt'): pass", "there is a dialect 'tt' already"),
        ("class D(ext.Dialect, name='My-D'): pass", "can't name a dialect"),
        ("class A(D.Operation, name='x y'): pass", "can't name an operation"),
        ("class A(D.Operation, name='a'): x: ext.Operand[int]", "stands a class of ir.Type"),
        ("class A(D.Operation, name='a'): x: Annotated[int, 3]", "A.x is typing.Annotated[int, 3]; write ext.Operand"),
        ("class A(D.Operation, name='a'): name: str", "A.name: every operation has something of that name"),
        ("class A(D.Operation, name='a'): ip: int", "A.ip: every operation has something of that name"),
        ("class A(D.Operation, name='a'): x: dict", "A.x is <class 'dict'>; write ext.Operand"),
        ("class A(D.Operation, name='a'): pass\nclass B(D.Operation, name='a'): pass", "an operation 'd.a' already"),
        ("class A(D.Operation, name='a'): r: ext.Result\nA()", "don't follow from its operands: give results="),
        ("class A(D.Operation, name='a'): n: int\nA()", "missing a required argument: 'n'"),
    ],
)
def test_definitions_that_are_none(tmp_path: Path, text: str, told: str) -> None:
    script = (
        "from typing import Annotated\nfrom ttkit.dialects import ext\nfrom mlir import ir\nimport ttkit\n"
        "class D(ext.Dialect, name='d'): pass\n"
        "try:\n    with ttkit.Context(), ir.Location.unknown():\n        "
        + text.replace("\n", "\n        ")
        + "\nexcept (TypeError, ValueError) as error:\n    print(error)\n"
    )
    assert told in python(tmp_path, script)


ALL_KINDS = """\
from typing import Annotated
import ttkit
from mlir import ir
from ttkit.dialects import ext

class Kinds(ext.Dialect, name="kinds"):
    pass

class AllOp(Kinds.Operation, name="all"):
    a: ext.Operand
    b: bool
    n: int
    x: float
    s: str
    sizes: tuple[int, ...]
    large: Annotated[int, ext.i64]
    anything: ir.Attribute
    first: ext.Result
    second: ext.Result[ir.IntegerType]

    @classmethod
    def result_types(cls, operands):
        return [ir.F32Type.get(), operands[0].type]

    def verify_invariants(self):
        if self.n == 7:
            raise ZeroDivisionError("oh")

with ttkit.Context(), ir.Location.unknown():
    module = ttkit.parse("%0 = arith.constant 3 : i32")
    value = module.body.operations[0].result
    with ir.InsertionPoint(module.body):
        op = AllOp(value, True, 2, 0.5, 'a "b"', (1, 2), large=1 << 40, anything=ir.UnitAttr.get())
    again = ttkit.parse(str(module))
    found = again.body.operations[1]
    print(found.b, found.n, found.x, found.s, found.sizes, found.large, found.anything)
    print([str(one.type) for one in found.results], str(again) == str(module), found.first.type, type(found).__name__)
    op.n = 7
    try:
        module.operation.verify()
    except ir.MLIRError as error:
        print(str(error).splitlines()[1])
    del op.operation.attributes["n"]
    try:
        module.operation.verify()
    except ir.MLIRError as error:
        print(str(error).splitlines()[1])
"""


def test_attributes_of_every_kind_and_verifiers_that_fail(tmp_path: Path) -> None:
    lines = python(tmp_path, ALL_KINDS).splitlines()
    assert lines[0] == 'True 2 0.5 a "b" (1, 2) 1099511627776 unit'
    assert lines[1] == "['f32', 'i32'] True f32 AllOp"
    assert "the verifier of 'kinds.all' raised ZeroDivisionError: oh (" in lines[2]
    assert "'kinds.all' op attribute 'n' is missing; it is an integer of type i32" in lines[3]


def test_attributes_of_every_kind_in_kernels(tmp_path: Path) -> None:
    """They are written as MLIR reads them, and arrive unchanged."""
    printed = python(tmp_path, IN_KERNELS, TRITON_INTERPRET="1")
    assert printed == "True -3 0.1 inf 'a \\n\"é' (1, 2) () 1099511627776\n"


IN_KERNELS = """\
from typing import Annotated, TypeVar
import numpy as np, ttkit, ttkit.language as tl
from ttkit.dialects import ext
from ttkit.interpreter.ops.registry import interprets
from ttkit.language.package_functions import kernel_function

T = TypeVar("T")

class Kinds(ext.Dialect, name="kinds"):
    pass

class AllOp(Kinds.Operation, name="all"):
    a: ext.Operand[T]
    b: bool
    n: int
    x: float
    y: float
    s: str
    sizes: tuple[int, ...]
    none: tuple[int, ...]
    large: Annotated[int, ext.i64]
    first: ext.Result[T]

@interprets("kinds.all")
def meaning(machine, op, a):
    print(*(op.attributes[name] if name != "s" else repr(op.attributes[name]) for name in
            "b n x y s sizes none large".split()))
    return a

every = kernel_function(AllOp)

@ttkit.jit
def kernel(p, INF: tl.constexpr):
    tl.store(p, every(tl.load(p), True, -3, 0.1, INF, 'a \\n"é', (1, 2), (), large=1 << 40))

kernel[(1,)](np.zeros(1, np.int32), float("inf"))
"""


def test_a_package_that_fails_is_told(tmp_path: Path) -> None:
    about = tmp_path / "broken-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[ttkit.dialects]\nbroken = gone.away:Never\n")
    (tmp_path / "empty.mlir").write_text("")
    told = subprocess.run(
        [BIN / "tt-opt", "empty.mlir"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert told.returncode == 1
    assert told.stderr == (
        "error: the dialect 'broken' of an installed package can't be loaded from gone.away:Never: "
        "No module named 'gone'\n"
    )


@pytest.mark.parametrize(
    "place, told",
    [("gone.py", "no such file: gone.py"), ("empty.py", "defines no dialect"), ("wrong.py", "NameError")],
)
def test_files_that_define_none(tmp_path: Path, place: str, told: str) -> None:
    (tmp_path / "empty.py").write_text("")
    (tmp_path / "wrong.py").write_text("nothing\n")
    done = subprocess.run(
        [BIN / "tt-opt", f"--load-dialect={place}", "x.mlir"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 1 and done.stderr.startswith("error: --load-dialect: ") and told in done.stderr
