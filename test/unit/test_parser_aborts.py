"""What MLIR's parsers end the process on is refused before they read it, and nothing else is."""

from pathlib import Path

import pytest
from mlir import ir

import ttkit
from ttkit.guards.parser_aborts import abort_in

ROOT = Path(__file__).parents[2]
ABORTS = [
    ROOT / "test/fuzz/corpus/parse" / f"{name}.mlir"
    for name in """array_of_index dense_element_count_overflow
    llvm_function_as_parameter loop_without_an_argument switch_case_of_the_largest_number switch_case_out_of_range
    switch_case_out_of_range_in_func""".split()
]


@pytest.mark.parametrize("path", ABORTS, ids=lambda path: path.stem)
def test_known_aborts_are_refused(path):
    with pytest.raises(ir.MLIRError, match=r"\d+:\d+: ") as raised:
        ttkit.parse(path.read_text())
    assert raised.value.error_diagnostics


@pytest.mark.parametrize(
    "text",
    [
        "!f = !llvm.func<void ()>\nllvm.func @f(%p: !f) {\n  llvm.return\n}",
        "!v = !llvm.void\n!w = !v\nllvm.func @f(i32,\n  !w)",
        "llvm.func internal @f(%p: i32 {a.b = (i32) -> i32}, %q: !llvm<void>) {\n  llvm.return\n}",
        "llvm.func @f(i32) -> !llvm.func<void ()>",
        "!m = !llvm.metadata\nllvm.func @f(i32, ...) -> (!m {a.b})",
    ],
)
def test_functions_with_types_that_llvm_has_not_are_refused(text):
    with pytest.raises(ir.MLIRError, match="can't be"):
        ttkit.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "// array<index: 1> is none\nmodule {}",
        'module attributes {t.a = "array<index: 1>", t.b = array<i32: 1>} {}',
        "func.func @f(%n: i32) {\n  cf.switch %n : i32, [default: ^e, -2147483648: ^e]\n^e:\n  return\n}",
        "func.func @f(%n: index) {\n  scf.index_switch %n\n  case 7 {\n    scf.yield\n  }\n"
        "  default {\n  }\n  return\n}",
        'func.func @f(%n: i32) {\n  "scf.for"(%n, %n, %n) ({\n  ^bb0(%i: i32):\n    "scf.yield"() : () -> ()\n'
        "  }) : (i32, i32, i32) -> ()\n  return\n}",
        "!f = !llvm.func<void ()>\nfunc.func private @f(!f)\nllvm.func @g(!llvm.ptr {llvm.byval = !f}) -> !llvm.void",
        "func.func private @f(tensor<1000000000x128xf32>)",
    ],
)
def test_others_are_read(text):
    ttkit.parse(text)


def test_places_are_told():
    assert abort_in("module {\n  %0 = arith.constant dense<0.0> : tensor<9223372036854775807x2xf32>\n}")[0] == 2
    assert abort_in("!t = tensor<128x9223372036854775807xf32>\n")[0] == 1
    switch = '%0 = "scf.index_switch"(%i) <{cases = array<i64: -9223372036854775808>}> ({'
    assert "largest or smallest" in abort_in(switch)[2]
    found = abort_in('\n\n  "a.b"() {c = array<index: 1>} : () -> ()')
    assert found == (3, 16, "an array has elements of integers or floats, not of index")


def test_ir_of_tests_is_not_refused():
    refused = {}
    for path in sorted((ROOT / "test/lit").rglob("*.mlir")):
        for part in path.read_text().split("// -----"):
            if reason := abort_in(part):
                refused[path.name] = reason
    assert not refused
