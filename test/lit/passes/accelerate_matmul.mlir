// RUN: tt-opt %s --split-input-file --tritongpu-accelerate-matmul 2>/dev/null | FileCheck %s
// RUN: tt-opt %s --split-input-file "--tritongpu-accelerate-matmul=columns-among-groups=true" 2>/dev/null | FileCheck %s --check-prefix=GROUPS

#load = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#halves = #ttg.blocked<{sizePerThread = [1, 8, 2], threadsPerWarp = [4, 8, 1], warpsPerCTA = [4, 1, 1], order = [2, 1, 0]}>
#both = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
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

// The same, joined from two halves, with neighbors of 32 bits in each half: kWidth 8, where 4 would be 32 bits of both.
// CHECK-LABEL: @joined
tt.func @joined(%p: tensor<64x32x!tt.ptr<i8>, #load>, %y: tensor<64x64xf16, #load>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
  // CHECK: tt.dot {{.*}} #ttg.dot_op<{opIdx = 0, parent = #[[MMA]], kWidth = 8}>> * {{.*}} #ttg.dot_op<{opIdx = 1, parent = #[[MMA]], kWidth = 8}>>
  %x = tt.load %p : tensor<64x32x!tt.ptr<i8>, #load>
  %f = arith.sitofp %x : tensor<64x32xi8, #load> to tensor<64x32xf16, #load>
  %j = tt.join %f, %f : tensor<64x32xf16, #load> -> tensor<64x32x2xf16, #halves>
  %r = tt.reshape %j : tensor<64x32x2xf16, #halves> -> tensor<64x64xf16, #both>
  %a = ttg.convert_layout %r : tensor<64x64xf16, #both> -> tensor<64x64xf16, #a>
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

// -----

#load = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
// CHECK-DAG: #[[TMEM:.*]] = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
// CHECK-DAG: #[[SCALES:.*]] = #ttng.tensor_memory_scales_encoding<>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
// tcgen05 accumulates in tensor memory.
// CHECK-LABEL: @tcgen05
tt.func @tcgen05(%x: tensor<128x64xf16, #load>, %y: tensor<64x64xf16, #load>, %c: tensor<128x64xf32, #blocked>) -> tensor<128x64xf32, #blocked> {
  // CHECK-DAG: %[[A:.*]] = ttg.local_alloc %arg0
  // CHECK-DAG: %[[B:.*]] = ttg.local_alloc %arg1
  // CHECK: %[[ACC:.*]], %[[T0:.*]] = ttng.tmem_alloc {{.*}} -> (!ttg.memdesc<128x64xf32, #[[TMEM]], #ttng.tensor_memory, mutable>, !ttg.async.token)
  // CHECK: %[[T1:.*]] = ttng.tc_gen5_mma %[[A]], %[[B]], %[[ACC]][%[[T0]]], %true, %true
  // CHECK: ttng.tmem_load %[[ACC]][%[[T1]]]
  %a = ttg.convert_layout %x : tensor<128x64xf16, #load> -> tensor<128x64xf16, #a>
  %b = ttg.convert_layout %y : tensor<64x64xf16, #load> -> tensor<64x64xf16, #b>
  %d = tt.dot %a, %b, %c : tensor<128x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<128x64xf32, #blocked>
  tt.return %d : tensor<128x64xf32, #blocked>
}

// Scales are in tensor memory too.
// CHECK-LABEL: @scales
tt.func @scales(%x: tensor<128x64xf8E5M2, #load>, %s: tensor<128x2xi8, #load>, %y: tensor<64x64xf8E4M3FN, #load>, %t: tensor<64x2xi8, #load>, %c: tensor<128x64xf32, #blocked>) -> tensor<128x64xf32, #blocked> {
  // CHECK: %[[S:.*]] = ttng.tmem_alloc {{.*}} -> !ttg.memdesc<128x2xi8, #[[SCALES]], #ttng.tensor_memory>
  // CHECK: %[[T:.*]] = ttng.tmem_alloc {{.*}} -> !ttg.memdesc<64x2xi8, #[[SCALES]], #ttng.tensor_memory>
  // CHECK: ttng.tc_gen5_mma_scaled %{{.*}}, %{{.*}}, %{{.*}}[%{{.*}}], %[[S]], %[[T]], %true, %true lhs = e5m2 rhs = e4m3
  %d = tt.dot_scaled %x scale %s, %y scale %t, %c lhs = e5m2 rhs = e4m3 {fastMath = false} : tensor<128x64xf8E5M2, #load>, tensor<128x2xi8, #load> * tensor<64x64xf8E4M3FN, #load>, tensor<64x2xi8, #load> -> tensor<128x64xf32, #blocked>
  tt.return %d : tensor<128x64xf32, #blocked>
}
}

// -----

#load = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: #[[ROWS:.*]] = #ttg.linear<{register = {{.*}}, lane = {{\[\[}}8, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}0, 0], [16, 0]], block = []}>
// CHECK-DAG: #[[COLUMNS:.*]] = #ttg.linear<{register = {{.*}}, lane = {{\[\[}}0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}8, 0], [0, 0]], block = []}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:120"} {
// mma.sync of sm_120 takes scales: each thread those of its rows and columns.
// CHECK-LABEL: @scaled_mma_sync
tt.func @scaled_mma_sync(%x: tensor<128x64xf8E5M2, #load>, %s: tensor<128x2xi8, #load>, %y: tensor<64x64xf8E4M3FN, #load>, %t: tensor<64x2xi8, #load>, %c: tensor<128x64xf32, #blocked>) -> tensor<128x64xf32, #blocked> {
  // CHECK: %[[S:.*]] = ttg.convert_layout %arg1 : {{.*}} -> tensor<128x2xi8, #[[ROWS]]>
  // CHECK: %[[T:.*]] = ttg.convert_layout %arg3 : {{.*}} -> tensor<64x2xi8, #[[COLUMNS]]>
  // CHECK: tt.dot_scaled %{{.*}} scale %[[S]], %{{.*}} scale %[[T]], {{.*}} -> tensor<128x64xf32, #mma>
  %d = tt.dot_scaled %x scale %s, %y scale %t, %c lhs = e5m2 rhs = e4m3 {fastMath = false} : tensor<128x64xf8E5M2, #load>, tensor<128x2xi8, #load> * tensor<64x64xf8E4M3FN, #load>, tensor<64x2xi8, #load> -> tensor<128x64xf32, #blocked>
  tt.return %d : tensor<128x64xf32, #blocked>
}

// Only b has scales, which the instruction wants for both: what it stands for comes first, in registers.
// CHECK-LABEL: @decomposed
tt.func @decomposed(%x: tensor<128x64xbf16, #load>, %y: tensor<32x64xi8, #load>, %t: tensor<64x2xi8, #load>, %c: tensor<128x64xf32, #blocked>) -> tensor<128x64xf32, #blocked> {
  // CHECK-NOT: tt.dot_scaled
  // CHECK: %[[Y:.*]] = tt.trans %arg1
  // CHECK: %[[N:.*]] = ttg.fp4_to_fp %[[Y]] {axis = 1 : i32} : {{.*}} -> tensor<64x64xbf16, {{.*}}>
  // CHECK: %[[E:.*]] = arith.extui %arg2 : tensor<64x2xi8, {{.*}}> to tensor<64x2xi16, {{.*}}>
  // CHECK: arith.shli %[[E]]
  // CHECK: arith.mulf %[[N]]
  // CHECK: arith.cmpi eq, %arg2
  // CHECK: arith.select
  // CHECK: tt.dot {{.*}} -> tensor<64x128xf32, #{{.*}}>
  // CHECK: tt.trans {{.*}} -> tensor<128x64xf32, {{.*}}>
  %d = tt.dot_scaled %x, %y scale %t, %c lhs = bf16 rhs = e2m1 {fastMath = false} : tensor<128x64xbf16, #load> * tensor<32x64xi8, #load>, tensor<64x2xi8, #load> -> tensor<128x64xf32, #blocked>
  tt.return %d : tensor<128x64xf32, #blocked>
}
}

// -----

#load = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK: #[[BOTH:.*]] = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// Of products in a row that tt.dot_scaled stands for, the first does not see the second, and the second takes its warps.
// CHECK-LABEL: @chained_scaled
// CHECK-COUNT-2: tt.dot {{.*}} -> tensor<64x64xf32, #[[BOTH]]>
tt.func @chained_scaled(%x: tensor<64x64xbf16, #load>, %y: tensor<32x64xi8, #load>, %t: tensor<64x2xi8, #load>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
  %d = tt.dot_scaled %x, %y scale %t, %c lhs = bf16 rhs = e2m1 {fastMath = false} : tensor<64x64xbf16, #load> * tensor<32x64xi8, #load>, tensor<64x2xi8, #load> -> tensor<64x64xf32, #blocked>
  %e = arith.truncf %d : tensor<64x64xf32, #blocked> to tensor<64x64xbf16, #blocked>
  %f = ttg.convert_layout %e : tensor<64x64xbf16, #blocked> -> tensor<64x64xbf16, #load>
  %g = tt.dot_scaled %f, %y scale %t, %c lhs = bf16 rhs = e2m1 {fastMath = false} : tensor<64x64xbf16, #load> * tensor<32x64xi8, #load>, tensor<64x2xi8, #load> -> tensor<64x64xf32, #blocked>
  tt.return %g : tensor<64x64xf32, #blocked>
}
}

// -----

#load = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
// CHECK-DAG: #[[HALF:.*]] = #ttg.nvmma_shared<{{{.*}}CGALayout = {{\[\[}}1, 0]]}>
// CHECK-DAG: #[[WHOLE:.*]] = #ttg.nvmma_shared<{{{.*}}CGALayout = {{\[\[}}0, 0]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
// Each of two CTAs computes half of the rows and so needs all of b, of which the conversion's source has one half.
// CHECK-LABEL: @operand_divided_otherwise
// Canonicalization keeps the conversion: only half would be stored.
// CHECK: ttg.local_alloc %{{.*}} : (tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #{{.*}}}>>) -> !ttg.memdesc<64x64xf16, #[[WHOLE]], #smem>
// CHECK: ttng.tc_gen5_mma {{.*}} : !ttg.memdesc<256x64xf16, #[[HALF]], #smem>, !ttg.memdesc<64x64xf16, #[[WHOLE]], #smem>
tt.func @operand_divided_otherwise(%x: tensor<256x64xf16, #load>, %y: tensor<64x64xf16, #load>, %c: tensor<256x64xf32, #blocked>) -> tensor<256x64xf32, #blocked> {
  %a = ttg.convert_layout %x : tensor<256x64xf16, #load> -> tensor<256x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>
  %b = ttg.convert_layout %y : tensor<64x64xf16, #load> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>
  %d = tt.dot %a, %b, %c : tensor<256x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<256x64xf32, #blocked>
  tt.return %d : tensor<256x64xf32, #blocked>
}
}

// -----

#load = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
// Pairs of CTAs compute both: each loads half of the columns of b.
// CHECK-LABEL: @pairs_of_ctas
// CHECK-COUNT-2: ttng.tc_gen5_mma {{.*}} {two_ctas} :
tt.func @pairs_of_ctas(%x: tensor<256x64xf16, #load>, %p: tensor<64x64x!tt.ptr<f16>, #load>, %y: tensor<64x64xf16, #load>, %c: tensor<256x64xf32, #blocked>) -> tensor<256x64xf32, #blocked> {
  %a = ttg.convert_layout %x : tensor<256x64xf16, #load> -> tensor<256x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>
  %l = tt.load %p : tensor<64x64x!tt.ptr<f16>, #load>
  %b = ttg.convert_layout %l : tensor<64x64xf16, #load> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>
  %d = tt.dot %a, %b, %c : tensor<256x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<256x64xf32, #blocked>
  %s = ttg.convert_layout %l : tensor<64x64xf16, #load> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>
  %e = tt.dot %a, %s, %d : tensor<256x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<256x64xf32, #blocked>
  tt.return %e : tensor<256x64xf32, #blocked>
}
}

// -----

#load = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
// The second operand b is not loaded, so pairs of CTAs compute neither.
// CHECK-LABEL: @no_pairs_for_some
// CHECK-COUNT-2: ttng.tc_gen5_mma {{[^{]*}} : !ttg.memdesc
tt.func @no_pairs_for_some(%x: tensor<256x64xf16, #load>, %p: tensor<64x64x!tt.ptr<f16>, #load>, %y: tensor<64x64xf16, #load>, %c: tensor<256x64xf32, #blocked>) -> tensor<256x64xf32, #blocked> {
  %a = ttg.convert_layout %x : tensor<256x64xf16, #load> -> tensor<256x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>
  %l = tt.load %p : tensor<64x64x!tt.ptr<f16>, #load>
  %b = ttg.convert_layout %l : tensor<64x64xf16, #load> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>
  %d = tt.dot %a, %b, %c : tensor<256x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<256x64xf32, #blocked>
  %s = ttg.convert_layout %y : tensor<64x64xf16, #load> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>
  %e = tt.dot %a, %s, %d : tensor<256x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<256x64xf32, #blocked>
  tt.return %e : tensor<256x64xf32, #blocked>
}
}

// -----

// No instruction of these GPUs sums up in f64: threads multiply.
#sums = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #sums}>
#right = #ttg.dot_op<{opIdx = 1, parent = #sums}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:86"} {
// CHECK-LABEL: @sums_in_double
tt.func @sums_in_double(%a: tensor<64x64xf16, #left>, %b: tensor<64x64xf16, #right>, %c: tensor<64x64xf64, #sums>) -> tensor<64x64xf64, #sums> {
  // CHECK: %[[A:.*]] = arith.extf %arg0 : {{.*}} to tensor<64x64xf64
  // CHECK: %[[B:.*]] = arith.extf %arg1 : {{.*}} to tensor<64x64xf64
  // CHECK: tt.dot %[[A]], %[[B]], %arg2
  %d = tt.dot %a, %b, %c : tensor<64x64xf16, #left> * tensor<64x64xf16, #right> -> tensor<64x64xf64, #sums>
  tt.return %d : tensor<64x64xf64, #sums>
}
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
// Modules in a module, each with its target.
module {
  module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"} {
    // CHECK-LABEL: @first_target
    // CHECK: tt.dot {{.*}} #ttg.dot_op<{opIdx = 0, parent = #{{.*}}, kWidth = 2}>>
    tt.func @first_target(%a: tensor<64x64xf16, #a>, %b: tensor<64x64xf16, #b>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
      %d = tt.dot %a, %b, %c : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
      tt.return %d : tensor<64x64xf32, #blocked>
    }
  }
  module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
    // CHECK-LABEL: @second_target
    // CHECK: ttng.warp_group_dot
    tt.func @second_target(%a: tensor<64x64xf16, #a>, %b: tensor<64x64xf16, #b>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
      %d = tt.dot %a, %b, %c : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
      tt.return %d : tensor<64x64xf32, #blocked>
    }
  }
}

// -----

// Two groups of 4 warps, and results of 64 rows that later dots use: only one group has rows of its own.
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [8, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
// CHECK: #[[ALL:.*]] = #ttg.nvidia_mma<{{.*}}warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
// GROUPS-DAG: #[[HALF:.*]] = #ttg.nvidia_mma<{{.*}}warpsPerCTA = [4, 2], instrShape = [16, 64, 16]}>
// GROUPS-DAG: #[[ROWS:.*]] = #ttg.nvidia_mma<{{.*}}warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
module attributes {"ttg.num-warps" = 8 : i32, ttg.target = "cuda:90"} {
// CHECK-LABEL: @few_rows_for_a_later_dot
// CHECK: ttng.warp_group_dot {{.*}} -> tensor<64x128xf32, #[[ALL]]>
// GROUPS-LABEL: @few_rows_for_a_later_dot
// GROUPS: ttng.warp_group_dot {{.*}} -> tensor<64x128xf32, #[[HALF]]>
tt.func @few_rows_for_a_later_dot(%a: tensor<64x64xf16, #a>, %b: tensor<64x128xf16, #b>, %c: tensor<64x128xf32, #blocked>, %v: tensor<128x64xf16, #b>, %d: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
  %s = tt.dot %a, %b, %c : tensor<64x64xf16, #a> * tensor<64x128xf16, #b> -> tensor<64x128xf32, #blocked>
  %t = arith.truncf %s : tensor<64x128xf32, #blocked> to tensor<64x128xf16, #blocked>
  %p = ttg.convert_layout %t : tensor<64x128xf16, #blocked> -> tensor<64x128xf16, #a>
  %o = tt.dot %p, %v, %d : tensor<64x128xf16, #a> * tensor<128x64xf16, #b> -> tensor<64x64xf32, #blocked>
  tt.return %o : tensor<64x64xf32, #blocked>
}
// 128 rows: each group has 64, with the option as without.
// GROUPS-LABEL: @rows_for_each_group
// GROUPS: ttng.warp_group_dot {{.*}} -> tensor<128x64xf32, #[[ROWS]]>
tt.func @rows_for_each_group(%a: tensor<128x64xf16, #a>, %b: tensor<64x64xf16, #b>, %c: tensor<128x64xf32, #blocked>, %v: tensor<64x64xf16, #b>, %d: tensor<128x64xf32, #blocked>) -> tensor<128x64xf32, #blocked> {
  %s = tt.dot %a, %b, %c : tensor<128x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<128x64xf32, #blocked>
  %t = arith.truncf %s : tensor<128x64xf32, #blocked> to tensor<128x64xf16, #blocked>
  %p = ttg.convert_layout %t : tensor<128x64xf16, #blocked> -> tensor<128x64xf16, #a>
  %o = tt.dot %p, %v, %d : tensor<128x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<128x64xf32, #blocked>
  tt.return %o : tensor<128x64xf32, #blocked>
}
}
