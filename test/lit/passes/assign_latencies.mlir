// RUN: tt-opt %s --split-input-file --tritongpu-assign-latencies | FileCheck %s
// RUN: tt-opt %s --split-input-file --tritongpu-assign-latencies=num-stages=5 | FileCheck %s --check-prefix=FIVE
// RUN: tt-opt %s --split-input-file --tritongpu-assign-latencies=num-stages=1 | FileCheck %s --check-prefix=ONE
// ONE-NOT: tt.latency = 2

// Both operands of a product start two stages early; with five stages, four.
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @product
// FIVE-LABEL: @product
tt.func @product(%p: tensor<64x32x!tt.ptr<f16>, #rows> {tt.contiguity = dense<[1, 32]> : tensor<2xi32>, tt.divisibility = dense<16> : tensor<2xi32>},
                 %q: tensor<32x64x!tt.ptr<f16>, #rows> {tt.contiguity = dense<[1, 64]> : tensor<2xi32>, tt.divisibility = dense<16> : tensor<2xi32>},
                 %init: tensor<64x64xf32, #mma>, %n: i32) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> tensor<64x64xf32, #mma> : i32 {
    // CHECK: tt.load %arg0 {tt.latency = 2 : i32}
    // CHECK: tt.load %arg1 {tt.latency = 2 : i32}
    // FIVE: tt.load %arg0 {tt.latency = 4 : i32}
    // FIVE: tt.load %arg1 {tt.latency = 4 : i32}
    %x = tt.load %p : tensor<64x32x!tt.ptr<f16>, #rows>
    %y = tt.load %q : tensor<32x64x!tt.ptr<f16>, #rows>
    %xa = ttg.convert_layout %x : tensor<64x32xf16, #rows> -> tensor<64x32xf16, #a>
    %yb = ttg.convert_layout %y : tensor<32x64xf16, #rows> -> tensor<32x64xf16, #b>
    %d = tt.dot %xa, %yb, %acc : tensor<64x32xf16, #a> * tensor<32x64xf16, #b> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}
}

// -----

// The load of %y waits for that of its indices: the stages are divided between them, and the other operand starts with
// the second.  With three stages each has one.
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @indirect
// CHECK: tt.load {{.*}} {tt.latency = 1 : i32} : tensor<32x1x!tt.ptr<i32>
// CHECK: tt.load %arg0 {tt.latency = 1 : i32}
// CHECK: tt.load {{.*}} {tt.latency = 1 : i32} : tensor<32x64x!tt.ptr<f16>
// FIVE-LABEL: @indirect
// FIVE-COUNT-3: {tt.latency = 2 : i32}
tt.func @indirect(%p: tensor<64x32x!tt.ptr<f16>, #rows> {tt.contiguity = dense<[1, 32]> : tensor<2xi32>, tt.divisibility = dense<16> : tensor<2xi32>},
                  %indices: tensor<32x1x!tt.ptr<i32>, #rows>, %base: tensor<32x64x!tt.ptr<f16>, #rows> {tt.contiguity = dense<[1, 64]> : tensor<2xi32>, tt.divisibility = dense<16> : tensor<2xi32>},
                  %init: tensor<64x64xf32, #mma>, %n: i32) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %stride = arith.constant dense<64> : tensor<32x1xi32, #rows>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> tensor<64x64xf32, #mma> : i32 {
    %k = tt.load %indices : tensor<32x1x!tt.ptr<i32>, #rows>
    %x = tt.load %p : tensor<64x32x!tt.ptr<f16>, #rows>
    %offset = arith.muli %k, %stride {tt.divisibility = dense<[1, 16]> : tensor<2xi32>} : tensor<32x1xi32, #rows>
    %all = tt.broadcast %offset : tensor<32x1xi32, #rows> -> tensor<32x64xi32, #rows>
    %q = tt.addptr %base, %all : tensor<32x64x!tt.ptr<f16>, #rows>, tensor<32x64xi32, #rows>
    %y = tt.load %q : tensor<32x64x!tt.ptr<f16>, #rows>
    %xa = ttg.convert_layout %x : tensor<64x32xf16, #rows> -> tensor<64x32xf16, #a>
    %yb = ttg.convert_layout %y : tensor<32x64xf16, #rows> -> tensor<32x64xf16, #b>
    %d = tt.dot %xa, %yb, %acc : tensor<64x32xf16, #a> * tensor<32x64xf16, #b> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}
}

// -----

// Without a product: only a loop that asks for stages.  The last loop has a latency from elsewhere, and keeps it alone.
#row = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @sums
// CHECK: tt.load %arg0 {tt.latency = 3 : i32}
// CHECK: tt.load %arg0 :
// CHECK: tt.load %arg0 {tt.latency = 7 : i32}
// CHECK: tt.load %arg0 :
tt.func @sums(%p: tensor<512x!tt.ptr<f32>, #row> {tt.contiguity = dense<[512]> : tensor<1xi32>, tt.divisibility = dense<16> : tensor<1xi32>}, %zero: tensor<512xf32, #row>, %n: i32) -> (tensor<512xf32, #row>, tensor<512xf32, #row>, tensor<512xf32, #row>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<512xf32, #row> : i32 {
    %x = tt.load %p : tensor<512x!tt.ptr<f32>, #row>
    %y = arith.addf %acc, %x : tensor<512xf32, #row>
    scf.yield %y : tensor<512xf32, #row>
  } {tt.num_stages = 4 : i32}
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %r) -> tensor<512xf32, #row> : i32 {
    %x = tt.load %p : tensor<512x!tt.ptr<f32>, #row>
    %y = arith.addf %acc, %x : tensor<512xf32, #row>
    scf.yield %y : tensor<512xf32, #row>
  }
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %s) -> tensor<512xf32, #row> : i32 {
    %x = tt.load %p {tt.latency = 7 : i32} : tensor<512x!tt.ptr<f32>, #row>
    %x2 = tt.load %p : tensor<512x!tt.ptr<f32>, #row>
    %y = arith.addf %x2, %x : tensor<512xf32, #row>
    scf.yield %y : tensor<512xf32, #row>
  } {tt.num_stages = 4 : i32}
  tt.return %r, %s, %t : tensor<512xf32, #row>, tensor<512xf32, #row>, tensor<512xf32, #row>
}
}

// -----

// Left alone: two bytes a thread; a loop with a loop in it; a value of the iteration before the last.
#row = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @left_alone
// CHECK-NOT: tt.latency
tt.func @left_alone(%h: tensor<128x!tt.ptr<f16>, #row>, %p: tensor<128x!tt.ptr<f32>, #row>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128xf32, #row>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %x = tt.load %h : tensor<128x!tt.ptr<f16>, #row>
    %y = arith.addf %x, %x : tensor<128xf16, #row>
    tt.store %h, %y : tensor<128x!tt.ptr<f16>, #row>
  } {tt.num_stages = 3 : i32}
  scf.for %i = %c0 to %n step %c1 : i32 {
    %x = tt.load %p : tensor<128x!tt.ptr<f32>, #row>
    scf.for %j = %c0 to %n step %c1 : i32 {
      tt.store %p, %x : tensor<128x!tt.ptr<f32>, #row>
    }
  } {tt.num_stages = 3 : i32}
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%last = %zero, %before = %zero) -> (tensor<128xf32, #row>, tensor<128xf32, #row>) : i32 {
    %x = tt.load %p : tensor<128x!tt.ptr<f32>, #row>
    %y = arith.addf %x, %before : tensor<128xf32, #row>
    scf.yield %y, %last : tensor<128xf32, #row>, tensor<128xf32, #row>
  } {tt.num_stages = 3 : i32}
  tt.return
}
}

// -----

#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
// A product whose accumulator is made and read in the same iteration ends at the read, where else.
// CHECK-LABEL: @accumulator_in_loop
// CHECK: ttng.tc_gen5_mma {{.*}} {tt.self_latency = 1 : i32}
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @accumulator_in_loop(%a: !ttg.memdesc<128x64xf16, #shared, #smem>, %b: !ttg.memdesc<64x64xf16, #shared, #smem>, %init: tensor<128x64xf32, #rows>, %n: i32) -> tensor<128x64xf32, #rows> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %init) -> (tensor<128x64xf32, #rows>)  : i32 {
      %acc, %t = ttng.tmem_alloc %x : (tensor<128x64xf32, #rows>) -> (!ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
      %u = ttng.tc_gen5_mma %a, %b, %acc[%t], %true, %true : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
      %y, %v = ttng.tmem_load %acc[%u] : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
      scf.yield %y : tensor<128x64xf32, #rows>
    }
    tt.return %r : tensor<128x64xf32, #rows>
  }
}

// -----

#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#like_b = #ttg.linear<{register = [[1, 0], [2, 0], [0, 8], [16, 0], [32, 0]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 0]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// What an operand of a product and one like it, along the other dimension, read from one load would be swizzled in two ways.
// CHECK-LABEL: @operands_disagree
// CHECK-NOT: tt.latency
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @operands_disagree(%p: tensor<64x32x!tt.ptr<f16>, #row> {tt.divisibility = dense<[16, 16]> : tensor<2xi32>, tt.contiguity = dense<[1, 32]> : tensor<2xi32>}, %a: tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %n: i32) -> (tensor<32x32xf32, #mma>, tensor<64x32xf16, #like_b>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<32x32xf32, #mma>
    %none = arith.constant dense<0.0> : tensor<64x32xf16, #like_b>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero, %s = %none) -> (tensor<32x32xf32, #mma>, tensor<64x32xf16, #like_b>)  : i32 {
      %x = tt.load %p : tensor<64x32x!tt.ptr<f16>, #row>
      %y = ttg.convert_layout %x : tensor<64x32xf16, #row> -> tensor<64x32xf16, #like_b>
      %sum = arith.addf %s, %y : tensor<64x32xf16, #like_b>
      %b = ttg.convert_layout %x : tensor<64x32xf16, #row> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %d = tt.dot %a, %b, %c : tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<32x32xf32, #mma>
      scf.yield %d, %sum : tensor<32x32xf32, #mma>, tensor<64x32xf16, #like_b>
    }
    tt.return %r#0, %r#1 : tensor<32x32xf32, #mma>, tensor<64x32xf16, #like_b>
  }
}

// -----

// A loop that asks for stages starts all of its loads early, not those for its product alone.
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#row = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @other_loads_too
// CHECK: tt.load %arg0 {tt.latency = 2 : i32}
// CHECK: tt.load %arg1 :
// CHECK: tt.load %arg0 {tt.latency = 3 : i32}
// CHECK: tt.load %arg1 {tt.latency = 3 : i32}
// FIVE-LABEL: @other_loads_too
// FIVE: tt.load %arg0 {tt.latency = 4 : i32}
// FIVE: tt.load %arg1 :
// FIVE: tt.load %arg0 {tt.latency = 3 : i32}
// FIVE: tt.load %arg1 {tt.latency = 3 : i32}
tt.func @other_loads_too(%p: tensor<64x64x!tt.ptr<f16>, #rows> {tt.contiguity = dense<[1, 64]> : tensor<2xi32>, tt.divisibility = dense<16> : tensor<2xi32>},
                         %q: tensor<512x!tt.ptr<f32>, #row> {tt.contiguity = dense<512> : tensor<1xi32>, tt.divisibility = dense<16> : tensor<1xi32>},
                         %out: tensor<512x!tt.ptr<f32>, #row>, %y: tensor<64x64xf16, #b>, %init: tensor<64x64xf32, #mma>, %n: i32) -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> tensor<64x64xf32, #mma> : i32 {
    %x = tt.load %p : tensor<64x64x!tt.ptr<f16>, #rows>
    %z = tt.load %q : tensor<512x!tt.ptr<f32>, #row>
    %xa = ttg.convert_layout %x : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #a>
    %d = tt.dot %xa, %y, %acc : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #mma>
    tt.store %out, %z : tensor<512x!tt.ptr<f32>, #row>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> tensor<64x64xf32, #mma> : i32 {
    %x = tt.load %p : tensor<64x64x!tt.ptr<f16>, #rows>
    %z = tt.load %q : tensor<512x!tt.ptr<f32>, #row>
    %xa = ttg.convert_layout %x : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #a>
    %d = tt.dot %xa, %y, %acc : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #mma>
    tt.store %out, %z : tensor<512x!tt.ptr<f32>, #row>
    scf.yield %d : tensor<64x64xf32, #mma>
  } {tt.num_stages = 4 : i32}
  tt.return %r, %s : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
}
}

// -----

// A tensor that the loop writes is not loaded early, nor what is found through it; another tensor is.
#row = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @written_in_loop
// CHECK: tt.load %{{.*}} :
// CHECK: tt.load %{{.*}} :
// CHECK: tt.load %arg3 {tt.latency = 3 : i32}
tt.func @written_in_loop(%p: !tt.ptr<f32>, %index: tensor<512x!tt.ptr<i32>, #row>, %data: tensor<512x!tt.ptr<f32>, #row>,
                         %other: tensor<512x!tt.ptr<f32>, #row>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %step = arith.constant dense<512> : tensor<512xi32, #row>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %k = tt.load %index : tensor<512x!tt.ptr<i32>, #row>
    %at = tt.addptr %data, %k : tensor<512x!tt.ptr<f32>, #row>, tensor<512xi32, #row>
    %x = tt.load %at : tensor<512x!tt.ptr<f32>, #row>
    %y = tt.load %other : tensor<512x!tt.ptr<f32>, #row>
    %z = arith.addf %x, %y : tensor<512xf32, #row>
    %c = arith.cmpi eq, %i, %c0 : i32
    scf.if %c {
      %next = arith.addi %k, %step : tensor<512xi32, #row>
      tt.store %index, %next : tensor<512x!tt.ptr<i32>, #row>
    }
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #row>
    tt.store %ps, %z : tensor<512x!tt.ptr<f32>, #row>
  } {tt.num_stages = 4 : i32}
  tt.return
}
}
