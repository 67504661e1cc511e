// RUN: tt-opt %s --split-input-file --ttkit-start-products-early | FileCheck %s

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The second wgmma that needs no other starts before the exponentials; each wait leaves those after it in flight.
  // CHECK-LABEL: @gradients
  // CHECK:       scf.for
  // CHECK:         ttng.wait_barrier
  // CHECK:         %[[S:.*]] = ttng.warp_group_dot {{.*}} {isAsync = true
  // CHECK:         ttng.wait_barrier
  // CHECK-NEXT:    ttng.fence_async_shared
  // CHECK:         %[[T:.*]] = ttng.warp_group_dot {{.*}} {isAsync = true
  // CHECK-NEXT:    %[[W:.*]]:3 = ttng.warp_group_dot_wait %[[S]], %{{.*}}, %{{.*}} {pendings = 1 : i32}
  // CHECK-NEXT:    math.exp2 %[[W]]#0
  // CHECK:         %[[B:.*]] = ttng.warp_group_dot {{.*}} {isAsync = true
  // CHECK:         %[[X:.*]]:3 = ttng.warp_group_dot_wait %[[T]], %{{.*}} {pendings = 1 : i32}
  // CHECK:         arith.mulf %{{.*}}, %[[X]]#0
  // CHECK:         %[[A:.*]] = ttng.warp_group_dot {{.*}} {isAsync = true
  // CHECK:         %[[E:.*]]:4 = ttng.warp_group_dot_wait %[[B]], %[[A]], %{{.*}} {pendings = 0 : i32}
  // CHECK-NEXT:    ttng.arrive_barrier
  // CHECK-NEXT:    ttng.arrive_barrier
  // CHECK-NEXT:    scf.yield %[[E]]#1, %[[E]]#0
  tt.func @gradients(%a0: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %a1: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %a2: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %a3: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %a4: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %a5: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %a6: !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, %a7: !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, %a8: tensor<64x64x!tt.ptr<f32>, #mma>, %a9: i32) {
    ttg.warp_specialize(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %a9)
    default {
      ttg.warp_yield
    }
    partition0(%fq: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %fd: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %eq: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %ed: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %k: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %v: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %q: !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, %d: !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %count: i32) num_warps(4) {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %two = arith.constant 2 : i32
      %none = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
      %r:2 = scf.for %i = %zero to %count step %one iter_args(%x = %none, %y = %none) -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>) : i32 {
        %slot = arith.remui %i, %two : i32
        %f0 = ttg.memdesc_index %fq[%slot] : !ttg.memdesc<2x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.wait_barrier %f0, %zero : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.fence_async_shared {bCluster = false}
        %qs = ttg.memdesc_index %q[%slot] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        %s = ttng.warp_group_dot %k, %qs, %none : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
        %p = math.exp2 %s : tensor<64x64xf32, #mma>
        %ph_h = arith.truncf %p : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
        %ph = ttg.convert_layout %ph_h : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
        %f1 = ttg.memdesc_index %fd[%slot] : !ttg.memdesc<2x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.wait_barrier %f1, %zero : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.fence_async_shared {bCluster = false}
        %ds = ttg.memdesc_index %d[%slot] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        %b = ttng.warp_group_dot %ph, %ds, %y : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
        %t = ttng.warp_group_dot %v, %ds, %none : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
        %e1 = ttg.memdesc_index %ed[%slot] : !ttg.memdesc<2x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.arrive_barrier %e1, 128 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        %u = arith.mulf %p, %t : tensor<64x64xf32, #mma>
        %uh_h = arith.truncf %u : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
        %uh = ttg.convert_layout %uh_h : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
        %a = ttng.warp_group_dot %uh, %qs, %x : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
        %e0 = ttg.memdesc_index %eq[%slot] : !ttg.memdesc<2x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.arrive_barrier %e0, 128 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        scf.yield %a, %b : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
      }
      %sum = arith.addf %r#0, %r#1 : tensor<64x64xf32, #mma>
      tt.store %out, %sum : tensor<64x64x!tt.ptr<f32>, #mma>
      ttg.warp_return
    }
    : (!ttg.memdesc<2x1xi64, #bar, #smem, mutable>, !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, tensor<64x64x!tt.ptr<f32>, #mma>, i32) -> ()
    tt.return
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Each wgmma needs the one before.
  // CHECK-LABEL: @one_by_one
  // CHECK-NOT:   isAsync = true
  tt.func @one_by_one(%a0: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %a1: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %a2: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %a3: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %a4: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %a5: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %a6: !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, %a7: !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, %a8: tensor<64x64x!tt.ptr<f32>, #mma>, %a9: i32) {
    ttg.warp_specialize(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %a9)
    default {
      ttg.warp_yield
    }
    partition0(%fq: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %fd: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %eq: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %ed: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %k: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %v: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %q: !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, %d: !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %count: i32) num_warps(4) {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %two = arith.constant 2 : i32
      %none = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
      %r:2 = scf.for %i = %zero to %count step %one iter_args(%x = %none, %y = %none) -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>) : i32 {
        %slot = arith.remui %i, %two : i32
        %f0 = ttg.memdesc_index %fq[%slot] : !ttg.memdesc<2x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.wait_barrier %f0, %zero : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.fence_async_shared {bCluster = false}
        %qs = ttg.memdesc_index %q[%slot] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        %s = ttng.warp_group_dot %k, %qs, %none : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
        %p = math.exp2 %s : tensor<64x64xf32, #mma>
        %ph_h = arith.truncf %p : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
        %ph = ttg.convert_layout %ph_h : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
        %f1 = ttg.memdesc_index %fd[%slot] : !ttg.memdesc<2x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.wait_barrier %f1, %zero : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.fence_async_shared {bCluster = false}
        %ds = ttg.memdesc_index %d[%slot] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        %b = ttng.warp_group_dot %ph, %ds, %y : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
        %e1 = ttg.memdesc_index %ed[%slot] : !ttg.memdesc<2x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.arrive_barrier %e1, 128 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        %u = arith.mulf %p, %b : tensor<64x64xf32, #mma>
        %uh_h = arith.truncf %u : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
        %uh = ttg.convert_layout %uh_h : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
        %a = ttng.warp_group_dot %uh, %qs, %x : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
        %e0 = ttg.memdesc_index %eq[%slot] : !ttg.memdesc<2x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.arrive_barrier %e0, 128 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        scf.yield %a, %b : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
      }
      %sum = arith.addf %r#0, %r#1 : tensor<64x64xf32, #mma>
      tt.store %out, %sum : tensor<64x64x!tt.ptr<f32>, #mma>
      ttg.warp_return
    }
    : (!ttg.memdesc<2x1xi64, #bar, #smem, mutable>, !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, tensor<64x64x!tt.ptr<f32>, #mma>, i32) -> ()
    tt.return
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // What the second wait waits for may need the arrival, so the wait stays after it.
  // CHECK-LABEL: @arrival_between
  // CHECK:         ttng.warp_group_dot {{.*}} {isAsync = true
  // CHECK:         ttng.warp_group_dot_wait {{.*}} {pendings = 0 : i32}
  // CHECK:         ttng.arrive_barrier
  // CHECK:         ttng.wait_barrier
  // CHECK:         ttng.warp_group_dot {{.*}} {isAsync = true
  // CHECK:         ttng.warp_group_dot_wait {{.*}} {pendings = 0 : i32}
  // CHECK:         ttng.arrive_barrier
  tt.func @arrival_between(%a0: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %a1: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %a2: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %a3: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %a4: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %a5: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %a6: !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, %a7: !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, %a8: tensor<64x64x!tt.ptr<f32>, #mma>, %a9: i32) {
    ttg.warp_specialize(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %a9)
    default {
      ttg.warp_yield
    }
    partition0(%fq: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %fd: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %eq: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %ed: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %k: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %v: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %q: !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, %d: !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %count: i32) num_warps(4) {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %two = arith.constant 2 : i32
      %none = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
      %r:2 = scf.for %i = %zero to %count step %one iter_args(%x = %none, %y = %none) -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>) : i32 {
        %slot = arith.remui %i, %two : i32
        %f0 = ttg.memdesc_index %fq[%slot] : !ttg.memdesc<2x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.wait_barrier %f0, %zero : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.fence_async_shared {bCluster = false}
        %qs = ttg.memdesc_index %q[%slot] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        %b = ttng.warp_group_dot %k, %qs, %y : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
        %e0 = ttg.memdesc_index %eq[%slot] : !ttg.memdesc<2x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.arrive_barrier %e0, 128 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        %f1 = ttg.memdesc_index %fd[%slot] : !ttg.memdesc<2x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.wait_barrier %f1, %zero : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.fence_async_shared {bCluster = false}
        %ds = ttg.memdesc_index %d[%slot] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        %a = ttng.warp_group_dot %v, %ds, %x : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
        %e1 = ttg.memdesc_index %ed[%slot] : !ttg.memdesc<2x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.arrive_barrier %e1, 128 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        scf.yield %a, %b : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
      }
      %sum = arith.addf %r#0, %r#1 : tensor<64x64xf32, #mma>
      tt.store %out, %sum : tensor<64x64x!tt.ptr<f32>, #mma>
      ttg.warp_return
    }
    : (!ttg.memdesc<2x1xi64, #bar, #smem, mutable>, !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, tensor<64x64x!tt.ptr<f32>, #mma>, i32) -> ()
    tt.return
  }
}
