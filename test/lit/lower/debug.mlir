// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-DAG: llvm.mlir.global internal constant @printfFormat_0("pid (%u, %u, %u) idx (%2u) x: %f\0A\00")
  // CHECK-DAG: llvm.mlir.global internal constant @printfFormat_1("pid (%u, %u, %u)here\0A\00")
  // CHECK-DAG: llvm.mlir.global internal constant @printfFormat_2("pid (%u, %u, %u) idx () n: (operand 0) 0x%08x\0A\00")
  // CHECK-DAG: llvm.mlir.global internal constant @printfFormat_3("pid (%u, %u, %u) idx () n: (operand 1) %p\0A\00")
  // CHECK-DAG: llvm.mlir.global internal constant @assertMessage_0("negative\00")

  // A line for each register: where the program and the element are, and the number.
  // CHECK-LABEL: llvm.func @values
  tt.func public @values(%x: tensor<64xf32, #b>) {
    // CHECK: llvm.fpext %{{.*}} : vector<2xf32> to vector<2xf64>
    // CHECK-COUNT-2: llvm.call @vprintf(
    tt.print " x: " {hex = false, isSigned = array<i32: 0>} : %x : tensor<64xf32, #b>
    tt.return
  }

  // Edge: nothing to print but the text; several operands are numbered.
  // CHECK-LABEL: llvm.func @others
  tt.func public @others(%n: i32, %p: !tt.ptr<f32>) {
    // CHECK: llvm.call @vprintf(
    tt.print "here" {hex = false, isSigned = array<i32>}
    // CHECK-COUNT-2: llvm.call @vprintf(
    tt.print " n: " {hex = true, isSigned = array<i32: 0, 0>} : %n, %p : i32, !tt.ptr<f32>
    tt.return
  }

  // A thread with a false element reports it; then all wait.
  // CHECK-LABEL: llvm.func @check
  tt.func public @check(%c: tensor<64xi1, #b>) {
    // CHECK: llvm.cond_br %{{.*}}, ^[[BAD:bb[0-9]+]], ^[[GOOD:bb[0-9]+]]
    // CHECK: ^[[BAD]]:
    // CHECK: llvm.call @__assertfail(
    // CHECK: ^[[GOOD]]:
    // CHECK: nvvm.barrier0
    tt.assert %c, "negative" : tensor<64xi1, #b>
    tt.return
  }
}
