// RUN: tt-opt %s -split-input-file -verify-diagnostics

#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-error @+1 {{blockM must be 64 or 128 but got 32}}
  tt.func @tensor_memory_encoding_rows(%d: !ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 32, blockN = 64, colStride = 1>, #tm>) {
    tt.return
  }
}

// -----

#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-error @+1 {{blockN must be a power of 2 but got 48}}
  tt.func @tensor_memory_encoding_columns(%d: !ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 48, colStride = 1>, #tm>) {
    tt.return
  }
}

// -----

#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-error @+1 {{colStride must be 1, 2, or 4 but got 3}}
  tt.func @tensor_memory_encoding_stride(%d: !ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 3>, #tm>) {
    tt.return
  }
}

// -----

#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-error @+1 {{CTASplitM and CTASplitN must be greater than 0 and a power of 2}}
  tt.func @tensor_memory_encoding_split(%d: !ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CTASplitM = 0>, #tm>) {
    tt.return
  }
}

// -----

#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-error @+1 {{unexpected key: CGALayout}}
  tt.func @tensor_memory_encoding_both(%d: !ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CTASplitM = 1, CGALayout = [[0, 1]]>, #tm>) {
    tt.return
  }
}

// -----

#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-error @+1 {{'CGALayout' must reach every part of the tensor}}
  tt.func @tensor_memory_encoding_gap(%d: !ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CGALayout = [[0, 2]]>, #tm>) {
    tt.return
  }
}

// -----

#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-error @+1 {{struct is missing required parameter: colStride}}
  tt.func @tensor_memory_encoding_missing(%d: !ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64>, #tm>) {
    tt.return
  }
}

// -----

#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-error @+1 {{unknown attribute `tensor_memory_layout` in dialect `ttng`}}
  tt.func @tensor_memory_unknown_attribute(%d: !ttg.memdesc<128x64xf32, #ttng.tensor_memory_layout, #tm>) {
    tt.return
  }
}

// -----

#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-error @+1 {{CTASplitM and CTASplitN must be greater than 0 and a power of 2}}
  tt.func @tensor_memory_scales_split(%d: !ttg.memdesc<128x64xf32, #ttng.tensor_memory_scales_encoding<CTASplitN = 3>, #tm>) {
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-error @+1 {{memorySpace must be TensorMemorySpace}}
  tt.func @tensor_memory_in_shared_memory(%d: !ttg.memdesc<128x64xf32, #tmem, #smem>) {
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-error @+1 {{rank must be 2 or 3}}
  tt.func @tensor_memory_rank(%d: !ttg.memdesc<128xf32, #tmem, #tm>) {
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-error @+1 {{the allocation shape must be at least 128x64. Got 64, 64}}
  tt.func @tensor_memory_too_small(%d: !ttg.memdesc<64x64xf32, #tmem, #tm>) {
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-error @+1 {{nCol / (CTASplitM * CTASplitN) must be less than or equal to 512 * 32 / bitwidth but got 1024}}
  tt.func @tensor_memory_too_wide(%d: !ttg.memdesc<128x1024xf32, #tmem, #tm>) {
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-error @+1 {{bitwidth * colStride must be less than or equal to 32. Got 64 and 1}}
  tt.func @tensor_memory_too_many_bits(%d: !ttg.memdesc<128x64xf64, #tmem, #tm>) {
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-error @+1 {{tensor memory holds integers and floats}}
  tt.func @tensor_memory_of_pointers(%d: !ttg.memdesc<128x64x!tt.ptr<f32>, #tmem, #tm>) {
    tt.return
  }
}

// -----

#scales = #ttng.tensor_memory_scales_encoding<>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-error @+1 {{bitwidth must be 8}}
  tt.func @tensor_memory_scales_of_floats(%d: !ttg.memdesc<128x4xf32, #scales, #tm>) {
    tt.return
  }
}

// -----

#scales = #ttng.tensor_memory_scales_encoding<>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-error @+1 {{Scales don't currently support multibuffering}}
  tt.func @tensor_memory_scales_rank(%d: !ttg.memdesc<2x128x4xi8, #scales, #tm>) {
    tt.return
  }
}

// -----

#scales = #ttng.tensor_memory_scales_encoding<>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-error @+1 {{memorySpace must be TensorMemorySpace}}
  tt.func @tensor_memory_scales_in_shared_memory(%d: !ttg.memdesc<128x4xi8, #scales, #smem>) {
    tt.return
  }
}
