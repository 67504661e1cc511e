// RUN: tt-opt %s --split-input-file --triton-nvidia-optimize-tmem-layouts | FileCheck %s

#rows = #ttg.blocked<{sizePerThread = [1, 128], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#halves = #ttg.blocked<{sizePerThread = [1, 2, 64], threadsPerWarp = [32, 1, 1], warpsPerCTA = [4, 1, 1], order = [0, 2, 1]}>
#pairs = #ttg.blocked<{sizePerThread = [1, 64, 2], threadsPerWarp = [32, 1, 1], warpsPerCTA = [4, 1, 1], order = [0, 1, 2]}>
#half = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
// The halves of an accumulator are loaded one by one.
// CHECK-LABEL: @split
// CHECK: %[[LEFT:.*]] = ttng.tmem_subslice %arg0 {N = 0 : i32}
// CHECK: %[[A:.*]] = ttng.tmem_load %[[LEFT]]
// CHECK: ttg.convert_layout %[[A]]
// CHECK: %[[RIGHT:.*]] = ttng.tmem_subslice %arg0 {N = 64 : i32}
// CHECK: %[[B:.*]] = ttng.tmem_load %[[RIGHT]]
// CHECK: ttg.convert_layout %[[B]]
// CHECK-NOT: tt.split
tt.func @split(%acc: !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>) -> (tensor<128x64xf32, #half>, tensor<128x64xf32, #half>) {
  %x = ttng.tmem_load %acc : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #rows>
  %y = tt.reshape %x : tensor<128x128xf32, #rows> -> tensor<128x2x64xf32, #halves>
  %z = tt.trans %y {order = array<i32: 0, 2, 1>} : tensor<128x2x64xf32, #halves> -> tensor<128x64x2xf32, #pairs>
  %a, %b = tt.split %z : tensor<128x64x2xf32, #pairs> -> tensor<128x64xf32, #half>
  tt.return %a, %b : tensor<128x64xf32, #half>, tensor<128x64xf32, #half>
}

// And stored one by one.
// CHECK-LABEL: @join
// CHECK: %[[LEFT:.*]] = ttng.tmem_subslice %arg2 {N = 0 : i32}
// CHECK: %[[A:.*]] = ttg.convert_layout %arg0
// CHECK: ttng.tmem_store %[[A]], %[[LEFT]], %true
// CHECK: %[[RIGHT:.*]] = ttng.tmem_subslice %arg2 {N = 64 : i32}
// CHECK: %[[B:.*]] = ttg.convert_layout %arg1
// CHECK: ttng.tmem_store %[[B]], %[[RIGHT]], %true
tt.func @join(%a: tensor<128x64xf32, #half>, %b: tensor<128x64xf32, #half>, %acc: !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>) {
  %true = arith.constant true
  %x = tt.join %a, %b : tensor<128x64xf32, #half> -> tensor<128x64x2xf32, #pairs>
  %y = tt.trans %x {order = array<i32: 0, 2, 1>} : tensor<128x64x2xf32, #pairs> -> tensor<128x2x64xf32, #halves>
  %z = tt.reshape %y : tensor<128x2x64xf32, #halves> -> tensor<128x128xf32, #rows>
  ttng.tmem_store %z, %acc, %true : tensor<128x128xf32, #rows> -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
  tt.return
}

// Left alone: a load that nobody splits.
// CHECK-LABEL: @whole
// CHECK: ttng.tmem_load %arg0 {{.*}}128x128
// CHECK-NEXT: tt.return
tt.func @whole(%acc: !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>) -> tensor<128x128xf32, #rows> {
  %x = ttng.tmem_load %acc : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #rows>
  tt.return %x : tensor<128x128xf32, #rows>
}
}

// -----

#columns = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [0, 32]], block = []}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 32 : i32} {
// Of eight warps, each gets whole rows if rows are reduced.
// CHECK: #[[ROWS:.*]] = #ttg.linear<{register = {{.*}}, lane = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [0, 32]], warp = {{\[\[}}32, 0], [64, 0], [16, 0]], block = []}>
// CHECK-LABEL: @row_sums
// CHECK: ttng.tmem_load %arg0 {{.*}} -> tensor<128x64xf32, #[[ROWS]]>
// CHECK: ttg.convert_layout
tt.func @row_sums(%acc: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #columns}>> {
  %x = ttng.tmem_load %acc : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #columns>
  %y = math.exp %x : tensor<128x64xf32, #columns>
  %s = "tt.reduce"(%y) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<128x64xf32, #columns>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #columns}>>
  tt.return %s : tensor<128xf32, #ttg.slice<{dim = 1, parent = #columns}>>
}
}

// -----

#rows = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#columns = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tmem16 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
// Columns follow each other in shared memory: tiles as of mma.sync, which stmatrix and ldmatrix transpose.
// CHECK: #[[TILES:.*]] = #ttg.linear<{register = {{\[\[}}0, 1], [8, 0], [0, 8]{{.*}}, lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]
// CHECK-LABEL: @to_columns
// CHECK: ttng.tmem_load %arg0 {{.*}} -> tensor<128x64xf32, #[[TILES]]>
tt.func @to_columns(%acc: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %to: !ttg.memdesc<128x64xf16, #columns, #smem, mutable>) {
  %x = ttng.tmem_load %acc : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
  %y = arith.truncf %x : tensor<128x64xf32, #rows> to tensor<128x64xf16, #rows>
  ttg.local_store %y, %to : tensor<128x64xf16, #rows> -> !ttg.memdesc<128x64xf16, #columns, #smem, mutable>
  tt.return
}

// Left alone: neighbours in a row are neighbours in shared memory.
// CHECK-LABEL: @to_rows
// CHECK: ttng.tmem_load
// CHECK-NEXT: arith.truncf
tt.func @to_rows(%acc: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %to: !ttg.memdesc<128x64xf16, #tile, #smem, mutable>) {
  %x = ttng.tmem_load %acc : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
  %y = arith.truncf %x : tensor<128x64xf32, #rows> to tensor<128x64xf16, #rows>
  ttg.local_store %y, %to : tensor<128x64xf16, #rows> -> !ttg.memdesc<128x64xf16, #tile, #smem, mutable>
  tt.return
}

// CHECK-LABEL: @from_columns
// CHECK: ttg.local_load
// CHECK: %[[X:.*]] = ttg.convert_layout
// CHECK: ttng.tmem_store %[[X]]
tt.func @from_columns(%from: !ttg.memdesc<128x64xf16, #columns, #smem, mutable>, %operand: !ttg.memdesc<128x64xf16, #tmem16, #ttng.tensor_memory, mutable>) {
  %true = arith.constant true
  %x = ttg.local_load %from : !ttg.memdesc<128x64xf16, #columns, #smem, mutable> -> tensor<128x64xf16, #rows>
  ttng.tmem_store %x, %operand, %true : tensor<128x64xf16, #rows> -> !ttg.memdesc<128x64xf16, #tmem16, #ttng.tensor_memory, mutable>
  tt.return
}
}
