"""Shared memory and what goes on in the background: missing waits and uses at the wrong time are found."""

from pathlib import Path

import numpy as np
import pytest
from mlir import ir

import ttkit
from ttkit.interpreter import InterpreterError, interpret

FOLDER = Path(__file__).parents[1] / "data" / "ir"
COPIES, ROLES = "asynchronous_copies.80.ttgir", "warp_roles.90.allocate-warp-groups.ttgir"


def run(file: str, args: list, drop: str = "") -> None:
    """Runs a kernel of the corpus without the lines that hold `drop`."""
    lines = (FOLDER / file).read_text().splitlines()
    assert not drop or any(drop in line for line in lines)
    with ttkit.Context(), ir.Location.unknown():
        module = ir.Module.parse("\n".join(line for line in lines if not drop or drop not in line))
        interpret(module, 1, args)


def tiles(count: int, rows: int = 64) -> list[np.ndarray]:
    return [np.ones((rows, 64), np.float16) for _ in range(count)]


def test_missing_wait_of_a_copy_group():
    with pytest.raises(InterpreterError, match=r"before the ttg.async_copy_global_to_local .* has been waited for"):
        run(COPIES, [*tiles(2), 64], drop="ttg.async_wait")


def test_copy_that_is_in_no_group():
    with pytest.raises(InterpreterError, match=r"has been waited for"):
        run(COPIES, [*tiles(2), 64], drop="ttg.async_commit_group")


def test_read_of_what_nothing_wrote():
    with pytest.raises(InterpreterError, match=r"nothing has written"):
        run(COPIES, [*tiles(2), 64], drop="ttg.async_copy")


@pytest.mark.parametrize("drop", ["ttng.arrive_barrier", "ttng.barrier_expect", "ttng.async_tma_copy_global_to_local"])
def test_barrier_that_never_completes(drop):
    with pytest.raises(InterpreterError, match=r"deadlock: phase . of the barrier never ends"):
        run(ROLES, [*tiles(1, 192), *tiles(1), 3], drop=drop)


def test_barrier_that_was_not_initialized():
    with pytest.raises(InterpreterError, match=r"no mbarrier has been initialized"):
        run(ROLES, [*tiles(1, 192), *tiles(1), 3], drop="ttng.init_barrier")


BARRIER = """
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @k(%from: i32, %to: i32, %step: i32) {
    scf.for %i = %from to %to step %step : i32 {
      %b = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
      OPS
    }
    tt.return
  }
}"""
INIT, INVAL = (
    f"ttng.{op} : !ttg.memdesc<1xi64, #bar, #smem, mutable>\n" for op in ("init_barrier %b, 1", "inval_barrier %b")
)


@pytest.mark.parametrize(
    ("ops", "message"),
    [
        (INIT.replace("1 ", "0 ", 1), "takes 1 to 1048575 arrivals, found 0"),
        (INIT + INIT, "there is an mbarrier already"),
    ],
)
def test_barriers_that_are_initialized_wrongly(ops, message):
    with ttkit.Context(), pytest.raises(InterpreterError, match=message) as found:
        interpret(ttkit.parse(BARRIER.replace("OPS", ops)), 1, [0, 2, 1])
    assert found.value.op.name == "ttng.init_barrier"


@pytest.mark.parametrize("ops", [INIT, INIT + INVAL + INIT])
def test_barriers_of_new_allocations_and_after_inval(ops):
    with ttkit.Context():
        interpret(ttkit.parse(BARRIER.replace("OPS", ops)), 1, [0, 2, 1])


def test_missing_wait_for_a_barrier():
    with pytest.raises(InterpreterError, match=r"nothing has written|has been waited for"):
        run(ROLES, [*tiles(1, 192), *tiles(1), 3], drop="ttng.wait_barrier %1,")


def test_operand_overwritten_while_a_product_reads_it():
    """This kernel waits for all products but one and loads the next tiles over the operands of that one."""
    with pytest.raises(InterpreterError, match=r"overwrites .* while the ttng.warp_group_dot .* still reads it"):
        run(
            "warpgroup_product.90.ttgir",
            [*(np.ones((64, 512), np.float16) for _ in range(2)), np.zeros((64, 64), np.float32)],
        )


def test_missing_wait_for_a_store():
    """The next tile takes the place of one that TMA still reads; in a kernel of one tile, the kernel ends."""
    message = r"overwrites .* while the ttng.async_tma_copy_local_to_global .* still reads it"
    with pytest.raises(InterpreterError, match=message):
        run("descriptor_copy.100.ttgir", [*tiles(2, 128), 128, 64], drop="ttng.async_tma_store_wait")
    with pytest.raises(
        InterpreterError, match=r"ttng.async_tma_reduce: the kernel ends before this has been waited for"
    ):
        run("descriptor_reductions_bitwise.90.ttgir", [np.ones((12, 32), np.int32), 12], drop="async_tma_store_wait")


def test_bytes_that_another_cta_gets():
    """Two CTAs share this tile: each gets half of it, and waits for all of its bytes."""
    with pytest.raises(InterpreterError, match=r"deadlock: .* 0 arrivals and 8192 bytes are missing"):
        run("cluster_tiles.90.ttgir", [*tiles(1, 128), *tiles(1, 128)])


def test_more_arrivals_than_the_phase_waits_for():
    with pytest.raises(InterpreterError, match=r"2 arrivals at a barrier whose phase waits for 1 only"):
        run("mbarrier_ring.90.ttgir", [*tiles(2, 320), 5])
