// RUN: tt-opt %s -split-input-file -verify-diagnostics

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_tma_copy_global_to_local_c1(%d: !tt.tensordesc<tensor<64x64xf16, #nv>>, %i: i32,
                                             %r: !ttg.memdesc<64x64xf16, #nv, #smem, mutable>,
                                             %b: !ttg.memdesc<1xi32, #line, #smem, mutable>, %p: i1) {
    // expected-error @+1 {{barrier allocation must be a descriptor of 1xi64 type}}
    ttng.async_tma_copy_global_to_local %d[%i, %i] %r, %b, %p
        : !tt.tensordesc<tensor<64x64xf16, #nv>>, !ttg.memdesc<1xi32, #line, #smem, mutable>
          -> !ttg.memdesc<64x64xf16, #nv, #smem, mutable>
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_tma_copy_global_to_local_c2_none(%d: !tt.tensordesc<tensor<64x64xf16, #nv>>, %i: i32,
                                                  %r: !ttg.memdesc<64x64xf16, #nv, #smem, mutable>,
                                                  %b: !ttg.memdesc<1xi64, #line, #smem, mutable>, %p: i1) {
    // expected-error @+1 {{TMA copies must have between 1 and 5 coordinates}}
    ttng.async_tma_copy_global_to_local %d[] %r, %b, %p
        : !tt.tensordesc<tensor<64x64xf16, #nv>>, !ttg.memdesc<1xi64, #line, #smem, mutable>
          -> !ttg.memdesc<64x64xf16, #nv, #smem, mutable>
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_tma_copy_global_to_local_c2_six(%d: !tt.tensordesc<tensor<64x64xf16, #nv>>, %i: i32,
                                                 %r: !ttg.memdesc<64x64xf16, #nv, #smem, mutable>,
                                                 %b: !ttg.memdesc<1xi64, #line, #smem, mutable>, %p: i1) {
    // expected-error @+1 {{TMA copies must have between 1 and 5 coordinates}}
    ttng.async_tma_copy_global_to_local %d[%i, %i, %i, %i, %i, %i] %r, %b, %p
        : !tt.tensordesc<tensor<64x64xf16, #nv>>, !ttg.memdesc<1xi64, #line, #smem, mutable>
          -> !ttg.memdesc<64x64xf16, #nv, #smem, mutable>
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_tma_copy_global_to_local_c3(%d: !tt.tensordesc<tensor<64x64xf16, #nv>>, %i: i32,
                                             %r: !ttg.memdesc<64x64xf16, #nv, #smem>,
                                             %b: !ttg.memdesc<1xi64, #line, #smem, mutable>, %p: i1) {
    // expected-error @+1 {{Cannot store into immutable memory}}
    ttng.async_tma_copy_global_to_local %d[%i, %i] %r, %b, %p
        : !tt.tensordesc<tensor<64x64xf16, #nv>>, !ttg.memdesc<1xi64, #line, #smem, mutable>
          -> !ttg.memdesc<64x64xf16, #nv, #smem>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_tma_copy_global_to_local_c4(%d: !tt.tensordesc<tensor<64x64xf16, #nv>>, %i: i32,
                                             %r: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>,
                                             %b: !ttg.memdesc<1xi64, #line, #smem, mutable>, %p: i1) {
    // expected-error @+1 {{TMA result must have NVMMA shared layout}}
    ttng.async_tma_copy_global_to_local %d[%i, %i] %r, %b, %p
        : !tt.tensordesc<tensor<64x64xf16, #nv>>, !ttg.memdesc<1xi64, #line, #smem, mutable>
          -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_tma_reduce_kind(%d: !tt.tensordesc<tensor<64x64xf16, #nv>>, %i: i32,
                                 %r: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{expected string or keyword containing one of the following enum values for attribute 'kind' [add, min, max, inc, dec, and, or, xor]}}
    ttng.async_tma_reduce mul, %d[%i, %i] %r
        : !tt.tensordesc<tensor<64x64xf16, #nv>>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_tma_gather_c1(%d: !tt.tensordesc<tensor<1x64xf16, #nv>>, %x: tensor<64xi32>, %i: i32,
                               %r: !ttg.memdesc<64x64xf16, #nv, #smem, mutable>,
                               %b: !ttg.memdesc<1xi32, #line, #smem, mutable>, %p: i1) {
    // expected-error @+1 {{barrier allocation must be a descriptor of 1xi64 type}}
    ttng.async_tma_gather %d[%x, %i] %r, %b, %p
        : !tt.tensordesc<tensor<1x64xf16, #nv>>, tensor<64xi32>, i32, !ttg.memdesc<1xi32, #line, #smem, mutable>,
          !ttg.memdesc<64x64xf16, #nv, #smem, mutable>, i1
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_tma_gather_c2(%d: !tt.tensordesc<tensor<1x64xf16, #nv>>, %x: tensor<64xi32>, %i: i32,
                               %r: !ttg.memdesc<64x64xf16, #nv, #smem>, %b: !ttg.memdesc<1xi64, #line, #smem, mutable>,
                               %p: i1) {
    // expected-error @+1 {{cannot store into immutable memory}}
    ttng.async_tma_gather %d[%x, %i] %r, %b, %p
        : !tt.tensordesc<tensor<1x64xf16, #nv>>, tensor<64xi32>, i32, !ttg.memdesc<1xi64, #line, #smem, mutable>,
          !ttg.memdesc<64x64xf16, #nv, #smem>, i1
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_tma_gather_c3_offsets(%d: !tt.tensordesc<tensor<1x64xf16, #nv>>, %x: tensor<64x1xi32>, %i: i32,
                                       %r: !ttg.memdesc<64x64xf16, #nv, #smem, mutable>,
                                       %b: !ttg.memdesc<1xi64, #line, #smem, mutable>, %p: i1) {
    // expected-error @+1 {{x offsets must be a 1D tensor}}
    ttng.async_tma_gather %d[%x, %i] %r, %b, %p
        : !tt.tensordesc<tensor<1x64xf16, #nv>>, tensor<64x1xi32>, i32, !ttg.memdesc<1xi64, #line, #smem, mutable>,
          !ttg.memdesc<64x64xf16, #nv, #smem, mutable>, i1
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_tma_gather_c3_rows(%d: !tt.tensordesc<tensor<1x64xf16, #nv>>, %x: tensor<4xi32>, %i: i32,
                                    %r: !ttg.memdesc<4x64xf16, #nv, #smem, mutable>,
                                    %b: !ttg.memdesc<1xi64, #line, #smem, mutable>, %p: i1) {
    // expected-error @+1 {{gather must have at least 8 rows}}
    ttng.async_tma_gather %d[%x, %i] %r, %b, %p
        : !tt.tensordesc<tensor<1x64xf16, #nv>>, tensor<4xi32>, i32, !ttg.memdesc<1xi64, #line, #smem, mutable>,
          !ttg.memdesc<4x64xf16, #nv, #smem, mutable>, i1
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_tma_gather_c3_count(%d: !tt.tensordesc<tensor<1x64xf16, #nv>>, %x: tensor<32xi32>, %i: i32,
                                     %r: !ttg.memdesc<64x64xf16, #nv, #smem, mutable>,
                                     %b: !ttg.memdesc<1xi64, #line, #smem, mutable>, %p: i1) {
    // expected-error @+1 {{result tensor must have as many rows as indices (32)}}
    ttng.async_tma_gather %d[%x, %i] %r, %b, %p
        : !tt.tensordesc<tensor<1x64xf16, #nv>>, tensor<32xi32>, i32, !ttg.memdesc<1xi64, #line, #smem, mutable>,
          !ttg.memdesc<64x64xf16, #nv, #smem, mutable>, i1
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_tma_gather_c3_rank(%d: !tt.tensordesc<tensor<1x64xf16, #nv>>, %x: tensor<64xi32>, %i: i32,
                                    %r: !ttg.memdesc<2x64x64xf16, #nv, #smem, mutable>,
                                    %b: !ttg.memdesc<1xi64, #line, #smem, mutable>, %p: i1) {
    // expected-error @+1 {{result must be a 2D tensor}}
    ttng.async_tma_gather %d[%x, %i] %r, %b, %p
        : !tt.tensordesc<tensor<1x64xf16, #nv>>, tensor<64xi32>, i32, !ttg.memdesc<1xi64, #line, #smem, mutable>,
          !ttg.memdesc<2x64x64xf16, #nv, #smem, mutable>, i1
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_tma_gather_c4_f16(%d: !tt.tensordesc<tensor<1x8xf16, #nv>>, %x: tensor<64xi32>, %i: i32,
                                   %r: !ttg.memdesc<64x8xf16, #nv, #smem, mutable>,
                                   %b: !ttg.memdesc<1xi64, #line, #smem, mutable>, %p: i1) {
    // expected-error @+1 {{gather of 'f16' must have at least 16 columns}}
    ttng.async_tma_gather %d[%x, %i] %r, %b, %p
        : !tt.tensordesc<tensor<1x8xf16, #nv>>, tensor<64xi32>, i32, !ttg.memdesc<1xi64, #line, #smem, mutable>,
          !ttg.memdesc<64x8xf16, #nv, #smem, mutable>, i1
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_tma_gather_c4_i8(%d: !tt.tensordesc<tensor<1x16xi8, #nv>>, %x: tensor<64xi32>, %i: i32,
                                  %r: !ttg.memdesc<64x16xi8, #nv, #smem, mutable>,
                                  %b: !ttg.memdesc<1xi64, #line, #smem, mutable>, %p: i1) {
    // expected-error @+1 {{gather of 'i8' must have at least 32 columns}}
    ttng.async_tma_gather %d[%x, %i] %r, %b, %p
        : !tt.tensordesc<tensor<1x16xi8, #nv>>, tensor<64xi32>, i32, !ttg.memdesc<1xi64, #line, #smem, mutable>,
          !ttg.memdesc<64x16xi8, #nv, #smem, mutable>, i1
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_tma_gather_c4_f64(%d: !tt.tensordesc<tensor<1x64xf64, #nv>>, %x: tensor<64xi32>, %i: i32,
                                   %r: !ttg.memdesc<64x64xf64, #nv, #smem, mutable>,
                                   %b: !ttg.memdesc<1xi64, #line, #smem, mutable>, %p: i1) {
    // expected-error @+1 {{TMA dtype cannot be greater than 32 bits}}
    ttng.async_tma_gather %d[%x, %i] %r, %b, %p
        : !tt.tensordesc<tensor<1x64xf64, #nv>>, tensor<64xi32>, i32, !ttg.memdesc<1xi64, #line, #smem, mutable>,
          !ttg.memdesc<64x64xf64, #nv, #smem, mutable>, i1
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_tma_scatter_c1(%d: !tt.tensordesc<tensor<1x64xf16, #nv>>, %x: tensor<32xi32>, %i: i32,
                                %r: !ttg.memdesc<64x64xf16, #nv, #smem>) {
    // expected-error @+1 {{result tensor must have as many rows as indices (32)}}
    ttng.async_tma_scatter %d[%x, %i] %r
        : !tt.tensordesc<tensor<1x64xf16, #nv>>, tensor<32xi32>, i32, !ttg.memdesc<64x64xf16, #nv, #smem>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_tma_scatter_c2(%d: !tt.tensordesc<tensor<1x8xf16, #nv>>, %x: tensor<64xi32>, %i: i32,
                                %r: !ttg.memdesc<64x8xf16, #nv, #smem>) {
    // expected-error @+1 {{gather of 'f16' must have at least 16 columns}}
    ttng.async_tma_scatter %d[%x, %i] %r
        : !tt.tensordesc<tensor<1x8xf16, #nv>>, tensor<64xi32>, i32, !ttg.memdesc<64x8xf16, #nv, #smem>
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tensormap_create_c1_size(%p: !tt.ptr<i8>, %i: i32, %l: i64) {
    // expected-error @+1 {{Rank mismatch for global dim. Got 1 but expected 2}}
    ttng.tensormap_create %p, %p, [%i, %i], [%i], [%l], [%i, %i] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32}
        : (!tt.ptr<i8>, !tt.ptr<i8>, i32, i32, i32, i64, i32, i32) -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tensormap_create_c1_stride(%p: !tt.ptr<i8>, %i: i32, %l: i64) {
    // expected-error @+1 {{Rank mismatch for global stride. Got 0 but expected one less than 2}}
    ttng.tensormap_create %p, %p, [%i, %i], [%i, %i], [], [%i, %i] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32}
        : (!tt.ptr<i8>, !tt.ptr<i8>, i32, i32, i32, i32, i32, i32) -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tensormap_create_c1_step(%p: !tt.ptr<i8>, %i: i32, %l: i64) {
    // expected-error @+1 {{Rank mismatch for element stride. Got 1 but expected 2}}
    ttng.tensormap_create %p, %p, [%i, %i], [%i, %i], [%l], [%i] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32}
        : (!tt.ptr<i8>, !tt.ptr<i8>, i32, i32, i32, i32, i64, i32) -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tensormap_create_c1_nothing(%p: !tt.ptr<i8>, %i: i32, %l: i64) {
    // expected-error @+1 {{Rank mismatch for global stride. Got 0 but expected one less than 0}}
    ttng.tensormap_create %p, %p, [], [], [], [] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32}
        : (!tt.ptr<i8>, !tt.ptr<i8>) -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tensormap_create_c2_type(%p: !tt.ptr<i8>, %i: i32, %l: i64) {
    // expected-error @+1 {{attribute 'elem_type' failed to satisfy constraint: 32-bit signless integer attribute whose value is non-negative whose maximum value is 15}}
    ttng.tensormap_create %p, %p, [%i, %i], [%i, %i], [%l], [%i, %i] {elem_type = 16 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32}
        : (!tt.ptr<i8>, !tt.ptr<i8>, i32, i32, i32, i32, i64, i32, i32) -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tensormap_create_c2_swizzle(%p: !tt.ptr<i8>, %i: i32, %l: i64) {
    // expected-error @+1 {{attribute 'swizzle_mode' failed to satisfy constraint: 32-bit signless integer attribute whose value is non-negative whose maximum value is 3}}
    ttng.tensormap_create %p, %p, [%i, %i], [%i, %i], [%l], [%i, %i] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 4 : i32}
        : (!tt.ptr<i8>, !tt.ptr<i8>, i32, i32, i32, i32, i64, i32, i32) -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @reinterpret_tensor_descriptor_operand(%p: i64) {
    // expected-error @+1 {{operand #0 must be ptr}}
    %0 = "ttng.reinterpret_tensor_descriptor"(%p) : (i64) -> !tt.tensordesc<tensor<64x64xf16>>
    tt.return
  }
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_tma_copy_global_to_local_c5_number(%desc: !ttng.tensordesc_im2col<64x64xf16, #shared>, %i: i32, %o: i16, %pred: i1,
                                                    %buffer: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %bar: !ttg.memdesc<1xi64, #bar, #smem, mutable>) {
    // expected-error @+1 {{a copy by a descriptor of images must have 3 to 5 coordinates and two offsets less, found 4 and 1}}
    ttng.async_tma_copy_global_to_local %desc[%i, %i, %i, %i] offsets = [%o] %buffer, %bar, %pred
        : !ttng.tensordesc_im2col<64x64xf16, #shared>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_tma_copy_global_to_local_c5_rank(%desc: !ttng.tensordesc_im2col<64x64xf16, #shared>, %i: i32, %pred: i1,
                                                  %buffer: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %bar: !ttg.memdesc<1xi64, #bar, #smem, mutable>) {
    // expected-error @+1 {{a copy by a descriptor of images must have 3 to 5 coordinates and two offsets less, found 2 and 0}}
    ttng.async_tma_copy_global_to_local %desc[%i, %i] %buffer, %bar, %pred
        : !ttng.tensordesc_im2col<64x64xf16, #shared>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_tma_copy_global_to_local_c5_blocks(%desc: !tt.tensordesc<tensor<64x64xf16, #shared>>, %i: i32, %o: i16, %pred: i1,
                                                    %buffer: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %bar: !ttg.memdesc<1xi64, #bar, #smem, mutable>) {
    // expected-error @+1 {{offsets are for a descriptor of images; found '!tt.tensordesc}}
    ttng.async_tma_copy_global_to_local %desc[%i, %i] offsets = [%o] %buffer, %bar, %pred
        : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_tma_copy_global_to_local_c5_order(%desc: !ttng.tensordesc_im2col<64x64xf16, #shared>, %i: i32, %o: i16, %pred: i1,
                                                   %buffer: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %bar: !ttg.memdesc<1xi64, #bar, #smem, mutable>) {
    // expected-error @+1 {{offsets, of type i16, must follow the coordinates, of type i32}}
    "ttng.async_tma_copy_global_to_local"(%desc, %i, %o, %i, %i, %bar, %buffer, %pred)
        : (!ttng.tensordesc_im2col<64x64xf16, #shared>, i32, i16, i32, i32, !ttg.memdesc<1xi64, #bar, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, i1) -> ()
    tt.return
  }
}

// -----

// expected-error @+1 {{unknown type `tensor_of_images` in dialect `ttng`; it has `tensordesc_im2col`}}
tt.func private @unknown_type(!ttng.tensor_of_images<64x64xf16>)
