"""Comparisons of lowered code with the kernel that take no question to z3, however many elements there are."""

from __future__ import annotations

import pytest
from test_lowering_proofs import IR, Keep, proved

import ttkit
import ttkit.validation.floats as floats
from ttkit.context import parse_file
from ttkit.passes.manager import run_passes
from ttkit.validation.comparison import Comparison
from ttkit.validation.functions import PROVED
from ttkit.validation.integers import number
from ttkit.validation.solver import Question
from ttkit.validation.terms import MEMORY, Session, Term, make

TT = IR.parent / "language" / "tt"


def read(argument: int, place: Term) -> Term:
    """A float of an array."""
    pointer = make("argument", (), argument, "i64")
    address = make("call", (pointer, place), ("place",), "i64")
    return make("read", (make("memory", (), None, MEMORY), address), None, "f32")


def test_operands_of_the_same_arguments_are_compared_first(monkeypatch):
    with Session():
        place, other = make("argument", (), 7, "i64"), make("argument", (), 8, "i64")
        ones, others = ([read(n, at) for n in (0, 1)] for at in (place, other))
        first, second = floats.binary("addf", *ones), floats.binary("addf", *reversed(others))
        comparison, tried = Comparison(), []
        monkeypatch.setattr(comparison, "numbers", lambda a, b, given: tried.append((a, b)) or (a, b) == (place, other))
        assert comparison.same(first, second, ())
        assert all(pair == (place, other) for pair in tried)


def test_a_comparison_without_questions_knows_less():
    with Session():
        n = make("argument", (), 0, "i32")
        low = make("call", (n, number(7, "i32")), ("arith.andi", ()), "i32")
        again = make("call", (low, number(15, "i32")), ("arith.andi", ()), "i32")
        assert Comparison().same(low, again, ())
        assert not Comparison(asks=False).same(low, again, ())


def test_a_read_does_not_stand_for_one_of_another_width():
    with Session():
        address, memory = make("argument", (), 0, "i64"), make("memory", (), None, MEMORY)
        word, pair = (make("read", (memory, address), None, sort) for sort in ("i32", "i64"))
        comparison = Comparison()
        comparison.equate(word, pair, ())
        assert pair not in comparison.stands
        assert not comparison.numbers(make("zext", (word,), None, "i64"), pair, ())


@pytest.mark.parametrize("name", ["vector_add.90.ttir", "load_options_fp32.90.ttir"])
def test_kernels_whose_elements_are_written_in_another_order_take_no_questions(name, monkeypatch):
    keep, asked = Keep(), []
    stages = ",".join(f"ttkit-{stage}{{capability=90}}" for stage in ("ttir", "ttgir", "llir"))
    with ttkit.Context() as context:
        run_passes(parse_file(str(TT / name), context), stages, subscribers=[keep])
    unsatisfiable = Question.unsatisfiable
    monkeypatch.setattr(Question, "unsatisfiable", lambda *given: asked.append(1) or unsatisfiable(*given))
    assert proved(keep.old, keep.new).outcome == PROVED
    assert len(asked) < 20
