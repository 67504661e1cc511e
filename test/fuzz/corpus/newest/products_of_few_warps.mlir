// passes: tritongpu-optimize-partition-warps
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:89", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @small_products(%arg0: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg1: !ttg.memdesc<64x128xf16, #shared, #smem>, %arg2: i32, %arg3: i32) {
    ttg.warp_specialize(%arg0, %arg1, %arg2, %arg3)
    default {
      ttg.warp_yield
    }
    partition0(%arg4: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg5: !ttg.memdesc<64x128xf16, #shared, #smem>, %arg6: i32, %arg7: i32) num_warps(4) {
      %c0_i32 = arith.constant 0 : i32
      %c64_i32 = arith.constant 64 : i32
      %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
      %0 = scf.for %arg8 = %c0_i32 to %arg6 step %c64_i32 iter_args(%arg9 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
        %1 = ttng.warp_group_dot %arg4, %arg4, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
        %2 = ttng.warp_group_dot %arg4, %arg4, %arg9 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
        %3:2 = ttng.warp_group_dot_wait %1, %2 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
        scf.yield %3#1 : tensor<64x64xf32, #mma>
      }
      ttg.warp_return
    }
    partition1(%arg4: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg5: !ttg.memdesc<64x128xf16, #shared, #smem>, %arg6: i32, %arg7: i32) num_warps(4) {
      %c0_i32 = arith.constant 0 : i32
      %c64_i32 = arith.constant 64 : i32
      %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
      %0 = scf.for %arg8 = %c0_i32 to %arg6 step %c64_i32 iter_args(%arg9 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
        %1 = ttng.warp_group_dot %arg4, %arg4, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
        %2 = ttng.warp_group_dot %arg4, %arg4, %arg9 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
        %3:2 = ttng.warp_group_dot_wait %1, %2 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
        scf.yield %3#1 : tensor<64x64xf32, #mma>
      }
      ttg.warp_return
    } : (!ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x128xf16, #shared, #smem>, i32, i32) -> ()
    tt.return
  }
}
