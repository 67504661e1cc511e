// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#shared1 = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared3 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, rank = 3}>
#shared4 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#shared5 = #ttg.shared_linear<{offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]}, alignment = 16>
#shared6 = #ttg.padded_shared<[64:+8] {order = [1, 0], shape = [64, 64]}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // One of several buffers, also of three, in shared and in tensor memory.
  // CHECK-LABEL: @memdesc_index
  tt.func @memdesc_index(%b: !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>,
                         %t: !ttg.memdesc<2x128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %i: i32) {
    // CHECK: ttg.memdesc_index %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}]
    // CHECK-SAME: : !ttg.memdesc<3x64x64xf16, #shared{{[0-9]*}}, #smem, mutable>
    // CHECK-SAME: -> !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem, mutable>
    %0 = ttg.memdesc_index %b[%i]
        : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    // CHECK: ttg.memdesc_index %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}]
    // CHECK-SAME: : !ttg.memdesc<2x128x64xf32, #tmem{{[0-9]*}}, #ttng.tensor_memory, mutable>
    // CHECK-SAME: -> !ttg.memdesc<128x64xf32, #tmem{{[0-9]*}}, #ttng.tensor_memory, mutable>
    %1 = ttg.memdesc_index %t[%i]
        : !ttg.memdesc<2x128x64xf32, #tmem, #ttng.tensor_memory, mutable>
          -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    tt.return
  }

  // Cuts along rows and columns that do not go through the swizzling, of a part, and of nothing.
  // CHECK-LABEL: @memdesc_subslice
  tt.func @memdesc_subslice(%b: !ttg.memdesc<64x64xf16, #shared, #smem>, %v: !ttg.memdesc<32x64xf16, #shared4, #smem, 64x64>,
                            %p: !ttg.memdesc<64x64xf16, #shared6, #smem>) {
    // CHECK: ttg.memdesc_subslice %{{[a-z0-9_]+}}[0, 32]
    // CHECK-SAME: : !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem>
    // CHECK-SAME: -> !ttg.memdesc<64x32xf16, #shared{{[0-9]*}}, #smem, 64x64>
    %0 = ttg.memdesc_subslice %b[0, 32]
        : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<64x32xf16, #shared, #smem, 64x64>
    // CHECK: ttg.memdesc_subslice %{{[a-z0-9_]+}}[48, 0]
    // CHECK-SAME: : !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem>
    // CHECK-SAME: -> !ttg.memdesc<16x64xf16, #shared{{[0-9]*}}, #smem, 64x64>
    %1 = ttg.memdesc_subslice %b[48, 0]
        : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<16x64xf16, #shared, #smem, 64x64>
    // CHECK: ttg.memdesc_subslice %{{[a-z0-9_]+}}[16, 0]
    // CHECK-SAME: : !ttg.memdesc<32x64xf16, #shared{{[0-9]*}}, #smem, 64x64>
    // CHECK-SAME: -> !ttg.memdesc<16x64xf16, #shared{{[0-9]*}}, #smem, 64x64>
    %2 = ttg.memdesc_subslice %v[16, 0]
        : !ttg.memdesc<32x64xf16, #shared4, #smem, 64x64> -> !ttg.memdesc<16x64xf16, #shared4, #smem, 64x64>
    // CHECK: ttg.memdesc_subslice %{{[a-z0-9_]+}}[0, 0]
    // CHECK-SAME: : !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem>
    // CHECK-SAME: -> !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem>
    %3 = ttg.memdesc_subslice %b[0, 0]
        : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared, #smem>
    // CHECK: ttg.memdesc_subslice %{{[a-z0-9_]+}}[32, 0]
    // CHECK-SAME: : !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem>
    // CHECK-SAME: -> !ttg.memdesc<32x64xf16, #shared{{[0-9]*}}, #smem, 64x64>
    %4 = ttg.memdesc_subslice %p[32, 0]
        : !ttg.memdesc<64x64xf16, #shared6, #smem> -> !ttg.memdesc<32x64xf16, #shared6, #smem, 64x64>
    tt.return
  }

  // The result may name its layout otherwise.
  // CHECK-LABEL: @memdesc_trans
  tt.func @memdesc_trans(%b: !ttg.memdesc<64x64xf16, #shared, #smem>, %v: !ttg.memdesc<64x32xf16, #shared4, #smem>) {
    // CHECK: ttg.memdesc_trans %{{[a-z0-9_]+}} {order = array<i32: 1, 0>}
    // CHECK-SAME: : !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem>
    // CHECK-SAME: -> !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem>
    %0 = ttg.memdesc_trans %b {order = array<i32: 1, 0>}
        : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared1, #smem>
    // CHECK: ttg.memdesc_trans %{{[a-z0-9_]+}} {order = array<i32: 1, 0>}
    // CHECK-SAME: : !ttg.memdesc<64x32xf16, #shared{{[0-9]*}}, #smem>
    // CHECK-SAME: -> !ttg.memdesc<32x64xf16, #shared{{[0-9]*}}, #smem>
    %1 = ttg.memdesc_trans %v {order = array<i32: 1, 0>}
        : !ttg.memdesc<64x32xf16, #shared4, #smem> -> !ttg.memdesc<32x64xf16, #shared5, #smem>
    tt.return
  }

  // CHECK-LABEL: @memdesc_reshape
  tt.func @memdesc_reshape(%b: !ttg.memdesc<32x64xf16, #shared2, #smem, mutable>, %v: !ttg.memdesc<64x64xf16, #shared4, #smem>) {
    // CHECK: ttg.memdesc_reshape %{{[a-z0-9_]+}}
    // CHECK-SAME: : !ttg.memdesc<32x64xf16, #shared{{[0-9]*}}, #smem, mutable>
    // CHECK-SAME: -> !ttg.memdesc<4x8x64xf16, #shared{{[0-9]*}}, #smem, mutable>
    %0 = ttg.memdesc_reshape %b
        : !ttg.memdesc<32x64xf16, #shared2, #smem, mutable> -> !ttg.memdesc<4x8x64xf16, #shared3, #smem, mutable>
    // CHECK: ttg.memdesc_reshape %{{[a-z0-9_]+}}
    // CHECK-SAME: : !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem>
    // CHECK-SAME: -> !ttg.memdesc<128x32xf16, #shared{{[0-9]*}}, #smem>
    %1 = ttg.memdesc_reshape %v
        : !ttg.memdesc<64x64xf16, #shared4, #smem> -> !ttg.memdesc<128x32xf16, #shared4, #smem>
    tt.return
  }

  // CHECK-LABEL: @memdesc_reinterpret
  tt.func @memdesc_reinterpret(%b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
    // CHECK: ttg.memdesc_reinterpret %{{[a-z0-9_]+}}
    // CHECK-SAME: : !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem, mutable>
    // CHECK-SAME: -> !ttg.memdesc<32x64xf32, #shared{{[0-9]*}}, #smem, mutable>
    %0 = ttg.memdesc_reinterpret %b
        : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf32, #shared, #smem, mutable>
    tt.return
  }
}
