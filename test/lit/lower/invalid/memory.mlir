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

// -----

// Elements of four bits have no addresses, neither in global nor in shared memory.
#row = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @load_halves_of_bytes(%p: tensor<128x!tt.ptr<i4>, #row>, %q: tensor<128x!tt.ptr<i8>, #row>) {
    // expected-error @below {{found elements of type i4 in memory, which are not whole bytes; store them as i8}}
    %x = tt.load %p : tensor<128x!tt.ptr<i4>, #row>
    %y = arith.extsi %x : tensor<128xi4, #row> to tensor<128xi8, #row>
    tt.store %q, %y : tensor<128x!tt.ptr<i8>, #row>
    tt.return
  }
}

// -----

#row = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @share_halves_of_bytes(%i: i4) {
    %x = tt.splat %i : i4 -> tensor<128xi4, #row>
    // expected-error @below {{found elements of type i4 in memory, which are not whole bytes; store them as i8}}
    %m = ttg.local_alloc %x : (tensor<128xi4, #row>) -> !ttg.memdesc<128xi4, #shared, #smem>
    tt.return
  }
}
