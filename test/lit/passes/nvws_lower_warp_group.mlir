// RUN: tt-opt %s --split-input-file --nvws-lower-warp-group --verify-diagnostics | FileCheck %s

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: tt.func @first_as_default
  // CHECK-SAME: %[[A:.*]]: i32, %[[P:[^:]*]]:
  // CHECK:      %[[R:.*]] = ttg.warp_specialize(%[[P]], %[[A]])
  // CHECK-NEXT: default {
  // CHECK-NEXT:   %[[X:.*]] = arith.addi %[[A]]
  // CHECK-NEXT:   ttg.warp_yield %[[X]] : i32
  // CHECK-NEXT: }
  // CHECK-NEXT: partition0(%[[Q:.*]]: !tt.ptr<i32>, %{{.*}}: i32) num_warps(4) {
  // CHECK-NEXT:   %[[C:.*]] = arith.constant 5
  // CHECK-NEXT:   tt.store %[[Q]], %[[C]]
  // CHECK-NEXT:   ttg.warp_return
  // CHECK-NEXT: }
  // CHECK-NEXT: partition1(%[[Q:.*]]: !tt.ptr<i32>, %[[B:.*]]: i32) num_warps(2) {
  // CHECK-NEXT:   scf.for
  // CHECK-NEXT:     tt.store %[[Q]], %[[B]]
  // CHECK:        ttg.warp_return
  // CHECK-NEXT: } : (!tt.ptr<i32>, i32) -> i32
  // CHECK-NEXT: tt.return %[[R]]
  tt.func @first_as_default(%a: i32, %p: !tt.ptr<i32>, %unused: i64) -> i32 {
    %c = arith.constant 5 : i32
    %r = nvws.warp_group
    partition0 num_warps(4) {
      %x = arith.addi %a, %c : i32
      nvws.warp_group.yield %x : i32
    }
    partition1 num_warps(4) {
      tt.store %p, %c : !tt.ptr<i32>
      %y = arith.addi %unused, %unused : i64
      nvws.warp_group.return
    }
    partition2 num_warps(2) {
      scf.for %i = %a to %a step %a : i32 {
        tt.store %p, %a : !tt.ptr<i32>
      }
      nvws.warp_group.return
    }
    tt.return %r : i32
  }

  // Edge case: the first group has other warps than the kernel.
  // CHECK-LABEL: tt.func @empty_default
  // CHECK:      default {
  // CHECK-NEXT:   ttg.warp_yield
  // CHECK:      partition0(%{{.*}}: !tt.ptr<i32>, %{{.*}}: i32) num_warps(8) {
  tt.func @empty_default(%a: i32, %p: !tt.ptr<i32>) {
    nvws.warp_group
    partition0 num_warps(8) {
      tt.store %p, %a : !tt.ptr<i32>
      nvws.warp_group.return
    }
    tt.return
  }

  // Left alone: no groups.
  // CHECK-LABEL: tt.func @nothing
  // CHECK-NEXT: tt.return
  tt.func @nothing() {
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @results_of_others(%a: i32) -> i32 {
    // expected-error @below {{its results are those of 4 warps, as the kernel has; the first has others}}
    %r = nvws.warp_group
    partition0 num_warps(8) {
      nvws.warp_group.yield %a : i32
    }
    tt.return %r : i32
  }
}

// -----

#row = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  // Groups that share buffers and a loop's bounds; constants and what follows from them alone are made in each.
  // CHECK-LABEL: tt.func @shared_buffer
  // CHECK:      ttg.warp_specialize(
  // CHECK-NEXT: default {
  // CHECK:        ttg.local_store
  // CHECK:        ttg.warp_yield
  // CHECK:      partition0({{.*}}) num_warps(4) {
  // CHECK:        ttg.local_load
  // CHECK:        ttg.warp_return
  tt.func @shared_buffer(%p: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %twice = arith.muli %n, %n : i32
    %buffer = ttg.local_alloc : () -> !ttg.memdesc<128xf32, #shared, #smem, mutable>
    nvws.warp_group
    partition0 num_warps(4) {
      scf.for %i = %c0 to %twice step %c1 : i32 {
        %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #row>
        %pointers = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #row>
        %each = tt.addptr %pointers, %range : tensor<128x!tt.ptr<f32>, #row>, tensor<128xi32, #row>
        %x = tt.load %each : tensor<128x!tt.ptr<f32>, #row>
        ttg.local_store %x, %buffer : tensor<128xf32, #row> -> !ttg.memdesc<128xf32, #shared, #smem, mutable>
      }
      nvws.warp_group.return
    }
    partition1 num_warps(4) {
      scf.for %i = %c0 to %twice step %c1 : i32 {
        %x = ttg.local_load %buffer : !ttg.memdesc<128xf32, #shared, #smem, mutable> -> tensor<128xf32, #row>
        %y = arith.addf %x, %x : tensor<128xf32, #row>
        %pointers = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #row>
        tt.store %pointers, %y : tensor<128x!tt.ptr<f32>, #row>
      }
      nvws.warp_group.return
    }
    tt.return
  }
}
