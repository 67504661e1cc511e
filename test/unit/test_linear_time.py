"""Text that comes from elsewhere is read in time in proportion to it: 20,000 pieces at once, and more."""

import contextlib
import time

import pytest

from ttkit.analysis import value_names
from ttkit.aot import dispatcher
from ttkit.compiler import ptxas_errors
from ttkit.display import ir_html
from ttkit.guards.parser_aborts import abort_in
from ttkit.interpreter.lowered import ptx_text
from ttkit.language_server import analysis
from ttkit.tracing import dumps, locations

COUNT = 20_000
LAYOUT = "#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>"
EVERYWHERE = {"start": {"line": 0}, "end": {"line": 1 << 30}}


def kernel(count, ending="\n"):
    body = "".join(f"%v{i + 1} = arith.addi %v{i}, %v{i} : tensor<128xi32, #l>{ending}" for i in range(count))
    head = f'#l = {LAYOUT}\nmodule attributes {{"ttg.num-warps" = 4 : i32}} {{tt.func @k(%v0: tensor<128xi32, #l>) {{\n'
    return f"{head}{body}\ntt.return }} }}\n"


def conversions(count):
    line = "ttg.convert_layout %v0 : tensor<128xi32, #l> -> tensor<128xi32, #m>\n"
    body = "".join(f"%v{i + 1} = {line}" for i in range(count))
    return f"#m = {LAYOUT.replace('[4]', '[2]')}\n" + kernel(0).replace("\ntt.return", f"{body}tt.return")


def ptx(count):
    lines = "".join(f".loc 1 {i} 1\nadd.s32 %r1, %r1, %r2;\n" for i in range(count))
    return f'.file 1 "k.py"\n.visible .entry k()\n{{\n{lines}}}\n'


def llvm(count):
    lines = "".join(f"  %v{i + 1} = add i32 %v{i}, %v{i}, !dbg !{i + 1}\n" for i in range(count))
    return lines + "".join(f"!{i + 1} = !DILocation(line: {i}, column: 1, scope: !0)\n" for i in range(count))


def refused(read, *arguments):
    with contextlib.suppress(ValueError):
        read(*arguments)


CASES = {
    "hints": lambda: analysis.hints("", kernel(COUNT // 4), EVERYWHERE),
    "hints of one line": lambda: analysis.hints("", kernel(COUNT // 4, " "), EVERYWHERE),
    "hints of conversions": lambda: analysis.hints("", conversions(COUNT // 10), EVERYWHERE),
    "aliases": lambda: analysis.layout_names("#a = " + " " * COUNT + "b"),
    "escaped quotes": lambda: value_names.without_locations('"\\' * COUNT),
    "quotes in a location": lambda: value_names.without_locations("loc(" + '\\"(' * COUNT),
    "results": lambda: value_names.result_names([",%1" * COUNT], 1, 3 * COUNT + 1),
    "cases of a switch": lambda: abort_in(f"cf.switch %a : i32, [{'1' * COUNT}"),
    "notebooks": lambda: ir_html('"\\' * COUNT),
    "comments of PTX": lambda: refused(ptx_text.statements, "/*" * COUNT + "*"),
    "labels of PTX": lambda: refused(ptx_text.statements, "ret" * COUNT),
    "errors of ptxas": lambda: ptxas_errors.located_errors(
        "".join(f"ptxas k.ptx, line {i}; error   : x\n" for i in range(COUNT)), ptx(COUNT), "k.ptx"
    ),
    "headers": lambda: refused(dispatcher.read_header, "// tt-linker: add:" * COUNT, "add.h"),
    "dumps": lambda: dumps.kernels_of_dump("// -----// IR Dump Before X (cse) ('m' operation)\ntt.func @k()\n" * COUNT),
    "locations of MLIR": lambda: locations.mlir_lines('loc("\\' * COUNT),
    "locations of LLVM": lambda: locations.llvm_lines(llvm(COUNT)),
    "a word of LLVM's metadata": lambda: locations.llvm_lines(f"!1 = !DIFile({'1' * COUNT})"),
    "locations of PTX": lambda: locations.ptx_lines(ptx(COUNT)),
}


@pytest.mark.parametrize("name", CASES)
def test_time_is_in_proportion_to_the_text(name):
    start = time.process_time()
    CASES[name]()
    assert time.process_time() - start < 8


def test_errors_of_ptxas_have_the_place_before_them():
    log = "ptxas k.ptx, line 6; error   : x\nptxas k.ptx, line 999; error   : y\nptxas k.ptx, line 2; error   : z\n"
    found = ptxas_errors.located_errors(log, ptx(3), "k.ptx")
    assert found == ["k.py:1: error: ptxas: x", "k.py:2: error: ptxas: y", "k.ptx:2: error: ptxas: z"]
