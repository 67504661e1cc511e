// RUN: tt-opt %s -split-input-file --triton-nvidia-gpu-lower-clc | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @programs
  tt.func public @programs(%x: !tt.ptr<i32>) {
    %true = arith.constant true
    %0 = tt.get_program_id x : i32
    %1:2 = scf.while (%id = %0, %more = %true) : (i32, i1) -> (i32, i1) {
      scf.condition(%more) %id, %more : i32, i1
    } do {
    ^bb0(%id: i32, %more: i1):
      // CHECK:      %[[ANSWER:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2xi64, #shared, #smem, mutable>
      // CHECK-NEXT: %[[BAR:.*]] = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared, #smem, mutable>
      // CHECK-NEXT: ttng.init_barrier %[[BAR]], 1
      // CHECK-NEXT: ttng.barrier_expect %[[BAR]], 16, %true
      // CHECK-NEXT: ttng.clc_try_cancel %[[ANSWER]], %[[BAR]]
      %2 = ttng.clc_try_cancel_sync : tensor<2xi64, #blocked>
      %3 = ttg.local_alloc %2 {alignment = 16 : i32} : (tensor<2xi64, #blocked>) -> !ttg.memdesc<2xi64, #shared, #smem, mutable>
      // CHECK-NEXT: tt.store
      tt.store %x, %id : !tt.ptr<i32>
      // CHECK-NEXT: ttng.wait_barrier %[[BAR]], %c0_i32
      // CHECK-NEXT: ttng.inval_barrier %[[BAR]]
      // CHECK-NEXT: ttng.clc_load_result %[[ANSWER]]
      %4 = ttng.clc_load_result %3 : !ttg.memdesc<2xi64, #shared, #smem, mutable> -> i128
      %5 = ttng.clc_is_canceled %4 : i128 -> i1
      %6 = ttng.clc_get_program_id %4, x : i128 -> i32
      scf.yield %6, %5 : i32, i1
    }
    tt.return
  }

  // The tensor has another user, which reads it from the buffer.
  // CHECK-LABEL: @also_stored
  tt.func public @also_stored(%x: tensor<2x!tt.ptr<i64>, #blocked>) {
    // CHECK:      ttng.clc_try_cancel %[[ANSWER:.*]], %[[BAR:.*]] :
    // CHECK-NEXT: ttng.wait_barrier %[[BAR]]
    // CHECK-NEXT: ttng.inval_barrier %[[BAR]]
    // CHECK-NEXT: %[[X:.*]] = ttg.local_load %[[ANSWER]]
    // CHECK-NEXT: tt.store %{{.*}}, %[[X]]
    %0 = ttng.clc_try_cancel_sync : tensor<2xi64, #blocked>
    tt.store %x, %0 : tensor<2x!tt.ptr<i64>, #blocked>
    tt.return
  }

  // CHECK-LABEL: @unused
  tt.func public @unused() {
    // CHECK:      ttng.clc_try_cancel
    // CHECK-NEXT: ttng.wait_barrier
    // CHECK-NEXT: ttng.inval_barrier
    // CHECK-NEXT: tt.return
    %0 = ttng.clc_try_cancel_sync : tensor<2xi64, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[0]]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @clusters
  tt.func public @clusters() -> i1 {
    // CHECK:      ttng.init_barrier
    // CHECK-NEXT: ttng.cluster_barrier
    // CHECK-NEXT: ttng.barrier_expect
    // CHECK-NEXT: ttng.clc_try_cancel
    // CHECK-NEXT: ttng.wait_barrier
    // CHECK-NEXT: ttng.cluster_barrier
    // CHECK-NEXT: ttng.inval_barrier
    // CHECK-NEXT: ttng.clc_load_result
    %0 = ttng.clc_try_cancel_sync : tensor<2xi64, #blocked>
    %1 = ttg.local_alloc %0 : (tensor<2xi64, #blocked>) -> !ttg.memdesc<2xi64, #shared, #smem, mutable>
    %2 = ttng.clc_load_result %1 : !ttg.memdesc<2xi64, #shared, #smem, mutable> -> i128
    %3 = ttng.clc_is_canceled %2 : i128 -> i1
    tt.return %3 : i1
  }
}
