"""Names that stay from pass to pass, and source lines of levels."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

import ttkit
from ttkit.tracing.locations import llvm_lines, mlir_lines, ptx_lines, sass_lines
from ttkit.tracing.names import SteadyNames

BEFORE = """\
#blocked = #ttg.blocked<{a}>
module {
  tt.func @f(%arg0: i32) {
    %0 = arith.addi %arg0, %arg0 : i32
    %1:2 = scf.for %arg1 = %0 to %0 step %0 iter_args(%arg2 = %0, %arg3 = %0) -> (i32, i32) {
      %2 = arith.muli %arg2, %arg1 : tensor<1xi32, #blocked>
      scf.yield %2, %arg3 : i32, i32
    }
    "x.use"(%1#1) {text = "%0"} : (i32) -> ()
  }
}""".split("\n")


def test_a_renumbering_is_no_change() -> None:
    """One operation more at the top moves all numbers and the layout's name; one line has come."""
    after = "\n".join(BEFORE).replace("%1", "%2x").replace("%2 ", "%3 ").replace("%2,", "%3,").replace("%0", "%1")
    after = after.replace('"%1"', '"%0"').replace("%2x", "%2").replace("#blocked", "#blocked1")
    lines = after.split("\n")
    lines[3:3] = ["    %0 = arith.subi %arg0, %arg0 : i32"]
    names = SteadyNames()
    assert names.rename(BEFORE) == BEFORE
    made = names.rename(lines)
    assert [line for line in made if line not in BEFORE] == ["    %3 = arith.subi %arg0, %arg0 : i32"]
    assert [line for line in made if line in BEFORE] == BEFORE


def test_an_operation_that_moved_keeps_its_name() -> None:
    moved = [line.replace("%1", "%c") for line in ("%1 = a.constant : i32", "%0 = a.load : f32", "a.use %1, %0")]
    names = SteadyNames()
    names.rename(["%0 = a.load : f32", "%1 = a.constant : i32", "a.use %1, %0"])
    assert names.rename(moved) == ["%1 = a.constant : i32", "%0 = a.load : f32", "a.use %1, %0"]


def test_names_of_regions_beside_each_other_are_told_apart() -> None:
    lines = [
        "tt.func @f() {",
        "  %0 = a.x : i32",
        "} {",
        "  %0 = a.y : i32",
        "  a.use %0",
        "}",
        "tt.func @g() {",
        "  %0 = a.x : i32",
    ]
    made = SteadyNames().rename(lines)
    assert made[1] == "  %0 = a.x : i32" and made[3:5] == ["  %1 = a.y : i32", "  a.use %1"]
    assert made[7] == "  %0 = a.x : i32"


@given(st.lists(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9)), max_size=12), min_size=1, max_size=4))
def test_renaming_only_renames(programs: list[list[tuple[int, int]]]) -> None:
    """Each text has the same operations on the same values as it had, and every value a name of its own."""
    names = SteadyNames()
    for program in programs:
        lines = [f"%{n} = a.op{kind} %{use % n if n else 'arg'} : i32" for n, (kind, use) in enumerate(program)]
        made = names.rename(lines)
        shape = [re.sub(r"%[\w]+", "%", line) for line in lines]
        assert [re.sub(r"%[\w]+", "%", line) for line in made] == shape
        renamed = {line.split(" ")[0]: other.split(" ")[0] for line, other in zip(lines, made, strict=True)}
        assert len(set(renamed.values())) == len(lines)
        for line, other in zip(lines, made, strict=True):
            used = line.split(" ")[3]
            assert other.split(" ")[3] == renamed.get(used, used)


def test_names_of_a_whole_pipeline_are_still_valid_ir() -> None:
    text = """
    tt.func @f(%p: !tt.ptr<f32>, %n: i32) {
      %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %b = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
      %q = tt.addptr %b, %r : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %v = tt.load %q : tensor<128x!tt.ptr<f32>>
      tt.store %q, %v : tensor<128x!tt.ptr<f32>>
      tt.return
    }"""
    with ttkit.Context():
        module = ttkit.parse(text)
        names = SteadyNames()
        for pipeline in ("canonicalize", "convert-triton-to-tritongpu{target=cuda:90}", "tritongpu-coalesce,cse"):
            ttkit.run_passes(module, pipeline)
            printed = str(module)
            again = "\n".join(names.rename([line for line, _ in mlir_lines(printed)]))
            assert str(ttkit.parse(again)) == printed


# --- source lines -----------------------------------------------------------------------------------------------------


def test_lines_of_mlir() -> None:
    text = """\
#loc1 = loc("k.py":3:4)
module {
  scf.for %i = %a to %b step %c {
    %0 = a.x "loc(#loc1)" : i32 loc(#loc3)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)
#loc2 = loc("x"(#loc1))
#loc3 = loc(callsite("std.py":7:8 at #loc2))"""
    inner = (("std.py", 7), ("k.py", 3))
    assert mlir_lines(text) == [
        ("module {", ()),
        ("  scf.for %i = %a to %b step %c {", (("k.py", 3),)),
        ('    %0 = a.x "loc(#loc1)" : i32', inner),
        ("  }", (("k.py", 3),)),
        ("}", ()),
    ]


def test_lines_of_llvm_ptx_and_sass() -> None:
    llvm = """\
  %1 = add i32 %0, 1, !dbg !3
!1 = !DIFile(filename: "k.py", directory: "/a")
!2 = distinct !DISubprogram(name: "f", file: !1, line: 2)
!3 = !DILocation(line: 5, column: 1, scope: !2, inlinedAt: !4)
!4 = !DILocation(line: 9, column: 1, scope: !2)"""
    assert llvm_lines(llvm) == [("  %1 = add i32 %0, 1", (("/a/k.py", 5), ("/a/k.py", 9)))]
    ptx = '\t.file 1 "/a" "k.py"\n\t.loc 1 5 3\n\tadd.s32 %r1, %r2, 1;\n$L:\n\t.section .debug_abbrev\n\t.b8 1'
    assert ptx_lines(ptx) == [("\tadd.s32 %r1, %r2, 1;", (("/a/k.py", 5),)), ("$L:", ())]
    sass = ".text:\n"
    sass += '\t//## File "/a/k.py", line 5 inlined at "/a/k.py", line 9\n\t//## File "/a/k.py", line 9\n'
    sass += "        /*0010*/ MOV R1 ;"
    assert sass_lines(sass) == [(".text:", ()), ("  /*0010*/  MOV R1 ;", (("/a/k.py", 5), ("/a/k.py", 9)))]
