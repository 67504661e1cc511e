// RUN: tt-opt %s --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // The bound of a store is zero: LLVM would drop it otherwise.
  // CHECK-LABEL: llvm.func @mask
  // CHECK-NOT: llvm.mlir.poison : i32
  // CHECK: llvm.mlir.zero : i32
  tt.func public @mask(%p: tensor<32x!tt.ptr<f32>, #b>, %x: tensor<32xf32, #b>, %n: i32) {
    %last = ub.poison : i32
    %end = arith.addi %last, %n : i32
    %ends = tt.splat %end : i32 -> tensor<32xi32, #b>
    %range = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #b>
    %mask = arith.cmpi slt, %range, %ends : tensor<32xi32, #b>
    tt.store %p, %x, %mask : tensor<32x!tt.ptr<f32>, #b>
    tt.return
  }

  // Likewise an address, through the arguments of blocks and a product of floats.
  // CHECK-LABEL: llvm.func @address
  // CHECK-NOT: llvm.mlir.poison : f32
  // CHECK: llvm.mlir.zero : f32
  tt.func public @address(%p: !tt.ptr<f32>, %c: i1, %f: f32) {
    %last = ub.poison : f32
    cf.cond_br %c, ^then(%last : f32), ^then(%f : f32)
  ^then(%y: f32):
    %z = arith.mulf %y, %f : f32
    %i = arith.fptosi %z : f32 to i32
    %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
    %v = tt.load %q : !tt.ptr<f32>
    tt.store %p, %v : !tt.ptr<f32>
    tt.return
  }

  // Likewise a condition, as that of a loop is.
  // CHECK-LABEL: llvm.func @trip_count
  // CHECK: llvm.mlir.zero : i64
  tt.func public @trip_count(%p: !tt.ptr<i64>) {
    %end = ub.poison : i64
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    cf.br ^head(%zero : i64)
  ^head(%i: i64):
    %goes_on = arith.cmpi slt, %i, %end : i64
    cf.cond_br %goes_on, ^body, ^exit
  ^body:
    tt.store %p, %i : !tt.ptr<i64>
    %next = arith.addi %i, %one : i64
    cf.br ^head(%next : i64)
  ^exit:
    tt.return
  }

  // Likewise a divisor, and a condition without any operation between.
  // CHECK-LABEL: llvm.func @divisor
  // CHECK: llvm.mlir.zero : i32
  tt.func public @divisor(%p: !tt.ptr<i32>, %n: i32) {
    %last = ub.poison : i32
    %quotient = arith.divsi %n, %last : i32
    tt.store %p, %quotient : !tt.ptr<i32>
    tt.return
  }

  // CHECK-LABEL: llvm.func @condition
  // CHECK: llvm.mlir.zero : i1
  tt.func public @condition(%p: !tt.ptr<i32>, %n: i32) {
    %flag = ub.poison : i1
    cf.cond_br %flag, ^store, ^exit
  ^store:
    tt.store %p, %n : !tt.ptr<i32>
    cf.br ^exit
  ^exit:
    tt.return
  }

  // What a reduction makes of it is an address too.
  // CHECK-LABEL: llvm.func @reduced
  // CHECK: llvm.mlir.zero : vector<1xi32>
  tt.func public @reduced(%p: !tt.ptr<f32>, %x: f32) {
    %offsets = ub.poison : tensor<32xi32, #b>
    %offset = "tt.reduce"(%offsets) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %sum = arith.addi %a, %b : i32
      tt.reduce.return %sum : i32
    }) : (tensor<32xi32, #b>) -> i32
    %q = tt.addptr %p, %offset : !tt.ptr<f32>, i32
    tt.store %q, %x : !tt.ptr<f32>
    tt.return
  }

  // Left alone: numbers that are only written, whatever they become.
  // CHECK-LABEL: llvm.func @data
  // CHECK-NOT: llvm.mlir.zero
  // CHECK: llvm.mlir.poison : i32
  // CHECK: llvm.return
  tt.func public @data(%p: !tt.ptr<i32>, %n: i32) {
    %last = ub.poison : i32
    %sum = arith.addi %last, %n : i32
    tt.store %p, %sum : !tt.ptr<i32>
    tt.return
  }
}
