// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#half = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // An instruction for each element.
  // CHECK-LABEL: llvm.func @sums
  tt.func public @sums(%i: tensor<256xi32, #b>, %x: tensor<256xf32, #b>, %m: tensor<256xi1, #b>) {
    %to = ttg.local_alloc %x : (tensor<256xf32, #b>) -> !ttg.memdesc<256xf32, #shared, #smem, mutable>
    // CHECK-COUNT-2: "mov.b32 $0, 0x0;\0A\09@$3 atom.shared.relaxed.cta.add.f32 $0, [ $1 + 0 ], $2;", "=&r,r,r,b"
    %0 = ttg.local_atomic_scatter_rmw fadd, %to[%i], %x, %m {axis = 0 : i32} : (!ttg.memdesc<256xf32, #shared, #smem, mutable>, tensor<256xf32, #b>, tensor<256xi32, #b>, tensor<256xi1, #b>) -> tensor<256xf32, #b>
    tt.return
  }

  // Edge: two warps have each element; the first updates, and the second gets the result through shared memory.
  // CHECK-LABEL: llvm.func @copies
  tt.func public @copies(%i: tensor<64xi32, #half>, %x: tensor<64xi32, #half>) -> tensor<64xi32, #half> {
    %to = ttg.local_alloc %x : (tensor<64xi32, #half>) -> !ttg.memdesc<64xi32, #shared, #smem, mutable>
    // CHECK: "mov.b32 $0, 0x0;\0A\09@$3 atom.shared.relaxed.cta.max.u32 $0, [ $1 + 0 ], $2;", "=&r,r,r,b"
    // CHECK: nvvm.barrier0
    // CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> i32
    %0 = ttg.local_atomic_scatter_rmw umax, %to[%i], %x {axis = 0 : i32} : (!ttg.memdesc<64xi32, #shared, #smem, mutable>, tensor<64xi32, #half>, tensor<64xi32, #half>) -> tensor<64xi32, #half>
    tt.return %0 : tensor<64xi32, #half>
  }
}
