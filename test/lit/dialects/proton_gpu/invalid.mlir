// RUN: tt-opt --split-input-file --verify-diagnostics %s

tt.func @segment_alloc_c1(%p: !tt.ptr<i32>) {
  // expected-error @below {{has a buffer in global memory for a segment in the other}}
  %0 = proton_gpu.segment_alloc %p : !tt.ptr<i32> -> <1024, #ttg.shared_memory, warp>
  tt.return
}

// -----

tt.func @circular_store_c1(%s: !proton_gpu.segment<1024, #proton_gpu.global_memory, warp>, %c: i32) {
  // expected-error @below {{has scopeId 256; an entry holds 0 to 255}}
  proton_gpu.circular_store start %s, %c {scopeId = 256 : i32} : !proton_gpu.segment<1024, #proton_gpu.global_memory, warp>, i32
  tt.return
}
