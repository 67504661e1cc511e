// RUN: tt-opt %s --ttkit-scale-maxima | FileCheck %s
// The same numbers with a scale above and below 0.
// RUN: tt-opt %s --check-passes --ttkit-scale-maxima --check-arg=2=0.25 -o /dev/null
// RUN: tt-opt %s --check-passes --ttkit-scale-maxima --check-arg=2=-0.3 -o /dev/null

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#row = #ttg.slice<{dim = 1, parent = #blocked}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 16, 16]}>
#wide = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#mrow = #ttg.slice<{dim = 1, parent = #mma}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!halves = tensor<64x16xf16, #blocked>
!operand = !ttg.memdesc<64x16xf16, #shared, #smem>
!columns = !ttg.memdesc<16x16xf16, #shared, #smem>
!scores = tensor<64x16xf32, #mma>
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

// The operand takes the sign, behind the scale and in front of the fence; the loop has no branch.
// CHECK-LABEL: @sign_of_the_operand
// CHECK: %[[SCALE:.*]] = arith.addf %arg2, %arg2
// CHECK: %[[POSITIVE:.*]] = arith.cmpf ogt, %[[SCALE]], %
// CHECK: %[[MINUS:.*]] = arith.negf %[[SCALE]]
// CHECK: %[[ABSOLUTE:.*]] = arith.select %[[POSITIVE]], %[[SCALE]], %[[MINUS]]
// CHECK: %[[SIGN:.*]] = arith.select %[[POSITIVE]], %{{.*}}, %{{.*}} : f16
// CHECK: %[[SIGNS:.*]] = tt.splat %[[SIGN]]
// CHECK: %[[ROWS:.*]] = arith.mulf %{{.*}}, %[[SIGNS]]
// CHECK: %[[Q:.*]] = ttg.local_alloc %[[ROWS]]
// CHECK: ttng.fence_async_shared
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: ttng.warp_group_dot %[[Q]],
// CHECK: %[[X:.*]]:2 = ttng.warp_group_dot_wait
// CHECK: %[[SCALES:.*]] = tt.splat %[[ABSOLUTE]]
// CHECK: %[[S:.*]] = arith.mulf %[[X]]#0, %[[SCALES]]
// CHECK: %[[M:.*]] = "tt.reduce"(%[[X]]#0)
// CHECK: arith.maxnumf
// CHECK: tt.splat %[[ABSOLUTE]]
// CHECK: tt.return
tt.func public @sign_of_the_operand(%in: !tt.ptr<f16>, %out: !tt.ptr<f32>, %half: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %none = arith.constant dense<0.0> : !scores
  %zeros = arith.constant dense<0.0> : !scores
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #row>
  %j = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %i2 = tt.expand_dims %i {axis = 1 : i32} : tensor<64xi32, #row> -> tensor<64x1xi32, #blocked>
  %j2 = tt.expand_dims %j {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
  %width = arith.constant dense<16> : tensor<64x1xi32, #blocked>
  %i3 = arith.muli %i2, %width : tensor<64x1xi32, #blocked>
  %i4 = tt.broadcast %i3 : tensor<64x1xi32, #blocked> -> tensor<64x16xi32, #blocked>
  %j4 = tt.broadcast %j2 : tensor<1x16xi32, #blocked> -> tensor<64x16xi32, #blocked>
  %at = arith.addi %i4, %j4 : tensor<64x16xi32, #blocked>
  %from = tt.splat %in : !tt.ptr<f16> -> tensor<64x16x!tt.ptr<f16>, #blocked>
  %p = tt.addptr %from, %at : tensor<64x16x!tt.ptr<f16>, #blocked>, tensor<64x16xi32, #blocked>
  %rows = tt.load %p : tensor<64x16x!tt.ptr<f16>, #blocked>
  %q = ttg.local_alloc %rows : (!halves) -> !operand
  %k = ttg.local_alloc %rows : (!halves) -> !operand
  %part = ttg.memdesc_subslice %k[0, 0] : !operand -> !ttg.memdesc<16x16xf16, #shared, #smem, 64x16>
  %scale = arith.addf %half, %half : f32
  ttng.fence_async_shared {bCluster = false}
  %scales = tt.splat %scale : f32 -> !scores
  %r = scf.for %n = %c0 to %c2 step %c1 iter_args(%sum = %zeros) -> !scores : i32 {
    %x = ttng.warp_group_dot %q, %part, %none {inputPrecision = 0 : i32, isAsync = true}
        : !operand * !ttg.memdesc<16x16xf16, #shared, #smem, 64x16> -> !scores
    %w:2 = ttng.warp_group_dot_wait %x, %q {pendings = 0 : i32} : !scores, !operand
    %s = arith.mulf %w#0, %scales : !scores
    %m = "tt.reduce"(%s) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (!scores) -> tensor<64xf32, #mrow>
    %m2 = tt.expand_dims %m {axis = 1 : i32} : tensor<64xf32, #mrow> -> tensor<64x1xf32, #mma>
    %m3 = tt.broadcast %m2 : tensor<64x1xf32, #mma> -> !scores
    %d = arith.subf %s, %m3 : !scores
    %t = arith.addf %sum, %d : !scores
    scf.yield %t : !scores
  }
  %found = ttg.convert_layout %r : !scores -> tensor<64x16xf32, #blocked>
  %to = tt.splat %out : !tt.ptr<f32> -> tensor<64x16x!tt.ptr<f32>, #blocked>
  %o = tt.addptr %to, %at : tensor<64x16x!tt.ptr<f32>, #blocked>, tensor<64x16xi32, #blocked>
  tt.store %o, %found : tensor<64x16x!tt.ptr<f32>, #blocked>
  tt.return
}

// Operands of two products, written in front of the fence that the scale stands behind, written in the loop, on both
// sides of a product; and a product that is used otherwise.
// CHECK-LABEL: @operand_left_alone
// CHECK-COUNT-5: scf.if
// CHECK: tt.return
tt.func @operand_left_alone(%rows: !halves, %square: tensor<64x64xf16, #blocked>, %k: !columns, %n: i32, %half: f32) -> (tensor<64xf32, #mrow>, !scores, !scores) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : !scores
  %zeros = arith.constant dense<0.0> : tensor<64xf32, #mrow>
  %q1 = ttg.local_alloc %rows : (!halves) -> !operand
  %q2 = ttg.local_alloc %rows : (!halves) -> !operand
  %q4 = ttg.local_alloc %square : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
  %q5 = ttg.local_alloc %rows : (!halves) -> !operand
  %early = tt.splat %half : f32 -> !scores
  %wide = tt.splat %half : f32 -> tensor<64x64xf32, #wide>
  %nothing = arith.constant dense<0.0> : tensor<64x64xf32, #wide>
  ttng.fence_async_shared {bCluster = false}
  %scale = arith.addf %half, %half : f32
  %late = tt.splat %scale : f32 -> !scores
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%before = %zeros, %y1 = %none, %y2 = %none) -> (tensor<64xf32, #mrow>, !scores, !scores) : i32 {
    %twice = ttng.warp_group_dot %q1, %k, %none {inputPrecision = 0 : i32, isAsync = true} : !operand * !columns -> !scores
    %other = ttng.warp_group_dot_wait %twice {pendings = 0 : i32} : !scores
    %x1 = ttng.warp_group_dot %q1, %k, %none {inputPrecision = 0 : i32, isAsync = true} : !operand * !columns -> !scores
    %w1 = ttng.warp_group_dot_wait %x1 {pendings = 0 : i32} : !scores
    %s1 = arith.mulf %w1, %early : !scores
    %m1 = "tt.reduce"(%s1) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (!scores) -> tensor<64xf32, #mrow>
    %r1 = arith.addf %m1, %before : tensor<64xf32, #mrow>
    %x2 = ttng.warp_group_dot %q2, %k, %none {inputPrecision = 0 : i32, isAsync = true} : !operand * !columns -> !scores
    %w2 = ttng.warp_group_dot_wait %x2 {pendings = 0 : i32} : !scores
    %s2 = arith.mulf %w2, %late : !scores
    %m2 = "tt.reduce"(%s2) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (!scores) -> tensor<64xf32, #mrow>
    %r2 = arith.addf %m2, %before : tensor<64xf32, #mrow>
    %q3 = ttg.local_alloc %rows : (!halves) -> !operand
    %x3 = ttng.warp_group_dot %q3, %k, %none {inputPrecision = 0 : i32, isAsync = true} : !operand * !columns -> !scores
    %w3 = ttng.warp_group_dot_wait %x3 {pendings = 0 : i32} : !scores
    %s3 = arith.mulf %w3, %early : !scores
    %m3 = "tt.reduce"(%s3) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (!scores) -> tensor<64xf32, #mrow>
    %r3 = arith.addf %m3, %before : tensor<64xf32, #mrow>
    %x4 = ttng.warp_group_dot %q4, %q4, %nothing {inputPrecision = 0 : i32, isAsync = true}
        : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #wide>
    %w4 = ttng.warp_group_dot_wait %x4 {pendings = 0 : i32} : tensor<64x64xf32, #wide>
    %s4 = arith.mulf %w4, %wide : tensor<64x64xf32, #wide>
    %m4 = "tt.reduce"(%s4) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<64x64xf32, #wide>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #wide}>>
    %t4 = ttg.convert_layout %m4 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #wide}>> -> tensor<64xf32, #mrow>
    %x5 = ttng.warp_group_dot %q5, %k, %none {inputPrecision = 0 : i32, isAsync = true} : !operand * !columns -> !scores
    %w5 = ttng.warp_group_dot_wait %x5 {pendings = 0 : i32} : !scores
    %s5 = arith.mulf %w5, %early : !scores
    %m5 = "tt.reduce"(%s5) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (!scores) -> tensor<64xf32, #mrow>
    %r5 = arith.addf %m5, %before : tensor<64xf32, #mrow>
    %a1 = arith.addf %r1, %r2 : tensor<64xf32, #mrow>
    %a2 = arith.addf %a1, %r3 : tensor<64xf32, #mrow>
    %a3 = arith.addf %a2, %t4 : tensor<64xf32, #mrow>
    %a4 = arith.addf %a3, %r5 : tensor<64xf32, #mrow>
    scf.yield %a4, %other, %w5 : tensor<64xf32, #mrow>, !scores, !scores
  }
  tt.return %r#0, %r#1, %r#2 : tensor<64xf32, #mrow>, !scores, !scores
}
}
