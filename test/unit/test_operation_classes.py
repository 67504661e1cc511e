"""Every operation has a class, typed accessors, a builder and a stub; MLIR's own classes stand beside ours."""

import ast
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest
from building import operations
from mlir import ir

import ttkit
from ttkit.dialects import arith, scf, tt, ttg

ROOT = Path(__file__).resolve().parents[2]
OURS = ("tt", "ttg", "ttng", "nvws", "nvg", "gluon", "proton", "proton_gpu")
DIALECTS = (*OURS, "arith", "builtin", "cf", "gpu", "llvm", "math", "nvvm", "scf", "ub")


def described(dialect: str) -> dict[str, str]:
    """The operations of a dialect by name, with the text of their definitions in the td files."""
    found = {}
    for file in (ROOT / "dialects" / dialect).glob("*_ops.td"):
        for part in re.split(r"\n(?=def )", file.read_text()):
            if match := re.match(r'def \w+\s*:\s*\w+Op\w*<"([\w.]+)"', part):
                found[f"{dialect}.{match[1]}"] = part
    return found


def classes(dialect: str) -> dict[str, type]:
    module = importlib.import_module(f"ttkit.dialects.{dialect}")
    found = (getattr(module, name) for name in dir(module))
    views = (value for value in found if isinstance(value, type) and issubclass(value, ir.OpView))
    return {cls.OPERATION_NAME: cls for cls in views}


def stub(dialect: str) -> tuple[dict[str, set[str]], set[str]]:
    """Classes of a stub with the names in them, and its functions."""
    generated = importlib.import_module(f"ttkit.dialects._{dialect}_ops")
    nodes = ast.parse(Path(generated.__file__).with_suffix(".pyi").read_text()).body
    inside = {
        node.name: {
            item.name if isinstance(item, ast.FunctionDef) else item.target.id
            for item in node.body
            if isinstance(item, (ast.FunctionDef, ast.AnnAssign))
        }
        for node in nodes
        if isinstance(node, ast.ClassDef)
    }
    return inside, {node.name for node in nodes if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("dialect", OURS)
def test_every_operation_of_the_td_files_has_a_class_with_its_parts(dialect):
    known, texts = classes(dialect), described(dialect)
    assert texts.keys() == known.keys()
    for name, text in texts.items():
        parts = set(
            re.findall(r"\$(\w+)", " ".join(re.findall(r"let (?:arguments|results|regions) = .*?;\n", text, re.S)))
        )
        parts.discard("_self")
        missing = {part for part in parts if not isinstance(inspect.getattr_static(known[name], part, None), property)}
        assert not missing, name


@pytest.mark.parametrize("dialect", DIALECTS)
def test_classes_and_builders_have_stubs(dialect):
    generated = importlib.import_module(f"ttkit.dialects._{dialect}_ops")
    stubs, functions = stub(dialect)
    found = (getattr(generated, name) for name in dir(generated) if not name.startswith("_"))
    defined = {value for value in found if getattr(value, "__module__", "") == generated.__name__}
    views = {value.__name__: value for value in defined if isinstance(value, type)}
    assert stubs.keys() == views.keys()
    for name, view in views.items():
        properties = {part for part, value in vars(view).items() if isinstance(value, property)}
        assert stubs[name] == properties | {"OPERATION_NAME"}
    assert functions == {value.__name__ for value in defined if inspect.isfunction(value)}
    assert len(functions) == len(views)  # a builder each


@pytest.mark.parametrize("dialect", DIALECTS)
def test_parameters_of_builders_are_those_of_their_stubs(dialect):
    generated = importlib.import_module(f"ttkit.dialects._{dialect}_ops")
    for node in ast.parse(Path(generated.__file__).with_suffix(".pyi").read_text()).body:
        if isinstance(node, ast.FunctionDef):
            names = [argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)]
            assert list(inspect.signature(getattr(generated, node.name)).parameters) == names


CODE = """
tt.func @f(%p: !tt.ptr<f32>, %m: i1, %x: f32, %n: i32, %s: i64, %t: tensor<4x8xf32>) {
  %0 = tt.load %p : !tt.ptr<f32>
  %1 = tt.load %p, %m, %x cacheModifier = cg : !tt.ptr<f32>
  %2 = tt.make_tensor_descriptor %p, [%n, %n], [%s, %s] : <f32>, <tensor<8x16xf32>>
  %3 = tt.trans %t {order = array<i32: 1, 0>} : tensor<4x8xf32> -> tensor<8x4xf32>
  %4 = tt.expand_dims %t {axis = 1 : i32} : tensor<4x8xf32> -> tensor<4x1x8xf32>
  %5 = arith.cmpi ult, %n, %n : i32
  %6 = arith.addf %x, %x fastmath<nnan,ninf> : f32
  tt.assert %m, "no" : i1
  cf.cond_br %m, ^a(%x : f32), ^b
^a(%y: f32):
  cf.br ^b
^b:
  tt.return
}
"""


MMA = """
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
tt.func @f(%a: !ttg.memdesc<128x64xf16, #tile, #smem>, %b: !ttg.memdesc<64x64xf16, #tile, #smem>,
           %d: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %flag: i1, %other: i1,
           %bar: !ttg.memdesc<1xi64, #bar, #smem, mutable>, %phase: i32) {
  ttng.tc_gen5_mma %a, %b, %d, %flag, %flag, %bar[%flag] {is_async}
      : !ttg.memdesc<128x64xf16, #tile, #smem>, !ttg.memdesc<64x64xf16, #tile, #smem>,
        !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #bar, #smem, mutable>
  ttng.wait_barrier %bar, %phase : !ttg.memdesc<1xi64, #bar, #smem, mutable>
  tt.return
}
"""


def test_parts_are_python_values(context):
    module = ttkit.parse(CODE)
    function = module.body.operations[0]
    pointer, mask, x, n, s, _ = function.arguments
    plain, masked, descriptor, trans, expand, compare, add, check, branch = operations(module)[1:10]
    assert (plain.ptr, plain.mask, plain.other, plain.padding) == (pointer, None, None, None)
    assert (masked.ptr, masked.mask, masked.other, masked.cache) == (pointer, mask, x, tt.CacheModifier.CG)
    assert (plain.isVolatile, plain.boundaryCheck) == (False, ())
    assert (list(descriptor.shape), list(descriptor.strides)) == ([n, n], [s, s])
    assert (trans.order, expand.axis, check.message) == ((1, 0), 1, "no")
    assert compare.predicate is arith.CmpIPredicate.ult
    assert add.fastmath == arith.FastMathFlags.nnan | arith.FastMathFlags.ninf
    assert (branch.condition, list(branch.trueDestOperands), list(branch.falseDestOperands)) == (mask, [x], [])
    assert (function.sym_name, str(function.function_type)[:6], function.sym_visibility) == ("f", "(!tt.p", None)


def test_attributes_are_set_by_values_and_removed_by_none(context):
    module = ttkit.parse(CODE)
    load, trans = (next(op for op in operations(module) if isinstance(op, cls)) for cls in (tt.LoadOp, tt.TransOp))
    load.isVolatile, load.padding, trans.order = True, "nan", [0, 1]
    assert (load.isVolatile, load.padding, trans.order) == (True, tt.PaddingOption.PAD_NAN, (0, 1))
    load.padding = None
    assert load.padding is None and "padding" not in load.attributes


def test_an_operand_that_is_one_value_is_set_by_its_name(context):
    module = ttkit.parse(CODE)
    _, mask, x, *_ = module.body.operations[0].arguments
    plain, masked, *_, compare, add, _, _ = operations(module)[1:10]
    masked.mask, masked.other, add.rhs = compare.result, plain.result, masked.result
    assert list(masked.operands) == [plain.ptr, compare.result, plain.result]
    assert list(add.operands) == [x, masked.result]
    with pytest.raises(IndexError):
        plain.mask = mask  # it has none: an operand has to be added
    with pytest.raises(AttributeError):
        plain.result = x


def test_an_operand_of_a_group_is_set_by_its_name(context):
    module = ttkit.parse(MMA)
    a, b, d, flag, other, barrier, phase = module.body.operations[0].arguments
    mma, wait = operations(module)[1:3]
    mma.useD = other
    assert list(mma.operands) == [a, b, d, other, flag, barrier, flag]
    wait.phase = phase
    assert list(wait.operands) == [barrier, phase]
    with pytest.raises(IndexError, match=r"'ttng.tc_gen5_mma' has no operand in group 3"):
        mma.acc_dep = flag
    with pytest.raises(IndexError, match=r"'ttng.wait_barrier' has no operand in group 2"):
        wait.pred = flag


def test_builders_infer_types_and_take_operations_for_their_result(context):
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        one = arith.constant(ir.IntegerType.get_signless(32), 1)
        total = arith.addi(one.owner, one)
        smaller = arith.cmpi("slt", total, one)
        assert (str(total.type), str(smaller.type)) == ("i32", "i1")
        ones = arith.constant(ir.RankedTensorType.get([4], ir.F32Type.get()), 1.0)
        assert str(ones.owner) == "%cst = arith.constant dense<1.000000e+00> : tensor<4xf32>"
        with pytest.raises(TypeError, match="found 1"):
            arith.addi(one, 1)
        with pytest.raises(ValueError, match="'lt' is not a CmpIPredicate: expected eq, ne"):
            arith.cmpi("lt", one, one)


def test_loops_and_branches_have_blocks(context):
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        index = ir.IntegerType.get_signless(32)
        zero, one = arith.constant(index, 0), arith.constant(index, 1)
        loop = scf.for_(zero, one, one, [one])
        with ir.InsertionPoint(loop.body):
            scf.yield_([arith.addi(loop.induction_variable, loop.inner_iter_args[0])])
        branch = scf.if_(arith.cmpi("eq", zero, one), [index])
        for block, value in ((branch.then_block, one), (branch.else_block, zero)):
            scf.yield_([value], ip=ir.InsertionPoint(block))
        assert loop.operation.verify() and branch.operation.verify()
        assert scf.if_(arith.cmpi("eq", zero, one)).else_block is None


def test_flags_are_spelled_as_in_the_ir():
    both = ttg.AddrSpace("local|global_read")
    assert both == ttg.AddrSpace.Local | ttg.AddrSpace.GlobalRead and str(both) == "local|global_read"
    assert (str(ttg.AddrSpace.None_), str(ttg.AddrSpace.All), str(ttg.AddrSpace(0))) == ("none", "all", "none")
    with pytest.raises(ValueError, match="'nowhere' is not a AddrSpace"):
        ttg.AddrSpace("nowhere")


def test_what_a_dialect_does_not_have():
    with pytest.raises(AttributeError, match="the dialect tt has no 'LoudOp'"):
        _ = tt.LoudOp


@pytest.mark.parametrize("first", ["mlir.dialects", "ttkit.dialects"])
def test_classes_of_mlir_build_and_ours_read(first):
    """Whichever module of arith is imported first, operations arrive in ours."""
    other = "ttkit.dialects" if first == "mlir.dialects" else "mlir.dialects"
    code = (
        f"import ttkit\nfrom mlir import ir\nfrom {first} import arith\nfrom {other} import arith\n"
        "from mlir.dialects import arith as theirs, scf\nfrom ttkit.dialects import arith as ours\n"
        "with ttkit.Context(), ir.Location.unknown():\n"
        "    module = ir.Module.create()\n"
        "    with ir.InsertionPoint(module.body):\n"
        "        one = theirs.constant(ir.IntegerType.get_signless(32), 1)\n"
        "        theirs.addi(one, ours.addi(one, one))\n"
        "    print({type(op).__module__ for op in module.body.operations})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "{'ttkit.dialects._arith_ops'}", done.stderr


def test_classes_are_made_when_operations_arrive() -> None:
    """By the first operation, before anybody names the class; what a dialect has by hand stays."""
    code = (
        "import ttkit\nfrom mlir import ir\nfrom ttkit.dialects import _tt_ops as ops, scf, tt\n"
        "print('SplatOp' in vars(ops), 'SplatOp' in dir(tt), 'splat' in vars(tt))\n"
        "text = '%a = arith.constant 1 : i32\\n tt.splat %a : i32 -> tensor<4xi32>'\n"
        "with ttkit.Context():\n"
        "    first = list(ttkit.parse(text).body.operations)[-1]\n"
        "    print(type(first).__name__, type(first) is tt.SplatOp is ops.SplatOp, first.src.type)\n"
        "    loop = '%i = arith.constant 1 : i32\\n scf.for %j = %i to %i step %i : i32 {}'\n"
        "    print(type(list(ttkit.parse(loop).body.operations)[-1]) is scf.ForOp is not scf.ops.ForOp)\n"
        "from ttkit.dialects.tt import *\n"
        "print(LoadOp is tt.LoadOp, load is tt.load)\n"
        "try: tt.NoSuchOp\nexcept AttributeError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == [
        "False True True",
        "SplatOp True i32",
        "True",
        "True True",
        "the dialect tt has no 'NoSuchOp'",
    ], done.stderr
