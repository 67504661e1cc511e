// RUN: tt-opt %s --split-input-file --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#two = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {ttg.maxnreg = 168 : i32, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, "ttg.total-num-warps" = 8 : i32} {
  // Warps from 4 on wait for tasks: a byte each.  Captures that follow from parameters are not passed through memory.
  // CHECK-LABEL: llvm.func @roles
  // CHECK-SAME: nvvm.maxnreg = 168 : i32, nvvm.reqntid = array<i32: 256>
  tt.func public @roles(%p: !tt.ptr<f32>, %n: i32) {
    // Tasks 0, 0, 1, 2 for the four workers.
    // CHECK-DAG: %[[TASKS:.*]] = llvm.mlir.constant(dense<33619968> : vector<1xi32>)
    // CHECK: nvvm.read.ptx.sreg.tid.x
    // CHECK: nvvm.shfl.sync idx
    // CHECK: %[[OWN:.*]] = llvm.icmp "ult"
    // CHECK: llvm.cond_br %[[OWN]], ^[[BODY:.*]], ^[[WAIT:bb[0-9]+]]
    // CHECK: ^[[BODY]]:
    // CHECK: llvm.extractelement %[[TASKS]]
    // CHECK: st.shared.b32
    // CHECK-NOT: st.shared
    // CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.all"
    // CHECK: nvvm.setmaxregister increase 208
    // CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.all"
    %x = ttg.local_alloc : () -> !ttg.memdesc<128xf32, #s, #smem, mutable>
    %r = ttg.warp_specialize(%p, %n, %x) attributes {actualRegisters = array<i32: 208, 40, 40, 40>, warpGroupStartIds = array<i32: 4, 6, 7>}
    default {
      // The kernel's own warps meet at barrier 0, which the others know nothing of.
      // CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.count"(%{{.*}}, %{{.*}})
      gpu.barrier
      %l = ttg.local_load %x : !ttg.memdesc<128xf32, #s, #smem, mutable> -> tensor<128xf32, #b>
      ttg.warp_yield %l : tensor<128xf32, #b>
    }
    partition0(%a: !tt.ptr<f32>, %c: i32, %y: !ttg.memdesc<128xf32, #s, #smem, mutable>) num_warps(2) {
      %f = arith.sitofp %c : i32 to f32
      %t = tt.splat %f : f32 -> tensor<128xf32, #two>
      ttg.local_store %t, %y : tensor<128xf32, #two> -> !ttg.memdesc<128xf32, #s, #smem, mutable>
      gpu.barrier
      ttg.warp_return
    }
    partition1(%a: !tt.ptr<f32>, %c: i32, %y: !ttg.memdesc<128xf32, #s, #smem, mutable>) num_warps(1) {
      gpu.barrier
      ttg.warp_return
    }
    partition2(%a: !tt.ptr<f32>, %c: i32, %y: !ttg.memdesc<128xf32, #s, #smem, mutable>) num_warps(1) {
      ttg.warp_return
    } : (!tt.ptr<f32>, i32, !ttg.memdesc<128xf32, #s, #smem, mutable>) -> tensor<128xf32, #b>
    // CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.all"
    // CHECK: nvvm.setmaxregister decrease 168
    // To return, all get the task 255.
    // CHECK: st.shared.b32
    // CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.all"
    // CHECK: llvm.return
    // CHECK: ^[[WAIT]]:
    // CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.all"
    // CHECK: llvm.switch %{{.*}} : i8, ^[[IDLE:bb[0-9]+]] [
    // CHECK-NEXT: 0: ^[[FIRST:bb[0-9]+]],
    // CHECK-NEXT: 1: ^[[SECOND:bb[0-9]+]],
    // CHECK-NEXT: 2: ^
    // CHECK-NEXT: -1: ^
    // CHECK: ^[[IDLE]]:
    // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.all"
    // CHECK: llvm.br ^[[WAIT]] {loop_annotation = #{{.*}}}
    // CHECK: llvm.return
    // CHECK: ^[[FIRST]]:
    // CHECK: nvvm.setmaxregister decrease 40
    // CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.all"
    // CHECK: stmatrix.sync.aligned.m8n8.x2.shared.b16
    // CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.count"(%{{.*}}, %{{.*}})
    // CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.all"
    // CHECK: nvvm.setmaxregister increase 168
    // CHECK: ^[[SECOND]]:
    // CHECK: nvvm.bar.warp.sync
    tt.return
  }

  // What must be computed by the kernel's warps goes through shared memory, the largest value first.
  // CHECK-LABEL: llvm.func @captures
  tt.func public @captures(%p: !tt.ptr<i32>, %q: !tt.ptr<i64>) {
    // CHECK: llvm.load {{.*}} i32
    // CHECK: llvm.load {{.*}} i64
    %n = tt.load %p : !tt.ptr<i32>
    %m = tt.load %q : !tt.ptr<i64>
    // CHECK: "llvm.nvvm.barrier.cta.sync.aligned.count"
    // CHECK: st.shared.b32
    // CHECK: st.shared.b32
    // CHECK: st.shared.b64
    ttg.warp_specialize(%n, %m) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      ttg.warp_yield
    }
    partition0(%a: i32, %b: i64) num_warps(4) {
      // CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> i8
      // CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> i32
      // CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> i64
      // CHECK-NOT: nvvm.setmaxregister
      ttg.warp_return
    } : (i32, i64) -> ()
    tt.return
  }
}

// -----

// Edge: without partitions it is its default region.
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @alone
  // CHECK-SAME: nvvm.reqntid = array<i32: 128>
  tt.func public @alone(%n: i32, %p: !tt.ptr<i32>) {
    // CHECK-NOT: barrier
    %0 = ttg.warp_specialize()
    default {
      ttg.warp_yield %n : i32
    } : () -> i32
    tt.store %p, %0 : !tt.ptr<i32>
    // CHECK: llvm.return
    tt.return
  }
}
