// RUN: tt-opt %s --split-input-file --allocate-shared-memory-nv=compute-capability=80 --convert-triton-gpu-to-llvm="compute-capability=80 ptx-version=87" --verify-diagnostics

// A block pointer that is a parameter.
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // expected-error @below {{found a block pointer, !tt.ptr<tensor<64x32xf16}}
  tt.func @load_block_pointer(%a: !tt.ptr<tensor<64x32xf16, #rows>>, %p: tensor<64x32x!tt.ptr<f16>, #rows>) {
    %x = tt.load %a : !tt.ptr<tensor<64x32xf16, #rows>>
    tt.store %p, %x : tensor<64x32x!tt.ptr<f16>, #rows>
    tt.return
  }
}
