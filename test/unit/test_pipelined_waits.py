"""A wait left out or too short, in pipelined loops and behind stores: the interpreter names what happens too early."""

from pathlib import Path

import numpy as np
import pytest

import ttkit
from ttkit.interpreter import interpret
from ttkit.interpreter.errors import InterpreterError

GOLDEN = (Path(__file__).parents[1] / "data" / "pass_cases" / "tritongpu-pipeline.golden").read_text()


def pipelined(name: str) -> str:
    return next(text for text in GOLDEN.split("// -----") if f"@{name}(" in text)


def run(name: str, text: str) -> None:
    square, wide, tall = (np.ones(shape, np.float16) for shape in ((64, 256), (128, 1024), (1024, 128)))
    arguments = {
        "nodot_sum": [np.ones(8192, np.float32), np.zeros(1, np.float32), 8192],
        "tma_load_elementwise": [square, np.zeros_like(square), 64, 256],
        "mm_tma": [wide, tall, np.zeros((128, 128), np.float16), 128, 128, 1024],
    }
    with ttkit.Context():
        interpret(ttkit.parse(text), 1, arguments[name])


@pytest.mark.parametrize(
    ("name", "wait", "other", "message"),
    [
        ("nodot_sum", "{num = 1 : i32}", "{num = 2 : i32}", r"ttg.local_load: reads .* before the ttg.async_copy"),
        (
            "tma_load_elementwise",
            "ttng.wait_barrier",
            "// ",
            r"local_load: reads .* before the ttng.async_tma_copy",
        ),
        ("tma_load_elementwise", "ttng.async_tma_store_wait", "// ", r"ttg.local_store: overwrites .* still reads it"),
        ("mm_tma", "{pendings = 1 : i32}", "{pendings = 2 : i32}", r"overwrites .* while the ttng.warp_group_dot"),
    ],
)
def test_a_wait_that_is_missing_is_named(name, wait, other, message):
    text = pipelined(name)
    run(name, text)
    assert wait in text
    with pytest.raises(InterpreterError, match=message):
        run(name, text.replace(wait, other, 1))


TWO_STORES = """
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 32}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
!tile = !ttg.memdesc<16x16xf32, #shared, #smem>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @kernel(%out: !tt.tensordesc<tensor<16x16xf32, #shared>>) {
    %zero = arith.constant 0 : i32
    %x = arith.constant dense<1.0> : tensor<16x16xf32, #rows>
    %a = ttg.local_alloc %x : (tensor<16x16xf32, #rows>) -> !tile
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_copy_local_to_global %out[%zero, %zero] %a : !tt.tensordesc<tensor<16x16xf32, #shared>>, !tile
    WAIT
    %b = ttg.local_alloc %x : (tensor<16x16xf32, #rows>) -> !tile
    KEEP
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_copy_local_to_global %out[%zero, %zero] %b : !tt.tensordesc<tensor<16x16xf32, #shared>>, !tile
    ttng.async_tma_store_wait {pendings = 0 : i32}
    tt.return
  }
}"""
WAIT = "ttng.async_tma_store_wait {pendings = 0 : i32}"
KEEP = "%0 = ttg.local_load %a : !tile -> tensor<16x16xf32, #rows>"


def run_stores(wait: str, keep: str = "") -> None:
    text = TWO_STORES.replace("WAIT", wait).replace("KEEP", keep)
    with ttkit.Context():
        interpret(ttkit.parse(text), 1, [np.zeros((16, 16), np.float32)])


def test_memory_of_a_dead_buffer_that_is_still_read_is_named():
    run_stores(WAIT)
    with pytest.raises(InterpreterError, match=r"may take the memory of .*tma_copy_local_to_global.* reads it"):
        run_stores("")


def test_buffers_that_live_together_have_memory_of_their_own():
    run_stores("", KEEP)
