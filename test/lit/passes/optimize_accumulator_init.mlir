// RUN: tt-opt %s --tritongpu-optimize-accumulator-init | FileCheck %s

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bytes = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#scales = #ttng.tensor_memory_scales_encoding<>
#repeated = #ttg.linear<{register = [[0, 1], [0, 2], [32, 0], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 0], [0, 0]], block = []}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
// The accumulator starts with zeros, and a select sets it back to them.
// CHECK-LABEL: @select
tt.func @select(%m: !ttg.memdesc<64x64xf16, #tile, #smem>, %n: i32) -> tensor<64x64xf32, #mma> {
  // CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %cst, %[[USE:.*]] = %false)
  // CHECK: %[[D:.*]] = ttng.warp_group_dot %arg0, %arg0, %[[ACC]], %[[USE]]
  // CHECK: %[[FLAG:.*]] = arith.select %{{.*}}, %false, %true : i1
  // CHECK: scf.yield %[[D]], %[[FLAG]]
  // The last iteration may set it back, too.
  // CHECK: arith.select %{{.*}}#1, %{{.*}}#0, %{{.*}} : tensor<64x64xf32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zeros) -> (tensor<64x64xf32, #mma>) : i32 {
    %d = ttng.warp_group_dot %m, %m, %acc : !ttg.memdesc<64x64xf16, #tile, #smem> * !ttg.memdesc<64x64xf16, #tile, #smem> -> tensor<64x64xf32, #mma>
    %j = arith.remsi %i, %c4 : i32
    %restart = arith.cmpi eq, %j, %c0 : i32
    %next = arith.select %restart, %zeros, %d : tensor<64x64xf32, #mma>
    scf.yield %next : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

// Always zero: tensor memory need not be filled.
// CHECK-LABEL: @unfilled
tt.func @unfilled(%a: !ttg.memdesc<128x64xf16, #tile, #smem>, %b: !ttg.memdesc<64x64xf16, #tile, #smem>, %n: i32, %x: tensor<128x64xf32, #rows>) -> tensor<128x64xf32, #rows> {
  // CHECK: ttng.tmem_alloc : () ->
  // CHECK: ttng.tc_gen5_mma %{{.*}}, %{{.*}}, %{{.*}}, %false, %true
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %zeros = arith.constant dense<0.0> : tensor<128x64xf32, #rows>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %x) -> (tensor<128x64xf32, #rows>) : i32 {
    %acc, %t0 = ttng.tmem_alloc %zeros : (tensor<128x64xf32, #rows>) -> (!ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %t1 = ttng.tc_gen5_mma %a, %b, %acc[%t0], %true, %true : !ttg.memdesc<128x64xf16, #tile, #smem>, !ttg.memdesc<64x64xf16, #tile, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    %d, %t2 = ttng.tmem_load %acc[%t1] : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
    %s = arith.addf %sum, %d : tensor<128x64xf32, #rows>
    scf.yield %s : tensor<128x64xf32, #rows>
  }
  tt.return %r : tensor<128x64xf32, #rows>
}

// Left alone: the first iteration adds to ones.
// CHECK-LABEL: @ones
tt.func @ones(%m: !ttg.memdesc<64x64xf16, #tile, #smem>, %n: i32) -> tensor<64x64xf32, #mma> {
  // CHECK: scf.for {{.*}} iter_args(%[[ACC:[a-z0-9]*]] = %cst) ->
  // CHECK-NEXT: ttng.warp_group_dot %arg0, %arg0, %[[ACC]] :
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ones = arith.constant dense<1.0> : tensor<64x64xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %ones) -> (tensor<64x64xf32, #mma>) : i32 {
    %d = ttng.warp_group_dot %m, %m, %acc : !ttg.memdesc<64x64xf16, #tile, #smem> * !ttg.memdesc<64x64xf16, #tile, #smem> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

// Edge: fp8 products with partial sums of their own stay as they are.
// CHECK-LABEL: @partial_sums
tt.func @partial_sums(%m: !ttg.memdesc<64x64xf8E5M2, #bytes, #smem>, %n: i32) -> tensor<64x64xf32, #mma> {
  // CHECK: scf.for {{.*}} iter_args(%[[ACC:[a-z0-9]*]] = %cst) ->
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zeros) -> (tensor<64x64xf32, #mma>) : i32 {
    %d = ttng.warp_group_dot %m, %m, %acc {maxNumImpreciseAcc = 32 : i32} : !ttg.memdesc<64x64xf8E5M2, #bytes, #smem> * !ttg.memdesc<64x64xf8E5M2, #bytes, #smem> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

// Left alone: scales, which a product that ignores its accumulator reads.
// CHECK-LABEL: @scales
tt.func @scales(%a: !ttg.memdesc<128x128xf8E4M3FN, #bytes, #smem>, %d: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %b: !ttg.memdesc<128x64xf8E4M3FN, #bytes, #smem>, %t: !ttg.memdesc<64x4xi8, #scales, #ttng.tensor_memory>) {
  // CHECK: ttng.tmem_alloc %{{.*}} : (tensor<128x4xi8
  %true = arith.constant true
  %false = arith.constant false
  %ones = arith.constant dense<127> : tensor<128x4xi8, #repeated>
  %s = ttng.tmem_alloc %ones : (tensor<128x4xi8, #repeated>) -> !ttg.memdesc<128x4xi8, #scales, #ttng.tensor_memory>
  ttng.tc_gen5_mma_scaled %a, %b, %d, %s, %t, %false, %true lhs = e4m3 rhs = e4m3 : !ttg.memdesc<128x128xf8E4M3FN, #bytes, #smem>, !ttg.memdesc<128x64xf8E4M3FN, #bytes, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x4xi8, #scales, #ttng.tensor_memory>, !ttg.memdesc<64x4xi8, #scales, #ttng.tensor_memory>
  tt.return
}

// Others see the zeros, too: they stay.
// CHECK-LABEL: @seen
tt.func @seen(%m: !ttg.memdesc<64x64xf16, #tile, #smem>, %n: i32, %out: tensor<64x64x!tt.ptr<f32>, #mma>) {
  // CHECK: %[[SET:.*]] = arith.select %{{.*}}, %cst, %{{.*}} : tensor<64x64xf32
  // CHECK: tt.store %{{.*}}, %[[SET]]
  // CHECK: ttng.warp_group_dot %arg0, %arg0, %[[SET]], %{{.*}}
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zeros) -> (tensor<64x64xf32, #mma>) : i32 {
    %restart = arith.cmpi eq, %i, %c4 : i32
    %next = arith.select %restart, %zeros, %acc : tensor<64x64xf32, #mma>
    tt.store %out, %next : tensor<64x64x!tt.ptr<f32>, #mma>
    %d = ttng.warp_group_dot %m, %m, %next : !ttg.memdesc<64x64xf16, #tile, #smem> * !ttg.memdesc<64x64xf16, #tile, #smem> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return
}

// A product in a loop that may not run does not take what fills the buffer from the load behind the loop.
// CHECK-LABEL: @load_behind_the_loop
tt.func @load_behind_the_loop(%a: !ttg.memdesc<128x64xf16, #tile, #smem>, %b: !ttg.memdesc<64x64xf16, #tile, #smem>, %n: i32, %x: tensor<128x64xf32, #rows>) -> tensor<128x64xf32, #rows> {
  // CHECK: ttng.tmem_alloc %arg3
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %false = arith.constant false
  %acc, %t0 = ttng.tmem_alloc %x : (tensor<128x64xf32, #rows>) -> (!ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%before = %t0) -> (!ttg.async.token) : i32 {
    %t1 = ttng.tc_gen5_mma %a, %b, %acc[%before], %false, %true : !ttg.memdesc<128x64xf16, #tile, #smem>, !ttg.memdesc<64x64xf16, #tile, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    scf.yield %t1 : !ttg.async.token
  }
  %d, %t2 = ttng.tmem_load %acc[%t] : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
  tt.return %d : tensor<128x64xf32, #rows>
}

// What sets the accumulator back may stand before the loop.
// CHECK-LABEL: @reset_before_the_loop
tt.func @reset_before_the_loop(%m: !ttg.memdesc<64x64xf16, #tile, #smem>, %n: i32, %restart: i1, %y: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
  // CHECK: %[[FLAG:.*]] = arith.select %arg2, %false, %true : i1
  // CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %arg3, %{{.*}} = %arg3, %[[USE:.*]] = %true)
  // CHECK: ttng.warp_group_dot %arg0, %arg0, %[[ACC]], %[[USE]]
  // CHECK: scf.yield %arg3, %{{.*}}, %[[FLAG]]
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %next = arith.select %restart, %zeros, %y : tensor<64x64xf32, #mma>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %y, %last = %y) -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>) : i32 {
    %d = ttng.warp_group_dot %m, %m, %acc : !ttg.memdesc<64x64xf16, #tile, #smem> * !ttg.memdesc<64x64xf16, #tile, #smem> -> tensor<64x64xf32, #mma>
    scf.yield %next, %d : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
  }
  tt.return %r#1 : tensor<64x64xf32, #mma>
}
}
