"""Tensor memory and the products that accumulate in it: their numbers, and waits that are missing."""

import numpy as np
import pytest
from tiles import run_text

from ttkit.interpreter import InterpreterError

HEADER = """
#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#half = #ttg.blocked<{sizePerThread = [1, 32], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#one = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#wide = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#narrow = #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1>
#packed = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
!a = !ttg.memdesc<128x64xf16, #tile, #smem, mutable>
!b = !ttg.memdesc<64x64xf16, #tile, #smem, mutable>
!d = !ttg.memdesc<128x64xf32, #wide, #ttng.tensor_memory, mutable>
!p = !ttg.memdesc<128x64xf16, #packed, #ttng.tensor_memory, mutable>
!bar = !ttg.memdesc<1xi64, #one, #smem, mutable>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @kernel(%src: !tt.ptr<f16>, %dst: !tt.ptr<f32>, %flag: i1) {
    %false = arith.constant false
    %true = arith.constant true
    %zero = arith.constant 0 : i32
    %two = arith.constant dense<2.0> : tensor<128x64xf32, #rows>
    %stride = arith.constant dense<64> : tensor<128x1xi32, #rows>
    %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #rows}>>
    %c = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #rows}>>
    %r1 = tt.expand_dims %r {axis = 1 : i32}
        : tensor<128xi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<128x1xi32, #rows>
    %c1 = tt.expand_dims %c {axis = 0 : i32}
        : tensor<64xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x64xi32, #rows>
    %row = arith.muli %r1, %stride : tensor<128x1xi32, #rows>
    %rows = tt.broadcast %row : tensor<128x1xi32, #rows> -> tensor<128x64xi32, #rows>
    %columns = tt.broadcast %c1 : tensor<1x64xi32, #rows> -> tensor<128x64xi32, #rows>
    %index = arith.addi %rows, %columns : tensor<128x64xi32, #rows>
    %from = tt.splat %src : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>, #rows>
    %from1 = tt.addptr %from, %index : tensor<128x64x!tt.ptr<f16>, #rows>, tensor<128x64xi32, #rows>
    %x = tt.load %from1 : tensor<128x64x!tt.ptr<f16>, #rows>
    %to = tt.splat %dst : !tt.ptr<f32> -> tensor<128x64x!tt.ptr<f32>, #rows>
    %to1 = tt.addptr %to, %index : tensor<128x64x!tt.ptr<f32>, #rows>, tensor<128x64xi32, #rows>
    %a = ttg.local_alloc %x : (tensor<128x64xf16, #rows>) -> !a
    %b = ttg.memdesc_subslice %a [64, 0] : !a -> !ttg.memdesc<64x64xf16, #tile, #smem, mutable, 128x64>
    %bar = ttg.local_alloc : () -> !bar
    ttng.init_barrier %bar, 1 : !bar
"""
FOOTER = """
    tt.store %to1, %result : tensor<128x64x!tt.ptr<f32>, #rows>
    tt.return
  }
}"""
B = "!ttg.memdesc<64x64xf16, #tile, #smem, mutable, 128x64>"
ALLOC = "%d = ttng.tmem_alloc : () -> !d\n"
LOAD = "%result = ttng.tmem_load %d : !d -> tensor<128x64xf32, #rows>\n"
WAIT = "ttng.wait_barrier %bar, %zero : !bar\n"
COMMIT = "ttng.tc_gen5_commit %bar : !bar\n"
SOURCE = np.random.default_rng(3).integers(-4, 5, (128, 64)).astype(np.float16)
PRODUCT = SOURCE.astype(np.float32) @ SOURCE[64:].astype(np.float32)


def mma(use_d="%false", predicate="%true", barrier="", a="%a", kind="!a", attributes=""):
    bars = ", !bar" if barrier else ""
    return f"ttng.tc_gen5_mma {a}, %b, %d, {use_d}, {predicate}{barrier} {attributes} : {kind}, {B}, !d{bars}\n"


ASYNC = {"barrier": ", %bar[%true]", "attributes": "{is_async}"}


def result(body: str, flag: bool = True) -> np.ndarray:
    """What the kernel stores: the tensor %result that the body makes."""
    out = np.zeros((128, 64), np.float32)
    run_text(HEADER + body + FOOTER, 1, [SOURCE.copy(), out, flag])
    return out


def test_product_and_sum():
    found = result(ALLOC + mma() + mma(use_d="%true") + mma(use_d="%flag", predicate="%false") + LOAD)
    np.testing.assert_array_equal(found, 2 * PRODUCT)


@pytest.mark.parametrize("flag", [True, False])
def test_predicates(flag):
    """The barrier gets its arrival where the product and the arrival are enabled: the second product's."""
    body = ALLOC + mma(barrier=", %bar[%false]", attributes="{is_async}") + mma(use_d="%flag", **ASYNC) + WAIT + LOAD
    np.testing.assert_array_equal(result(body, flag), PRODUCT * (2 if flag else 1))


@pytest.mark.parametrize("parts", [[mma(**ASYNC), WAIT], [mma(attributes="{is_async}"), COMMIT, WAIT]])
def test_missing_wait(parts):
    np.testing.assert_array_equal(result(ALLOC + "".join(parts) + LOAD), PRODUCT)
    for part in parts[1:]:
        with pytest.raises(InterpreterError, match=r"before the ttng.tc_gen5_mma at .* has been waited for|deadlock"):
            result(ALLOC + "".join(parts).replace(part, "") + LOAD)


def test_operand_overwritten_before_the_product_has_read_it():
    store = "ttg.local_store %x, %a : tensor<128x64xf16, #rows> -> !a\n"
    with pytest.raises(InterpreterError, match=r"overwrites .* while the ttng.tc_gen5_mma at .* still reads it"):
        result(ALLOC + mma(**ASYNC) + store + WAIT + LOAD)
    np.testing.assert_array_equal(result(ALLOC + mma(**ASYNC) + WAIT + store + LOAD), PRODUCT)


def test_sum_into_what_nothing_wrote():
    with pytest.raises(InterpreterError, match=r"ttng.tc_gen5_mma: reads .* nothing has written"):
        result(ALLOC + mma(use_d="%true") + LOAD)


@pytest.mark.parametrize("flag", [True, False])
def test_store(flag):
    stores = "ttng.tmem_store %two, %d, %true : tensor<128x64xf32, #rows> -> !d\n"
    stores += "%y = arith.extf %x : tensor<128x64xf16, #rows> to tensor<128x64xf32, #rows>\n"
    stores += "ttng.tmem_store %y, %d, %flag : tensor<128x64xf32, #rows> -> !d\n"
    np.testing.assert_array_equal(result(ALLOC + stores + LOAD, flag), SOURCE if flag else np.full_like(SOURCE, 2))


def test_columns():
    """The right half is read, doubled and written to the left one."""
    narrow = "!ttg.memdesc<128x32xf32, #narrow, #ttng.tensor_memory, mutable, 128x64>"
    body = f"""
    %left = ttng.tmem_subslice %d {{N = 0 : i32}} : !d -> {narrow}
    %right = ttng.tmem_subslice %d {{N = 32 : i32}} : !d -> {narrow}
    %h = ttng.tmem_load %right : {narrow} -> tensor<128x32xf32, #half>
    %h2 = arith.addf %h, %h : tensor<128x32xf32, #half>
    ttng.tmem_store %h2, %left, %true : tensor<128x32xf32, #half> -> {narrow}
    """
    found = result(ALLOC + mma() + body + LOAD)
    np.testing.assert_array_equal(found, np.hstack([2 * PRODUCT[:, 32:], PRODUCT[:, 32:]]))


def test_other_type_in_the_same_columns():
    """f16 in the columns of f32: a product whose operand is there."""
    body = f"""
    %s = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf32, #wide, #ttng.tensor_memory, mutable>
    %p = ttg.memdesc_reinterpret %s : !d -> !p
    ttng.tmem_store %x, %p, %true : tensor<128x64xf16, #rows> -> !p
    {mma(a="%p", kind="!p")}
    """
    np.testing.assert_array_equal(result(ALLOC + body + LOAD), PRODUCT)


def test_copy_is_before_later_products():
    """A copy to the accumulator needs no wait before a product adds to it, but one before it is loaded."""
    shared = "!ttg.memdesc<128x64xf32, #tile32, #smem, mutable>"
    tile32 = "#tile32 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>\n"
    copy = f"""
    %two1 = ttg.local_alloc %two : (tensor<128x64xf32, #rows>) -> {shared}
    ttng.tmem_copy %two1, %d : {shared}, !d
    """
    body = tile32 + HEADER + ALLOC + copy + mma(use_d="%true", attributes="{is_async}") + COMMIT + WAIT + LOAD + FOOTER
    out = np.zeros((128, 64), np.float32)
    run_text(body, 1, [SOURCE, out, True])
    np.testing.assert_array_equal(out, PRODUCT + 2)
    with pytest.raises(InterpreterError, match=r"before the ttng.tmem_copy at .* has been waited for"):
        run_text(tile32 + HEADER + ALLOC + copy + LOAD + FOOTER, 1, [SOURCE, out, True])


def test_kernel_that_ends_before_its_product():
    body = ALLOC + "ttng.tmem_store %two, %d, %true : tensor<128x64xf32, #rows> -> !d\n" + LOAD
    with pytest.raises(InterpreterError, match="the kernel ends before this has been waited for"):
        result(body + mma(attributes="{is_async}"))
