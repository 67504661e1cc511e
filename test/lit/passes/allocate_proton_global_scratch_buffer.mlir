// RUN: tt-opt %s --allocate-proton-global-scratch-buffer | FileCheck %s

// CHECK: ttg.profile_scratch_memory_alignment = 128 : i32, ttg.profile_scratch_memory_size = 384 : i32
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @timed() {
    // CHECK: nbytes = 100 : i32, offset = 0 : i32
    %0 = proton_gpu.global_scratch_alloc {alignment = 128 : i32, nbytes = 100 : i32} : !tt.ptr<i32>
    // CHECK: nbytes = 200 : i32, offset = 128 : i32
    %1 = proton_gpu.global_scratch_alloc {alignment = 128 : i32, nbytes = 200 : i32} : !tt.ptr<i32>
    tt.return
  }
}
