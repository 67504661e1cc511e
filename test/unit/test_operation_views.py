"""Operations without their classes: the table of accessors says what the classes say; classes come when asked for."""

import subprocess
import sys
from pathlib import Path

import pytest
from building import operations
from mlir import ir

import ttkit
from ttkit import operation_views
from ttkit.dialects import _tt_enum_gen, _ttg_enum_gen
from ttkit.dialects._accessors_gen import ACCESSORS

IR = Path(__file__).parents[1] / "data" / "ir"


def comparable(value: object) -> object:
    """What tells values of accessors apart: enumeration members and their attributes are alike."""
    if isinstance(value, ir.Region):
        return [str(block) for block in value.blocks]
    if isinstance(value, ir.IntegerAttr):
        return int(value.value)
    if value is None or isinstance(value, (bool, int, ir.Attribute, ir.Value)):
        return value
    return [comparable(item) for item in value]


@pytest.mark.parametrize("file", ["row_softmax.90.ttir", "layer_norm_gradient.90.ttgir", "scans.90.ttgir"])
def test_the_table_of_accessors_says_what_classes_say(file, context):
    seen = 0
    module = ttkit.parse((IR / file).read_text())
    for op in operations(module):
        for name in ACCESSORS.get(op.operation.name, ()):
            found, expected = operation_views.part(op, name), getattr(op, name)
            assert comparable(found) == comparable(expected), f"{op.operation.name}.{name}"
            seen += 1
    assert seen > 50


SEGMENTS = """
tt.func @f(%p: !tt.ptr<f32>, %m: i1, %x: f32, %n: i32, %s: i64) {
  %0 = tt.load %p : !tt.ptr<f32>
  %1 = tt.load %p, %m : !tt.ptr<f32>
  %2 = tt.load %p, %m, %x : !tt.ptr<f32>
  tt.store %p, %x, %m : !tt.ptr<f32>
  %3 = tt.atomic_rmw fadd, relaxed, gpu, %p, %x, %m : (!tt.ptr<f32>, f32, i1) -> f32
  %4 = tt.make_tensor_descriptor %p, [%n, %n], [%s, %s] : <f32>, <tensor<8x16xf32>>
  cf.cond_br %m, ^a(%x : f32), ^b
^a(%y: f32):
  cf.br ^b
^b:
  tt.return
}
"""


def test_optional_and_repeated_operands_are_found(context):
    module = ttkit.parse(SEGMENTS)
    for op in operations(module):
        for name in ACCESSORS.get(op.operation.name, ()):
            assert comparable(operation_views.part(op, name)) == comparable(getattr(op, name))


def test_numbers_of_enumerations_are_those_of_their_members():
    from ttkit.dialects import _numbers_gen

    for module in (_tt_enum_gen, _ttg_enum_gen):
        for name, members in vars(module).items():
            if isinstance(members, type) and members.__module__ == module.__name__:
                numbers = getattr(_numbers_gen, name)
                assert {key: getattr(numbers, key) for key in members.__members__} == {
                    key: int(member) for key, member in members.__members__.items()
                }


COMPILE = """
import sys
from ttkit.options import CompileOptions
from ttkit.compiler.levels import compile_ir
text = "tt.func public @f(%p: !tt.ptr<f32>, %x: f32) { tt.store %p, %x : !tt.ptr<f32> tt.return }"
compile_ir(text, "ttir", CompileOptions(), 90, until="ptx")
"""


def output(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_classes_come_after_compiling_too():
    code = (
        f"{COMPILE}\nassert 'ttkit.dialects.tt' not in sys.modules\nimport ttkit\n"
        "with ttkit.Context():\n"
        "    module = ttkit.parse('tt.func @f() { tt.return }')\n    function = module.body.operations[0]\n"
        "    print(type(function).__name__, function.name, type(function.entry_block.operations[0]).__name__)"
    )
    assert output(code) == "FuncOp f ReturnOp"


def test_a_plain_view_has_no_other_names():
    code = (
        "from ttkit.context import CompilerContext\nimport ttkit\n"
        "with CompilerContext() as context:\n"
        "    module = ttkit.parse('tt.func @f() { tt.return }', context)\n    function = module.body.operations[0]\n"
        "    print(type(function).__name__, function.sym_name, function.OPERATION_NAME, hasattr(function, 'mask'))"
    )
    assert output(code) == 'OpView "f" tt.func False'
