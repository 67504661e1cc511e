"""tt.dot and tt.dot_scaled against numpy."""

import ml_dtypes
import numpy as np
import pytest
from tiles import run_tiles, tile_type

from ttkit.interpreter.ops.dot import product

RANDOM = np.random.default_rng(20)


def run_dot(a: np.ndarray, b: np.ndarray, c: np.ndarray, precision: str = "ieee") -> np.ndarray:
    out = np.zeros(c.shape, c.dtype)
    types = f"{tile_type(a)} * {tile_type(b)} -> {tile_type(c)}"
    run_tiles(f"%out_tile = tt.dot %a_tile, %b_tile, %c_tile, inputPrecision = {precision} : {types}",
              a=a, b=b, c=c, out=out)  # fmt: skip
    return out


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2])
@pytest.mark.parametrize("accumulator", [np.float32, np.float16])
def test_narrow_floats(dtype, accumulator):
    a, b = RANDOM.standard_normal((32, 64)).astype(dtype), RANDOM.standard_normal((64, 16)).astype(dtype)
    c = RANDOM.standard_normal((32, 16)).astype(accumulator)
    exact = a.astype(np.float64) @ b.astype(np.float64) + c.astype(np.float64)
    tolerance = 1e-5 if accumulator == np.float32 else 1e-3
    np.testing.assert_allclose(run_dot(a, b, c).astype(np.float64), exact, rtol=tolerance, atol=tolerance * 8)


def test_equal_values_give_equal_bits_whatever_their_strides():
    a, b = (RANDOM.standard_normal((64, 64)).astype(np.float32) for _ in range(2))
    products = [product(left, right, 2) for left in (a, np.asfortranarray(a)) for right in (b, np.asfortranarray(b))]
    assert all((one == products[0]).all() for one in products)


def test_f16_accumulator_is_rounded_once():
    a, b = np.ones((16, 16), np.float16), np.ones((16, 16), np.float16)
    # 2048 + 16 * 1 is exact; adding one by one to 2048 in f16 would stay at 2048.
    assert (run_dot(a, b, np.full((16, 16), 2048, np.float16)) == 2064).all()


def test_f64():
    a, b, c = (RANDOM.standard_normal((16, 16)) for _ in range(3))
    np.testing.assert_allclose(run_dot(a, b, c), a @ b + c, rtol=1e-14)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_narrow_floats_are_summed_up_in_the_type_of_the_sums(dtype):
    a, b = (RANDOM.standard_normal((16, 16)).astype(dtype) for _ in range(2))
    c = RANDOM.standard_normal((16, 16))
    np.testing.assert_allclose(run_dot(a, b, c), a.astype(np.float64) @ b.astype(np.float64) + c, rtol=1e-13)


def test_i8_is_exact_and_wraps():
    a, b = (RANDOM.integers(-128, 128, shape).astype(np.int8) for shape in ((32, 128), (128, 16)))
    c = np.full((32, 16), 2**31 - 1, np.int32)
    np.testing.assert_array_equal(run_dot(a, b, c), a.astype(np.int32) @ b.astype(np.int32) + c)


def test_batches():
    a, b = (
        RANDOM.standard_normal((4, 16, 32)).astype(np.float16),
        RANDOM.standard_normal((4, 32, 16)).astype(np.float16),
    )
    c = np.zeros((4, 16, 16), np.float32)
    np.testing.assert_allclose(run_dot(a, b, c), a.astype(np.float64) @ b.astype(np.float64), rtol=1e-4, atol=1e-5)


def test_tf32_cuts_its_operands():
    a, b = np.full((16, 16), 1 + 2**-11, np.float32), np.eye(16, dtype=np.float32)
    zero = np.zeros((16, 16), np.float32)
    assert (run_dot(a, b, zero, "tf32") == 1).all()
    assert (run_dot(a, b, zero, "tf32x3") == 1 + 2**-11).all()
    assert (run_dot(a, b, zero, "ieee") == 1 + 2**-11).all()


@pytest.mark.parametrize(
    ("precision", "tolerance"), [("tf32", 5e-2), ("tf32x3", 3e-5), ("bf16x3", 2e-3), ("bf16x6", 3e-5), ("ieee", 3e-5)]
)
def test_error_of_each_precision(precision, tolerance):
    a, b = RANDOM.standard_normal((64, 64)).astype(np.float32), RANDOM.standard_normal((64, 64)).astype(np.float32)
    zero = np.zeros((64, 64), np.float32)
    error = np.abs(run_dot(a, b, zero, precision) - a.astype(np.float64) @ b.astype(np.float64)).max()
    assert error < tolerance
    if precision in ("tf32", "bf16x3"):
        assert error > 3e-5


def test_infinity_survives_being_split():
    a, b = np.full((16, 16), np.inf, np.float32), np.ones((16, 16), np.float32)
    assert (run_dot(a, b, np.zeros((16, 16), np.float32), "tf32x3") == np.inf).all()


# --- dot_scaled
# ---------------------------------------------------------------------------------------------------------------------

E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])


def test_scaled_e4m3_by_bf16():
    a = RANDOM.standard_normal((32, 64)).astype(ml_dtypes.float8_e4m3fn)
    b = RANDOM.standard_normal((64, 16)).astype(ml_dtypes.bfloat16)
    scale = RANDOM.integers(120, 135, (32, 2)).astype(np.int8)
    c, out = np.ones((32, 16), np.float32), np.zeros((32, 16), np.float32)
    run_tiles(
        f"%out_tile = tt.dot_scaled %a_tile scale %s_tile, %b_tile, %c_tile lhs = e4m3 rhs = bf16 {{fastMath = false}} "
        f": {tile_type(a)}, {tile_type(scale)} * {tile_type(b)} -> {tile_type(c)}",
        a=a, s=scale, b=b, c=c, out=out,
    )  # fmt: skip
    powers = np.repeat(2.0 ** (scale.view(np.uint8).astype(np.float64) - 127), 32, axis=1)
    expected = (a.astype(np.float64) * powers) @ b.astype(np.float64) + 1
    np.testing.assert_allclose(out, expected, rtol=1e-6, atol=1e-5)


@pytest.mark.parametrize("k_pack", [True, False])
def test_scaled_e2m1_packed_along_either_dimension(k_pack):
    codes = RANDOM.integers(0, 16, (32, 64))
    low, high = (codes[:, ::2], codes[:, 1::2]) if k_pack else (codes[::2], codes[1::2])
    a = (low | high << 4).astype(np.uint8).view(np.int8)
    b = RANDOM.standard_normal((64, 16)).astype(np.float16)
    c, out = np.zeros((32, 16), np.float32), np.zeros((32, 16), np.float32)
    run_tiles(
        f"%out_tile = tt.dot_scaled %a_tile, %b_tile, %c_tile lhs = e2m1 rhs = fp16 "
        f"{{fastMath = false, lhs_k_pack = {str(k_pack).lower()}}} "
        f": {tile_type(a)} * {tile_type(b)} -> {tile_type(c)}",
        a=a, b=b, c=c, out=out,
    )  # fmt: skip
    np.testing.assert_allclose(out, E2M1[codes] @ b.astype(np.float64), rtol=1e-6, atol=1e-5)


def test_nan_scale():
    a, b = np.ones((16, 32), np.float16), np.ones((32, 16), ml_dtypes.float8_e5m2)
    scale = np.full((16, 1), -1, np.int8)
    c, out = np.zeros((16, 16), np.float32), np.zeros((16, 16), np.float32)
    run_tiles(
        f"%out_tile = tt.dot_scaled %a_tile, %b_tile scale %s_tile, %c_tile lhs = fp16 rhs = e5m2 {{fastMath = false}} "
        f": {tile_type(a)} * {tile_type(b)}, {tile_type(scale)} -> {tile_type(c)}",
        a=a, b=b, s=scale, c=c, out=out,
    )  # fmt: skip
    assert np.isnan(out).all()
