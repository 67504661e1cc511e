"""Functions of one float of 32 or 64 bits, and conversions to 8 bits that lowered code makes of integer operations."""

from __future__ import annotations

import re

import numpy as np
import pytest
from test_lowering_proofs import Keep, proved

import ttkit
from ttkit.interpreter.numerics.rounding import NEAREST, TOWARD_ZERO, rounded, saturated, widened
from ttkit.interpreter.values import DTYPES
from ttkit.passes.manager import run_passes
from ttkit.validation.functions import PROVED
from ttkit.validation.lowered.float_circuits import Circuits
from ttkit.validation.lowered.small_functions import equal_for_all_values
from ttkit.validation.terms import Session, make

KERNEL = """
tt.func public @convert(%x: !tt.ptr<{source}>, %out: !tt.ptr<{target}>) {{
  %i = tt.make_range {{start = 0 : i32, end = 128 : i32}} : tensor<128xi32>
  %xs = tt.splat %x : !tt.ptr<{source}> -> tensor<128x!tt.ptr<{source}>>
  %xp = tt.addptr %xs, %i : tensor<128x!tt.ptr<{source}>>, tensor<128xi32>
  %outs = tt.splat %out : !tt.ptr<{target}> -> tensor<128x!tt.ptr<{target}>>
  %outp = tt.addptr %outs, %i : tensor<128x!tt.ptr<{target}>>, tensor<128xi32>
  %value = tt.load %xp : tensor<128x!tt.ptr<{source}>>
  %narrow = tt.fp_to_fp %value, rounding = {mode} : tensor<128x{source}> -> tensor<128x{target}>
  tt.store %outp, %narrow : tensor<128x!tt.ptr<{target}>>
  tt.return
}}
"""
CASES = [
    ("f32", "f8E4M3FN", "rtne", 80),
    ("f32", "f8E5M2", "rtne", 80),
    ("f64", "f8E5M2", "rtne", 80),
    ("f32", "f8E4M3FN", "rtz", 90),
    ("f32", "f8E5M2", "rtz", 90),
    ("f64", "f8E4M3FN", "rtne", 90),
    ("f64", "f8E5M2", "rtz", 90),
]
NUMBERS = [0.0, 2.0**-17, 2.0**-16, 3 * 2.0**-17, 2.0**-10, 2.0**-9, 0.0107421875, 2.0**-6, 0.0151, 1.0, 1.0625, 1.1875,
           3.3, 240.0, 248.0, 255.9, 448.0, 463.9, 464.0, 57344.0, 61440.0, 1e30, np.inf, np.nan]  # fmt: skip


def conversion(source: str, target: str, mode: str, capability: int) -> tuple[str, str]:
    """A kernel that converts, before and after the lowering."""
    keep = Keep()
    stages = ",".join(f"ttkit-{stage}{{capability={capability}}}" for stage in ("ttir", "ttgir", "llir"))
    with ttkit.Context():
        module = ttkit.parse(KERNEL.format(source=source, target=target, mode=mode))
        run_passes(module, stages, subscribers=[keep])
    return keep.old, keep.new


@pytest.mark.parametrize(("source", "target", "mode", "capability"), CASES)
def test_conversions_to_eight_bits_are_proved(source, target, mode, capability):
    found = proved(*conversion(source, target, mode, capability))
    assert found.outcome == PROVED, str(found)


def test_wrong_conversions_are_not_proved():
    before, after = conversion("f32", "f8E4M3FN", "rtz", 90)
    numbers = {found[1] for found in re.finditer(r"dense<(\d+)> : vector<1xi32>", after)}
    numbers.discard("1015021568")  # the number before the smallest normal one is cut alike as a normal number
    assert len(numbers) >= 6
    for old in sorted(numbers):
        wrong = after.replace(f"dense<{old}> : vector<1xi32>", f"dense<{int(old) - 1}> : vector<1xi32>")
        assert proved(before, wrong).outcome != PROVED, old


@pytest.mark.parametrize("target", ["f8E4M3FN", "f8E5M2", "f16", "bf16"])
@pytest.mark.parametrize("source", ["f32", "f64"])
@pytest.mark.parametrize("mode", ["rtne", "rtz"])
def test_circuits_round_as_the_interpreter_does(source, target, mode):
    given = np.array([sign * one for one in NUMBERS for sign in (1, -1)], DTYPES[source])
    wide = widened(given)
    if target.startswith("f8"):
        wide = saturated(wide, DTYPES[target])
    with np.errstate(all="ignore"):
        expected = rounded(wide, DTYPES[target], TOWARD_ZERO if mode == "rtz" else NEAREST)
    with Session():
        leaf = make("read", (), "anything", source)
        attr = ("tt.fp_to_fp", (("rounding", "0" if mode == "rtz" else "1"),))
        circuits = Circuits(leaf)
        z3, found = circuits.z3, circuits.bits_of(make("call", (leaf,), attr, target))
        for value, want in zip(given, expected):
            number = z3.BitVecVal(int(value.view(f"u{value.itemsize}")), 8 * value.itemsize)
            got = z3.simplify(z3.substitute(found, (circuits.number, number)))
            if not np.isnan(widened(np.array([want]))[0]):
                assert got.as_long() == int(want.view(f"u{want.itemsize}")), (value, want)


def test_functions_of_wide_floats():
    with Session():
        leaf = make("read", (), 0, "f32")
        bits = make("bitcast", (leaf,), None, "i32")
        assert equal_for_all_values(bits, bits, {})
        half = make("call", (leaf,), ("arith.truncf", ()), "f16")
        cut = make("call", (leaf,), ("cut",), "f16")
        assert not equal_for_all_values(half, cut, {})
        negated = make("call", (make("negf", (leaf,), None, "f32"),), ("arith.truncf", ()), "f16")
        assert equal_for_all_values(make("negf", (half,), None, "f16"), negated, {})
