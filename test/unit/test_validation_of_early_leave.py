"""Programs may leave early where they would have done nothing: that is proved, and what is lost is refuted."""

import pytest

from ttkit.context import Context
from ttkit.validation.functions import OPEN, PROVED, REFUTED, validate
from ttkit.validation.proofs import decoded

BODY = """
    scf.for %i = %zero to %count step %one : i32 {
      %p = tt.addptr %out, %cta : !tt.ptr<i32>, i32
      %x = tt.load %p : !tt.ptr<i32>
      %z = arith.addi %x, %i : i32
      %y = arith.addi %z, %total : i32
      tt.store %p, %y : !tt.ptr<i32>
    }
"""
KERNEL = """
tt.func public @k(%out: !tt.ptr<i32>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cta = tt.get_program_id x : i32
    %total = tt.get_num_programs x : i32
    %units = nvvm.read.ptx.sreg.nsmid : i32
    %rounds = arith.divui %total, %units : i32
    %is_first = arith.cmpi ult, %cta, %units : i32
    %count = arith.select %is_first, %rounds, %zero : i32
    BODY
    tt.return
}
"""
STORE = """
    %q = tt.addptr %out, %cta : !tt.ptr<i32>, i32
    tt.store %q, %total : !tt.ptr<i32>
"""
SETUP = """
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable>
    ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable>
    gpu.barrier
"""
ENDS = """
    ttng.inval_barrier %bar : !ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable>
    ttg.local_dealloc %bar : !ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable>
"""
HEAD = "#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>\n"


def kernel(body, condition=""):
    """A kernel with a body, under a condition if there is one."""
    return HEAD + KERNEL.replace("BODY", f"{condition}\n scf.if %some {{ {body} }}" if condition else body)


def verdict(before, after, searches=False):
    """The verdict on two texts."""
    return validate(decoded(before, Context()), decoded(after, Context()), "k", searches=searches)


SAME = "%some = arith.cmpi ult, %cta, %units : i32"


@pytest.mark.parametrize(
    ("body", "condition", "outcome"),
    [
        (BODY, SAME, PROVED),
        (SETUP + BODY + ENDS, SAME, PROVED),
        (BODY, "%some = arith.cmpi slt, %zero, %count : i32", PROVED),
        (BODY, "%some = arith.cmpi ugt, %cta, %units : i32", REFUTED),
        (BODY, "%some = arith.cmpi slt, %one, %rounds : i32", REFUTED),
        (BODY, "%some = arith.cmpi slt, %zero, %n : i32", REFUTED),
        (BODY.replace("%count", "%rounds"), SAME, REFUTED),
        (BODY + STORE, SAME, REFUTED),
        (BODY + '    tt.print "end" {hex = false, isSigned = array<i32: 1>} : %n : i32\n', SAME, OPEN),
    ],
)
def test_programs_without_work_may_leave(body, condition, outcome):
    found = verdict(kernel(body), kernel(body, condition), searches=outcome == REFUTED)
    assert (found.outcome, found.trips) == (outcome, ()), str(found)


def test_the_body_must_be_the_same():
    changed = BODY.replace("%z, %total", "%z, %one")
    assert verdict(kernel(BODY), kernel(changed, SAME), searches=True).outcome == REFUTED
