// RUN: tt-opt %s --split-input-file --tritongpu-accelerate-matmul 2>/dev/null | FileCheck %s

#load = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
// CHECK-DAG: #[[MMA:.*]] = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// CHECK-DAG: #[[ROWS:.*]] = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"} {
// mma.sync reads operands from registers: a thread holds 32 bits of neighbours along K.
// CHECK-LABEL: @mma_sync
tt.func @mma_sync(%x: tensor<64x64xf16, #load>, %y: tensor<64x64xf16, #load>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
  // CHECK: %[[C:.*]] = ttg.convert_layout %arg2 : {{.*}} -> tensor<64x64xf32, #[[MMA]]>
  // CHECK: %[[A:.*]] = ttg.convert_layout {{.*}} -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #[[MMA]], kWidth = 2}>>
  // CHECK: %[[B:.*]] = ttg.convert_layout {{.*}} -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #[[MMA]], kWidth = 2}>>
  // CHECK: %[[D:.*]] = tt.dot %[[A]], %[[B]], %[[C]] : {{.*}} -> tensor<64x64xf32, #[[MMA]]>
  // CHECK: ttg.convert_layout %[[D]] : tensor<64x64xf32, #[[MMA]]> -> tensor<64x64xf32, #{{.*}}>
  %a = ttg.convert_layout %x : tensor<64x64xf16, #load> -> tensor<64x64xf16, #a>
  %b = ttg.convert_layout %y : tensor<64x64xf16, #load> -> tensor<64x64xf16, #b>
  %d = tt.dot %a, %b, %c : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
  tt.return %d : tensor<64x64xf32, #blocked>
}

// An operand loaded as bytes: neighbours of 32 bits there, so that the cast moves nothing between threads.
// CHECK-LABEL: @widened
tt.func @widened(%p: tensor<64x64x!tt.ptr<i8>, #load>, %y: tensor<64x64xf16, #load>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
  // CHECK: tt.dot {{.*}} #ttg.dot_op<{opIdx = 0, parent = #[[MMA]], kWidth = 4}>> * {{.*}} #ttg.dot_op<{opIdx = 1, parent = #[[MMA]], kWidth = 4}>>
  %x = tt.load %p : tensor<64x64x!tt.ptr<i8>, #load>
  %f = arith.sitofp %x : tensor<64x64xi8, #load> to tensor<64x64xf16, #load>
  %a = ttg.convert_layout %f : tensor<64x64xf16, #load> -> tensor<64x64xf16, #a>
  %b = ttg.convert_layout %y : tensor<64x64xf16, #load> -> tensor<64x64xf16, #b>
  %d = tt.dot %a, %b, %c : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
  tt.return %d : tensor<64x64xf32, #blocked>
}

// mma.sync of this GPU has no fp8.
// CHECK-LABEL: @fp8
tt.func @fp8(%a: tensor<64x64xf8E5M2, #a>, %b: tensor<64x64xf8E5M2, #b>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
  // CHECK: tt.fp_to_fp {{.*}} -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #[[MMA]], kWidth = 4}>>
  // CHECK: tt.fp_to_fp {{.*}} -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #[[MMA]], kWidth = 4}>>
  // CHECK: tt.dot {{.*}} -> tensor<64x64xf32, #[[MMA]]>
  %d = tt.dot %a, %b, %c : tensor<64x64xf8E5M2, #a> * tensor<64x64xf8E5M2, #b> -> tensor<64x64xf32, #blocked>
  tt.return %d : tensor<64x64xf32, #blocked>
}

// A product of a product: each warp has whole rows of both.
// CHECK-LABEL: @chained
tt.func @chained(%a: tensor<64x64xf16, #a>, %b: tensor<64x64xf16, #b>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
  // CHECK-COUNT-2: tt.dot {{.*}} -> tensor<64x64xf32, #[[ROWS]]>
  %d = tt.dot %a, %b, %c : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
  %e = arith.truncf %d : tensor<64x64xf32, #blocked> to tensor<64x64xf16, #blocked>
  %f = ttg.convert_layout %e : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #a>
  %g = tt.dot %f, %b, %c : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
  tt.return %g : tensor<64x64xf32, #blocked>
}

// Left alone: f32 in full precision, which no tensor core has.
// CHECK-LABEL: @full_precision
tt.func @full_precision(%a: tensor<64x64xf32, #a>, %b: tensor<64x64xf32, #b>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
  // CHECK-NEXT: tt.dot %arg0, %arg1, %arg2 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #{{.*}}}>>
  %d = tt.dot %a, %b, %c : tensor<64x64xf32, #a> * tensor<64x64xf32, #b> -> tensor<64x64xf32, #blocked>
  tt.return %d : tensor<64x64xf32, #blocked>
}
}

// -----

#load = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
// CHECK-DAG: #[[MMA:.*]] = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
// CHECK-DAG: #[[SYNC:.*]] = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
// CHECK-DAG: #[[TILE:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
// wgmma reads b, and a that was loaded, from shared memory.
// CHECK-LABEL: @wgmma
tt.func @wgmma(%x: tensor<64x64xf16, #load>, %y: tensor<64x64xf16, #load>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
  // CHECK-DAG: %[[A:.*]] = ttg.local_alloc %arg0 : {{.*}} -> !ttg.memdesc<64x64xf16, #[[TILE]], #smem>
  // CHECK-DAG: %[[B:.*]] = ttg.local_alloc %arg1 : {{.*}} -> !ttg.memdesc<64x64xf16, #[[TILE]], #smem>
  // CHECK-DAG: %[[C:.*]] = ttg.convert_layout %arg2 : {{.*}} -> tensor<64x64xf32, #[[MMA]]>
  // CHECK: ttng.warp_group_dot %[[A]], %[[B]], %[[C]] : {{.*}} -> tensor<64x64xf32, #[[MMA]]>
  %a = ttg.convert_layout %x : tensor<64x64xf16, #load> -> tensor<64x64xf16, #a>
  %b = ttg.convert_layout %y : tensor<64x64xf16, #load> -> tensor<64x64xf16, #b>
  %d = tt.dot %a, %b, %c : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
  tt.return %d : tensor<64x64xf32, #blocked>
}

// a that was computed stays in registers.
// CHECK-LABEL: @computed
tt.func @computed(%x: tensor<64x64xf16, #load>, %y: tensor<64x64xf16, #load>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
  // CHECK: ttng.warp_group_dot {{.*}} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #[[MMA]], kWidth = 2}>> * !ttg.memdesc<64x64xf16, #[[TILE]], #smem>
  %s = arith.addf %x, %x : tensor<64x64xf16, #load>
  %a = ttg.convert_layout %s : tensor<64x64xf16, #load> -> tensor<64x64xf16, #a>
  %b = ttg.convert_layout %y : tensor<64x64xf16, #load> -> tensor<64x64xf16, #b>
  %d = tt.dot %a, %b, %c : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
  tt.return %d : tensor<64x64xf32, #blocked>
}

// Edge: too few rows for wgmma, which has 64 at least.
// CHECK-LABEL: @few_rows
tt.func @few_rows(%a: tensor<16x64xf16, #a>, %b: tensor<64x64xf16, #b>, %c: tensor<16x64xf32, #blocked>) -> tensor<16x64xf32, #blocked> {
  // CHECK: tt.dot {{.*}} -> tensor<16x64xf32, #[[SYNC]]>
  %d = tt.dot %a, %b, %c : tensor<16x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<16x64xf32, #blocked>
  tt.return %d : tensor<16x64xf32, #blocked>
}
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:75"} {
// Edge: as with Triton, sm_75 computes products by fused multiply-add, of operands of the result's type.
// CHECK-LABEL: @turing
tt.func @turing(%a: tensor<64x64xf16, #a>, %b: tensor<64x64xf16, #b>, %c: tensor<64x64xf32, #blocked>, %i: tensor<64x64xi8, #a>, %j: tensor<64x64xi8, #b>, %k: tensor<64x64xi32, #blocked>) -> (tensor<64x64xf32, #blocked>, tensor<64x64xi32, #blocked>) {
  // CHECK: %[[A:.*]] = arith.extf %arg0
  // CHECK: %[[B:.*]] = arith.extf %arg1
  // CHECK: tt.dot %[[A]], %[[B]], %arg2 : {{.*}} -> tensor<64x64xf32, #blocked>
  // CHECK: %[[I:.*]] = arith.extsi %arg3
  // CHECK: %[[J:.*]] = arith.extsi %arg4
  // CHECK: tt.dot %[[I]], %[[J]], %arg5 : {{.*}} -> tensor<64x64xi32, #blocked>
  %d = tt.dot %a, %b, %c : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
  %e = tt.dot %i, %j, %k : tensor<64x64xi8, #a> * tensor<64x64xi8, #b> -> tensor<64x64xi32, #blocked>
  tt.return %d, %e : tensor<64x64xf32, #blocked>, tensor<64x64xi32, #blocked>
}
}
