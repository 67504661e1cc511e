"""math and tt's math: against Python's math module, integers and fractions, rounded once."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from interpreter_operations import INTEGERS, apply, assert_floats, edge_floats, edge_integers, exact_rounding

from ttkit.interpreter.numerics.rounding import fused_multiply_add
from ttkit.interpreter.numerics.special import erf, erfc
from ttkit.interpreter.values import DTYPES

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")  # casts of NaN and infinity

ANY, POSITIVE, UNIT, LARGE = (-8.0, 8.0), (1e-3, 50.0), (-1.0, 1.0), (1.0, 90.0)

# Name to (range of operands, function, values at zero, infinity and minus infinity; None for NaN).
UNARY = {
    "acos": (UNIT, math.acos, (math.pi / 2, None, None)),
    "acosh": (LARGE, math.acosh, (None, math.inf, None)),
    "asin": (UNIT, math.asin, (0.0, None, None)),
    "asinh": (ANY, math.asinh, (0.0, math.inf, -math.inf)),
    "atan": (ANY, math.atan, (0.0, math.pi / 2, -math.pi / 2)),
    "atanh": ((-0.9, 0.9), math.atanh, (0.0, None, None)),
    "cbrt": (POSITIVE, lambda x: x ** (1 / 3), (0.0, math.inf, -math.inf)),
    "ceil": (ANY, lambda x: float(math.ceil(x)), (0.0, math.inf, -math.inf)),
    "cos": (ANY, math.cos, (1.0, None, None)),
    "cosh": (ANY, math.cosh, (1.0, math.inf, math.inf)),
    "erf": (ANY, math.erf, (0.0, 1.0, -1.0)),
    "erfc": (ANY, math.erfc, (1.0, 0.0, 2.0)),
    "exp": (ANY, math.exp, (1.0, math.inf, 0.0)),
    "exp2": (ANY, lambda x: 2.0**x, (1.0, math.inf, 0.0)),
    "expm1": (ANY, math.expm1, (0.0, math.inf, -1.0)),
    "floor": (ANY, lambda x: float(math.floor(x)), (0.0, math.inf, -math.inf)),
    "log": (POSITIVE, math.log, (-math.inf, math.inf, None)),
    "log10": (POSITIVE, math.log10, (-math.inf, math.inf, None)),
    "log1p": (POSITIVE, math.log1p, (0.0, math.inf, None)),
    "log2": (POSITIVE, math.log2, (-math.inf, math.inf, None)),
    "rsqrt": (POSITIVE, lambda x: 1 / math.sqrt(x), (math.inf, 0.0, None)),
    "sin": (ANY, math.sin, (0.0, None, None)),
    "sinh": (ANY, math.sinh, (0.0, math.inf, -math.inf)),
    "sqrt": (POSITIVE, math.sqrt, (0.0, math.inf, None)),
    "tan": (ANY, math.tan, (0.0, None, None)),
    "tanh": (ANY, math.tanh, (0.0, 1.0, -1.0)),
    "trunc": (ANY, lambda x: float(math.trunc(x)), (0.0, math.inf, -math.inf)),
    "roundeven": (ANY, lambda x: float(round(x)), (0.0, math.inf, -math.inf)),
}


@pytest.mark.parametrize("kind", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_number(name, kind):
    """The result in float64, rounded once; within four ulps in float64 itself."""
    (low, high), function, ends = UNARY[name]
    values = np.random.default_rng(3).uniform(low, high, 125).astype(DTYPES[kind])
    values = np.concatenate([values, np.array([0.0, np.inf, -np.inf]).astype(DTYPES[kind])])
    found = apply(f"math.{name} %a : {{{kind}}}", values, result=kind)
    wanted = [function(float(x)) for x in values[:-3]] + [math.nan if end is None else end for end in ends]
    if kind == "f64":
        np.testing.assert_allclose(found, wanted, rtol=1e-15, atol=1e-300)
    else:
        rounded = [exact_rounding(Fraction(x), kind) if math.isfinite(x) else x for x in wanted]
        np.testing.assert_array_equal(found.astype(float), rounded)


@pytest.mark.parametrize(("found", "wanted", "ulps"), [(erf, math.erf, 2), (erfc, math.erfc, 4)])
def test_error_functions_of_doubles(found, wanted, ulps):
    rng = np.random.default_rng(4)
    x = np.concatenate([rng.uniform(-7, 27, 20000), 10.0 ** rng.uniform(-300, 0, 2000), [27.3, -0.0, 0.0, 5e-324]])
    exact = np.array([wanted(v) for v in x])
    assert (np.abs(found(x) - exact) <= ulps * np.spacing(np.abs(exact))).all()


def test_fma_of_doubles_far_apart():
    """What is too large or too small for exact products and their errors."""
    numbers = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        np.inf,
        -np.inf,
        np.nan,
        5e-324,
        2.0**-1022,
        1e308,
        -1e308,
        2.0**500,
        3 * 2.0**-500,
    ]
    a, b, c = (x.reshape(-1) for x in np.meshgrid(numbers, numbers, numbers))
    with np.errstate(all="ignore"):
        found = fused_multiply_add(a, b, c)
        plain = a * b + c
    finite = np.isfinite(a) & np.isfinite(b) & np.isfinite(c)
    np.testing.assert_array_equal(found[~finite], plain[~finite])
    for value, *operands in zip(found[finite], a[finite], b[finite], c[finite]):
        x, y, z = map(Fraction, operands)
        assert value == exact_rounding(x * y + z, "f64"), operands


def test_rounding_of_halves():
    values = np.array([0.5, 1.5, 2.5, -0.5, -2.5, 0.49999997, 8388609.0, -0.0], np.float32)
    found = apply("math.round %a : {f32}", values, result="f32")
    assert_floats(found, [1.0, 2.0, 3.0, -1.0, -3.0, 0.0, 8388609.0, -0.0])
    found = apply("math.roundeven %a : {f32}", values, result="f32")
    assert_floats(found, [0.0, 2.0, 2.0, -0.0, -2.0, 0.0, 8388609.0, -0.0])


@pytest.mark.parametrize("kind", ["f16", "bf16", "f32"])
def test_square_roots_and_quotients_round_once(kind):
    values = edge_floats(kind, np.random.default_rng(8), 200)
    positive = values[np.isfinite(values) & (values > 0)]
    for operation in ("math.sqrt", "tt.precise_sqrt"):
        found = apply(f"{operation} %a : {{{kind}}}", positive, result=kind)
        for value, x in zip(found.astype(float), positive.astype(float)):
            # The root of an integer with many more bits, its remainder as a sticky bit.
            scaled = Fraction(x) * 4**220
            root = math.isqrt(scaled.numerator // scaled.denominator)
            exact = Fraction(2 * root + (root * root != scaled), 2**221)
            is_flushed = operation == "math.sqrt" and x < np.finfo(np.float32).tiny
            assert value == (0.0 if is_flushed else exact_rounding(exact, kind))
    a, b = (x.reshape(-1) for x in np.meshgrid(positive[:40], positive[:40]))
    found = apply(f"tt.precise_divf %a, %b : {{{kind}}}", a, b, result=kind).astype(float)
    for value, x, y in zip(found, a.astype(float), b.astype(float)):
        assert value == exact_rounding(Fraction(x) / Fraction(y), kind)


def test_subnormal_numbers_are_zero_where_instructions_flush_them():
    tiny = np.array([1e-40, -1e-40], np.float32)
    assert_floats(apply("math.sqrt %a : {f32}", tiny, result="f32"), [0.0, -0.0])
    assert_floats(apply("math.rsqrt %a : {f32}", tiny, result="f32"), [math.inf, -math.inf])
    assert_floats(apply("math.exp2 %a : {f32}", np.array([-127.0, -126.0], np.float32), result="f32"), [0.0, 2.0**-126])
    assert_floats(apply("math.exp2 %a : {f16}", np.array([-20.0], np.float16), result="f16"), [2.0**-20])
    assert_floats(apply("math.sqrt %a : {f64}", np.array([1e-40]), result="f64"), [1e-20])
    assert apply("tt.precise_sqrt %a : {f32}", tiny[:1], result="f32") > 0


@pytest.mark.parametrize("kind", ["f16", "bf16", "f32", "f64"])
def test_fma_rounds_once(kind):
    rng = np.random.default_rng(12)
    values = edge_floats(kind, rng, 200)
    values = values[np.isfinite(values)]
    a, b, c = (rng.choice(values, 500) for _ in range(3))
    # Sums that cancel down to the rounding error of the product.
    a[:100], b[:100] = (rng.standard_normal((2, 100)) + 1.5).astype(DTYPES[kind])
    c[:100] = -(a[:100] * b[:100])
    found = apply(f"math.fma %a, %b, %c : {{{kind}}}", a, b, c, result=kind).astype(float)
    for value, *operands in zip(found, a.astype(float), b.astype(float), c.astype(float)):
        x, y, z = map(Fraction, operands)
        assert value == exact_rounding(x * y + z, kind), operands


@given(*[st.floats(width=32, allow_nan=False, allow_infinity=False)] * 3)
@settings(max_examples=60, deadline=None)
def test_fma_property(x, y, z):
    operands = [np.array([v], np.float32) for v in (x, y, z)]
    found = float(apply("math.fma %a, %b, %c : {f32}", *operands, result="f32")[0])
    assert found == exact_rounding(Fraction(x) * Fraction(y) + Fraction(z), "f32")


def test_functions_of_two_numbers():
    rng = np.random.default_rng(2)
    a, b = rng.uniform(0.1, 5, (2, 64)).astype(np.float32)
    found = apply("math.powf %a, %b : {f32}", a, b, result="f32")
    np.testing.assert_array_equal(found, [np.float32(float(x) ** float(y)) for x, y in zip(a, b)])
    found = apply("math.atan2 %a, %b : {f32}", -a, b, result="f32")
    np.testing.assert_array_equal(found, [np.float32(math.atan2(-x, y)) for x, y in zip(a, b)])
    found = apply("math.copysign %a, %b : {f32}", a, -b, result="f32")
    np.testing.assert_array_equal(found, -a)
    power = rng.integers(-3, 9, 64).astype(np.int32)
    found = apply("math.fpowi %a, %b : {f32}, {i32}", a, power, result="f32")
    np.testing.assert_array_equal(found, [np.float32(float(x) ** int(n)) for x, n in zip(a, power)])


@pytest.mark.parametrize("kind", INTEGERS)
def test_bits(kind):
    bits = INTEGERS[kind]
    values = edge_integers(kind, np.random.default_rng(6), 60)
    unsigned = [int(x) % 2**bits for x in values]
    assert list(apply(f"math.ctpop %a : {{{kind}}}", values, result=kind)) == [x.bit_count() for x in unsigned]
    assert list(apply(f"math.ctlz %a : {{{kind}}}", values, result=kind)) == [bits - x.bit_length() for x in unsigned]
    trailing = [(x & -x).bit_length() - 1 if x else bits for x in unsigned]
    assert list(apply(f"math.cttz %a : {{{kind}}}", values, result=kind)) == trailing
    magnitudes = [abs(int(x)) if x != -(2 ** (bits - 1)) else int(x) for x in values]
    assert list(apply(f"math.absi %a : {{{kind}}}", values, result=kind)) == magnitudes
    a, b = (x.reshape(-1) for x in np.meshgrid(values[:20], values[:20]))
    found = apply(f"tt.mulhiui %a, %b : {{{kind}}}", a, b, result=kind)
    for value, x, y in zip(found, a, b):
        assert int(value) % 2**bits == (int(x) % 2**bits) * (int(y) % 2**bits) >> bits
    power = np.arange(len(values)).astype(DTYPES[kind]) % 11
    found = apply(f"math.ipowi %a, %b : {{{kind}}}", values, power, result=kind)
    for value, x, n in zip(found, values, power):
        assert int(value) % 2**bits == pow(int(x), int(n), 2**bits)


def test_powers_to_negative_integers():
    base, power = np.array([1, -1, -1, 2, 5], np.int32), np.array([-3, -3, -4, -1, -2], np.int32)
    assert list(apply("math.ipowi %a, %b : {i32}", base, power, result="i32")) == [1, -1, 1, 0, 0]


@pytest.mark.parametrize("kind", ["f16", "bf16", "f32"])
def test_classes(kind):
    values = edge_floats(kind)
    wide = values.astype(float)
    assert list(apply(f"math.isnan %a : {{{kind}}}", values, result="i1")) == [math.isnan(x) for x in wide]
    assert list(apply(f"math.isinf %a : {{{kind}}}", values, result="i1")) == [math.isinf(x) for x in wide]
    assert list(apply(f"math.isfinite %a : {{{kind}}}", values, result="i1")) == [math.isfinite(x) for x in wide]
    assert_floats(apply(f"math.absf %a : {{{kind}}}", values, result=kind), np.abs(wide))


@pytest.mark.parametrize("kind", ["f16", "bf16", "f32"])
@pytest.mark.parametrize("propagates", [True, False])
def test_clampf(propagates, kind):
    values = edge_floats(kind)
    low, high = (np.full_like(values, bound) for bound in (-1.0, 2.0))
    mode = "all" if propagates else "none"
    found = apply(f"tt.clampf %a, %b, %c, propagateNan = {mode} : {{{kind}}}", values, low, high, result=kind)
    nan = math.nan if propagates else -1.0
    assert_floats(found, [nan if math.isnan(x) else min(max(x, -1.0), 2.0) for x in values.astype(float)], values)
    if propagates:
        found = apply(f"tt.clampf %b, %a, %c, propagateNan = all : {{{kind}}}", values, low, high, result=kind)
        assert np.isnan(found[np.isnan(values)]).all()
