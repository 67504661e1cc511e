// RUN: tt-opt %s --split-input-file --ttkit-release-late | FileCheck %s

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @one_group
  // CHECK:       %[[ANY:.*]] = arith.cmpi slt, %[[LOW:.*]], %[[COUNT:.*]] : i32
  // CHECK:       %[[R:.*]]:2 = scf.for %[[I:.*]] = %[[LOW]] to %[[COUNT]] {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}, %[[BEFORE:.*]] = %{{.*}})
  // CHECK:         %[[SLOT:.*]] = arith.remui
  // CHECK:         ttng.wait_barrier
  // CHECK:         %[[D:.*]] = ttng.warp_group_dot %{{.*}}, %{{.*}}, %[[ACC]] {isAsync = true
  // CHECK:         %[[W:.*]]:2 = ttng.warp_group_dot_wait %[[D]], %{{.*}} {pendings = 1 : i32}
  // CHECK:         %[[LATER:.*]] = arith.cmpi ne, %[[I]], %[[LOW]] : i32
  // CHECK:         %[[E:.*]] = ttg.memdesc_index %{{.*}}[%[[BEFORE]]]
  // CHECK:         ttng.arrive_barrier %[[E]], 128, %[[LATER]]
  // CHECK:         scf.yield %[[W]]#0, %[[SLOT]]
  // CHECK:       %[[DONE:.*]] = ttng.warp_group_dot_wait %[[R]]#0 {pendings = 0 : i32}
  // CHECK:       %[[LAST:.*]] = ttg.memdesc_index %{{.*}}[%[[R]]#1]
  // CHECK:       ttng.arrive_barrier %[[LAST]], 128, %[[ANY]]
  // CHECK:       tt.store %{{.*}}, %[[DONE]]
  tt.func @one_group(%a0: !ttg.memdesc<3x1xi64, #bar, #smem, mutable>, %a1: !ttg.memdesc<3x1xi64, #bar, #smem, mutable>, %a2: !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>, %a3: tensor<64x64x!tt.ptr<f32>, #mma>, %a4: i32) {
    ttg.warp_specialize(%a0, %a1, %a2, %a3, %a4)
    default {
      ttg.warp_yield
    }
    partition0(%full: !ttg.memdesc<3x1xi64, #bar, #smem, mutable>, %empty: !ttg.memdesc<3x1xi64, #bar, #smem, mutable>, %x: !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %count: i32) num_warps(4) {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %none = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
      %r = scf.for %i = %zero to %count step %one iter_args(%acc = %none) -> (tensor<64x64xf32, #mma>) : i32 {
        %size = arith.constant 3 : i32
        %slot = arith.remui %i, %size : i32
        %f = ttg.memdesc_index %full[%slot] : !ttg.memdesc<3x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.wait_barrier %f, %zero : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        %b = ttg.memdesc_index %x[%slot] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        %d = ttng.warp_group_dot %b, %b, %acc : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
        %e = ttg.memdesc_index %empty[%slot] : !ttg.memdesc<3x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.arrive_barrier %e, 128 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        scf.yield %d : tensor<64x64xf32, #mma>
      }
      tt.store %out, %r : tensor<64x64x!tt.ptr<f32>, #mma>
      ttg.warp_return
    }
    : (!ttg.memdesc<3x1xi64, #bar, #smem, mutable>, !ttg.memdesc<3x1xi64, #bar, #smem, mutable>, !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>, tensor<64x64x!tt.ptr<f32>, #mma>, i32) -> ()
    tt.return
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // One group computes while the other waits.
  // CHECK-LABEL: @two_groups
  // CHECK-NOT:   isAsync
  tt.func @two_groups(%a0: !ttg.memdesc<3x1xi64, #bar, #smem, mutable>, %a1: !ttg.memdesc<3x1xi64, #bar, #smem, mutable>, %a2: !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>, %a3: tensor<64x64x!tt.ptr<f32>, #mma>, %a4: i32) {
    ttg.warp_specialize(%a0, %a1, %a2, %a3, %a4)
    default {
      ttg.warp_yield
    }
    partition0(%full: !ttg.memdesc<3x1xi64, #bar, #smem, mutable>, %empty: !ttg.memdesc<3x1xi64, #bar, #smem, mutable>, %x: !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %count: i32) num_warps(4) {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %none = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
      %r = scf.for %i = %zero to %count step %one iter_args(%acc = %none) -> (tensor<64x64xf32, #mma>) : i32 {
        %size = arith.constant 3 : i32
        %slot = arith.remui %i, %size : i32
        %f = ttg.memdesc_index %full[%slot] : !ttg.memdesc<3x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.wait_barrier %f, %zero : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        %b = ttg.memdesc_index %x[%slot] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        %d = ttng.warp_group_dot %b, %b, %acc : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
        %e = ttg.memdesc_index %empty[%slot] : !ttg.memdesc<3x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.arrive_barrier %e, 128 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        scf.yield %d : tensor<64x64xf32, #mma>
      }
      tt.store %out, %r : tensor<64x64x!tt.ptr<f32>, #mma>
      ttg.warp_return
    }
    partition1(%full: !ttg.memdesc<3x1xi64, #bar, #smem, mutable>, %empty: !ttg.memdesc<3x1xi64, #bar, #smem, mutable>, %x: !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %count: i32) num_warps(4) {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %none = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
      %r = scf.for %i = %zero to %count step %one iter_args(%acc = %none) -> (tensor<64x64xf32, #mma>) : i32 {
        %size = arith.constant 3 : i32
        %slot = arith.remui %i, %size : i32
        %f = ttg.memdesc_index %full[%slot] : !ttg.memdesc<3x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.wait_barrier %f, %zero : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        %b = ttg.memdesc_index %x[%slot] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        %d = ttng.warp_group_dot %b, %b, %acc : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
        %e = ttg.memdesc_index %empty[%slot] : !ttg.memdesc<3x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.arrive_barrier %e, 128 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        scf.yield %d : tensor<64x64xf32, #mma>
      }
      tt.store %out, %r : tensor<64x64x!tt.ptr<f32>, #mma>
      ttg.warp_return
    }
    : (!ttg.memdesc<3x1xi64, #bar, #smem, mutable>, !ttg.memdesc<3x1xi64, #bar, #smem, mutable>, !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>, tensor<64x64x!tt.ptr<f32>, #mma>, i32) -> ()
    tt.return
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The next slot would be filled too late.
  // CHECK-LABEL: @two_slots
  // CHECK-NOT:   isAsync
  tt.func @two_slots(%a0: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %a1: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %a2: !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, %a3: tensor<64x64x!tt.ptr<f32>, #mma>, %a4: i32) {
    ttg.warp_specialize(%a0, %a1, %a2, %a3, %a4)
    default {
      ttg.warp_yield
    }
    partition0(%full: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %empty: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %x: !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %count: i32) num_warps(4) {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %none = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
      %r = scf.for %i = %zero to %count step %one iter_args(%acc = %none) -> (tensor<64x64xf32, #mma>) : i32 {
        %size = arith.constant 2 : i32
        %slot = arith.remui %i, %size : i32
        %f = ttg.memdesc_index %full[%slot] : !ttg.memdesc<2x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.wait_barrier %f, %zero : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        %b = ttg.memdesc_index %x[%slot] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        %d = ttng.warp_group_dot %b, %b, %acc : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
        %e = ttg.memdesc_index %empty[%slot] : !ttg.memdesc<2x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.arrive_barrier %e, 128 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        scf.yield %d : tensor<64x64xf32, #mma>
      }
      tt.store %out, %r : tensor<64x64x!tt.ptr<f32>, #mma>
      ttg.warp_return
    }
    : (!ttg.memdesc<2x1xi64, #bar, #smem, mutable>, !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, tensor<64x64x!tt.ptr<f32>, #mma>, i32) -> ()
    tt.return
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The group itself fills an operand in each iteration: the wgmma must end before.
  // CHECK-LABEL: @own_operand
  // CHECK-NOT:   isAsync
  tt.func @own_operand(%a0: !ttg.memdesc<3x1xi64, #bar, #smem, mutable>, %a1: !ttg.memdesc<3x1xi64, #bar, #smem, mutable>, %a2: !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>, %a3: tensor<64x64x!tt.ptr<f32>, #mma>, %a4: i32) {
    ttg.warp_specialize(%a0, %a1, %a2, %a3, %a4)
    default {
      ttg.warp_yield
    }
    partition0(%full: !ttg.memdesc<3x1xi64, #bar, #smem, mutable>, %empty: !ttg.memdesc<3x1xi64, #bar, #smem, mutable>, %x: !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %count: i32) num_warps(4) {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %none = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
      %r = scf.for %i = %zero to %count step %one iter_args(%acc = %none) -> (tensor<64x64xf32, #mma>) : i32 {
        %size = arith.constant 3 : i32
        %slot = arith.remui %i, %size : i32
        %f = ttg.memdesc_index %full[%slot] : !ttg.memdesc<3x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.wait_barrier %f, %zero : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        %b = ttg.memdesc_index %x[%slot] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        %t = ttg.local_load %b : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #mma>
        %own = ttg.local_alloc %t : (tensor<64x64xf16, #mma>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
        %d = ttng.warp_group_dot %b, %own, %acc : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
        %e = ttg.memdesc_index %empty[%slot] : !ttg.memdesc<3x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.arrive_barrier %e, 128 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        scf.yield %d : tensor<64x64xf32, #mma>
      }
      tt.store %out, %r : tensor<64x64x!tt.ptr<f32>, #mma>
      ttg.warp_return
    }
    : (!ttg.memdesc<3x1xi64, #bar, #smem, mutable>, !ttg.memdesc<3x1xi64, #bar, #smem, mutable>, !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>, tensor<64x64x!tt.ptr<f32>, #mma>, i32) -> ()
    tt.return
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // So it does by a store to a buffer from outside of the loop.
  // CHECK-LABEL: @own_buffer
  // CHECK-NOT:   isAsync
  tt.func @own_buffer(%a0: !ttg.memdesc<3x1xi64, #bar, #smem, mutable>, %a1: !ttg.memdesc<3x1xi64, #bar, #smem, mutable>, %a2: !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>, %a3: tensor<64x64x!tt.ptr<f32>, #mma>, %a4: i32) {
    ttg.warp_specialize(%a0, %a1, %a2, %a3, %a4)
    default {
      ttg.warp_yield
    }
    partition0(%full: !ttg.memdesc<3x1xi64, #bar, #smem, mutable>, %empty: !ttg.memdesc<3x1xi64, #bar, #smem, mutable>, %x: !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %count: i32) num_warps(4) {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %own = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %none = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
      %r = scf.for %i = %zero to %count step %one iter_args(%acc = %none) -> (tensor<64x64xf32, #mma>) : i32 {
        %size = arith.constant 3 : i32
        %slot = arith.remui %i, %size : i32
        %f = ttg.memdesc_index %full[%slot] : !ttg.memdesc<3x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.wait_barrier %f, %zero : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        %b = ttg.memdesc_index %x[%slot] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        %t = ttg.local_load %b : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #mma>
        ttg.local_store %t, %own : tensor<64x64xf16, #mma> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        %d = ttng.warp_group_dot %b, %own, %acc : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
        %e = ttg.memdesc_index %empty[%slot] : !ttg.memdesc<3x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.arrive_barrier %e, 128 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        scf.yield %d : tensor<64x64xf32, #mma>
      }
      tt.store %out, %r : tensor<64x64x!tt.ptr<f32>, #mma>
      ttg.warp_return
    }
    : (!ttg.memdesc<3x1xi64, #bar, #smem, mutable>, !ttg.memdesc<3x1xi64, #bar, #smem, mutable>, !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>, tensor<64x64x!tt.ptr<f32>, #mma>, i32) -> ()
    tt.return
  }
}
