// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // iv < ub - (2 - 0) * step
  // CHECK-LABEL: llvm.func @stage
  tt.func public @stage(%iv: i32, %ub: i32, %step: i32, %p: !tt.ptr<i32>) {
    // CHECK: %[[AHEAD:.*]] = llvm.mul %arg2
    // CHECK: %[[END:.*]] = llvm.sub %arg1, %[[AHEAD]]
    // CHECK: %[[IS:.*]] = llvm.icmp "slt" %arg0, %[[END]]
    // CHECK: llvm.cond_br %[[IS]], ^[[THEN:bb[0-9]+]], ^[[AFTER:bb[0-9]+]](%{{.*}} : i32)
    // CHECK: ^[[THEN]]:
    // CHECK: llvm.add %arg0, %arg1
    // CHECK: ^[[AFTER]](%[[RESULT:.*]]: i32):
    // CHECK: st.global
    %0 = ttg.predicate_stage %iv, %ub, %step maxStage 2 stage 0 : i32 -> i1
    %1 = "ttg.mask"(%0) ({
      %2 = arith.addi %iv, %ub : i32
      ttg.mask.return %2 : i32
    }) : (i1) -> i32
    tt.store %p, %1 : !tt.ptr<i32>
    tt.return
  }

  // What a stage has stored is read after a barrier; so it is if the stage did not run.
  // CHECK-LABEL: llvm.func @stores
  tt.func public @stores(%pred: i1, %x: tensor<128xf32, #b>, %p: tensor<128x!tt.ptr<f32>, #b>) {
    %0 = ttg.local_alloc : () -> !ttg.memdesc<128xf32, #s, #smem, mutable>
    // CHECK: llvm.cond_br
    // CHECK: llvm.store {{.*}} !llvm.ptr<3>
    // CHECK: nvvm.barrier0
    // CHECK: llvm.load
    "ttg.mask"(%pred) ({
      ttg.local_store %x, %0 : tensor<128xf32, #b> -> !ttg.memdesc<128xf32, #s, #smem, mutable>
      "ttg.mask.return"() : () -> ()
    }) : (i1) -> ()
    %1 = ttg.local_load %0 : !ttg.memdesc<128xf32, #s, #smem, mutable> -> tensor<128xf32, #b>
    tt.store %p, %1 : tensor<128x!tt.ptr<f32>, #b>
    tt.return
  }

  // Edge: a predicate on index values.
  // CHECK-LABEL: llvm.func @last
  tt.func public @last(%n: i32, %p: !tt.ptr<i1>) {
    // CHECK: llvm.icmp "slt"
    %i = arith.index_cast %n : i32 to index
    %0 = ttg.predicate_stage %i, %i, %i maxStage 1 stage 1 : index -> i1
    tt.store %p, %0 : !tt.ptr<i1>
    tt.return
  }
}
