// RUN: tt-opt %s --ttkit-advance-addresses-late | FileCheck %s

#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!at = tensor<64x64x!tt.ptr<f16>, #rows>
!steps = tensor<64x64xi32, #rows>
!sums = tensor<64x64xf32, #mma>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// The loop carries what is copied from.
// CHECK-LABEL: @copied
// CHECK: %[[FIRST:.*]] = tt.addptr %arg0, %arg1
// CHECK: scf.for {{.*}} = %[[FIRST]])
// CHECK: ttng.warp_group_dot
// CHECK-NOT: tt.addptr
// CHECK: ttg.async_copy_global_to_local %[[AT:arg[0-9]+]],
// CHECK: %[[NEXT:.*]] = tt.addptr %[[AT]], %arg1
// CHECK-NEXT: scf.yield {{.*}}, %[[NEXT]]
tt.func @copied(%p: !at, %step: !steps, %x: !tile, %n: i32) -> !sums {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sums
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %at = %p) -> (!sums, !at) : i32 {
    %d = ttng.warp_group_dot %x, %x, %sum {inputPrecision = 0 : i32} : !tile * !tile -> !sums
    %next = tt.addptr %at, %step : !at, !steps
    %t = ttg.async_copy_global_to_local %next, %x : !at -> <64x64xf16, #shared, #smem, mutable>
    scf.yield %d, %next : !sums, !at
  }
  tt.return %r#0 : !sums
}

// What the loop gives stays the address of the last copies.
// CHECK-LABEL: @given
// CHECK: scf.for {{.*}} = %arg0)
// CHECK: tt.addptr
// CHECK-NEXT: ttg.async_copy_global_to_local
tt.func @given(%p: !at, %step: !steps, %x: !tile, %n: i32) -> !at {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sums
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %at = %p) -> (!sums, !at) : i32 {
    %d = ttng.warp_group_dot %x, %x, %sum {inputPrecision = 0 : i32} : !tile * !tile -> !sums
    %next = tt.addptr %at, %step : !at, !steps
    %t = ttg.async_copy_global_to_local %next, %x : !at -> <64x64xf16, #shared, #smem, mutable>
    scf.yield %d, %next : !sums, !at
  }
  tt.return %r#1 : !at
}

// A step of each iteration's own is not known before the loop; an address that is used before it advances stays.
// CHECK-LABEL: @steps_of_iterations
// CHECK: scf.for {{.*}} = %arg0, %{{.*}} = %arg0)
// CHECK-COUNT-2: tt.addptr
// CHECK: ttg.async_copy_global_to_local
tt.func @steps_of_iterations(%p: !at, %step: !steps, %x: !tile, %n: i32) -> !sums {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sums
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %a = %p, %b = %p) -> (!sums, !at, !at) : i32 {
    %d = ttng.warp_group_dot %x, %x, %sum {inputPrecision = 0 : i32} : !tile * !tile -> !sums
    %s = tt.splat %i : i32 -> !steps
    %t = ttg.async_copy_global_to_local %b, %x : !at -> <64x64xf16, #shared, #smem, mutable>
    %next_a = tt.addptr %a, %s : !at, !steps
    %next_b = tt.addptr %b, %step : !at, !steps
    %u = ttg.async_copy_global_to_local %next_a, %x : !at -> <64x64xf16, #shared, #smem, mutable>
    %v = ttg.async_copy_global_to_local %next_b, %x : !at -> <64x64xf16, #shared, #smem, mutable>
    scf.yield %d, %next_a, %next_b : !sums, !at, !at
  }
  tt.return %r#0 : !sums
}

// Two products: attention.
// CHECK-LABEL: @two_products
// CHECK: scf.for {{.*}} = %arg0)
// CHECK: tt.addptr
// CHECK-NEXT: ttg.async_copy_global_to_local
tt.func @two_products(%p: !at, %step: !steps, %x: !tile, %n: i32) -> !sums {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sums
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %at = %p) -> (!sums, !at) : i32 {
    %d = ttng.warp_group_dot %x, %x, %sum {inputPrecision = 0 : i32} : !tile * !tile -> !sums
    %e = ttng.warp_group_dot %x, %x, %d {inputPrecision = 0 : i32} : !tile * !tile -> !sums
    %next = tt.addptr %at, %step : !at, !steps
    %t = ttg.async_copy_global_to_local %next, %x : !at -> <64x64xf16, #shared, #smem, mutable>
    scf.yield %e, %next : !sums, !at
  }
  tt.return %r#0 : !sums
}

// One mask of a thread's copies is fine, one for each row is not.
// CHECK-LABEL: @masks
// CHECK: tt.addptr %arg0, %arg1
// CHECK: scf.for
// CHECK: scf.for {{.*}} = %arg0)
// CHECK: tt.addptr
// CHECK-NEXT: ttg.async_copy_global_to_local
tt.func @masks(%p: !at, %step: !steps, %x: !tile, %n: i32, %any: tensor<64x64xi1, #rows>, %more: i1, %other: tensor<64x64xi1, #rows>) -> !sums {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sums
  %s = tt.splat %more : i1 -> tensor<64x64xi1, #rows>
  %one = arith.andi %s, %any : tensor<64x64xi1, #rows>
  %two = arith.andi %one, %other : tensor<64x64xi1, #rows>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %at = %p) -> (!sums, !at) : i32 {
    %d = ttng.warp_group_dot %x, %x, %sum {inputPrecision = 0 : i32} : !tile * !tile -> !sums
    %next = tt.addptr %at, %step : !at, !steps
    %t = ttg.async_copy_global_to_local %next, %x mask %one : !at -> <64x64xf16, #shared, #smem, mutable>
    scf.yield %d, %next : !sums, !at
  }
  %q:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %r#0, %at = %p) -> (!sums, !at) : i32 {
    %d = ttng.warp_group_dot %x, %x, %sum {inputPrecision = 0 : i32} : !tile * !tile -> !sums
    %next = tt.addptr %at, %step : !at, !steps
    %t = ttg.async_copy_global_to_local %next, %x mask %two : !at -> <64x64xf16, #shared, #smem, mutable>
    scf.yield %d, %next : !sums, !at
  }
  tt.return %q#0 : !sums
}
}
