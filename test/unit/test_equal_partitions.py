"""Partitions that are equal but for numbers run one copy of their code: it is right for each, in any order of warps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from specialized_loops import LOOPS, PRODUCT, Loop
from sweeps import every

import ttkit
from ttkit.inspection import collect
from ttkit.interpreter import Buffer, Memory
from ttkit.interpreter.lowered.launch import call
from ttkit.options import CompileOptions
from ttkit.passes.lower.equal_partitions import CODE_OF, share_equal_partitions
from ttkit.passes.manager import run_passes
from ttkit.passes.stages import stage_passes

HEAD = """
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#turned = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!row = !ttg.memdesc<512xi32, #s, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32,
                   ttg.target = "cuda:90"} {
  tt.func public @f(%in: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i32) {
    %w = ttg.local_alloc : () -> !row
    %x = ttg.local_alloc : () -> !row
    %y = ttg.local_alloc : () -> !row
    %z = ttg.local_alloc : () -> !row
    ttg.warp_specialize(%in, %out, %n, %w, %x, %y, %z) attributes {requestedRegisters = array<i32: 40, 40, 40, 40>}
    default {
      ttg.warp_yield
    }
"""
# Sums of what a partition's own buffer holds, turned by scratch memory; each has its rows of the result.
PARTITION = """
    partition{number}(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>, %m: i32, %b0: !row, %b1: !row, %b2: !row, %b3: !row)
        num_warps(4) {{
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %added = arith.constant {added} : i32
      %many = arith.constant dense<512> : tensor<512xi32, #turned>
      %r = tt.make_range {{start = 0 : i32, end = 512 : i32}} : tensor<512xi32, #b>
      %o = tt.make_range {{start = {start} : i32, end = {end} : i32}} : tensor<512xi32, #turned>
      %bases = tt.splat %p : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>, #b>
      %from = tt.addptr %bases, %r : tensor<512x!tt.ptr<i32>, #b>, tensor<512xi32, #b>
      %results = tt.splat %q : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>, #turned>
      %to = tt.addptr %results, %o : tensor<512x!tt.ptr<i32>, #turned>, tensor<512xi32, #turned>
      scf.for %i = %c0 to %m step %c1 : i32 {{
        %v = tt.load %from : tensor<512x!tt.ptr<i32>, #b>
        %k = arith.{operation} %i, %added : i32
        %ks = tt.splat %k : i32 -> tensor<512xi32, #b>
        %a = arith.addi %v, %ks : tensor<512xi32, #b>
        ttg.local_store %a, %b{number} : tensor<512xi32, #b> -> !row
        %l = ttg.local_load %b{number} : !row -> tensor<512xi32, #b>
        %t = ttg.convert_layout %l : tensor<512xi32, #b> -> tensor<512xi32, #turned>
        tt.store %to, %t : tensor<512x!tt.ptr<i32>, #turned>
      }}
      ttg.warp_return
    }}"""
TAIL = """ : (!tt.ptr<i32>, !tt.ptr<i32>, i32, !row, !row, !row, !row) -> ()
    tt.return
  }
}"""
ADDED = (5, 7, 11, 13)
OPERATIONS = ("addi", "addi", "subi", "addi")
PASSES = (
    "tritongpu-allocate-warp-groups,convert-scf-to-cf,allocate-shared-memory-nv{compute-capability=90 ptx-version=87}"
)


def written(added: tuple[int, ...] = ADDED, operations: tuple[str, ...] = OPERATIONS) -> str:
    """A kernel of four partitions."""
    numbers = range(len(added))
    partitions = (
        PARTITION.format(number=k, added=added[k], operation=operations[k], start=512 * k, end=512 * k + 512)
        for k in numbers
    )
    return HEAD + "".join(partitions) + TAIL


def test_those_that_are_equal_run_the_code_of_the_first() -> None:
    with ttkit.Context():
        module = ttkit.parse(written())
        ttkit.run_passes(module, PASSES)
        share_equal_partitions(module.operation)
        (specialized,) = collect(module.operation, ["ttg.warp_specialize"])
        assert list(specialized.attributes[CODE_OF]) == [0, 0, 2, 0]


@pytest.mark.parametrize("seed", range(3))
def test_one_copy_is_right_for_all_of_its_partitions(seed: int) -> None:
    values, rounds = np.random.default_rng(8).integers(0, 1 << 20, 512, dtype=np.uint32), 3
    with ttkit.Context():
        module = ttkit.parse(written())
        ttkit.run_passes(module, f"{PASSES},convert-triton-gpu-to-llvm{{compute-capability=90 ptx-version=87}}")
        memory, found = Memory(), np.zeros((4, 512), np.uint32)
        places = [memory.add(Buffer(name, array)).base for name, array in (("in", values), ("out", found))]
        call(module, [np.array([number]) for number in (*places, rounds)], memory, np.random.default_rng(seed))
    last = rounds - 1
    wanted = [
        values.astype(np.int64) + (last - k if name == "subi" else last + k) for k, name in zip(ADDED, OPERATIONS)
    ]
    np.testing.assert_array_equal(found, np.array(wanted).astype(np.uint32))


DIVIDED = [loop for loop in LOOPS if loop.name in ("no_iteration", "five_stages", "wide", "persistent")]


@pytest.mark.parametrize("loop", every(2, DIVIDED), ids=str)
def test_lowered_products_of_two_groups(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lowered code of divided loops, with a barrier's numbers, buffers and descriptors of each group."""
    rng, (m, n, k) = np.random.default_rng(1), loop.sizes
    a, b = (rng.integers(-4, 5, shape).astype(np.float16) for shape in ((m, k), (n, k)))
    tile: dict[str, Any] = {**PRODUCT, **loop.options}
    grid = (loop.programs(-(-m // tile["M"])), loop.programs(-(-n // tile["N"])))
    sizes = []
    for off in ("", "equal-partitions"):
        monkeypatch.setenv("TTKIT_TUNING_OFF", off)
        options = CompileOptions.for_capability(90, num_warps=loop.warps)
        with ttkit.Context():
            module = loop.source().make_ir(ttkit.GPUTarget("cuda", 90, 32), options)
            for stage in ("ttkit-ttir", "ttkit-ttgir", "ttkit-llir"):
                run_passes(module, ",".join(stage_passes(stage, options, module)))
            sizes.append(str(module).count("wgmma.mma_async"))
            if not off:
                found = np.full((m, n), 77, np.float32)
                ttkit.interpret(module, grid, [a, b, found, m, n, k])
                np.testing.assert_array_equal(found, a.astype(np.float32) @ b.astype(np.float32).T)
    assert 0 < 2 * sizes[0] == sizes[1]
