// RUN: tt-opt %s --ttkit-scale-maxima | FileCheck %s
// The same numbers with a scale above and below 0.
// RUN: tt-opt %s --check-passes --ttkit-scale-maxima --check-arg=2=0.25 -o /dev/null
// RUN: tt-opt %s --check-passes --ttkit-scale-maxima --check-arg=2=-0.3 -o /dev/null

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#row = #ttg.slice<{dim = 1, parent = #blocked}>
!tile = tensor<32x16xf32, #blocked>
!rows = tensor<32xf32, #row>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @scale_of_the_launch
// CHECK: %[[S:.*]] = arith.mulf %[[X:.*]], %
// CHECK: %[[POSITIVE:.*]] = arith.cmpf ogt, %arg2, %
// CHECK: %[[M:.*]] = scf.if %[[POSITIVE]]
// CHECK: "tt.reduce"(%[[X]])
// CHECK: arith.maxnumf
// CHECK: tt.splat %arg2
// CHECK: scf.yield
// CHECK: else
// CHECK: "tt.reduce"(%[[X]])
// CHECK: arith.minnumf
// CHECK: arith.mulf
// CHECK: scf.yield
// CHECK: tt.expand_dims %[[M]]
// CHECK: arith.subf %[[S]], %
// CHECK: tt.return
tt.func public @scale_of_the_launch(%in: !tt.ptr<f32>, %out: !tt.ptr<f32>, %scale: f32) {
  %i = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #row>
  %j = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %i2 = tt.expand_dims %i {axis = 1 : i32} : tensor<32xi32, #row> -> tensor<32x1xi32, #blocked>
  %j2 = tt.expand_dims %j {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
  %width = arith.constant dense<16> : tensor<32x1xi32, #blocked>
  %i3 = arith.muli %i2, %width : tensor<32x1xi32, #blocked>
  %i4 = tt.broadcast %i3 : tensor<32x1xi32, #blocked> -> tensor<32x16xi32, #blocked>
  %j4 = tt.broadcast %j2 : tensor<1x16xi32, #blocked> -> tensor<32x16xi32, #blocked>
  %at = arith.addi %i4, %j4 : tensor<32x16xi32, #blocked>
  %from = tt.splat %in : !tt.ptr<f32> -> tensor<32x16x!tt.ptr<f32>, #blocked>
  %p = tt.addptr %from, %at : tensor<32x16x!tt.ptr<f32>, #blocked>, tensor<32x16xi32, #blocked>
  %x = tt.load %p : tensor<32x16x!tt.ptr<f32>, #blocked>
  %scales = tt.splat %scale : f32 -> !tile
  %s = arith.mulf %x, %scales : !tile
  %m = "tt.reduce"(%s) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (!tile) -> !rows
  %m2 = tt.expand_dims %m {axis = 1 : i32} : !rows -> tensor<32x1xf32, #blocked>
  %m3 = tt.broadcast %m2 : tensor<32x1xf32, #blocked> -> !tile
  %d = arith.subf %s, %m3 : !tile
  %to = tt.splat %out : !tt.ptr<f32> -> tensor<32x16x!tt.ptr<f32>, #blocked>
  %q = tt.addptr %to, %at : tensor<32x16x!tt.ptr<f32>, #blocked>, tensor<32x16xi32, #blocked>
  tt.store %q, %d : tensor<32x16x!tt.ptr<f32>, #blocked>
  tt.return
}

// CHECK-LABEL: @constant
// CHECK-NOT: scf.if
// CHECK: %[[M:.*]] = "tt.reduce"(%arg0)
// CHECK: arith.maximumf
// CHECK: arith.mulf %[[M]], %
// CHECK: tt.return
tt.func @constant(%x: !tile) -> (!rows, !tile) {
  %half = arith.constant dense<5.000000e-01> : !tile
  %s = arith.mulf %x, %half : !tile
  %m = "tt.reduce"(%s) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.maximumf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (!tile) -> !rows
  %d = arith.subf %s, %x : !tile
  tt.return %m, %d : !rows, !tile
}

// A constant below 0; products that are needed as they are; a sum.
// CHECK-LABEL: @left_alone
// CHECK: %[[N:.*]] = arith.mulf
// CHECK: %[[S:.*]] = arith.mulf
// CHECK: "tt.reduce"(%[[N]])
// CHECK: "tt.reduce"(%[[S]])
// CHECK: "tt.reduce"(%[[N]])
// CHECK: tt.return
tt.func @left_alone(%x: !tile, %scale: f32) -> (!rows, !rows, !rows, !tile) {
  %minus = arith.constant dense<-5.000000e-01> : !tile
  %scales = tt.splat %scale : f32 -> !tile
  %n = arith.mulf %x, %minus : !tile
  %s = arith.mulf %x, %scales : !tile
  %m1 = "tt.reduce"(%n) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (!tile) -> !rows
  %m2 = "tt.reduce"(%s) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (!tile) -> !rows
  %m3 = "tt.reduce"(%n) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (!tile) -> !rows
  tt.return %m1, %m2, %m3, %s : !rows, !rows, !rows, !tile
}
}
