"""Dumps of passes as traces: what MLIR_ENABLE_DUMP=1 prints, Triton's and ttkit's, beside a page."""

import os
import sys

import warm_commands

from ttkit.tracing.contents import contents
from ttkit.tracing.dumps import is_dump, kernels_of_dump
from ttkit.tracing.trace_comparison import compared, first_difference

HEAD = "// -----// IR Dump Before {} ({}) ('{}' operation{}) //----- //"


def dump(*steps):
    """A dump of (pass, kernel, attributes, body)."""
    lines = ["something that the script printed"]
    for name, kernel, attributes, body in steps:
        name, _, on = name.partition("@")
        where = ("tt.func", f": @{on}") if on else ("builtin.module", "")
        lines.append(HEAD.format("Pass", name, *where))
        lines += [f"module{attributes} {{", f"  tt.func public @{kernel}() {{", *body, "    tt.return", "  }", "}", ""]
    return "\n".join(lines)


TTG = ' attributes {"ttg.num-warps" = 4 : i32}'
C1, C2 = "    %c = arith.constant 1 : i32", "    %c = arith.constant 2 : i32"
STEPS = [
    ("inline", "one", "", [C1]),
    ("canonicalize@one", "one", "", [C1]),
    ("cse", "one", "", [C1, C2]),
    ("convert-triton-to-tritongpu", "one", "", [C2]),
    ("tritongpu-coalesce", "one", TTG, [C2]),
    ("tritongpu-combine-tensor-select-and-if", "one", TTG, [C2]),
    ("tritongpu-allocate-warp-groups", "one", TTG, [C2]),
    ("convert-scf-to-cf", "one", TTG, [C2]),
    ("inline", "two", "", [C1]),
    ("cse", "two", "", [C1]),
    ("inline", "two", "", [C2]),  # the same name again: a kernel of its own only behind a lowered one
]


def test_kernels_and_stages():
    one, two = kernels_of_dump(dump(*STEPS))
    assert (one.name, two.name) == ("one", "two")
    assert [(stage.name, [each.name for each in stage.passes]) for stage in one.stages] == [
        ("ttir", ["inline", "cse"]),
        ("ttgir", ["convert-triton-to-tritongpu", "tritongpu-coalesce"]),
        ("llir", ["tritongpu-combine-tensor-select-and-if", "tritongpu-allocate-warp-groups"]),
    ]
    inline, cse = one.stages[0].passes
    assert C2 in inline.text and C1 not in cse.text and one.stages[1].passes[1].text is None
    assert not is_dump("<!DOCTYPE html>") and is_dump(dump(*STEPS))


def test_first_difference():
    first = contents(kernels_of_dump(dump(*STEPS)), "first")
    changed = [*STEPS]
    changed[3] = ("convert-triton-to-tritongpu", "one", "", [C1])
    second = contents(kernels_of_dump(dump(*changed)), "second")
    assert first_difference(compared(first, second)["kernels"][0]) == "first difference: ttir, cse"
    assert first_difference(compared(first, first)["kernels"][0]) == "no pass makes them differ"


SCRIPT = """
import ttkit
import ttkit.language as tl
from ttkit.target import GPUTarget

@ttkit.jit
def double(x, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at) * 2)

ttkit.compile(ttkit.ASTSource(double, {"x": "*fp32", "BLOCK": "constexpr"}, {(1,): 128}), GPUTarget("cuda", 90, 32))
"""


def test_a_page_beside_a_dump(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    environment = {**os.environ, "TRITON_CACHE_DIR": str(tmp_path / "cache"), "MLIR_ENABLE_DUMP": "1"}
    dumped = warm_commands.run([sys.executable, "script.py"], cwd=tmp_path, env=environment)
    run = lambda *words: warm_commands.ttkit(tmp_path, "trace", *words)
    (tmp_path / "script.dump").write_text(dumped.stderr)
    assert run("script.py").returncode == 0
    done = run("--compare", "script.trace.html", "script.dump")
    assert done.returncode == 0 and done.stdout.startswith("double: "), done.stdout + done.stderr
    assert (tmp_path / "compared.trace.html").exists()
    (tmp_path / "neither.txt").write_text("nothing")
    done = run("--compare", "script.trace.html", "neither.txt")
    assert done.returncode == 1 and "neither.txt is not a trace" in done.stderr and "Traceback" not in done.stderr
