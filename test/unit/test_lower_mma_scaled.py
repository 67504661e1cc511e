"""Products of scaled operands by mma.sync, evaluated warp by warp, are the products of what the operands stand for."""

import ml_dtypes
import numpy as np
import pytest
from lowered_tensors import compute, module

from ttkit.interpreter.numerics.elementary import FP4

FP8 = {"e4m3": ("f8E4M3FN", ml_dtypes.float8_e4m3fn), "e5m2": ("f8E5M2", ml_dtypes.float8_e5m2)}
# Format of scales, elements that share one, how a scale is written.
SCALES = {"ue8m0": (32, "i8"), "ue4m3": (16, "f8E4M3FN")}


def linear(bases: dict[str, list[list[int]]]) -> str:
    return "#ttg.linear<{" + ", ".join(f"{name} = {of_dim}" for name, of_dim in bases.items()) + ", block = []}>"


def steps(first: int, end: int, dim: int) -> list[list[int]]:
    """first, 2 first, ... below `end` along a dimension."""
    return [[size * (dim == 0), size * (dim == 1)] for bit in range(12) if first <= (size := 1 << bit) < end]


def scale_layouts(m: int, n: int, scales: int) -> tuple[str, str]:
    """Of the scales of a and b, for two by two warps."""
    rows = steps(1, 8, 0)
    a = {
        "register": [*steps(1, scales, 1), *steps(32, m, 0)],
        "lane": [[8, 0], [0, 0], *rows],
        "warp": [[0, 0], [16, 0]],
    }
    b = {
        "register": [*steps(1, scales, 1), *steps(16, n, 0)],
        "lane": [[0, 0], [0, 0], *rows],
        "warp": [[8, 0], [0, 0]],
    }
    return linear(a), linear(b)


def function(shape, formats, kind, with_scales) -> tuple[str, str]:
    """A function of a, b, c and the scales that there are; its layouts."""
    m, n, k = shape
    stored = ["i8" if format == "e2m1" else FP8[format][0] for format in formats]
    length = k // 2 if "e2m1" in formats else k
    block, scale_type = SCALES[kind]
    a, b, c = f"{m}x{length}x{stored[0]}", f"{length}x{n}x{stored[1]}", f"tensor<{m}x{n}xf32, #m>"
    scales = [f"{size}x{k // block}x{scale_type}" for size in (m, n)]
    parameters = [f"%a: tensor<{a}, #l>", f"%b: tensor<{b}, #l>", f"%c: {c}"]
    lines = [
        f"%x = ttg.convert_layout %a : tensor<{a}, #l> -> tensor<{a}, #left>",
        f"%y = ttg.convert_layout %b : tensor<{b}, #l> -> tensor<{b}, #right>",
    ]
    values, types = ["%x", "%y"], [f"tensor<{a}, #left>", f"tensor<{b}, #right>"]
    for index, name in enumerate("st"):
        if with_scales[index]:
            given, wanted = f"tensor<{scales[index]}, #l>", f"tensor<{scales[index]}, #{name}>"
            parameters.append(f"%{name}: {given}")
            lines.append(f"%{name}c = ttg.convert_layout %{name} : {given} -> {wanted}")
            values[index] += f" scale %{name}c"
            types[index] += f", {wanted}"
    lines.append(
        f"%d = tt.dot_scaled {', '.join(values)}, %c lhs = {formats[0]} rhs = {formats[1]} {{fastMath = false}} : "
        f"{' * '.join(types)} -> {c}"
    )
    of_a, of_b = scale_layouts(m, n, k // block)
    aliases = [
        "#m = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>",
        "#l = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>",
        "#left = #ttg.dot_op<{opIdx = 0, parent = #m, kWidth = 4}>",
        "#right = #ttg.dot_op<{opIdx = 1, parent = #m, kWidth = 4}>",
        f"#s = {of_a}",
        f"#t = {of_b}",
    ]
    body = "\n".join([*lines, f"tt.return %d : {c}"])
    return f"tt.func public @f({', '.join(parameters)}) -> {c} {{\n{body}\n}}", "\n".join(aliases)


def numbers(rng: np.random.Generator, format: str, shape: tuple[int, int], axis: int) -> tuple[np.ndarray, np.ndarray]:
    """As bytes, and what they stand for."""
    if format != "e2m1":
        given = rng.integers(-4, 5, shape).astype(FP8[format][1])
        return given.view(np.uint8), given.astype(float)
    digits = rng.integers(0, 16, shape)
    low, high = (digits.take(range(half, shape[axis], 2), axis) for half in (0, 1))
    return (low | high << 4).astype(np.uint8), FP4[digits]


@pytest.mark.parametrize("shape", [(64, 64, 128), (32, 16, 64), (128, 32, 256)])
@pytest.mark.parametrize(
    "formats, kind, with_scales",
    [
        (("e4m3", "e4m3"), "ue8m0", (True, True)),
        (("e5m2", "e4m3"), "ue8m0", (True, False)),
        (("e4m3", "e5m2"), "ue8m0", (False, True)),
        (("e2m1", "e2m1"), "ue8m0", (True, True)),
        (("e2m1", "e2m1"), "ue4m3", (True, True)),
    ],
)
def test_scaled_products(shape, formats, kind, with_scales):
    m, n, k = shape
    rng = np.random.default_rng(k)
    stored_a, a = numbers(rng, formats[0], (m, k), 1)
    stored_b, b = numbers(rng, formats[1], (k, n), 0)
    c = rng.integers(-9, 9, (m, n)).astype(np.float32)
    given, block = [], SCALES[kind][0]
    for index, size in enumerate((m, n)):
        factors = 2.0 ** rng.integers(-2, 3, (size, k // block))
        if not with_scales[index]:
            continue
        as_stored = np.log2(factors) + 127 if kind == "ue8m0" else factors.astype(FP8["e4m3"][1]).view(np.uint8)
        given.append(as_stored.astype(np.uint8))
        spread = np.repeat(factors, block, 1)
        a, b = (a * spread, b) if index == 0 else (a, b * spread.T)
    text, aliases = function(shape, formats, kind, with_scales)
    (found,) = compute(module(text, aliases, 4), stored_a, stored_b, c, *given, capability=120)
    np.testing.assert_array_equal(found, (a @ b + c).astype(np.float32))
