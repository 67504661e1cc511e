// A module that is lowered already stays as it is: its needs of a launch are those of its kernels.
// RUN: tt-opt %s --ttkit-llir=capability=90 -o %t
// RUN: tt-opt %t --ttkit-llir=capability=90 | diff %t -
// RUN: tt-opt %t --ttkit-llir=capability=90 | FileCheck %s

// CHECK: module attributes {
// CHECK-SAME: ttg.global_scratch_memory_alignment = 128 : i32, ttg.global_scratch_memory_size = 256 : i32
// CHECK-SAME: ttg.shared = 2072 : i32
// CHECK-SAME: "ttg.total-num-warps" = 8 : i32
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @kernel(%p: !tt.ptr<f32>, %q: !tt.ptr<i8>) {
    %s = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 256 : i32} : !tt.ptr<i8>
    %c = arith.constant 1 : i8
    tt.store %s, %c : !tt.ptr<i8>
    %x = arith.constant dense<1.0> : tensor<512xf32, #blocked>
    %m = ttg.local_alloc %x : (tensor<512xf32, #blocked>) -> !ttg.memdesc<512xf32, #shared, #smem, mutable>
    ttg.warp_specialize(%m, %p)
    default {
      ttg.warp_yield
    }
    partition0(%a: !ttg.memdesc<512xf32, #shared, #smem, mutable>, %b: !tt.ptr<f32>) num_warps(4) {
      %y = ttg.local_load %a : !ttg.memdesc<512xf32, #shared, #smem, mutable> -> tensor<512xf32, #blocked>
      %d = tt.splat %b : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      tt.store %d, %y : tensor<512x!tt.ptr<f32>, #blocked>
      ttg.warp_return
    } : (!ttg.memdesc<512xf32, #shared, #smem, mutable>, !tt.ptr<f32>) -> ()
    tt.return
  }
}
