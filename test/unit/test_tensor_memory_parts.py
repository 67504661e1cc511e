"""What is loaded from tensor memory and combined in parts, for want of registers, is what it is in one."""

import re

import numpy as np
import pytest
from lowered_tensors import compute, module

import ttkit

ROWS = "lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]"
HALF_ROWS = "lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 128]], warp = [[16, 0], [32, 0]"
# Rows, columns, warps, and which lanes and warps have which of them: 128 registers a thread.
SHAPES = [(128, 128, 4, ROWS), (128, 256, 8, f"{ROWS}, [0, 128]"), (64, 256, 4, HALF_ROWS)]
SCALED = """
  %each = tt.broadcast %scales : !scales -> !sums
  %d = ttng.tmem_load %buffer : !buffer -> !sums
  %scaled = arith.mulf %d, %each : !sums"""
ADDED = f"""{SCALED}
  %sum = arith.addf %sums, %scaled : !sums
  tt.return %sum : !sums"""
STORED = f"""{SCALED}
  ttng.tmem_store %scaled, %buffer, %true : !sums -> !buffer
  %again = ttng.tmem_load %buffer : !buffer -> !sums
  tt.return %again : !sums"""


def text_of(shape: tuple, body: str, registers: int = 0) -> str:
    """A function of numbers in tensor memory, of sums and of scales for rows."""
    rows, columns, warps, places = shape
    registers_of = "[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]"
    aliases = f"""#rows = #ttg.linear<{{register = {registers_of}, {places}], block = []}}>
#tmem = #ttng.tensor_memory_encoding<blockM = {rows}, blockN = {columns}, colStride = 1>
!buffer = !ttg.memdesc<{rows}x{columns}xf32, #tmem, #ttng.tensor_memory, mutable>
!sums = tensor<{rows}x{columns}xf32, #rows>
!scales = tensor<{rows}x1xf32, #rows>"""
    function = f"""tt.func public @f(%x: !sums, %sums: !sums, %scales: !scales) -> !sums {{
  %true = arith.constant true
  %buffer = ttng.tmem_alloc %x : (!sums) -> !buffer{body}
}}"""
    text = module(function, aliases, warps)
    return text.replace("attributes {", f"attributes {{ttg.maxnreg = {registers} : i32, ") if registers else text


def messages(text: str) -> list[str]:
    """The instructions of the lowered text that move tensor memory, in their order."""
    with ttkit.Context():
        parsed = ttkit.parse(text)
        machine = "{compute-capability=100 ptx-version=87}"
        passes = (
            f"triton-tensor-memory-allocation,allocate-shared-memory-nv{machine},convert-triton-gpu-to-llvm{machine}"
        )
        ttkit.run_passes(parsed, passes)
        return re.findall(r"tcgen05\.(?:ld|st)\.[\w.]+(?=\.b32)", str(parsed))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize(("body", "registers"), [(ADDED, 0), (ADDED, 168), (STORED, 88)])
def test_parts_are_the_whole(shape, body, registers):
    rows, columns, *_ = shape
    x, sums = np.random.default_rng(0).integers(-9, 9, (2, rows, columns)).astype(np.float32)
    scales = np.arange(1, rows + 1, dtype=np.float32).reshape(-1, 1)
    text = text_of(shape, body, registers)
    (found,) = compute(text, x, sums, scales, capability=100, before="triton-tensor-memory-allocation")
    np.testing.assert_array_equal(found, scales * x + (sums if body == ADDED else 0))


@pytest.mark.parametrize("chosen", [True, False])
def test_parts_are_stored_where_a_predicate_holds(chosen):
    rows, columns, *_ = SHAPES[1]
    x = np.random.default_rng(0).integers(-9, 9, (rows, columns)).astype(np.float32)
    scales = np.arange(1, rows + 1, dtype=np.float32).reshape(-1, 1)
    text = text_of(SHAPES[1], STORED.replace("%buffer, %true", "%buffer, %chosen"), 88)
    text = text.replace("%scales: !scales)", "%scales: !scales, %chosen: i1)")
    before = "triton-tensor-memory-allocation"
    (found,) = compute(text, x, x, scales, np.bool_(chosen), capability=100, before=before)
    np.testing.assert_array_equal(found, scales * x if chosen else x)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_sums_are_loaded_in_halves(shape):
    _, *loads = messages(text_of(shape, ADDED))
    assert [load.rpartition(".")[2] for load in loads] == ["x64", "x64"]


READ_BETWEEN = ADDED.replace("%scaled =", "%o = ttng.tmem_load %buffer : !buffer -> !sums\n  %scaled =")


ABSOLUTE = READ_BETWEEN.replace("%sum =", "%e = math.absf %o : !sums\n  %sum =")


# The second one is combined with parts itself.
@pytest.mark.parametrize(
    "body", [ABSOLUTE.replace("addf %sums", "addf %e"), READ_BETWEEN.replace("addf %sums", "addf %o")]
)
def test_what_only_reads_may_stand_between(body):
    rows, columns, *_ = SHAPES[0]
    x = np.random.default_rng(0).integers(0, 9, (rows, columns)).astype(np.float32)
    scales = np.arange(1, rows + 1, dtype=np.float32).reshape(-1, 1)
    text = text_of(SHAPES[0], body)
    (found,) = compute(text, x, -x, scales, capability=100, before="triton-tensor-memory-allocation")
    np.testing.assert_array_equal(found, scales * x + x)
    _, *loads = messages(text)
    assert [load.rpartition(".")[2] for load in loads] == ["x128", "x64", "x64"]


def test_scaled_sums_are_stored_before_more_are_loaded():
    found = messages(text_of(SHAPES[0], STORED, 88))
    kinds = [one.partition("tcgen05.")[2][:2] for one in found]
    # The first four give the buffer its numbers, the last four load what is returned.
    assert kinds == ["st"] * 4 + ["ld", "st"] * 4 + ["ld"] * 4
    assert all(one.endswith("x32") for one in found)


OTHERS = {
    "fits": SCALED + "\n  tt.return %scaled : !sums",
    "used twice": SCALED
    + "\n  %r = arith.addf %sums, %scaled : !sums\n  %t = arith.addf %r, %d : !sums\n  tt.return %t : !sums",
    "an effect between": ADDED.replace("\n  %scaled", "\n  gpu.barrier\n  %scaled"),
    "another operation": ADDED.replace(
        "%sum = arith.addf %sums,", "%e = math.exp2 %sums : !sums\n  %sum = arith.divf %e,"
    ),
}


@pytest.mark.parametrize("name", OTHERS)
def test_others_are_loaded_whole(name):
    _, *loads = messages(text_of(SHAPES[0], OTHERS[name]))
    assert [load.rpartition(".")[2] for load in loads] == ["x128"]


def test_what_is_stored_elsewhere_is_loaded_whole():
    other = STORED.replace("%scaled, %buffer", "%scaled, %other").replace(
        "%d =", "%other = ttng.tmem_alloc : () -> !buffer\n  %d ="
    )
    found = messages(text_of(SHAPES[0], other, 88))
    assert [one.partition("tcgen05.")[2][:2] for one in found] == ["st"] * 4 + ["ld"] * 4 + ["st"] * 4 + ["ld"] * 4
