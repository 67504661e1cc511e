"""Products in tensor memory, lowered and run with descriptors decoded, are the products."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lowered_tensors import compute
from mma_products import plain
from tcgen5_products import Product, ScaledProduct
from wgmma_products import BITS

import ttkit
from ttkit.interpreter.errors import InterpreterError
from ttkit.passes.lower.unsupported import Unsupported

SHAPES = [
    Product((128, 128, 64)),
    Product((128, 64, 64), block=(128, 64), warps=8),
    Product((64, 64, 64), block=(64, 64)),
    Product((64, 128, 32), block=(64, 128), a=(64, False)),
    Product((128, 64, 64), block=(64, 64)),
    Product((256, 128, 64), block=(128, 128), warps=8),
    Product((128, 256, 32), block=(128, 128), a=(64, False), warps=8),
    Product((128, 16, 128), block=(128, 16), b=(32, False)),
    Product((64, 32, 64), block=(64, 32), b=(64, False), warps=8),
]
LAYOUTS = [
    Product((128, 64, 64), block=(128, 64), a=(left, a), b=(right, b))
    for left, right in ((128, 128), (64, 32), (32, 64))
    for a in (False, True)
    for b in (False, True)
]
ELEMENTS = [
    *(Product((128, 64, 1024 // BITS[e]), (e, e, "f32"), block=(128, 64), b=(128, True)) for e in BITS if e != "i8"),
    Product((128, 64, 64), ("f8E4M3FN", "f8E5M2", "f32"), block=(128, 64), a=(128, True), b=(64, False)),
    Product((128, 64, 64), ("f16", "f16", "f16"), block=(128, 64)),
    Product((64, 64, 64), ("f8E5M2", "f8E5M2", "f16"), block=(64, 64), a=(64, False), b=(64, True)),
    Product((128, 64, 128), ("i8", "i8", "i32"), block=(128, 64), b=(64, True)),
    Product((64, 32, 64), ("i8", "i8", "i32"), block=(64, 32), a=(64, True), b=(32, True)),
    Product((256, 64, 64), ("i8", "i8", "i32"), block=(128, 64), a=None, b=(64, False), warps=8),
]
FROM_TENSOR_MEMORY = [
    Product((128, 64, 64), (e, e, "f32"), block=(128, 64), a=None, b=(64, True), warps=warps)
    for e, warps in (("f16", 4), ("bf16", 8), ("f32", 4), ("f8E5M2", 4))
] + [Product((64, 64, 64), block=(64, 64), a=None)]


@pytest.mark.parametrize("product", [*SHAPES, *LAYOUTS, *ELEMENTS, *FROM_TENSOR_MEMORY], ids=str)
def test_products(product):
    check(product)


def check(product):
    """The lowered product gives what NumPy does."""
    a, b, c, d = product.arrays()
    with ttkit.Context():
        text = product.text()
    (found,) = compute(text, plain(a), plain(b), plain(c), np.bool_(True), capability=100)
    np.testing.assert_array_equal(found.view(d.dtype), d)


@pytest.mark.parametrize("product", [SHAPES[0], FROM_TENSOR_MEMORY[0]], ids=str)
def test_what_was_there_may_be_left_out(product):
    a, b, c, d = product.arrays()
    with ttkit.Context():
        text = product.text()
    (found,) = compute(text, plain(a), plain(b), c, np.bool_(False), capability=100)
    np.testing.assert_array_equal(found, d - c)


def test_integers_are_refused_where_the_gpu_has_none():
    product = ELEMENTS[-1]
    with ttkit.Context():
        text = product.text()
    with pytest.raises(Unsupported, match="found i8 times i8 in i32, which tcgen05 of sm_103a can't multiply"):
        compute(text, *product.arrays()[:3], np.bool_(True), capability=103)


SCALED = [
    ScaledProduct((128, 64, 128), ("e4m3", "e4m3")),
    ScaledProduct((128, 128, 256), ("e5m2", "e4m3"), warps=8),
    ScaledProduct((256, 128, 128), ("e4m3", "e5m2"), warps=8),
    ScaledProduct((128, 32, 128), ("e4m3", "e4m3")),
    ScaledProduct((128, 128, 128), ("e4m3", "e4m3"), turned=True),
    ScaledProduct((128, 64, 256), ("e2m1", "e2m1")),
    ScaledProduct((128, 128, 512), ("e2m1", "e2m1")),
    ScaledProduct((128, 64, 256), ("e2m1", "e2m1"), by_fp8=True),
    ScaledProduct((128, 64, 128), ("e2m1", "e4m3")),
    ScaledProduct((128, 64, 128), ("e5m2", "e2m1")),
    ScaledProduct((128, 128, 128), ("e5m2", "e2m1"), turned=True),
    ScaledProduct((128, 64, 256), ("e4m3", "e4m3"), copied=True),
    ScaledProduct((128, 64, 128), ("e2m1", "e4m3"), stored=True),
]


@pytest.mark.parametrize("product", SCALED, ids=str)
def test_scaled_products(product):
    *operands, d = product.arrays()
    with ttkit.Context():
        text = product.text()
    (found,) = compute(text, *operands, capability=100)
    np.testing.assert_array_equal(found, d)


@st.composite
def products(draw) -> Product:
    """Any product that the verifiers take."""
    element = draw(st.sampled_from(["f16", "bf16", "f32", "f8E4M3FN", "f8E5M2"]))
    size = BITS[element] // 8
    rows = draw(st.sampled_from([64, 128]))
    m = rows * draw(st.sampled_from([1, 2]))
    n, k = 1 << draw(st.integers(4, 7)), 1 << draw(st.integers(4, 6))
    k = max(k, 32 // size)
    columns = 1 << draw(st.integers(4, n.bit_length() - 1))
    columns = n if m > rows == 64 else columns

    def memory(count: int, k_first: bool) -> tuple[int, bool]:
        by_rows = size < 4 and draw(st.booleans())
        width = (count if by_rows else k) * size
        widths = [w for w in (128, 64, 32) if w <= width]
        return draw(st.sampled_from(widths)) if widths else 0, by_rows != k_first

    result = "f16" if element in ("f16", "f8E5M2") and draw(st.booleans()) else "f32"
    warps = draw(st.sampled_from([4, 8]))
    return Product((m, n, k), (element, element, result), warps, (rows, columns), memory(m, False), memory(n, True))


@pytest.mark.sweep
@settings(max_examples=40, deadline=None, derandomize=True)
@given(product=products())
def test_random_products(product):
    check(product)


@pytest.mark.parametrize(("missing", "said"), [("wait_barrier", "nobody has waited"), ("fence_async", "fence")])
def test_a_missing_wait_or_fence_is_found(missing, said):
    product = SHAPES[0]
    a, b, c, _ = product.arrays()
    with ttkit.Context():
        text = "\n".join(line for line in product.text().split("\n") if missing not in line)
    with pytest.raises(InterpreterError, match=said):
        compute(text, plain(a), plain(b), c, np.bool_(True), capability=100)


BUFFERS = """
#bar = #ttg.swizzled_shared<{{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}}>
#l = #ttg.blocked<{{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}}>
#r = #ttg.blocked<{{sizePerThread = [1, {columns}], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}}>
#s = #ttg.nvmma_shared<{{swizzlingByteWidth = {swizzle}, transposed = false, elementBitWidth = 32}}>
#wide = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#part = #ttng.tensor_memory_encoding<blockM = 128, blockN = {columns}, colStride = 1>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory
module attributes {{"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32,
                   ttg.tensor_memory_size = 256 : i32}} {{
  tt.func public @f(%x: tensor<128x64xf32, #l>, %y: tensor<128x{columns}xf32, #r>, %i: i32, %pred: i1)
      -> tensor<128x{columns}xf32, #r> {{
    %zero = arith.constant 0 : i32
    %true = arith.constant true
    %both = ttng.tmem_alloc {{tensor_memory_col_offset = 0 : i32, tensor_memory_row_offset = 0 : i32}}
        : () -> !ttg.memdesc<2x128x64xf32, #wide, #tmem, mutable>
    %d = ttg.memdesc_index %both[%i]
        : !ttg.memdesc<2x128x64xf32, #wide, #tmem, mutable> -> !ttg.memdesc<128x64xf32, #wide, #tmem, mutable>
    %s = ttg.local_alloc %x : (tensor<128x64xf32, #l>) -> !ttg.memdesc<128x64xf32, #s, #smem>
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.fence_async_shared {{bCluster = false}}
    ttng.tmem_copy %s, %d, %bar : !ttg.memdesc<128x64xf32, #s, #smem>, !ttg.memdesc<128x64xf32, #wide, #tmem, mutable>,
        !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.wait_barrier %bar, %zero : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    %v = ttng.tmem_subslice %d {{N = {start} : i32}} : !ttg.memdesc<128x64xf32, #wide, #tmem, mutable>
        -> !ttg.memdesc<128x{columns}xf32, #part, #tmem, mutable, 128x64>
    ttng.tmem_store %y, %v, %pred
        : tensor<128x{columns}xf32, #r> -> !ttg.memdesc<128x{columns}xf32, #part, #tmem, mutable, 128x64>
    %r = ttng.tmem_load %v
        : !ttg.memdesc<128x{columns}xf32, #part, #tmem, mutable, 128x64> -> tensor<128x{columns}xf32, #r>
    tt.return %r : tensor<128x{columns}xf32, #r>
  }}
}}"""


@pytest.mark.parametrize("swizzle", [128, 64, 32])
@pytest.mark.parametrize(("start", "columns"), [(0, 64), (16, 16), (32, 32)])
def test_copies_views_and_predicates(start, columns, swizzle):
    x = np.arange(128 * 64, dtype=np.float32).reshape(128, 64)
    y = -x[:, :columns].copy()
    text = BUFFERS.format(start=start, columns=columns, swizzle=swizzle)
    for stores in (False, True):
        (found,) = compute(text, x, y, np.int32(1), np.bool_(stores), capability=100)
        np.testing.assert_array_equal(found, y if stores else x[:, start : start + columns])


COPIES = """
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#l = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#acc = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory
!m = !ttg.memdesc<128x64xf32, #s, #smem, mutable>
!d = !ttg.memdesc<128x64xf32, #acc, #tmem, mutable>
!bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, "ttg.threads-per-warp" = 32 : i32,
                   ttg.tensor_memory_size = 128 : i32} {
  tt.func public @f(%x: tensor<128x64xf32, #l>, %y: tensor<128x64xf32, #l>)
      -> (tensor<128x64xf32, #l>, tensor<128x64xf32, #l>) {
    %zero = arith.constant 0 : i32
    %bar = ttg.local_alloc : () -> !bar
    ttng.init_barrier %bar, 1 : !bar
    %d = ttng.tmem_alloc {tensor_memory_col_offset = 0 : i32, tensor_memory_row_offset = 0 : i32} : () -> !d
    %e = ttng.tmem_alloc {tensor_memory_col_offset = 64 : i32, tensor_memory_row_offset = 0 : i32} : () -> !d
    %s = ttg.local_alloc %x : (tensor<128x64xf32, #l>) -> !m
    ttng.fence_async_shared {bCluster = false}
    ttng.tmem_copy %s, %d : !m, !d
    %t = ttg.local_alloc %y : (tensor<128x64xf32, #l>) -> !m
    ttng.fence_async_shared {bCluster = false}
    ttng.tmem_copy %t, %e : !m, !d
    ttng.tc_gen5_commit %bar : !bar
    ttng.wait_barrier %bar, %zero : !bar
    %r = ttng.tmem_load %d : !d -> tensor<128x64xf32, #l>
    %q = ttng.tmem_load %e : !d -> tensor<128x64xf32, #l>
    tt.return %r, %q : tensor<128x64xf32, #l>, tensor<128x64xf32, #l>
  }
}"""


def test_what_is_copied_stays_there_until_a_wait():
    x = np.arange(128 * 64, dtype=np.float32).reshape(128, 64)
    for found, expected in zip(compute(COPIES, x, -x, capability=100), (x, -x), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_what_takes_its_place_before_the_wait_is_found():
    alloc, store = (
        "%t = ttg.local_alloc %y : (tensor<128x64xf32, #l>)",
        "ttg.local_store %y, %s : tensor<128x64xf32, #l>",
    )
    text = COPIES.replace(alloc, store).replace("tmem_copy %t", "tmem_copy %s")
    x = np.zeros((128, 64), np.float32)
    with pytest.raises(InterpreterError, match="a product or a copy may still read: nobody has waited for it"):
        compute(text, x, x + 1, capability=100)


REDUCED = """
#rows = #ttg.blocked<{{sizePerThread = [1, {columns}], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}}>
#row = #ttg.slice<{{dim = 1, parent = #rows}}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = {columns}, colStride = 1>
module attributes {{"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32}} {{
  tt.func public @f(%x: tensor<{rows}x{columns}xf32, #rows>) -> tensor<{rows}xf32, #row> {{
    %d = ttng.tmem_alloc %x
        : (tensor<{rows}x{columns}xf32, #rows>) -> !ttg.memdesc<{rows}x{columns}xf32, #tmem, #ttng.tensor_memory>
    %y, %r = ttng.tmem_load %d {attributes} : !ttg.memdesc<{rows}x{columns}xf32, #tmem, #ttng.tensor_memory>
        -> tensor<{rows}x{columns}xf32, #rows>, tensor<{rows}xf32, #row>
    tt.return %r : tensor<{rows}xf32, #row>
  }}
}}"""


@pytest.mark.parametrize(("rows", "columns"), [(128, 64), (256, 32)])
@pytest.mark.parametrize("function", [np.nanmax, np.min])
def test_loads_that_reduce(rows, columns, function):
    kind = "max" if function is np.nanmax else "min"
    flags = ", abs = true" if kind == "max" else ", NaN = true"
    text = REDUCED.format(rows=rows, columns=columns, attributes=f"{{redOp = #ttng.redOp<{kind}>{flags}}}")
    x = np.random.default_rng(0).standard_normal((rows, columns)).astype(np.float32)
    x[3, 5] = np.nan
    (found,) = compute(text, x, capability=100, before="triton-tensor-memory-allocation")
    np.testing.assert_array_equal(found, function(np.abs(x) if kind == "max" else x, axis=1))
