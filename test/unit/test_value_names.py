"""Values found by the names that they have in the text."""

import re
from pathlib import Path

import pytest

import ttkit
from ttkit.analysis.value_names import named_values, without_locations

TEXT = """
#loc = loc("a(b":1:2)
module attributes {test.name = "loc(not this)"} {
  tt.func @f(%x: i32 loc("x"(#loc)), %loc: i1) -> i32 { // loc(nor this)
    %a:2, %b = "some.op"(%x) ({
    ^bb0(%inner: i32 loc(unknown)):
      "some.end"() : () -> ()
    }) : (i32) -> (i32, i32, i64) loc(callsite("f"(#loc) at #loc))
    %y = scf.for %i = %x to %x step %x iter_args(%sum = %x) -> (i32) : i32 {
      %next = arith.addi %sum, %i : i32
      scf.yield %next : i32
    }
    cf.br ^bb1(%y : i32)
  ^bb1(%arg: i32):
    tt.return %arg : i32
  } loc(#loc)
  tt.func private @g(%x: f32)
}
"""


def test_every_name_is_found(context):
    context.allow_unregistered_dialects = True
    text = without_locations(TEXT)
    assert len(text) == len(TEXT)
    assert re.findall(r"loc\(.*?\)", text) == ["loc(not this)", "loc(nor this)"]
    module = ttkit.parse(text)
    found = list(named_values(module, text))
    assert [(value.name, str(value.value.type), value.function) for value in found] == [
        ("%x", "i32", "f"),
        ("%loc", "i1", "f"),
        ("%a#0", "i32", "f"),
        ("%a#1", "i32", "f"),
        ("%b", "i64", "f"),
        ("%inner", "i32", "f"),
        ("%y", "i32", "f"),
        ("%i", "i32", "f"),
        ("%sum", "i32", "f"),
        ("%next", "i32", "f"),
        ("%arg", "i32", "f"),
    ]


@pytest.mark.parametrize("name", ["attention.90.loc.ttgir", "matmul_f8_e5m2.90.ttgir", "attention.90.scf-to-cf.ttgir"])
def test_every_name_of_a_kernel_is_found(context, name):
    text = without_locations((Path(__file__).parents[1] / "data" / "ir" / name).read_text())
    module = ttkit.parse(text)
    found = {value.name for value in named_values(module, text)}
    for used in set(re.findall(r"%[\w$.-]+(?:#\d+)?", text)):
        assert used in found or f"{used}#0" in found
