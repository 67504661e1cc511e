"""What operations take to hold, and how functions are called: a pass may add nothing to it."""

from __future__ import annotations

import pytest

from ttkit.context import Context
from ttkit.interpreter.check.generated_inputs import try_inputs
from ttkit.validation import validate
from ttkit.validation.functions import OPEN, PROVED, REFUTED
from ttkit.validation.proofs import decoded
from ttkit.validation.undefined import is_defined

ARGUMENTS = "%out: !tt.ptr<i32>, %n: i32, %m: i32"
KERNEL = """tt.func public @k({}) {{
%zero = arith.constant 0 : i32
%one = arith.constant 1 : i32
%four = arith.constant 4 : i32
{}
tt.return
}}"""


def verdict(before: str, after: str, searches: bool = False):
    """The verdict on the bodies of two kernels that take out, n and m."""
    context = Context()
    return validate(*(decoded(KERNEL.format(ARGUMENTS, body), context) for body in (before, after)), "k", "", searches)


STORE = "tt.store %out, %r : !tt.ptr<i32>"
ASSUMED = "%c = arith.cmpi {} : i32\nllvm.intr.assume %c : i1\n"
IF = """%c = arith.cmpi sgt, %n, %zero : i32
%r = scf.if %c -> i32 {{
  {}
  scf.yield %q : i32
}} else {{
  scf.yield %zero : i32
}}
tt.store %out, %r : !tt.ptr<i32>"""
SELECT = """%c = arith.cmpi sgt, %n, %zero : i32
{}
%r = arith.select %c, %q, %zero : i32
tt.store %out, %r : !tt.ptr<i32>"""
LOOP = """{}
scf.for %i = %zero to %n step %one : i32 {{
  {}
  %p = tt.addptr %out, %i : !tt.ptr<i32>, i32
  tt.store %p, %q : !tt.ptr<i32>
}}"""
NEW_CLAIMS = {
    **{
        f"exact {name}": (
            f"%r = arith.{name} %n, %four : i32\n{STORE}",
            f"%r = arith.{name} %n, %four exact : i32\n{STORE}",
        )
        for name in ("divsi", "divui", "shrsi", "shrui")
    },
    "assume": (
        "tt.store %out, %n : !tt.ptr<i32>",
        ASSUMED.format("sgt, %n, %zero") + "tt.store %out, %n : !tt.ptr<i32>",
    ),
    "assume inverted": (ASSUMED.format("sgt, %n, %zero"), ASSUMED.format("sle, %n, %zero")),
    "assume earlier": (
        IF.format(ASSUMED.format("sgt, %m, %zero").replace("%c", "%d") + "%q = arith.addi %n, %m : i32"),
        ASSUMED.format("sgt, %m, %zero").replace("%c", "%d") + IF.format("%q = arith.addi %n, %m : i32"),
    ),
    **{
        f"{name} before its if": (IF.format(d), SELECT.format(d))
        for name in ("divsi", "remui", "ceildivsi")
        for d in [f"%q = arith.{name} %n, %m : i32"]
    },
    "division before its loop": (
        LOOP.format("", "%q = arith.divsi %m, %m : i32"),
        LOOP.format("%q = arith.divsi %m, %m : i32", ""),
    ),
}


@pytest.mark.parametrize("name", NEW_CLAIMS)
def test_a_pass_takes_nothing_new_to_hold(name):
    before, after = NEW_CLAIMS[name]
    assert verdict(before, after).outcome == OPEN
    assert verdict(before, after, searches=True).outcome == REFUTED
    if name != "assume inverted":
        assert verdict(after, before).outcome == PROVED


FOLLOWS = {
    "an exact shift of what has no low bits": (
        "%b = arith.andi %n, %four : i32\n%r = arith.shrui %b, %one{} : i32\n" + STORE,
        ("", " exact"),
    ),
    "a weaker assumption": (ASSUMED + "tt.store %out, %n : !tt.ptr<i32>", ("sgt, %n, %one", "sgt, %n, %zero")),
    "the condition of a branch": (
        "%d = arith.cmpi sgt, %n, %one : i32\nscf.if %d {{\n{}tt.store %out, %n : !tt.ptr<i32>\n}}",
        ("", ASSUMED.format("sgt, %n, %zero")),
    ),
}


@pytest.mark.parametrize("name", FOLLOWS)
def test_what_follows_may_be_promised(name):
    body, (before, after) = FOLLOWS[name]
    assert verdict(body.format(before), body.format(after)).outcome == PROVED


def test_a_division_may_be_moved_where_its_divisor_is_known():
    by_four = "%q = arith.divui %m, %four : i32"
    assert verdict(IF.format(by_four), SELECT.format(by_four)).outcome == PROVED
    assumed = "%e = arith.cmpi sgt, %m, %zero : i32\nllvm.intr.assume %e : i1\n"
    q = "%q = arith.divsi %n, %m : i32"
    assert verdict(assumed + IF.format(q), assumed + SELECT.format(q)).outcome == PROVED


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text.replace("%m: i32", "%m: i32, %more: i32"), "3 arguments before the pass, and 4 after it"),
        (lambda text: text.replace("%m: i32", "%m: i64"), "argument 2 has type i32 before the pass, and i64"),
        (lambda text: text.replace("!tt.ptr<i32>, %n", "!tt.ptr<f32>, %n"), "argument 0 has type !tt.ptr<i32>"),
        (lambda text: text.replace("public", "private"), "public before the pass, and private after it"),
        (lambda text: text.replace("@k(", "@other("), "the function is gone after the pass"),
    ],
)
def test_a_public_function_is_called_as_before(change, said):
    context = Context()
    text = KERNEL.format(ARGUMENTS, "")
    found = validate(decoded(text, context), decoded(change(text), context), "k")
    assert found.outcome == REFUTED
    assert said in found.reason


def test_a_launch_may_know_of_new_arguments():
    context = Context()
    text = KERNEL.format(ARGUMENTS, "")
    more = decoded(text.replace("%m: i32", "%m: i32, %table: !tt.ptr<i64>"), context)
    assert validate(decoded(text, context), more, "k", "ttkit-instrument-memory").outcome == OPEN
    assert validate(decoded(text, context), more, "k", "canonicalize").outcome == REFUTED


FACTS = (
    "tt.divisibility = 16 : i32",
    "tt.contiguity = 16 : i32",
    "tt.constancy = 16 : i32",
    "tt.pointer_range = 32 : i32",
    "llvm.noalias",
)


@pytest.mark.parametrize("fact", FACTS)
def test_a_pass_makes_no_facts_about_arguments(fact):
    context = Context()
    text = KERNEL.format("%out: !tt.ptr<i32> FACT, %n: i32, %m: i32", "tt.store %out, %n : !tt.ptr<i32>")
    plain, promised = (decoded(text.replace("FACT", one), context) for one in ("", f"{{{fact}}}"))
    found = validate(plain, promised, "k", searches=False)
    assert found.outcome == OPEN
    assert fact.partition(" ")[0] in found.reason
    assert validate(promised, plain, "k", searches=False).outcome == PROVED


@pytest.mark.parametrize("fact", FACTS[:2])
def test_a_pass_makes_no_facts_about_results(fact):
    body = "%r = arith.addi %n, %m {} : i32\ntt.store %out, %r : !tt.ptr<i32>"
    fact = fact.replace("16 : i32", "dense<16> : tensor<1xi32>")
    assert verdict(body.format(""), body.format(f"{{{fact}}}")).outcome == OPEN
    assert verdict(body.format(f"{{{fact}}}"), body.format("")).outcome == PROVED


def test_blocks_of_descriptors_may_change_where_the_launch_follows():
    context = Context()
    text = "tt.func public @k(%x: !tt.tensordesc<tensor<64x64xf16>>) {\n  tt.return\n}"
    old, half, other = (
        decoded(text.replace(*change), context) for change in (("", ""), ("<64", "<32"), ("f16", "i16"))
    )
    divides = "nvgpu-test-ws-data-partition"
    assert validate(old, half, "k", divides).outcome == PROVED
    assert validate(old, half, "k", "canonicalize").outcome == REFUTED
    assert validate(old, other, "k", divides).outcome == OPEN


def test_inputs_on_which_programs_race_say_nothing():
    text = """tt.func public @k(%x: !tt.ptr<i32>) {
  %one = arith.constant 1 : i32
  %v = tt.load %x : !tt.ptr<i32>
  %w = arith.addi %v, %one : i32
  tt.store %x, %w : !tt.ptr<i32>
  tt.return
}"""
    module = decoded(text, Context())
    function = module.functions["k"]
    for grid, defined in ((1, True), (3, False)):
        inputs = try_inputs(module, function, 0, [], (grid, 1, 1), {})[0]
        assert is_defined(module, function, inputs) == defined
