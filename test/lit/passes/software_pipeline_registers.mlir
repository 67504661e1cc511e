// RUN: tt-opt %s --split-input-file --tritongpu-pipeline | FileCheck %s

// A in registers: each part is written after the wait for the wgmma that read the same registers an iteration ago.
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#rows = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @loaded
// CHECK: scf.for
// CHECK: %[[S0:.*]] = ttg.memdesc_subslice %{{.*}}[0, 0] : {{.*}} -> !ttg.memdesc<64x16xf16
// CHECK: %[[A0:.*]] = ttg.local_load %[[S0]]
// CHECK: %[[D0:.*]] = ttng.warp_group_dot %[[A0]], {{.*}} {isAsync = true}
// CHECK: ttng.warp_group_dot_wait %[[D0]], {{.*}} {pendings = 1 : i32}
// CHECK: %[[S1:.*]] = ttg.memdesc_subslice %{{.*}}[0, 16] : {{.*}} -> !ttg.memdesc<64x16xf16
// CHECK: %[[A1:.*]] = ttg.local_load %[[S1]]
// CHECK: %[[D1:.*]] = ttng.warp_group_dot %[[A1]], {{.*}} {isAsync = true}
// CHECK: ttng.warp_group_dot_wait %[[D1]], {{.*}} {pendings = 1 : i32}
// CHECK: scf.yield
tt.func @loaded(%x: !ttg.memdesc<64x32xf16, #rows, #smem, mutable>, %y: !ttg.memdesc<32x64xf16, #shared, #smem>, %c: tensor<64x64xf32, #mma>, %n: i32) -> tensor<64x64xf32, #mma> {
  %r = scf.for %i = %n to %n step %n iter_args(%acc = %c) -> (tensor<64x64xf32, #mma>) : i32 {
    %a = ttg.local_load %x : !ttg.memdesc<64x32xf16, #rows, #smem, mutable> -> tensor<64x32xf16, #a>
    %d = ttng.warp_group_dot %a, %y, %acc : tensor<64x32xf16, #a> * !ttg.memdesc<32x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

// The last operation, with the comparison that it selects by.
// CHECK-LABEL: @computed
// CHECK: scf.for
// CHECK: arith.cmpf {{.*}} : tensor<64x16xf16
// CHECK: arith.select
// CHECK: ttng.warp_group_dot
// CHECK: ttng.warp_group_dot_wait {{.*}} {pendings = 1 : i32}
// CHECK: arith.cmpf {{.*}} : tensor<64x16xf16
// CHECK: arith.select
// CHECK: ttng.warp_group_dot
// CHECK: ttng.warp_group_dot_wait {{.*}} {pendings = 1 : i32}
tt.func @computed(%x: !ttg.memdesc<64x32xf16, #rows, #smem, mutable>, %y: !ttg.memdesc<32x64xf16, #shared, #smem>, %c: tensor<64x64xf32, #mma>, %n: i32) -> tensor<64x64xf32, #mma> {
  %zero = arith.constant dense<0.0> : tensor<64x32xf16, #a>
  %r = scf.for %i = %n to %n step %n iter_args(%acc = %c) -> (tensor<64x64xf32, #mma>) : i32 {
    %l = ttg.local_load %x : !ttg.memdesc<64x32xf16, #rows, #smem, mutable> -> tensor<64x32xf16, #a>
    %p = arith.cmpf ogt, %l, %zero : tensor<64x32xf16, #a>
    %a = arith.select %p, %l, %zero : tensor<64x32xi1, #a>, tensor<64x32xf16, #a>
    %d = ttng.warp_group_dot %a, %y, %acc : tensor<64x32xf16, #a> * !ttg.memdesc<32x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

// What is written as a whole is written before all wgmmas: the iteration before has ended its own.
// CHECK-LABEL: @whole
// CHECK: scf.for
// CHECK: ttng.warp_group_dot
// CHECK-NOT: ttng.warp_group_dot_wait
// CHECK: ttng.warp_group_dot
// CHECK-NEXT: ttng.warp_group_dot_wait {{.*}} {pendings = 0 : i32}
// CHECK: scf.yield
tt.func @whole(%x: !ttg.memdesc<32x64xf16, #rows, #smem, mutable>, %y: !ttg.memdesc<32x64xf16, #shared, #smem>, %c: tensor<64x64xf32, #mma>, %n: i32) -> tensor<64x64xf32, #mma> {
  %r = scf.for %i = %n to %n step %n iter_args(%acc = %c) -> (tensor<64x64xf32, #mma>) : i32 {
    %l = ttg.local_load %x : !ttg.memdesc<32x64xf16, #rows, #smem, mutable> -> tensor<32x64xf16, #ttg.linear<{register = [[1, 0], [0, 8], [8, 0], [16, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32]], block = []}>>
    %a = tt.trans %l {order = array<i32: 1, 0>} : tensor<32x64xf16, #ttg.linear<{register = [[1, 0], [0, 8], [8, 0], [16, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32]], block = []}>> -> tensor<64x32xf16, #a>
    %d = ttng.warp_group_dot %a, %y, %acc : tensor<64x32xf16, #a> * !ttg.memdesc<32x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}
}
