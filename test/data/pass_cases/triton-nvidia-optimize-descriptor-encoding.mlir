#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @desired(%arg0: !tt.tensordesc<tensor<64x64xf16>>, %arg1: i32) {
    %0 = tt.descriptor_load %arg0[%arg1, %arg1] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16, #blocked>
    %1 = ttg.local_alloc %0 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %2 = ttg.local_load %1 : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #blocked>
    tt.descriptor_store %arg0[%arg1, %arg1], %2 : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16, #blocked>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @conflict(%arg0: !tt.tensordesc<tensor<64x64xf16>>, %arg1: i32) {
    %0 = tt.descriptor_load %arg0[%arg1, %arg1] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16, #blocked>
    %1 = ttg.local_alloc %0 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %2 = tt.descriptor_load %arg0[%arg1, %arg1] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16, #blocked>
    %3 = ttg.local_alloc %2 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared1, #smem>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @transposed(%arg0: !tt.tensordesc<tensor<64x64xf16>>, %arg1: i32) {
    %0 = tt.descriptor_load %arg0[%arg1, %arg1] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16, #blocked>
    %1 = ttg.local_alloc %0 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @one(%arg0: !tt.tensordesc<tensor<64xf16>>, %arg1: i32) {
    %0 = tt.descriptor_load %arg0[%arg1] : !tt.tensordesc<tensor<64xf16>> -> tensor<64xf16, #blocked>
    tt.descriptor_store %arg0[%arg1], %0 : !tt.tensordesc<tensor<64xf16>>, tensor<64xf16, #blocked>
    tt.return
  }
}
// -----
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @unused(%arg0: !tt.tensordesc<tensor<64x32xf16>>, %arg1: i32) {
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @small(%arg0: !tt.tensordesc<tensor<64x8xf16>>, %arg1: !tt.tensordesc<tensor<4x64xf16>>, %arg2: !tt.tensordesc<tensor<64x64xf8E5M2>>, %arg3: !tt.tensordesc<tensor<1x64xf16>>, %arg4: i32) {
    %0 = tt.descriptor_load %arg0[%arg4, %arg4] : !tt.tensordesc<tensor<64x8xf16>> -> tensor<64x8xf16, #blocked>
    tt.descriptor_store %arg0[%arg4, %arg4], %0 : !tt.tensordesc<tensor<64x8xf16>>, tensor<64x8xf16, #blocked>
    %1 = tt.descriptor_load %arg1[%arg4, %arg4] : !tt.tensordesc<tensor<4x64xf16>> -> tensor<4x64xf16, #blocked>
    tt.descriptor_store %arg1[%arg4, %arg4], %1 : !tt.tensordesc<tensor<4x64xf16>>, tensor<4x64xf16, #blocked>
    %2 = tt.descriptor_load %arg2[%arg4, %arg4] : !tt.tensordesc<tensor<64x64xf8E5M2>> -> tensor<64x64xf8E5M2, #blocked>
    tt.descriptor_store %arg2[%arg4, %arg4], %2 : !tt.tensordesc<tensor<64x64xf8E5M2>>, tensor<64x64xf8E5M2, #blocked>
    %3 = tt.descriptor_load %arg3[%arg4, %arg4] : !tt.tensordesc<tensor<1x64xf16>> -> tensor<64xf16, #blocked1>
    tt.descriptor_store %arg3[%arg4, %arg4], %3 : !tt.tensordesc<tensor<1x64xf16>>, tensor<64xf16, #blocked1>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 1, 4], threadsPerWarp = [1, 8, 4], warpsPerCTA = [1, 4, 1], order = [2, 1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1, 1, 1, 4], threadsPerWarp = [1, 1, 1, 8, 4], warpsPerCTA = [1, 1, 1, 4, 1], order = [4, 3, 2, 1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @ranks(%arg0: !tt.tensordesc<tensor<2x64x32xf32>>, %arg1: !tt.tensordesc<tensor<1x64x32xf32>>, %arg2: !tt.tensordesc<tensor<2x2x2x8x64xi8>>, %arg3: i32) {
    %0 = tt.descriptor_load %arg0[%arg3, %arg3, %arg3] : !tt.tensordesc<tensor<2x64x32xf32>> -> tensor<2x64x32xf32, #blocked>
    tt.descriptor_store %arg0[%arg3, %arg3, %arg3], %0 : !tt.tensordesc<tensor<2x64x32xf32>>, tensor<2x64x32xf32, #blocked>
    %1 = tt.descriptor_load %arg1[%arg3, %arg3, %arg3] : !tt.tensordesc<tensor<1x64x32xf32>> -> tensor<64x32xf32, #blocked1>
    tt.descriptor_store %arg1[%arg3, %arg3, %arg3], %1 : !tt.tensordesc<tensor<1x64x32xf32>>, tensor<64x32xf32, #blocked1>
    %2 = tt.descriptor_load %arg2[%arg3, %arg3, %arg3, %arg3, %arg3] : !tt.tensordesc<tensor<2x2x2x8x64xi8>> -> tensor<2x2x2x8x64xi8, #blocked2>
    tt.descriptor_store %arg2[%arg3, %arg3, %arg3, %arg3, %arg3], %2 : !tt.tensordesc<tensor<2x2x2x8x64xi8>>, tensor<2x2x2x8x64xi8, #blocked2>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @two(%arg0: !tt.tensordesc<tensor<64x64xf16>>, %arg1: i32) {
    %0 = tt.descriptor_load %arg0[%arg1, %arg1] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16, #blocked>
    tt.descriptor_store %arg0[%arg1, %arg1], %0 : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16, #blocked>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 1]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @twoc(%arg0: !tt.tensordesc<tensor<64x64xf16>>, %arg1: i32) {
    %0 = tt.descriptor_load %arg0[%arg1, %arg1] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16, #blocked>
    %1 = ttg.convert_layout %0 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    tt.descriptor_store %arg0[%arg1, %arg1], %1 : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16, #blocked1>
    tt.return
  }
}
// -----
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @unused(%arg0: !tt.tensordesc<tensor<64x64xf16>>, %arg1: i32) {
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
    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %c1_i64] : <f16>, <tensor<64x64xf16>>
    %1 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %c1_i64] : <f16>, <tensor<64x64xf16>>
    %2 = scf.if %arg3 -> (!tt.tensordesc<tensor<64x64xf16>>) {
      scf.yield %1 : !tt.tensordesc<tensor<64x64xf16>>
    } else {
      scf.yield %0 : !tt.tensordesc<tensor<64x64xf16>>
    }
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %3 = scf.for %arg4 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg5 = %2) -> (!tt.tensordesc<tensor<64x64xf16>>)  : i32 {
      %4 = tt.descriptor_load %arg5[%arg4, %arg4] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16, #blocked>
      %5 = ttg.local_alloc %4 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      scf.yield %arg5 : !tt.tensordesc<tensor<64x64xf16>>
    }
    tt.return
  }
}
// -----
#b2 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @blocks(%p: !tt.ptr<f16>, %n: i32, %s: i64, %c: i1) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %d = tt.make_tensor_descriptor %p, [%n, %n], [%s, %c1] : <f16>, <tensor<16x32xf16>>
    %e = tt.make_tensor_descriptor %p, [%n, %n], [%s, %c1] : <f16>, <tensor<16x32xf16>>
    cf.cond_br %c, ^bb1(%d : !tt.tensordesc<tensor<16x32xf16>>), ^bb1(%e : !tt.tensordesc<tensor<16x32xf16>>)
  ^bb1(%f: !tt.tensordesc<tensor<16x32xf16>>):
    %x = tt.descriptor_load %f[%c0, %c0] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16, #b2>
    tt.descriptor_store %f[%c0, %c0], %x : !tt.tensordesc<tensor<16x32xf16>>, tensor<16x32xf16, #b2>
    tt.return
  }
}
// -----
// Differs from Triton: there, a function and its callers give a descriptor different layouts, which does not verify.
#b2 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#s64 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @calls(%p: !tt.ptr<f16>, %n: i32, %s: i64, %c: i1) {
    %c1 = arith.constant 1 : i64
    %d0 = tt.make_tensor_descriptor %p, [%n, %n], [%s, %c1] : <f16>, <tensor<64x64xf16>>
    %d1 = tt.make_tensor_descriptor %p, [%n, %n], [%s, %c1] : <f16>, <tensor<64x64xf16>>
    %d = arith.select %c, %d0, %d1 : !tt.tensordesc<tensor<64x64xf16>>
    %r = tt.call @callee(%d, %n) : (!tt.tensordesc<tensor<64x64xf16>>, i32) -> !tt.tensordesc<tensor<64x64xf16>>
    %x = tt.descriptor_load %r[%n, %n] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16, #b2>
    %m = ttg.local_alloc %x : (tensor<64x64xf16, #b2>) -> !ttg.memdesc<64x64xf16, #s64, #smem>
    tt.return
  }
  tt.func private @callee(%d: !tt.tensordesc<tensor<64x64xf16>>, %i: i32) -> !tt.tensordesc<tensor<64x64xf16>> attributes {noinline = true} {
    %x = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16, #b2>
    tt.descriptor_store %d[%i, %i], %x : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16, #b2>
    tt.return %d : !tt.tensordesc<tensor<64x64xf16>>
  }
}
