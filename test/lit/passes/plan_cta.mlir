// RUN: tt-opt %s --split-input-file --triton-nvidia-gpu-plan-cta | FileCheck %s

#rows = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#load = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
// CHECK-DAG: #[[DOT:.*]] = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = {{\[\[}}0, 1]]}>
// CHECK-DAG: #[[A:.*]] = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = {{\[\[}}0, 0]]}>
// CHECK-DAG: #[[B:.*]] = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = {{\[\[}}0, 1]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
// 128 rows are enough for one CTA only, so each takes 64 columns: both load a, each its part of b, c and the result.
// CHECK-LABEL: @dot
tt.func @dot(%pa: !tt.ptr<f16>, %pb: !tt.ptr<f16>, %pd: !tt.ptr<f32>) {
  // CHECK: %[[C:.*]] = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #[[DOT]]>
  %c = arith.constant dense<0.0> : tensor<128x128xf32, #rows>
  %qa = tt.splat %pa : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>, #load>
  // CHECK: %[[X:.*]] = tt.load %{{.*}} : tensor<128x64x!tt.ptr<f16>, #[[A]]>
  %a = tt.load %qa : tensor<128x64x!tt.ptr<f16>, #load>
  %x = ttg.convert_layout %a : tensor<128x64xf16, #load> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #rows}>>
  %qb = tt.splat %pb : !tt.ptr<f16> -> tensor<64x128x!tt.ptr<f16>, #load>
  // CHECK: %[[Y:.*]] = tt.load %{{.*}} : tensor<64x128x!tt.ptr<f16>, #[[B]]>
  %b = tt.load %qb : tensor<64x128x!tt.ptr<f16>, #load>
  %y = ttg.convert_layout %b : tensor<64x128xf16, #load> -> tensor<64x128xf16, #ttg.dot_op<{opIdx = 1, parent = #rows}>>
  // CHECK-NEXT: %[[XA:.*]] = ttg.convert_layout %[[X]] : {{.*}} -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #[[DOT]]}>>
  // CHECK-NEXT: %[[YB:.*]] = ttg.convert_layout %[[Y]]
  // CHECK-NEXT: %[[D:.*]] = tt.dot %[[XA]], %[[YB]], %[[C]] : {{.*}} -> tensor<128x128xf32, #[[DOT]]>
  %d = tt.dot %x, %y, %c : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #rows}>> * tensor<64x128xf16, #ttg.dot_op<{opIdx = 1, parent = #rows}>> -> tensor<128x128xf32, #rows>
  %qd = tt.splat %pd : !tt.ptr<f32> -> tensor<128x128x!tt.ptr<f32>, #rows>
  // CHECK: tt.store %{{.*}}, %[[D]] : tensor<128x128x!tt.ptr<f32>, #[[DOT]]>
  tt.store %qd, %d : tensor<128x128x!tt.ptr<f32>, #rows>
  tt.return
}
}

// -----

#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0], CGALayout = [[0, 1]]}>
#s = #ttg.slice<{dim = 1, parent = #b}>
#v = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
// CHECK-DAG: #[[VECTOR:.*]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = {{\[\[}}1]]}>
// CHECK-DAG: #[[ROWS:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0], CGALayout = {{\[\[}}1, 0]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
// No CTA needs elements of another to reduce; the layout goes through the loop, up and down.
// CHECK-LABEL: @reduction_in_loop
tt.func @reduction_in_loop(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %init = arith.constant dense<0.0> : tensor<64x128xf32, #b>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>, #b>
  // CHECK: scf.for {{.*}} -> (tensor<64x128xf32, #[[ROWS]]>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> tensor<64x128xf32, #b> : i32 {
    // CHECK: tt.load %{{.*}} : tensor<64x128x!tt.ptr<f32>, #[[ROWS]]>
    %x = tt.load %ps : tensor<64x128x!tt.ptr<f32>, #b>
    %y = arith.addf %acc, %x : tensor<64x128xf32, #b>
    scf.yield %y : tensor<64x128xf32, #b>
  }
  // CHECK: (tensor<64x128xf32, #[[ROWS]]>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #[[ROWS]]}>>
  // CHECK: %[[V:.*]] = ttg.convert_layout %{{.*}} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #[[ROWS]]}>> -> tensor<64xf32, #[[VECTOR]]>
  // CHECK-NEXT: tt.store %{{.*}}, %[[V]]
  %s = "tt.reduce"(%r) <{axis = 1 : i32}> ({
  ^bb0(%u: f32, %v: f32):
    %w = arith.addf %u, %v : f32
    tt.reduce.return %w : f32
  }) : (tensor<64x128xf32, #b>) -> tensor<64xf32, #s>
  %v = ttg.convert_layout %s : tensor<64xf32, #s> -> tensor<64xf32, #v>
  %qs = tt.splat %q : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #v>
  tt.store %qs, %v : tensor<64x!tt.ptr<f32>, #v>
  tt.return
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

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
// Edge: of a vector there is only the axis, so both CTAs reduce all of it; an argument is converted.
// CHECK-LABEL: @vector
tt.func @vector(%x: tensor<64xf32, #b>) -> f32 {
  // CHECK-NEXT: %[[X:.*]] = ttg.convert_layout %arg0 : {{.*}} -> tensor<64xf32, #[[ALL:.*]]>
  // CHECK-NEXT: "tt.reduce"(%[[X]])
  %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%u: f32, %v: f32):
    %w = arith.addf %u, %v : f32
    tt.reduce.return %w : f32
  }) : (tensor<64xf32, #b>) -> f32
  tt.return %s : f32
}
}

// -----

#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#rows = #ttg.slice<{dim = 1, parent = #b}>
#columns = #ttg.slice<{dim = 0, parent = #b}>
// Two reductions ask for two layouts.  What writes runs once, and a loop does not become two: their results are converted.
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @atomic
// CHECK: %[[OLD:.*]] = tt.atomic_rmw
// CHECK-NOT: tt.atomic_rmw
// CHECK: ttg.convert_layout %[[OLD]]
// CHECK-NOT: tt.atomic_rmw
// CHECK: tt.return
tt.func @atomic(%p: tensor<64x64x!tt.ptr<f32>, #b>, %x: tensor<64x64xf32, #b>) -> (tensor<64xf32, #rows>, tensor<64xf32, #columns>) {
  %true = arith.constant dense<true> : tensor<64x64xi1, #b>
  %old = tt.atomic_rmw fadd, relaxed, gpu, %p, %x, %true : (tensor<64x64x!tt.ptr<f32>, #b>, tensor<64x64xf32, #b>, tensor<64x64xi1, #b>) -> tensor<64x64xf32, #b>
  %s = "tt.reduce"(%old) <{axis = 1 : i32}> ({
  ^bb0(%u: f32, %v: f32):
    %w = arith.addf %u, %v : f32
    tt.reduce.return %w : f32
  }) : (tensor<64x64xf32, #b>) -> tensor<64xf32, #rows>
  %t = "tt.reduce"(%old) <{axis = 0 : i32}> ({
  ^bb0(%u: f32, %v: f32):
    %w = arith.addf %u, %v : f32
    tt.reduce.return %w : f32
  }) : (tensor<64x64xf32, #b>) -> tensor<64xf32, #columns>
  tt.return %s, %t : tensor<64xf32, #rows>, tensor<64xf32, #columns>
}

// CHECK-LABEL: @loop
// CHECK: scf.for
// CHECK: tt.store
// CHECK-NOT: scf.for
// CHECK-NOT: builtin.unrealized_conversion_cast
// CHECK: tt.return
tt.func @loop(%p: tensor<64x64x!tt.ptr<f32>, #b>, %x: tensor<64x64xf32, #b>, %n: i32) -> (tensor<64xf32, #rows>, tensor<64xf32, #columns>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %x) -> tensor<64x64xf32, #b> : i32 {
    tt.store %p, %sum : tensor<64x64x!tt.ptr<f32>, #b>
    %y = arith.addf %sum, %sum : tensor<64x64xf32, #b>
    scf.yield %y : tensor<64x64xf32, #b>
  }
  %s = "tt.reduce"(%r) <{axis = 1 : i32}> ({
  ^bb0(%u: f32, %v: f32):
    %w = arith.addf %u, %v : f32
    tt.reduce.return %w : f32
  }) : (tensor<64x64xf32, #b>) -> tensor<64xf32, #rows>
  %t = "tt.reduce"(%r) <{axis = 0 : i32}> ({
  ^bb0(%u: f32, %v: f32):
    %w = arith.addf %u, %v : f32
    tt.reduce.return %w : f32
  }) : (tensor<64x64xf32, #b>) -> tensor<64xf32, #columns>
  tt.return %s, %t : tensor<64xf32, #rows>, tensor<64xf32, #columns>
}
}
