// RUN: tt-opt %s --split-input-file --ttkit-swap-dot-operands | FileCheck %s
// RUN: tt-opt %s --split-input-file --ttkit-swap-dot-operands "--tritongpu-accelerate-matmul=transposed-a-in-registers=true" | FileCheck %s --check-prefix=MMA

#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #rows}>
#b = #ttg.dot_op<{opIdx = 1, parent = #rows}>
// CHECK-DAG: #[[ROWS:.*]] = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: #[[COLUMNS:.*]] = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
// MMA-DAG: #[[BUFFER:.*]] = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
// MMA-DAG: #[[RESULT:.*]] = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @carried
// MMA-LABEL: @carried
tt.func @carried(%p: tensor<64x32x!tt.ptr<f32>, #rows>, %q: tensor<32x128x!tt.ptr<f32>, #rows>, %n: i32) -> tensor<64x128xf32, #rows> {
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #[[COLUMNS]]>
  %zero = arith.constant dense<0.0> : tensor<64x128xf32, #rows>
  // CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[C:.*]] = %[[ZERO]]) -> (tensor<128x64xf32, #[[COLUMNS]]>)
  %r = scf.for %i = %n to %n step %n iter_args(%c = %zero) -> (tensor<64x128xf32, #rows>) : i32 {
    // CHECK: %[[X:.*]] = tt.load %arg0
    // CHECK: %[[Y:.*]] = tt.load %arg1
    // CHECK: %[[V:.*]] = tt.trans %[[Y]] {order = array<i32: 1, 0>} : tensor<32x128xf32, #[[ROWS]]> -> tensor<128x32xf32, #[[COLUMNS]]>
    // CHECK: %[[B:.*]] = ttg.convert_layout %[[V]] : {{.*}} -> tensor<128x32xf32, #ttg.dot_op<{opIdx = 0, parent = #[[COLUMNS]]}>>
    // CHECK: %[[W:.*]] = tt.trans %[[X]]
    // CHECK: %[[A:.*]] = ttg.convert_layout %[[W]] : {{.*}} -> tensor<32x64xf32, #ttg.dot_op<{opIdx = 1, parent = #[[COLUMNS]]}>>
    // CHECK: %[[D:.*]] = tt.dot %[[B]], %[[A]], %[[C]]
    // CHECK: scf.yield %[[D]]
    // MMA: %[[Y:.*]] = tt.load %arg1
    // MMA: %[[M:.*]] = ttg.local_alloc %[[Y]] : {{.*}} -> !ttg.memdesc<32x128xf32, #[[BUFFER]], #smem>
    // MMA: %[[T:.*]] = ttg.memdesc_trans %[[M]]
    // MMA: %[[L:.*]] = ttg.local_load %[[T]] : {{.*}} -> tensor<128x32xf32, #ttg.dot_op<{opIdx = 0, parent = #[[RESULT]], kWidth = 1}>>
    // MMA: ttng.warp_group_dot %[[L]], {{.*}} : {{.*}} * !ttg.memdesc<32x64xf32, {{.*}}> -> tensor<128x64xf32, #[[RESULT]]>
    %x = tt.load %p : tensor<64x32x!tt.ptr<f32>, #rows>
    %y = tt.load %q : tensor<32x128x!tt.ptr<f32>, #rows>
    %a = ttg.convert_layout %x : tensor<64x32xf32, #rows> -> tensor<64x32xf32, #a>
    %b = ttg.convert_layout %y : tensor<32x128xf32, #rows> -> tensor<32x128xf32, #b>
    %d = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<64x32xf32, #a> * tensor<32x128xf32, #b> -> tensor<64x128xf32, #rows>
    scf.yield %d : tensor<64x128xf32, #rows>
  }
  // CHECK: %[[T:.*]] = tt.trans %[[R]] {order = array<i32: 1, 0>} : tensor<128x64xf32, #[[COLUMNS]]> -> tensor<64x128xf32, #[[ROWS]]>
  // CHECK: tt.return %[[T]]
  tt.return %r : tensor<64x128xf32, #rows>
}

// A branch adds to the accumulator or keeps it; an outer loop carries it and stores it; it starts from a load.
// CHECK-LABEL: @nested
tt.func @nested(%p: tensor<64x32x!tt.ptr<f32>, #rows>, %q: tensor<32x128x!tt.ptr<f32>, #rows>, %out: tensor<64x128x!tt.ptr<f32>, #rows>, %n: i32, %flag: i1) {
  // CHECK: %[[BIAS:.*]] = tt.load %arg2
  // CHECK: %[[START:.*]] = tt.trans %[[BIAS]]
  // CHECK: scf.for {{.*}} iter_args(%[[OUTER:.*]] = %[[START]]) -> (tensor<128x64xf32, #[[COLUMNS]]>)
  // CHECK: %[[INNER:.*]] = scf.for {{.*}} iter_args(%[[C:.*]] = %[[OUTER]])
  // CHECK: %[[IF:.*]] = scf.if %arg4 -> (tensor<128x64xf32, #[[COLUMNS]]>)
  // CHECK: scf.yield %[[C]]
  // CHECK: scf.yield %[[IF]]
  // CHECK: %[[READ:.*]] = tt.trans %[[INNER]]
  // CHECK: tt.store %arg2, %[[READ]]
  // CHECK: scf.yield %[[INNER]]
  %bias = tt.load %out : tensor<64x128x!tt.ptr<f32>, #rows>
  %r = scf.for %j = %n to %n step %n iter_args(%outer = %bias) -> (tensor<64x128xf32, #rows>) : i32 {
    %inner = scf.for %i = %n to %n step %n iter_args(%c = %outer) -> (tensor<64x128xf32, #rows>) : i32 {
      %s = scf.if %flag -> (tensor<64x128xf32, #rows>) {
        %x = tt.load %p : tensor<64x32x!tt.ptr<f32>, #rows>
        %y = tt.load %q : tensor<32x128x!tt.ptr<f32>, #rows>
        %a = ttg.convert_layout %x : tensor<64x32xf32, #rows> -> tensor<64x32xf32, #a>
        %b = ttg.convert_layout %y : tensor<32x128xf32, #rows> -> tensor<32x128xf32, #b>
        %d = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<64x32xf32, #a> * tensor<32x128xf32, #b> -> tensor<64x128xf32, #rows>
        scf.yield %d : tensor<64x128xf32, #rows>
      } else {
        scf.yield %c : tensor<64x128xf32, #rows>
      }
      scf.yield %s : tensor<64x128xf32, #rows>
    }
    tt.store %out, %inner : tensor<64x128x!tt.ptr<f32>, #rows>
    scf.yield %inner : tensor<64x128xf32, #rows>
  }
  tt.return
}

// a has contiguous columns and stays where it is; f16 may be transposed in shared memory.
// MMA-LABEL: @columns
// MMA-NOT: tt.trans
// MMA: %[[M:.*]] = ttg.local_alloc {{.*}} -> !ttg.memdesc<64x32xf32, #{{.*}}, #smem>
// MMA: %[[L:.*]] = ttg.local_load %[[M]] : {{.*}} -> tensor<64x32xf32, #ttg.dot_op<{opIdx = 0, parent = #[[SMALL:.*]], kWidth = 1}>>
// MMA: ttng.warp_group_dot %[[L]], {{.*}} : tensor<64x32xf32, {{.*}}> * !ttg.memdesc<32x64xf32, {{.*}}> -> tensor<64x64xf32, #[[SMALL]]>
// MMA: ttng.warp_group_dot {{.*}} : !ttg.memdesc<64x32xf16, {{.*}}> * !ttg.memdesc<32x64xf16, {{.*}}>
tt.func @columns(%p: tensor<64x32x!tt.ptr<f32>, #columns>, %q: tensor<32x64x!tt.ptr<f32>, #columns>, %h: tensor<64x32x!tt.ptr<f16>, #columns>, %k: tensor<32x64x!tt.ptr<f16>, #rows>) -> (tensor<64x64xf32, #rows>, tensor<64x64xf32, #rows>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #rows>
  %x = tt.load %p : tensor<64x32x!tt.ptr<f32>, #columns>
  %y = tt.load %q : tensor<32x64x!tt.ptr<f32>, #columns>
  %a = ttg.convert_layout %x : tensor<64x32xf32, #columns> -> tensor<64x32xf32, #a>
  %b = ttg.convert_layout %y : tensor<32x64xf32, #columns> -> tensor<32x64xf32, #b>
  %d = tt.dot %a, %b, %zero, inputPrecision = tf32 : tensor<64x32xf32, #a> * tensor<32x64xf32, #b> -> tensor<64x64xf32, #rows>
  %xh = tt.load %h : tensor<64x32x!tt.ptr<f16>, #columns>
  %yh = tt.load %k : tensor<32x64x!tt.ptr<f16>, #rows>
  %ah = ttg.convert_layout %xh : tensor<64x32xf16, #columns> -> tensor<64x32xf16, #a>
  %bh = ttg.convert_layout %yh : tensor<32x64xf16, #rows> -> tensor<32x64xf16, #b>
  %dh = tt.dot %ah, %bh, %zero : tensor<64x32xf16, #a> * tensor<32x64xf16, #b> -> tensor<64x64xf32, #rows>
  tt.return %d, %dh : tensor<64x64xf32, #rows>, tensor<64x64xf32, #rows>
}

// The accumulator is multiplied in the loop; b has contiguous columns; precision is full; only 32 rows; a is computed.
// CHECK-LABEL: @not_swapped
// CHECK-NOT: tensor<128x64xf32
// CHECK-NOT: tensor<128x32xf32, #ttg.dot_op
tt.func @not_swapped(%p: tensor<64x32x!tt.ptr<f32>, #rows>, %q: tensor<32x128x!tt.ptr<f32>, #rows>, %t: tensor<32x128x!tt.ptr<f32>, #columns>, %s: tensor<32x32x!tt.ptr<f32>, #rows>, %n: i32) -> (tensor<64x128xf32, #rows>, tensor<64x128xf32, #rows>, tensor<64x128xf32, #rows>, tensor<32x128xf32, #rows>, tensor<64x128xf32, #rows>) {
  %zero = arith.constant dense<0.0> : tensor<64x128xf32, #rows>
  %few = arith.constant dense<0.0> : tensor<32x128xf32, #rows>
  %r:5 = scf.for %i = %n to %n step %n iter_args(%c0 = %zero, %c1 = %zero, %c2 = %zero, %c3 = %few, %c4 = %zero) -> (tensor<64x128xf32, #rows>, tensor<64x128xf32, #rows>, tensor<64x128xf32, #rows>, tensor<32x128xf32, #rows>, tensor<64x128xf32, #rows>) : i32 {
    %x = tt.load %p : tensor<64x32x!tt.ptr<f32>, #rows>
    %y = tt.load %q : tensor<32x128x!tt.ptr<f32>, #rows>
    %z = tt.load %t : tensor<32x128x!tt.ptr<f32>, #columns>
    %w = tt.load %s : tensor<32x32x!tt.ptr<f32>, #rows>
    %xx = arith.mulf %x, %x : tensor<64x32xf32, #rows>
    %a = ttg.convert_layout %x : tensor<64x32xf32, #rows> -> tensor<64x32xf32, #a>
    %aa = ttg.convert_layout %xx : tensor<64x32xf32, #rows> -> tensor<64x32xf32, #a>
    %as = ttg.convert_layout %w : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #a>
    %b = ttg.convert_layout %y : tensor<32x128xf32, #rows> -> tensor<32x128xf32, #b>
    %bt = ttg.convert_layout %z : tensor<32x128xf32, #columns> -> tensor<32x128xf32, #b>
    %scaled = arith.mulf %c0, %c0 : tensor<64x128xf32, #rows>
    %d0 = tt.dot %a, %b, %scaled, inputPrecision = tf32 : tensor<64x32xf32, #a> * tensor<32x128xf32, #b> -> tensor<64x128xf32, #rows>
    %d1 = tt.dot %a, %bt, %c1, inputPrecision = tf32 : tensor<64x32xf32, #a> * tensor<32x128xf32, #b> -> tensor<64x128xf32, #rows>
    %d2 = tt.dot %a, %b, %c2 : tensor<64x32xf32, #a> * tensor<32x128xf32, #b> -> tensor<64x128xf32, #rows>
    %d3 = tt.dot %as, %b, %c3, inputPrecision = tf32 : tensor<32x32xf32, #a> * tensor<32x128xf32, #b> -> tensor<32x128xf32, #rows>
    %d4 = tt.dot %aa, %b, %c4, inputPrecision = tf32 : tensor<64x32xf32, #a> * tensor<32x128xf32, #b> -> tensor<64x128xf32, #rows>
    scf.yield %d0, %d1, %d2, %d3, %d4 : tensor<64x128xf32, #rows>, tensor<64x128xf32, #rows>, tensor<64x128xf32, #rows>, tensor<32x128xf32, #rows>, tensor<64x128xf32, #rows>
  }
  tt.return %r#0, %r#1, %r#2, %r#3, %r#4 : tensor<64x128xf32, #rows>, tensor<64x128xf32, #rows>, tensor<64x128xf32, #rows>, tensor<32x128xf32, #rows>, tensor<64x128xf32, #rows>
}
}
