"""arith: each operation on all types, against Python integers, fractions and explicit formulas."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from interpreter_operations import (
    FLOATS,
    FORMATS,
    INTEGERS,
    apply,
    assert_floats,
    edge_floats,
    edge_integers,
    exact_rounding,
    same_floats,
)

from ttkit.interpreter.values import DTYPES

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")  # casts of NaN and infinity


def wrap(value, bits):
    return (value + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)


def towards_zero(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


# Name to (operands are signed, function of Python integers and the width).
INTEGER_ROWS = {
    "addi": (True, lambda a, b, n: a + b),
    "subi": (True, lambda a, b, n: a - b),
    "muli": (True, lambda a, b, n: a * b),
    "andi": (True, lambda a, b, n: a & b),
    "ori": (True, lambda a, b, n: a | b),
    "xori": (True, lambda a, b, n: a ^ b),
    "maxsi": (True, lambda a, b, n: max(a, b)),
    "minsi": (True, lambda a, b, n: min(a, b)),
    "maxui": (False, lambda a, b, n: max(a, b)),
    "minui": (False, lambda a, b, n: min(a, b)),
    "divsi": (True, lambda a, b, n: towards_zero(a, b) if b else -1),
    "divui": (False, lambda a, b, n: a // b if b else -1),
    "remsi": (True, lambda a, b, n: a - b * towards_zero(a, b) if b else a),
    "remui": (False, lambda a, b, n: a % b if b else a),
    "floordivsi": (True, lambda a, b, n: a // b if b else -1),
    "ceildivsi": (True, lambda a, b, n: -(-a // b) if b else -1),
    "ceildivui": (False, lambda a, b, n: -(-a // b) if b else -1),
    "shli": (False, lambda a, b, n: a << b if b < n else 0),
    "shrui": (False, lambda a, b, n: a >> b if b < n else 0),
}


@pytest.mark.parametrize("kind", ["i1", *INTEGERS])
@pytest.mark.parametrize("name", INTEGER_ROWS)
def test_integers(name, kind):
    signed, function = INTEGER_ROWS[name]
    bits = INTEGERS.get(kind, 1)
    if kind == "i1":
        a, b = np.array([False, False, True, True]), np.array([False, True, False, True])
        values = [(-int(x), -int(y)) for x, y in zip(a, b)]
    else:
        rng = np.random.default_rng(5)
        few = edge_integers(kind, rng, 14)
        a, b = (x.reshape(-1) for x in np.meshgrid(few, few))
        values = [(int(x), int(y)) for x, y in zip(a, b)]
    found = apply(f"arith.{name} %a, %b : {{{kind}}}", a, b, result=kind)
    for value, (x, y) in zip(found, values):
        operands = (x, y) if signed else (x % 2**bits, y % 2**bits)
        wanted = wrap(function(*operands, bits), bits)
        assert (-int(value) if kind == "i1" else int(value)) == wanted, (name, x, y)


@pytest.mark.parametrize("kind", INTEGERS)
def test_shrsi(kind):
    bits = INTEGERS[kind]
    few = edge_integers(kind, np.random.default_rng(1), 8)
    a, b = (x.reshape(-1) for x in np.meshgrid(few, few))
    found = apply(f"arith.shrsi %a, %b : {{{kind}}}", a, b, result=kind)
    for value, x, y in zip(found, a, b):
        assert int(value) == int(x) >> min(int(y) % 2**bits, bits - 1)


PREDICATES = {
    "eq": (True, "=="), "ne": (True, "!="),
    "slt": (True, "<"), "sle": (True, "<="), "sgt": (True, ">"), "sge": (True, ">="),
    "ult": (False, "<"), "ule": (False, "<="), "ugt": (False, ">"), "uge": (False, ">="),
}  # fmt: skip
RELATIONS = {
    "==": lambda x, y: x == y, "!=": lambda x, y: x != y, "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y, ">": lambda x, y: x > y, ">=": lambda x, y: x >= y,
}  # fmt: skip


@pytest.mark.parametrize("kind", ["i1", *INTEGERS])
@pytest.mark.parametrize("predicate", PREDICATES)
def test_cmpi(predicate, kind):
    signed, symbol = PREDICATES[predicate]
    bits = INTEGERS.get(kind, 1)
    few = np.array([False, True]) if kind == "i1" else edge_integers(kind, np.random.default_rng(2), 6)
    a, b = (x.reshape(-1) for x in np.meshgrid(few, few))
    found = apply(f"arith.cmpi {predicate}, %a, %b : {{{kind}}}", a, b, result="i1")
    for value, x, y in zip(found, a, b):
        x, y = (-int(x), -int(y)) if kind == "i1" else (int(x), int(y))
        if not signed:
            x, y = x % 2**bits, y % 2**bits
        assert bool(value) == RELATIONS[symbol](x, y)


@pytest.mark.parametrize("kind", INTEGERS)
@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.parametrize("part", [0, 1])
def test_extended_products(part, signed, kind):
    bits = INTEGERS[kind]
    few = edge_integers(kind, np.random.default_rng(3), 10)
    a, b = (x.reshape(-1) for x in np.meshgrid(few, few))
    operation = f"arith.mul{'s' if signed else 'u'}i_extended %a, %b : {{{kind}}}"
    found = apply(operation, a, b, result=kind, number=part, results=2)
    for value, x, y in zip(found, a, b):
        x, y = (int(x), int(y)) if signed else (int(x) % 2**bits, int(y) % 2**bits)
        assert int(value) == wrap(x * y >> bits * part, bits)


def test_sum_with_carry():
    a, b = np.array([-1, 5, 1 << 30, -5], np.int32), np.array([1, 6, 1 << 30, -5], np.int32)
    operation = "arith.addui_extended %a, %b : {i32}, {i1}"
    assert list(apply(operation, a, b, result="i32", number=0, results=2)) == [0, 11, -(1 << 31), -10]
    assert list(apply(operation, a, b, result="i1", number=1, results=2)) == [True, False, False, True]


# --- floats -----------------------------------------------------------------------------------------------------------

OPERATIONS = {
    "addf": lambda a, b: a + b,
    "subf": lambda a, b: a - b,
    "mulf": lambda a, b: a * b,
    "divf": lambda a, b: a / b,
}


@pytest.mark.parametrize("kind", FLOATS)
@pytest.mark.parametrize("name", OPERATIONS)
def test_floats_round_once(name, kind):
    """The exact result, rounded to nearest even, for finite operands."""
    values = edge_floats(kind, np.random.default_rng(7), 60)
    values = values[np.isfinite(values)]
    a, b = (x.reshape(-1) for x in np.meshgrid(values, values))
    if name == "divf":
        a, b = a[b != 0], b[b != 0]
    found = apply(f"arith.{name} %a, %b : {{{kind}}}", a, b, result=kind).astype(np.float64)
    for value, x, y in zip(found, a, b):
        wanted = exact_rounding(OPERATIONS[name](Fraction(float(x)), Fraction(float(y))), kind)
        assert value == wanted or (math.isnan(value) and math.isnan(wanted)), (float(x), float(y), value, wanted)


@given(st.integers(0, 2**16 - 1), st.integers(0, 2**16 - 1), st.sampled_from(sorted(OPERATIONS)), st.booleans())
@settings(max_examples=60, deadline=None)
def test_sixteen_bit_floats_round_once(x, y, name, brain):
    kind = "bf16" if brain else "f16"
    a, b = (np.array([bits], np.uint16).view(DTYPES[kind]) for bits in (x, y))
    if not np.isfinite(a[0]) or not np.isfinite(b[0]) or (name == "divf" and b[0] == 0):
        return
    found = float(apply(f"arith.{name} %a, %b : {{{kind}}}", a, b, result=kind)[0])
    assert found == exact_rounding(OPERATIONS[name](Fraction(float(a[0])), Fraction(float(b[0]))), kind)


def reference_extremum(a, b, largest, numeric):
    if math.isnan(a) or math.isnan(b):
        return (b if math.isnan(a) else a) if numeric else math.nan
    key = lambda x: (x, math.copysign(1, x))
    return (max if largest else min)((a, b), key=key)


@pytest.mark.parametrize("kind", FLOATS)
@pytest.mark.parametrize("name", ["maximumf", "minimumf", "maxnumf", "minnumf"])
def test_extrema(name, kind):
    values = edge_floats(kind)
    a, b = (x.reshape(-1) for x in np.meshgrid(values, values))
    found = apply(f"arith.{name} %a, %b : {{{kind}}}", a, b, result=kind)
    wanted = [reference_extremum(float(x), float(y), name.startswith("max"), "num" in name) for x, y in zip(a, b)]
    assert_floats(found, wanted, a, b)


@pytest.mark.parametrize("kind", ["f32", "bf16", "f8E5M2"])
def test_cmpf(kind):
    values = edge_floats(kind)
    a, b = (x.reshape(-1) for x in np.meshgrid(values, values))
    unordered = [math.isnan(x) or math.isnan(y) for x, y in zip(a.astype(float), b.astype(float))]
    relations = {"eq": "==", "gt": ">", "ge": ">=", "lt": "<", "le": "<=", "ne": "!="}
    for name, symbol in relations.items():
        plain = [RELATIONS[symbol](x, y) for x, y in zip(a.astype(float), b.astype(float))]
        found = apply(f"arith.cmpf o{name}, %a, %b : {{{kind}}}", a, b, result="i1")
        assert list(found) == [x and not u for x, u in zip(plain, unordered)]
        found = apply(f"arith.cmpf u{name}, %a, %b : {{{kind}}}", a, b, result="i1")
        assert list(found) == [x or u for x, u in zip(plain, unordered)]
    assert list(apply(f"arith.cmpf ord, %a, %b : {{{kind}}}", a, b, result="i1")) == [not u for u in unordered]
    assert list(apply(f"arith.cmpf uno, %a, %b : {{{kind}}}", a, b, result="i1")) == unordered
    assert apply(f"arith.cmpf true, %a, %b : {{{kind}}}", a, b, result="i1").all()
    assert not apply(f"arith.cmpf false, %a, %b : {{{kind}}}", a, b, result="i1").any()


@pytest.mark.parametrize("kind", ["f16", "bf16", "f32", "f64"])
def test_remf(kind):
    values = edge_floats(kind)
    a, b = (x.reshape(-1) for x in np.meshgrid(values, values))
    found = apply(f"arith.remf %a, %b : {{{kind}}}", a, b, result=kind)
    wanted = []
    for x, y in zip(a.astype(float), b.astype(float)):
        try:
            wanted.append(math.fmod(x, y))
        except ValueError:
            wanted.append(math.nan)
    assert_floats(found, wanted, a, b)


@pytest.mark.parametrize("kind", ["f16", "bf16", "f32", "f64"])
def test_negf(kind):
    values = edge_floats(kind)
    values = values[~np.isnan(values)]
    found = apply(f"arith.negf %a : {{{kind}}}", values, result=kind)
    assert_floats(found, -values.astype(np.float64), values)


# --- conversions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source, target", [("f64", "f32"), ("f64", "f16"), ("f64", "bf16"), ("f32", "f16"), ("f32", "bf16")]
)
def test_truncf(source, target):
    rng = np.random.default_rng(11)
    narrow = edge_floats(target, rng, 300).astype(np.float64)
    near = np.concatenate([narrow * (1 + s * 2.0**-k) for s in (-1, 1) for k in (9, 12, 25, 40)] + [narrow])
    values = np.concatenate([near, edge_floats(source, rng, 300).astype(np.float64)]).astype(DTYPES[source])
    found = apply(f"arith.truncf %a : {{{source}}} to {{{target}}}", values, result=target)
    wanted = []
    for x in values.astype(float):
        zero = math.copysign(0.0, x)
        wanted.append((exact_rounding(Fraction(x), target) or zero) if math.isfinite(x) else x)
    assert_floats(found, wanted, values)


def test_extf_is_exact():
    for source in ("f16", "bf16"):
        every = np.arange(2**16, dtype=np.uint16).view(DTYPES[source])
        assert_floats(apply(f"arith.extf %a : {{{source}}} to {{f32}}", every, result="f32"), every.astype(np.float64))


@pytest.mark.parametrize("target", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize("kind", INTEGERS)
@pytest.mark.parametrize("signed", [True, False])
def test_integer_to_float(signed, kind, target):
    bits = INTEGERS[kind]
    values = edge_integers(kind, np.random.default_rng(4), 200)
    if bits == 64:
        # Ties that a first rounding to float64 would make.
        values = np.concatenate([values, np.array([(0x101 << 54) + 1, (0x1000001 << 38) + 1, 2**62 + 2**54 + 1])])
    found = apply(f"arith.{'s' if signed else 'u'}itofp %a : {{{kind}}} to {{{target}}}", values, result=target)
    exact = [int(x) if signed else int(x) % 2**bits for x in values]
    assert_floats(found, [exact_rounding(Fraction(x), target) for x in exact], values)


@pytest.mark.parametrize("source", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize("kind", INTEGERS)
@pytest.mark.parametrize("signed", [True, False])
def test_float_to_integer(signed, kind, source):
    """Toward zero; saturated; NaN is 0."""
    bits = INTEGERS[kind]
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    near = [low - 1, low, high, high + 1, 2.0**31, 2.0**32, 2.0**63, 2.0**64, -0.5, 0.99, -1.5, 254.7, -128.9]
    values = np.concatenate(
        [edge_floats(source, np.random.default_rng(9), 200), np.array(near, float).astype(DTYPES[source])]
    )
    found = apply(f"arith.fpto{'s' if signed else 'u'}i %a : {{{source}}} to {{{kind}}}", values, result=kind)
    for value, x in zip(found, values.astype(float)):
        wanted = 0 if math.isnan(x) else (high if x > 0 else low) if math.isinf(x) else min(max(int(x), low), high)
        assert int(value) == wrap(wanted, bits), x


def test_widths_of_integers():
    values = np.array([-128, -1, 0, 1, 127], np.int8)
    assert list(apply("arith.extsi %a : {i8} to {i32}", values, result="i32")) == [-128, -1, 0, 1, 127]
    assert list(apply("arith.extui %a : {i8} to {i32}", values, result="i32")) == [128, 255, 0, 1, 127]
    wide = np.array([256, 255, 128, -129, 1 << 20], np.int32)
    assert list(apply("arith.trunci %a : {i32} to {i8}", wide, result="i8")) == [0, -1, -128, 127, 0]
    assert list(apply("arith.trunci %a : {i32} to {i1}", wide, result="i1")) == [False, True, False, True, False]
    bits = np.array([False, True])
    assert list(apply("arith.extsi %a : {i1} to {i16}", bits, result="i16")) == [0, -1]
    assert list(apply("arith.extui %a : {i1} to {i16}", bits, result="i16")) == [0, 1]
    assert list(apply("arith.sitofp %a : {i1} to {f32}", bits, result="f32")) == [0.0, -1.0]
    assert list(apply("arith.uitofp %a : {i1} to {bf16}", bits, result="bf16")) == [0.0, 1.0]


def test_bitcast_and_select():
    values = np.array([1.0, -0.0, np.inf], np.float32)
    found = apply("arith.bitcast %a : {f32} to {i32}", values, result="i32")
    assert list(found) == list(values.view(np.int32))
    found = apply(
        "arith.select %a, %b, %c : {i1}, {f32}", np.array([True, False, True]), values, values + 1, result="f32"
    )
    assert same_floats(found, [1.0, 1.0, np.inf]).all()


@given(st.floats(width=32), st.sampled_from(["f16", "bf16"]))
@settings(max_examples=60, deadline=None)
def test_truncf_property(x, target):
    found = float(apply(f"arith.truncf %a : {{f32}} to {{{target}}}", np.array([x], np.float32), result=target)[0])
    wanted = exact_rounding(Fraction(x), target) or math.copysign(0, x) if math.isfinite(x) else x
    assert same_floats(found, wanted).all()


def test_formats_agree_with_ml_dtypes():
    for name in FORMATS:
        every = edge_floats(name, np.random.default_rng(0), 200).astype(np.float64)
        for x in every[np.isfinite(every)]:
            assert exact_rounding(Fraction(x), name) == x
