"""Proofs of passes know which proxy writes and reads shared memory: what threads wrote needs a fence before TMA and
tensor cores read it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ttkit.context import Context
from ttkit.validation import validate
from ttkit.validation.functions import OPEN, PROVED, REFUTED
from ttkit.validation.proofs import decoded
from ttkit.validation.proxies import reads_of

IR = Path(__file__).parents[1] / "data" / "ir"
FENCE = "ttng.fence_async_shared {bCluster = false}"
MODULE = """
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 16, 16]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
tt.func public @k(%out: !tt.tensordesc<tensor<64x16xf16, #shared>>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %x = arith.constant dense<1.0> : tensor<64x16xf16, #mma>
  %y = arith.constant dense<2.0> : tensor<64x16xf16, #mma>
  %m = ttg.local_alloc : () -> !ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>
  %s = ttg.memdesc_index %m[%zero] : !ttg.memdesc<2x64x16xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared, #smem, mutable>
  {body}
  ttng.async_tma_store_wait {pendings = 0 : i32}
  tt.return
}
}
"""  # noqa: E501
STORE = "ttg.local_store %x, %s : tensor<64x16xf16, #mma> -> !ttg.memdesc<64x16xf16, #shared, #smem, mutable>"
OTHER = STORE.replace("%x", "%y")
COPY = (
    "ttng.async_tma_copy_local_to_global %out[%zero, %zero] %s : !tt.tensordesc<tensor<64x16xf16, #shared>>, "
    "!ttg.memdesc<64x16xf16, #shared, #smem, mutable>"
)
WAIT = "ttng.async_tma_store_wait {pendings = 0 : i32}"
LOOP = "scf.for %i = %zero to %n step %one : i32 {{\n{}\n}}"


def verdict(before: list[str], after: list[str], searches: bool = True):
    """The verdict on two bodies."""
    context = Context()
    return validate(
        *(decoded(MODULE.replace("{body}", "\n".join(body)), context) for body in (before, after)), "k", "", searches
    )


def test_a_fence_between_store_and_copy_is_needed():
    found = verdict([STORE, FENCE, COPY], [STORE, COPY])
    assert found.outcome == REFUTED
    assert "async_tma_copy_local_to_global" in found.reason
    assert "ttg.local_store" in found.reason


@pytest.mark.parametrize(
    "after",
    [
        [FENCE, STORE, COPY],
        [STORE, FENCE, STORE, COPY],
        ["scf.if %true {", STORE, "}", COPY],
        [STORE, "scf.if %true {", FENCE, "} else {", "}", COPY],
    ],
)
def test_a_fence_elsewhere_does_not_help(after):
    assert verdict([STORE, FENCE, COPY], after, searches=False).outcome == OPEN


def test_the_iteration_is_named():
    before = LOOP.format("\n".join([WAIT, FENCE, COPY, WAIT, OTHER]))
    after = before.replace(FENCE, "")
    found = verdict([STORE, before], [STORE, FENCE, after], searches=False)
    assert re.search(r"ttg.local_store at .* wrote in an earlier iteration, with no", found.reason)
    found = verdict([STORE, before], [STORE, FENCE, after])
    assert found.outcome == REFUTED
    assert "in run 2 of the operation" in found.reason


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([STORE, FENCE, COPY], [STORE, FENCE, FENCE, COPY]),
        ([STORE, FENCE, FENCE, COPY], [STORE, FENCE, COPY]),
        ([STORE, FENCE, COPY, WAIT, FENCE, COPY], [STORE, FENCE, COPY, WAIT, COPY]),
    ],
)
def test_fences_that_order_nothing_may_come_and_go(before, after):
    assert verdict(before, after, searches=False).outcome == PROVED


FINAL = [
    path.name
    for path in sorted(IR.glob("*.*.ttgir"))
    if path.name.count(".") == 2 and re.search(r"ttng\.(warp_group_dot|tc_gen5_mma|async_tma)", path.read_text())
]
"""What the whole pipeline made."""


@pytest.mark.parametrize("file", FINAL)
def test_kernels_have_their_fences(file):
    module = decoded((IR / file).read_text(), Context())
    assert [str(one) for function in module.functions.values() for one in reads_of(function).unfenced] == []


@pytest.mark.parametrize(
    "file",
    [
        "attention.90.ttgir",
        "descriptor_copy.100.ttgir",
        "matmul_epilogue.100.ttgir",
        "scaled_matmul.90.ttgir",
        "scaled_matmul_fp4.100.ttgir",
        "specialized_matmul.100.ttgir",
    ],
)
@pytest.mark.parametrize("is_moved", [False, True], ids=["removed", "before the store"])
def test_missing_fences_of_kernels_are_refuted(file, is_moved):
    lines = (IR / file).read_text().splitlines()
    place = next(n for n, line in enumerate(lines) if "ttng.fence_async_shared" in line)
    store = next(n for n in range(place, 0, -1) if re.search(r"ttg.local_(store|alloc) %", lines[n]))
    changed = [*lines[:store], *([lines[place]] if is_moved else []), *lines[store:place], *lines[place + 1 :]]
    context = Context()
    before, after = (decoded("\n".join(text), context) for text in (lines, changed))
    name = next(iter(before.functions))
    found = validate(before, after, name)
    assert found.outcome == REFUTED
    assert re.search(r"reads byte \d+ of .*, which ttg.local_\w+ at .* wrote, with no ttng.fence_async", found.reason)
