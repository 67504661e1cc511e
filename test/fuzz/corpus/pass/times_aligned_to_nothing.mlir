// passes: allocate-proton-global-scratch-buffer
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @timed() {
    %0 = proton_gpu.global_scratch_alloc {alignment = 0 : i32, nbytes = 100 : i32} : !tt.ptr<i32>
    %1 = proton_gpu.global_scratch_alloc {alignment = 128 : i32, nbytes = 200 : i32} : !tt.ptr<i32>
    tt.return
  }
}
