"""Tensor descriptors: made in the kernel and passed to it."""

import numpy as np
import pytest
from tiles import run_text

from ttkit.interpreter import InterpreterError, TensorDescriptor
from ttkit.interpreter.ops.tma import cta_split

SOURCE = np.arange(24 * 40, dtype=np.float32).reshape(24, 40)

COPY = """
tt.func public @copy(%src: !tt.ptr<f32>, %dst: !tt.tensordesc<tensor<16x16xf32>>, %d0: i32, %d1: i32, %d2: i64,
                     %d3: i64, %rows: i32, %columns: i32, %stride: i64, %row: i32, %column: i32) {{
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %0 = tt.make_tensor_descriptor %src, [%rows, %columns], [%stride, %one] {{padding = {padding} : i32}}
      : <f32>, <tensor<16x16xf32>>
  %1 = tt.descriptor_load %0[%row, %column] : !tt.tensordesc<tensor<16x16xf32>> -> tensor<16x16xf32>
  tt.descriptor_store %dst[%zero, %zero], %1 : !tt.tensordesc<tensor<16x16xf32>>, tensor<16x16xf32>
  tt.return
}}"""


@pytest.mark.parametrize(("row", "column"), [(0, 0), (8, 20), (16, 32), (-4, -5), (100, 0)])
@pytest.mark.parametrize("padding", [1, 2])
def test_load_and_store(row, column, padding):
    target = np.full((16, 16), -1, np.float32)
    run_text(COPY.format(padding=padding), 1, [SOURCE, target, 24, 40, 40, row, column])
    padded = np.pad(SOURCE, 128, constant_values=0 if padding == 1 else np.nan)
    np.testing.assert_array_equal(target, padded[128 + row :, 128 + column :][:16, :16])


def test_arguments():
    """By name, with strides of their own, smaller than the block, and with sizes and strides given too."""
    target = np.full((10, 12), -1, np.float32)
    descriptor = TensorDescriptor(target, shape=(10, 8), strides=(12, 1))
    names = {"arg0": SOURCE, "arg1": descriptor, "arg6": 24, "arg7": 40, "arg8": 40, "arg9": 0, "arg10": 0}
    run_text(COPY.format(padding=1), 1, names)
    np.testing.assert_array_equal(target[:, :8], SOURCE[:10, :8])
    assert (target[:, 8:] == -1).all()
    run_text(COPY.format(padding=1), 1, [SOURCE, target, 10, 12, 12, 1, 24, 40, 40, 0, 0])
    np.testing.assert_array_equal(target, SOURCE[:10, :12])
    with pytest.raises(ValueError, match="found an array of shape \\(120,\\)"):
        run_text(COPY.format(padding=1), 1, [SOURCE, target.reshape(-1), 10, 12, 12, 1, 24, 40, 40, 0, 0])


@pytest.mark.parametrize("flags", ["%nan: i1", "%nan: i1, %rounds: i1"])
def test_what_descriptors_become_without_tma(flags):
    """Triton 3.7 and later say whether to round to tf32, too."""
    text = f"""
    tt.func public @copy(%src: !tt.ptr<f32>, %a: i64, %b: i64, %c: i64, %d: i64, {flags}, %e: i32, %f: i32, %g: i64,
                         %h: i64, %dst: !tt.ptr<i32>) {{
      tt.store %dst, %f : !tt.ptr<i32>
      tt.return
    }}"""
    target = np.zeros(1, np.int32)
    run_text(text, 1, [TensorDescriptor(SOURCE), target])
    assert target == [40]


def test_leading_dimensions_of_one():
    text = """
    tt.func public @copy(%src: !tt.tensordesc<tensor<1x8x16xf32>>, %dst: !tt.tensordesc<tensor<1x8x16xf32>>, %i: i32) {
      %zero = arith.constant 0 : i32
      %0 = tt.descriptor_load %src[%i, %zero, %zero] : !tt.tensordesc<tensor<1x8x16xf32>> -> tensor<8x16xf32>
      tt.descriptor_store %dst[%zero, %zero, %zero], %0 : !tt.tensordesc<tensor<1x8x16xf32>>, tensor<8x16xf32>
      tt.return
    }"""
    source, target = np.arange(3 * 128, dtype=np.float32).reshape(3, 8, 16), np.zeros((1, 8, 16), np.float32)
    run_text(text, 1, [source, target, 2])
    np.testing.assert_array_equal(target[0], source[2])


def test_gather_and_scatter():
    text = """
    tt.func public @rows(%src: !tt.tensordesc<tensor<1x16xf32>>, %dst: !tt.tensordesc<tensor<1x16xf32>>,
                         %p: !tt.ptr<i32>) {
      %column = arith.constant 8 : i32
      %i = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
      %0 = tt.splat %p : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
      %1 = tt.addptr %0, %i : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
      %rows = tt.load %1 : tensor<8x!tt.ptr<i32>>
      %2 = tt.descriptor_gather %src[%rows, %column]
          : (!tt.tensordesc<tensor<1x16xf32>>, tensor<8xi32>, i32) -> tensor<8x16xf32>
      tt.descriptor_scatter %dst[%i, %column], %2
          : !tt.tensordesc<tensor<1x16xf32>>, tensor<8xi32>, i32, tensor<8x16xf32>
      tt.return
    }"""
    rows = np.array([5, 0, 23, 24, -1, 5, 2, 3], np.int32)
    target = np.full((6, 40), -1, np.float32)
    run_text(text, 1, [SOURCE, target, rows])
    expected = np.full((6, 40), -1, np.float32)
    for n, row in enumerate(rows[:6]):
        expected[n, 8:24] = SOURCE[row, 8:24] if 0 <= row < 24 else 0
    np.testing.assert_array_equal(target, expected)


REDUCE = """
tt.func public @reduce(%acc: !tt.tensordesc<tensor<16x{t}>>, %src: !tt.tensordesc<tensor<16x{t}>>) {{
  %zero = arith.constant 0 : i32
  %0 = tt.descriptor_load %src[%zero] : !tt.tensordesc<tensor<16x{t}>> -> tensor<16x{u}>
  tt.descriptor_reduce {kind}, %acc[%zero], %0 : !tt.tensordesc<tensor<16x{t}>>, tensor<16x{u}>
  tt.return
}}"""


@pytest.mark.parametrize(
    ("kind", "reference"),
    [
        ("add", lambda a, b: a + b + b + b),
        ("min", np.minimum),
        ("max", np.maximum),
        ("and", lambda a, b: a & b),
        ("or", lambda a, b: a | b),
        ("xor", lambda a, b: a ^ b),
    ],
)
@pytest.mark.parametrize("sign", ["i", "si"])
def test_reductions(kind, reference, sign):
    start, source = np.random.default_rng(3).integers(-99, 99, (2, 12)).astype(np.int32)
    found = start.copy()
    run_text(REDUCE.format(t=f"{sign}32", u="i32", kind=kind), 3, [found, source], seed=4)
    if sign == "i":
        start, source = start.view(np.uint32), source.view(np.uint32)
    np.testing.assert_array_equal(found.view(start.dtype), reference(start, source))


def test_increment_and_decrement():
    limits = np.array([3, 3, 3, 0], np.int32)
    for kind, expected in (("inc", [1, 0, 3, 0]), ("dec", [3, 2, 1, 0])):
        found = np.array([0, 3, 2, 0], np.int32)
        run_text(REDUCE.format(t="i32", u="i32", kind=kind), 1, [found, limits])
        assert found.tolist() == expected


@pytest.mark.parametrize(
    ("shape", "layout", "split"),
    [("8x16", "[[1, 0]]", 2), ("1x16", "[[1, 0]]", 1), ("1x16", "[[0, 0]]", 1), ("2x8x16", "[[1, 0], [0, 1]]", 4)],
)
def test_bytes_that_each_cta_waits_for(shape, layout, split):
    """Along a dimension that is too small to be divided, each CTA has all of a buffer."""
    text = f"!ttg.memdesc<{shape}xbf16, #ttg.nvmma_shared<{{elementBitWidth = 16, CGALayout = {layout}}}>, #smem>"
    assert cta_split(text) == split


MAPS = """
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 32}>
#row = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.num-ctas" = 1 : i32} {
  tt.func public @two_maps(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %o: !tt.ptr<f32>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %size = arith.constant 32 : i32
    %place = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    %map = ttng.reinterpret_tensor_descriptor %place : !tt.ptr<i8> to !tt.tensordesc<tensor<32xf32, #shared>>
    ttng.tensormap_create %place, %a, [%size], [%size], [], [%one] {elem_type = 7 : i32, fill_mode = 0 : i32,
        interleave_layout = 0 : i32, swizzle_mode = 0 : i32} : (!tt.ptr<i8>, !tt.ptr<f32>, i32, i32, i32) -> ()
    %x = tt.descriptor_load %map[%zero] : !tt.tensordesc<tensor<32xf32, #shared>> -> tensor<32xf32, #row>
    ttng.tensormap_create %place, %b, [%size], [%size], [], [%one] {elem_type = 7 : i32, fill_mode = 0 : i32,
        interleave_layout = 0 : i32, swizzle_mode = 0 : i32} : (!tt.ptr<i8>, !tt.ptr<f32>, i32, i32, i32) -> ()
    %y = tt.descriptor_load %map[%zero] : !tt.tensordesc<tensor<32xf32, #shared>> -> tensor<32xf32, #row>
    %difference = arith.subf %x, %y : tensor<32xf32, #row>
    %r = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #row>
    %p = tt.splat %o : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #row>
    %q = tt.addptr %p, %r : tensor<32x!tt.ptr<f32>, #row>, tensor<32xi32, #row>
    tt.store %q, %difference : tensor<32x!tt.ptr<f32>, #row>
    tt.return
  }
}"""


def test_a_map_is_read_at_each_access():
    a, b, out = np.arange(32, dtype=np.float32), np.full(32, 3, np.float32), np.zeros(32, np.float32)
    run_text(MAPS, 1, [a, b, out])
    np.testing.assert_array_equal(out, a - b)


# By TMA: a block of 16x16 of a tensor at %src + %offset.
BY_TMA = """
#shared = #ttg.nvmma_shared<{{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 32}}>
#bar = #ttg.swizzled_shared<{{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}}>
#smem = #ttg.shared_memory
module attributes {{"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:{target}",
                   "ttg.threads-per-warp" = 32 : i32}} {{
  tt.func public @copy(%src: !tt.ptr<f32>, %offset: i32, %rows: i32, %columns: i32, %stride: i64, %step: i64,
                       %enabled: i1) {{
    %zero = arith.constant 0 : i32
    %base = tt.addptr %src, %offset : !tt.ptr<f32>, i32
    %d = tt.make_tensor_descriptor %base, [%rows, %columns], [%stride, %step] : <f32>, <tensor<16x16xf32{layout}>>
    {access}
    tt.return
  }}
}}"""
COPY_TO_SHARED = """%m = ttg.local_alloc : () -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.init_barrier %b, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.barrier_expect %b, 1024, %enabled : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.async_tma_copy_global_to_local %d[%zero, %zero] %m, %b, %enabled :
      !tt.tensordesc<tensor<16x16xf32, #shared>>, !ttg.memdesc<1xi64, #bar, #smem, mutable>
      -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
    ttng.wait_barrier %b, %zero, %enabled : !ttg.memdesc<1xi64, #bar, #smem, mutable>"""
LOAD = "%v = tt.descriptor_load %d[%zero, %zero] : !tt.tensordesc<tensor<16x16xf32>> -> tensor<16x16xf32>"
ACCESSES = {COPY_TO_SHARED: ", #shared", LOAD: ""}
REFUSED_BY_TMA = {
    (1, 16, 16, 16, 1): "begins 4 bytes past a multiple of 16",
    (0, 16, 16, 17, 1): "has a stride of 68 bytes; TMA needs multiples of 16",
    (0, 16, 16, -16, 1): "has a stride of -64 bytes",
    (0, 16, 16, 1 << 38, 1): "has a stride of 1099511627776 bytes",
    (0, 16, 16, 32, 2): "innermost stride is 2 elements",
    (0, 0, 16, 16, 1): "has a dimension of size 0",
    (0, 16, -3, 16, 1): "has a dimension of size -3",
}


@pytest.mark.parametrize("access", ACCESSES, ids=["ttng", "tt"])
@pytest.mark.parametrize("fields", REFUSED_BY_TMA)
def test_tensors_that_tma_refuses(access, fields):
    text, array = BY_TMA.format(target=90, layout=ACCESSES[access], access=access), np.zeros(4096, np.float32)
    with pytest.raises(InterpreterError, match=REFUSED_BY_TMA[fields]) as found:
        run_text(text, 1, [array, *fields, True])
    assert found.value.op is not None and found.value.program == (0, 0, 0)


@pytest.mark.parametrize("fields", [(4, 16, 16, 16, 1), (0, 16, 13, 20, 1), (0, 16, 16, 0, 1)])
@pytest.mark.parametrize("access", ACCESSES, ids=["ttng", "tt"])
def test_tensors_that_tma_takes(access, fields):
    text = BY_TMA.format(target=90, layout=ACCESSES[access], access=access)
    run_text(text, 1, [np.zeros(4096, np.float32), *fields, True])


def test_where_nothing_is_copied_by_tma_no_tensor_is_refused():
    array = np.zeros(4096, np.float32)
    run_text(BY_TMA.format(target=80, layout="", access=LOAD), 1, [array, 1, 16, 16, 17, 1, True])
    text = BY_TMA.format(target=90, layout=", #shared", access=COPY_TO_SHARED)
    run_text(text, 1, [array, 1, 16, 16, 17, 1, False])
    text = BY_TMA.format(target=90, layout="", access=LOAD)
    run_text(text, 1, [array, 1, 16, 16, 17, 1, True], tma=False)
