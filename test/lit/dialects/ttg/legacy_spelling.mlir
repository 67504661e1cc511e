// RUN: tt-opt %s -split-input-file | FileCheck %s

// Layouts, module attributes, memory space and memory descriptors of `triton_gpu`, and CTAs given by three keys.

// CHECK-DAG: #blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: #shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
// CHECK-DAG: #shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK: module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32}
#blocked = #triton_gpu.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CTAsPerCGA = [1, 1], CTASplitNum = [1, 1], CTAOrder = [1, 0]}>
#shared = #triton_gpu.shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0], hasLeadingOffset = false}>
#nvmma = #triton_gpu.shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0], hasLeadingOffset = true}>
module attributes {"triton_gpu.num-ctas" = 1 : i32, "triton_gpu.num-warps" = 4 : i32, triton_gpu.target = "cuda:90", "triton_gpu.threads-per-warp" = 32 : i32} {
  // CHECK: func.func private @types(!ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>, !ttg.async.token)
  func.func private @types(!tt.memdesc<64x64xf16, #shared, #triton_gpu.shared_memory>, !triton_gpu.memdesc<64x64xf16, #nvmma, #triton_gpu.shared_memory, mutable>, !triton_gpu.async.token)
  // CHECK: func.func private @nested() attributes {test.layout = #ttg.slice<{dim = 0, parent = #blocked}>}
  func.func private @nested() attributes {test.layout = #triton_gpu.slice<{dim = 0, parent = #blocked}>}
}

// -----

// Eight CTAs: each pair holds the same, four parts along the first dimension.

// CHECK: #blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = {{\[\[0, 0\], \[1, 0\], \[2, 0\]\]}}}>
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CTAsPerCGA = [4, 2], CTASplitNum = [4, 1], CTAOrder = [1, 0]}>
func.func private @ctas() attributes {test.layout = #blocked}
