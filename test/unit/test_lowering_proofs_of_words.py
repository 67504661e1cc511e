"""Proofs of the lowering of numbers that are a part of a word: those of 4 and 8 bits, and their scales."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest
from test_lowering_proofs import ORDER, changed, proved, sides_of
from test_validation import IR

from ttkit.validation.functions import PROVED
from ttkit.validation.integers import add, divide_unsigned, number, remainder_unsigned, scaled
from ttkit.validation.lowered.bits import join, split
from ttkit.validation.lowered.numbers_in_words import Tables, Words
from ttkit.validation.lowered.small_functions import evaluated, numbers_of
from ttkit.validation.terms import Session, Term, make

KERNELS = IR.parent / "language" / "tt"


@cache
def lowered(name: str) -> tuple[str, str]:
    """A kernel before and after the lowering."""
    return sides_of((KERNELS / name).read_text(), int(name.split(".")[1]))


@pytest.mark.parametrize("name", ["scaled_dots_bf16_e2m1.100.ttir", "scaled_dots_e4m3_e5m2.100.ttir"])
def test_the_lowering_of_products_of_short_numbers_is_proved(name):
    found = proved(*lowered(name))
    assert (found.outcome, found.rounding) == (PROVED, (ORDER,)), str(found)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("dense<524296>", "dense<524288>"),  # the sign of every other number is lost
        ("dense<458759>", "dense<196611>"),  # and a bit of the exponent
        ("dense<458759>", "dense<983055>"),  # the sign as a bit of the number
    ],
)
def test_a_wrong_mask_of_bits_is_no_proof(old, new):
    before, after = lowered("scaled_dots_bf16_e2m1.100.ttir")
    assert proved(before, changed(after, old, new)).outcome != PROVED


def some_word(choose: random.Random, leaf: Term, depth: int) -> Term:
    """A word of 32 bits that operations on bits make of a byte and numbers."""
    if depth == 0:
        zero = number(choose.choice([0, 255, 129]), "i8")
        return join([choose.choice([leaf, zero]) for _ in range(4)])
    a, b = (some_word(choose, leaf, depth - 1) for _ in range(2))
    mask = number(choose.getrandbits(32) - (1 << 31), "i32")
    power = number(1 << choose.randrange(1, 31), "i32")
    name = choose.choice(["arith.andi", "arith.ori", "arith.xori"])
    return choose.choice(
        [
            make("call", (a, mask), (name, ()), "i32"),
            make("call", (a, b), (name, ()), "i32"),
            scaled(a, 1 << choose.randrange(1, 31)),
            divide_unsigned(a, power),
            remainder_unsigned(a, power),
        ]
    )


@pytest.mark.parametrize("size", [1, 2])
def test_parts_of_words_are_operations_on_parts(size):
    choose = random.Random(size)
    with Session():
        leaf = make("read", (), "byte", "i8")
        given = {leaf: numbers_of(leaf)}
        changed_ones = 0
        for _ in range(400):
            word = some_word(choose, leaf, choose.randrange(1, 4))
            for part, one in zip(split(word, size), Words().parts(word, size), strict=True):
                changed_ones += part is not one
                values = [np.broadcast_to(evaluated(term, dict(given)), 256) for term in (part, one)]
                assert (values[0] == values[1]).all(), (part, one)
        assert changed_ones > 400


def test_functions_of_one_number_are_one_term_only_if_all_values_are_equal():
    with Session():
        read = make("read", (), "byte", "i8")
        wide = make("zext", (read,), None, "i16")
        tables = Tables()

        def as_float(term: Term) -> Term:
            """The bits as bf16."""
            return tables.of(make("bitcast", (term,), None, "bf16"))

        masked = make("call", (scaled(wide, 128), number(-128, "i16")), ("arith.andi", ()), "i16")
        assert as_float(masked) is as_float(scaled(wide, 128))
        assert as_float(add(scaled(wide, 128), number(1, "i16"))) is not as_float(scaled(wide, 128))
        assert as_float(scaled(wide, 64)) is not as_float(scaled(wide, 128))
