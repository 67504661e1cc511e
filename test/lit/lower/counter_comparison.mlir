// RUN: tt-opt %s --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [32, 1], warpsPerCTA = [1, 1], order = [1, 0]}>
#c = #ttg.slice<{dim = 0, parent = #b}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Of a row one difference for columns at even distances, one for those at odd ones.
  // CHECK-LABEL: llvm.func @counted
  // CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(dense<1> : vector<1xi32>)
  // CHECK-DAG: %[[DISTANCES:.*]] = llvm.mlir.constant(dense<[0, 0, 1, 1, 2, 2, 3, 3]> : vector<8xi32>)
  // CHECK: %[[ROW:.*]] = llvm.ashr %{{.*}}, %[[ONE]] : vector<1xi32>
  // CHECK: %[[FIRST:.*]] = llvm.ashr %{{.*}}, %[[ONE]] : vector<1xi32>
  // CHECK: %[[SUM:.*]] = llvm.add %[[ROW]], %{{.*}} : vector<1xi32>
  // CHECK: %[[BELOW:.*]] = llvm.sub %[[SUM]], %[[ONE]] : vector<1xi32>
  // CHECK: %[[EVEN:.*]] = llvm.sub %[[ROW]], %[[FIRST]] : vector<1xi32>
  // CHECK: %[[ODD:.*]] = llvm.sub %[[BELOW]], %[[FIRST]] : vector<1xi32>
  // CHECK: %[[BOTH:.*]] = llvm.shufflevector %[[EVEN]], %[[ODD]] [0, 1] : vector<1xi32>
  // CHECK: %[[CHOSEN:.*]] = llvm.shufflevector %[[BOTH]], %[[BOTH]] [0, 1, 0, 1, 0, 1, 0, 1] : vector<2xi32>
  // CHECK: llvm.icmp "sge" %[[CHOSEN]], %[[DISTANCES]] : vector<8xi32>
  tt.func public @counted(%row: tensor<32x8xi32, #b> {tt.constancy = dense<[1, 8]> : tensor<2xi32>}, %n: i32) -> tensor<32x8xi1, #b> {
    %c0 = arith.constant 0 : i32
    %c8 = arith.constant 8 : i32
    %range = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32, #c>
    cf.br ^loop(%c0 : i32)
  ^loop(%first: i32):
    %firsts = tt.splat %first : i32 -> tensor<8xi32, #c>
    %sum = arith.addi %firsts, %range : tensor<8xi32, #c>
    %line = tt.expand_dims %sum {axis = 0 : i32} : tensor<8xi32, #c> -> tensor<1x8xi32, #b>
    %column = tt.broadcast %line : tensor<1x8xi32, #b> -> tensor<32x8xi32, #b>
    %found = arith.cmpi sge, %row, %column : tensor<32x8xi32, #b>
    %next = arith.addi %first, %c8 : i32
    %more = arith.cmpi slt, %next, %n : i32
    cf.cond_br %more, ^loop(%next : i32), ^end
  ^end:
    tt.return %found : tensor<32x8xi1, #b>
  }

  // Edges: a sum that is used elsewhere too is there anyway; of a count of any number nothing is known; what both sides
  // count is no constant apart; unsigned numbers have no sign to shift.
  // CHECK-LABEL: llvm.func @others
  // CHECK-NOT: llvm.ashr
  tt.func public @others(%row: tensor<32x8xi32, #b> {tt.constancy = dense<[1, 8]> : tensor<2xi32>}, %any: i32, %i: i32)
      -> (tensor<32x8xi1, #b>, tensor<32x8xi1, #b>, tensor<32x8xi1, #b>, tensor<32x8xi1, #b>, tensor<32x8xi32, #b>) {
    %c8 = arith.constant 8 : i32
    %range = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32, #c>
    %line = tt.expand_dims %range {axis = 0 : i32} : tensor<8xi32, #c> -> tensor<1x8xi32, #b>
    %columns = tt.broadcast %line : tensor<1x8xi32, #b> -> tensor<32x8xi32, #b>
    cf.br ^loop
  ^loop:
    %first = arith.muli %i, %c8 : i32
    %firsts = tt.splat %first : i32 -> tensor<32x8xi32, #b>
    %used = arith.addi %firsts, %columns : tensor<32x8xi32, #b>
    %0 = arith.cmpi sge, %row, %used : tensor<32x8xi32, #b>
    %anys = tt.splat %any : i32 -> tensor<32x8xi32, #b>
    %unaligned = arith.addi %anys, %columns : tensor<32x8xi32, #b>
    %1 = arith.cmpi sge, %row, %unaligned : tensor<32x8xi32, #b>
    %left = arith.addi %firsts, %columns : tensor<32x8xi32, #b>
    %right = arith.addi %firsts, %row : tensor<32x8xi32, #b>
    %2 = arith.cmpi slt, %left, %right : tensor<32x8xi32, #b>
    %unsigned = arith.addi %firsts, %columns : tensor<32x8xi32, #b>
    %3 = arith.cmpi uge, %row, %unsigned : tensor<32x8xi32, #b>
    tt.return %0, %1, %2, %3, %used : tensor<32x8xi1, #b>, tensor<32x8xi1, #b>, tensor<32x8xi1, #b>, tensor<32x8xi1, #b>, tensor<32x8xi32, #b>
  }
}
