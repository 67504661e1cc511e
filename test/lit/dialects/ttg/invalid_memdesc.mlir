// RUN: tt-opt %s -split-input-file -verify-diagnostics

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_index_c1(%b: !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, %i: i32) {
    // expected-error @+1 {{result element type must match desc element type}}
    %0 = ttg.memdesc_index %b[%i]
        : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf32, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_index_c2_rank(%b: !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, %i: i32) {
    // expected-error @+1 {{result rank must be input rank - 1}}
    %0 = ttg.memdesc_index %b[%i]
        : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_index_c2_line(%b: !ttg.memdesc<4xi64, #line, #smem, mutable>, %i: i32) {
    // expected-error @+1 {{result rank must be input rank - 1}}
    %0 = ttg.memdesc_index %b[%i]
        : !ttg.memdesc<4xi64, #line, #smem, mutable> -> !ttg.memdesc<1xi64, #line, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_index_c2_shape(%b: !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, %i: i32) {
    // expected-error @+1 {{result shape must equal to srcShape[1:]}}
    %0 = ttg.memdesc_index %b[%i]
        : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_index_c3_index(%b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable, 2x64x64>, %i: i32) {
    // expected-error @+1 {{We don't allow taking memdesc_index of a memdesc_index}}
    %0 = ttg.memdesc_index %b[%i]
        : !ttg.memdesc<64x64xf16, #shared, #smem, mutable, 2x64x64> -> !ttg.memdesc<64xf16, #line, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_index_c3_view(%b: !ttg.memdesc<2x32x64xf16, #shared, #smem, mutable, 2x64x64>, %i: i32) {
    // expected-error @+1 {{We don't support memdesc_index of a subview}}
    %0 = ttg.memdesc_index %b[%i]
        : !ttg.memdesc<2x32x64xf16, #shared, #smem, mutable, 2x64x64>
          -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_index_c3_result(%b: !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, %i: i32) {
    // expected-error @+1 {{alloc shape must match shape for both result and src}}
    %0 = ttg.memdesc_index %b[%i]
        : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
          -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable, 2x64x64>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_index_c4(%b: !ttg.memdesc<2x128x64xf32, #shared, #smem, mutable>, %i: i32) {
    // expected-error @+1 {{src and dst must have the same type of encoding}}
    %0 = ttg.memdesc_index %b[%i]
        : !ttg.memdesc<2x128x64xf32, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_index_c5(%b: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, %i: i32) {
    // expected-error @+1 {{src and dst must have the same type of encoding}}
    %0 = "ttg.memdesc_index"(%b, %i)
        : (!ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, i32) -> !ttg.memdesc<64xf32, #line, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_index_operand(%b: !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, %i: i64) {
    // expected-error @+1 {{operand #1 must be 32-bit signless integer}}
    %0 = "ttg.memdesc_index"(%b, %i)
        : (!ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, i64)
          -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_subslice_c1_element(%b: !ttg.memdesc<64x64xf16, #shared, #smem>) {
    // expected-error @+1 {{result element type must match desc element type}}
    %0 = ttg.memdesc_subslice %b[0, 0]
        : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<32x64xf32, #shared, #smem, 64x64>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_subslice_c1_offsets(%b: !ttg.memdesc<64x64xf16, #shared, #smem>) {
    // expected-error @+1 {{offsets must have the same rank as input}}
    %0 = ttg.memdesc_subslice %b[0]
        : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<32x64xf16, #shared, #smem, 64x64>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_subslice_c1_rank(%b: !ttg.memdesc<64x64xf16, #shared, #smem>) {
    // expected-error @+1 {{result rank must equal to input rank}}
    %0 = ttg.memdesc_subslice %b[0, 0]
        : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<64xf16, #line, #smem, 64x64>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_subslice_c2(%b: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
    // expected-error @+1 {{src and dst must both be of shared memory encoding}}
    %0 = ttg.memdesc_subslice %b[0, 0]
        : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable> -> !ttg.memdesc<128x32xf32, #tmem, #tm, mutable, 128x64>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_subslice_c3_uncut(%b: !ttg.memdesc<64x64xf16, #shared, #smem>) {
    // expected-error @+1 {{A non zero offset}}
    %0 = ttg.memdesc_subslice %b[0, 32]
        : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<32x64xf16, #shared, #smem, 64x64>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_subslice_c3_multiple(%b: !ttg.memdesc<64x64xf16, #shared, #smem>) {
    // expected-error @+1 {{The split offset may not touch the tile: 16 in dimension 0 is not a multiple of 32}}
    %0 = ttg.memdesc_subslice %b[16, 0]
        : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<32x64xf16, #shared, #smem, 64x64>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_subslice_c4(%b: !ttg.memdesc<64x64xf16, #shared, #smem>) {
    // expected-error @+1 {{We don't support splitting along the swizzling pattern, which a cut at 4 in dimension 0 does}}
    %0 = ttg.memdesc_subslice %b[4, 0]
        : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<4x64xf16, #shared, #smem, 64x64>
    tt.return
  }
}

// -----

#padded = #ttg.padded_shared<[64:+4] {order = [1, 0], shape = [64, 64]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_subslice_c4_padded(%b: !ttg.memdesc<2x64x64xf16, #padded, #smem>) {
    // expected-error @+1 {{SubSlice of low rank PaddedSharedEncoding from higher rank tensors is not supported yet}}
    %0 = ttg.memdesc_subslice %b[0, 32, 0]
        : !ttg.memdesc<2x64x64xf16, #padded, #smem> -> !ttg.memdesc<2x32x64xf16, #padded, #smem, 2x64x64>
    tt.return
  }
}

// -----

#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_subslice_c4_stacked(%b: !ttg.memdesc<2x64x64xf16, #plain, #smem>) {
    // expected-error @+1 {{the layout has no subslices of such a memdesc}}
    %0 = ttg.memdesc_subslice %b[0, 32, 0]
        : !ttg.memdesc<2x64x64xf16, #plain, #smem> -> !ttg.memdesc<2x32x64xf16, #plain, #smem, 2x64x64>
    tt.return
  }
}

// -----

#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_subslice_c4_three(%b: !ttg.memdesc<3x64x64xf16, #plain, #smem>) {
    // expected-error @+1 {{the layout has no subslices of such a memdesc}}
    %0 = ttg.memdesc_subslice %b[2, 0, 0]
        : !ttg.memdesc<3x64x64xf16, #plain, #smem> -> !ttg.memdesc<1x64x64xf16, #plain, #smem, 3x64x64>
    tt.return
  }
}

// -----

#cga = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0], CGALayout = [[1, 0]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_subslice_c5(%b: !ttg.memdesc<64x64xf16, #cga, #smem>) {
    // expected-error @+1 {{non-trivial block dimension not supported}}
    %0 = ttg.memdesc_subslice %b[32, 0]
        : !ttg.memdesc<64x64xf16, #cga, #smem> -> !ttg.memdesc<32x64xf16, #cga, #smem, 64x64>
    tt.return
  }
}

// -----

#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_subslice_no_offsets(%b: !ttg.memdesc<64x64xf16, #plain, #smem>) {
    // expected-error @+1 {{expected integer value}}
    %0 = ttg.memdesc_subslice %b[]
        : !ttg.memdesc<64x64xf16, #plain, #smem> -> !ttg.memdesc<32x64xf16, #plain, #smem, 64x64>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#sharedt = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_trans_c1_length(%b: !ttg.memdesc<64x32xf16, #shared, #smem>) {
    // expected-error @+2 {{order must have the same size as the rank of the operand and result}}
    // expected-error @+1 {{failed to infer returned types}}
    %0 = ttg.memdesc_trans %b {order = array<i32: 0>}
        : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<32x64xf16, #sharedt, #smem>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#sharedt = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_trans_c1_twice(%b: !ttg.memdesc<64x32xf16, #shared, #smem>) {
    // expected-error @+2 {{order must be a permutation of [0, ..., rank - 1]}}
    // expected-error @+1 {{failed to infer returned types}}
    %0 = ttg.memdesc_trans %b {order = array<i32: 1, 1>}
        : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<32x32xf16, #sharedt, #smem>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#sharedt = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_trans_c1_range(%b: !ttg.memdesc<64x32xf16, #shared, #smem>) {
    // expected-error @+2 {{order must be a permutation of [0, ..., rank - 1]}}
    // expected-error @+1 {{failed to infer returned types}}
    %0 = ttg.memdesc_trans %b {order = array<i32: 1, 7>}
        : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<32x32xf16, #sharedt, #smem>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#sharedt = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_trans_c1_missing(%b: !ttg.memdesc<64x32xf16, #shared, #smem>) {
    // expected-error @+1 {{requires attribute 'order'}}
    %0 = ttg.memdesc_trans %b : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<32x64xf16, #sharedt, #smem>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#sharedt = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_trans_c1_stacked(%b: !ttg.memdesc<2x64x32xf16, #shared, #smem>) {
    // expected-error @+2 {{rank of encoding does not match order: 2 vs 3}}
    // expected-error @+1 {{failed to infer returned types}}
    %0 = ttg.memdesc_trans %b {order = array<i32: 0, 2, 1>}
        : !ttg.memdesc<2x64x32xf16, #shared, #smem> -> !ttg.memdesc<2x32x64xf16, #sharedt, #smem>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#sharedt = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_trans_c2_shape(%b: !ttg.memdesc<64x32xf16, #shared, #smem>) {
    // expected-error @+2 {{inferred type}}
    // expected-error @+1 {{failed to infer returned types}}
    %0 = ttg.memdesc_trans %b {order = array<i32: 1, 0>}
        : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<64x32xf16, #sharedt, #smem>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_trans_c2_layout(%b: !ttg.memdesc<64x32xf16, #shared, #smem>) {
    // expected-error @+2 {{inferred type}}
    // expected-error @+1 {{failed to infer returned types}}
    %0 = ttg.memdesc_trans %b {order = array<i32: 1, 0>}
        : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<32x64xf16, #shared, #smem>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#sharedt = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_trans_c2_mutable(%b: !ttg.memdesc<64x32xf16, #shared, #smem>) {
    // expected-error @+2 {{inferred type}}
    // expected-error @+1 {{failed to infer returned types}}
    %0 = ttg.memdesc_trans %b {order = array<i32: 1, 0>}
        : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<32x64xf16, #sharedt, #smem, mutable>
    tt.return
  }
}

// -----

#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_trans_c2_allocation(%b: !ttg.memdesc<64x32xf16, #plain, #smem, 64x64>) {
    // expected-error @+2 {{inferred type}}
    // expected-error @+1 {{failed to infer returned types}}
    %0 = ttg.memdesc_trans %b {order = array<i32: 1, 0>}
        : !ttg.memdesc<64x32xf16, #plain, #smem, 64x64>
          -> !ttg.memdesc<32x64xf16, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>, #smem>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#sharedt = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_trans_element(%b: !ttg.memdesc<64x32xf16, #shared, #smem>) {
    // expected-error @+1 {{requires the same element type for all operands and results}}
    %0 = ttg.memdesc_trans %b {order = array<i32: 1, 0>}
        : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<32x64xf32, #sharedt, #smem>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_reshape_c1_count(%b: !ttg.memdesc<64x64xf16, #nv, #smem>) {
    // expected-error @+1 {{number of src and dst elements of reshape must be the same}}
    %0 = ttg.memdesc_reshape %b : !ttg.memdesc<64x64xf16, #nv, #smem> -> !ttg.memdesc<32x64xf16, #nv, #smem>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_reshape_c1_element(%b: !ttg.memdesc<64x64xf16, #nv, #smem>) {
    // expected-error @+1 {{requires the same element type for all operands and results}}
    %0 = ttg.memdesc_reshape %b : !ttg.memdesc<64x64xf16, #nv, #smem> -> !ttg.memdesc<64x64xbf16, #nv, #smem>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_reshape_c2(%b: !ttg.memdesc<32x64xf16, #nv, #smem, 64x64>) {
    // expected-error @+1 {{NYI: memdesc_reshape of memdesc_subslice}}
    %0 = ttg.memdesc_reshape %b : !ttg.memdesc<32x64xf16, #nv, #smem, 64x64> -> !ttg.memdesc<64x32xf16, #nv, #smem>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_reshape_c3_layout(%b: !ttg.memdesc<64x64xf16, #nv, #smem>) {
    // expected-error @+1 {{result type must be '!ttg.memdesc<128x32xf16, #ttg.shared_linear}}
    %0 = ttg.memdesc_reshape %b : !ttg.memdesc<64x64xf16, #nv, #smem> -> !ttg.memdesc<128x32xf16, #shared, #smem>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_reshape_c3_mutable(%b: !ttg.memdesc<64x64xf16, #nv, #smem>) {
    // expected-error @+1 {{result type must be '!ttg.memdesc<64x64xf16, #ttg.nvmma_shared}}
    %0 = ttg.memdesc_reshape %b : !ttg.memdesc<64x64xf16, #nv, #smem> -> !ttg.memdesc<64x64xf16, #nv, #smem, mutable>
    tt.return
  }
}

// -----

#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @memdesc_reshape_c1_huge(%b: !ttg.memdesc<4294967296x4294967296xf16, #plain, #smem>) {
    // expected-error @+1 {{number of src and dst elements of reshape must be the same}}
    %0 = ttg.memdesc_reshape %b
        : !ttg.memdesc<4294967296x4294967296xf16, #plain, #smem> -> !ttg.memdesc<64x64xf16, #plain, #smem>
    tt.return
  }
}
