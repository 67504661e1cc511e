// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

#two = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @async_shared_store
  tt.func @async_shared_store(%x: tensor<256xi32, #two>, %to: !ttg.memdesc<256xi32, #shared, #smem, mutable>, %bar: !ttg.memdesc<2xi64, #shared, #smem, mutable>) {
    // CHECK: ttng.async_shared_store %{{.*}}, %{{.*}}, %{{.*}} : tensor<256xi32, #blocked> -> !ttg.memdesc<256xi32, #shared, #smem, mutable>, !ttg.memdesc<2xi64, #shared, #smem, mutable>
    ttng.async_shared_store %x, %to, %bar : tensor<256xi32, #two> -> !ttg.memdesc<256xi32, #shared, #smem, mutable>, !ttg.memdesc<2xi64, #shared, #smem, mutable>
    tt.return
  }
}
