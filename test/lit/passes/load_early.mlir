// RUN: tt-opt %s --ttkit-load-early | FileCheck %s

#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
!tile = tensor<64x64xf16, #rows>
!wide = tensor<64x128xf32, #rows>
!at = tensor<64x64x!tt.ptr<f16>, #rows>
!at_wide = tensor<64x128x!tt.ptr<f32>, #rows>
!steps = tensor<64x64xi32, #rows>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
!lhs = tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
!rhs = tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
!sums = tensor<64x64xf32, #mma>
!buffer = !ttg.memdesc<64x64xf16, #shared, #smem>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// A load goes before the first operation on shared memory, with what it depends on.
// CHECK-LABEL: @moved
// CHECK: tt.load %arg0
// CHECK-NEXT: %[[AT:.*]] = tt.addptr %arg0, %arg1
// CHECK-NEXT: tt.load %[[AT]]
// CHECK-NEXT: ttg.local_alloc
// CHECK-NEXT: ttg.local_load
// CHECK-NEXT: ttg.local_alloc
// CHECK-NEXT: ttg.local_load
// CHECK-NEXT: tt.dot
tt.func @moved(%p: !at, %step: !steps) -> !sums {
  %zero = arith.constant dense<0.0> : !sums
  %a = tt.load %p : !at
  %sa = ttg.local_alloc %a : (!tile) -> !buffer
  %x = ttg.local_load %sa : !buffer -> !lhs
  %q = tt.addptr %p, %step : !at, !steps
  %b = tt.load %q : !at
  %sb = ttg.local_alloc %b : (!tile) -> !buffer
  %y = ttg.local_load %sb : !buffer -> !rhs
  %d = tt.dot %x, %y, %zero : !lhs * !rhs -> !sums
  tt.return %d : !sums
}

// Without loops and dot operations, other programs hide the latency of a load.
// CHECK-LABEL: @straight
// CHECK: tt.load
// CHECK-NEXT: ttg.convert_layout
// CHECK-NEXT: tt.load
tt.func @straight(%p: !at) {
  %a = tt.load %p : !at
  %x = ttg.convert_layout %a : !tile -> tensor<64x64xf16, #columns>
  %b = tt.load %p : !at
  tt.return
}

// In a loop, a load stays in its iteration; a load whose address another load gives follows that one.
// CHECK-LABEL: @indirect
// CHECK: scf.for
// CHECK-NEXT: tt.load %arg0
// CHECK-NEXT: %[[OFFSETS:.*]] = tt.load %arg1
// CHECK-NEXT: %[[AT:.*]] = tt.addptr %arg0, %[[OFFSETS]]
// CHECK-NEXT: tt.load %[[AT]]
// CHECK-NEXT: ttg.convert_layout
tt.func @indirect(%p: !at, %o: tensor<64x64x!tt.ptr<i32>, #rows>, %n: i32) -> tensor<64x64xf16, #columns> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf16, #columns>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (tensor<64x64xf16, #columns>) : i32 {
    %a = tt.load %p : !at
    %x = ttg.convert_layout %a : !tile -> tensor<64x64xf16, #columns>
    %offsets = tt.load %o : tensor<64x64x!tt.ptr<i32>, #rows>
    %q = tt.addptr %p, %offsets : !at, !steps
    %b = tt.load %q : !at
    %y = ttg.convert_layout %b : !tile -> tensor<64x64xf16, #columns>
    %s = arith.addf %x, %y : tensor<64x64xf16, #columns>
    %t = arith.addf %s, %sum : tensor<64x64xf16, #columns>
    scf.yield %t : tensor<64x64xf16, #columns>
  }
  tt.return %r : tensor<64x64xf16, #columns>
}

// What writes global memory, or may order what others write there, keeps later loads behind it.
// CHECK-LABEL: @behind
// CHECK: tt.store
// CHECK-NEXT: tt.load
// CHECK-NEXT: ttg.convert_layout
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tt.load
// CHECK-NEXT: ttg.convert_layout
// CHECK-NEXT: tt.atomic_rmw
// CHECK-NEXT: tt.load
// CHECK-NEXT: ttg.convert_layout
// CHECK-NEXT: tt.load %arg0 {isVolatile = true}
// CHECK-NEXT: tt.load
tt.func @behind(%p: !at, %at: !tt.ptr<i32>, %one: i32) {
  %true = arith.constant true
  scf.for %i = %one to %one step %one : i32 {
  %a = tt.load %p : !at
  %x = ttg.convert_layout %a : !tile -> tensor<64x64xf16, #columns>
  tt.store %p, %a : !at
  %b = tt.load %p : !at
  %y = ttg.convert_layout %b : !tile -> tensor<64x64xf16, #columns>
  gpu.barrier
  %c = tt.load %p : !at
  %z = ttg.convert_layout %c : !tile -> tensor<64x64xf16, #columns>
  %old = tt.atomic_rmw add, acq_rel, gpu, %at, %one, %true : (!tt.ptr<i32>, i32, i1) -> i32
  %d = tt.load %p : !at
  %v = ttg.convert_layout %d : !tile -> tensor<64x64xf16, #columns>
  %e = tt.load %p {isVolatile = true} : !at
  %f = tt.load %p : !at
  }
  tt.return
}

// Four programs of four warps have 128 registers a thread, room for two tiles at once.
// CHECK-LABEL: @full
// CHECK: tt.load
// CHECK-NEXT: tt.load
// CHECK-NEXT: ttg.local_alloc
// CHECK-NEXT: tt.load
// CHECK-NEXT: ttg.local_alloc
// CHECK-NEXT: ttg.local_alloc
tt.func @full(%p: !at_wide, %n: i32) {
  scf.for %i = %n to %n step %n : i32 {
  %a = tt.load %p : !at_wide
  %sa = ttg.local_alloc %a : (!wide) -> !ttg.memdesc<64x128xf32, #shared, #smem>
  %b = tt.load %p : !at_wide
  %sb = ttg.local_alloc %b : (!wide) -> !ttg.memdesc<64x128xf32, #shared, #smem>
  %c = tt.load %p : !at_wide
  %sc = ttg.local_alloc %c : (!wide) -> !ttg.memdesc<64x128xf32, #shared, #smem>
  }
  tt.return
}
}
