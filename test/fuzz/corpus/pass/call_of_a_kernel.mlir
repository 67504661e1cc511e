// passes: convert-triton-gpu-to-llvm
tt.func @kernel(%x: i32) -> i32 {
  tt.return %x : i32
}
tt.func @caller(%x: i32) -> i32 {
  %0 = tt.call @kernel(%x) : (i32) -> i32
  tt.return %0 : i32
}
