// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  // From shared memory and from registers, with every optional part, of 16-bit floats and fp8.
  // CHECK-LABEL: @warp_group_dot
  tt.func @warp_group_dot(%a: !ttg.memdesc<64x64xf16, #shared, #smem>, %b: !ttg.memdesc<64x64xf16, #shared1, #smem>,
                          %c: tensor<64x64xf32, #mma>, %use: i1,
                          %r: tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>,
                          %x: !ttg.memdesc<64x64xf8E4M3FN, #shared2, #smem>) {
    // CHECK: ttng.warp_group_dot %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}
    // CHECK-SAME: : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared1, #smem>
    // CHECK-SAME: -> tensor<64x64xf32, #mma>
    %0 = ttng.warp_group_dot %a, %b, %c
        : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared1, #smem>
          -> tensor<64x64xf32, #mma>
    // CHECK: ttng.warp_group_dot %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} {inputPrecision = 0 : i32, isAsync = true}
    // CHECK-SAME: : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared1, #smem>
    // CHECK-SAME: -> tensor<64x64xf32, #mma>
    %1 = ttng.warp_group_dot %a, %b, %c, %use {inputPrecision = 0 : i32, isAsync = true}
        : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared1, #smem>
          -> tensor<64x64xf32, #mma>
    // CHECK: ttng.warp_group_dot %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}
    // CHECK-SAME: : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    // CHECK-SAME: * !ttg.memdesc<64x64xf16, #shared1, #smem> -> tensor<64x64xf32, #mma>
    %2 = ttng.warp_group_dot %r, %b, %c
        : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
          * !ttg.memdesc<64x64xf16, #shared1, #smem> -> tensor<64x64xf32, #mma>
    // CHECK: ttng.warp_group_dot %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} {maxNumImpreciseAcc = 1073741824 : i32}
    // CHECK-SAME: : !ttg.memdesc<64x64xf8E4M3FN, #shared2, #smem> * !ttg.memdesc<64x64xf8E4M3FN, #shared2, #smem>
    // CHECK-SAME: -> tensor<64x64xf32, #mma>
    %3 = ttng.warp_group_dot %x, %x, %c {maxNumImpreciseAcc = 1073741824 : i32}
        : !ttg.memdesc<64x64xf8E4M3FN, #shared2, #smem> * !ttg.memdesc<64x64xf8E4M3FN, #shared2, #smem>
          -> tensor<64x64xf32, #mma>
    tt.return
  }

  // CHECK-LABEL: @warp_group_dot_wait
  tt.func @warp_group_dot_wait(%d: tensor<64x64xf32, #mma>, %a: !ttg.memdesc<64x64xf16, #shared, #smem>) {
    // CHECK: ttng.warp_group_dot_wait %{{.*}} {pendings = 1 : i32} : tensor<64x64xf32, #mma>
    %0 = ttng.warp_group_dot_wait %d {pendings = 1 : i32} : tensor<64x64xf32, #mma>
    // CHECK: ttng.warp_group_dot_wait %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} {pendings = 0 : i32}
    // CHECK-SAME: : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf16, #shared, #smem>,
    // CHECK-SAME: !ttg.memdesc<64x64xf16, #shared, #smem>
    %1:3 = ttng.warp_group_dot_wait %d, %a, %a {pendings = 0 : i32}
        : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem>
    tt.return
  }
}
