// passes: relayout-tritongpu
// RUN: tt-opt %s --split-input-file --relayout-tritongpu | FileCheck %s

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
// CHECK-DAG: #[[DEFAULT:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
// CHECK-DAG: #[[ROWS:.*]] = #ttg.linear<{register = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = {{\[\[}}32, 0], [64, 0]], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
// Each lane has a row; everyone else sees the default layout.
// CHECK-LABEL: @tensor_memory
tt.func @tensor_memory(%m: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %true: i1) {
  // CHECK-NEXT: %[[X:.*]] = ttng.tmem_load %arg0 : {{.*}} -> tensor<128x64xf32, #[[ROWS]]>
  // CHECK-NEXT: %[[Y:.*]] = ttg.convert_layout %[[X]] : tensor<128x64xf32, #[[ROWS]]> -> tensor<128x64xf32, #[[DEFAULT]]>
  // CHECK: %[[Z:.*]] = ttg.convert_layout %{{.*}} : tensor<128x64xf32, #[[DEFAULT]]> -> tensor<128x64xf32, #[[ROWS]]>
  // CHECK-NEXT: ttng.tmem_store %[[Z]], %arg0, %arg1 : tensor<128x64xf32, #[[ROWS]]>
  // CHECK: ttng.tmem_alloc %{{.*}} : (tensor<128x64xf32, #[[ROWS]]>) ->
  %x = ttng.tmem_load %m : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32>
  ttng.tmem_store %x, %m, %true : tensor<128x64xf32> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  %a = ttng.tmem_alloc %x : (tensor<128x64xf32>) -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory>
  tt.return
}
}

