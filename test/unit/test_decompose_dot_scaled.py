"""Products of scaled operands, decomposed, are what the interpreter says of the operation."""

import itertools

import ml_dtypes
import numpy as np
import pytest
from mlir import ir
from tiles import tile_kernel, tile_type

import ttkit
from ttkit.interpreter import interpret

M, N, K = 16, 32, 64
FORMATS = {
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
    "e2m3": np.int8,
    "e3m2": np.int8,
    "e2m1": np.int8,
    "bf16": ml_dtypes.bfloat16,
    "fp16": np.float16,
}
SCALES = ("none", "e8m0", "e4m3")


def operand(rng: np.random.Generator, format: str, shape: tuple[int, int], packed: int) -> np.ndarray:
    if format == "e2m1":
        shape = tuple(size // 2 if dim == packed else size for dim, size in enumerate(shape))
    if FORMATS[format] == np.int8:
        return rng.integers(0, 256 if format == "e2m1" else 64, shape).astype(np.uint8).view(np.int8)
    return rng.standard_normal(shape).astype(FORMATS[format])


def scale_of(rng: np.random.Generator, kind: str, rows: int) -> np.ndarray | None:
    if kind == "none":
        return None
    if kind == "e4m3":
        return rng.uniform(-4, 4, (rows, K // 16)).astype(ml_dtypes.float8_e4m3fn)
    return rng.integers(117, 138, (rows, K // 32)).astype(np.uint8).view(np.int8)


def both_ways(
    formats, a, b, a_scale, b_scale, fast=False, packs=(True, True), passes="ttkit-decompose-dot-scaled"
) -> list[np.ndarray]:
    """The result of the operation, and of what passes decompose it to."""
    c = np.ones((a.shape[0] * (1 if packs[0] else 2), b.shape[1] * (1 if packs[1] else 2)), np.float32)
    given = {"a": a, "b": b, "c": c, "p": a_scale, "q": b_scale}
    given = {name: array for name, array in given.items() if array is not None}
    text, types = [], []
    for name, scale in (("a", "p"), ("b", "q")):
        text.append(f"%{name}_tile" + (f" scale %{scale}_tile" if scale in given else ""))
        types.append(tile_type(given[name]) + (f", {tile_type(given[scale])}" if scale in given else ""))
    flags = ", ".join(
        f"{name} = {str(value).lower()}"
        for name, value in (("fastMath", fast), ("lhs_k_pack", packs[0]), ("rhs_k_pack", packs[1]))
    )
    body = (
        f"%out_tile = tt.dot_scaled {text[0]}, {text[1]}, %c_tile lhs = {formats[0]} rhs = {formats[1]} "
        f"{{{flags}}} : {types[0]} * {types[1]} -> {tile_type(c)}"
    )
    results = []
    for decompose in (False, True):
        out = np.zeros_like(c)
        arrays = {**given, "out": out}
        with ttkit.Context(), ir.Location.unknown():
            module = ir.Module.parse(tile_kernel(body, arrays, ("out",)))
            if decompose:
                ttkit.run_passes(module, passes)
                assert "dot_scaled" not in str(module) or "cuda:120" in passes
            interpret(module, 1, list(arrays.values()))
        results.append(out)
    return results


@pytest.mark.parametrize("a_format, b_format", [*itertools.product(FORMATS, FORMATS)])
def test_every_pair_of_formats(a_format, b_format):
    rng = np.random.default_rng(3)
    number = list(FORMATS).index(a_format) + list(FORMATS).index(b_format)
    for shift in (0, 1):
        kinds = SCALES[number % 3], SCALES[(number // 3 + shift) % 3]
        packs = a_format != "e2m1" or shift == 0, b_format != "e2m1" or number % 2 == 0
        a = operand(rng, a_format, (M, K), 1 if packs[0] else 0)
        b = operand(rng, b_format, (K, N), 0 if packs[1] else 1)
        scales = scale_of(rng, kinds[0], M), scale_of(rng, kinds[1], N)
        expected, found = both_ways((a_format, b_format), a, b, *scales, packs=packs)
        # The order of the sum differs, and with it the rounding of f32.
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max())


@pytest.mark.parametrize("fast", [False, True])
def test_extreme_scales(fast):
    a, b = np.ones((3, 32), np.float32).repeat(8, 0).astype(ml_dtypes.bfloat16)[:16], np.ones((32, 16), np.float16)
    scale = np.full((16, 1), 127, np.uint8)
    scale[:4, 0] = 0, 1, 254, 255
    expected, found = both_ways(("bf16", "fp16"), a, b, scale.view(np.int8), None, fast)
    rows = [row for row in range(16) if row != 3 or not fast]
    np.testing.assert_array_equal(found[rows], expected[rows])
    assert np.isnan(expected[3]).all() and (fast or np.isnan(found[3]).all())


def test_the_smallest_scale_is_exact():
    a = np.full((16, 32), 1.5, np.float32).astype(ml_dtypes.float8_e4m3fn)
    b = np.full((32, 16), 2.0**120, np.float32).astype(ml_dtypes.bfloat16)
    expected, found = both_ways(("e4m3", "bf16"), a, b, np.zeros((16, 1), np.int8), None)
    np.testing.assert_array_equal(found, expected)
    assert (found == 1 + 32 * 1.5 / 128).all()
