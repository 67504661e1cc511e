// RUN: tt-opt %s --split-input-file --convert-triton-to-tritongpu='target=cuda:80 num-warps=2' | FileCheck %s
// RUN: not tt-opt %s --convert-triton-to-tritongpu 2>&1 | FileCheck %s --check-prefix=NO-TARGET

// NO-TARGET: error: {{.*}}'convert-triton-to-tritongpu' requires 'target' option to be set

// The module says for what it was compiled; one element a thread, the last dimension first.
// CHECK: #[[ROW:.*]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
// CHECK: module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32}
// CHECK-LABEL: @elementwise
tt.func public @elementwise(%p: !tt.ptr<f32>, %n: i32) {
  // CHECK: tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #[[ROW]]>
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %b = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %b, %r : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %m = tt.splat %n : i32 -> tensor<64xi32>
  %mask = arith.cmpi slt, %r, %m : tensor<64xi32>
  // CHECK: tt.load %{{.*}}, %{{.*}} : tensor<64x!tt.ptr<f32>, #[[ROW]]>
  %x = tt.load %q, %mask : tensor<64x!tt.ptr<f32>>
  // CHECK: arith.constant dense<2.000000e+00> : tensor<64xf32, #[[ROW]]>
  %c = arith.constant dense<2.0> : tensor<64xf32>
  // CHECK: arith.mulf %{{.*}}, %{{.*}} : tensor<64xf32, #[[ROW]]>
  %y = arith.mulf %x, %c : tensor<64xf32>
  // CHECK: tt.store %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x!tt.ptr<f32>, #[[ROW]]>
  tt.store %q, %y, %mask : tensor<64x!tt.ptr<f32>>
  tt.return
}

// -----

// Left alone: scalars, and tensors that have a layout.
#mine = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-warps" = 2 : i32, "ttg.threads-per-warp" = 32 : i32} {
// CHECK: #[[MINE:.*]] = #ttg.blocked<{sizePerThread = [4]
// CHECK-LABEL: @left_alone
tt.func public @left_alone(%a: i32, %p: !tt.ptr<i32>) {
  // CHECK: arith.addi %arg0, %arg0 : i32
  %0 = arith.addi %a, %a : i32
  // CHECK: tt.splat %{{.*}} : i32 -> tensor<64xi32, #[[MINE]]>
  %1 = tt.splat %0 : i32 -> tensor<64xi32, #mine>
  // CHECK-NOT: convert_layout
  %2 = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>, #mine>
  tt.store %2, %1 : tensor<64x!tt.ptr<i32>, #mine>
  tt.return
}
}

// -----

// Operations that change the shape: conversions in front of and behind them; each value is converted once.
// CHECK-DAG: #[[ROW:.*]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
// CHECK-DAG: #[[COLUMN:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [2, 1], order = [0, 1]}>
// CHECK-DAG: #[[PAIRS:.*]] = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [2, 1], order = [1, 0]}>
// CHECK-DAG: #[[FLAT:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 2], order = [1, 0]}>
// CHECK-LABEL: @shapes
tt.func public @shapes(%n: i32) {
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  // CHECK: %[[SLICE:.*]] = ttg.convert_layout %{{.*}} -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #[[COLUMN]]}>>
  // CHECK-NEXT: %[[EXPANDED:.*]] = tt.expand_dims %[[SLICE]] {axis = 1 : i32} : {{.*}} -> tensor<64x1xi32, #[[COLUMN]]>
  // CHECK-NEXT: %[[DEFAULT:.*]] = ttg.convert_layout %[[EXPANDED]] : tensor<64x1xi32, #[[COLUMN]]>
  %e = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  // CHECK-NEXT: %[[WIDE:.*]] = tt.broadcast %[[DEFAULT]]
  // CHECK-NEXT: %[[B:.*]] = ttg.convert_layout %[[WIDE]] : {{.*}} -> tensor<64x128xi32, #[[FLAT]]>
  %b = tt.broadcast %e : tensor<64x1xi32> -> tensor<64x128xi32>
  // CHECK-NEXT: %[[SUM:.*]] = "tt.reduce"(%[[B]])
  // CHECK: (tensor<64x128xi32, #[[FLAT]]>) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #[[FLAT]]}>>
  // CHECK-NEXT: %[[S:.*]] = ttg.convert_layout %[[SUM]] : {{.*}} -> tensor<64xi32, #[[ROW]]>
  %s = "tt.reduce"(%b) <{axis = 1 : i32}> ({
  ^bb0(%x: i32, %y: i32):
    %z = arith.addi %x, %y : i32
    tt.reduce.return %z : i32
  }) : (tensor<64x128xi32>) -> tensor<64xi32>
  // CHECK-NEXT: %[[JOINED:.*]] = tt.join %[[S]], %[[S]] : tensor<64xi32, #[[ROW]]> -> tensor<64x2xi32, #[[PAIRS]]>
  // CHECK-NEXT: %[[J:.*]] = ttg.convert_layout %[[JOINED]]
  %j = tt.join %s, %s : tensor<64xi32> -> tensor<64x2xi32>
  // CHECK-NEXT: %[[P:.*]] = ttg.convert_layout %[[J]] : {{.*}} -> tensor<64x2xi32, #[[PAIRS]]>
  // CHECK-NEXT: tt.split %[[P]] : tensor<64x2xi32, #[[PAIRS]]> -> tensor<64xi32, #[[ROW]]>
  %l, %h = tt.split %j : tensor<64x2xi32> -> tensor<64xi32>
  // CHECK-NEXT: tt.trans %[[B]] {{.*}} -> tensor<128x64xi32, #{{.*}}>
  // CHECK-NEXT: tt.cat %{{.*}}, %{{.*}} : tensor<64xi32, #[[ROW]]> -> tensor<128xi32, #{{.*}}>
  %t = tt.trans %b {order = array<i32: 1, 0>} : tensor<64x128xi32> -> tensor<128x64xi32>
  %c = tt.cat %l, %h : tensor<64xi32> -> tensor<128xi32>
  tt.return
}

// -----

// A matrix product: operands in its result's layout, the accumulator too, even if it has it.
// CHECK: #[[DEFAULT:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 2], order = [1, 0]}>
// CHECK: #[[DOT:.*]] = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [2, 1], order = [1, 0]}>
// CHECK-LABEL: @dot
tt.func public @dot(%x: f16) {
  %a = tt.splat %x : f16 -> tensor<64x64xf16>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: %[[A:.*]] = ttg.convert_layout %[[X:.*]] : {{.*}} -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #[[DOT]]}>>
  // CHECK-NEXT: %[[B:.*]] = ttg.convert_layout %[[X]] : {{.*}} -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #[[DOT]]}>>
  // CHECK-NEXT: %[[C:.*]] = ttg.convert_layout %{{.*}} : {{.*}} -> tensor<64x64xf32, #[[DOT]]>
  // CHECK-NEXT: %[[D:.*]] = tt.dot %[[A]], %[[B]], %[[C]] : {{.*}} -> tensor<64x64xf32, #[[DOT]]>
  // CHECK-NEXT: ttg.convert_layout %[[D]] : tensor<64x64xf32, #[[DOT]]> -> tensor<64x64xf32, #[[DEFAULT]]>
  %d = tt.dot %a, %a, %c : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  %e = math.exp %d : tensor<64x64xf32>
  tt.return
}

// -----

// Control flow carries default layouts; so do functions and calls.
// CHECK: #[[ROW:.*]] = #ttg.blocked
// CHECK-LABEL: @control_flow
tt.func public @control_flow(%n: i32, %c: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (tensor<64xi32, #[[ROW]]>)
  %f = scf.for %i = %zero to %n step %one iter_args(%v = %r) -> (tensor<64xi32>) : i32 {
    // CHECK: scf.if %{{.*}} -> (tensor<64xi32, #[[ROW]]>)
    %w = scf.if %c -> tensor<64xi32> {
      scf.yield %v : tensor<64xi32>
    } else {
      %u = arith.addi %v, %r : tensor<64xi32>
      scf.yield %u : tensor<64xi32>
    }
    scf.yield %w : tensor<64xi32>
  }
  // CHECK: scf.while (%{{.*}} = %{{.*}}) : (tensor<64xi32, #[[ROW]]>) -> tensor<64xi32, #[[ROW]]>
  %g = scf.while (%v = %f) : (tensor<64xi32>) -> tensor<64xi32> {
    scf.condition(%c) %v : tensor<64xi32>
  } do {
  ^bb0(%v: tensor<64xi32>):
    scf.yield %v : tensor<64xi32>
  }
  // CHECK: cf.cond_br %{{.*}}, ^bb1(%{{.*}} : tensor<64xi32, #[[ROW]]>), ^bb2
  cf.cond_br %c, ^bb1(%g : tensor<64xi32>), ^bb2
^bb1(%h: tensor<64xi32>):  // pred: ^bb0
  // CHECK: tt.call @callee(%{{.*}}) : (tensor<64xi32, #[[ROW]]>) -> tensor<64xi32, #[[ROW]]>
  %k = tt.call @callee(%h) : (tensor<64xi32>) -> tensor<64xi32>
  cf.br ^bb2
^bb2:  // 2 preds: ^bb0, ^bb1
  tt.return
}

// CHECK: tt.func private @callee(%arg0: tensor<64xi32, #[[ROW]]>) -> tensor<64xi32, #[[ROW]]>
tt.func private @callee(%a: tensor<64xi32>) -> tensor<64xi32> {
  tt.return %a : tensor<64xi32>
}

// -----

// Edge: an operation that knows no layouts keeps its types; what it makes is converted.  Operations fold on the way.
// CHECK-LABEL: @others
tt.func public @others() {
  // CHECK: %[[X:.*]] = tensor.empty() : tensor<64xi32>
  %x = tensor.empty() : tensor<64xi32>
  // CHECK-NEXT: %[[Y:.*]] = ttg.convert_layout %[[X]] : tensor<64xi32> -> tensor<64xi32, #[[ROW:.*]]>
  // CHECK: %[[TWO:.*]] = arith.constant dense<2> : tensor<64xi32, #[[ROW]]>
  // CHECK-NEXT: arith.addi %[[TWO]], %[[Y]]
  %one = arith.constant dense<1> : tensor<64xi32>
  %two = arith.addi %one, %one : tensor<64xi32>
  %z = arith.addi %two, %x : tensor<64xi32>
  tt.return
}
