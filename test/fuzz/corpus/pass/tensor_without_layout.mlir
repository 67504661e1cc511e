// passes: convert-triton-gpu-to-llvm
tt.func @f(%x: f32) -> tensor<32xf32> {
  %0 = tt.splat %x : f32 -> tensor<32xf32>
  tt.return %0 : tensor<32xf32>
}
