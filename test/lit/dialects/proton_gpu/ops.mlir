// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s -mlir-print-op-generic | tt-opt | FileCheck %s
// RUN: tt-opt %s --canonicalize --cse | FileCheck %s

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory

module attributes {"ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: @timed
  tt.func @timed() {
    // CHECK: %[[SCRATCH:.*]] = proton_gpu.global_scratch_alloc {alignment = 128 : i32, nbytes = 1152 : i32} : !tt.ptr<i32>
    %0 = proton_gpu.global_scratch_alloc {alignment = 128 : i32, nbytes = 1152 : i32} : !tt.ptr<i32>
    // CHECK: proton_gpu.initialize %[[SCRATCH]] : !tt.ptr<i32>
    proton_gpu.initialize %0 : !tt.ptr<i32>
    %1 = ttg.local_alloc : () -> !ttg.memdesc<256xi32, #shared, #smem, mutable>
    // CHECK: %[[SEGMENT:.*]] = proton_gpu.segment_alloc %{{.*}} : !ttg.memdesc<256xi32, #shared, #smem, mutable> -> <1024, #smem, warp>
    %2 = proton_gpu.segment_alloc %1 : !ttg.memdesc<256xi32, #shared, #smem, mutable> -> <1024, #smem, warp>
    // CHECK: proton_gpu.init_ctx %[[SCRATCH]] : !tt.ptr<i32>
    proton_gpu.init_ctx %0 : !tt.ptr<i32>
    // CHECK: %[[CLOCK:.*]] = proton_gpu.read_counter : i32
    %3 = proton_gpu.read_counter : i32
    // CHECK: proton_gpu.circular_store start %[[SEGMENT]], %[[CLOCK]] {scopeId = 0 : i32} : !proton_gpu.segment<1024, #smem, warp>, i32
    proton_gpu.circular_store start %2, %3 {scopeId = 0 : i32} : !proton_gpu.segment<1024, #smem, warp>, i32
    // CHECK: %[[LONG:.*]] = proton_gpu.read_counter : i64
    %4 = proton_gpu.read_counter {metric = 0 : i32} : i64
    // CHECK: proton_gpu.circular_store end %[[SEGMENT]], %[[LONG]] {scopeId = 255 : i32} : !proton_gpu.segment<1024, #smem, warp>, i64
    proton_gpu.circular_store end %2, %4 {scopeId = 255 : i32} : !proton_gpu.segment<1024, #smem, warp>, i64
    // CHECK: proton_gpu.save_ctx %[[SEGMENT]], %[[SCRATCH]] : !proton_gpu.segment<1024, #smem, warp>, !tt.ptr<i32>
    proton_gpu.save_ctx %2, %0 : !proton_gpu.segment<1024, #smem, warp>, !tt.ptr<i32>
    // CHECK: proton_gpu.restore_ctx %[[SEGMENT]], %[[SCRATCH]] : !proton_gpu.segment<1024, #smem, warp>, !tt.ptr<i32>
    proton_gpu.restore_ctx %2, %0 : !proton_gpu.segment<1024, #smem, warp>, !tt.ptr<i32>
    // CHECK: proton_gpu.finalize %[[SEGMENT]], %[[SCRATCH]] : !proton_gpu.segment<1024, #smem, warp>, !tt.ptr<i32>
    proton_gpu.finalize %2, %0 : !proton_gpu.segment<1024, #smem, warp>, !tt.ptr<i32>
    tt.return
  }

  // CHECK-LABEL: @in_global_memory
  tt.func @in_global_memory(%p: !tt.ptr<i32>) {
    // CHECK: proton_gpu.segment_alloc %{{.*}} : !tt.ptr<i32> -> <65536, #proton_gpu.global_memory, warp_group_2, [0, 4]>
    %0 = proton_gpu.segment_alloc %p : !tt.ptr<i32> -> <65536, #proton_gpu.global_memory, warp_group_2, [0, 4]>
    tt.return
  }
}
