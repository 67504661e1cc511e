// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 8}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tmem1 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1>
#tmem2 = #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 2>
#tmem3 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CTASplitM = 2, twoCTAs = true>
#tmem_scales = #ttng.tensor_memory_scales_encoding<>
#tmem_scales1 = #ttng.tensor_memory_scales_encoding<CTASplitM = 2>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:100"} {
  // Layouts of accumulators, of several buffers, of scales.
  // CHECK-LABEL: @tmem_alloc
  tt.func @tmem_alloc(%x: tensor<128x64xf32, #blocked>) {
    // CHECK: ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf32, #tmem{{[0-9]*}}, #ttng.tensor_memory, mutable>
    %0 = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    // CHECK: ttng.tmem_alloc
    // CHECK-SAME: : ()
    // CHECK-SAME: -> (!ttg.memdesc<2x128x64xf32, #tmem{{[0-9]*}}, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %1, %token1 = ttng.tmem_alloc
        : () -> (!ttg.memdesc<2x128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    // CHECK: ttng.tmem_alloc %{{[a-z0-9_]+}}
    // CHECK-SAME: : (tensor<128x64xf32, #blocked{{[0-9]*}}>)
    // CHECK-SAME: -> !ttg.memdesc<128x64xf32, #tmem{{[0-9]*}}, #ttng.tensor_memory>
    %2 = ttng.tmem_alloc %x : (tensor<128x64xf32, #blocked>) -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory>
    // CHECK: ttng.tmem_alloc %{{[a-z0-9_]+}} {tensor_memory_col_offset = 0 : i32}
    // CHECK-SAME: : (tensor<128x64xf32, #blocked{{[0-9]*}}>)
    // CHECK-SAME: -> (!ttg.memdesc<128x64xf32, #tmem{{[0-9]*}}, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %3, %token3 = ttng.tmem_alloc %x {tensor_memory_col_offset = 0 : i32}
        : (tensor<128x64xf32, #blocked>)
          -> (!ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    // CHECK: ttng.tmem_alloc : () -> !ttg.memdesc<64x128xf16, #tmem{{[0-9]*}}, #ttng.tensor_memory, mutable>
    %4 = ttng.tmem_alloc : () -> !ttg.memdesc<64x128xf16, #tmem2, #ttng.tensor_memory, mutable>
    // CHECK: ttng.tmem_alloc : () -> !ttg.memdesc<256x64xf32, #tmem{{[0-9]*}}, #ttng.tensor_memory, mutable>
    %5 = ttng.tmem_alloc : () -> !ttg.memdesc<256x64xf32, #tmem3, #ttng.tensor_memory, mutable>
    // CHECK: ttng.tmem_alloc : () -> !ttg.memdesc<128x4xi8, #tmem_scales{{[0-9]*}}, #ttng.tensor_memory, mutable>
    %6 = ttng.tmem_alloc : () -> !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory, mutable>
    // CHECK: ttng.tmem_alloc : () -> !ttg.memdesc<256x4xi8, #tmem_scales{{[0-9]*}}, #ttng.tensor_memory, mutable>
    %7 = ttng.tmem_alloc : () -> !ttg.memdesc<256x4xi8, #tmem_scales1, #ttng.tensor_memory, mutable>
    tt.return
  }

  // CHECK-LABEL: @tmem_subslice
  tt.func @tmem_subslice(%d: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>) {
    // CHECK: ttng.tmem_subslice %{{[a-z0-9_]+}} {N = 32 : i32}
    // CHECK-SAME: : !ttg.memdesc<128x64xf32, #tmem{{[0-9]*}}, #ttng.tensor_memory, mutable>
    // CHECK-SAME: -> !ttg.memdesc<128x32xf32, #tmem{{[0-9]*}}, #ttng.tensor_memory, mutable, 128x64>
    %0 = ttng.tmem_subslice %d {N = 32 : i32}
        : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
          -> !ttg.memdesc<128x32xf32, #tmem1, #ttng.tensor_memory, mutable, 128x64>
    tt.return
  }

  // With no token, a token of an access before, and none before.
  // CHECK-LABEL: @tmem_load
  tt.func @tmem_load(%d: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %before: !ttg.async.token) {
    // CHECK: ttng.tmem_load %{{[a-z0-9_]+}}
    // CHECK-SAME: : !ttg.memdesc<128x64xf32, #tmem{{[0-9]*}}, #ttng.tensor_memory, mutable>
    // CHECK-SAME: -> tensor<128x64xf32, #blocked{{[0-9]*}}>
    %0 = ttng.tmem_load %d
        : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #blocked>
    // CHECK: ttng.tmem_load %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}]
    // CHECK-SAME: : !ttg.memdesc<128x64xf32, #tmem{{[0-9]*}}, #ttng.tensor_memory, mutable>
    // CHECK-SAME: -> tensor<128x64xf32, #blocked{{[0-9]*}}>
    %1, %token1 = ttng.tmem_load %d[%before]
        : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #blocked>
    // CHECK: ttng.tmem_load %{{[a-z0-9_]+}}[]
    // CHECK-SAME: : !ttg.memdesc<128x64xf32, #tmem{{[0-9]*}}, #ttng.tensor_memory, mutable>
    // CHECK-SAME: -> tensor<128x64xf32, #blocked{{[0-9]*}}>
    %2, %token2 = ttng.tmem_load %d[]
        : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #blocked>
    // CHECK: ttng.tmem_load %{{[a-z0-9_]+}}
    // CHECK-SAME: : !ttg.memdesc<128x64xf32, #tmem{{[0-9]*}}, #ttng.tensor_memory, mutable> -> tensor<128x64xf32>
    %3 = ttng.tmem_load %d : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32>
    tt.return
  }

  // CHECK-LABEL: @tmem_store
  tt.func @tmem_store(%x: tensor<128x64xf32, #blocked>, %pred: i1, %before: !ttg.async.token,
                      %d: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>) {
    // CHECK: ttng.tmem_store %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}
    // CHECK-SAME: : tensor<128x64xf32, #blocked{{[0-9]*}}>
    // CHECK-SAME: -> !ttg.memdesc<128x64xf32, #tmem{{[0-9]*}}, #ttng.tensor_memory, mutable>
    ttng.tmem_store %x, %d, %pred
        : tensor<128x64xf32, #blocked> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    // CHECK: ttng.tmem_store %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}], %{{[a-z0-9_]+}}
    // CHECK-SAME: : tensor<128x64xf32, #blocked{{[0-9]*}}>
    // CHECK-SAME: -> !ttg.memdesc<128x64xf32, #tmem{{[0-9]*}}, #ttng.tensor_memory, mutable>
    %0 = ttng.tmem_store %x, %d[%before], %pred
        : tensor<128x64xf32, #blocked> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    // CHECK: ttng.tmem_store %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}[], %{{[a-z0-9_]+}} {tag}
    // CHECK-SAME: : tensor<128x64xf32, #blocked{{[0-9]*}}>
    // CHECK-SAME: -> !ttg.memdesc<128x64xf32, #tmem{{[0-9]*}}, #ttng.tensor_memory, mutable>
    %1 = ttng.tmem_store %x, %d[], %pred {tag}
        : tensor<128x64xf32, #blocked> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    tt.return
  }

  // CHECK-LABEL: @tmem_copy
  tt.func @tmem_copy(%s: !ttg.memdesc<128x4xi8, #shared, #smem>, %d: !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory, mutable>,
                     %x: !ttg.memdesc<128x64xf32, #shared2, #smem>, %acc: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>,
                     %bar: !ttg.memdesc<1xi64, #shared1, #smem, mutable>) {
    // CHECK: ttng.tmem_copy %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}
    // CHECK-SAME: : !ttg.memdesc<128x4xi8, #shared{{[0-9]*}}, #smem>,
    // CHECK-SAME: !ttg.memdesc<128x4xi8, #tmem_scales{{[0-9]*}}, #ttng.tensor_memory, mutable>
    ttng.tmem_copy %s, %d
        : !ttg.memdesc<128x4xi8, #shared, #smem>, !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory, mutable>
    // CHECK: ttng.tmem_copy %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}
    // CHECK-SAME: : !ttg.memdesc<128x4xi8, #shared{{[0-9]*}}, #smem>,
    // CHECK-SAME: !ttg.memdesc<128x4xi8, #tmem_scales{{[0-9]*}}, #ttng.tensor_memory, mutable>,
    // CHECK-SAME: !ttg.memdesc<1xi64, #shared{{[0-9]*}}, #smem, mutable>
    ttng.tmem_copy %s, %d, %bar
        : !ttg.memdesc<128x4xi8, #shared, #smem>, !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory, mutable>,
          !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    // CHECK: ttng.tmem_copy %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}
    // CHECK-SAME: : !ttg.memdesc<128x64xf32, #shared{{[0-9]*}}, #smem>,
    // CHECK-SAME: !ttg.memdesc<128x64xf32, #tmem{{[0-9]*}}, #ttng.tensor_memory, mutable>
    ttng.tmem_copy %x, %acc
        : !ttg.memdesc<128x64xf32, #shared2, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    tt.return
  }

  // CHECK-LABEL: @tmem_wait
  tt.func @tmem_wait() {
    // CHECK: ttng.tmem_wait load
    ttng.tmem_wait load
    // CHECK: ttng.tmem_wait store
    ttng.tmem_wait store
    tt.return
  }
}
