"""Pairs of a kernel before and after a pass that is wrong: none is proved, and what is open names an operation.

`test/data/wrong_pairs/*.mlir` has the parts in which both sides differ as [[before||after]].
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from test_lowering_proofs_of_tensor_memory import KERNEL, LOOP
from test_validation import IR

import ttkit
from ttkit.context import Context, parse_text
from ttkit.passes.manager import run_passes
from ttkit.validation import Verdict, validate
from ttkit.validation.functions import OPEN, PROVED
from ttkit.validation.proofs import decoded

FOLDER = Path(__file__).parents[1] / "data" / "wrong_pairs"
CHOICE = re.compile(r"\[\[(.*?)\|\|(.*?)\]\](?!\])", re.DOTALL)
HEADER = re.compile(r"// --- (.*)\n")


def pairs(name: str) -> dict[str, tuple[str, str]]:
    """By what is wrong, both sides of the pairs of a file."""
    parts = HEADER.split((FOLDER / f"{name}.mlir").read_text())[1:]
    sides = (tuple(CHOICE.sub(lambda found, n=n: found[n], body) for n in (1, 2)) for body in parts[1::2])
    return dict(zip(parts[::2], sides, strict=True))  # type: ignore[arg-type]


def verdict(before: str, after: str, pass_name: str = "") -> Verdict:
    """The verdict of a search for a proof alone, on the public function of two modules."""
    context = Context()
    context.allow_unregistered_dialects = True
    old, new = (decoded(side, context) for side in (before, after))
    assert not isinstance(old, str), old
    assert not isinstance(new, str), new
    name = next(name for name, function in old.functions.items() if not function.private)
    return validate(old, new, name, pass_name, searches=False)


WRONG = pairs("pairs") | pairs("facts") | pairs("tensors") | pairs("waits") | pairs("buffers") | pairs("loops")
OPERATION = re.compile(
    r"\b(arith|cf|gpu|llvm|math|scf|tt|ttg|ttng)\.\w+.* at \"-\":\d+:\d+|@k has |argument \d+ of @k "
)


def test_there_are_pairs_of_many_kinds():
    assert len(WRONG) >= 90


@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_pair_is_open_at_an_operation(kind):
    before, after = WRONG[kind]
    found = verdict(before, after)
    assert found.outcome == OPEN
    assert OPERATION.search(found.reason), found.reason
    assert verdict(before, before).outcome == PROVED or "unsigned" in kind


FOLLOWS = pairs("facts_that_follow")


@pytest.mark.parametrize("kind", FOLLOWS)
def test_facts_that_follow_are_proved(kind):
    assert verdict(*FOLLOWS[kind]).outcome == PROVED


TAKES_POINTERS_APART = "ttkit-start-copies-early"
WRONG_APART, RIGHT_APART = pairs("tensors_apart"), pairs("tensors_apart_that_follow")


@pytest.mark.parametrize("kind", WRONG_APART)
def test_what_different_tensors_do_not_allow_is_open(kind):
    before, after = WRONG_APART[kind]
    found = verdict(before, after, TAKES_POINTERS_APART)
    assert found.outcome == OPEN
    assert OPERATION.search(found.reason), found.reason
    assert str(verdict(before, before, TAKES_POINTERS_APART)) == PROVED


@pytest.mark.parametrize("kind", RIGHT_APART)
def test_what_different_tensors_allow_is_proved_of_passes_that_say_so(kind):
    before, after = RIGHT_APART[kind]
    assert verdict(before, after).outcome == OPEN
    assert str(verdict(before, after, TAKES_POINTERS_APART)) == "proved, if arguments point to different tensors"


# --- protocols


@cache
def compiled(name: str) -> str:
    """A kernel in ttg: a product in a loop for a capability, or a file of the corpus."""
    text = KERNEL.replace("BODY", LOOP) if name.isdigit() else (IR / f"{name}.ttir").read_text()
    capability = name if name.isdigit() else name.split(".")[1]
    with ttkit.Context() as context:
        module = parse_text(text, context)
        run_passes(module, ",".join(f"ttkit-{stage}{{capability={capability}}}" for stage in ("ttir", "ttgir")))
        return str(module)


COPY = "descriptor_copy.100"
IN_PROTOCOLS = {
    "copies to one slot are waited for late": ("80", "num = 2 :", "num = 4 :"),
    "the last copies are not waited for": ("80", "num = 0 :", "num = 1 :"),
    "a group is not closed": (
        "80", r"(?s)(.*)= ttg.async_commit_group tokens %\d+", r"\1= ttg.async_wait {num = 3 : i32}",
    ),
    "a buffer ends before its loop": (
        "80", r"( +%\d+:9 = scf.for)",
        r"    ttg.local_dealloc %26 : !ttg.memdesc<2x64x32xf16, #shared, #smem, mutable>" "\n" r"\1",
    ),
    "a product is not waited for": ("90", "pendings = 1", "pendings = 2"),
    "the last product is not waited for": ("90", r"(?s)(.*)pendings = 0", r"\1pendings = 1"),
    "imprecise sums": ("90", "isAsync = true", "isAsync = true, maxNumImpreciseAcc = 32 : i32"),
    "other CTAs get the operands": ("100", r"\{is_async\}", "{is_async, multicast}"),
    "an mbarrier waits for two": ("100", r"(init_barrier %\d+, )1", r"\g<1>2"),
    "the wait of a phase is lost": ("100", r"ttng.wait_barrier %arg15[^\n]*", ""),
    "always the same phase": ("100", "ttng.wait_barrier %arg15, %arg16", "ttng.wait_barrier %arg15, %c0_i32"),
    "another swizzle of a tensor map": (COPY, "swizzle_mode = 3", "swizzle_mode = 2"),
    "another type of a tensor map": (COPY, "elem_type = 6", "elem_type = 5"),
    "an interleaved tensor map": (COPY, "interleave_layout = 0", "interleave_layout = 1"),
    "another box of a tensor map": (COPY, r"\[%c64_i32, %c64_i32\]", "[%c1_i32, %c64_i32]"),
    "steps between elements": (COPY, r"\[%c1_i32, %c1_i32\]", "[%c1_i32, %c64_i32]"),
    "too little scratch memory": (COPY, "nbytes = 128", "nbytes = 64"),
    "scratch memory that is not aligned": (COPY, "alignment = 128", "alignment = 16"),
    "a tensor map that copies may not see": (COPY, r"ttng.tensormap_fenceproxy_acquire %1 : !tt.ptr<i8>", ""),
    "stores by TMA that nobody waits for": (COPY, r"(?s)(.*)ttng.async_tma_store_wait \{pendings = 0 : i32\}", r"\1"),
    "a wait for a copy is lost": (COPY, r"ttng.wait_barrier %9[^\n]*", ""),
    "too few bytes are expected": (COPY, "8192", "4096"),
    "coordinates change places": (COPY, r"%3\[%7, %arg4\]", "%3[%arg4, %7]"),
    "other CTAs get a tile": (COPY, r"(ttng.async_tma_copy_global_to_local %3[^\n]*?%true) :", r"\1 {multicast} :"),
    "an mbarrier that does not end before its memory": ("100", r"ttng.inval_barrier [^\n]*", ""),
    "an mbarrier ends before its loop": (
        COPY, r"( +%11:2 = scf)", "    ttng.inval_barrier %9 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>\n" r"\1",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", IN_PROTOCOLS)
def test_a_wrong_protocol_is_open_at_an_operation(kind):
    name, old, new = IN_PROTOCOLS[kind]
    before = compiled(name)
    after = re.sub(old, new, before, count=1)
    assert after != before
    found = verdict(before, after)
    assert found.outcome == OPEN
    assert OPERATION.search(found.reason.replace(" loc(", ' at "-":1:1 loc(')), found.reason


def test_a_copy_that_is_not_aligned_moves_no_several_elements():
    with_facts = compiled("80")
    before = re.sub(r"(%\w+: !tt\.ptr<f16>) \{tt\.divisibility = 16 : i32\}", r"\1", with_facts)
    assert before != with_facts
    single = before.replace("contiguity = 8", "contiguity = 1")
    found = verdict(single, before)
    assert found.outcome == OPEN
    assert "ttg.async_copy_global_to_local: promises that 8 elements may be copied at once" in found.reason
    assert verdict(with_facts.replace("contiguity = 8", "contiguity = 1"), with_facts).outcome == PROVED
    assert verdict(with_facts, with_facts.replace("contiguity = 8", "contiguity = 4")).outcome == PROVED
