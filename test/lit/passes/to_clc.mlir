// RUN: tt-opt %s -split-input-file --triton-nvidia-gpu-to-clc -verify-diagnostics | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // Two coordinates, one of them in an inner region; the request comes before the body, its answer after it.
  // CHECK-LABEL: @two_coordinates
  tt.func public @two_coordinates(%x: !tt.ptr<i32>, %some: i1) {
    // CHECK:      %[[X:.*]] = tt.get_program_id x
    // CHECK-NEXT: %[[Z:.*]] = tt.get_program_id z
    // CHECK-NEXT: %[[TRUE:.*]] = arith.constant true
    // CHECK-NEXT: scf.while (%[[A:.*]] = %[[X]], %[[B:.*]] = %[[Z]], %[[MORE:.*]] = %[[TRUE]])
    // CHECK-NEXT:   scf.condition(%[[MORE]]) %[[A]], %[[B]], %[[MORE]]
    // CHECK:      ^bb0(%[[A:.*]]: i32, %[[B:.*]]: i32, %{{.*}}: i1):
    // CHECK-NEXT:   %[[ASKED:.*]] = ttng.clc_try_cancel_sync : tensor<2xi64, #blocked>
    // CHECK-NEXT:   %[[ANSWER:.*]] = ttg.local_alloc %[[ASKED]] {alignment = 16 : i32}
    // CHECK-NEXT:   scf.if
    // CHECK-NEXT:     tt.store %{{.*}}, %[[A]]
    // CHECK:        tt.store %{{.*}}, %[[B]]
    // CHECK-NEXT:   %[[R:.*]] = ttng.clc_load_result %[[ANSWER]]
    // CHECK-NEXT:   %[[TAKEN:.*]] = ttng.clc_is_canceled %[[R]]
    // CHECK-NEXT:   %[[NEXT:.*]]:2 = scf.if %[[TAKEN]] -> (i32, i32) {
    // CHECK-NEXT:     %[[NX:.*]] = ttng.clc_get_program_id %[[R]], x
    // CHECK-NEXT:     %[[NZ:.*]] = ttng.clc_get_program_id %[[R]], z
    // CHECK-NEXT:     scf.yield %[[NX]], %[[NZ]]
    // CHECK-NEXT:   } else {
    // CHECK-NEXT:     scf.yield %[[A]], %[[B]]
    // CHECK-NEXT:   }
    // CHECK-NEXT:   scf.yield %[[NEXT]]#0, %[[NEXT]]#1, %[[TAKEN]]
    %z = tt.get_program_id z : i32
    scf.if %some {
      %p = tt.get_program_id x : i32
      tt.store %x, %p : !tt.ptr<i32>
    }
    tt.store %x, %z : !tt.ptr<i32>
    tt.return
  }

  // All programs do the same: the loop counts them.
  // CHECK-LABEL: @without_coordinates
  tt.func public @without_coordinates(%x: !tt.ptr<i32>, %v: i32) {
    // CHECK:     scf.while (%{{.*}} = %true) : (i1) -> i1
    // CHECK:       tt.store
    // CHECK-NOT:   scf.if
    // CHECK:       scf.yield %{{.*}} : i1
    tt.store %x, %v : !tt.ptr<i32>
    tt.return
  }

  // A function that kernels call is left alone.
  // CHECK-LABEL: @called
  // CHECK-NEXT: tt.return
  tt.func private @called() {
    tt.return
  }
}

// -----

// The request and its buffer are those of each CTA of a cluster.
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[0]]}>
// CHECK: #[[LAYOUT:.*]] = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = {{\[\[0\]\]}}}>
// CHECK: #[[SHARED:.*]] = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = {{\[\[0\]\]}}}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @cluster(%x: !tt.ptr<i32>) {
    // CHECK: ttng.clc_try_cancel_sync : tensor<2xi64, #[[LAYOUT]]>
    // CHECK: ttg.local_alloc {{.*}} -> !ttg.memdesc<2xi64, #[[SHARED]], #smem, mutable>
    %p = tt.get_program_id y : i32
    tt.store %x, %p : !tt.ptr<i32>
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func private @asks() -> i32 {
    // expected-error @+1 {{found tt.get_program_id in a function that is called; only kernels may ask for their program here: inline the functions that they call, before}}
    %p = tt.get_program_id x : i32
    tt.return %p : i32
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // expected-error @+1 {{found a kernel of several blocks; one block becomes the body of a loop}}
  tt.func public @several_blocks(%some: i1) {
    cf.cond_br %some, ^bb1, ^bb2
  ^bb1:
    tt.return
  ^bb2:
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // expected-error @+1 {{found a kernel with results; one that runs for several programs has none}}
  tt.func public @with_a_result() -> i32 {
    %p = tt.get_program_id x : i32
    tt.return %p : i32
  }
}

// -----

module attributes {"ttg.num-ctas" = 3 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // expected-error @+1 {{warps, threads of a warp and CTAs must be powers of two, found 4, 32, 3}}
  tt.func public @three_ctas() {
    tt.return
  }
}
