#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @desired(%arg0: !tt.tensordesc<tensor<64x64xf16, #shared>>, %arg1: i32) {
    %0 = tt.descriptor_load %arg0[%arg1, %arg1] : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
    %1 = ttg.local_alloc %0 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %2 = ttg.local_load %1 : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #blocked>
    tt.descriptor_store %arg0[%arg1, %arg1], %2 : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #blocked>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @conflict(%arg0: !tt.tensordesc<tensor<64x64xf16, #shared>>, %arg1: i32) {
    %0 = tt.descriptor_load %arg0[%arg1, %arg1] : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
    %1 = ttg.local_alloc %0 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared1, #smem>
    %2 = tt.descriptor_load %arg0[%arg1, %arg1] : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
    %3 = ttg.local_alloc %2 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared2, #smem>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @transposed(%arg0: !tt.tensordesc<tensor<64x64xf16, #shared>>, %arg1: i32) {
    %0 = tt.descriptor_load %arg0[%arg1, %arg1] : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
    %1 = ttg.local_alloc %0 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared1, #smem>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = true, elementBitWidth = 16, rank = 1}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @one(%arg0: !tt.tensordesc<tensor<64xf16, #shared>>, %arg1: i32) {
    %0 = tt.descriptor_load %arg0[%arg1] : !tt.tensordesc<tensor<64xf16, #shared>> -> tensor<64xf16, #blocked>
    tt.descriptor_store %arg0[%arg1], %0 : !tt.tensordesc<tensor<64xf16, #shared>>, tensor<64xf16, #blocked>
    tt.return
  }
}
// -----
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @unused(%arg0: !tt.tensordesc<tensor<64x32xf16, #shared>>, %arg1: i32) {
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @small(%arg0: !tt.tensordesc<tensor<64x8xf16, #shared>>, %arg1: !tt.tensordesc<tensor<4x64xf16, #shared>>, %arg2: !tt.tensordesc<tensor<64x64xf8E5M2, #shared1>>, %arg3: !tt.tensordesc<tensor<1x64xf16, #shared>>, %arg4: i32) {
    %0 = tt.descriptor_load %arg0[%arg4, %arg4] : !tt.tensordesc<tensor<64x8xf16, #shared>> -> tensor<64x8xf16, #blocked>
    tt.descriptor_store %arg0[%arg4, %arg4], %0 : !tt.tensordesc<tensor<64x8xf16, #shared>>, tensor<64x8xf16, #blocked>
    %1 = tt.descriptor_load %arg1[%arg4, %arg4] : !tt.tensordesc<tensor<4x64xf16, #shared>> -> tensor<4x64xf16, #blocked>
    tt.descriptor_store %arg1[%arg4, %arg4], %1 : !tt.tensordesc<tensor<4x64xf16, #shared>>, tensor<4x64xf16, #blocked>
    %2 = tt.descriptor_load %arg2[%arg4, %arg4] : !tt.tensordesc<tensor<64x64xf8E5M2, #shared1>> -> tensor<64x64xf8E5M2, #blocked>
    tt.descriptor_store %arg2[%arg4, %arg4], %2 : !tt.tensordesc<tensor<64x64xf8E5M2, #shared1>>, tensor<64x64xf8E5M2, #blocked>
    %3 = tt.descriptor_load %arg3[%arg4, %arg4] : !tt.tensordesc<tensor<1x64xf16, #shared>> -> tensor<64xf16, #blocked1>
    tt.descriptor_store %arg3[%arg4, %arg4], %3 : !tt.tensordesc<tensor<1x64xf16, #shared>>, tensor<64xf16, #blocked1>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 1, 4], threadsPerWarp = [1, 8, 4], warpsPerCTA = [1, 4, 1], order = [2, 1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1, 1, 1, 4], threadsPerWarp = [1, 1, 1, 8, 4], warpsPerCTA = [1, 1, 1, 4, 1], order = [4, 3, 2, 1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32, rank = 3}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8, rank = 5}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @ranks(%arg0: !tt.tensordesc<tensor<2x64x32xf32, #shared>>, %arg1: !tt.tensordesc<tensor<1x64x32xf32, #shared>>, %arg2: !tt.tensordesc<tensor<2x2x2x8x64xi8, #shared1>>, %arg3: i32) {
    %0 = tt.descriptor_load %arg0[%arg3, %arg3, %arg3] : !tt.tensordesc<tensor<2x64x32xf32, #shared>> -> tensor<2x64x32xf32, #blocked>
    tt.descriptor_store %arg0[%arg3, %arg3, %arg3], %0 : !tt.tensordesc<tensor<2x64x32xf32, #shared>>, tensor<2x64x32xf32, #blocked>
    %1 = tt.descriptor_load %arg1[%arg3, %arg3, %arg3] : !tt.tensordesc<tensor<1x64x32xf32, #shared>> -> tensor<64x32xf32, #blocked1>
    tt.descriptor_store %arg1[%arg3, %arg3, %arg3], %1 : !tt.tensordesc<tensor<1x64x32xf32, #shared>>, tensor<64x32xf32, #blocked1>
    %2 = tt.descriptor_load %arg2[%arg3, %arg3, %arg3, %arg3, %arg3] : !tt.tensordesc<tensor<2x2x2x8x64xi8, #shared1>> -> tensor<2x2x2x8x64xi8, #blocked2>
    tt.descriptor_store %arg2[%arg3, %arg3, %arg3, %arg3, %arg3], %2 : !tt.tensordesc<tensor<2x2x2x8x64xi8, #shared1>>, tensor<2x2x2x8x64xi8, #blocked2>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @flow(%arg0: !tt.ptr<f16>, %arg1: i32, %arg2: i64, %arg3: i1) {
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %c1_i64] : <f16>, <tensor<64x64xf16, #shared>>
    %1 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %c1_i64] : <f16>, <tensor<64x64xf16, #shared>>
    %2 = scf.if %arg3 -> (!tt.tensordesc<tensor<64x64xf16, #shared>>) {
      scf.yield %1 : !tt.tensordesc<tensor<64x64xf16, #shared>>
    } else {
      scf.yield %0 : !tt.tensordesc<tensor<64x64xf16, #shared>>
    }
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %3 = scf.for %arg4 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg5 = %2) -> (!tt.tensordesc<tensor<64x64xf16, #shared>>)  : i32 {
      %4 = tt.descriptor_load %arg5[%arg4, %arg4] : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
      %5 = ttg.local_alloc %4 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      scf.yield %arg5 : !tt.tensordesc<tensor<64x64xf16, #shared>>
    }
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func private @callee(%arg0: !tt.tensordesc<tensor<64x64xf16, #shared>>, %arg1: i32) attributes {noinline = true} {
    %0 = tt.descriptor_load %arg0[%arg1, %arg1] : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
    tt.descriptor_store %arg0[%arg1, %arg1], %0 : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #blocked>
    tt.return
  }
}
// -----
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k_i8(%arg0: !tt.ptr<i8>, %arg1: i32, %arg2: i64) -> !tt.tensordesc<tensor<512x64xi8, #shared>> {
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %c1_i64] : <i8>, <tensor<512x64xi8, #shared>>
    tt.return %0 : !tt.tensordesc<tensor<512x64xi8, #shared>>
  }
}
// -----
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k_i16(%arg0: !tt.ptr<i16>, %arg1: i32, %arg2: i64) -> !tt.tensordesc<tensor<512x64xi16, #shared>> {
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %c1_i64] : <i16>, <tensor<512x64xi16, #shared>>
    tt.return %0 : !tt.tensordesc<tensor<512x64xi16, #shared>>
  }
}
// -----
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 32}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k_i32(%arg0: !tt.ptr<i32>, %arg1: i32, %arg2: i64) -> !tt.tensordesc<tensor<512x64xi32, #shared>> {
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %c1_i64] : <i32>, <tensor<512x64xi32, #shared>>
    tt.return %0 : !tt.tensordesc<tensor<512x64xi32, #shared>>
  }
}
// -----
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 64}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k_i64(%arg0: !tt.ptr<i64>, %arg1: i32, %arg2: i64) -> !tt.tensordesc<tensor<512x64xi64, #shared>> {
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %c1_i64] : <i64>, <tensor<512x64xi64, #shared>>
    tt.return %0 : !tt.tensordesc<tensor<512x64xi64, #shared>>
  }
}
// -----
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k_f16(%arg0: !tt.ptr<f16>, %arg1: i32, %arg2: i64) -> !tt.tensordesc<tensor<512x64xf16, #shared>> {
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %c1_i64] : <f16>, <tensor<512x64xf16, #shared>>
    tt.return %0 : !tt.tensordesc<tensor<512x64xf16, #shared>>
  }
}
// -----
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k_bf16(%arg0: !tt.ptr<bf16>, %arg1: i32, %arg2: i64) -> !tt.tensordesc<tensor<512x64xbf16, #shared>> {
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %c1_i64] : <bf16>, <tensor<512x64xbf16, #shared>>
    tt.return %0 : !tt.tensordesc<tensor<512x64xbf16, #shared>>
  }
}
// -----
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 32}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k_f32(%arg0: !tt.ptr<f32>, %arg1: i32, %arg2: i64) -> !tt.tensordesc<tensor<512x64xf32, #shared>> {
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %c1_i64] : <f32>, <tensor<512x64xf32, #shared>>
    tt.return %0 : !tt.tensordesc<tensor<512x64xf32, #shared>>
  }
}
// -----
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 64}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k_f64(%arg0: !tt.ptr<f64>, %arg1: i32, %arg2: i64) -> !tt.tensordesc<tensor<512x64xf64, #shared>> {
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %c1_i64] : <f64>, <tensor<512x64xf64, #shared>>
    tt.return %0 : !tt.tensordesc<tensor<512x64xf64, #shared>>
  }
}
// -----
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k_f8E5M2(%arg0: !tt.ptr<f8E5M2>, %arg1: i32, %arg2: i64) -> !tt.tensordesc<tensor<512x64xf8E5M2, #shared>> {
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %c1_i64] : <f8E5M2>, <tensor<512x64xf8E5M2, #shared>>
    tt.return %0 : !tt.tensordesc<tensor<512x64xf8E5M2, #shared>>
  }
}
// -----
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k_f8E4M3FN(%arg0: !tt.ptr<f8E4M3FN>, %arg1: i32, %arg2: i64) -> !tt.tensordesc<tensor<512x64xf8E4M3FN, #shared>> {
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %c1_i64] : <f8E4M3FN>, <tensor<512x64xf8E4M3FN, #shared>>
    tt.return %0 : !tt.tensordesc<tensor<512x64xf8E4M3FN, #shared>>
  }
}
// -----
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k_ui8(%arg0: !tt.ptr<i8>, %arg1: i32, %arg2: i64) -> !tt.tensordesc<tensor<512x64xui8, #shared>> {
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %c1_i64] : <i8>, <tensor<512x64xui8, #shared>>
    tt.return %0 : !tt.tensordesc<tensor<512x64xui8, #shared>>
  }
}
// -----
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k_si8(%arg0: !tt.ptr<i8>, %arg1: i32, %arg2: i64) -> !tt.tensordesc<tensor<512x64xsi8, #shared>> {
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %c1_i64] : <i8>, <tensor<512x64xsi8, #shared>>
    tt.return %0 : !tt.tensordesc<tensor<512x64xsi8, #shared>>
  }
}
// -----
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 32}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k_ui32(%arg0: !tt.ptr<i32>, %arg1: i32, %arg2: i64) -> !tt.tensordesc<tensor<512x64xui32, #shared>> {
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %c1_i64] : <i32>, <tensor<512x64xui32, #shared>>
    tt.return %0 : !tt.tensordesc<tensor<512x64xui32, #shared>>
  }
}
// -----
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 32}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k_si32(%arg0: !tt.ptr<i32>, %arg1: i32, %arg2: i64) -> !tt.tensordesc<tensor<512x64xsi32, #shared>> {
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %c1_i64] : <i32>, <tensor<512x64xsi32, #shared>>
    tt.return %0 : !tt.tensordesc<tensor<512x64xsi32, #shared>>
  }
}
// -----
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k_ui16(%arg0: !tt.ptr<i16>, %arg1: i32, %arg2: i64) -> !tt.tensordesc<tensor<512x64xui16, #shared>> {
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %c1_i64] : <i16>, <tensor<512x64xui16, #shared>>
    tt.return %0 : !tt.tensordesc<tensor<512x64xui16, #shared>>
  }
}
// -----
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k_si16(%arg0: !tt.ptr<i16>, %arg1: i32, %arg2: i64) -> !tt.tensordesc<tensor<512x64xsi16, #shared>> {
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %c1_i64] : <i16>, <tensor<512x64xsi16, #shared>>
    tt.return %0 : !tt.tensordesc<tensor<512x64xsi16, #shared>>
  }
}
// -----
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 64}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k_ui64(%arg0: !tt.ptr<i64>, %arg1: i32, %arg2: i64) -> !tt.tensordesc<tensor<512x64xui64, #shared>> {
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %c1_i64] : <i64>, <tensor<512x64xui64, #shared>>
    tt.return %0 : !tt.tensordesc<tensor<512x64xui64, #shared>>
  }
}
// -----
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, rank = 3}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = true, elementBitWidth = 16, rank = 1}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @z(%arg0: !tt.ptr<f16>, %arg1: i32, %arg2: i64) -> (!tt.tensordesc<tensor<512x512xf16, #shared>>, !tt.tensordesc<tensor<4x512x128xf16, #shared1>>, !tt.tensordesc<tensor<1024xf16, #shared2>>) {
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %c1_i64] : <f16>, <tensor<512x512xf16, #shared>>
    %1 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1, %arg1], [%arg2, %arg2, %c1_i64] : <f16>, <tensor<4x512x128xf16, #shared1>>
    %2 = tt.make_tensor_descriptor %arg0, [%arg1], [%c1_i64] : <f16>, <tensor<1024xf16, #shared2>>
    tt.return %0, %1, %2 : !tt.tensordesc<tensor<512x512xf16, #shared>>, !tt.tensordesc<tensor<4x512x128xf16, #shared1>>, !tt.tensordesc<tensor<1024xf16, #shared2>>
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @descriptor_copy(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c1_i64 = arith.constant 1 : i64
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<2.000000e+00> : tensor<64x64xf16, #blocked>
    %0 = arith.extsi %arg3 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg2, %arg3], [%0, %c1_i64] : <f16>, <tensor<64x64xf16, #shared>>
    %2 = tt.make_tensor_descriptor %arg1, [%arg2, %arg3], [%0, %c1_i64] {padding = 2 : i32} : <f16>, <tensor<64x64xf16, #shared>>
    %3 = tt.get_program_id x : i32
    %4 = arith.muli %3, %c64_i32 : i32
    scf.for %arg4 = %c0_i32 to %arg3 step %c64_i32  : i32 {
      %5 = tt.descriptor_load %1[%4, %arg4] : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
      tt.descriptor_store %2[%4, %arg4], %5 : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #blocked>
      %6 = tt.descriptor_load %2[%4, %arg4] : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
      %7 = arith.mulf %6, %cst : tensor<64x64xf16, #blocked>
      tt.descriptor_store %2[%4, %arg4], %7 : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #blocked>
    }
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @descriptor_reductions(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: i32) attributes {noinline = false} {
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %c32_i64 = arith.constant 32 : i64
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %c32_i32], [%c32_i64, %c1_i64] : <f16>, <tensor<16x32xf16, #shared>>
    %1 = tt.descriptor_load %0[%c0_i32, %c0_i32] : !tt.tensordesc<tensor<16x32xf16, #shared>> -> tensor<16x32xf16, #blocked>
    tt.descriptor_reduce add, %0[%c0_i32, %c0_i32], %1 : !tt.tensordesc<tensor<16x32xf16, #shared>>, tensor<16x32xf16, #blocked>
    tt.descriptor_reduce min, %0[%c0_i32, %c0_i32], %1 : !tt.tensordesc<tensor<16x32xf16, #shared>>, tensor<16x32xf16, #blocked>
    tt.descriptor_reduce max, %0[%c0_i32, %c0_i32], %1 : !tt.tensordesc<tensor<16x32xf16, #shared>>, tensor<16x32xf16, #blocked>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @descriptor_gather_scatter(%arg0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c128_i32 = arith.constant 128 : i32
    %c1_i64 = arith.constant 1 : i64
    %c4096_i32 = arith.constant 4096 : i32
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %1 = tt.splat %arg2 : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>, #ttg.slice<{dim = 0, parent = #blocked}>>
    %2 = tt.addptr %1, %0 : tensor<32x!tt.ptr<i32>, #ttg.slice<{dim = 0, parent = #blocked}>>, tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %3 = tt.load %2 : tensor<32x!tt.ptr<i32>, #ttg.slice<{dim = 0, parent = #blocked}>>
    %4 = arith.extsi %arg3 : i32 to i64
    %5 = tt.make_tensor_descriptor %arg0, [%c4096_i32, %arg3], [%4, %c1_i64] : <bf16>, <tensor<1x128xbf16, #shared>>
    %6 = tt.make_tensor_descriptor %arg1, [%c4096_i32, %arg3], [%4, %c1_i64] : <bf16>, <tensor<1x128xbf16, #shared>>
    %7 = tt.get_program_id x : i32
    %8 = arith.muli %7, %c128_i32 : i32
    %9 = tt.descriptor_gather %5[%3, %8] : (!tt.tensordesc<tensor<1x128xbf16, #shared>>, tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>, i32) -> tensor<32x128xbf16, #blocked1>
    tt.descriptor_scatter %6[%3, %8], %9 : !tt.tensordesc<tensor<1x128xbf16, #shared>>, tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>, i32, tensor<32x128xbf16, #blocked1>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 0]]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 1]]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], CGALayout = [[0, 1]], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 0]]}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 1]]}>
#shared3 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16, CGALayout = [[0, 1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @descriptor_matmul(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c1_i64 = arith.constant 1 : i64
    %c128_i32 = arith.constant 128 : i32
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c63_i32 = arith.constant 63 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %0 = arith.extsi %arg5 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg3, %arg5], [%0, %c1_i64] : <f16>, <tensor<128x64xf16, #shared>>
    %2 = tt.make_tensor_descriptor %arg1, [%arg4, %arg5], [%0, %c1_i64] : <f16>, <tensor<128x64xf16, #shared1>>
    %3 = arith.extsi %arg4 : i32 to i64
    %4 = tt.make_tensor_descriptor %arg2, [%arg3, %arg4], [%3, %c1_i64] : <f16>, <tensor<128x128xf16, #shared2>>
    %5 = tt.get_program_id x : i32
    %6 = arith.muli %5, %c128_i32 : i32
    %7 = tt.get_program_id y : i32
    %8 = arith.muli %7, %c128_i32 : i32
    %9 = arith.addi %arg5, %c63_i32 : i32
    %10 = arith.divsi %9, %c64_i32 : i32
    %11 = scf.for %arg6 = %c0_i32 to %10 step %c1_i32 iter_args(%arg7 = %cst) -> (tensor<128x128xf32, #mma>)  : i32 {
      %14 = arith.muli %arg6, %c64_i32 : i32
      %15 = tt.descriptor_load %1[%6, %14] : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %16 = ttg.local_alloc %15 : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %17 = tt.descriptor_load %2[%8, %14] : !tt.tensordesc<tensor<128x64xf16, #shared1>> -> tensor<128x64xf16, #blocked1>
      %18 = ttg.local_alloc %17 : (tensor<128x64xf16, #blocked1>) -> !ttg.memdesc<128x64xf16, #shared1, #smem>
      %19 = ttg.memdesc_trans %18 {order = array<i32: 1, 0>} : !ttg.memdesc<128x64xf16, #shared1, #smem> -> !ttg.memdesc<64x128xf16, #shared3, #smem>
      %20 = ttng.warp_group_dot %16, %19, %arg7 {inputPrecision = 0 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared3, #smem> -> tensor<128x128xf32, #mma>
      scf.yield %20 : tensor<128x128xf32, #mma>
    } {tt.disallow_acc_multi_buffer, tt.num_stages = 2 : i32}
    %12 = arith.truncf %11 : tensor<128x128xf32, #mma> to tensor<128x128xf16, #mma>
    %13 = ttg.convert_layout %12 : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #blocked2>
    tt.descriptor_store %4[%6, %8], %13 : !tt.tensordesc<tensor<128x128xf16, #shared2>>, tensor<128x128xf16, #blocked2>
    tt.return
  }
}
