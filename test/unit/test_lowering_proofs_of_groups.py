"""Proofs of lowered groups of warps, and bugs planted in how they begin, meet and end."""

from __future__ import annotations

import re
from functools import cache

import pytest
from test_lowering_proofs import PASS, Keep, context, proved
from test_validation import IR

import ttkit
from ttkit.context import parse_text
from ttkit.passes.manager import run_passes
from ttkit.validation.counterexamples import counterexample
from ttkit.validation.functions import PROVED
from ttkit.validation.proofs import decoded


@cache
def warp_roles() -> tuple[str, str]:
    """A kernel whose first group adds up tiles that another one copies, before and after the lowering."""
    keep, text = Keep(), (IR / "warp_roles.90.allocate-global-scratch-memory.ttgir").read_text()
    with ttkit.Context() as context:
        run_passes(parse_text(text, context), f"{PASS}{{compute-capability=90}}", subscribers=[keep])
    return keep.old, keep.new


def test_groups_of_warps_are_proved():
    found = proved(*warp_roles())
    assert (found.outcome, found.reason) == (PROVED, "")


WRONG = [
    (r"aligned\.count", 0, "%6, ", "%12, ", "barrier 1 for 128 threads"),
    (r"aligned\.count", 0, ", %19", ", %18", "barrier 0 for 31 threads, in a group of 128"),
    (r"aligned\.count", 1, ".*", "", "an arrival that may come before what other threads do"),
    (r"sync\.all", 0, ".*", "", "a loop that the kernel does not reach"),
    (r"sync\.all", 8, ".*", "", "a read of shared memory that nothing has written|a group whose threads have"),
    (r"sync\.all", 7, "%12", "%6", "a barrier with a name"),
    (r"mbarrier\.arrive\.shared", 0, ".*", "", "another iteration than that of the kernel, or after other writes"),
    (r"mbarrier\.arrive\.shared", 0, ", 1;", ", 2;", "2 arrivals at an mbarrier, not 1"),
    (r"try_wait", 0, ".*", "", "where the kernel has ttng.wait_barrier next"),
    (r"llvm\.switch", 0, r"\[0, 1, 2, -1\]", "[1, 0, 2, -1]", "0 loops, where the kernel has 1"),
    (r"llvm\.switch", 0, r"\[0, 1, 2, -1\]", "[0, 1, 2, -2]", "no way of this group"),
    (r"dense<33554689>", 0, "33554689", "33554688", "threads have different values where they must agree"),
    (r"dense<33554689>", 0, "33554689", "33489153", "no way of this group"),
    (r"st\.shared\.b32", 1, ".*", "", "a read of shared memory that nothing has written"),
    (r"array<i32: 8256>", 1, "8256", "8272", "an mbarrier at 8272, not at 8256"),
    (r"setmaxregister", 0, "regCount = 40", "regCount = 48", "48 registers, not 40"),
    (r"setmaxregister", 1, ".*", "", "40 registers, not 256"),
    (
        r"cp\.async\.bulk\.tensor",
        0,
        r"\[\$1\]",
        "[$1 + 1024]",
        "a box that is not where the kernel's buffer has it",
    ),
    (r"bar\.warp\.sync", 0, r"\(%17\)", "(%16)", "an operation of some threads of a warp"),  # another mask
    (r"cp\.async\.bulk\.tensor", 0, ".*", "", "another iteration than that of the kernel, or after other writes"),
]
"""Where a line is, what changes in it, and why there is no proof."""


@pytest.mark.parametrize(("pattern", "place", "old", "new", "reason"), WRONG)
def test_wrong_groups_are_not_proved(pattern, place, old, new, reason):
    before, after = changed_at(pattern, place, old, new)
    found = proved(before, after)
    assert found.outcome != PROVED
    assert re.search(reason, found.reason), found.reason


def changed_at(pattern: str, place: int, old: str, new: str) -> tuple[str, str]:
    """The kernel before the lowering, and after it with a change in one of the lines that fit a pattern."""
    before, after = warp_roles()
    lines = after.splitlines()
    at = [n for n, line in enumerate(lines) if re.search(pattern, line)][place]
    wrong = re.sub(old, new, lines[at], count=1)
    assert wrong != lines[at]
    return before, "\n".join([*lines[:at], wrong, *lines[at + 1 :]])


@pytest.mark.parametrize(
    ("pattern", "place", "old", "new"),
    [one[:4] for one in WRONG if one[0] != "setmaxregister"],  # the interpreter has as many registers as anyone asks
)
def test_the_interpreter_refutes_wrong_groups(pattern, place, old, new):
    here = context()
    old_module, new_module = (decoded(text, here) for text in changed_at(pattern, place, old, new))
    [name] = old_module.functions
    assert "before and" in (found := counterexample(old_module, new_module, name, PASS)) or "fails after" in found


def test_a_read_after_the_arrival_that_lets_others_write_is_not_proved():
    before, after = warp_roles()
    lines = after.splitlines()
    read = next(n for n, line in enumerate(lines) if re.search(r"llvm\.load.*vector<8xf16>", line))
    arrive = next(n for n, line in enumerate(lines) if "mbarrier.arrive.shared" in line)
    moved = lines[arrive - 2 : arrive + 1]  # with its barrier and its condition
    wrong = [*lines[:read], *moved, *lines[read : arrive - 2], *lines[arrive + 1 :]]
    found = proved(before, "\n".join(wrong))
    assert "value 1 that a loop goes on with" in found.reason


@cache
def left_early() -> tuple[str, str]:
    """The same kernel, which programs leave at once unless their number is below an argument."""
    keep, text = Keep(), (IR / "warp_roles.90.allocate-global-scratch-memory.ttgir").read_text()
    branch = "    %n = tt.get_program_id x : i32\n    %stays = arith.cmpi slt, %n, %arg6 : i32\n"
    branch += "    cf.cond_br %stays, ^main, ^end\n  ^main:\n"
    text = re.sub(r"^    %0 = ttg\.local_alloc", rf"{branch}\g<0>", text, count=1, flags=re.M)
    text = text.replace("    tt.return\n", "    cf.br ^end\n  ^end:\n    tt.return\n")
    with ttkit.Context() as context:
        run_passes(parse_text(text, context), f"{PASS}{{compute-capability=90}}", subscribers=[keep])
    return keep.old, keep.new


def test_groups_that_begin_after_an_early_leave_are_proved():
    found = proved(*left_early())
    assert (found.outcome, found.reason) == (PROVED, "")


STORE = '"llvm.store"(%arg6, %arg7) <{alignment = 4 : i64, ordering = 0 : i64}> : (i32, !llvm.ptr<1>) -> ()'
ON_ITS_OWN = r"\[(\^bb\d+), (\^bb\d+)\](?=[^\n]*\n  \^bb2:)", r"[\1, ^bb99]"
"""Programs that leave go to another block."""


def leaving(*wanted: str) -> str:
    """The lowered kernel, in which programs that leave run lines of a block of their own; some from its end."""
    _, after = left_early()
    telling, meeting = (
        re.search(rf"(?<=  \^bb8:)(?:[^\n]*\n)*?( *{line}[^\n]*\n)", after)[1]
        for line in ("%[^\n]*\n[^\n]*\n[^\n]*st\\.shared", '"llvm.call_intrinsic"')
    )
    parts = {"tells": telling, "wrong": telling.replace("(%63, %6)", "(%11, %6)"), "meets": meeting, "stores": STORE}
    ends = '    "llvm.return"() : () -> ()\n'
    block = "".join(parts[one] if parts[one].endswith("\n") else f"    {parts[one]}\n" for one in wanted)
    renamed = re.sub(r"%1(50|51)\b", r"%9\1", block)
    return re.sub(*ON_ITS_OWN, after, count=1).replace("  ^bb9:", f"  ^bb99:\n{renamed}{ends}  ^bb9:", 1)


def test_programs_may_leave_by_a_block_of_their_own():
    assert proved(left_early()[0], leaving("tells", "meets")).outcome == PROVED


@pytest.mark.parametrize("lines", [(), ("tells",), ("meets",), ("wrong", "meets"), ("stores", "tells", "meets")])
def test_programs_that_leave_in_a_wrong_way_are_not_proved(lines):
    assert proved(left_early()[0], leaving(*lines)).outcome != PROVED


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r'("llvm.icmp"\(%\d+, %arg6\) <\{predicate = )2', r"\g<1>3"),
        (r'("llvm.icmp"\(%\d+, )%arg6', r"\g<1>%arg2"),
        (r"\[(\^bb\d+), (\^bb\d+)\](?=[^\n]*\n  \^bb2:)", r"[\2, \1]"),
        (r"  \^bb1:[^\n]*\n", rf"\g<0>    {STORE}\n"),
    ],
)
def test_programs_that_leave_under_another_condition_are_not_proved(old, new):
    before, after = left_early()
    wrong = re.sub(old, new, after, count=1)
    assert wrong != after
    assert proved(before, wrong).outcome != PROVED
