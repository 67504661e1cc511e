// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s
// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=80 --convert-triton-gpu-to-llvm="compute-capability=80 ptx-version=87" | FileCheck %s --check-prefix=OLD
// RUN: tt-opt %s --allocate-shared-memory-nv="compute-capability=90 ptx-version=80" --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=80" | FileCheck %s --check-prefix=PTX80

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#four = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#eight = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
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
    // Of floats by their bits.
    // CHECK: atom.global.gpu.relaxed.xor.b32
    %y = arith.sitofp %x : tensor<64xi32, #b> to tensor<64xf32, #b>
    %q = tt.bitcast %p : tensor<64x!tt.ptr<i32>, #b> -> tensor<64x!tt.ptr<f32>, #b>
    %2 = tt.atomic_rmw xor, relaxed, gpu, %q, %y : (tensor<64x!tt.ptr<f32>, #b>, tensor<64xf32, #b>) -> tensor<64xf32, #b>
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

  // Sums of neighbouring floats: 16 bytes at a time from sm_90 and PTX 8.1 on, pairs of f16 before.
  // CHECK-LABEL: llvm.func @sums_of_neighbours
  // OLD-LABEL: llvm.func @sums_of_neighbours
  // PTX80-LABEL: llvm.func @sums_of_neighbours
  tt.func public @sums_of_neighbours(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f16> {tt.divisibility = 16 : i32},
                                     %x: tensor<128xf32, #four>, %y: tensor<256xf16, #eight>) {
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #four>
    %s = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #four>
    %a = tt.addptr %s, %i : tensor<128x!tt.ptr<f32>, #four>, tensor<128xi32, #four>
    // CHECK: "atom.global.gpu.relaxed.add.v4.f32 { $0, $1, $2, $3 }, [ $4 + 0 ], { $5, $6, $7, $8 };", "=r,=r,=r,=r,l,r,r,r,r"
    // OLD-COUNT-4: atom.global.gpu.relaxed.add.f32
    // PTX80-COUNT-4: atom.global.gpu.relaxed.add.f32
    %0 = tt.atomic_rmw fadd, relaxed, gpu, %a, %x : (tensor<128x!tt.ptr<f32>, #four>, tensor<128xf32, #four>) -> tensor<128xf32, #four>
    %j = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #eight>
    %t = tt.splat %q : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>, #eight>
    %b = tt.addptr %t, %j : tensor<256x!tt.ptr<f16>, #eight>, tensor<256xi32, #eight>
    // CHECK: atom.global.gpu.relaxed.add.noftz.v8.f16 { $0, $1, $2, $3, $4, $5, $6, $7 }
    // OLD-COUNT-4: atom.global.gpu.relaxed.add.noftz.f16x2
    // PTX80-COUNT-4: atom.global.gpu.relaxed.add.noftz.f16x2
    %1 = tt.atomic_rmw fadd, relaxed, gpu, %b, %y : (tensor<256x!tt.ptr<f16>, #eight>, tensor<256xf16, #eight>) -> tensor<256xf16, #eight>
    tt.return
  }

  // A scalar that adds 0 polls: a load, with the same order.
  // CHECK-LABEL: llvm.func @polls
  tt.func public @polls(%p: !tt.ptr<i32>, %q: !tt.ptr<f16>, %m: i1) -> (i32, i32, f16) {
    %true = arith.constant true
    %zero = arith.constant 0 : i32
    %float = arith.constant 0.0 : f16
    // CHECK: nvg.ld_acquire acquire, gpu, %{{.*}}, %{{.*}} : (!llvm.ptr<1>) -> i32
    %0 = tt.atomic_rmw add, acquire, gpu, %p, %zero, %true : (!tt.ptr<i32>, i32, i1) -> i32
    // CHECK: nvg.ld_acquire relaxed, sys, {{.*}} -> i32
    %1 = tt.atomic_rmw add, relaxed, sys, %p, %zero, %m : (!tt.ptr<i32>, i32, i1) -> i32
    // CHECK: nvg.ld_acquire acquire, cta, {{.*}} -> f16
    %2 = tt.atomic_rmw fadd, acquire, cta, %q, %float, %m : (!tt.ptr<f16>, f16, i1) -> f16
    tt.return %0, %1, %2 : i32, i32, f16
  }

  // Left alone: what releases, what adds something, other updates, tensors, and orders without a result.
  // CHECK-LABEL: llvm.func @updates
  // CHECK-NOT: nvg.ld_acquire
  // CHECK: llvm.return
  tt.func public @updates(%p: !tt.ptr<i32>, %t: tensor<64x!tt.ptr<i32>, #b>, %n: i32) -> (i32, i32, i32, tensor<64xi32, #b>) {
    %true = arith.constant true
    %zero = arith.constant 0 : i32
    %zeros = arith.constant dense<0> : tensor<64xi32, #b>
    %0 = tt.atomic_rmw add, acq_rel, gpu, %p, %zero, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %1 = tt.atomic_rmw add, acquire, gpu, %p, %n, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %2 = tt.atomic_rmw exch, acquire, gpu, %p, %zero, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %3 = tt.atomic_rmw add, acquire, gpu, %t, %zeros : (tensor<64x!tt.ptr<i32>, #b>, tensor<64xi32, #b>) -> tensor<64xi32, #b>
    %4 = tt.atomic_rmw add, acquire, gpu, %p, %zero, %true : (!tt.ptr<i32>, i32, i1) -> i32
    tt.return %0, %1, %2, %3 : i32, i32, i32, tensor<64xi32, #b>
  }

  // Loads and stores in order; a poll is a loop in one thread, whose answer the others get as a byte.
  // CHECK-LABEL: llvm.func @ordered
  tt.func public @ordered(%p: !tt.ptr<i32>, %v: i32, %ps: tensor<64x!tt.ptr<f32>, #b>, %m: tensor<64xi1, #b>, %limit: i64) -> (i1, i1) {
    // CHECK-COUNT-2: nvg.ld_acquire relaxed, sys
    %0 = tt.atomic_load relaxed, sys, %ps, %m : (tensor<64x!tt.ptr<f32>, #b>, tensor<64xi1, #b>) -> tensor<64xf32, #b>
    // CHECK-COUNT-2: "@$2 st.release.gpu.global.b32 [ $0 + 0 ], $1;", "l,r,b"
    tt.atomic_store release, gpu, %ps, %0, %m : tensor<64x!tt.ptr<f32>, #b>
    // CHECK: "@$2 st.relaxed.cta.global.b32 [ $0 + 0 ], $1;", "l,r,b"
    tt.atomic_store relaxed, cta, %p, %v : !tt.ptr<i32>
    // CHECK: AGAIN_${:uid}:\0A\09ld.acquire.gpu.global.b32 found, [ $1 + 0 ];
    // CHECK-NOT: globaltimer
    // CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> i8
    %1 = tt.atomic_poll acquire, gpu, %p, %v : !tt.ptr<i32>, i32 -> i1
    // CHECK: %[[START:.*]] = llvm.inline_asm has_side_effects {{.*}}"mov.u64 $0, %globaltimer;"
    // CHECK: sub.u64 now, now, $4;\0A\09setp.ge.u64 again, now, $5;{{.*}} %[[START]], %
    %2 = tt.atomic_poll acquire, gpu, %p, %v timeout %limit : !tt.ptr<i32>, i32 -> i1
    tt.return %1, %2 : i1, i1
  }

  // All warps wait for a poll, also where nobody looks at its result or each thread has its own; one time for all.
  // CHECK-LABEL: llvm.func @waits
  tt.func public @waits(%p: !tt.ptr<i32>, %v: i32, %ps: tensor<256x!tt.ptr<i32>, #b>, %vs: tensor<256xi32, #b>, %limit: i64) -> tensor<256xi1, #b> {
    // CHECK: AGAIN_
    // CHECK: nvvm.barrier
    %0 = tt.atomic_poll acquire, gpu, %p, %v : !tt.ptr<i32>, i32 -> i1
    // CHECK: "mov.u64 $0, %globaltimer;"
    // CHECK-NOT: mov.u64 $0, %globaltimer
    // CHECK-COUNT-8: AGAIN_
    // CHECK: nvvm.barrier
    %1 = tt.atomic_poll acquire, gpu, %ps, %vs timeout %limit : tensor<256x!tt.ptr<i32>, #b>, tensor<256xi32, #b> -> tensor<256xi1, #b>
    tt.return %1 : tensor<256xi1, #b>
  }
}
