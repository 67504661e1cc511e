"""Proofs of sorts: reductions inside one another share their terms, so that a sort of many elements takes seconds."""

from __future__ import annotations

import re

import pytest
from sweeps import swept

import ttkit
import ttkit.language as tl
from ttkit import ASTSource, GPUTarget
from ttkit.context import Context, parse_text
from ttkit.passes.manager import run_passes
from ttkit.validation import PassProofs, validate
from ttkit.validation.functions import OPEN, PROVED, REFUTED
from ttkit.validation.proofs import decoded

SECONDS = 10.0


@ttkit.jit
def sorted_tile(x, out, N: tl.constexpr):
    """out = x in order, [N]."""
    i = tl.arange(0, N)
    tl.store(out + i, tl.sort(tl.load(x + i)))


def text_of(size: int) -> str:
    """The sort in tt."""
    source = ASTSource(sorted_tile, {"x": "*fp32", "out": "*fp32"}, {"N": size})
    with Context() as context:
        module = source.make_ir(GPUTarget("cuda", 90, 32), context=context)
        run_passes(module, "ttkit-ttir{capability=90}")
        return str(module)


@pytest.mark.parametrize("size", [32, 512])
def test_a_sort_is_proved_in_seconds(size):
    proofs = PassProofs()
    with Context() as context:
        module = parse_text(text_of(size), context)
        run_passes(module, "ttkit-ttgir{capability=90}", subscribers=[proofs])
    assert {found.verdict.outcome for found in proofs.verdicts} == {PROVED}
    assert not any(found.verdict.rounding for found in proofs.verdicts)
    assert sum(found.verdict.seconds for found in proofs.verdicts) < SECONDS


def changed(text: str, pattern: str, replacement: str, place: int) -> str:
    """The text with one occurrence of a pattern replaced."""
    found = list(re.finditer(pattern, text))[place]
    return text[: found.start()] + replacement + text[found.end() :]


@pytest.mark.parametrize("place", [7, swept(0), swept(-1)])
def test_another_partner_is_refuted(place):
    text = text_of(16)
    axis = list(re.finditer(r"axis = (\d) : i32}> \(", text))[place]
    wrong = changed(text, r"axis = (\d) : i32}> \(", f"axis = {(int(axis[1]) + 1) % 4} : i32}}> (", place)
    context = Context()
    before, after = decoded(text, context), decoded(wrong, context)
    assert validate(before, after, "sorted_tile", searches=False).outcome == OPEN
    assert validate(before, after, "sorted_tile").outcome == REFUTED
