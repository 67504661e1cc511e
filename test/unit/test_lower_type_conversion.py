"""Conversions from and to fp8: every number, by the integer arithmetic that targets without instructions get.

Integers to f16: every byte, and i32 around each place where rounding changes, by the ways that sm_90 has beside its
instruction.
"""

import re

import ml_dtypes
import numpy as np
import pytest
from lowered_tensors import compute, evaluate, module
from mlir import ir
from sweeps import swept

import ttkit
from ttkit.interpreter.numerics.rounding import NEAREST, TOWARD_ZERO, rounded, saturated, widened

DTYPES = {
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
}
SOURCE = """
module attributes {{"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32}} {{
  tt.func private @f(%x: tensor<{n}x{source}, #ttg.linear<{layout}>>) -> tensor<{n}x{target}, #ttg.linear<{layout}>> {{
    %y = tt.fp_to_fp %x{rounding} : tensor<{n}x{source}, #ttg.linear<{layout}>>
      -> tensor<{n}x{target}, #ttg.linear<{layout}>>
    tt.return %y : tensor<{n}x{target}, #ttg.linear<{layout}>>
  }}
}}"""


EIGHTS = 5
"""Bits of mantissa with which numbers are halfway between two neighbours of eight bits, and one more."""
TRUNCATES = {"rtne": "", "rtz": " toward_zero", "up": " upward"}


def lowered(
    source: str, target: str, rounding: str, registers: int, capability: int, truncates: bool = False
) -> ir.Module:
    bits = registers.bit_length() - 1
    bases = [[1 << i] for i in range(bits)]
    layout = f"{{register = {bases}, lane = {[[0]] * 5}, warp = [], block = []}}"
    text = SOURCE.format(n=registers, source=source, target=target, layout=layout,
                         rounding=f", rounding = {rounding}" if rounding else "")  # fmt: skip
    if truncates:
        operation = re.search(r"tt.fp_to_fp[^:]*", text).group()
        text = text.replace(operation, f"arith.truncf %x{TRUNCATES[rounding]} ").replace("\n      ->", " to")
    module = ttkit.parse(text)
    options = f"compute-capability={capability} ptx-version=87"
    ttkit.run_passes(module, f"convert-triton-gpu-to-llvm{{{options}}}")
    return module


def converted(
    source: str,
    target: str,
    rounding: str,
    numbers: np.ndarray,
    registers: int = 4,
    capability: int = 80,
    truncates: bool = False,
) -> np.ndarray:
    """`numbers` by what the lowering makes, by default for a target without fp8 instructions."""
    with ttkit.Context():
        module = lowered(source, target, rounding, registers, capability, truncates)
        stored = numbers.view(np.uint8) if numbers.dtype.itemsize == 1 else numbers
        whole_warps = np.resize(stored, (-(-stored.size // (32 * registers)) * 32, registers))
        (found,) = evaluate(module, whole_warps)
    return np.ascontiguousarray(found).view(DTYPES[target]).reshape(-1)[: stored.size]


def numbers_of(source: str, mantissa: int = 7) -> np.ndarray:
    """All numbers of a type; of f32 and f64 those around each place where rounding changes, and a sample.

    Places are as far apart as numbers with `mantissa` bits of mantissa, at most 7.
    """
    dtype = np.dtype(DTYPES[source])
    if dtype.itemsize <= 2:
        return np.arange(1 << 8 * dtype.itemsize, dtype=f"u{dtype.itemsize}").view(dtype)
    step = 1 << 23 - mantissa
    places = np.arange(0, 1 << 32, step, np.uint32)[:, None] + np.array([0, 1, step // 2 - 1, step - 1], np.uint32)
    numbers = places.reshape(-1).view(np.float32)
    if source == "f32":
        return numbers
    with np.errstate(invalid="ignore"):
        sample = numbers[::3].astype(np.float64)
    return np.stack([sample, sample * (1 + 2.0**-40), sample * (1 - 2.0**-40), sample * 2.0**300], 1).reshape(-1)


def assert_same(found: np.ndarray, wanted: np.ndarray) -> None:
    both_nan = np.isnan(widened(found)) & np.isnan(widened(wanted))
    raw = f"u{found.dtype.itemsize}"
    differ = (found.view(raw) != wanted.view(raw)) & ~both_nan
    assert not differ.any(), (np.argwhere(differ)[:4], found[differ][:4], wanted[differ][:4])


@pytest.mark.parametrize("target", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize("source", ["f8E4M3FN", "f8E5M2"])
def test_every_fp8_number_is_exact(source: str, target: str) -> None:
    numbers = numbers_of(source)
    assert_same(converted(source, target, "", numbers), numbers.astype(DTYPES[target]))


@pytest.mark.parametrize("rounding", ["rtne", "rtz"])
@pytest.mark.parametrize("target", ["f8E4M3FN", "f8E5M2"])
@pytest.mark.parametrize("source", ["f16", "bf16", "f32", "f64"])
def test_rounding_to_fp8_is_correct_for_every_number(source: str, target: str, rounding: str) -> None:
    numbers = numbers_of(source, EIGHTS)
    dtype = np.dtype(DTYPES[target])
    direction = NEAREST if rounding == "rtne" else TOWARD_ZERO
    with np.errstate(all="ignore"):
        wanted = rounded(saturated(widened(numbers), dtype), dtype, direction)
    assert_same(converted(source, target, rounding, numbers), wanted)


@pytest.mark.parametrize("rounding", ["rtne", "rtz"])
@pytest.mark.parametrize("target", ["f8E4M3FN", "f8E5M2"])
@pytest.mark.parametrize("source", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize("capability", [80, 90])
def test_truncated_numbers_overflow_as_ieee_asks(source: str, target: str, rounding: str, capability: int) -> None:
    numbers = numbers_of(source, EIGHTS)
    with np.errstate(all="ignore"):
        wanted = rounded(widened(numbers), np.dtype(DTYPES[target]), NEAREST if rounding == "rtne" else TOWARD_ZERO)
    assert_same(converted(source, target, rounding, numbers, capability=capability, truncates=True), wanted)


def test_rounding_modes_that_gpus_lack_are_named() -> None:
    with ttkit.Context(), pytest.raises(Exception, match="GPUs truncate to_nearest_even or toward_zero"):
        lowered("f32", "f16", "up", 2, 90, truncates=True)


@pytest.mark.parametrize("target", ["f16", "bf16", "f32"])
def test_f64_toward_zero(target: str) -> None:
    numbers = numbers_of("f64", 7 if target == "bf16" else 5)
    with np.errstate(all="ignore"):
        wanted = rounded(numbers, np.dtype(DTYPES[target]), TOWARD_ZERO)
    assert_same(converted("f64", target, "rtz", numbers), wanted)


@pytest.mark.parametrize("registers", [1, 2, 8])
def test_any_number_of_registers(registers: int) -> None:
    numbers = numbers_of("f16")[:4096]
    wanted = numbers.astype(ml_dtypes.float8_e5m2)
    assert_same(converted("f16", "f8E5M2", "rtne", numbers, registers), wanted)


def test_types_without_conversion_are_named() -> None:
    with ttkit.Context(), pytest.raises(Exception, match="f8E4M3FNUZ"):
        lowered("f8E4M3FNUZ", "f16", "", 2, 90)


@pytest.mark.parametrize("name", ["sitofp", "uitofp"])
@pytest.mark.parametrize("bits", [8, swept(32)])
def test_integers_to_f16_are_rounded_once(name: str, bits: int) -> None:
    steps = np.arange(-(1 << 15), 1 << 15, dtype=np.int64)
    near = [steps, 1 << 16, 65504 + steps // 16, 65520 + steps % 3 - 1, (1 << 24) + steps, steps << 16, steps * 3 >> 1]
    numbers = np.concatenate([np.broadcast_to(one, steps.shape) for one in near]).astype(f"i{bits // 8}")
    rows = np.resize(numbers, (-(-numbers.size // 8192), 8192))
    aliases = "#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>"
    source, target = f"tensor<8192xi{bits}, #b>", "tensor<8192xf16, #b>"
    text = module(
        f"""tt.func private @f(%x: {source}) -> {target} {{
          %y = arith.{name} %x : {source} to {target}
          tt.return %y : {target}
        }}""",
        aliases,
    )
    for row in rows[:: 1 if bits == 32 else len(rows)]:
        (found,) = compute(text, row.view(f"u{bits // 8}"))
        with np.errstate(over="ignore"):
            wanted = (row if name == "sitofp" else row.view(f"u{bits // 8}")).astype(np.float64).astype(np.float16)
        assert_same(found, wanted)
