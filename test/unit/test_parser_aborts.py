"""What MLIR's parsers end the process on is refused before they read it, and nothing else is."""

import re
import sys
import time
from pathlib import Path

import pytest
import warm_commands
from mlir import ir

import ttkit
from ttkit.compat.ir import parse_mlir_module
from ttkit.guards.parser_aborts import abort_in

ROOT = Path(__file__).parents[2]
ABORTS = [
    ROOT / "test/fuzz/corpus/parse" / f"{name}.mlir"
    for name in """array_of_index dense_element_count_overflow
    llvm_function_as_parameter loop_without_an_argument operation_called_as_a_dialect
    shuffle_of_no_elements switch_case_of_the_largest_number switch_case_out_of_range switch_case_out_of_range_in_func
    string_without_end_in_metadata vector_longer_than_32_bits""".split()
]


@pytest.mark.parametrize("path", ABORTS, ids=lambda path: path.stem)
def test_known_aborts_are_refused(path):
    for content in (path.read_text(), path.read_bytes()):
        with pytest.raises(ir.MLIRError, match=r"\d+:\d+: ") as raised:
            ttkit.parse(content)
        assert raised.value.error_diagnostics
    with pytest.raises(ir.MLIRError, match=re.escape(path.name)):
        parse_mlir_module(str(path), ttkit.Context())


@pytest.mark.parametrize("path", ABORTS, ids=lambda path: path.stem)
@pytest.mark.parametrize("options", [[], ["--triton-combine"]], ids=["plain", "with_python"])
def test_tt_opt_refuses_them(path, options):
    result = run("tt-opt", *options, str(path))
    assert result.returncode == 1
    line, column, _ = abort_in(path.read_text())
    assert re.match(rf"{re.escape(str(path))}:{line}:{column}: error: .*\n.*\n *\^\n\Z", result.stderr), result.stderr


@pytest.mark.parametrize(
    "command",
    [
        ["tt-run"],
        ["tt-compile", "-o", "k.cubin"],
        ["tt-layout"],
        ["tt-reduce", "--test-pass", "cse", "--fails"],
        ["ttkit", "prove"],
        ["ttkit", "schedule"],
        ["ttkit", "explore"],
    ],
    ids=" ".join,
)
def test_all_commands_read_by_one_door(tmp_path, command):
    path = tmp_path / "k.ttir"
    path.write_text(' "arith"() : () -> ()')
    result = run(*command, str(path))
    assert result.returncode == 1
    assert re.search('[:(]1:[23].*"arith" is not an operation of a registered dialect', result.stderr, re.DOTALL)


def run(command, *arguments):
    return warm_commands.run([Path(sys.executable).with_name(command), *arguments])


def test_nothing_parses_modules_elsewhere():
    files = [path for path in (ROOT / "python/ttkit").rglob("*.py") if "ir.Module.parse" in path.read_text()]
    assert [path.name for path in files] == ["context.py"]


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


@pytest.mark.parametrize("value", ['"b', r'"b\q"', "~", "%", ".", "\x01", "// no more"])
def test_values_in_metadata_that_are_no_tokens_are_refused(value):
    with pytest.raises(ir.MLIRError, match="metadata"):
        ttkit.parse(f"module {{}}\n{{-# external_resources: {{ a: {{ b: {value}")


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
        'func.func @f(%n: i32) {\n  emitc.call_opaque "f"(%n) : (i32) -> ()\n  return\n}',
        'module {} loc("a"("b.py":1:2))',
        'module {}\n{-#\n  external_resources: {\n    a: { b: "c: \\"~", d: // e: ~\n      true }\n  }\n#-}',
    ],
)
def test_others_are_read(text):
    ttkit.parse(text)


@pytest.mark.parametrize(
    "piece",
    [
        "!llvm.func<",
        "llvm.func @f(",
        "llvm.func ",
        "cf.switch %a : i32, [",
        "cf.switch %a : i32, [1:",
        'scf.index_switch" ',
        '"scf.for"',
        '"scf.for" ({',
        '"x"(%a) ',
        'a.b "x"(%a) ',
        '"x" // ',
        '\\"',
        "dense<",
        "!a = tensor<1x",
        "vector<1x",
        "vector<1234567890",
        "llvm.shufflevector %a, ",
        "{-# a:",
        '{-# a: "',
        ': "\\"',
    ],
)
def test_no_text_takes_long(piece):
    for text in (piece * 20_000, f'array<index: 1> "{piece * 20_000}'):
        start = time.process_time()
        abort_in(text)
        assert time.process_time() - start < 2


@pytest.mark.parametrize("digits", [10, 1200, 5000])
def test_numbers_of_any_length_are_read(digits):
    number = "9" * digits
    for text in (f"cf.switch %a : i{number}, [default: ^b, 1: ^b]", f"cf.switch %a : i32, [1: ^b, {number}: ^b]",
                 "cf.switch %a : i0, [1: ^b]", f"!a = tensor<{number}x2x0xf32>"):  # fmt: skip
        abort_in(text)


def test_places_are_told():
    assert abort_in("module {\n  %0 = arith.constant dense<0.0> : tensor<9223372036854775807x2xf32>\n}")[0] == 2
    assert abort_in("!t = tensor<128x9223372036854775807xf32>\n")[0] == 1
    switch = '%0 = "scf.index_switch"(%i) <{cases = array<i64: -9223372036854775808>}> ({'
    assert "largest or smallest" in abort_in(switch)[2]
    for text in ('%0 = "index"() : () -> i32', '"index" // of\n // no\n (%a)', r'"\69ndex"()', b'\xff "index"()'):
        assert abort_in(text)[1] in (1, 3, 6)
        assert abort_in(text, allows_unregistered=True) is None
    found = abort_in('\n\n  "a.b"() {c = array<index: 1>} : () -> ()')
    assert found == (3, 16, "an array has elements of integers or floats, not of index")


def test_ir_of_tests_is_not_refused():
    refused = {}
    for path in sorted((ROOT / "test/lit").rglob("*.mlir")):
        text = path.read_text()
        for part in text.split("// -----"):
            if reason := abort_in(part, "allow-unregistered-dialect" in text):
                refused[path.name] = reason
    assert not refused
