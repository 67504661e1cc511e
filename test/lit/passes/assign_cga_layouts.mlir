// RUN: tt-opt %s --split-input-file --triton-nvidia-gpu-assign-cga-layouts | FileCheck %s

#rows = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#load = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
// CHECK-DAG: #[[DOT:.*]] = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = {{\[\[}}0, 1]]}>
// CHECK-DAG: #[[ROWS:.*]] = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = {{\[\[}}1, 0]]}>
// CHECK-DAG: #[[B:.*]] = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = {{\[\[}}0, 1]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
// 128 rows are enough for one CTA only: each takes 64 columns.  The load of b follows, and the result is converted back.
// CHECK-LABEL: @dot
tt.func @dot(%a: tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #rows}>>, %pb: !tt.ptr<f16>, %c: tensor<128x128xf32, #rows>) -> tensor<128x128xf32, #rows> {
  %qb = tt.splat %pb : !tt.ptr<f16> -> tensor<64x128x!tt.ptr<f16>, #load>
  // CHECK: %[[LOADED:.*]] = tt.load %{{.*}} : tensor<64x128x!tt.ptr<f16>, #[[B]]>
  %b = tt.load %qb : tensor<64x128x!tt.ptr<f16>, #load>
  // CHECK: %[[Y:.*]] = ttg.convert_layout %[[LOADED]] {{.*}} -> tensor<64x128xf16, #ttg.dot_op<{opIdx = 1, parent = #[[DOT]]}>>
  %y = ttg.convert_layout %b : tensor<64x128xf16, #load> -> tensor<64x128xf16, #ttg.dot_op<{opIdx = 1, parent = #rows}>>
  // CHECK: %[[D:.*]] = tt.dot %{{.*}}, %[[Y]], %{{.*}} -> tensor<128x128xf32, #[[DOT]]>
  // CHECK: %[[R:.*]] = ttg.convert_layout %[[D]] : tensor<128x128xf32, #[[DOT]]> -> tensor<128x128xf32, #[[ROWS]]>
  %d = tt.dot %a, %y, %c : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #rows}>> * tensor<64x128xf16, #ttg.dot_op<{opIdx = 1, parent = #rows}>> -> tensor<128x128xf32, #rows>
  // CHECK: tt.return %[[R]]
  tt.return %d : tensor<128x128xf32, #rows>
}
}

// -----

#rows = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0], CGALayout = [[1, 0]]}>
// CHECK-DAG: #[[COLUMNS:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0], CGALayout = {{\[\[}}0, 1]]}>
// CHECK-DAG: #[[ROWS:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0], CGALayout = {{\[\[}}1, 0]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
// What only the reduction uses is divided by columns, down to the load: its pointers and its mask are converted.
// CHECK-LABEL: @columns
tt.func @columns(%p: tensor<32x256x!tt.ptr<f32>, #rows>, %m: tensor<32x256xi1, #rows>) -> tensor<256xf32, #ttg.slice<{dim = 0, parent = #rows}>> {
  // CHECK: tt.load %{{.*}}, %{{.*}} : tensor<32x256x!tt.ptr<f32>, #[[COLUMNS]]>
  %x = tt.load %p, %m : tensor<32x256x!tt.ptr<f32>, #rows>
  // CHECK-NEXT: math.exp %{{.*}} : tensor<32x256xf32, #[[COLUMNS]]>
  %e = math.exp %x : tensor<32x256xf32, #rows>
  // CHECK-NEXT: arith.addf %{{.*}} : tensor<32x256xf32, #[[COLUMNS]]>
  %y = arith.addf %e, %x : tensor<32x256xf32, #rows>
  %s = "tt.reduce"(%y) <{axis = 0 : i32}> ({
  ^bb0(%u: f32, %v: f32):
    %w = arith.addf %u, %v : f32
    tt.reduce.return %w : f32
  // CHECK: (tensor<32x256xf32, #[[COLUMNS]]>) -> tensor<256xf32, #ttg.slice<{dim = 0, parent = #[[COLUMNS]]}>>
  }) : (tensor<32x256xf32, #rows>) -> tensor<256xf32, #ttg.slice<{dim = 0, parent = #rows}>>
  // CHECK-NEXT: ttg.convert_layout {{.*}} -> tensor<256xf32, #ttg.slice<{dim = 0, parent = #[[ROWS]]}>>
  tt.return %s : tensor<256xf32, #ttg.slice<{dim = 0, parent = #rows}>>
}
// Another use keeps the load as it is: only the operand of the reduction is converted.
// CHECK-LABEL: @used_twice
tt.func @used_twice(%p: tensor<32x256x!tt.ptr<f32>, #rows>) -> (tensor<256xf32, #ttg.slice<{dim = 0, parent = #rows}>>, tensor<32x256xf32, #rows>) {
  // CHECK: %[[X:.*]] = tt.load %{{.*}} : tensor<32x256x!tt.ptr<f32>, #[[ROWS]]>
  // CHECK-NEXT: ttg.convert_layout %[[X]] : tensor<32x256xf32, #[[ROWS]]> -> tensor<32x256xf32, #[[COLUMNS]]>
  %x = tt.load %p : tensor<32x256x!tt.ptr<f32>, #rows>
  %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%u: f32, %v: f32):
    %w = arith.addf %u, %v : f32
    tt.reduce.return %w : f32
  }) : (tensor<32x256xf32, #rows>) -> tensor<256xf32, #ttg.slice<{dim = 0, parent = #rows}>>
  tt.return %s, %x : tensor<256xf32, #ttg.slice<{dim = 0, parent = #rows}>>, tensor<32x256xf32, #rows>
}
}

// -----

#one = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
// Left alone: one dimension is divided along the axis.
// CHECK-LABEL: @vector
tt.func @vector(%x: tensor<1024xf32, #one>) -> f32 {
  // CHECK-NEXT: "tt.reduce"(%arg0)
  %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%u: f32, %v: f32):
    %w = arith.addf %u, %v : f32
    tt.reduce.return %w : f32
  }) : (tensor<1024xf32, #one>) -> f32
  tt.return %s : f32
}
}

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
// Left alone: one CTA.
// CHECK-LABEL: @one_cta
tt.func @one_cta(%x: tensor<64xf32, #b>) -> f32 {
  // CHECK-NEXT: "tt.reduce"(%arg0)
  %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%u: f32, %v: f32):
    %w = arith.addf %u, %v : f32
    tt.reduce.return %w : f32
  }) : (tensor<64xf32, #b>) -> f32
  tt.return %s : f32
}
}
