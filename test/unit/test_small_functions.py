"""Functions of one small number, which are compared for all its values."""

from __future__ import annotations

import pytest

from ttkit.validation.booleans import choose
from ttkit.validation.comparisons import less_unsigned, resized
from ttkit.validation.integers import add, divide_unsigned, number, remainder_unsigned, scaled, subtract
from ttkit.validation.lowered.small_functions import equal_for_all_values
from ttkit.validation.terms import MEMORY, Session, Term, make


def read(sort: str, address: int = 0) -> Term:
    """A number in memory."""
    return make("read", (make("memory", (), None, MEMORY), number(address, "i64")), None, sort)


def cut_to_eight_bits(value: Term) -> Term:
    """f16 to f8E5M2 toward zero, by integers: the upper byte, of what saturates at the largest."""
    bits = make("bitcast", (value,), None, "i16")
    magnitude = remainder_unsigned(bits, number(1 << 15, "i16"))
    least = choose(less_unsigned(number(31488, "i16"), magnitude), number(31488, "i16"), magnitude)
    is_nan = less_unsigned(number(31744, "i16"), magnitude)
    low = choose(is_nan, number(127, "i16"), divide_unsigned(least, number(256, "i16")))
    sign = make("call", (number(128, "i8"), resized(divide_unsigned(bits, number(256, "i16")), "i8", False)),
                ("arith.andi", ()), "i8")  # fmt: skip
    return make("call", (resized(low, "i8", False), sign), ("arith.ori", ()), "i8")


@pytest.mark.parametrize(("rounding", "is_equal"), [("0", True), ("1", False)])
def test_a_conversion_by_integers_is_that_of_the_kernel(rounding, is_equal):
    with Session():
        value = read("f16")
        theirs = make("call", (value,), ("tt.fp_to_fp", (("rounding", rounding),)), "f8E5M2")
        theirs = make("bitcast", (theirs,), None, "i8")
        assert equal_for_all_values(theirs, cut_to_eight_bits(value), {}) is is_equal


def test_functions_that_differ_for_one_number_differ():
    with Session():
        value = read("i16")
        doubled = add(value, value)
        wrong = choose(less_unsigned(number(-2, "i16"), value), subtract(doubled, number(1, "i16")), doubled)
        assert equal_for_all_values(doubled, scaled(value, 2), {})
        assert not equal_for_all_values(doubled, wrong, {})


def test_functions_of_other_numbers_are_not_known_to_be_equal():
    with Session():
        assert not equal_for_all_values(read("i16"), read("i16", 2), {})
        assert not equal_for_all_values(read("i16"), make("argument", (), 0, "i16"), {})
