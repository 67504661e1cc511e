// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s
// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=80 --convert-triton-gpu-to-llvm="compute-capability=80 ptx-version=87" | FileCheck %s --check-prefix=OLD

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // An instruction for each element; nobody looks at the results.
  // CHECK-LABEL: llvm.func @add
  tt.func public @add(%p: tensor<64x!tt.ptr<f32>, #b>, %x: tensor<64xf32, #b>, %m: tensor<64xi1, #b>) {
    // CHECK-COUNT-2: "mov.b32 $0, 0x0;\0A\09@$3 atom.global.gpu.acq_rel.add.f32 $0, [ $1 + 0 ], $2;", "=&r,l,r,b"
    // CHECK-NOT: nvvm.barrier0
    %0 = tt.atomic_rmw fadd, acq_rel, gpu, %p, %x, %m : (tensor<64x!tt.ptr<f32>, #b>, tensor<64xf32, #b>, tensor<64xi1, #b>) -> tensor<64xf32, #b>
    tt.return
  }

  // A scalar: one thread acts, and hands the result to the others through shared memory.
  // CHECK-LABEL: llvm.func @exchange
  tt.func public @exchange(%p: !tt.ptr<i32>, %a: i32, %b: i32) -> i32 {
    // CHECK: atom.global.relaxed.sys.cas.b32
    // CHECK: st.shared
    // CHECK: nvvm.barrier0
    // CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
    %0 = tt.atomic_cas relaxed, sys, %p, %a, %b : (!tt.ptr<i32>, i32, i32) -> i32
    tt.return %0 : i32
  }

  // Edge: unsigned and signed order differ.
  // CHECK-LABEL: llvm.func @orders
  tt.func public @orders(%p: tensor<64x!tt.ptr<i32>, #b>, %x: tensor<64xi32, #b>) {
    // CHECK: atom.global.gpu.relaxed.max.s32
    %0 = tt.atomic_rmw max, relaxed, gpu, %p, %x : (tensor<64x!tt.ptr<i32>, #b>, tensor<64xi32, #b>) -> tensor<64xi32, #b>
    // CHECK: atom.global.gpu.relaxed.max.u32
    %1 = tt.atomic_rmw umax, relaxed, gpu, %p, %x : (tensor<64x!tt.ptr<i32>, #b>, tensor<64xi32, #b>) -> tensor<64xi32, #b>
    tt.return
  }

  // Sums of bf16 have an instruction from sm_90 on; in front of that LLVM makes a loop.
  // CHECK-LABEL: llvm.func @sums_of_bf16
  // OLD-LABEL: llvm.func @sums_of_bf16
  tt.func public @sums_of_bf16(%p: !tt.ptr<bf16>, %v: bf16, %m: i1) -> bf16 {
    // CHECK: atom.global.cta.acq_rel.add.noftz.bf16
    // OLD: llvm.cond_br %{{.*}}, ^[[THEN:bb[0-9]+]], ^[[AFTER:bb[0-9]+]](%{{.*}} : bf16)
    // OLD: ^[[THEN]]:
    // OLD-NEXT: %[[R:.*]] = llvm.atomicrmw fadd %{{.*}}, %{{.*}} syncscope("block") acq_rel : !llvm.ptr<1>, bf16
    // OLD-NEXT: llvm.br ^[[AFTER]](%[[R]] : bf16)
    %0 = tt.atomic_rmw fadd, acq_rel, cta, %p, %v, %m : (!tt.ptr<bf16>, bf16, i1) -> bf16
    tt.return %0 : bf16
  }
}
