// RUN: tt-opt %s -split-input-file | FileCheck %s

// Operations, in their own form and in the generic one.

#blocked = #triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #triton_gpu.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"triton_gpu.num-warps" = 4 : i32} {
  // CHECK-LABEL: tt.func @convert
  tt.func @convert(%a: tensor<128xf32, #blocked>) -> tensor<128xf32, #blocked> {
    // CHECK: %[[B:.*]] = ttg.convert_layout %{{.*}} : tensor<128xf32, #blocked> -> tensor<128xf32, #blocked1>
    %b = triton_gpu.convert_layout %a : tensor<128xf32, #blocked> -> tensor<128xf32, #blocked1>
    // CHECK: ttg.convert_layout %[[B]] : tensor<128xf32, #blocked1> -> tensor<128xf32, #blocked>
    %c = "triton_gpu.convert_layout"(%b) : (tensor<128xf32, #blocked1>) -> tensor<128xf32, #blocked>
    tt.return %c : tensor<128xf32, #blocked>
  }
}

// -----

#blocked = #triton_gpu.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #triton_gpu.shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0], hasLeadingOffset = false}>
module attributes {"triton_gpu.num-warps" = 4 : i32} {
  // CHECK-LABEL: tt.func @memory
  tt.func @memory(%a: tensor<32x32xf16, #blocked>) {
    // CHECK: %[[M:.*]] = ttg.local_alloc %{{.*}} : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
    %0 = triton_gpu.local_alloc %a : (tensor<32x32xf16, #blocked>) -> !tt.memdesc<32x32xf16, #shared, #triton_gpu.shared_memory>
    // CHECK: ttg.local_load %[[M]] :
    %1 = triton_gpu.local_load %0 : !tt.memdesc<32x32xf16, #shared, #triton_gpu.shared_memory> -> tensor<32x32xf16, #blocked>
    // CHECK: ttg.local_load %[[M]] :
    %2 = "triton_gpu.local_load"(%0) : (!triton_gpu.memdesc<32x32xf16, #shared, #triton_gpu.shared_memory>) -> tensor<32x32xf16, #blocked>
    tt.return
  }
}
