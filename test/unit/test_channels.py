"""Channels of values that one task sends to others, while loops around them are replaced."""

import ttkit
from ttkit.guards.erased import watching
from ttkit.inspection import collect
from ttkit.passes.partitioning.channels import collect_channels
from ttkit.passes.partitioning.counters import Counters

NESTED = """
#row = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func @nested(%d: !tt.tensordesc<tensor<64x64xf16, #shared>>, %p: tensor<64x64x!tt.ptr<f16>, #row>, %n: i32) {
    %zero = arith.constant {async_task_id = array<i32: 0, 1>} 0 : i32
    %one = arith.constant {async_task_id = array<i32: 0, 1>} 1 : i32
    scf.for %i = %zero to %n step %one : i32 {
      %x = tt.descriptor_load %d[%i, %zero] {async_task_id = array<i32: 0>}
          : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #row>
      scf.for %j = %zero to %n step %one : i32 {
        %y = tt.descriptor_load %d[%j, %zero] {async_task_id = array<i32: 0>}
            : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #row>
        %s = arith.addf %x, %y {async_task_id = array<i32: 1>} : tensor<64x64xf16, #row>
        tt.store %p, %s {async_task_id = array<i32: 1>} : tensor<64x64x!tt.ptr<f16>, #row>
      } {async_task_id = array<i32: 0, 1>}
    } {async_task_id = array<i32: 0, 1>}
    tt.return
  }
}
"""


def test_users_are_those_of_loops_that_have_counters():
    with ttkit.Context(), watching(False):
        module = ttkit.parse(NESTED)
        (function,) = collect(module.operation, ["tt.func"])
        channels = collect_channels(function, 3)
        Counters(function, [[loop] for loop in collect(function, ["scf.for"])])
        outer, inner = collect(function, ["scf.for"])
        assert len(outer.results) == 2 and len(inner.results) == 1
        assert [channel.users for channel in channels] == [[inner], collect(inner, ["arith.addf"])]
