// RUN: tt-opt %s -split-input-file -verify-diagnostics

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_alloc_c1() {
    // expected-error @+1 {{should use tensor memory encoding}}
    %0 = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf32, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_alloc_c2() {
    // expected-error @+1 {{result shape and its alloc shape must match}}
    %0 = ttng.tmem_alloc : () -> !ttg.memdesc<128x32xf32, #tmem, #tm, mutable, 128x64>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_alloc_c3() {
    // expected-error @+1 {{uninitialized alloc must have a mutable memdesc type}}
    %0 = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf32, #tmem, #tm>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_alloc_c4(%x: tensor<128x64xi32>) {
    // expected-error @+1 {{source element type 'tensor<128x64xi32>' must match destination element type 'f32'}}
    %0 = ttng.tmem_alloc %x : (tensor<128x64xi32>) -> !ttg.memdesc<128x64xf32, #tmem, #tm>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_alloc_c5(%x: tensor<128x64xf32, #blocked>) {
    // expected-error @+1 {{source layout does not suit tensor memory: warps=1,2 must map to rows=32,64}}
    %0 = ttng.tmem_alloc %x : (tensor<128x64xf32, #blocked>) -> !ttg.memdesc<128x64xf32, #tmem, #tm>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_subslice_c1_source(%d: !ttg.memdesc<128x64xf32, #shared, #smem, mutable>) {
    // expected-error @+1 {{The source must be a tensor memory buffer.}}
    %0 = ttng.tmem_subslice %d {N = 0 : i32}
        : !ttg.memdesc<128x64xf32, #shared, #smem, mutable> -> !ttg.memdesc<128x32xf32, #tmem, #tm, mutable, 128x64>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_subslice_c1_result(%d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
    // expected-error @+1 {{The destination must be a tensor memory buffer.}}
    %0 = ttng.tmem_subslice %d {N = 0 : i32}
        : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable> -> !ttg.memdesc<128x32xf32, #shared, #smem, mutable, 128x64>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_subslice_c2(%d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
    // expected-error @+1 {{The destination must have the same block size and CTASplit size as the source.}}
    %0 = ttng.tmem_subslice %d {N = 0 : i32}
        : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
          -> !ttg.memdesc<128x32xf32, #ttng.tensor_memory_encoding<blockM = 64, blockN = 32, colStride = 1>, #tm, mutable, 128x64>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_load_c1_space(%d: !ttg.memdesc<128x64xf32, #shared, #smem, mutable>) {
    // expected-error @+1 {{source must be a tensor memory buffer.}}
    %r = ttng.tmem_load %d : !ttg.memdesc<128x64xf32, #shared, #smem, mutable> -> tensor<128x64xf32, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#scales = #ttng.tensor_memory_scales_encoding<>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_load_c1_scales(%d: !ttg.memdesc<128x4xi8, #scales, #tm, mutable>) {
    // expected-error @+1 {{should use tensor memory encoding.}}
    %r = ttng.tmem_load %d : !ttg.memdesc<128x4xi8, #scales, #tm, mutable> -> tensor<128x4xi8, #blocked>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_load_c2_element(%d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
    // expected-error @+1 {{source element type '!ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>, #ttng.tensor_memory, mutable>' must match destination element type 'i32'}}
    %r = ttng.tmem_load %d : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable> -> tensor<128x64xi32>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_load_c2_shape(%d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
    // expected-error @+1 {{source shape [128, 64] must match [destination shape 128, 32]}}
    %r = ttng.tmem_load %d : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable> -> tensor<128x32xf32>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_load_c2_rank(%d: !ttg.memdesc<2x128x64xf32, #tmem, #tm, mutable>) {
    // expected-error @+1 {{result must be a 2D tensor}}
    %r = ttng.tmem_load %d : !ttg.memdesc<2x128x64xf32, #tmem, #tm, mutable> -> tensor<2x128x64xf32>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_load_c3(%d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
    // expected-error @+1 {{result layout does not suit tensor memory: warps=1,2 must map to rows=32,64}}
    %r = ttng.tmem_load %d : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable> -> tensor<128x64xf32, #blocked>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_store_c1(%d: !ttg.memdesc<128x64xf32, #shared, #smem, mutable>, %x: tensor<128x64xf32>, %p: i1) {
    // expected-error @+1 {{should use tensor memory encoding.}}
    ttng.tmem_store %x, %d, %p : tensor<128x64xf32> -> !ttg.memdesc<128x64xf32, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_store_c2(%d: !ttg.memdesc<128x64xf32, #tmem, #tm>, %x: tensor<128x64xf32>, %p: i1) {
    // expected-error @+1 {{Cannot store into an immutable alloc}}
    ttng.tmem_store %x, %d, %p : tensor<128x64xf32> -> !ttg.memdesc<128x64xf32, #tmem, #tm>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_store_c3(%d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, %x: tensor<128x32xf32>, %p: i1) {
    // expected-error @+1 {{source shape [128, 32] must match [destination shape 128, 64]}}
    ttng.tmem_store %x, %d, %p : tensor<128x32xf32> -> !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_store_c4(%d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, %x: tensor<128x64xf32, #blocked>,
                         %p: i1) {
    // expected-error @+1 {{source layout does not suit tensor memory: warps=1,2 must map to rows=32,64}}
    ttng.tmem_store %x, %d, %p : tensor<128x64xf32, #blocked> -> !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_copy_c1_source(%s: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>,
                               %d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
    // expected-error @+1 {{The source must be a shared memory buffer}}
    ttng.tmem_copy %s, %d
        : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_copy_c1_barrier(%s: !ttg.memdesc<128x64xf32, #nv, #smem, mutable>,
                                %d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
    // expected-error @+1 {{The optional barrier should be a shared memory buffer}}
    ttng.tmem_copy %s, %d, %d
        : !ttg.memdesc<128x64xf32, #nv, #smem, mutable>, !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>,
          !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_copy_c2(%s: !ttg.memdesc<128x64xf32, #nv, #smem, mutable>, %d: !ttg.memdesc<128x64xf32, #tmem, #tm>) {
    // expected-error @+1 {{Cannot copy into an immutable alloc}}
    ttng.tmem_copy %s, %d : !ttg.memdesc<128x64xf32, #nv, #smem, mutable>, !ttg.memdesc<128x64xf32, #tmem, #tm>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_copy_c3(%s: !ttg.memdesc<128x32xf32, #nv, #smem, mutable>,
                        %d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
    // expected-error @+1 {{source shape 128, 32 must match destination shape 128, 64}}
    ttng.tmem_copy %s, %d
        : !ttg.memdesc<128x32xf32, #nv, #smem, mutable>, !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    tt.return
  }
}

// -----

#scales = #ttng.tensor_memory_scales_encoding<>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_copy_c4_alignment(%s: !ttg.memdesc<4x4xf32, #ttg.shared_linear<{offset = [[0, 1], [0, 2], [1, 0], [2, 0]]}, alignment = 8>, #smem, mutable>,
                                  %d: !ttg.memdesc<4x4xi8, #scales, #tm, mutable>) {
    // expected-error @+1 {{Source must have at least 16-byte alignment to be representable in a matrix descriptor.}}
    ttng.tmem_copy %s, %d
        : !ttg.memdesc<4x4xf32, #ttg.shared_linear<{offset = [[0, 1], [0, 2], [1, 0], [2, 0]]}, alignment = 8>, #smem, mutable>, !ttg.memdesc<4x4xi8, #scales, #tm, mutable>
    tt.return
  }
}

// -----

#nvt = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_copy_c4_transposed(%s: !ttg.memdesc<128x64xf32, #nvt, #smem, mutable>,
                                   %d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
    // expected-error @+1 {{The source should not be transposed or padded}}
    ttng.tmem_copy %s, %d
        : !ttg.memdesc<128x64xf32, #nvt, #smem, mutable>, !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func @tmem_copy_c5(%s: !ttg.memdesc<128x64xf32, #nv, #smem, mutable>,
                        %d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
    // expected-error @+1 {{NYI: Only one CTA is supported for now.}}
    ttng.tmem_copy %s, %d
        : !ttg.memdesc<128x64xf32, #nv, #smem, mutable>, !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#scales = #ttng.tensor_memory_scales_encoding<>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_copy_c6(%s: !ttg.memdesc<128x4xi8, #nv, #smem, mutable>,
                        %d: !ttg.memdesc<128x4xi8, #scales, #tm, mutable>) {
    // expected-error @+1 {{The source should not be swizzled for now}}
    ttng.tmem_copy %s, %d : !ttg.memdesc<128x4xi8, #nv, #smem, mutable>, !ttg.memdesc<128x4xi8, #scales, #tm, mutable>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_copy_c7_rows(%s: !ttg.memdesc<128x64xf32, #nv, #smem, mutable>,
                             %d: !ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>, #tm, mutable>) {
    // expected-error @+1 {{Tmem layout should have M=128.}}
    ttng.tmem_copy %s, %d
        : !ttg.memdesc<128x64xf32, #nv, #smem, mutable>,
          !ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>, #tm, mutable>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_copy_c7_swizzling(%s: !ttg.memdesc<128x64xf32, #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 32}>, #smem, mutable>,
                                  %d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
    // expected-error @+1 {{Source layout should be swizzled.}}
    ttng.tmem_copy %s, %d
        : !ttg.memdesc<128x64xf32, #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 32}>, #smem, mutable>, !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_copy_c7_element(%s: !ttg.memdesc<128x64xf16, #nv, #smem, mutable>,
                                %d: !ttg.memdesc<128x64xf16, #tmem, #tm, mutable>) {
    // expected-error @+1 {{Source element type should be 32-bit.}}
    ttng.tmem_copy %s, %d
        : !ttg.memdesc<128x64xf16, #nv, #smem, mutable>, !ttg.memdesc<128x64xf16, #tmem, #tm, mutable>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_copy_c7_space(%s: !ttg.memdesc<128x64xf32, #nv, #smem, mutable>) {
    // expected-error @+1 {{Incorrect tmem layout}}
    ttng.tmem_copy %s, %s
        : !ttg.memdesc<128x64xf32, #nv, #smem, mutable>, !ttg.memdesc<128x64xf32, #nv, #smem, mutable>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-note @+1 {{prior use here}}
  tt.func @tmem_load_token_type(%d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, %t: i32) {
    // expected-error @+1 {{use of value '%t' expects different type than prior uses}}
    %0, %1 = ttng.tmem_load %d[%t] : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable> -> tensor<128x64xf32>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_load_token_result(%d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, %t: !ttg.async.token) {
    // expected-error @+1 {{operation defines 2 results but was provided 1 to bind}}
    %0 = ttng.tmem_load %d[%t] : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable> -> tensor<128x64xf32>
    tt.return
  }
}

// -----

tt.func @tmem_wait_c1() {
  // expected-error @+1 {{kind must be load or store, found 'both'}}
  ttng.tmem_wait both
  tt.return
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_subslice_c3(%x: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>) {
    // expected-error @+1 {{dim must be 0 or 1, found 2}}
    %0 = ttng.tmem_subslice %x {N = 0 : i32, dim = 2 : i32} : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    tt.return
  }
}

// -----

#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#row = #ttg.slice<{dim = 1, parent = #rows}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_load_c4(%d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
    // expected-error @+1 {{has a result red, but no redOp}}
    %r:2 = ttng.tmem_load %d : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable> -> tensor<128x64xf32, #rows>, tensor<128xf32, #row>
    tt.return
  }
  tt.func @tmem_load_c4_flag(%d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
    // expected-error @+1 {{has abs or NaN, which say how redOp compares, but no redOp}}
    %r = ttng.tmem_load %d {abs = true} : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable> -> tensor<128x64xf32, #rows>
    tt.return
  }
  tt.func @tmem_load_c6(%d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
    // expected-error @+1 {{must have the slice of the layout of result along dimension 1 for red}}
    %r:2 = ttng.tmem_load %d {redOp = #ttng.redOp<min>} : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable> -> tensor<128x64xf32, #rows>, tensor<128xf32, #ttg.slice<{dim = 0, parent = #rows}>>
    tt.return
  }
  tt.func @tmem_load_c6_rows(%d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
    // expected-error @+1 {{with redOp must have a result red with an element for each row of}}
    %r = ttng.tmem_load %d {redOp = #ttng.redOp<min>} : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable> -> tensor<128x64xf32, #rows>
    tt.return
  }
  tt.func @padded(%d: !ttg.memdesc<128x64xi8, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, fp4Padded = true>, #tm, mutable>) {
    // expected-error @+1 {{only products read padded fp4; ttg.memdesc_reinterpret gives a view of its bytes}}
    %r = ttng.tmem_load %d : !ttg.memdesc<128x64xi8, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, fp4Padded = true>, #tm, mutable> -> tensor<128x64xi8, #rows>
    tt.return
  }
}

// -----

#halves = #ttg.linear<{register = [[0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [16, 0]], lane = [[8, 0], [0, 1], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [64, 0]], block = []}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tmem_load_c5(%d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
    // expected-error @+1 {{with redOp must give threads whole rows}}
    %r:2 = ttng.tmem_load %d {redOp = #ttng.redOp<min>} : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable> -> tensor<128x64xf32, #halves>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #halves}>>
    tt.return
  }
}
