"""Running one operation of tt IR on arrays, and numbers rounded by integer arithmetic to compare it with."""

import re
from fractions import Fraction

import ml_dtypes
import numpy as np
from tiles import NAMES, run_text

from ttkit.interpreter.values import DTYPES

# Name to (bits of precision, least exponent of a normal number, largest number, has infinities).
FORMATS = {
    "f16": (11, -14, 65504.0, True),
    "bf16": (8, -126, float(ml_dtypes.finfo(ml_dtypes.bfloat16).max), True),
    "f32": (24, -126, float(np.finfo(np.float32).max), True),
    "f64": (53, -1022, float(np.finfo(np.float64).max), True),
    "f8E4M3FN": (4, -6, 448.0, False),
    "f8E5M2": (3, -14, 57344.0, True),
    "f8E4M3FNUZ": (4, -7, 240.0, False),
    "f8E5M2FNUZ": (3, -15, 57344.0, False),
}
FLOATS = list(FORMATS)
INTEGERS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}


def apply(text, *operands, result, number=0, results=1):
    """Result number `number` of an operation with `results` ones, on tensors of `operands` (arrays of one length).

    `{i32}` in the text stands for the tensor type with elements i32; operands are %a, %b, %c.
    """
    operands = [np.asarray(operand) for operand in operands]
    length = len(operands[0])
    size = 1 << max(0, (length - 1).bit_length())
    padded = [np.concatenate([x, np.repeat(x[:1], size - length)]) for x in operands]
    out = np.zeros(size, DTYPES[result])
    arguments, lines = [], []
    for name, array in zip("abc", padded):
        kind = NAMES[array.dtype]
        arguments.append(f"%p{name}: !tt.ptr<{kind}>")
        lines += pointers(f"%p{name}", kind, size)
        lines.append(f"%{name} = tt.load %p{name}1 : tensor<{size}x!tt.ptr<{kind}>>")
    lines += [re.sub(r"\{(\w+)\}", lambda match: f"tensor<{size}x{match[1]}>", f"%result:{results} = {text}")]
    lines += pointers("%out", result, size)
    lines.append(f"tt.store %out1, %result#{number} : tensor<{size}x!tt.ptr<{result}>>")
    source = "\n".join(
        [
            f"tt.func public @kernel({', '.join([*arguments, f'%out: !tt.ptr<{result}>'])}) {{",
            f"%range = tt.make_range {{start = 0 : i32, end = {size} : i32}} : tensor<{size}xi32>",
            *lines,
            "tt.return",
            "}",
        ]
    )
    run_text(source, 1, [*padded, out])
    return out[:length]


def pointers(base, kind, size):
    pointer = f"tensor<{size}x!tt.ptr<{kind}>>"
    return [
        f"{base}0 = tt.splat {base} : !tt.ptr<{kind}> -> {pointer}",
        f"{base}1 = tt.addptr {base}0, %range : {pointer}, tensor<{size}xi32>",
    ]


def exact_rounding(x, name, direction="nearest"):
    """A Fraction rounded to a format, by integer arithmetic.

    Beyond the largest number: infinity or NaN to nearest, the largest toward zero.
    """
    precision, least, largest, infinities = FORMATS[name]
    magnitude = abs(x)
    if magnitude == 0:
        return 0.0
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    exponent -= magnitude < Fraction(2) ** exponent
    quantum = Fraction(2) ** (max(exponent, least) - precision + 1)
    count = magnitude / quantum
    value = quantum * (round(count) if direction == "nearest" else count.__floor__())
    sign = -1 if x < 0 else 1
    if value > Fraction(largest):
        return sign * largest if direction == "zero" else sign * float("inf") if infinities else float("nan")
    return sign * float(value)


def edge_floats(name, rng=None, count=0):
    """Zeros, the least and largest numbers, neighbours of one, infinities, NaN, and `count` patterns at random."""
    dtype = DTYPES[name]
    info = ml_dtypes.finfo(dtype)
    special = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, -7.0, 1 + float(info.eps), 1 - float(info.eps) / 2]
    special += [s * float(v) for s in (1, -1) for v in (info.max, info.smallest_normal, info.smallest_subnormal)]
    special += [float("inf"), float("-inf"), float("nan")]
    with np.errstate(all="ignore"):
        values = np.array(special).astype(dtype)
    if rng is None:
        return values
    raw = rng.integers(0, 256, (count, dtype.itemsize), dtype=np.uint8)
    return np.concatenate([values, raw.view(dtype).reshape(-1)])


def edge_integers(name, rng, count):
    """0, +-1, the least and largest, and `count` at random."""
    bits = INTEGERS[name]
    special = [0, 1, -1, 2, 7, -7, bits - 1, bits, -(2 ** (bits - 1)), 2 ** (bits - 1) - 1]
    values = np.array(special, DTYPES[name])
    raw = rng.integers(0, 256, (count, bits // 8), dtype=np.uint8)
    return np.concatenate([values, raw.view(DTYPES[name]).reshape(-1)])


def same_floats(left, right):
    """Equal, zeros with their signs, NaN to NaN."""
    left, right = np.asarray(left, np.float64), np.asarray(right, np.float64)
    nan = np.isnan(left) & np.isnan(right)
    return nan | ((left == right) & (np.signbit(left) == np.signbit(right)))


def assert_floats(found, wanted, *operands):
    bad = ~same_floats(np.asarray(found).astype(np.float64), wanted)
    if bad.any():
        index = int(np.argmax(bad))
        given = [repr(float(operand[index])) for operand in operands]
        raise AssertionError(f"of {given}: found {found[index]!r}, wanted {wanted[index]!r}; {bad.sum()} in all")
