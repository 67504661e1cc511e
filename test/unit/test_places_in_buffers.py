"""Accesses to shared memory outside of a buffer: a masked copy writes zeros there, also if its mask never holds."""

from __future__ import annotations

import pytest

from ttkit.context import Context
from ttkit.validation.functions import PROVED, validate
from ttkit.validation.proofs import decoded

KERNEL = """
#blocked = #ttg.blocked<{{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}}>
#shared = #ttg.swizzled_shared<{{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}}>
#smem = #ttg.shared_memory
module attributes {{"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32}} {{
  tt.func public @copy(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {{
    %never = arith.constant dense<false> : tensor<32xi1, #blocked>
    %first = arith.constant 0 : i32
    %slot = arith.constant {slot} : i32
    %i = tt.make_range {{start = 0 : i32, end = 32 : i32}} : tensor<32xi32, #blocked>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
    %xp = tt.addptr %xs, %i : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
    %outs = tt.splat %out : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
    %outp = tt.addptr %outs, %i : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
    %slots = ttg.local_alloc : () -> !ttg.memdesc<2x32xf32, #shared, #smem, mutable>
    %a = ttg.memdesc_index %slots[%first] : !ttg.memdesc<2x32xf32, #shared, #smem, mutable> -> !ttg.memdesc<32xf32, #shared, #smem, mutable>
    %b = ttg.memdesc_index %slots[%slot] : !ttg.memdesc<2x32xf32, #shared, #smem, mutable> -> !ttg.memdesc<32xf32, #shared, #smem, mutable>
    %one = ttg.async_copy_global_to_local %xp, %a : tensor<32x!tt.ptr<f32>, #blocked> -> <32xf32, #shared, #smem, mutable>
    %two = ttg.async_copy_global_to_local %xp, %b mask %never : tensor<32x!tt.ptr<f32>, #blocked> -> <32xf32, #shared, #smem, mutable>
    %group = ttg.async_commit_group tokens %one, %two
    %done = ttg.async_wait %group {{num = 0 : i32}}
    %value = ttg.local_load %a token %done : !ttg.memdesc<32xf32, #shared, #smem, mutable> -> tensor<32xf32, #blocked>
    tt.store %outp, %value : tensor<32x!tt.ptr<f32>, #blocked>
    tt.return
  }}
}}
"""  # noqa: E501


@pytest.mark.parametrize(("before", "after", "is_proved"), [(1, 1, True), (1, -1, False), (1, 2, False), (2, 2, True)])
def test_a_masked_copy_outside_of_its_buffer_is_not_proved(before, after, is_proved):
    context = Context()
    context.allow_unregistered_dialects = True
    old, new = (decoded(KERNEL.format(slot=slot), context) for slot in (before, after))
    verdict = validate(old, new, "copy", "a pass", False)
    assert (verdict.outcome == PROVED) is is_proved, str(verdict)
    if not is_proved:
        assert "an index inside of the buffer" in verdict.reason
