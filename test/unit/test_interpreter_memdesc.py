"""Views of shared memory, elements of it by index, and the end of a buffer's life."""

import numpy as np
import pytest
from tiles import run_text

from ttkit.interpreter import InterpreterError

TEMPLATE = """
#row = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#turned = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!tile = !ttg.memdesc<16x32xf32, #shared, #smem, mutable>
!tiles = !ttg.memdesc<3x16x32xf32, #shared, #smem, mutable>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @kernel(%src: !tt.ptr<f32>, %picks: !tt.ptr<i32>, %out: !tt.ptr<f32>) {
    %pid = tt.get_program_id x : i32
    %size = arith.constant 512 : i32
    %first = arith.muli %pid, %size : i32
    %width = arith.constant dense<32> : tensor<16x1xi32, #row>
    %r = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #row}>>
    %c = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #row}>>
    %r1 = tt.expand_dims %r {axis = 1 : i32}
        : tensor<16xi32, #ttg.slice<{dim = 1, parent = #row}>> -> tensor<16x1xi32, #row>
    %c1 = tt.expand_dims %c {axis = 0 : i32}
        : tensor<32xi32, #ttg.slice<{dim = 0, parent = #row}>> -> tensor<1x32xi32, #row>
    %r2 = arith.muli %r1, %width : tensor<16x1xi32, #row>
    %r3 = tt.broadcast %r2 : tensor<16x1xi32, #row> -> tensor<16x32xi32, #row>
    %c3 = tt.broadcast %c1 : tensor<1x32xi32, #row> -> tensor<16x32xi32, #row>
    %inside = arith.addi %r3, %c3 : tensor<16x32xi32, #row>
    %src0 = tt.addptr %src, %first : !tt.ptr<f32>, i32
    %src1 = tt.splat %src0 : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>, #row>
    %src2 = tt.addptr %src1, %inside : tensor<16x32x!tt.ptr<f32>, #row>, tensor<16x32xi32, #row>
    %x = tt.load %src2 : tensor<16x32x!tt.ptr<f32>, #row>
    %picks1 = tt.splat %picks : !tt.ptr<i32> -> tensor<16x32x!tt.ptr<i32>, #row>
    %picks2 = tt.addptr %picks1, %inside : tensor<16x32x!tt.ptr<i32>, #row>, tensor<16x32xi32, #row>
    %i = tt.load %picks2 : tensor<16x32x!tt.ptr<i32>, #row>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ones = arith.constant dense<1.0> : tensor<16x32xf32, #row>
    BODY
    %out0 = tt.addptr %out, %first : !tt.ptr<f32>, i32
    %out1 = tt.splat %out0 : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>, #row>
    %out2 = tt.addptr %out1, %inside : tensor<16x32x!tt.ptr<f32>, #row>, tensor<16x32xi32, #row>
    tt.store %out2, %result : tensor<16x32x!tt.ptr<f32>, #row>
    tt.return
  }
}"""
PROGRAMS = 3
SOURCE = np.random.default_rng(5).standard_normal((PROGRAMS, 16, 32)).astype(np.float32)
ALLOC = "%a = ttg.local_alloc %x : (tensor<16x32xf32, #row>) -> !tile\n"
LOAD = "%result = ttg.local_load %a : !tile -> tensor<16x32xf32, #row>\n"


def result(body: str, picks: np.ndarray | None = None) -> np.ndarray:
    """What each program stores: %result, made from its tile %x and the indices %i."""
    out = np.zeros_like(SOURCE)
    picks = np.zeros((16, 32), np.int32) if picks is None else picks.astype(np.int32)
    run_text(TEMPLATE.replace("BODY", body), PROGRAMS, [SOURCE.copy(), picks, out])
    return out


# --- Elements by index ------------------------------------------------------------------------------------------------


def gather(axis: int) -> str:
    types = "!tile, tensor<16x32xi32, #row> -> tensor<16x32xf32, #row>"
    return f"%result = ttg.local_gather %a[%i] {{axis = {axis} : i32}} : {types}\n"


def scatter(axis: int) -> str:
    types = "!tile, tensor<16x32xi32, #row>, tensor<16x32xf32, #row>"
    return f"ttg.local_scatter %a[%i], %x {{axis = {axis} : i32}} : {types}\n"


@pytest.mark.parametrize(("axis", "size"), [(0, 16), (1, 32)])
def test_gather(axis, size):
    picks = np.random.default_rng(1).integers(0, size, (16, 32))
    wanted = [np.take_along_axis(x, picks, axis) for x in SOURCE]
    np.testing.assert_array_equal(result(ALLOC + gather(axis), picks), wanted)


@pytest.mark.parametrize(("axis", "size"), [(0, 16), (1, 32)])
def test_scatter(axis, size):
    picks = np.argsort(np.random.default_rng(1).random((16, 32)), axis)
    wanted = np.zeros_like(SOURCE)
    for tile, x in zip(wanted, SOURCE):
        np.put_along_axis(tile, picks, x, axis)
    body = "%a = ttg.local_alloc : () -> !tile\n" + scatter(axis) + LOAD
    np.testing.assert_array_equal(result(body, picks), wanted)


@pytest.mark.parametrize("operation", [gather(0), scatter(0) + LOAD])
@pytest.mark.parametrize("index", [-1, 16])
def test_index_outside(operation, index):
    picks = np.full((16, 32), 3)
    picks[5, 6] = index
    with pytest.raises(InterpreterError, match="an index is not within dimension 0 of size 16"):
        result(ALLOC + operation, picks)


def test_gather_of_what_nothing_wrote():
    with pytest.raises(InterpreterError, match="nothing has written"):
        result("%a = ttg.local_alloc : () -> !tile\n" + gather(0))


def carried(trips: str) -> str:
    """A loop that reads a buffer one iteration early, as pipelined loops do, and stores its last tile."""
    return f"""
    %a = ttg.local_alloc : () -> !tile
    %old = ttg.local_load %a : !tile -> tensor<16x32xf32, #row>
    %more = arith.addf %old, %ones : tensor<16x32xf32, #row>
    %exists = arith.cmpi slt, %zero, {trips} : i32
    %y = arith.select %exists, %more, %ones : tensor<16x32xf32, #row>
    %result, %last = scf.for %step = %zero to {trips} step %one iter_args(%sum = %x, %z = %y)
        -> (tensor<16x32xf32, #row>, tensor<16x32xf32, #row>) : i32 {{
      %new = arith.addf %sum, %z : tensor<16x32xf32, #row>
      scf.yield %new, %z : tensor<16x32xf32, #row>, tensor<16x32xf32, #row>
    }}
    """


def test_loops_without_iterations_may_carry_what_nothing_wrote():
    np.testing.assert_array_equal(result(carried("%zero")), SOURCE)


def test_uses_of_what_nothing_wrote():
    with pytest.raises(InterpreterError, match=r"ttg.local_load: reads .* where nothing has written"):
        result(carried("%one"))


MASKED = """
    %a = ttg.local_alloc : () -> !tile
    %old = ttg.local_load %a : !tile -> tensor<16x32xf32, #row>
    %line = arith.constant dense<LINE> : tensor<16x32xi32, #row>
    %mask = arith.cmpi eq, %r3, %line : tensor<16x32xi32, #row>
    ACCESS
    %result = tt.load %src2 : tensor<16x32x!tt.ptr<f32>, #row>
"""
ACCESSES = {
    "store": "tt.store %src2, %old, %mask : tensor<16x32x!tt.ptr<f32>, #row>",
    "atomic": "%sum = tt.atomic_rmw fadd, relaxed, gpu, %src2, %old, %mask : "
    "(tensor<16x32x!tt.ptr<f32>, #row>, tensor<16x32xf32, #row>, tensor<16x32xi1, #row>) -> tensor<16x32xf32, #row>",
}


@pytest.mark.parametrize("access", ACCESSES)
def test_accesses_that_a_mask_turns_off_use_nothing(access):
    body = MASKED.replace("ACCESS", ACCESSES[access])
    np.testing.assert_array_equal(result(body.replace("LINE", "-1")), SOURCE)
    with pytest.raises(InterpreterError, match=r"ttg.local_load: reads .* where nothing has written"):
        result(body.replace("LINE", "32"))


# --- Views ------------------------------------------------------------------------------------------------------------


def test_index():
    body = """
    %all = ttg.local_alloc : () -> !tiles
    %b = ttg.memdesc_index %all[%zero] : !tiles -> !tile
    %a = ttg.memdesc_index %all[%one] : !tiles -> !tile
    ttg.local_store %ones, %b : tensor<16x32xf32, #row> -> !tile
    ttg.local_store %x, %a : tensor<16x32xf32, #row> -> !tile
    """
    np.testing.assert_array_equal(result(body + LOAD), SOURCE)


def test_index_outside_of_the_buffer():
    body = """
    %all = ttg.local_alloc : () -> !tiles
    %three = arith.constant 3 : i32
    %a = ttg.memdesc_index %all[%three] : !tiles -> !tile
    ttg.local_store %x, %a : tensor<16x32xf32, #row> -> !tile
    """
    with pytest.raises(InterpreterError, match=r"bytes 6144 to 8192 of the buffer allocated at .*, which has 6144"):
        result(body + LOAD)


def test_subslice():
    """A quarter becomes ones."""
    part = "!ttg.memdesc<8x16xf32, #shared, #smem, mutable, 16x32>"
    body = f"""
    %part = ttg.memdesc_subslice %a[8, 16] : !tile -> {part}
    %few = arith.constant dense<1.0> : tensor<8x16xf32, #row>
    ttg.local_store %few, %part : tensor<8x16xf32, #row> -> {part}
    """
    wanted = SOURCE.copy()
    wanted[:, 8:, 16:] = 1
    np.testing.assert_array_equal(result(ALLOC + body + LOAD), wanted)


def test_transpose_and_reshape():
    """The transposed view, stored as a line in rows of 16, and loaded as rows of 32."""
    turned = "!ttg.memdesc<32x16xf32, #turned, #smem, mutable>"
    body = f"""
    %turned = ttg.memdesc_trans %a {{order = array<i32: 1, 0>}} : !tile -> {turned}
    %t = ttg.local_load %turned : {turned} -> tensor<32x16xf32, #row>
    %b = ttg.local_alloc %t : (tensor<32x16xf32, #row>) -> !ttg.memdesc<32x16xf32, #shared, #smem, mutable>
    %line = ttg.memdesc_reshape %b
        : !ttg.memdesc<32x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<512xf32, #flat, #smem, mutable>
    %l = ttg.local_load %line : !ttg.memdesc<512xf32, #flat, #smem, mutable> -> tensor<512xf32, #line>
    %result = tt.reshape %l : tensor<512xf32, #line> -> tensor<16x32xf32, #row>
    """
    wanted = [x.T.reshape(16, 32) for x in SOURCE]
    np.testing.assert_array_equal(result(ALLOC + body), wanted)


def test_reinterpret():
    body = """
    %words = ttg.memdesc_reinterpret %a : !tile -> !ttg.memdesc<16x32xi32, #shared, #smem, mutable>
    %w = ttg.local_load %words : !ttg.memdesc<16x32xi32, #shared, #smem, mutable> -> tensor<16x32xi32, #row>
    %result = tt.bitcast %w : tensor<16x32xi32, #row> -> tensor<16x32xf32, #row>
    """
    np.testing.assert_array_equal(result(ALLOC + body), SOURCE)


# --- The end of a buffer's life ---------------------------------------------------------------------------------------

DEALLOC = "ttg.local_dealloc %a : !tile\n"


@pytest.mark.parametrize("use", [LOAD, "ttg.local_store %x, %a : tensor<16x32xf32, #row> -> !tile\n" + LOAD, gather(0)])
def test_use_after_the_end(use):
    np.testing.assert_array_equal(result(ALLOC + LOAD + DEALLOC), SOURCE)
    with pytest.raises(
        InterpreterError, match=r"the buffer allocated at .* has been freed\n.*\n  program  \(0, 0, 0\)"
    ):
        result(ALLOC + DEALLOC + use)


def test_end_while_a_copy_is_under_way():
    copy = """
    %a = ttg.local_alloc : () -> !tile
    %t = ttg.async_copy_global_to_local %src2, %a
        : tensor<16x32x!tt.ptr<f32>, #row> -> <16x32xf32, #shared, #smem, mutable>
    """
    with pytest.raises(InterpreterError, match=r"frees .* while the ttg.async_copy_global_to_local .* still writes it"):
        result(copy + DEALLOC + LOAD)


# --- Programs that part -----------------------------------------------------------------------------------------------


def test_programs_that_take_different_ways():
    """Program 1 stores to shared memory in a branch, the others do not; loops of different length store too."""
    body = """
    %odd = arith.cmpi eq, %pid, %one : i32
    scf.if %odd {
      ttg.local_store %ones, %a : tensor<16x32xf32, #row> -> !tile
    }
    scf.for %step = %zero to %pid step %one : i32 {
      %old = ttg.local_load %a : !tile -> tensor<16x32xf32, #row>
      %new = arith.addf %old, %ones : tensor<16x32xf32, #row>
      ttg.local_store %new, %a : tensor<16x32xf32, #row> -> !tile
    }
    """
    wanted = np.stack([SOURCE[0], np.full_like(SOURCE[1], 2), SOURCE[2] + 1 + 1])
    np.testing.assert_array_equal(result(ALLOC + body + LOAD), wanted)


def test_program_that_reads_what_only_others_wrote():
    body = """
    %a = ttg.local_alloc : () -> !tile
    %odd = arith.cmpi slt, %pid, %one : i32
    scf.if %odd {
      ttg.local_store %x, %a : tensor<16x32xf32, #row> -> !tile
    }
    """
    with pytest.raises(InterpreterError, match=r"nothing has written\n.*\n  program  \(1, 0, 0\)\n  element  \[0, 0\]"):
        result(body + LOAD)


def test_copies_that_some_programs_start():
    """Program 0 copies nothing in the loop, and has nothing to wait for."""
    body = """
    scf.for %step = %zero to %pid step %one : i32 {
      %t = ttg.async_copy_global_to_local %src2, %a
          : tensor<16x32x!tt.ptr<f32>, #row> -> <16x32xf32, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %t
      WAIT
    }
    """
    wait = "%w = ttg.async_wait %g {num = 0 : i32}"
    np.testing.assert_array_equal(result(ALLOC + body.replace("WAIT", wait) + LOAD), SOURCE)
    with pytest.raises(InterpreterError, match=r"has been waited for\n.*\n  program  \(1, 0, 0\)"):
        result(ALLOC + body.replace("WAIT", "") + LOAD)
