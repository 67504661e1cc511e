// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#pair = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#four = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // An operation on tensors is one on vectors; a product may be fused with a sum.
  // CHECK-LABEL: llvm.func @operators
  tt.func public @operators(%x: tensor<64xf32, #b>, %i: tensor<64xi32, #b>, %c: i1) -> (tensor<64xf32, #b>, tensor<64xi32, #b>) {
    // CHECK: llvm.fmul %{{.*}}, %{{.*}} {fastmathFlags = #llvm.fastmath<contract>} : vector<2xf32>
    %0 = arith.mulf %x, %x : tensor<64xf32, #b>
    // Division to within 2 ulp, number by number.
    // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.div.full"
    %1 = arith.divf %0, %x : tensor<64xf32, #b>
    // CHECK: llvm.sdiv
    %2 = arith.divsi %i, %i : tensor<64xi32, #b>
    // CHECK: llvm.icmp "slt" %{{.*}} : vector<2xi32>
    %3 = arith.cmpi slt, %2, %i : tensor<64xi32, #b>
    // CHECK: llvm.select %{{.*}} : vector<2xi1>, vector<2xf32>
    %4 = arith.select %3, %0, %1 : tensor<64xi1, #b>, tensor<64xf32, #b>
    // A scalar condition picks whole vectors.
    // CHECK: llvm.select %{{.*}} : i1, vector<2xf32>
    %5 = arith.select %c, %4, %x : tensor<64xf32, #b>
    tt.return %5, %2 : tensor<64xf32, #b>, tensor<64xi32, #b>
  }

  // Two numbers of 16 bits in one shift of 32: what a lower one would push into the upper one is cleared.
  // CHECK-LABEL: llvm.func @shift_of_pairs
  // CHECK-DAG: %[[BITS:.*]] = llvm.mlir.constant(dense<7> : vector<1xi32>)
  // CHECK-DAG: %[[KEPT:.*]] = llvm.mlir.constant(dense<-8323200> : vector<1xi32>)
  // CHECK: %[[WORDS:.*]] = llvm.bitcast %{{.*}} : vector<2xi16> to vector<1xi32>
  // CHECK: %[[SHIFTED:.*]] = llvm.shl %[[WORDS]], %[[BITS]] : vector<1xi32>
  // CHECK: %[[CLEARED:.*]] = llvm.and %[[SHIFTED]], %[[KEPT]] : vector<1xi32>
  // CHECK: llvm.bitcast %[[CLEARED]] : vector<1xi32> to vector<2xi16>
  tt.func public @shift_of_pairs(%x: tensor<64xi16, #b>) -> tensor<64xi16, #b> {
    %c7 = arith.constant dense<7> : tensor<64xi16, #b>
    %0 = arith.shli %x, %c7 : tensor<64xi16, #b>
    tt.return %0 : tensor<64xi16, #b>
  }

  // Four bytes in one shift, here to the right.
  // CHECK-LABEL: llvm.func @shift_of_bytes
  // CHECK-DAG: %[[BITS:.*]] = llvm.mlir.constant(dense<4> : vector<1xi32>)
  // CHECK-DAG: %[[KEPT:.*]] = llvm.mlir.constant(dense<252645135> : vector<1xi32>)
  // CHECK: %[[SHIFTED:.*]] = llvm.lshr %{{.*}}, %[[BITS]] : vector<1xi32>
  // CHECK: %[[CLEARED:.*]] = llvm.and %[[SHIFTED]], %[[KEPT]] : vector<1xi32>
  // CHECK: llvm.bitcast %[[CLEARED]] : vector<1xi32> to vector<4xi8>
  tt.func public @shift_of_bytes(%x: tensor<128xi8, #four>) -> tensor<128xi8, #four> {
    %c4 = arith.constant dense<4> : tensor<128xi8, #four>
    %0 = arith.shrui %x, %c4 : tensor<128xi8, #four>
    tt.return %0 : tensor<128xi8, #four>
  }

  // Two bytes fill no word.
  // CHECK-LABEL: llvm.func @shift_of_few_bytes
  // CHECK: llvm.lshr %{{.*}} : vector<2xi8>
  tt.func public @shift_of_few_bytes(%x: tensor<64xi8, #b>) -> tensor<64xi8, #b> {
    %c4 = arith.constant dense<4> : tensor<64xi8, #b>
    %0 = arith.shrui %x, %c4 : tensor<64xi8, #b>
    tt.return %0 : tensor<64xi8, #b>
  }

  // By amounts that differ, or all bits, each by itself.
  // CHECK-LABEL: llvm.func @shift_of_each
  // CHECK-COUNT-2: llvm.shl %{{.*}} : vector<2xi16>
  tt.func public @shift_of_each(%x: tensor<64xi16, #b>, %y: tensor<64xi16, #b>) -> tensor<64xi16, #b> {
    %c16 = arith.constant dense<16> : tensor<64xi16, #b>
    %0 = arith.shli %x, %y : tensor<64xi16, #b>
    %1 = arith.shli %0, %c16 : tensor<64xi16, #b>
    tt.return %1 : tensor<64xi16, #b>
  }

  // Constants stand in front; fp8 ones are bytes: 1.5 is 0x3c in e4m3 and 0x3e in e5m2.
  // CHECK-LABEL: llvm.func @constants
  // CHECK-DAG: llvm.mlir.constant(dense<60> : vector<2xi8>)
  // CHECK-DAG: llvm.mlir.constant(dense<62> : vector<2xi8>)
  tt.func public @constants() -> (tensor<64xf8E4M3FN, #b>, tensor<64xf8E5M2, #b>) {
    %0 = arith.constant dense<1.5> : tensor<64xf8E4M3FN, #b>
    %1 = arith.constant dense<1.5> : tensor<64xf8E5M2, #b>
    tt.return %0, %1 : tensor<64xf8E4M3FN, #b>, tensor<64xf8E5M2, #b>
  }

  // Edge: divisions that round up, and an index, which is an i32.
  // CHECK-LABEL: llvm.func @rounded
  tt.func public @rounded(%a: i32, %b: i32) -> index {
    // CHECK: %[[Q:.*]] = llvm.sdiv
    // CHECK: %[[P:.*]] = llvm.mul %[[Q]]
    // CHECK: llvm.sub %{{.*}}, %[[P]]
    // CHECK: llvm.zext %{{.*}} : i1 to i32
    %0 = arith.ceildivsi %a, %b : i32
    %1 = arith.index_cast %0 : i32 to index
    // CHECK: llvm.return %{{.*}} : i32
    tt.return %1 : index
  }

  // Elements that differ: registers of all threads, or a table from which each thread loads its own.
  // CHECK-LABEL: llvm.func @lists
  tt.func public @lists() -> (tensor<2xi32, #pair>, tensor<4xf16, #one>) {
    // CHECK: llvm.mlir.constant(dense<[7, -8]> : vector<2xi32>)
    %0 = arith.constant dense<[7, -8]> : tensor<2xi32, #pair>
    // CHECK: %[[TABLE:.*]] = llvm.mlir.addressof @constant_0 : !llvm.ptr<1>
    // CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[TABLE]][%{{.*}}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i16
    // CHECK: llvm.load %[[PLACE]] {alignment = 2 : i64} : !llvm.ptr<1> -> i16
    %1 = arith.constant dense<[1.0, 2.0, -0.0, 0.5]> : tensor<4xf16, #one>
    tt.return %0, %1 : tensor<2xi32, #pair>, tensor<4xf16, #one>
  }
}
