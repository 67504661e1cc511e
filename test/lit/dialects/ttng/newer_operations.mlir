// RUN: tt-opt %s --mlir-print-local-scope | tt-opt --mlir-print-local-scope | FileCheck %s
// Operations and attributes as Triton 3.8 and 3.9 write them.

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#half = #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1>
#whole = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#tm = #ttng.tensor_memory
#bytes = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
#turned = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 8}>
#smem = #ttg.shared_memory
#padded = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CGALayout = [], twoCTAs = false, fp4Padded = true>
#packed = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, fp4Padded = false>
#turned_scales = #ttng.tensor_memory_scales_encoding<CGALayout = [], blockRepOrder = kThenMn>
#plain_scales = #ttng.tensor_memory_scales_encoding<blockRepOrder = mnThenK>
#row = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#pairs = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  // CHECK-LABEL: @part
  tt.func @part() {
    %0 = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    // CHECK: ttng.tmem_subslice %{{.*}} {N = 32 : i32} :
    %1 = ttng.tmem_subslice %0 {offset = 32 : i32} : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable> -> !ttg.memdesc<128x32xf32, #half, #tm, mutable, 128x64>
    tt.return
  }

  // CHECK-LABEL: @layouts
  tt.func @layouts() {
    // CHECK: #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, fp4Padded = true>
    %0 = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xi8, #padded, #tm, mutable>
    // CHECK: #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
    %1 = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xi8, #packed, #tm, mutable>
    // CHECK: #ttng.tensor_memory_scales_encoding<blockRepOrder = kThenMn>
    %2 = ttng.tmem_alloc : () -> !ttg.memdesc<256x16xi8, #turned_scales, #tm, mutable>
    // CHECK: #ttng.tensor_memory_scales_encoding<>
    %3 = ttng.tmem_alloc : () -> !ttg.memdesc<256x16xi8, #plain_scales, #tm, mutable>
    tt.return
  }

  // CHECK-LABEL: @rows_of_a_load
  tt.func @rows_of_a_load(%d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, %t: !ttg.async.token) {
    // CHECK: %{{.*}}, %{{.*}}, %{{.*}} = ttng.tmem_load %{{.*}}[%{{.*}}] {NaN = true, abs = false, redOp = #ttng.redOp<max>} : {{.*}} -> tensor<128x64xf32, {{.*}}>, tensor<128xf32, #ttg.slice
    %0, %1, %2 = ttng.tmem_load %d[%t] {redOp = #ttng.redOp<max>, abs = false, NaN = true} : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable> -> tensor<128x64xf32, #row>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #row}>>
    // CHECK: %{{.*}}, %{{.*}} = ttng.tmem_load %{{.*}} {redOp = #ttng.redOp<min>} :
    %3, %4 = "ttng.tmem_load"(%d) <{redOp = #ttng.redOp<min>, resultSegmentSizes = array<i32: 1, 0, 1>}> : (!ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) -> (tensor<128x64xf32, #row>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #row}>>)
    tt.return
  }

  // CHECK-LABEL: @policies
  tt.func @policies(%p: tensor<256x!tt.ptr<f32>, #pairs>) {
    // CHECK: tt.load %{{.*}} {cachePolicy = #ttng.cache_policy<l1 = evict_last, l2_fraction = 5.000000e-01 : f32, l2_prefetch_size = 128 : i32, l2_primary = evict_first, l2_secondary = evict_unchanged>}
    %0 = tt.load %p {cachePolicy = #ttng.cache_policy<l1 = evict_last, l2_primary = evict_first, l2_secondary = evict_unchanged, l2_fraction = 5.000000e-01 : f32, l2_prefetch_size = 128 : i32>} : tensor<256x!tt.ptr<f32>, #pairs>
    // CHECK: tt.store %{{.*}}, %{{.*}} {cachePolicy = #ttng.cache_policy<cache_modifier = wt>}
    tt.store %p, %0 {cachePolicy = #ttng.cache_policy<cache_modifier = wt>} : tensor<256x!tt.ptr<f32>, #pairs>
    tt.return
  }

  // CHECK-LABEL: @rows
  tt.func @rows(%a: !ttg.memdesc<128x128xi8, #bytes, #smem>, %b: !ttg.memdesc<128x128xi8, #turned, #smem>, %true: i1) {
    %0 = ttng.tmem_alloc : () -> !ttg.memdesc<256x128xi32, #whole, #tm, mutable>
    // CHECK: ttng.tmem_subslice %{{.*}} {N = 128 : i32, dim = 0 : i32} :
    %1 = ttng.tmem_subslice %0 {offset = 128 : i32, dim = 0 : i32} : !ttg.memdesc<256x128xi32, #whole, #tm, mutable> -> !ttg.memdesc<128x128xi32, #whole, #tm, mutable, 256x128>
    // CHECK: ttng.tc_gen5_mma {{.*}} {is_unsigned} :
    ttng.tc_gen5_mma %a, %b, %1, %true, %true {is_unsigned} : !ttg.memdesc<128x128xi8, #bytes, #smem>, !ttg.memdesc<128x128xi8, #turned, #smem>, !ttg.memdesc<128x128xi32, #whole, #tm, mutable, 256x128>
    tt.return
  }

  // CHECK-LABEL: @barriers
  tt.func @barriers() {
    // CHECK: ttng.cluster_barrier
    ttng.cluster_barrier
    // CHECK: ttng.cluster_barrier {relaxed = true}
    ttng.cluster_barrier {relaxed = true}
    // CHECK: ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    tt.return
  }
}
