// RUN: tt-opt %s -split-input-file --convert-triton-gpu-to-llvm=compute-capability=90 | FileCheck %s
// RUN: tt-opt %s -split-input-file --convert-triton-gpu-to-llvm | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A kernel: parameters, its own two, and what its launch may count on.
  // CHECK-LABEL: llvm.func @scale
  // CHECK-SAME: (%[[IN:.*]]: !llvm.ptr<1> {tt.divisibility = 16 : i32}, %[[OUT:.*]]: !llvm.ptr<1> {tt.divisibility = 16 : i32}, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>)
  // CHECK-SAME: nvvm.kernel
  // CHECK-SAME: nvvm.reqntid = array<i32: 128>
  tt.func public @scale(%in: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    // Thread t has elements 4 t .. 4 t + 3 and 512 + 4 t .. : in eight registers.
    // CHECK: nvvm.read.ptx.sreg.tid.x
    // CHECK: llvm.mlir.constant(dense<[0, 1, 2, 3, 512, 513, 514, 515]> : vector<8xi32>)
    %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %in_base = tt.splat %in : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %in_ptr = tt.addptr %in_base, %range : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    // Four elements move at once.
    // CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
    %x = tt.load %in_ptr : tensor<1024x!tt.ptr<f32>, #blocked>
    // One operation for all registers.
    // CHECK: llvm.fmul %{{.*}} {fastmathFlags = #llvm.fastmath<contract>} : vector<8xf32>
    %y = arith.mulf %x, %x : tensor<1024xf32, #blocked>
    %out_base = tt.splat %out : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %out_ptr = tt.addptr %out_base, %range : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    // CHECK-COUNT-2: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
    tt.store %out_ptr, %y : tensor<1024x!tt.ptr<f32>, #blocked>
    // CHECK: llvm.return
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Control flow: tensors cross between blocks as vectors.
  // CHECK-LABEL: llvm.func @loop
  tt.func public @loop(%n: i32, %out: tensor<32x!tt.ptr<i32>, #blocked>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %start = arith.constant dense<0> : tensor<32xi32, #blocked>
    // CHECK: llvm.br ^[[HEAD:bb[0-9]+]](%{{.*}}, %{{.*}} : i32, vector<1xi32>)
    cf.br ^head(%zero, %start : i32, tensor<32xi32, #blocked>)
  ^head(%i: i32, %sum: tensor<32xi32, #blocked>):
    // CHECK: ^[[HEAD]](%{{.*}}: i32, %[[SUM:.*]]: vector<1xi32>):
    %more = arith.cmpi slt, %i, %n : i32
    // CHECK: llvm.cond_br
    cf.cond_br %more, ^body, ^exit
  ^body:
    %next = arith.addi %i, %one : i32
    %step = tt.splat %i : i32 -> tensor<32xi32, #blocked>
    %total = arith.addi %sum, %step : tensor<32xi32, #blocked>
    cf.br ^head(%next, %total : i32, tensor<32xi32, #blocked>)
  ^exit:
    // CHECK: llvm.store %{{.*}} : vector<1xi32>
    tt.store %out, %sum : tensor<32x!tt.ptr<i32>, #blocked>
    tt.return
  }
}

// -----

// The module names the GPU where the option does not: sm_80 has no such barriers.
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @barrier_of_the_target
  // CHECK: mbarrier.arrive.expect_tx
  tt.func public @barrier_of_the_target(%barrier: !ttg.memdesc<1xi64, #shared, #smem, mutable>, %p: i1) {
    ttng.barrier_expect %barrier, 1024, %p : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    tt.return
  }
}
