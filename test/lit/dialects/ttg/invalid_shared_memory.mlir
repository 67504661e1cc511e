// RUN: tt-opt %s -split-input-file -verify-diagnostics

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_alloc_c1() {
    // expected-error @+1 {{should create a buffer of shared memory}}
    %0 = ttg.local_alloc : () -> !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_alloc_c2() {
    // expected-error @+1 {{result shape and its alloc shape must match}}
    %0 = ttg.local_alloc : () -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable, 64x64>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_alloc_c3() {
    // expected-error @+1 {{uninitialized alloc must have a mutable memdesc type}}
    %0 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_alloc_c4_element(%x: tensor<64x64xf32, #blocked>) {
    // expected-error @+1 {{source element type 'tensor<64x64xf32, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>>' must match destination element type 'f16'}}
    %0 = ttg.local_alloc %x : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_alloc_c4_shape(%x: tensor<64x64xf16, #blocked>) {
    // expected-error @+1 {{source shape [64, 64] must match [destination shape 64, 32]}}
    %0 = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x32xf16, #shared, #smem>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#cube = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [2, 1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_alloc_c5(%x: tensor<64x64xf16, #blocked>) {
    // expected-error @+1 {{source has rank 2 but memdesc encoding has rank 3}}
    %0 = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<1x64x64xf16, #cube, #smem>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_alloc_alignment() {
    // expected-error @+1 {{attribute 'alignment' failed to satisfy constraint: 32-bit signless integer attribute}}
    %0 = ttg.local_alloc {alignment = 128 : i64} : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_alloc_result() {
    // expected-error @+1 {{result #0 must be memory descriptor}}
    %0 = "ttg.local_alloc"() : () -> i32
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_store_c1(%x: tensor<64x64xf16, #blocked>, %b: !ttg.memdesc<64x64xf16, #shared, #smem>) {
    // expected-error @+1 {{Cannot store into immutable memory}}
    ttg.local_store %x, %b : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_store_c2_element(%x: tensor<64x64xf32, #blocked>,
                                  %b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{source element type 'tensor<64x64xf32, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>>' must match destination element type 'f16'}}
    ttg.local_store %x, %b : tensor<64x64xf32, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_store_c2_shape(%x: tensor<64x32xf16, #blocked>,
                                %b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{source shape [64, 32] must match [destination shape 64, 64]}}
    ttg.local_store %x, %b : tensor<64x32xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#cube = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [2, 1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_store_c3(%x: tensor<64x64xf16, #blocked>, %b: !ttg.memdesc<1x64x64xf16, #cube, #smem, mutable>) {
    // expected-error @+1 {{source has rank 2 but memdesc encoding has rank 3}}
    ttg.local_store %x, %b : tensor<64x64xf16, #blocked> -> !ttg.memdesc<1x64x64xf16, #cube, #smem, mutable>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_store_c3_space(%x: tensor<128x64xf32, #blocked>, %b: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
    // expected-error @+1 {{expected memdesc to have a shared memory encoding}}
    ttg.local_store %x, %b : tensor<128x64xf32, #blocked> -> !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_load_c1_element(%b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{source element type '!ttg.memdesc<64x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable>' must match destination element type 'f32'}}
    %0 = ttg.local_load %b : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_load_c1_shape(%b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{source shape [64, 64] must match [destination shape 64, 32]}}
    %0 = ttg.local_load %b : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x32xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_load_c1_stacked(%b: !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{source shape [2, 64, 64] must match [destination shape 64, 64]}}
    %0 = ttg.local_load %b : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_load_c2(%b: !ttg.memdesc<64xf16, #line, #smem, mutable>) {
    // expected-error @+1 {{result has rank 2 but memdesc encoding has rank 1}}
    %0 = ttg.local_load %b : !ttg.memdesc<64xf16, #line, #smem, mutable> -> tensor<64x64xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_load_c2_space(%b: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
    // expected-error @+1 {{expected memdesc to have a shared memory encoding}}
    %0 = ttg.local_load %b : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable> -> tensor<128x64xf32, #blocked>
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_dealloc_operand(%b: i32) {
    // expected-error @+1 {{operand #0 must be memory descriptor}}
    "ttg.local_dealloc"(%b) : (i32) -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @global_scratch_alloc_size() {
    // expected-error @+1 {{requires attribute 'nbytes'}}
    %0 = ttg.global_scratch_alloc {alignment = 128 : i32} : !tt.ptr<i8>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_gather_c1(%b: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, %i: tensor<64x64xi32, #blocked>) {
    // expected-error @+1 {{expected memdesc to have a shared memory encoding}}
    %0 = ttg.local_gather %b[%i] {axis = 0 : i32}
        : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, tensor<64x64xi32, #blocked> -> tensor<64x64xf32, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_gather_c2_rank(%b: !ttg.memdesc<64xf32, #line, #smem>, %i: tensor<64x64xi32, #blocked>) {
    // expected-error @+1 {{indices and result must have the rank of the memdesc, 1}}
    %0 = ttg.local_gather %b[%i] {axis = 0 : i32}
        : !ttg.memdesc<64xf32, #line, #smem>, tensor<64x64xi32, #blocked> -> tensor<64x64xf32, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_gather_c2_axis(%b: !ttg.memdesc<64x64xf32, #shared, #smem>, %i: tensor<64x64xi32, #blocked>) {
    // expected-error @+1 {{axis 2 is out of range for rank 2}}
    %0 = ttg.local_gather %b[%i] {axis = 2 : i32}
        : !ttg.memdesc<64x64xf32, #shared, #smem>, tensor<64x64xi32, #blocked> -> tensor<64x64xf32, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_gather_c2_negative(%b: !ttg.memdesc<64x64xf32, #shared, #smem>, %i: tensor<64x64xi32, #blocked>) {
    // expected-error @+1 {{axis -1 is out of range for rank 2}}
    %0 = ttg.local_gather %b[%i] {axis = -1 : i32}
        : !ttg.memdesc<64x64xf32, #shared, #smem>, tensor<64x64xi32, #blocked> -> tensor<64x64xf32, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_gather_c3(%b: !ttg.memdesc<64x64xf32, #shared, #smem>, %i: tensor<64x32xi32, #blocked>) {
    // expected-error @+1 {{indices and result must have the same shape and layout}}
    %0 = ttg.local_gather %b[%i] {axis = 1 : i32}
        : !ttg.memdesc<64x64xf32, #shared, #smem>, tensor<64x32xi32, #blocked> -> tensor<64x64xf32, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_gather_c4(%b: !ttg.memdesc<64x64xf32, #shared, #smem>, %i: tensor<64x64xi32, #blocked>) {
    // expected-error @+1 {{result element type 'f16' must match memdesc element type 'f32'}}
    %0 = ttg.local_gather %b[%i] {axis = 1 : i32}
        : !ttg.memdesc<64x64xf32, #shared, #smem>, tensor<64x64xi32, #blocked> -> tensor<64x64xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_scatter_c1(%b: !ttg.memdesc<64x64xf32, #shared, #smem>, %i: tensor<64x64xi32, #blocked>,
                            %x: tensor<64x64xf32, #blocked>) {
    // expected-error @+1 {{Cannot store into immutable memory}}
    ttg.local_scatter %b[%i], %x {axis = 1 : i32}
        : !ttg.memdesc<64x64xf32, #shared, #smem>, tensor<64x64xi32, #blocked>, tensor<64x64xf32, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_scatter_c2_rank(%b: !ttg.memdesc<64xf32, #line, #smem, mutable>, %i: tensor<64x64xi32, #blocked>,
                                 %x: tensor<64x64xf32, #blocked>) {
    // expected-error @+1 {{indices and values must have the rank of the memdesc, 1}}
    ttg.local_scatter %b[%i], %x {axis = 0 : i32}
        : !ttg.memdesc<64xf32, #line, #smem, mutable>, tensor<64x64xi32, #blocked>, tensor<64x64xf32, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_scatter_c2_axis(%b: !ttg.memdesc<64x64xf32, #shared, #smem, mutable>, %i: tensor<64x64xi32, #blocked>,
                                 %x: tensor<64x64xf32, #blocked>) {
    // expected-error @+1 {{axis 7 is out of range for rank 2}}
    ttg.local_scatter %b[%i], %x {axis = 7 : i32}
        : !ttg.memdesc<64x64xf32, #shared, #smem, mutable>, tensor<64x64xi32, #blocked>, tensor<64x64xf32, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_scatter_c3(%b: !ttg.memdesc<64x64xf32, #shared, #smem, mutable>, %i: tensor<64x64xi32, #blocked1>,
                            %x: tensor<64x64xf32, #blocked>) {
    // expected-error @+1 {{indices and values must have the same shape and layout}}
    ttg.local_scatter %b[%i], %x {axis = 1 : i32}
        : !ttg.memdesc<64x64xf32, #shared, #smem, mutable>, tensor<64x64xi32, #blocked1>, tensor<64x64xf32, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_scatter_c4(%b: !ttg.memdesc<64x64xf32, #shared, #smem, mutable>, %i: tensor<64x64xi32, #blocked>,
                            %x: tensor<64x64xf16, #blocked>) {
    // expected-error @+1 {{values element type 'f16' must match memdesc element type 'f32'}}
    ttg.local_scatter %b[%i], %x {axis = 1 : i32}
        : !ttg.memdesc<64x64xf32, #shared, #smem, mutable>, tensor<64x64xi32, #blocked>, tensor<64x64xf16, #blocked>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_atomic_scatter_rmw_c1(%m: !ttg.memdesc<256xi32, #shared, #smem>, %i: tensor<128xi32, #b>, %x: tensor<128xi32, #b>) {
    // expected-error @+1 {{Cannot store into immutable memory}}
    %0 = ttg.local_atomic_scatter_rmw add, %m[%i], %x {axis = 0 : i32} : (!ttg.memdesc<256xi32, #shared, #smem>, tensor<128xi32, #b>, tensor<128xi32, #b>) -> tensor<128xi32, #b>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_atomic_scatter_rmw_c2(%m: !ttg.memdesc<256xi32, #shared, #smem, mutable>, %i: tensor<128xi32, #b>, %x: tensor<128xi32, #b>) {
    // expected-error @+1 {{axis 1 is out of range for rank 1}}
    %0 = ttg.local_atomic_scatter_rmw add, %m[%i], %x {axis = 1 : i32} : (!ttg.memdesc<256xi32, #shared, #smem, mutable>, tensor<128xi32, #b>, tensor<128xi32, #b>) -> tensor<128xi32, #b>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_atomic_scatter_rmw_c3(%m: !ttg.memdesc<256xi32, #shared, #smem, mutable>, %i: tensor<64xi32, #b>, %x: tensor<128xi32, #b>) {
    // expected-error @+1 {{indices and values must have the same shape and layout}}
    %0 = ttg.local_atomic_scatter_rmw add, %m[%i], %x {axis = 0 : i32} : (!ttg.memdesc<256xi32, #shared, #smem, mutable>, tensor<128xi32, #b>, tensor<64xi32, #b>) -> tensor<128xi32, #b>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_atomic_scatter_rmw_c3_mask(%m: !ttg.memdesc<256xi32, #shared, #smem, mutable>, %i: tensor<128xi32, #b>, %x: tensor<128xi32, #b>, %k: tensor<64xi1, #b>) {
    // expected-error @+1 {{mask must be}}
    %0 = ttg.local_atomic_scatter_rmw add, %m[%i], %x, %k {axis = 0 : i32} : (!ttg.memdesc<256xi32, #shared, #smem, mutable>, tensor<128xi32, #b>, tensor<128xi32, #b>, tensor<64xi1, #b>) -> tensor<128xi32, #b>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_atomic_scatter_rmw_c4(%m: !ttg.memdesc<256xi32, #shared, #smem, mutable>, %i: tensor<128xi32, #b>, %x: tensor<128xf32, #b>) {
    // expected-error @+1 {{values element type 'f32' must match memdesc element type 'i32'}}
    %0 = ttg.local_atomic_scatter_rmw exch, %m[%i], %x {axis = 0 : i32} : (!ttg.memdesc<256xi32, #shared, #smem, mutable>, tensor<128xf32, #b>, tensor<128xi32, #b>) -> tensor<128xf32, #b>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_atomic_scatter_rmw_c4_result(%m: !ttg.memdesc<256xi32, #shared, #smem, mutable>, %i: tensor<128xi32, #b>, %x: tensor<128xi32, #b>) {
    // expected-error @+1 {{result type must be that of values}}
    %0 = ttg.local_atomic_scatter_rmw add, %m[%i], %x {axis = 0 : i32} : (!ttg.memdesc<256xi32, #shared, #smem, mutable>, tensor<128xi32, #b>, tensor<128xi32, #b>) -> tensor<128xf32, #b>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @local_atomic_scatter_rmw_c5(%m: !ttg.memdesc<256xi32, #shared, #smem, mutable>, %i: tensor<128xi32, #b>, %x: tensor<128xi32, #b>) {
    // expected-error @+1 {{fadd needs floating-point values}}
    %0 = ttg.local_atomic_scatter_rmw fadd, %m[%i], %x {axis = 0 : i32} : (!ttg.memdesc<256xi32, #shared, #smem, mutable>, tensor<128xi32, #b>, tensor<128xi32, #b>) -> tensor<128xi32, #b>
    tt.return
  }
}
