"""Constants of tensors whose elements differ, lowered: each thread has its elements, of every type and layout."""

import ml_dtypes
import numpy as np
import pytest
from lowered_tensors import compute, module

LAYOUTS = {
    "registers": "#ttg.blocked<{sizePerThread = [16, 8], threadsPerWarp = [1, 32], warpsPerCTA=[4, 1], order=[1, 0]}>",
    "threads": "#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], warpsPerCTA = [2, 2], order = [0, 1]}>",
    "copies": "#ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0]}>",
    "product": "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>",
    "wide": "#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8, 16]}>",
}
TYPES = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2,
}
RETURNED = """
  tt.func private @f() -> tensor<{shape}x{type}, #l> {{
    %c = arith.constant dense<{numbers}> : tensor<{shape}x{type}, #l>
    tt.return %c : tensor<{shape}x{type}, #l>
  }}"""


def text_of(values: np.ndarray) -> str:
    """Nested lists as MLIR reads them."""
    if values.ndim:
        return f"[{', '.join(map(text_of, values))}]"
    return str(bool(values)).lower() if values.dtype == np.bool_ else str(values.item())


def constant(values: np.ndarray, type: str, layout: str) -> np.ndarray:
    shape = "x".join(map(str, values.shape))
    text = RETURNED.format(shape=shape, type=type, numbers=text_of(values))
    (found,) = compute(module(text, f"#l = {LAYOUTS[layout]}", warps=4))
    return found


def bits(values: np.ndarray) -> np.ndarray:
    return values if values.dtype == np.bool_ else np.ascontiguousarray(values).view(f"u{values.dtype.itemsize}")


@pytest.mark.parametrize("shape", [(16, 8), (4, 32)])
@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("layout", ["registers", "threads", "copies"])
def test_every_type(layout, type, shape):
    values = np.random.default_rng(5).integers(-9, 9, shape).astype(TYPES[type])
    np.testing.assert_array_equal(bits(constant(values, type, layout)), bits(values))


@pytest.mark.parametrize("type", ["f32", "f16", "i32"])
@pytest.mark.parametrize("layout", ["product", "wide"])
def test_layouts_of_products(layout, type):
    values = np.arange(64 * 16).reshape(64, 16).astype(TYPES[type])
    np.testing.assert_array_equal(bits(constant(values, type, layout)), bits(values))


@pytest.mark.parametrize("pattern", ["0x7FC00000, 1.5", "0x7F800000, -0.0", '"0x0000c07f0000c03f"'])
def test_floats_that_are_written_as_bits(pattern):
    number = pattern if pattern.startswith('"') else f"[{pattern}]"
    wanted = {"0x7FC00000, 1.5": [np.nan, 1.5], "0x7F800000, -0.0": [np.inf, -0.0]}.get(pattern, [np.nan, 1.5])
    text = RETURNED.format(shape="2", type="f32", numbers=number)
    layout = "#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>"
    (found,) = compute(module(text, f"#l = {layout}", warps=4))
    np.testing.assert_array_equal(bits(found), np.array(wanted, np.float32).view(np.uint32))
