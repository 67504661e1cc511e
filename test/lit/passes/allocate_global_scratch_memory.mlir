// RUN: tt-opt %s -split-input-file --tritongpu-global-scratch-memory-allocation | FileCheck %s

// Each allocation begins at a multiple of its alignment; the total is a multiple of the largest.
// CHECK: module attributes {ttg.global_scratch_memory_alignment = 128 : i32, ttg.global_scratch_memory_size = 256 : i32}
// CHECK-LABEL: @two
// CHECK-SAME: ttg.global_scratch_memory_alignment = 128 : i32, ttg.global_scratch_memory_size = 256 : i32
tt.func public @two() {
  // CHECK: ttg.global_scratch_memory_offset = 0 : i32
  %0 = ttg.global_scratch_alloc {alignment = 8 : i32, nbytes = 100 : i32} : !tt.ptr<i8>
  // CHECK: ttg.global_scratch_memory_offset = 128 : i32
  %1 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
  tt.return
}

// -----

// A call needs what the function called needs, wherever that is written.
// CHECK: module attributes {ttg.global_scratch_memory_alignment = 8 : i32, ttg.global_scratch_memory_size = 208 : i32}
// CHECK-LABEL: @kernel
tt.func public @kernel() {
  // CHECK: ttg.global_scratch_memory_offset = 0 : i32
  %0 = ttg.global_scratch_alloc {alignment = 8 : i32, nbytes = 104 : i32} : !tt.ptr<i8>
  // CHECK: tt.call @helper() {ttg.global_scratch_memory_offset = 104 : i32}
  tt.call @helper() : () -> ()
  tt.return
}
// CHECK: tt.func private @helper
// CHECK-SAME: ttg.global_scratch_memory_size = 104 : i32
tt.func private @helper() {
  %0 = ttg.global_scratch_alloc {alignment = 8 : i32, nbytes = 100 : i32} : !tt.ptr<i8>
  tt.return
}

// -----

// Left alone but for the attributes that say that nothing is needed; a call of such a function is not marked.
// CHECK: module attributes {ttg.global_scratch_memory_alignment = 1 : i32, ttg.global_scratch_memory_size = 0 : i32}
// CHECK-LABEL: @nothing
tt.func public @nothing() {
  // CHECK: tt.call @empty() : () -> ()
  tt.call @empty() : () -> ()
  tt.return
}
tt.func private @empty() {
  tt.return
}
