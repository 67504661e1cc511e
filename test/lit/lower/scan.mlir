// RUN: tt-opt %s --split-input-file --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#m = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // A step for each bit of the coordinate: one between registers; five between lanes, for one of two elements.  Then
  // both take the scan of the lane before.
  // CHECK-LABEL: llvm.func @sums
  tt.func public @sums(%x: tensor<64xi32, #b>) -> tensor<64xi32, #b> {
    // CHECK-COUNT-6: nvvm.shfl.sync  idx
    // CHECK-NOT: nvvm.shfl.sync
    // CHECK-NOT: nvvm.barrier0
    // CHECK: llvm.return
    %0 = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a: i32, %c: i32):
      %s = arith.addi %a, %c : i32
      tt.scan.return %s : i32
    }) : (tensor<64xi32, #b>) -> tensor<64xi32, #b>
    tt.return %0 : tensor<64xi32, #b>
  }

  // Edge: an axis in the registers of a thread takes no shuffle; backwards.
  // CHECK-LABEL: llvm.func @thread
  tt.func public @thread(%x: tensor<32x4xi32, #m>) -> tensor<32x4xi32, #m> {
    // CHECK-NOT: nvvm.shfl.sync
    // CHECK: llvm.return
    %0 = "tt.scan"(%x) <{axis = 1 : i32, reverse = true}> ({
    ^bb0(%a: i32, %c: i32):
      %s = arith.addi %a, %c : i32
      tt.scan.return %s : i32
    }) : (tensor<32x4xi32, #m>) -> tensor<32x4xi32, #m>
    tt.return %0 : tensor<32x4xi32, #m>
  }

  // Edge: an axis behind the last one has one element, and nothing is to be done.
  // CHECK-LABEL: llvm.func @beyond
  tt.func public @beyond(%x: tensor<64xi32, #b>) -> tensor<64xi32, #b> {
    // CHECK-NOT: nvvm.shfl.sync
    // CHECK-NOT: llvm.add {{.*}} : vector
    // CHECK: llvm.return
    %0 = "tt.scan"(%x) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%a: i32, %c: i32):
      %s = arith.addi %a, %c : i32
      tt.scan.return %s : i32
    }) : (tensor<64xi32, #b>) -> tensor<64xi32, #b>
    tt.return %0 : tensor<64xi32, #b>
  }
}

// -----

// 64 blocks, 8 of each of 8 warps: a lane loads the totals of two blocks.  Ten shuffles scan them in lanes, and one adds
// the last lane's first total.  Two get what the lane before has, and eight the total before each of a thread's blocks.
#w = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @many_blocks
  tt.func public @many_blocks(%x: tensor<2048xi32, #w>) -> tensor<2048xi32, #w> {
    // CHECK: nvvm.barrier
    // CHECK-COUNT-21: nvvm.shfl.sync  idx
    // CHECK-NOT: nvvm.shfl.sync
    // CHECK: llvm.return
    %0 = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a: i32, %c: i32):
      %s = arith.addi %a, %c : i32
      tt.scan.return %s : i32
    }) : (tensor<2048xi32, #w>) -> tensor<2048xi32, #w>
    tt.return %0 : tensor<2048xi32, #w>
  }
}

// -----

// The totals of both operands go to shared memory together.
#t = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @threads_and_warps
  tt.func public @threads_and_warps(%x: tensor<1024xi32, #t>, %y: tensor<1024xi32, #t>) -> tensor<1024xi32, #t> {
    // CHECK: nvvm.barrier
    // CHECK-NOT: nvvm.barrier
    // CHECK: llvm.return
    %0:2 = "tt.scan"(%x, %y) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a: i32, %b: i32, %c: i32, %d: i32):
      %s = arith.addi %a, %c : i32
      %p = arith.muli %b, %d : i32
      tt.scan.return %s, %p : i32, i32
    }) : (tensor<1024xi32, #t>, tensor<1024xi32, #t>) -> (tensor<1024xi32, #t>, tensor<1024xi32, #t>)
    tt.return %0#1 : tensor<1024xi32, #t>
  }
}
