// RUN: tt-opt %s --proton-schedule-buffer-store | FileCheck %s

// CHECK-LABEL: @nested
tt.func @nested(%s: !proton_gpu.segment<1024, #proton_gpu.global_memory, warp>, %p: !tt.ptr<f32>, %c: i1) {
  // CHECK-NEXT: %[[A:.*]] = proton_gpu.read_counter
  %0 = proton_gpu.read_counter : i32
  proton_gpu.circular_store start %s, %0 {scopeId = 0 : i32} : !proton_gpu.segment<1024, #proton_gpu.global_memory, warp>, i32
  // CHECK-NEXT: %[[B:.*]] = proton_gpu.read_counter
  %1 = proton_gpu.read_counter : i32
  proton_gpu.circular_store start %s, %1 {scopeId = 1 : i32} : !proton_gpu.segment<1024, #proton_gpu.global_memory, warp>, i32
  // CHECK-NEXT: tt.load
  %x = tt.load %p : !tt.ptr<f32>
  // CHECK: circular_store start %{{.*}}, %[[B]]
  // CHECK-NEXT: circular_store end
  %2 = proton_gpu.read_counter : i32
  proton_gpu.circular_store end %s, %2 {scopeId = 1 : i32} : !proton_gpu.segment<1024, #proton_gpu.global_memory, warp>, i32
  // CHECK: circular_store start %{{.*}}, %[[A]]
  // CHECK-NEXT: circular_store end
  %3 = proton_gpu.read_counter : i32
  proton_gpu.circular_store end %s, %3 {scopeId = 0 : i32} : !proton_gpu.segment<1024, #proton_gpu.global_memory, warp>, i32
  tt.return
}

// CHECK-LABEL: @in_different_blocks
tt.func @in_different_blocks(%s: !proton_gpu.segment<1024, #proton_gpu.global_memory, warp>) {
  // CHECK: read_counter
  // CHECK-NEXT: circular_store start
  // CHECK-NEXT: cf.br
  %0 = proton_gpu.read_counter : i32
  proton_gpu.circular_store start %s, %0 {scopeId = 0 : i32} : !proton_gpu.segment<1024, #proton_gpu.global_memory, warp>, i32
  cf.br ^next
^next:
  %1 = proton_gpu.read_counter : i32
  proton_gpu.circular_store end %s, %1 {scopeId = 0 : i32} : !proton_gpu.segment<1024, #proton_gpu.global_memory, warp>, i32
  tt.return
}
