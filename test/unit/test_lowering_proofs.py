"""Proofs of the lowering from ttg to the llvm dialect, and mistakes that are planted in lowered code."""

from __future__ import annotations

import math
import random
import re
from functools import cache

import planted_in_lowering
import pytest
from sweeps import swept
from test_validation import IR, check_proved_mistakes

import ttkit
from ttkit.context import Context, parse_text
from ttkit.passes.infra.events import PassEvent, PassSubscriber
from ttkit.passes.manager import run_passes
from ttkit.validation.comparisons import equal, less, resized
from ttkit.validation.counterexamples import counterexample
from ttkit.validation.functions import PROVED, REFUTED, Verdict
from ttkit.validation.integers import add, number, scaled, wrapped
from ttkit.validation.proofs import decoded, verdicts
from ttkit.validation.terms import Session, Term, make

PASS = "convert-triton-gpu-to-llvm"
APPROXIMATE, ORDER = "approximate functions", "reassociation"


class Keep(PassSubscriber):
    """Keeps the IR on both sides of the lowering."""

    def before(self, event: PassEvent) -> None:
        if event.pass_name == PASS:
            self.old = event.text(generic=True)

    def after(self, event: PassEvent) -> None:
        if event.pass_name == PASS:
            self.new = event.text(generic=True)


@cache
def lowered(name: str) -> tuple[str, str]:
    """A kernel of the corpus before and after the lowering."""
    return sides_of((IR / name).read_text(), int(name.split(".")[1]))


def sides_of(text: str, capability: int) -> tuple[str, str]:
    """A kernel in tt before and after the lowering."""
    keep = Keep()
    stages = ",".join(f"ttkit-{stage}{{capability={capability}}}" for stage in ("ttir", "ttgir", "llir"))
    with ttkit.Context() as context:
        run_passes(parse_text(text, context), stages, subscribers=[keep])
    return keep.old, keep.new


def context() -> Context:
    """A context that reads lowered code."""
    made = Context()
    made.allow_unregistered_dialects = True
    return made


def check_is_no_proof(before: str, after: str, reason: str) -> None:
    """The lowering is not proved, for a reason that matches."""
    found = proved(before, after)
    assert found.outcome != PROVED
    assert re.search(reason, found.reason), found.reason


def proved(before: str, after: str, searches: bool = False) -> Verdict:
    """The verdict on the lowering of one kernel."""
    here = context()
    [found] = verdicts(decoded(before, here), decoded(after, here), PASS, searches)
    return found


@pytest.mark.parametrize(
    ("name", "rounding"),
    [
        ("scale_and_shift_half.90.ttir", ()),
        ("casts_from_signed.90.ttir", ()),
        ("integer_operators.90.ttir", ()),
        ("float_operators.90.ttir", (APPROXIMATE,)),
        ("library_functions.90.ttir", ()),
        ("integer_reductions.90.ttir", ()),
        ("axis_reductions.90.ttir", (ORDER,)),
        ("row_softmax.90.ttir", (APPROXIMATE, ORDER)),
        ("early_return.80.ttir", ()),
        ("nested.90.ttir", ()),
        ("loop_with_exit_value.90.ttir", ()),
        ("spin_lock.90.ttir", ()),
        ("half_atomics.80.ttir", ()),
        ("barrier_between.90.ttir", ()),
        ("permutations.80.ttir", ()),
        ("pointer_hints.90.ttir", ()),
        ("counts.90.ttir", ()),
        ("old_eight_bits.80.ttir", ()),
        ("matmul_tf32.90.ttir", (ORDER,)),
    ],
)
def test_the_lowering_of_a_kernel_is_proved(name, rounding):
    found = proved(*lowered(name))
    assert (found.outcome, found.reason, found.rounding) == (PROVED, "", rounding)


@pytest.mark.parametrize(
    ("name", "each"),
    [
        ("scale_and_shift_half.90.ttir", 1),
        swept(("row_softmax.90.ttir", 1)),
        ("integer_reductions.90.ttir", 2),
        ("loop_with_exit_value.90.ttir", 2),
        ("half_atomics.80.ttir", 2),
    ],
)
def test_a_mistake_in_lowered_code_that_is_proved_changes_no_result(name, each):
    before, after = lowered(name)
    assert check_proved_mistakes(before, after, context(), PASS, each, planted_in_lowering.MISTAKES) >= 9


def changed(text: str, old: str, new: str) -> str:
    """A text with one change."""
    assert old in text
    return text.replace(old, new, 1)


def test_a_lowering_that_loses_a_barrier_is_refuted():
    before, after = lowered("row_softmax.90.ttir")
    found = proved(before, changed(after, '"nvvm.barrier0"() : () -> ()', ""), searches=True)
    assert found.outcome == REFUTED
    assert "no barrier orders them" in found.reason
    open_ = proved(before, changed(after, '"nvvm.barrier0"() : () -> ()', ""))
    assert "without a barrier after the write of another thread" in open_.reason


def test_a_kernel_that_leaves_the_order_of_elements_open_is_refuted_too():
    """The interpreter takes the order of registers on both sides, as the lowering does."""
    before, after = lowered("early_return.80.ttir")
    assert "allow_reorder" in before
    wrong = changed(after, '"nvvm.barrier0"() : () -> ()', "")
    assert "no barrier orders them" in proved(before, wrong, searches=True).reason
    seldom = changed(after, "value = 7 : i32", "value = 8 : i32")  # what is stored where a sum is zero
    assert proved(before, seldom, searches=True).outcome == REFUTED
    here = context()
    assert counterexample(decoded(before, here), decoded(after, here), "early_return", PASS, seconds=3.0) == ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"nvvm.barrier0"() : () -> ()', ""),  # bins are counted in before they are zero
        ("red.shared.add.u32 [ $0 + 0 ], 1;", "red.shared.add.u32 [ $0 + 4 ], 1;"),
        ("red.shared.add.u32 [ $0 + 0 ], 1;", "red.shared.add.u32 [ $0 + 0 ], 2;"),
        ("@$1 red.shared.add.u32", "red.shared.add.u32"),
        ("@$1 red.shared.add.u32", "@!$1 red.shared.add.u32"),
    ],
)
def test_a_histogram_that_counts_otherwise_is_not_proved(old, new):
    before, after = lowered("counts.90.ttir")
    assert proved(before, changed(after, old, new)).outcome != PROVED


def test_a_histogram_of_64_bits_is_compared_in_its_own_width():
    text = (IR.parent / "language" / "tt" / "integer_reductions_i64.90.ttir").read_text()
    before, after = sides_of(text, 90)
    assert (proved(before, after).outcome, before.count('"tt.histogram"')) == (PROVED, 2)
    check_is_no_proof(
        before, changed(after, "value = 16 : i64", "value = 17 : i64"), "no histogram of the kernel counts"
    )
    narrow = re.sub(
        r'(%\d+ = "llvm\.icmp")\((%\d+), (%\d+)\)(.*predicate = 6.*) : \(i64, i64\)',
        r"""%low = "llvm.trunc"(\2) : (i64) -> i32
        %bins = "llvm.trunc"(\3) : (i64) -> i32
        \1(%low, %bins)\4 : (i32, i32)""",
        after,
        count=1,
    )
    assert narrow != after
    check_is_no_proof(before, narrow, "no histogram of the kernel counts")


def test_a_product_that_is_waited_for_too_late_is_not_proved():
    before, after = lowered("matmul_tf32.90.ttir")
    assert "wgmma.wait_group.sync.aligned 3" in after
    late = after.replace("wgmma.wait_group.sync.aligned 3", "wgmma.wait_group.sync.aligned 5")
    assert proved(before, late).outcome != PROVED


GATHER = """
tt.func public @gather(%x: !tt.ptr<f32>, %at: !tt.ptr<i32>, %out: !tt.ptr<f32>) {
  %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %places = tt.reshape %i : tensor<128xi32> -> tensor<8x16xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %places : tensor<8x16x!tt.ptr<f32>>, tensor<8x16xi32>
  %value = tt.load %xp : tensor<8x16x!tt.ptr<f32>>
  %ats = tt.splat %at : !tt.ptr<i32> -> tensor<8x16x!tt.ptr<i32>>
  %atp = tt.addptr %ats, %places : tensor<8x16x!tt.ptr<i32>>, tensor<8x16xi32>
  %index = tt.load %atp : tensor<8x16x!tt.ptr<i32>>
  %picked = tt.gather %value[%index] {axis = 0 : i32} : (tensor<8x16xf32>, tensor<8x16xi32>) -> tensor<8x16xf32>
  %sum = arith.addf %picked, %value : tensor<8x16xf32>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>
  %outp = tt.addptr %outs, %places : tensor<8x16x!tt.ptr<f32>>, tensor<8x16xi32>
  tt.store %outp, %sum : tensor<8x16x!tt.ptr<f32>>
  tt.return
}
"""


def test_a_gather_from_lanes_that_depend_on_data_is_proved():
    before, after = sides_of(GATHER, 90)
    assert after.count("nvvm.shfl.sync") == 1
    assert proved(before, after).outcome == PROVED
    for other in (GATHER.replace("axis = 0", "axis = 1"), GATHER.replace("%picked, %value", "%picked, %picked")):
        check_is_no_proof(before, sides_of(other, 90)[1], "element|a write where")
    shuffle = re.search(r'"nvvm\.shfl\.sync"\((%\d+), (%\d+), (%\d+), (%\d+)\)', after)
    assert shuffle is not None
    mask, value, lane, clamp = shuffle.groups()
    for operands in ((mask, lane, value, clamp), (mask, value, clamp, clamp), (mask, value, mask, clamp)):
        check_is_no_proof(before, changed(after, shuffle[0], f'"nvvm.shfl.sync"({", ".join(operands)})'), "element")


def test_the_element_of_a_wrong_store_is_said():
    before, after = lowered("scale_and_shift_half.90.ttir")
    wrong = changed(after, '"llvm.fmul"', '"llvm.fadd"')
    assert "element [0] of tt.store: thread 0 writes" in proved(before, wrong).reason
    assert proved(before, wrong, searches=True).outcome == REFUTED


def test_a_wide_access_to_a_pointer_without_known_alignment_is_open():
    before, after = lowered("row_softmax.90.ttir")
    found = proved(
        *(changed(one, "tt.divisibility = 16 : i32", "tt.divisibility = 4 : i32") for one in (before, after))
    )
    assert "not known to be a multiple of 16 bytes" in found.reason


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("<{overflowFlags = 0 : i32}> : (i32, i32)", "<{overflowFlags = 1 : i32}> : (i32, i32)", "do not wrap"),
        ("noWrapFlags = 0 : i32", "noWrapFlags = 3 : i32", "do not wrap"),
        ("#llvm.fastmath<contract>", "#llvm.fastmath<nnan>", "flags #llvm.fastmath<nnan>"),
        ('"llvm.add"(', '"llvm.or"(', "a write where|a read that|promise|element"),
    ],
)
def test_promises_to_llvm_are_no_proof(old, new, reason):
    before, after = lowered("scale_and_shift_half.90.ttir")
    check_is_no_proof(before, changed(after, old, new), reason)


def test_other_promises_are_no_proof():
    before, after = lowered("integer_operators.90.ttir")
    poison = changed(after, "is_int_min_poison = false", "is_int_min_poison = true")
    assert "is_int_min_poison" in proved(before, poison).reason
    fewer = changed(after, "nvvm.reqntid = array<i32: 128>", "nvvm.reqntid = array<i32: 64>")
    assert "another number of threads" in proved(before, fewer).reason
    assert "may move or leave out" in proved(*spin_lock(", has_side_effects", "")).reason


def spin_lock(old: str, new: str) -> tuple[str, str]:
    """The lowering of a kernel with a lock, with one change."""
    before, after = lowered("spin_lock.90.ttir")
    return before, changed(after, old, new)


def test_a_lock_keeps_the_order_of_what_it_protects():
    late = proved(*spin_lock("@$2 st.global", "@!$2 st.global"))
    assert "without a barrier after what another thread has written" in late.reason
    early = proved(*spin_lock("atom.global.acquire", "atom.global.relaxed"))
    assert "where the kernel has another one" in early.reason


def test_numbers_that_do_not_have_bits_in_common_are_known():
    before, after = lowered("row_softmax.90.ttir")
    found = proved(before, changed(after, "dense<[0, 1, 2, 3, 512, ", "dense<[0, 1, 2, 7, 512, "))
    assert "a promise to LLVM that does not hold" in found.reason


def value_of(term: Term, values: dict[Term, int]) -> int:
    """A term of integers where its unknowns have values."""
    if term.is_const:
        return term.attr
    if term in values:
        return values[term]
    args = [value_of(arg, values) for arg in term.args]
    bits = int(term.sort[1:])
    if term.head == "poly":
        total, place = 0, 0
        for factor, count in term.attr:
            total += factor * math.prod(args[place : place + count])
            place += count
        return wrapped(total, bits)
    if term.head == "zext":
        return args[0] & (1 << int(term.args[0].sort[1:])) - 1
    return {
        "sext": lambda: args[0],
        "slt": lambda: int(args[0] < args[1]),
        "eq": lambda: int(args[0] == args[1]),
        "not": lambda: 1 - args[0],
        "and": lambda: int(all(args)),
        "ite": lambda: args[1] if args[0] else args[2],
    }[term.head]()


def test_facts_about_sums_hold_for_all_numbers_of_eight_bits():
    choose = random.Random(0)
    for _ in range(150):
        with Session():
            unknowns = [make("argument", (), n, "i8") for n in (0, 1)]
            index = make("x", (), (0, 8), "i8")
            sums = []
            for _ in range(2):
                total = number(choose.randrange(-128, 128), "i8")
                for unknown in (*unknowns, index):
                    factor = choose.choice((0, 0, 1, 2, 4, 8, 12, 16, 32, 64, -1, -4, -16))
                    total = add(total, scaled(unknown, factor))
                sums.append(total)
            a, b = sums
            wide = [resized(a, "i16", signed) for signed in (True, False)]
            said = [
                less(a, b),
                less(b, a),
                equal(a, b),
                less(wide[0], resized(b, "i16", True)),
                less(a, number(5, "i8")),
            ]
            for _ in range(60):
                values = {one: choose.randrange(-128, 128) for one in unknowns} | {index: choose.randrange(8)}
                x, y = (value_of(term, values) for term in (a, b))
                assert [value_of(term, values) for term in wide] == [x, x & 255]
                assert [value_of(term, values) for term in said] == [x < y, y < x, x == y, x < y, x < 5]
