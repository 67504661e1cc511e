"""What sanitizers find in kernels, and what they say of it."""

import numpy as np
import pytest
from interpreter_kernels import CASES
from launched_kernels import add
from planted_mistakes import PLANTED, line_of
from test_interpreter_kernels import FILES

import ttkit
from ttkit.sanitizer import check, checking
from ttkit.sanitizer.reports import text_of


@pytest.mark.parametrize(
    ("kind", "kernel", "grid", "make", "constants"), PLANTED, ids=lambda v: getattr(v, "__name__", "")
)
def test_planted_mistakes_are_found_with_their_line(kind, kernel, grid, make, constants):
    with checking(prints=False) as found:
        kernel[grid](*make(), **constants)
    assert (kind, line_of(kernel)) in [(f.kind, f.site[0].line) for f in found.found.values()]
    assert {finding.kind for finding in found.found.values()} == {kind}


def test_forty_are_planted():
    kinds = [kind for kind, *_ in PLANTED]
    addresses = sum(kinds.count(kind) for kind in ("misaligned", "hint", "overflow"))
    assert [kinds.count("out-of-bounds"), kinds.count("race"), kinds.count("uninitialized"), addresses] == [10] * 4


INCORRECT = {
    "block_pointer_matmul": "uses what boundary_check leaves undefined for want of a padding_option",
    "pointer_hints": "says 128 of multiples of 64",
}
"""Kernels of test/data that have a mistake."""
FILES_OF_TT = [path for path in FILES if path.suffix == ".ttir"]
CORRECT = {path.name.split(".")[0]: path for path in (*FILES, *FILES_OF_TT)}
CORRECT = {name: path for name, path in CORRECT.items() if name not in INCORRECT}


@pytest.mark.parametrize("name", CORRECT)
def test_nothing_is_said_of_correct_kernels(name):
    case = CASES[name](np.random.default_rng(20), name)
    with ttkit.Context():
        found = check(ttkit.parse(CORRECT[name].read_text()), case.grid, case.args)
    assert not [text_of(finding) for finding in found.found.values()]


def test_a_script_may_look_at_all_levels():
    with checking(prints=False):
        kernel = add[(4,)](*(np.ones(1000, np.float32) for _ in range(3)), 1000, BLOCK=256)
    assert "tt.func" in kernel.asm["source"]
    assert "ptx" in kernel.asm
    assert ".visible .entry add" in kernel.asm["ptx"]
    with pytest.raises(KeyError):
        kernel.asm["amdgcn"]


def test_a_hundred_kernels_are_correct():
    assert len(CORRECT) >= 100
