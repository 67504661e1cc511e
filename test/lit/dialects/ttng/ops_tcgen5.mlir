// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tmem_scales = #ttng.tensor_memory_scales_encoding<>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:100"} {
  // With and without tokens and barriers; the left operand in either memory.
  // CHECK-LABEL: @tc_gen5_mma
  tt.func @tc_gen5_mma(%a: !ttg.memdesc<128x64xf16, #shared, #smem>, %b: !ttg.memdesc<64x64xf16, #shared, #smem>,
                       %d: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %p: i1, %before: !ttg.async.token,
                       %t: !ttg.memdesc<128x64xf16, #tmem, #ttng.tensor_memory>,
                       %bar: !ttg.memdesc<1xi64, #shared1, #smem, mutable>) {
    // CHECK: ttng.tc_gen5_mma %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}
    // CHECK-SAME: : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem>,
    // CHECK-SAME: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    ttng.tc_gen5_mma %a, %b, %d, %p, %p
        : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem>,
          !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    // CHECK: ttng.tc_gen5_mma %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}], %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}
    // CHECK-SAME: : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem>,
    // CHECK-SAME: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    %0 = ttng.tc_gen5_mma %a, %b, %d[%before], %p, %p
        : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem>,
          !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    // CHECK: ttng.tc_gen5_mma %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}[], %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}] {is_async}
    // CHECK-SAME: : !ttg.memdesc<128x64xf16, #tmem, #ttng.tensor_memory>, !ttg.memdesc<64x64xf16, #shared, #smem>,
    // CHECK-SAME: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>,
    // CHECK-SAME: !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %1 = ttng.tc_gen5_mma %t, %b, %d[], %p, %p, %bar[%p] {is_async}
        : !ttg.memdesc<128x64xf16, #tmem, #ttng.tensor_memory>, !ttg.memdesc<64x64xf16, #shared, #smem>,
          !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    // CHECK: ttng.tc_gen5_mma %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}], %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}] {is_async}
    // CHECK-SAME: : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem>,
    // CHECK-SAME: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>,
    // CHECK-SAME: !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.tc_gen5_mma %a, %b, %d, %p, %p, %bar[%p], %bar[%p] {is_async}
        : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem>,
          !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>,
          !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    tt.return
  }

  // fp8, and fp4 packed along K of the first and along N of the second operand.
  // CHECK-LABEL: @tc_gen5_mma_scaled
  tt.func @tc_gen5_mma_scaled(%a: !ttg.memdesc<128x128xf8E4M3FN, #shared2, #smem>, %b: !ttg.memdesc<128x64xf8E4M3FN, #shared2, #smem>,
                              %d: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %p: i1, %before: !ttg.async.token,
                              %sa: !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory>,
                              %sb: !ttg.memdesc<64x4xi8, #tmem_scales, #ttng.tensor_memory>,
                              %a4: !ttg.memdesc<128x64xi8, #shared2, #smem>, %b4: !ttg.memdesc<128x32xi8, #shared2, #smem>,
                              %bar: !ttg.memdesc<1xi64, #shared1, #smem, mutable>) {
    // CHECK: ttng.tc_gen5_mma_scaled %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} lhs = e4m3 rhs = e4m3
    // CHECK-SAME: : !ttg.memdesc<128x128xf8E4M3FN, #shared2, #smem>,
    // CHECK-SAME: !ttg.memdesc<128x64xf8E4M3FN, #shared2, #smem>,
    // CHECK-SAME: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>,
    // CHECK-SAME: !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory>,
    // CHECK-SAME: !ttg.memdesc<64x4xi8, #tmem_scales, #ttng.tensor_memory>
    ttng.tc_gen5_mma_scaled %a, %b, %d, %sa, %sb, %p, %p lhs = e4m3 rhs = e4m3
        : !ttg.memdesc<128x128xf8E4M3FN, #shared2, #smem>, !ttg.memdesc<128x64xf8E4M3FN, #shared2, #smem>,
          !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>,
          !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory>,
          !ttg.memdesc<64x4xi8, #tmem_scales, #ttng.tensor_memory>
    // CHECK: ttng.tc_gen5_mma_scaled %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}], %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} lhs = e4m3 rhs = e5m2, %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}] {is_async}
    // CHECK-SAME: : !ttg.memdesc<128x128xf8E4M3FN, #shared2, #smem>,
    // CHECK-SAME: !ttg.memdesc<128x64xf8E4M3FN, #shared2, #smem>,
    // CHECK-SAME: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>,
    // CHECK-SAME: !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory>,
    // CHECK-SAME: !ttg.memdesc<64x4xi8, #tmem_scales, #ttng.tensor_memory>,
    // CHECK-SAME: !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %0 = ttng.tc_gen5_mma_scaled %a, %b, %d[%before], %sa, %sb, %p, %p lhs = e4m3 rhs = e5m2, %bar[%p] {is_async}
        : !ttg.memdesc<128x128xf8E4M3FN, #shared2, #smem>, !ttg.memdesc<128x64xf8E4M3FN, #shared2, #smem>,
          !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>,
          !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory>,
          !ttg.memdesc<64x4xi8, #tmem_scales, #ttng.tensor_memory>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    // CHECK: ttng.tc_gen5_mma_scaled %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} lhs = e2m1 rhs = e2m1
    // CHECK-SAME: : !ttg.memdesc<128x64xi8, #shared2, #smem>, !ttg.memdesc<128x32xi8, #shared2, #smem>,
    // CHECK-SAME: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>,
    // CHECK-SAME: !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory>,
    // CHECK-SAME: !ttg.memdesc<64x4xi8, #tmem_scales, #ttng.tensor_memory>
    ttng.tc_gen5_mma_scaled %a4, %b4, %d, %sa, %sb, %p, %p lhs = e2m1 rhs = e2m1
        : !ttg.memdesc<128x64xi8, #shared2, #smem>, !ttg.memdesc<128x32xi8, #shared2, #smem>,
          !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>,
          !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory>,
          !ttg.memdesc<64x4xi8, #tmem_scales, #ttng.tensor_memory>
    tt.return
  }

  // CHECK-LABEL: @tc_gen5_commit
  tt.func @tc_gen5_commit(%bar: !ttg.memdesc<1xi64, #shared1, #smem, mutable>, %p: i1) {
    // CHECK: ttng.tc_gen5_commit %{{.*}} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.tc_gen5_commit %bar : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    // CHECK: ttng.tc_gen5_commit %{{.*}}, %{{.*}} {two_ctas} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.tc_gen5_commit %bar, %p {two_ctas} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    // CHECK: ttng.tc_gen5_commit %{{.*}} descs %{{.*}}, %{{.*}} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.tc_gen5_commit %bar descs %bar, %bar : !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    // CHECK: ttng.tc_gen5_commit %{{.*}}, %{{.*}} descs %{{.*}} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.tc_gen5_commit %bar, %p descs %bar : !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    tt.return
  }
}
