"""Views of buffers in shared memory, lowered: they read what their elements' bytes hold."""

import numpy as np
import pytest
from lowered_tensors import compute, module

ALIASES = """
#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#line = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#swizzled = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#padded = #ttg.padded_shared<[512:+4] {order = [1, 0], shape = [32, 32]}>
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory"""
REINTERPRETED = """
  tt.func private @f(%x: tensor<32x32xi32, #b>) -> tensor<{count}x{element}, #line> {{
    %m = ttg.local_alloc %x : (tensor<32x32xi32, #b>) -> !ttg.memdesc<32x32xi32, #{layout}, #smem, mutable>
    %part = ttg.memdesc_subslice %m [{row}, 0]
      : !ttg.memdesc<32x32xi32, #{layout}, #smem, mutable> -> !ttg.memdesc<16x32xi32, #{layout}, #smem, mutable, 32x32>
    %line = ttg.memdesc_reinterpret %part
      : !ttg.memdesc<16x32xi32, #{layout}, #smem, mutable, 32x32> -> {buffer}
    %y = ttg.local_load %line : {buffer} -> tensor<{count}x{element}, #line>
    tt.return %y : tensor<{count}x{element}, #line>
  }}"""


@pytest.mark.parametrize("layout", ["plain", "swizzled", "padded"])
@pytest.mark.parametrize("row", [0, 16])
@pytest.mark.parametrize("element, count", [("i32", 512), ("i16", 1024)])
def test_a_part_of_a_buffer_as_another_tensor(layout, row, element, count):
    source = np.random.default_rng(1).integers(0, 1 << 31, (32, 32), np.int32)
    buffer = f"!ttg.memdesc<{count}x{element}, #flat, #smem, mutable>"
    function = REINTERPRETED.format(layout=layout, row=row, element=element, count=count, buffer=buffer)
    text = module(function, ALIASES, warps=4)
    (found,) = compute(text, source, before="allocate-shared-memory-nv{compute-capability=90}")
    part = source[row : row + 16].copy()
    if layout == "swizzled":  # Row r holds its groups of four elements in the order of their number xor r.
        groups = part.reshape(16, 8, 4)
        part = np.stack([groups[r][np.arange(8) ^ ((row + r) % 8)] for r in range(16)])
    np.testing.assert_array_equal(found, part.reshape(-1).view(f"u{4 if element == 'i32' else 2}"))


CROSSED = """
#crossed = #ttg.generic_linear<{register = [[0, 1], [0, 2], [16, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 4]],
                                warp = [[16, 8], [0, 16]], block = []}>"""
OVER_THREADS = "%y = ttg.convert_layout %x : tensor<32x32xi32, #b> -> tensor<32x32xi32, #crossed>"
OVER_MEMORY = """
    %m = ttg.local_alloc %x : (tensor<32x32xi32, #b>) -> !ttg.memdesc<32x32xi32, #swizzled, #smem, mutable>
    %y = ttg.local_load %m : !ttg.memdesc<32x32xi32, #swizzled, #smem, mutable> -> tensor<32x32xi32, #crossed>"""
BACK = """
    %z = ttg.convert_layout %x : tensor<32x32xi32, #b> -> tensor<32x32xi32, #crossed>
    %y = ttg.convert_layout %z : tensor<32x32xi32, #crossed> -> tensor<32x32xi32, #b>"""


@pytest.mark.parametrize(("how", "layout"), [(OVER_THREADS, "crossed"), (OVER_MEMORY, "crossed"), (BACK, "b")])
def test_warps_that_move_in_two_dimensions(how, layout):
    source = np.random.default_rng(1).integers(0, 1 << 31, (32, 32), np.int32)
    type = f"tensor<32x32xi32, #{layout}>"
    function = f"tt.func private @f(%x: tensor<32x32xi32, #b>) -> {type} {{ {how}\n tt.return %y : {type} }}"
    (found,) = compute(
        module(function, ALIASES + CROSSED, warps=4),
        source,
        before="allocate-shared-memory-nv{compute-capability=90}",
    )
    np.testing.assert_array_equal(found, source.view(np.uint32))
