// RUN: tt-opt %s --test-print-alias -verify-diagnostics=only-expected -o /dev/null
// RUN: tt-opt %s --test-print-alias -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=remark

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
!buffer = !ttg.memdesc<16x16xf16, #shared, #smem, mutable>
!buffers = !ttg.memdesc<2x16x16xf16, #shared, #smem, mutable>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // A view points into what it views; a loop that swaps buffers into either.
  // CHECK-DAG: remark: swap
  // CHECK-DAG: remark: %0 -> %0
  // CHECK-DAG: remark: %1 -> %0
  // CHECK-DAG: remark: %2 -> %2
  // CHECK-DAG: remark: %arg2 -> %0
  // CHECK-DAG: remark: %arg3 -> %2
  // CHECK-DAG: remark: %3#0 -> %0,%2
  // CHECK-DAG: remark: %3#1 -> %0,%2
  // expected-remark @below {{swap}}
  tt.func public @swap(%n: i32) {
    // expected-remark @below {{%0 -> %0}}
    %whole = ttg.local_alloc : () -> !buffers
    // expected-remark @below {{%1 -> %0}}
    %a = ttg.memdesc_index %whole[%n] : !buffers -> !buffer
    // expected-remark @below {{%2 -> %2}}
    %b = ttg.local_alloc : () -> !buffer
    // expected-remark @below {{%arg2 -> %0}}
    // expected-remark @below {{%arg3 -> %2}}
    // expected-remark @below {{%3#0 -> %0,%2}}
    // expected-remark @below {{%3#1 -> %0,%2}}
    %0:2 = scf.for %i = %n to %n step %n iter_args(%x = %a, %y = %b) -> (!buffer, !buffer) : i32 {
      scf.yield %y, %x : !buffer, !buffer
    }
    tt.return
  }

  // Left alone: what is loaded from a buffer is no descriptor.
  // CHECK-DAG: remark: load
  // CHECK-DAG: remark: %0 -> %0
  tt.func private @load() -> tensor<16x16xf16, #blocked> {
    // expected-remark @below {{%0 -> %0}}
    %a = ttg.local_alloc : () -> !buffer
    %0 = ttg.local_load %a : !buffer -> tensor<16x16xf16, #blocked>
    tt.return %0 : tensor<16x16xf16, #blocked>
  }

  // Edge case: a choice between buffers.
  // CHECK-DAG: remark: choice
  // CHECK-DAG: remark: %0 -> %0
  // CHECK-DAG: remark: %1 -> %1
  // CHECK-DAG: remark: %2 -> %0,%1
  tt.func private @choice(%c: i1) {
    // expected-remark @below {{%0 -> %0}}
    %a = ttg.local_alloc : () -> !buffer
    // expected-remark @below {{%1 -> %1}}
    %b = ttg.local_alloc : () -> !buffer
    // expected-remark @below {{%2 -> %0,%1}}
    %x = scf.if %c -> (!buffer) {
      scf.yield %a : !buffer
    } else {
      scf.yield %b : !buffer
    }
    tt.return
  }

  // Arguments of blocks, where something branches there, and of the regions of other loops.
  // CHECK-DAG: remark: branches
  // CHECK-DAG: remark: %0 -> %0
  // CHECK-DAG: remark: %1 -> %1
  // CHECK-DAG: remark: %2 -> %0,%1
  // CHECK-DAG: remark: %2 -> %0,%1
  // CHECK-DAG: remark: %3 -> %0,%1
  // CHECK-DAG: remark: %arg1 -> %0,%1
  // CHECK-DAG: remark: %arg1 -> %0,%1
  // expected-remark @below {{branches}}
  tt.func private @branches(%c: i1) {
    // expected-remark @below {{%0 -> %0}}
    %a = ttg.local_alloc : () -> !buffer
    // expected-remark @below {{%1 -> %1}}
    %b = ttg.local_alloc : () -> !buffer
    // expected-remark @below {{%2 -> %0,%1}}
    cf.br ^loop(%a : !buffer)
  ^loop(%x: !buffer):
    // expected-remark @below {{%2 -> %0,%1}}
    cf.cond_br %c, ^loop(%b : !buffer), ^after
  ^after:
    // expected-remark @below {{%3 -> %0,%1}}
    // expected-remark @below {{%arg1 -> %0,%1}}
    %y = scf.while (%z = %x) : (!buffer) -> !buffer {
      scf.condition(%c) %z : !buffer
    } do {
    ^bb0(%z: !buffer):
      scf.yield %z : !buffer
    }
    tt.return
  }
}
