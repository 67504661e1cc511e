"""Conversions of tt and ttg: every pair of float types, both roundings, saturation of fp8; bits and addresses."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from interpreter_operations import FLOATS, FORMATS, apply, assert_floats, edge_floats, exact_rounding
from mlir import ir

import ttkit
from ttkit.interpreter import interpret
from ttkit.interpreter.numerics import rounding
from ttkit.interpreter.values import DTYPES

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")  # casts of NaN and infinity

BYTES = [name for name in FLOATS if name.startswith("f8")]


def reference(x, target, direction):
    """fp_to_fp of a Python float."""
    largest = FORMATS[target][2]
    if math.isnan(x):
        return math.nan
    if math.isinf(x):
        return math.copysign(largest, x) if target in BYTES else x
    value = exact_rounding(Fraction(x), target, direction)
    if target in BYTES and not abs(value) <= largest:
        value = math.copysign(largest, x)
    if value == 0:
        return 0.0 if target.endswith("FNUZ") else math.copysign(0.0, x)
    return value


@pytest.mark.parametrize("direction", ["nearest", "zero"])
@pytest.mark.parametrize("target", [*BYTES, "f16", "bf16", "f32"])
@pytest.mark.parametrize("source", [*BYTES, "f16", "bf16", "f32", "f64"])
def test_fp_to_fp(source, target, direction):
    if source == target:
        return
    rng = np.random.default_rng(17)
    near = edge_floats(target, rng, 150).astype(float)
    near = np.concatenate([near * (1 + s * 2.0**-k) for s in (-1, 1) for k in (3, 4, 5, 9, 12, 20)] + [near])
    values = np.concatenate([near.astype(DTYPES[source]), edge_floats(source, rng, 300)])
    mode = "rtne" if direction == "nearest" else "rtz"
    found = apply(f"tt.fp_to_fp %a, rounding = {mode} : {{{source}}} -> {{{target}}}", values, result=target)
    assert_floats(found, [reference(x, target, direction) for x in values.astype(float)], values)


@pytest.mark.parametrize("source", BYTES)
def test_widening_is_exact(source):
    every = np.arange(256, dtype=np.uint8).view(DTYPES[source])
    for target in ("f16", "bf16", "f32"):
        found = apply(f"tt.fp_to_fp %a : {{{source}}} -> {{{target}}}", every, result=target)
        assert_floats(found, [reference(x, target, "nearest") for x in every.astype(float)], every)


@given(st.floats(width=32, allow_nan=False), st.sampled_from(BYTES), st.sampled_from(["nearest", "zero"]))
@settings(max_examples=80, deadline=None)
def test_narrowing_property(x, target, direction):
    mode = "rtne" if direction == "nearest" else "rtz"
    values = np.array([x], np.float32)
    found = apply(f"tt.fp_to_fp %a, rounding = {mode} : {{f32}} -> {{{target}}}", values, result=target)
    assert_floats(found, [reference(x, target, direction)])


@pytest.mark.parametrize("target", [*BYTES, "f16", "bf16", "f32"])
def test_directed_rounding(target):
    """Down is the largest number that is not above, up the smallest that is not below."""
    rng = np.random.default_rng(5)
    values = edge_floats(target, rng, 100).astype(float)
    values = values[np.isfinite(values)]
    x = np.concatenate([values * (1 + s * 2.0**-k) for s in (-1, 1) for k in (3, 9, 30)] + [values])
    x = x[np.abs(x) <= FORMATS[target][2]]
    dtype = DTYPES[target]
    down, up = (rounding.rounded(x, dtype, d).astype(float) for d in (rounding.DOWN, rounding.UP))
    assert (down <= x).all() and (up >= x).all()
    exact = rounding.narrowed(x, dtype).astype(float) == x
    assert (down[exact] == x[exact]).all() and (up[exact] == x[exact]).all()
    for low, high in zip(down[~exact], up[~exact]):
        middle = exact_rounding((Fraction(low) + Fraction(high)) / 2, target)
        assert low < high and middle in (low, high)


def test_bitcast():
    values = np.array([1.0, -0.0, np.inf, 3.5], np.float32)
    assert list(apply("tt.bitcast %a : {f32} -> {i32}", values, result="i32")) == list(values.view(np.int32))
    raw = np.arange(256, dtype=np.uint8).view(np.int8)
    found = apply("tt.bitcast %a : {i8} -> {f8E5M2}", raw, result="f8E5M2")
    assert (found.view(np.int8) == raw).all()
    half = np.array([1.0, 2.0], np.float16)
    found = apply("tt.bitcast %a : {f16} -> {bf16}", half, result="bf16")
    assert (found.view(np.uint16) == half.view(np.uint16)).all()


def test_addresses():
    source = """
    tt.func public @kernel(%src: !tt.ptr<i64>, %dst: !tt.ptr<i64>) {
      %address = tt.ptr_to_int %src : !tt.ptr<i64> -> i64
      %eight = arith.constant 8 : i64
      %next = arith.addi %address, %eight : i64
      %pointer = tt.int_to_ptr %next : i64 -> !tt.ptr<i32>
      %as_wide = tt.bitcast %pointer : !tt.ptr<i32> -> !tt.ptr<i64>
      %value = tt.load %as_wide : !tt.ptr<i64>
      tt.store %dst, %value : !tt.ptr<i64>
      tt.return
    }"""
    dst = np.zeros(1, np.int64)
    with ttkit.Context(), ir.Location.unknown():
        interpret(ir.Module.parse(source), 1, [np.array([5, 1 << 40]), dst])
    assert dst[0] == 1 << 40
