"""Regions, several and optional values, types and attributes of dialects that packages define in Python.

Each test runs in a process of its own, as in test_own_dialects.py.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from test_own_dialects import BIN, ROOT, python, run

EXAMPLE = ROOT / "examples" / "own_regions"


def test_the_tests_of_the_example(tmp_path: Path) -> None:
    folder = tmp_path / "each"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__", "Output"))
    assert "Passed: 3" in run(folder, "lit", "-v", "tests")
    assert "passed" in run(folder, sys.executable, "-m", "pytest", "-q", "tests", path=str(folder))


def test_the_lowering_of_elements_in_every_layout(tmp_path: Path) -> None:
    python(tmp_path, LOWERED, path=f"{EXAMPLE}{os.pathsep}{Path(__file__).parent}")


LOWERED = """\
import numpy as np, each
from lowered_tensors import compute, module

blocked = "#ttg.blocked<{{sizePerThread = [{}], threadsPerWarp = [{}], warpsPerCTA = [{}], order = [{}]}}>"
layouts = [
    blocked.format("1, 32", "16, 2", "2, 1", "1, 0"),
    blocked.format("4, 1", "32, 1", "1, 2", "0, 1"),
    "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 2], instrShape = [16, 8]}>",
    "#ttg.slice<{dim = 1, parent = " + blocked.format("1, 2, 2", "4, 2, 4", "2, 1, 1", "2, 1, 0") + "}>",
]
for layout in layouts:
    for element, dtype, add in (("f32", np.float32, "addf"), ("i16", np.int16, "addi"), ("f64", np.float64, "addf")):
        type = f"tensor<16x32x{element}, {layout}>"
        two = "2.0" if dtype(0.5) else "2"
        text = f'''tt.func public @f(%x: {type}) -> {type} {{
          %two = arith.constant {two} : {element}
          %limits = each.limits %two {{operandSegmentSizes = array<i32: 1, 0>}} : ({element}) -> !each.limits<{element}>
          %y = each.clamp %x, %limits : ({type}, !each.limits<{element}>) -> {type}
          %z = each.map %y ({{
          ^bb0(%a: {element}):
            %b = arith.{add} %a, %two : {element}
            each.yield %b : ({element}) -> ()
          }}) {{times = #each.times<2 : i32>}} : ({type}) -> {type}
          tt.return %z : {type}
        }}'''
        x = (np.arange(512) % 7 - 3).astype(dtype).reshape(16, 32)
        (found,) = compute(module(text, warps=2), x if dtype != np.int16 else x.view(np.uint16))
        assert np.array_equal(found.view(dtype), np.maximum(x, 2) + 4), (layout, element)
"""

DEFINED = """\
from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeVar
import ttkit
from mlir import ir
from ttkit.dialects import ext

T = TypeVar("T")

class Own(ext.Dialect, name="own"):
    pass

class Shade(Own.Attribute, name="shade"):
    text: str
    level: int = 3

class Pair(Own.Type, name="pair"):
    of: ir.FloatType | ir.IntegerType
    sizes: tuple[int, ...]
    shade: Shade

    @classmethod
    def verify_invariants(cls, of, sizes, shade):
        if sum(sizes) > 10:
            raise ValueError(f"at most 10, found {sum(sizes)}")
        if sum(sizes) == 7:
            raise KeyError("oh")

class EndOp(Own.Operation, name="end", pure=True, terminator=True):
    pass

class GroupsOp(Own.Operation, name="groups"):
    first: ext.Operand[Literal["i32", "i64"]]
    maybe: ext.Operand[T] | None
    many: Sequence[ext.Operand[T]]
    flag: bool | None
    kind: ir.IntegerType | None
    some: Sequence[ext.Result]
    one: ext.Result[Pair[ir.F32Type, Any, Any]] | None

class SomeOp(Own.Operation, name="some"):
    many: Sequence[ext.Operand]
    last: ext.Operand

class IfOp(Own.Operation, name="if", pure=True):
    then: ext.Region
    other: ext.Region | None
    cases: Sequence[ext.Region]

class BlocksOp(Own.Operation, name="blocks", no_terminator=True, isolated=True):
    src: ext.Operand[T]
    body: Annotated[ext.Region, ext.OneBlock(arguments=(T, ir.IndexType))]

class EachOp(Own.Operation, name="each"):
    src: ext.Operand[T]
    body: Annotated[ext.Region, ext.OneBlock(arguments=(T, T))]

class FlowOp(Own.Operation, name="flow"):
    body: Annotated[ext.Region, ext.AnyBlocks()]

def why(module):
    try:
        module.operation.verify()
    except ir.MLIRError as error:
        return next(line for line in str(error).splitlines() if "'own." in line or "error" in line)
    return "valid"

def refused(make, *args, **kwargs):
    try:
        return make(*args, **kwargs)
    except (IndexError, TypeError, ValueError, ir.MLIRError) as error:
        return f"{type(error).__name__}: {error}"

"""


def printed(tmp_path: Path, text: str) -> list[str]:
    return python(tmp_path, DEFINED + text).splitlines()


def test_types_and_attributes(tmp_path: Path) -> None:
    lines = printed(
        tmp_path,
        """
for _ in range(3):  # TypeIDs belong to contexts, which come and go
    with ttkit.Context():
        made = Pair.get(ir.F32Type.get(), (1, 2), Shade.get("a, \\"b\\""))
        again = ir.Type.parse(str(made))
        assert again == made and type(again) is type(made) is Pair and type(again.shade) is Shade, type(again)
print(again, again.of, again.sizes, again.shade.text, again.shade.level)
with ttkit.Context() as context:
    f32, shade = ir.F32Type.get(), Shade.get("a")
    print(Pair.text("f32", (1,), '#own.shade<"a", 3 : i32>') == str(Pair.get(f32, (1,), shade, context=context)))
    print(refused(Pair.get, ir.IndexType.get(), (1,), shade))
    print(refused(Pair.get, f32, (20,), shade))
    print(refused(Pair.get, f32, (7,), shade))
    print(refused(Pair.get, f32))
    print(refused(Pair.get, 3, (1,), shade))
    print(refused(Pair, f32))
    print(refused(ir.Type.parse, '!own.pair<f32, array<i32: 20>, #own.shade<"a", 3 : i32>>'))
    print(refused(ir.Type.parse, "!own.none"))
""",
    )
    assert lines[0] == ('!own.pair<f32, array<i32: 1, 2>, #own.shade<"a, \\22b\\22", 3 : i32>> f32 (1, 2) a, "b" 3')
    assert lines[1] == "True"
    assert lines[2] == "ValueError: !own.pair: parameter 'of' must be a FloatType or an IntegerType, found index"
    assert lines[3] == "ValueError: !own.pair: at most 10, found 20"
    assert lines[4].startswith("ValueError: the verifier of '!own.pair' raised KeyError: 'oh' (")
    assert lines[5] == "TypeError: missing a required argument: 'sizes'"
    assert lines[6] == "TypeError: expected an ir.Type, not 3"
    assert lines[7] == "ValueError: f32 is not a !own.pair"
    assert lines[9].endswith(":1:6: !own.pair: at most 10, found 20")
    assert lines[11].endswith(":1:6: expected dynamic type")


def test_groups_of_operands_and_results(tmp_path: Path) -> None:
    lines = printed(
        tmp_path,
        """
with ttkit.Context(), ir.Location.unknown():
    module = ttkit.parse("%0 = arith.constant 3 : i32\\n%1 = arith.constant 1.0 : f32\\n%2 = arith.constant 1.0 : f64")
    a, b, c = (op.result for op in module.body.operations)
    pair = Pair.get(b.type, (), Shade.get("a"))
    with ir.InsertionPoint(module.body):
        op = GroupsOp(a, None, [b, b], flag=None, results=[[a.type, b.type], pair])
        small = GroupsOp(a, b, [], True, kind=a.type, results=[[], None])
        some = SomeOp([a, b], c, results=[])
    print(op)
    print(op.first == a, op.maybe, op.many == [b, b], op.flag, op.kind, len(op.some), op.one.type)
    print(small.maybe == b, small.many, small.flag, small.kind, small.some, small.one)
    print(some.many == [a, b], some.last == c)
    again = ttkit.parse(str(module))
    print(str(again) == str(module), why(module))
    some.last = b
    small.maybe = c
    print(some.last == b, small.maybe == c, refused(setattr, op, "maybe", b))
    print(refused(GroupsOp, a, b, [c], None, results=[[]]))
    print(refused(GroupsOp, a, b, [c], None))
    with ir.InsertionPoint(module.body):
        wrong = GroupsOp(a, b, [c], None, results=[[], None])
    print(why(module))
    wrong.operation.erase()
    with ir.InsertionPoint(module.body):
        wrong = GroupsOp(c, None, [], None, results=[[], None])
    print(why(module))
    wrong.operation.erase()
    double = Pair.get(c.type, (), Shade.get("a"))
    with ir.InsertionPoint(module.body):
        wrong = GroupsOp(a, None, [], None, results=[[], double])
    print(why(module))
    wrong.operation.erase()
    ir.Operation.create("own.some", ip=ir.InsertionPoint(module.body))
    print(why(module))
""",
    )
    assert (
        "operandSegmentSizes = array<i32: 1, 0, 2>" in lines[0] and "resultSegmentSizes = array<i32: 2, 1>" in lines[0]
    )
    assert lines[1] == 'True None True None None 2 !own.pair<f32, array<i32>, #own.shade<"a", 3 : i32>>'
    assert lines[2:4] == ["True [] True i32 [] None", "True True"]
    assert lines[4] == "True valid"
    assert lines[5] == "True True IndexError: 'own.groups' has no operand there; an operand has to be added"
    assert lines[6] == "TypeError: own.groups has 2 results, found 1"
    assert "don't follow from its operands: give results=" in lines[7]
    assert lines[8].endswith("'own.groups' op 'maybe' and 'many' must have the same type, found f32 and f64")
    assert lines[9].endswith("'own.groups' op operand 'first' must be of type i32 or i64, found f64")
    assert "'own.groups' op result 'one' must be of type !own.pair<a F32Type, anything, anything>, found" in lines[10]
    assert lines[11].endswith("'own.some' op expected at least 1 operand, found 0")


def test_regions(tmp_path: Path) -> None:
    lines = printed(
        tmp_path,
        """
with ttkit.Context(), ir.Location.unknown():
    module = ttkit.parse("%0 = arith.constant 3 : i32")
    (a,) = (op.result for op in module.body.operations)
    index = ir.IndexType.get()
    with ir.InsertionPoint(module.body):
        op = IfOp(then=[], cases=[[a.type], []])
        bare = IfOp(then=[])
        blocks = BlocksOp(a, body=[a.type, index])
        each = EachOp(a)  # the types of the arguments follow
        flow = FlowOp(body=[])
    for region in [op.then, *op.cases, bare.then, each.body, flow.body]:
        with ir.InsertionPoint(region.blocks[0]):
            EndOp()
    print(len(op.cases), op.other, len(op.operation.regions), len(bare.cases))
    print([str(one.type) for one in each.body.blocks[0].arguments], why(module))
    again = ttkit.parse(str(module))
    generic = module.operation.get_asm(print_generic_op_form=True)
    print(str(again) == str(module), str(ttkit.parse(generic)) == str(module))
    with ir.InsertionPoint(blocks.body.blocks[0]):
        user = SomeOp([], a, results=[])
    print(why(module))
    user.operation.erase()
    each.body.blocks[0].add_argument(index, ir.Location.unknown())
    print(why(module))
    each.body.blocks[0].erase_argument(2)
    with ir.InsertionPoint(bare.then.blocks.append()):
        EndOp()
    print(why(module))
    bare.operation.erase()
    with ir.InsertionPoint(module.body):
        bad = FlowOp()
    print(why(module))
    bad.operation.erase()
    ttkit.run_passes(module, "canonicalize")
    print("own.if" in str(module), "own.flow" in str(module))  # the first has no effects, nor has what stands in it
""",
    )
    assert lines[0] == "2 None 4 0"
    assert lines[1] == "['i32', 'i32'] valid"
    assert lines[2] == "True True"
    assert lines[3].endswith("'own.some' op using value defined outside the region")
    assert lines[4].endswith("'own.each' op region 'body' must have 2 arguments, found 3")
    assert lines[5].endswith("'own.if' op region 'then' must have one block, found 2")
    assert lines[6].endswith("'own.flow' op region 'body' has no block")
    assert lines[7] == "False True"


@pytest.mark.parametrize(
    "text, told",
    [
        ("class A(Own.Type, name='pair'): pass", "there is a '!own.pair' already, Pair"),
        ("class A(Own.Type, name='A'): pass", "'A' can't name a type or attribute"),
        ("class A(ext.TypeBase, name='a'): pass", "A is in no dialect: derive it from MyDialect.Type"),
        ("class A(Own.Type, name='a'): typeid: int", "A.typeid: every type has something of that name"),
        ("class A(Own.Type, name='a'): x: int | None", "A.x: a parameter can't be absent"),
        ("class A(Own.Type, name='a'): x: dict", "A.x is <class 'dict'>; write "),
        (
            "class A(Own.Operation, name='a'): x: ext.Operand[Pair[ir.F32Type]]",
            "Pair has parameters (of, sizes, shade)",
        ),
        ("class A(Own.Operation, name='a'):\\n  x: Sequence[ext.Region]\\n  y: ext.Region", "only the last region"),
        ("ext_functions.kernel_function(IfOp)", "region 'then': kernels write regions of one block, whose terminator"),
        ("Pair[1, 2, 3]()", "Pair.get makes one"),
    ],
)
def test_definitions_that_are_none(tmp_path: Path, text: str, told: str) -> None:
    body = text.replace("\\n", "\n    ")
    script = f"import ttkit.language.package_functions as ext_functions\ntry:\n    {body}\n"
    script += "except (TypeError, ValueError) as error:\n    print(error)\n"
    assert told in python(
        tmp_path, DEFINED + "from ttkit.dialects._parametric import TypeBase\next.TypeBase = TypeBase\n" + script
    )


def test_a_type_that_does_not_exist_is_told_in_tt_opt(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(DEFINED)
    (tmp_path / "x.mlir").write_text("tt.func private @f(!own.gone<f32>)\n")
    done = subprocess.run(
        [BIN / "tt-opt", "--load-dialect=own.py", "x.mlir"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 1 and "x.mlir:1:25: error: expected dynamic type" in done.stderr
