// RUN: tt-opt %s --allocate-proton-shared-memory | FileCheck %s

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory

// CHECK: ttg.shared = 160 : i32
module attributes {"ttg.num-warps" = 4 : i32, ttg.shared = 124 : i32} {
  tt.func @timed() {
    // CHECK: ttg.local_alloc {allocation.offset = 0 : i32}
    %0 = ttg.local_alloc {allocation.offset = 0 : i32} : () -> !ttg.memdesc<31xi32, #shared, #smem, mutable>
    // CHECK: ttg.local_alloc {allocation.offset = 128 : i32}
    %1 = ttg.local_alloc : () -> !ttg.memdesc<8xi32, #shared, #smem, mutable>
    %2 = proton_gpu.segment_alloc %1 : !ttg.memdesc<8xi32, #shared, #smem, mutable> -> <32, #smem, warp>
    tt.return
  }
}
