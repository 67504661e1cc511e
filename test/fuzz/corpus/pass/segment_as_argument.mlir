// passes: convert-triton-gpu-to-llvm
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @f(%segment: !proton_gpu.segment<1024, #proton_gpu.global_memory, warp>) {
    %0 = proton_gpu.read_counter : i32
    proton_gpu.circular_store start %segment, %0 {scopeId = 0 : i32} : !proton_gpu.segment<1024, #proton_gpu.global_memory, warp>, i32
    tt.return
  }
}
