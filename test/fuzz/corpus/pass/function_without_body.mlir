// passes: convert-triton-gpu-to-llvm
tt.func private @declared()
tt.func @f() {
  tt.return
}
