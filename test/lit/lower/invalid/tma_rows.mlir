// RUN: tt-opt %s --verify-diagnostics --allocate-shared-memory-nv=compute-capability=120 --convert-triton-gpu-to-llvm="compute-capability=120 ptx-version=87"

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0], CGALayout = [[0, 0]]}>
#rows = #ttg.slice<{dim = 0, parent = #blocked}>
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 0]]}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @for_both(%desc: !tt.tensordesc<tensor<1x64xf16, #tile>>, %x: tensor<32xi32, #rows>, %y: i32, %on: i1, %to: !ttg.memdesc<32x64xf16, #tile, #smem, mutable>, %bar: !ttg.memdesc<2xi64, #bar, #smem, mutable>) {
    // expected-error @below {{sm_120 does not have copies of chosen rows by the tensor memory accelerator for several CTAs; sm_100 has them}}
    ttng.async_tma_gather %desc[%x, %y] %to, %bar, %on {multicast} : !tt.tensordesc<tensor<1x64xf16, #tile>>, tensor<32xi32, #rows>, i32, !ttg.memdesc<2xi64, #bar, #smem, mutable>, !ttg.memdesc<32x64xf16, #tile, #smem, mutable>, i1
    tt.return
  }
}
