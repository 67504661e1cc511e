"""Library functions, mapped scalar code, inline assembly."""

import math
import re
import sys
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from interpreter_operations import apply, assert_floats, exact_rounding
from tiles import run_tiles

from ttkit.interpreter import NotInterpretable
from ttkit.interpreter.numerics.library_functions import CLASSES, FLOAT, INTEGER, find
from ttkit.interpreter.numerics.special import special

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def library(symbol, *operands, result, kinds):
    names = ", ".join(f"%{letter}" for letter, _ in zip("abc", operands))
    text = f"""tt.extern_elementwise {names} {{libname = "", libpath = "", pure = true, symbol = "{symbol}"}}
        : ({", ".join(f"{{{kind}}}" for kind in kinds)}) -> {{{result}}}"""
    return apply(text, *operands, result=result)


# Symbol, without the f of float32, to (operand ranges, Python's function).
REFERENCES = {
    "acos": ([(-1, 1)], math.acos),
    "atan2": ([(-5, 5), (-5, 5)], math.atan2),
    "cospi": ([(-3, 3)], lambda x: math.cos(math.pi * x)),
    "erf": ([(-3, 3)], math.erf),
    "erfc": ([(-3, 3)], math.erfc),
    "exp": ([(-5, 5)], math.exp),
    "exp10": ([(-5, 5)], lambda x: 10.0**x),
    "fdim": ([(-5, 5), (-5, 5)], lambda x, y: max(x - y, 0.0)),
    "fmod": ([(-5, 5), (0.1, 2)], math.fmod),
    "hypot": ([(-5, 5), (-5, 5)], math.hypot),
    "lgamma": ([(0.1, 9)], math.lgamma),
    "log": ([(0.1, 9)], math.log),
    "log1p": ([(0.1, 9)], math.log1p),
    "normcdf": ([(-3, 3)], lambda x: math.erfc(-x / math.sqrt(2)) / 2),
    "pow": ([(0.1, 5), (-3, 3)], math.pow),
    "remainder": ([(-5, 5), (0.5, 2)], math.remainder),
    "rsqrt": ([(0.1, 9)], lambda x: 1 / math.sqrt(x)),
    "sinh": ([(-5, 5)], math.sinh),
    "sqrt": ([(0.1, 9)], math.sqrt),
    "tanh": ([(-5, 5)], math.tanh),
    "tgamma": ([(0.1, 9)], math.gamma),
}


@pytest.mark.parametrize("name", REFERENCES)
@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_float_functions(kind, name):
    ranges, function = REFERENCES[name]
    rng = np.random.default_rng(4)
    dtype = np.float32 if kind == "f32" else np.float64
    operands = [rng.uniform(*bounds, 64).astype(dtype) for bounds in ranges]
    symbol = f"__nv_{name}{'f' if kind == 'f32' else ''}"
    found = library(symbol, *operands, result=kind, kinds=[kind] * len(operands))
    wanted = [function(*map(float, values)) for values in zip(*operands)]
    np.testing.assert_allclose(found, wanted, rtol=2.0**-23 if kind == "f32" else 1e-13, atol=1e-14)


@pytest.mark.parametrize("name, forward", [("erfinv", math.erf), ("erfcinv", math.erfc)])
def test_inverse_error_functions(name, forward):
    low, high = (-0.999, 0.999) if name == "erfinv" else (0.001, 1.999)
    x = np.linspace(low, high, 64)
    found = library(f"__nv_{name}", x, result="f64", kinds=["f64"])
    np.testing.assert_allclose([forward(y) for y in found], x, rtol=1e-12, atol=1e-13)


def test_integer_functions():
    rng = np.random.default_rng(1)
    a, b = rng.integers(-(2**31), 2**31, (2, 64)).astype(np.int32)
    found = library("__nv_brev", a, result="i32", kinds=["i32"])
    assert [int(x) % 2**32 for x in found] == [int(f"{int(x) % 2**32:032b}"[::-1], 2) for x in a]
    found = library("__nv_mulhi", a, b, result="i32", kinds=["i32", "i32"])
    assert [int(x) for x in found] == [int(x) * int(y) >> 32 for x, y in zip(a, b)]
    found = library("__nv_umulhi", a, b, result="i32", kinds=["i32", "i32"])
    assert [int(x) % 2**32 for x in found] == [(int(x) % 2**32) * (int(y) % 2**32) >> 32 for x, y in zip(a, b)]
    wide = a.astype(np.int64) << 20 | b
    found = library("__nv_mul64hi", wide, -wide, result="i64", kinds=["i64", "i64"])
    assert [int(x) for x in found] == [int(x) * -int(x) >> 64 for x in wide]
    found = library("__nv_ffs", np.array([0, 1, 8, -8, -(2**31)], np.int32), result="i32", kinds=["i32"])
    assert list(found) == [0, 1, 4, 4, 32]
    found = library("__nv_popcll", wide, result="i32", kinds=["i64"])
    assert [int(x) for x in found] == [(int(x) % 2**64).bit_count() for x in wide]
    found = library("__nv_rhadd", a, b, result="i32", kinds=["i32", "i32"])
    assert [int(x) for x in found] == [(int(x) + int(y) + 1) >> 1 for x, y in zip(a, b)]
    selector = np.full(64, 0x3175, np.int32)
    found = library("__nv_byte_perm", a, b, selector, result="i32", kinds=["i32"] * 3)
    for value, x, y in zip(found, a, b):
        octets = (int(x) % 2**32).to_bytes(4, "little") + (int(y) % 2**32).to_bytes(4, "little")
        assert (int(value) % 2**32).to_bytes(4, "little") == bytes(octets[i] for i in (5, 7, 1, 3))


@pytest.mark.parametrize("direction", ["rn", "rz", "rd", "ru"])
def test_directed_operations(direction):
    rng = np.random.default_rng(8)
    x, y, z = rng.standard_normal((3, 64)).astype(np.float32)
    exact = {
        "fadd": (2, lambda a, b: a + b),
        "fmul": (2, lambda a, b: a * b),
        "fdiv": (2, lambda a, b: a / b),
        "fmaf": (3, lambda a, b, c: a * b + c),
    }
    for name, (count, function) in exact.items():
        operands = (x, y, z)[:count]
        found = library(f"__nv_{name}_{direction}", *operands, result="f32", kinds=["f32"] * count)
        for value, *numbers in zip(found, *operands):
            true = function(*(Fraction(float(n)) for n in numbers))
            near = np.float32(exact_rounding(true, "f32"))
            cut = np.float32(exact_rounding(true, "f32", "zero"))
            away = cut if Fraction(float(cut)) == true else np.nextafter(cut, np.float32(math.copysign(math.inf, true)))
            wanted = {"rn": near, "rz": cut, "rd": cut if true > 0 else away, "ru": away if true > 0 else cut}
            assert value == wanted[direction], (name, numbers)


def test_conversions():
    x = np.array([1.5, -1.5, 2.5, 1e20, math.nan, -0.75], np.float32)
    results = {"rn": [2, -2, 2], "rz": [1, -1, 2], "rd": [1, -2, 2], "ru": [2, -1, 3]}
    for direction, first in results.items():
        found = library(f"__nv_float2int_{direction}", x, result="i32", kinds=["f32"])
        assert list(found[:5]) == [*first, 2**31 - 1, 0]
    big = np.array([2**24 + 1, -(2**24 + 1), -1], np.int32)
    assert list(library("__nv_int2float_rz", big, result="f32", kinds=["i32"])) == [2.0**24, -(2.0**24), -1]
    assert list(library("__nv_int2float_ru", big, result="f32", kinds=["i32"])) == [2.0**24 + 2, -(2.0**24), -1]
    assert library("__nv_uint2float_rn", big, result="f32", kinds=["i32"])[2] == 2.0**32
    assert list(library("__nv_float_as_int", x[:2], result="i32", kinds=["f32"])) == list(x[:2].view(np.int32))
    found = library("__nv_ldexpf", x[:3], np.array([1, 2, -1], np.int32), result="f32", kinds=["f32", "i32"])
    assert_floats(found, [3.0, -6.0, 1.25])
    assert list(library("__nv_isnanf", x, result="i32", kinds=["f32"])) == [0, 0, 0, 0, 1, 0]


def test_every_name_is_found():
    for name in (*FLOAT, *CLASSES):
        assert find(f"__nv_{name}") is not None and find(f"__nv_{name}f") is not None
    assert all(find(f"__nv_{name}") is not None for name in INTEGER)
    assert find("__nv_fast_expf") is not None and find("__ocml_exp_f32") is not None
    assert find("__nv_missingf") is None and find("exp") is None


def test_unknown_function_is_named():
    x = np.ones(4, np.float32)
    with pytest.raises(NotInterpretable, match="no meaning is known of the library function '__nv_missingf'"):
        library("__nv_missingf", x, result="f32", kinds=["f32"])
    with pytest.raises(NotInterpretable, match=r"'__nv_float_as_int' is not defined on .*f64"):
        library("__nv_float_as_int", x.astype(float), result="i32", kinds=["f64"])


def assembly(text: str, kind: str = "{i32}", pack: int = 1) -> str:
    return f"""tt.elementwise_inline_asm "{text}" {{constraints = "=r,r", packed_element = {pack} : i32,
        pure = true}} %a : {kind} -> {kind}"""


def test_assembly():
    a = np.arange(-2, 2, dtype=np.int32)
    found = apply(assembly("shl.b32 $0, $1, 3;"), a, result="i32")
    np.testing.assert_array_equal(found, a << 3)


def test_packed_assembly():
    """Four bytes in a register."""
    a = np.arange(-8, 8, dtype=np.int8)
    text = assembly("and.b32 $0, $1, 0x0F0F0F0F;", "{i8}", pack=4)
    np.testing.assert_array_equal(apply(text, a, result="i8"), a & 15)


@pytest.mark.parametrize("pair, dtype", [("e4m3x2", ml_dtypes.float8_e4m3fn), ("e5m2x2", ml_dtypes.float8_e5m2)])
def test_pairs_of_narrower_floats(pair, dtype):
    a = np.array([0.0, -1.0, 1.3, 1e9, -1e9, 0.01, 17.0, 300.0], np.float32)
    pack = f"cvt.rn.satfinite.{pair}.f32 both, $1, b;"
    code = f"{{ .reg .f32 b; .reg .b16 both; neg.f32 b, $1; {pack} cvt.u32.u16 $0, both; }}"
    text = f"""tt.elementwise_inline_asm "{code}" {{constraints = " =r, f", packed_element = 1 : i32,
        pure = true}} %a : {{f32}} -> {{i32}}"""
    limit = float(ml_dtypes.finfo(dtype).max)
    high, low = (np.clip(half, -limit, limit).astype(dtype).view(np.uint8).astype(np.int32) for half in (a, -a))
    np.testing.assert_array_equal(apply(text, a, result="i32"), high << 8 | low)


def test_assembly_that_is_not_known_is_named():
    with pytest.raises(NotInterpretable, match=r"inline assembly has no meaning here: sad\.s32"):
        apply(assembly("sad.s32 $0, $1, $1, $1;"), np.arange(4, dtype=np.int32), result="i32")
    for text in ("mov.u32 $0, %tid.x;", "bar.sync 0;", "cp.async.wait_all;"):
        with pytest.raises(NotInterpretable, match=f"no thread here: {re.escape(text)}"):
            apply(assembly(text), np.arange(4, dtype=np.int32), result="i32")


def test_map_elementwise():
    """Scalar code with a loop: Collatz steps, another number for each element."""
    a = np.arange(1, 33, dtype=np.int32).reshape(4, 8)
    out = np.zeros_like(a)
    run_tiles(
        """%out_tile = "tt.map_elementwise"(%a_tile) <{pack = 1 : i32}> ({
        ^bb0(%n: i32):
          %none = arith.constant 0 : i32
          %one = arith.constant 1 : i32
          %two = arith.constant 2 : i32
          %three = arith.constant 3 : i32
          cf.br ^bb1(%n, %none : i32, i32)
        ^bb1(%x: i32, %steps: i32):
          %more = arith.cmpi ne, %x, %one : i32
          cf.cond_br %more, ^bb2, ^bb3
        ^bb2:
          %half = arith.divsi %x, %two : i32
          %triple = arith.muli %x, %three : i32
          %up = arith.addi %triple, %one : i32
          %bit = arith.andi %x, %one : i32
          %odd = arith.cmpi eq, %bit, %one : i32
          %next = arith.select %odd, %up, %half : i32
          %count = arith.addi %steps, %one : i32
          cf.br ^bb1(%next, %count : i32, i32)
        ^bb3:
          tt.map_elementwise.return %steps : i32
        }) : (tensor<4x8xi32>) -> tensor<4x8xi32>""",
        a=a, out=out,
    )  # fmt: skip

    def steps(n):
        return 0 if n == 1 else 1 + steps(3 * n + 1 if n % 2 else n // 2)

    assert out.reshape(-1).tolist() == [steps(n) for n in range(1, 33)]


def test_map_elementwise_of_groups():
    a, b = np.arange(8, dtype=np.int32), np.arange(8, dtype=np.int32) * 10
    out, out1 = np.zeros(8, np.int32), np.zeros(8, np.int32)
    run_tiles(
        """%out_tile, %out1_tile = "tt.map_elementwise"(%a_tile, %b_tile) <{pack = 2 : i32}> ({
        ^bb0(%a0: i32, %a1: i32, %b0: i32, %b1: i32):
          tt.map_elementwise.return %a0, %a1, %b0, %b1 : i32, i32, i32, i32
        }) : (tensor<8xi32>, tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>)""",
        ("out", "out1"), a=a, b=b, out=out, out1=out1,
    )  # fmt: skip
    assert (out == a).all() and (out1 == b).all()


def test_directed_rounding_of_doubles():
    from fractions import Fraction

    from ttkit.interpreter.numerics.directed_rounding import directed
    from ttkit.interpreter.numerics.rounding import DOWN, TOWARD_ZERO, UP

    rng = np.random.default_rng(0)
    a, b, c = rng.standard_normal((3, 200))
    exact = {
        "add": lambda a, b, c: a + b,
        "sub": lambda a, b, c: a - b,
        "mul": lambda a, b, c: a * b,
        "div": lambda a, b, c: a / b,
        "rcp": lambda a, b, c: 1 / a,
        "fma": lambda a, b, c: a * b + c,
    }
    for name, function in exact.items():
        operands = {"rcp": (a,), "fma": (a, b, c)}.get(name, (a, b))
        values = [function(*map(Fraction, row)) for row in zip(a.tolist(), b.tolist(), c.tolist())]
        down, up = directed(name, DOWN, *operands), directed(name, UP, *operands)
        zero = directed(name, TOWARD_ZERO, *operands)
        for value, low, high, toward in zip(values, down.tolist(), up.tolist(), zero.tolist()):
            assert Fraction(low) <= value <= Fraction(high)
            assert high in (low, np.nextafter(low, np.inf))
            assert toward == (low if value > 0 else high)
    assert directed("mul", DOWN, np.array([1e300]), np.array([1e300]))[0] == np.finfo(np.float64).max
    # A sum that is zero: terms that cancel each other give -0 only downwards, zeros of one sign keep it.
    below = [
        ("sub", 1.0, 1.0),
        ("add", 0.0, -0.0),
        ("sub", 0.0, 0.0),
        ("fma", 2.0, -0.0, -0.0),
        ("fma", 2.0, 3.0, -6.0),
    ]
    sums = [*((one, "-0.0") for one in below), (("add", 0.0, 0.0), "0.0"), (("fma", 2.0, 0.0, 0.0), "0.0")]
    for (name, *operands), zero in sums:
        assert str(directed(name, DOWN, *(np.array([x]) for x in operands))[0]) == zero


def test_special_functions_without_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    with pytest.raises(NotInterpretable, match=r"'j0' needs SciPy: pip install 'ttkit\[interpreter\]'"):
        special("j0")(np.array([1.0]))
