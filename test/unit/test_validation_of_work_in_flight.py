"""Work in the background may end late: nobody writes what it reads or brings, and a wait tells of one phase alone."""

import pytest

from ttkit.context import Context
from ttkit.validation.functions import OPEN, PROVED, REFUTED, validate
from ttkit.validation.proofs import decoded

TILE = "!ttg.memdesc<128x128xf8E4M3FN, #shared, #smem, mutable>"
TURNED = "!ttg.memdesc<128x128xf8E4M3FN, #turned, #smem, mutable>"
SUM = "!ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>"
BARRIER = "!ttg.memdesc<1xi64, #bar, #smem, mutable>"
DESCRIPTOR = "!tt.tensordesc<tensor<128x128xf8E4M3FN, #shared>>"
VALUE = "tensor<128x128xf8E4M3FN, #b>"
POINTERS = "tensor<128x128x!tt.ptr<f8E4M3FN>, #b>"
HEAD = f"""
#b = #ttg.blocked<{{sizePerThread = [1, 16], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}}>
#lin = #ttg.linear<{{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]],
  lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}}>
#shared = #ttg.nvmma_shared<{{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}}>
#turned = #ttg.nvmma_shared<{{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 8}}>
#bar = #ttg.swizzled_shared<{{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
module attributes {{"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32}} {{
tt.func public @k(%pa: {POINTERS}, %pb: {POINTERS}, %po: tensor<128x128x!tt.ptr<f32>, #lin>, %d: {DESCRIPTOR}) {{
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %false = arith.constant false
  %two = arith.constant dense<2.0> : tensor<128x128xf32, #lin>
  %a = tt.load %pa : {POINTERS}
  %b = tt.load %pb : {POINTERS}
  %ma = ttg.local_alloc %a : ({VALUE}) -> {TILE}
  %mb = ttg.local_alloc %b : ({VALUE}) -> {TILE}
  %sum = ttng.tmem_alloc : () -> {SUM}
  %bar = ttg.local_alloc : () -> {BARRIER}
  ttng.init_barrier %bar, 1 : {BARRIER}
  %bt = ttg.memdesc_trans %mb {{order = array<i32: 1, 0>}} : {TILE} -> {TURNED}
  ttng.fence_async_shared {{bCluster = false}}
"""
END = "  tt.return\n}\n}\n"
STEPS = {
    "product": f"ttng.tc_gen5_mma %ma, %bt, %sum, %false, %true, %bar[%true] {{is_async}} : {TILE}, {TURNED}, {SUM}, {BARRIER}",  # noqa: E501
    "add": f"ttng.tc_gen5_mma %ma, %bt, %sum, %true, %true, %bar[%true] {{is_async}} : {TILE}, {TURNED}, {SUM}, {BARRIER}",  # noqa: E501
    "wait 0": f"ttng.wait_barrier %bar, %c0, %true : {BARRIER}",
    "wait 1": f"ttng.wait_barrier %bar, %c1, %true : {BARRIER}",
    "sum is 2": f"ttng.tmem_store %two, %sum, %true : tensor<128x128xf32, #lin> -> {SUM}",
    "result": f"%r@ = ttng.tmem_load %sum : {SUM} -> tensor<128x128xf32, #lin>\n"
    "  tt.store %po, %r@ : tensor<128x128x!tt.ptr<f32>, #lin>",
    "copy": f"%t@ = ttg.async_copy_global_to_local %pa, %ma : {POINTERS} -> <128x128xf8E4M3FN, #shared, #smem, mutable>"
    "\n  %g@ = ttg.async_commit_group tokens %t@",
    "copied": "%w@ = ttg.async_wait {num = 0 : i32}",
    "tile is a": f"ttg.local_store %a, %ma : {VALUE} -> {TILE}",
    "tile is b": f"ttg.local_store %b, %ma : {VALUE} -> {TILE}",
    "tile": f"%x@ = ttg.local_load %ma : {TILE} -> {VALUE}\n  tt.store %pb, %x@ : {POINTERS}",
    "fetch": f"ttng.barrier_expect %bar, 16384, %true : {BARRIER}\n"
    f"  ttng.async_tma_copy_global_to_local %d[%c0, %c0] %ma, %bar, %true : {DESCRIPTOR}, {BARRIER} -> {TILE}",
    "fetch other": f"ttng.barrier_expect %bar, 16384, %true : {BARRIER}\n"
    f"  ttng.async_tma_copy_global_to_local %d[%c0, %c1] %mb, %bar, %true : {DESCRIPTOR}, {BARRIER} -> {TILE}",
    "send": f"ttng.async_tma_copy_local_to_global %d[%c0, %c0] %ma : {DESCRIPTOR}, {TILE}",
    "sent": "ttng.async_tma_store_wait {pendings = 0 : i32}",
    "fence": "ttng.fence_async_shared {bCluster = false}",
}


def kernel(steps):
    """A kernel that takes these steps one after the other."""
    lines = [STEPS[step].replace("@", str(n)) for n, step in enumerate(steps.split(", "))]
    return decoded(HEAD + "".join(f"  {line}\n" for line in lines) + END, Context())


@pytest.mark.parametrize(
    ("before", "after", "outcome"),
    [
        ("product, wait 0, sum is 2, result", "product, sum is 2, wait 0, result", REFUTED),
        ("product, wait 0, sum is 2, result", "product, sum is 2, result, wait 0", REFUTED),
        ("copy, copied, tile is b, tile", "copy, tile is b, copied, tile", REFUTED),
        ("copy, copied, copy, copied, tile", "copy, copy, copied, tile", OPEN),
        ("product, wait 0, add, wait 1, result", "product, add, wait 1, result", OPEN),
        ("fetch, wait 0, fetch other, wait 1, tile", "fetch, fetch other, wait 1, tile", OPEN),
        ("tile is b, fence, send", "tile is b, fence, send, tile is a", OPEN),
        ("tile is b, fence, send, sent, tile is a", "tile is b, fence, send, tile is a, sent", REFUTED),
        ("tile is b, fence, send, sent", "tile is b, fence, send, tile is a, tile is b, sent", REFUTED),
        ("product, wait 0, result", "product, tile is b, tile is a, wait 0, result", REFUTED),
        ("sum is 2, product, wait 0, result", "product, wait 0, result", PROVED),
        ("product, wait 0, add, wait 1, result", "product, wait 0, wait 0, add, wait 1, result", PROVED),
        ("fetch, wait 0, fetch other, wait 1, tile", "wait 1, fetch, wait 0, fetch other, wait 1, tile", PROVED),
        ("product, wait 0, tile is b, tile", "product, tile is a, wait 0, tile is b, tile", PROVED),
    ],
)
def test_what_is_in_the_background_ends_late(before, after, outcome):
    found = validate(kernel(before), kernel(after), "k", searches=outcome == REFUTED)
    assert found.outcome == outcome, str(found)
