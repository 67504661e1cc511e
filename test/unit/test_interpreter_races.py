"""Races on shared memory: between warps, between groups of warps, and missing fences."""

import re
from pathlib import Path

import interpreter_kernels_memory  # noqa: F401, declares cases
import numpy as np
import pytest
from interpreter_kernels import CASES
from mlir import ir
from sweeps import every
from tiles import run_text

import ttkit
from ttkit.interpreter import interpret
from ttkit.interpreter.errors import Race

FOLDER = Path(__file__).parents[1] / "data" / "ir"

# --- Warps ------------------------------------------------------------------------------------------------------------

LAYOUTS = """
#row = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#other = #ttg.blocked<{sizePerThread = [2, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
!buffer = !ttg.memdesc<8x32xf32, #shared, #smem, mutable>
"""
WARPS = (
    LAYOUTS
    + """
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @kernel() {
    %x = arith.constant dense<1.0> : tensor<8x32xf32, #row>
    %y = arith.constant dense<2.0> : tensor<8x32xf32, #other>
    %a = ttg.local_alloc : () -> !buffer
    ttg.local_store %x, %a : tensor<8x32xf32, #row> -> !buffer
    BODY
    tt.return
  }
}"""
)
LOAD_SAME = "%0 = ttg.local_load %a : !buffer -> tensor<8x32xf32, #row>\n"
LOAD_OTHER = "%1 = ttg.local_load %a : !buffer -> tensor<8x32xf32, #other>\n"
STORE_OTHER = "ttg.local_store %y, %a : tensor<8x32xf32, #other> -> !buffer\n"
CONVERT = "%2 = ttg.convert_layout %x : tensor<8x32xf32, #row> -> tensor<8x32xf32, #other>\n"


@pytest.mark.parametrize(
    "barrier", ["ttg.barrier local", "ttg.barrier all", "ttg.local_barrier", "gpu.barrier", CONVERT]
)
@pytest.mark.parametrize("access", [LOAD_OTHER, STORE_OTHER])
def test_barrier_between_warps(barrier, access):
    run_text(WARPS.replace("BODY", barrier + "\n" + access), 1, [], race="warps")


def test_own_elements_need_no_barrier():
    run_text(WARPS.replace("BODY", LOAD_SAME), 1, [], race="warps")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (LOAD_OTHER, "warp 0 reads byte 128 of the buffer allocated at .*, which warp 1 wrote in ttg.local_store at"),
        (STORE_OTHER, "warp 0 writes byte 128 of the buffer allocated at .*, which warp 1 wrote in ttg.local_store at"),
        ("ttg.barrier global_write\n" + LOAD_OTHER, "warp 0 reads byte 128"),
        (LOAD_SAME + CONVERT + LOAD_OTHER + "ttg.local_store %x, %a : tensor<8x32xf32, #row> -> !buffer",
         "warp 0 writes byte 512 .*, which warp 2 read in ttg.local_load at"),
    ],
)  # fmt: skip
def test_missing_barrier_between_warps(body, message):
    with pytest.raises(Race, match=message + r"(?s:.*)with no barrier between\n  at .*\n  program  \(0, 0, 0\)"):
        run_text(WARPS.replace("BODY", body), 1, [], race="warps")
    run_text(WARPS.replace("BODY", body), 1, [], race="programs,groups")


ACCESS = re.compile(
    r"\s*(%[%\w:, ]+ = )?(ttg\.(local_(load|store|alloc|dealloc|gather|scatter)|async_)"
    r"|ttng\.(async_tma|arrive|barrier_expect|wait_barrier|warp_group_dot|tc_gen5|tmem_|inval|init_b))"
)


def with_barriers(text: str) -> str:
    """A barrier before each access."""
    lines = text.splitlines()
    return "\n".join(f"ttg.barrier local\n{line}" if ACCESS.match(line) else line for line in lines)


def run(file: str, race: str, edit=lambda text: text) -> None:
    name = file.split(".")[0]
    case = CASES[name](np.random.default_rng(20), name)
    with ttkit.Context(), ir.Location.unknown():
        interpret(ir.Module.parse(edit((FOLDER / file).read_text())), case.grid, case.args, race=race)


MIXED = (
    "asynchronous_copies.80.ttgir",
    "matmul_tf32.90.ttgir",
    "descriptor_matmul.90.ttgir",
    "matmul_f8_e4m3.100.ttgir",
    "specialized_attention.100.ttgir",
    "warp_roles.90.ttgir",
)


@pytest.mark.parametrize("file", MIXED)
def test_kernels_with_all_barriers(file):
    run(file, "warps", with_barriers)


@pytest.mark.parametrize("file", MIXED[1:])
def test_kernels_without_barriers(file):
    """The compiler puts them in later."""
    with pytest.raises(Race, match="with no barrier between"):
        run(file, "warps")


# --- Groups of warps --------------------------------------------------------------------------------------------------

GROUPS = (
    LAYOUTS
    + """
#one = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
!bar = !ttg.memdesc<1xi64, #one, #smem, mutable>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @kernel() {
    %zero = arith.constant 0 : i32
    %a = ttg.local_alloc : () -> !buffer
    %full = ttg.local_alloc : () -> !bar
    %empty = ttg.local_alloc : () -> !bar
    ttng.init_barrier %full, 1 : !bar
    ttng.init_barrier %empty, 1 : !bar
    ttg.warp_specialize(%a, %full, %empty, %zero)
    default {
      %x = arith.constant dense<1.0> : tensor<8x32xf32, #row>
      ttg.local_store %x, %a : tensor<8x32xf32, #row> -> !buffer
      ttng.arrive_barrier %full, 1 : !bar
      WAIT_EMPTY
      ttg.local_store %x, %a : tensor<8x32xf32, #row> -> !buffer
      ttg.warp_yield
    }
    partition0(%b: !buffer, %f: !bar, %e: !bar, %phase: i32) num_warps(4) {
      WAIT_FULL
      %y = ttg.local_load %b : !buffer -> tensor<8x32xf32, #row>
      ttng.arrive_barrier %e, 1 : !bar
      ttg.warp_return
    } : (!buffer, !bar, !bar, i32) -> ()
    %z = ttg.local_load %a : !buffer -> tensor<8x32xf32, #row>
    tt.return
  }
}"""
)
WAIT_EMPTY, WAIT_FULL = "ttng.wait_barrier %empty, %zero : !bar", "ttng.wait_barrier %f, %phase : !bar"


def groups(wait_empty: str, wait_full: str) -> str:
    return GROUPS.replace("WAIT_EMPTY", wait_empty).replace("WAIT_FULL", wait_full)


def test_groups_that_wait_for_each_other():
    run_text(groups(WAIT_EMPTY, WAIT_FULL), 1, [], race=True)


@pytest.mark.parametrize("waits", [("", WAIT_FULL), (WAIT_EMPTY, "")])
def test_groups_that_do_not_wait(waits):
    message = r"partition 0 reads byte 0 of .*, which the default group wrote in ttg.local_store at .*, with no barrier"
    with pytest.raises(Race, match=message):
        run_text(groups(*waits), 1, [], race=True)
    run_text(groups(*waits), 1, [])


SPECIALIZED = [
    path.name
    for path in sorted(FOLDER.glob("*.ttgir"))
    if path.name.split(".")[0] in CASES and "ttg.warp_specialize(" in path.read_text()
]


@pytest.mark.parametrize("file", every(4, SPECIALIZED))
def test_specialized_kernels(file):
    run(file, "groups")


# --- Fences -----------------------------------------------------------------------------------------------------------

FINAL = [
    path.name
    for path in sorted(FOLDER.glob("*.*.ttgir"))
    if path.name.count(".") == 2 and path.name.split(".")[0] in CASES and "ttng." in path.read_text()
]
"""What the whole pipeline made: fences are where they belong."""
FENCED = [
    file
    for file, text in ((file, (FOLDER / file).read_text()) for file in FINAL)
    if "ttng.fence_async_shared" in text and re.search(r"ttg.local_(store|alloc) %", text)
]


def test_there_are_fences():
    assert len(FENCED) >= 10


@pytest.mark.parametrize("file", every(4, FINAL))
def test_fences_of_kernels(file):
    run(file, "fences")


@pytest.mark.parametrize("file", FENCED)
def test_missing_fence(file):
    def without_fences(text: str) -> str:
        return "\n".join(line for line in text.splitlines() if "ttng.fence_async_shared" not in line)

    with pytest.raises(Race, match=r"reads byte .* wrote, with no ttng.fence_async_shared between"):
        run(file, "fences", without_fences)


def test_unknown_kind():
    with pytest.raises(ValueError, match="kinds of races are programs, groups, warps, fences; found lanes"):
        run_text(WARPS.replace("BODY", ""), 1, [], race="lanes")
